//! The canonical form: a text of nested parentheses (see `compose/canon.rs`).

use std::fmt::Write;

use super::{Number, Role, Text, Tree, Writer};

/// A text that grows.
#[derive(Default)]
pub struct Canon {
    out: String,
    depth: usize,
    deepest: usize,
}

impl Canon {
    /// Returns what is written.
    pub fn into_text(self) -> String {
        self.out
    }

    /// Returns how long it is.
    pub fn length(&self) -> usize {
        self.out.len()
    }

    /// Returns how deep its parentheses nest.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Writes a node with its parts.
    pub fn node(&mut self, tag: &str, parts: &[&dyn Tree]) {
        self.begin(tag);
        parts.iter().for_each(|part| self.part(*part));
        self.end();
    }

    /// Begins a node.
    pub(super) fn begin(&mut self, tag: &str) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.out.push('(');
        self.out.push_str(tag);
    }

    /// Writes a part of a node; of one that leaves nothing, nothing.
    pub(super) fn part(&mut self, part: &dyn Tree) {
        self.behind(" ", part);
    }

    /// Ends a node.
    pub(super) fn end(&mut self) {
        self.out.push(')');
        self.depth -= 1;
    }

    /// Writes a node into a line of its own; nothing if it leaves nothing to write.
    pub fn line(&mut self, part: &dyn Tree) {
        self.behind("\n", part);
    }

    fn behind(&mut self, gap: &str, part: &dyn Tree) {
        let before = self.out.len();
        self.out.push_str(gap);
        part.canon(self);
        if self.out.len() == before + gap.len() {
            self.out.truncate(before);
        }
    }

    /// Writes a list.
    pub(super) fn list<T: Tree>(&mut self, parts: &[T]) {
        self.word("[");
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.word(" ");
            }
            part.canon(self);
        }
        self.word("]");
    }

    /// Writes a word.
    pub fn word(&mut self, word: &str) {
        self.out.push_str(word);
    }

    fn text(&mut self, text: &str) {
        // Escapes keep a quote in a text from ending it.
        self.out.push('"');
        for char in text.chars() {
            match char {
                '"' | '\\' => self.out.extend(['\\', char]),
                '\n' => self.out.push_str("\\n"),
                other => self.out.push(other),
            }
        }
        self.out.push('"');
    }
}

impl Tree for bool {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word(if *self { "true" } else { "false" });
    }

    fn is_there(&self) -> bool {
        *self
    }

    fn canon(&self, canon: &mut Canon) {
        canon.word(if *self { "true" } else { "false" });
    }
}

impl Tree for i32 {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word(&self.to_string());
    }

    fn canon(&self, canon: &mut Canon) {
        // Writing into a string cannot fail.
        let _ = write!(canon.out, "{self}");
    }
}

impl Tree for Number {
    fn canon(&self, canon: &mut Canon) {
        self.value.canon(canon);
    }
}

impl Tree for Text {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word("\"");
        w.text(&self.text);
        w.word("\"");
    }

    fn canon(&self, canon: &mut Canon) {
        canon.text(&self.text);
    }
}

impl Tree for String {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.text(self);
    }

    fn canon(&self, canon: &mut Canon) {
        canon.text(self);
    }
}
