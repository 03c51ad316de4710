//! Where a command reads from and writes to.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::io::{self, BufRead, Read as _, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::columns::folded;
use super::editing::{self, Edit, Typed};
use super::{CliError, Color, Looks};
use crate::diagnostic::codes;
use crate::model::Game;
use crate::model::text::{Form, plain_signs};
use crate::source::hidden;

/// How a shell tells of a program that Ctrl-C has ended.
const INTERRUPTED: i32 = 130;

/// Longest line that a person types, in bytes.
const MAX_LINE: u64 = 1 << 16;

/// Stands for the escape that begins a colour until a text leaves. It is taken out of all that comes
/// in, so that only this program colours.
pub const STYLE: char = '\u{fdd0}';

/// Returns a text of this program, which hides nothing, with its colours marked as such.
pub fn styled(text: &str) -> String {
    text.replace('\u{1b}', STYLE.encode_utf8(&mut [0; 4]))
}

/// Returns a text from outside without what stands for the colours of this program.
pub fn foreign(text: String) -> String {
    if text.contains(STYLE) {
        text.replace(STYLE, "\u{fffd}")
    } else {
        text
    }
}

/// Looks up a variable of the environment.
pub type Variables<'a> = Box<dyn Fn(&str) -> Option<String> + 'a>;

/// What the surrounding system gives to a command; tests give their own.
pub struct Host<'a> {
    /// Where answers go.
    pub out: Box<dyn Write + 'a>,
    /// Where notes and errors go.
    pub err: Box<dyn Write + 'a>,
    /// Where a person types.
    pub input: Box<dyn BufRead + 'a>,
    /// How a person edits a line, where that can be done.
    pub edit: Option<Edit<'a>>,
    /// Whether answers are read by a person.
    pub out_is_terminal: bool,
    /// Whether notes are read by a person.
    pub err_is_terminal: bool,
    /// Whether a person types.
    pub in_is_terminal: bool,
    /// Variables of the environment.
    pub env: Variables<'a>,
    /// The clock.
    pub now: Box<dyn Fn() -> SystemTime + 'a>,
    /// How much time of the processor this program has used.
    pub processor_time: Box<dyn Fn() -> Duration + 'a>,
    /// Whether somebody has asked to stop since this was first looked at; before that, asking ends the program.
    pub is_stopped: Box<dyn Fn() -> bool + 'a>,
    /// Goes on as if nobody had asked to stop.
    pub forget_stop: Box<dyn Fn() + 'a>,
}

impl Host<'static> {
    /// Returns the real one.
    pub fn system() -> Host<'static> {
        use std::io::IsTerminal;
        let (is_stopped, forget_stop) = ctrl_c();
        Host {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            input: Box::new(io::BufReader::new(io::stdin())),
            edit: (io::stdin().is_terminal() && io::stdout().is_terminal())
                .then(editing::at_terminal)
                .flatten(),
            out_is_terminal: io::stdout().is_terminal(),
            err_is_terminal: io::stderr().is_terminal(),
            in_is_terminal: io::stdin().is_terminal(),
            env: Box::new(|name| {
                let set = std::env::var(name).ok().filter(|value| !value.is_empty());
                // Few shells hand the size on; the terminal itself knows it.
                let asked = || {
                    let (columns, lines) = terminal_size::terminal_size()?;
                    match name {
                        "COLUMNS" => Some(columns.0.to_string()),
                        "LINES" => Some(lines.0.to_string()),
                        _ => None,
                    }
                };
                set.or_else(asked)
            }),
            now: Box::new(SystemTime::now),
            processor_time: Box::new(processor_time()),
            is_stopped: Box::new(is_stopped),
            forget_stop: Box::new(forget_stop),
        }
    }
}

/// Listens for Ctrl-C from the first look on; a second one that nobody has looked for since ends the program as usual. Returns how to look, and how to
/// go on as if there had been none.
fn ctrl_c() -> (impl Fn() -> bool, impl Fn()) {
    let asked: Rc<OnceCell<Arc<AtomicBool>>> = Rc::default();
    let forgotten = asked.clone();
    let listen = || {
        let asked = Arc::new(AtomicBool::new(false));
        let noted = asked.clone();
        // Where nobody listens, Ctrl-C ends the program at once.
        let _ = ctrlc::set_handler(move || {
            if editing::is_own_interrupt() {
                return;
            }
            if noted.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        });
        asked
    };
    let look = move || asked.get_or_init(listen).load(Ordering::Relaxed);
    let forget = move || {
        if let Some(asked) = forgotten.get() {
            asked.store(false, Ordering::Relaxed);
        }
    };
    (look, forget)
}

#[cfg(unix)]
fn processor_time() -> impl Fn() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    || {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        let nanos = u32::try_from(now.tv_nsec).unwrap_or(0);
        Duration::new(now.tv_sec.unsigned_abs(), nanos)
    }
}

/// Elsewhere the time on the wall stands for it.
#[cfg(not(unix))]
fn processor_time() -> impl Fn() -> Duration {
    let start = std::time::Instant::now();
    move || start.elapsed()
}

/// How a word stands out where colours are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Titles.
    Bold,
    /// Places, citations and other asides.
    Dim,
    /// No.
    Red,
    /// Yes.
    Green,
    /// Careful.
    Yellow,
    /// What can be typed.
    Cyan,
}

/// Where answers go, also when their reader has gone, as `head` does: how a command ends is asked for as well.
struct Outlet<'a> {
    to: Box<dyn Write + 'a>,
    has_gone: Rc<Cell<bool>>,
}

impl Outlet<'_> {
    fn unless_gone<T>(
        &mut self,
        nothing: T,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.has_gone.get() {
            return Ok(nothing);
        }
        match write(&mut *self.to) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.has_gone.set(true);
                Ok(nothing)
            }
            written => written,
        }
    }
}

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_gone(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_gone((), |to| to.flush())
    }
}

/// The two ends of the conversation and how it looks.
pub struct Ui<'a> {
    host: Host<'a>,
    has_gone: Rc<Cell<bool>>,
    /// ASCII only.
    pub plain: bool,
    /// Words for signs.
    pub spoken: bool,
    /// JSON for programs.
    pub json: bool,
    /// Whether answers are coloured.
    pub color: bool,
    /// Whether only JSON goes to the output: what a person reads goes where notes go.
    pub beside: bool,
    /// Whether each value of JSON is a line, as where one comes behind the other.
    pub in_lines: bool,
    /// What stands plainly for signs that texts of the rules hold, which nothing prints anew.
    signs: Vec<(String, String)>,
}

impl<'a> Ui<'a> {
    pub(super) fn new(host: Host<'a>, looks: &Looks) -> Ui<'a> {
        let color = match looks.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => host.out_is_terminal && (host.env)("NO_COLOR").is_none(),
        };
        let color = color && !looks.json;
        let has_gone = Rc::new(Cell::new(false));
        let out = Outlet {
            to: host.out,
            has_gone: Rc::clone(&has_gone),
        };
        let host = Host {
            out: Box::new(out),
            ..host
        };
        Ui {
            host,
            has_gone,
            plain: looks.plain || looks.spoken,
            spoken: looks.spoken,
            json: looks.json,
            color,
            beside: false,
            in_lines: false,
            signs: Vec::new(),
        }
    }

    /// How values are written.
    pub fn form(&self) -> Form {
        match (self.spoken, self.plain) {
            (true, _) => Form::Spoken,
            (false, true) => Form::Plain,
            (false, false) => Form::Signs,
        }
    }

    /// The same where programs read the answer too: plainly in JSON.
    pub fn data_form(&self) -> Form {
        if self.json { Form::Plain } else { self.form() }
    }

    /// Writes an answer and ends its line.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<(), CliError> {
        // Where nobody knows how wide a terminal is, it breaks lines itself; what is read out has no lines.
        let text = match self.height().is_some() && !self.plain {
            true => folded(text.as_ref(), self.width()),
            false => Cow::Borrowed(text.as_ref()),
        };
        let text = self.leaving(&text, self.json && !self.beside);
        writeln!(self.answers(), "{text}").map_err(CliError::Output)
    }

    /// Writes a part of an answer and shows it at once.
    pub fn part(&mut self, text: impl AsRef<str>) -> Result<(), CliError> {
        let text = self.leaving(text.as_ref(), self.json && !self.beside);
        let written = write!(self.answers(), "{text}");
        let shown = written.and_then(|()| self.answers().flush());
        shown.map_err(CliError::Output)
    }

    /// Writes a part of what another program reads, whatever stands beside it.
    pub fn output(&mut self, text: &str) -> Result<(), CliError> {
        let text = self.leaving(text, false);
        let written = write!(self.host.out, "{text}");
        written.map_err(CliError::Output)
    }

    /// Empties the screen of a terminal, and what could be scrolled back to.
    pub fn clear_screen(&mut self) -> Result<(), CliError> {
        let cleared = self.answers().write_all(b"\x1b[2J\x1b[3J\x1b[H");
        cleared.map_err(CliError::Output)
    }

    fn answers(&mut self) -> &mut dyn Write {
        if self.beside {
            &mut self.host.err
        } else {
            &mut self.host.out
        }
    }

    /// Writes JSON that is a text already as the answer.
    pub fn json_text(&mut self, text: &str) -> Result<(), CliError> {
        let text = hidden::in_json(text);
        write!(self.host.out, "{text}").map_err(CliError::Output)
    }

    /// Writes one JSON value as the answer.
    pub fn json_value(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = match self.in_lines {
            true => serde_json::to_string(value),
            false => serde_json::to_string_pretty(value),
        };
        let text = text.map_err(|it| CliError::Output(it.into()))?;
        let text = hidden::in_json(&text);
        writeln!(self.host.out, "{text}").map_err(CliError::Output)
    }

    /// Says something beside the answer; where nobody hears it, nothing is lost.
    pub fn note(&mut self, text: impl AsRef<str>) {
        let text = self.leaving(text.as_ref(), false);
        let _ = writeln!(self.host.err, "{text}");
    }

    /// Shows once a second how far something is; returns whether to go on.
    pub fn watched(&mut self, shown: &mut Option<u64>, far: impl FnOnce() -> String) -> bool {
        let now = self.now().0;
        if *shown != Some(now) {
            *shown = Some(now);
            self.progress(&format!("{}; Ctrl-C ends it", far()));
        }
        !self.is_stopped()
    }

    /// Shows how far something is, in place of what was shown so before; where nobody sees it, nothing is lost.
    pub fn progress(&mut self, text: &str) {
        if !self.host.err_is_terminal || self.plain {
            return;
        }
        let shown: String = text.chars().take(self.width().saturating_sub(1)).collect();
        let shown = self.leaving(&shown, false).into_owned();
        let _ = write!(self.host.err, "\r{shown}\x1b[K");
        let _ = self.host.err.flush();
    }

    /// Returns whether somebody has asked to stop, or nobody is left to be told more.
    pub fn is_stopped(&self) -> bool {
        self.has_gone.get() || (self.host.is_stopped)()
    }

    /// Goes on as if nobody had asked to stop: what was to be stopped is.
    pub fn forget_stop(&self) {
        (self.host.forget_stop)();
    }

    /// Fails where who is to answer, or to be told again and again, has gone.
    pub fn heard(&self) -> Result<(), CliError> {
        match self.has_gone.get() {
            true => Err(CliError::Output(io::ErrorKind::BrokenPipe.into())),
            false => Ok(()),
        }
    }

    /// Writes the signs of a game plainly wherever a text of its rules holds them, if signs are not wanted.
    pub fn spell(&mut self, game: &Game) {
        self.signs = plain_signs(game);
    }

    /// Returns a text as it leaves: with the punctuation that its reader asked for, colours, and nothing
    /// else that a terminal would follow.
    fn leaving<'t>(&self, text: &'t str, as_json: bool) -> Cow<'t, str> {
        if as_json {
            return hidden::in_json(text);
        }
        let shown = if self.color && text.contains(STYLE) {
            let parts = text.split(STYLE).map(hidden::visible);
            Cow::Owned(parts.collect::<Vec<_>>().join("\u{1b}"))
        } else {
            hidden::visible(text)
        };
        if !self.plain || shown.is_ascii() {
            return shown;
        }
        let quoted = shown.replace(['“', '”'], "\"").replace('…', "...");
        let signs = self.signs.iter();
        Cow::Owned(signs.fold(quoted, |text, (sign, plain)| text.replace(sign, plain)))
    }

    /// Asks a seat for a line behind a prompt, where these names can be typed. Who has it read out types as always: a line that is
    /// drawn again and again is read out again and again.
    pub fn ask(&mut self, seat: u32, prompt: &str, names: Vec<String>) -> Result<Typed, CliError> {
        self.heard()?;
        if self.plain || self.beside || self.host.edit.is_none() {
            self.part(prompt)?;
            self.heard()?;
            let line = self.read_line()?;
            return Ok(line.map_or(Typed::Gone, Typed::Line));
        }
        // An interrupt may say that the terminal has another size: somebody has to listen for it.
        let _ = self.is_stopped();
        let prompt = self.leaving(prompt, false).into_owned();
        let names = names.iter().map(|it| hidden::visible(it).into_owned());
        let names = names.collect();
        self.answers().flush().map_err(CliError::Output)?;
        let Some(edit) = &mut self.host.edit else {
            return Ok(Typed::Gone);
        };
        Ok(match edit(seat, &prompt, names).map_err(CliError::Input)? {
            Typed::Line(line) => Typed::Line(foreign(line)),
            other => other,
        })
    }

    /// Reads one line without its end; none where the input has ended.
    pub fn read_line(&mut self) -> Result<Option<String>, CliError> {
        let mut bytes = Vec::new();
        let mut input = self.host.input.by_ref().take(MAX_LINE + 1);
        let count = input
            .read_until(b'\n', &mut bytes)
            .map_err(CliError::Input)?;
        if count as u64 > MAX_LINE {
            let message =
                format!("the input cannot be read: a line has more than {MAX_LINE} bytes");
            let help = "write each move on a line of its own";
            return Err(CliError::new(codes::UNREADABLE_FILE, message, help));
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok((count > 0).then(|| foreign(text.trim_end_matches(['\n', '\r']).to_owned())))
    }

    /// Returns where a person or a program writes to.
    pub fn input(&mut self) -> &mut dyn BufRead {
        &mut self.host.input
    }

    /// Returns a folder of this program: in that which a variable names, else in one of the home.
    pub fn folder(&self, variable: &str, in_home: &[&str]) -> Option<PathBuf> {
        // A path that begins nowhere would lead to wherever the program is started.
        let named = |name: &str| {
            let path = self.env(name).map(PathBuf::from);
            path.filter(|it| it.is_absolute())
        };
        let known = named(variable).or_else(|| named("LOCALAPPDATA"));
        let home = || Some(named("HOME")?.join(in_home.iter().collect::<PathBuf>()));
        Some(known.or_else(home)?.join("adit"))
    }

    /// Returns whether a person types.
    pub fn interactive(&self) -> bool {
        self.host.in_is_terminal
    }

    /// Returns whether answers go to a terminal.
    pub fn on_terminal(&self) -> bool {
        if self.beside {
            self.host.err_is_terminal
        } else {
            self.host.out_is_terminal
        }
    }

    /// Returns how many columns texts may take.
    pub fn width(&self) -> usize {
        let columns = self.env("COLUMNS").and_then(|it| it.parse().ok());
        columns.filter(|it| (40..=400).contains(it)).unwrap_or(100)
    }

    /// Returns how many lines a terminal shows at once; none where answers go elsewhere or nobody knows.
    pub fn height(&self) -> Option<usize> {
        let lines = self.env("LINES").and_then(|it| it.parse().ok());
        lines.filter(|it| self.on_terminal() && (10..=400).contains(it))
    }

    /// Returns a variable of the environment; an empty one does not count.
    pub fn env(&self, name: &str) -> Option<String> {
        (self.host.env)(name)
    }

    /// Returns how much time of the processor this program has used.
    pub fn processor_time(&self) -> Duration {
        (self.host.processor_time)()
    }

    /// Returns what the clock shows, as seconds and nanoseconds since 1970.
    pub fn now(&self) -> (u64, u32) {
        let since = (self.host.now)()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        (since.as_secs(), since.subsec_nanos())
    }

    /// Returns the text in its tone where colours are shown.
    pub fn paint(&self, tone: Tone, text: impl AsRef<str>) -> String {
        let text = text.as_ref();
        let code = match tone {
            Tone::Bold => "1",
            Tone::Dim => "2",
            Tone::Red => "31",
            Tone::Green => "32",
            Tone::Yellow => "33",
            Tone::Cyan => "36",
        };
        if self.color && !text.is_empty() {
            format!("{STYLE}[{code}m{text}{STYLE}[0m")
        } else {
            text.to_owned()
        }
    }
}
