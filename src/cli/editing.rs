//! A line that a person edits at a terminal: arrows, what was typed before, and words that Tab completes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::play::completed;

/// Reads a line of a seat behind a prompt, where these names can be typed; none where the person goes away.
pub type Edit<'a> = Box<dyn FnMut(u32, &str, Vec<String>) -> io::Result<Option<String>> + 'a>;

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
            match editor.readline(prompt) {
                Ok(line) => {
                    editor
                        .add_history_entry(line.as_str())
                        .map_err(io::Error::other)?;
                    return Ok(Some(line));
                }
                // Ctrl-C drops what was typed, and leaves where that is nothing.
                Err(ReadlineError::Interrupted) if editor.helper().is_some_and(Names::is_begun) => {
                }
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(None),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }))
}

impl Names {
    /// Whether something is typed; what was is forgotten.
    fn is_begun(&self) -> bool {
        !self.typed.take().is_empty()
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
