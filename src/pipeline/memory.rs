//! What is kept from one look at a rulebook to the next: while somebody writes it, and where many are looked at that stand on the same.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::{Items, ast, parse_after};

/// So many files that were read are kept; the largest rulebook with its amendments has fewer.
const MOST_READ: usize = 32;

/// So many texts of one file are among them.
const MOST_TEXTS: usize = 3;

/// What is kept.
#[derive(Debug, Default)]
pub struct Memory {
    /// The last texts that could be read, by their paths.
    former: BTreeMap<String, Arc<str>>,
    /// The files that were read last, the latest first.
    read: Mutex<VecDeque<Arc<Read>>>,
    /// Of each file, the items of the text that was read last.
    items: Mutex<BTreeMap<FileId, Items>>,
}

/// A file as it was read.
#[derive(Debug)]
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
        let is_it = |it: &Arc<Read>| it.file.file == file && it.text == text;
        let taken = {
            let mut read = locked(&self.read);
            let known = read.iter().position(is_it);
            known.and_then(|at| read.remove(at))
        };
        // Others may read meanwhile.
        let it = taken.unwrap_or_else(|| {
            let mut items = locked(&self.items).remove(&file).unwrap_or_default();
            let (tree, found) = parse_after(file, text, &mut items);
            locked(&self.items).insert(file, items);
            let text = text.to_owned();
            Arc::new(Read {
                text,
                file: tree,
                found,
            })
        });
        let mut read = locked(&self.read);
        read.push_front(Arc::clone(&it));
        let mut n_texts = 0;
        read.retain(|it| {
            n_texts += usize::from(it.file.file == file);
            it.file.file != file || n_texts <= MOST_TEXTS
        });
        read.truncate(MOST_READ);
        drop(read);
        (it.file.clone(), it.found.clone())
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
