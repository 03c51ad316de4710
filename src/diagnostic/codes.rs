//! The table of codes. Adding one is one line here and one page `docs/codes/CODE.md`.

use std::fmt;
use std::hash::{Hash, Hasher};

use super::Severity;

/// A stable code with its name and meaning: `E0101 unexpected-text`.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

struct Entry {
    id: &'static str,
    name: &'static str,
    severity: Severity,
    meaning: &'static str,
}

impl Code {
    /// Returns the letter and number: `E0101`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the name in words: `unexpected-text`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns how much findings of this kind matter.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// Returns one sentence that says what the code stands for.
    pub fn meaning(self) -> &'static str {
        self.0.meaning
    }

    /// Returns the code with this id or name.
    pub fn find(id_or_name: &str) -> Option<Code> {
        let is_it =
            |code: &Code| code.id().eq_ignore_ascii_case(id_or_name) || code.name() == id_or_name;
        ALL.iter().copied().find(is_it)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> std::cmp::Ordering {
        self.id().cmp(other.id())
    }
}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id(), self.name())
    }
}

macro_rules! codes {
    ($($constant:ident $id:literal $name:literal $severity:ident $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $constant: Code = Code(&Entry {
                id: $id, name: $name, severity: Severity::$severity, meaning: $meaning,
            });
        )*
        /// Every code, ascending.
        pub const ALL: &[Code] = &[$($constant),*];
    };
}

// Keep each family in ascending order; leave the blank lines, they keep changes of different families apart.
#[rustfmt::skip]
mod table {
    use super::{Code, Entry, Severity};

    codes! {
        // ---------- E01xx syntax
        UNEXPECTED_TEXT "E0101" "unexpected-text" Error "what is written does not follow the grammar";

        // ---------- E02xx composition of amendments

        // ---------- E03xx names

        // ---------- E04xx types

        // ---------- E05xx domains, sizes, limits

        // ---------- E06xx effects, choices, visibility, recursion

        // ---------- E07xx structure of a rulebook

        // ---------- F08xx faults while running

        // ---------- J09xx journals, transcripts, typed moves

        // ---------- L1xx lints
    }
}

pub use table::*;
