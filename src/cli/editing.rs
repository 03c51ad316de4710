//! A line that a person edits at a terminal: arrows, what was typed before, and words that Tab completes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::{thread, time::Duration};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

#[cfg(unix)]
use terminal_size::terminal_size;

use crate::play::completed;

/// What a person did at a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// It typed a line.
    Line(String),
    /// It went away.
    Gone,
    /// It made the terminal larger or smaller; what was typed so far comes back when it is asked again.
    Resized,
}

/// Reads a line of a seat behind a prompt, where these names can be typed.
pub type Edit<'a> = Box<dyn FnMut(u32, &str, Vec<String>) -> io::Result<Typed> + 'a>;

/// How long nobody looks whether the terminal has another size.
#[cfg(unix)]
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// Whether the next interrupt only says that the terminal has another size.
static IS_RESIZED: AtomicBool = AtomicBool::new(false);

/// Whether an interrupt came from here and not from a person.
pub(super) fn is_own_interrupt() -> bool {
    IS_RESIZED.swap(false, Ordering::SeqCst)
}

/// What can be typed, and what is so far.
struct Names {
    all: Vec<String>,
    typed: RefCell<String>,
}

/// Returns what edits lines at the terminal of this program; none where that cannot be done.
pub fn at_terminal() -> Option<Edit<'static>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .build();
    // What somebody typed is nobody else's business at a table where people take turns.
    let mut editors: HashMap<u32, Editor<Names, MemHistory>> = HashMap::new();
    let mut begun = String::new();
    Some(Box::new(move |seat, prompt, names| {
        let editor = match editors.entry(seat) {
            Entry::Occupied(editor) => editor.into_mut(),
            Entry::Vacant(none) => {
                let history = MemHistory::with_config(&config);
                let made = Editor::with_history(config.clone(), history);
                none.insert(made.map_err(io::Error::other)?)
            }
        };
        let all = names;
        let typed = RefCell::default();
        editor.set_helper(Some(Names { all, typed }));
        loop {
            let typed = std::mem::take(&mut begun);
            match watched(|| editor.readline_with_initial(prompt, (&typed, ""))) {
                Ok(line) => {
                    editor
                        .add_history_entry(line.as_str())
                        .map_err(io::Error::other)?;
                    return Ok(Typed::Line(line));
                }
                Err(ReadlineError::Interrupted) if is_own_interrupt() => {
                    begun = editor.helper().map_or_else(String::new, Names::taken);
                    return Ok(Typed::Resized);
                }
                // Ctrl-C drops what was typed, and leaves where that is nothing.
                Err(ReadlineError::Interrupted) if editor.helper().is_some_and(Names::is_begun) => {
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(Typed::Gone),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }))
}

/// Reads a line, and interrupts that when the terminal gets another size: an editor itself draws no more than its own line anew.
#[cfg(unix)]
fn watched<T>(read: impl FnOnce() -> T) -> T {
    use rustix::process::{Signal, getpid, kill_process};
    let size = terminal_size();
    let is_read = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = || {
            while !is_read.load(Ordering::SeqCst) {
                thread::park_timeout(BETWEEN_LOOKS);
                if terminal_size() != size && !is_read.load(Ordering::SeqCst) {
                    IS_RESIZED.store(true, Ordering::SeqCst);
                    // The editor hears of it as of Ctrl-C; where it has ended meanwhile whoever listens for that asks whose it is.
                    let _ = kill_process(getpid(), Signal::INT);
                    return;
                }
            }
        };
        let watcher = scope.spawn(watch);
        let line = read();
        is_read.store(true, Ordering::SeqCst);
        watcher.thread().unpark();
        line
    })
}

#[cfg(not(unix))]
fn watched<T>(read: impl FnOnce() -> T) -> T {
    read()
}

impl Names {
    /// Whether something is typed; what was is forgotten.
    fn is_begun(&self) -> bool {
        !self.taken().is_empty()
    }

    /// What is typed; it is forgotten.
    fn taken(&self) -> String {
        self.typed.take()
    }
}

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let start = typed.rfind(' ').map_or(0, |at| at + 1);
        Ok((start, completed(&self.all, typed)))
    }
}

impl Hinter for Names {
    type Hint = String;

    /// Asked after each key, so it notes what stands there.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.typed.replace(line.to_owned());
        None
    }
}

impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}
