//! What is kept from one look at a rulebook to the next, while somebody writes it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::{ast, parse};

/// So many files that were read are kept; the largest rulebook with its amendments has fewer.
const MOST_READ: usize = 16;

/// What is kept.
#[derive(Debug, Default)]
pub struct Memory {
    /// The last texts that could be read, by their paths.
    former: BTreeMap<String, Arc<str>>,
    /// The files that were read last, the latest first.
    read: Mutex<VecDeque<Read>>,
}

/// A file as it was read.
#[derive(Clone, Debug)]
struct Read {
    text: String,
    file: ast::File,
    found: Vec<Diagnostic>,
}

impl Memory {
    /// Keeps a text that could be read.
    pub fn keep(&mut self, path: &str, text: &str) {
        if self.former(path).is_none_or(|it| **it != *text) {
            self.former.insert(path.to_owned(), Arc::from(text));
        }
    }

    /// Forgets the text of a file.
    pub fn forget(&mut self, path: &str) {
        self.former.remove(path);
    }

    pub(super) fn former(&self, path: &str) -> Option<&Arc<str>> {
        self.former.get(path)
    }

    /// Reads a text, if it is not one of those that were read last under this number.
    pub(super) fn parse(&self, file: FileId, text: &str) -> (ast::File, Vec<Diagnostic>) {
        let is_it = |it: &Read| it.file.file == file && it.text == text;
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let known = read.iter().position(is_it);
        let it = known.and_then(|at| read.remove(at)).unwrap_or_else(|| {
            let (file, found) = parse(file, text);
            let text = text.to_owned();
            Read { text, file, found }
        });
        let both = (it.file.clone(), it.found.clone());
        read.push_front(it);
        read.truncate(MOST_READ);
        both
    }
}
