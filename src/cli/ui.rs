//! Where a command reads from and writes to.

use std::borrow::Cow;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::SystemTime;

use serde::Serialize;

use super::{CliError, Color, Looks};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or the answer is yes.
    Yes,
    /// The answer is no: illegal, different, something found.
    No,
    /// Misuse or failure.
    Failure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Failure => 2,
        })
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
}

impl Host<'static> {
    /// Returns the real one.
    pub fn system() -> Host<'static> {
        use std::io::IsTerminal;
        Host {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            input: Box::new(io::BufReader::new(io::stdin())),
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
        }
    }
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

/// The two ends of the conversation and how it looks.
pub struct Ui<'a> {
    host: Host<'a>,
    /// ASCII only.
    pub plain: bool,
    /// JSON for programs.
    pub json: bool,
    /// Whether answers are coloured.
    pub color: bool,
}

impl<'a> Ui<'a> {
    pub(super) fn new(host: Host<'a>, looks: &Looks) -> Ui<'a> {
        let color = match looks.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => host.out_is_terminal && (host.env)("NO_COLOR").is_none(),
        };
        let color = color && !looks.json;
        Ui {
            host,
            plain: looks.plain,
            json: looks.json,
            color,
        }
    }

    /// Writes an answer and ends its line.
    pub fn line(&mut self, text: impl AsRef<str>) -> Result<(), CliError> {
        let text = self.spelled(text.as_ref());
        writeln!(self.host.out, "{text}").map_err(CliError::Output)
    }

    /// Writes a part of an answer and shows it at once.
    pub fn part(&mut self, text: impl AsRef<str>) -> Result<(), CliError> {
        let text = self.spelled(text.as_ref());
        let write = write!(self.host.out, "{text}");
        write
            .and_then(|()| self.host.out.flush())
            .map_err(CliError::Output)
    }

    /// Writes one JSON value as the answer.
    pub fn json_value(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string_pretty(value).map_err(|it| CliError::Output(it.into()))?;
        self.line(text)
    }

    /// Says something beside the answer; where nobody hears it, nothing is lost.
    pub fn note(&mut self, text: impl AsRef<str>) {
        let text = self.spelled(text.as_ref());
        let _ = writeln!(self.host.err, "{text}");
    }

    /// Returns the text with the punctuation that its reader asked for.
    fn spelled<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !self.plain || self.json || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let quoted = text.replace(['“', '”'], "\"");
        Cow::Owned(quoted.replace('…', "..."))
    }

    /// Reads one line without its end; none where the input has ended.
    pub fn read_line(&mut self) -> Result<Option<String>, CliError> {
        let mut bytes = Vec::new();
        let count = self
            .host
            .input
            .read_until(b'\n', &mut bytes)
            .map_err(CliError::Input)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok((count > 0).then(|| text.trim_end_matches(['\n', '\r']).to_owned()))
    }

    /// Reads all of the input.
    pub fn read_all(&mut self) -> Result<String, CliError> {
        let mut bytes = Vec::new();
        self.host
            .input
            .read_to_end(&mut bytes)
            .map_err(CliError::Input)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns whether a person types.
    pub fn interactive(&self) -> bool {
        self.host.in_is_terminal
    }

    /// Returns whether answers go to a terminal.
    pub fn on_terminal(&self) -> bool {
        self.host.out_is_terminal
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
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}
