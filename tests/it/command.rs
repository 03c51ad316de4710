//! Runs commands in this process, as a person would type them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{self, BufRead, Cursor, Read, Write};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use adit::cli::{self, Edit, Exit, Host, Typed};

/// What a command did.
pub struct Ran {
    pub exit: Exit,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// It ended so, and what it answers holds these words.
    #[track_caller]
    pub fn says(&self, exit: Exit, words: &str) {
        self.ended(exit);
        assert!(self.out.contains(words), "{}", self.out);
    }

    /// It ended so, and what it complains of holds these words.
    #[track_caller]
    pub fn complains(&self, exit: Exit, words: &str) {
        self.ended(exit);
        assert!(self.err.contains(words), "{}", self.err);
    }

    #[track_caller]
    fn ended(&self, exit: Exit) {
        assert_eq!(self.exit, exit, "{}{}", self.out, self.err);
    }
}

#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).expect("answers are text")
    }
}

/// Runs a command line with nothing typed.
pub fn adit(line: &str) -> Ran {
    adit_with(line, "")
}

/// Runs a command line; words in double quotes stay together.
pub fn adit_with(line: &str, typed: &str) -> Ran {
    run(line, typed, None, true)
}

/// Runs a command line where no folder is known for the state of programs.
pub fn adit_without_home(line: &str, typed: &str) -> Ran {
    run(line, typed, None, false)
}

/// Runs a command line at a terminal of so many columns and lines.
pub fn adit_at(size: (usize, usize), line: &str, typed: &str) -> Ran {
    run(line, typed, Some(size), true)
}

/// All that a person reads who runs a command line and types these lines: answers and complaints, as they come.
pub fn adit_read(line: &str, typed: &str) -> String {
    let both = Sink::default();
    run_into(
        (Box::new(both.clone()), Box::new(both.clone())),
        line,
        typing(typed),
        None,
        true,
    );
    both.text()
}

/// Somebody who reads what was written since, and types a line, or goes away.
struct Reader<F> {
    out: Sink,
    n_read: usize,
    line: Cursor<String>,
    answer: F,
}

impl<F: FnMut(&str) -> Option<String>> Read for Reader<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(into)?;
        self.consume(n);
        Ok(n)
    }
}

impl<F: FnMut(&str) -> Option<String>> BufRead for Reader<F> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.line.fill_buf()?.is_empty() {
            let new = {
                let all = self.out.0.borrow();
                String::from_utf8(all[self.n_read..].to_vec()).expect("answers are text")
            };
            self.n_read += new.len();
            let line = (self.answer)(&new).map_or_else(String::new, |it| it + "\n");
            self.line = Cursor::new(line);
        }
        self.line.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.line.consume(n);
    }
}

/// Runs a command line at a terminal of so many columns and lines for somebody who answers what was written since with a
/// line, as often as it is asked; with none it goes away.
pub fn adit_answering(
    size: (usize, usize),
    line: &str,
    answer: impl FnMut(&str) -> Option<String>,
) -> Ran {
    let (out, err) = (Sink::default(), Sink::default());
    let reader = Reader {
        out: out.clone(),
        n_read: 0,
        line: Cursor::default(),
        answer,
    };
    let exit = run_into(
        (Box::new(out.clone()), Box::new(err.clone())),
        line,
        Box::new(reader),
        Some(size),
        true,
    );
    Ran {
        exit,
        out: out.text(),
        err: err.text(),
    }
}

fn typing<'a>(typed: &str) -> Box<dyn BufRead + 'a> {
    Box::new(Cursor::new(typed.to_owned()))
}

fn run(line: &str, typed: &str, terminal: Option<(usize, usize)>, has_home: bool) -> Ran {
    let (out, err) = (Sink::default(), Sink::default());
    let outlets: Outlets<'_> = (Box::new(out.clone()), Box::new(err.clone()));
    let exit = run_into(outlets, line, typing(typed), terminal, has_home);
    Ran {
        exit,
        out: out.text(),
        err: err.text(),
    }
}

/// Where answers and complaints go.
type Outlets<'a> = (Box<dyn Write + 'a>, Box<dyn Write + 'a>);

/// Takes nothing: a reader that has gone, as `head` does, or a disk that is full.
struct Shut(io::ErrorKind);

impl Write for Shut {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

/// Runs a command line whose answers nobody reads.
pub fn adit_unread(line: &str, typed: &str) -> Exit {
    let gone = Shut(io::ErrorKind::BrokenPipe);
    let outlets: Outlets<'_> = (Box::new(gone), Box::new(Sink::default()));
    run_into(outlets, line, typing(typed), None, true)
}

/// Runs a command line whose answers have no room.
pub fn adit_to_a_full_disk(line: &str) -> Ran {
    let (full, err) = (Shut(io::ErrorKind::StorageFull), Sink::default());
    let outlets: Outlets<'_> = (Box::new(full), Box::new(err.clone()));
    let exit = run_into(outlets, line, typing(""), None, true);
    Ran {
        exit,
        out: String::new(),
        err: err.text(),
    }
}

fn run_into(
    outlets: Outlets<'_>,
    line: &str,
    input: Box<dyn BufRead + '_>,
    terminal: Option<(usize, usize)>,
    has_home: bool,
) -> Exit {
    run_editing(outlets, line, (input, None), terminal, has_home)
}

/// Runs a command line at a terminal that has the second size when a person is asked the first time, and then types these lines.
pub fn adit_resized(sizes: [(usize, usize); 2], line: &str, typed: &str) -> Ran {
    let (out, err) = (Sink::default(), Sink::default());
    let outlets: Outlets<'_> = (Box::new(out.clone()), Box::new(err.clone()));
    let mut lines = typed.lines();
    let edit = |_: u32, _: &str, _: Vec<String>| {
        if SIZE.get() != Some(sizes[1]) {
            SIZE.set(Some(sizes[1]));
            return Ok(Typed::Resized);
        }
        let line = lines.next().map(str::to_owned);
        Ok(line.map_or(Typed::Gone, Typed::Line))
    };
    let input = (typing(""), Some(Box::new(edit) as Edit<'_>));
    let exit = run_editing(outlets, line, input, Some(sizes[0]), true);
    SIZE.set(None);
    Ran {
        exit,
        out: out.text(),
        err: err.text(),
    }
}

fn run_editing<'a>(
    (out, err): Outlets<'a>,
    line: &str,
    (input, edit): (Box<dyn BufRead + 'a>, Option<Edit<'a>>),
    terminal: Option<(usize, usize)>,
    has_home: bool,
) -> Exit {
    let mut env = HashMap::new();
    if has_home {
        env.insert("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR").to_owned());
    }
    if let Some((columns, lines)) = terminal {
        env.insert("COLUMNS", columns.to_string());
        env.insert("LINES", lines.to_string());
    }
    let host = Host {
        out,
        err,
        input,
        edit,
        out_is_terminal: terminal.is_some(),
        err_is_terminal: terminal.is_some(),
        in_is_terminal: terminal.is_some(),
        env: Box::new(move |name| match (name, SIZE.get()) {
            ("COLUMNS", Some((columns, _))) => Some(columns.to_string()),
            ("LINES", Some((_, lines))) => Some(lines.to_string()),
            _ => env.get(name).cloned(),
        }),
        // A clock that goes on whenever it is looked at ends every measurement.
        processor_time: Box::new({
            let looks = Cell::new(0);
            move || Duration::from_millis(100 * looks.replace(looks.get() + 1))
        }),
        now: Box::new(|| SystemTime::UNIX_EPOCH + Duration::from_secs(NOW.get())),
        is_stopped: Box::new({
            let looks = Cell::new(0);
            move || {
                looks.set(looks.get() + 1);
                STOPS_AFTER.get().is_some_and(|most| looks.get() > most)
            }
        }),
        forget_stop: Box::new(|| STOPS_AFTER.set(None)),
    };
    cli::run(words(line).into_iter().map(Into::into), host)
}

thread_local! {
    /// What the terminal has become.
    static SIZE: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
    static STOPS_AFTER: Cell<Option<usize>> = const { Cell::new(None) };
    /// The seconds since 1970.
    static NOW: Cell<u64> = const { Cell::new(1_000_000_000) };
}

/// Runs a command line so many seconds after 1970 began.
pub fn adit_when(seconds: u64, line: &str) -> Ran {
    let before = NOW.replace(seconds);
    let ran = adit(line);
    NOW.set(before);
    ran
}

/// Runs a command line; somebody asks to stop when it has looked so often whether anybody does.
pub fn adit_stopped(after: usize, line: &str) -> Ran {
    STOPS_AFTER.set(Some(after));
    let ran = adit(line);
    STOPS_AFTER.set(None);
    ran
}

fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::from("adit")];
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Keeps what a command prints with the command.
pub fn keep(folder: &str, name: &str, command: &str) {
    let ran = adit(command);
    let text = format!("$ adit {command}\n{}{}[{:?}]\n", ran.out, ran.err, ran.exit);
    crate::fixtures::snapshot(folder, name, &text);
}

#[test]
fn the_reference_of_the_commands_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let text = cli::reference();
    if std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
        std::fs::write(&path, &text).expect("docs/cli.md can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        written, text,
        "INSTA_UPDATE=always cargo test --test it command writes it"
    );
}

#[test]
fn misuse_ends_with_two_and_says_so_on_the_other_stream() {
    let ran = adit("explain --what");
    assert_eq!((ran.exit, ran.out.as_str()), (Exit::Failure, ""));
    assert!(ran.err.contains("--what"), "{}", ran.err);
}

#[test]
fn explain_prints_the_page_of_a_code() {
    let ran = adit("explain other-rules");
    assert_eq!(ran.exit, Exit::Yes);
    assert!(ran.out.starts_with("# J0906 other-rules\n"), "{}", ran.out);
}

#[test]
fn an_unknown_code_names_the_nearest() {
    let ran = adit("explain other-ruels");
    ran.complains(Exit::Failure, "did you mean `other-rules`");
}

#[test]
fn games_lists_each_game_with_its_amendments() {
    let ran = adit("games");
    ran.says(Exit::Yes, "tunnels  Tunnels\n  Two players dig");
}

#[test]
fn an_unknown_game_names_the_nearest() {
    let ran = adit("legal tunels");
    ran.complains(Exit::Failure, "did you mean `tunnels`");
}
