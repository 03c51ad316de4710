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
        NO_TRANSCRIPT "J0901" "no-transcript" Error "the text is not a transcript of a game";
        BAD_HEADER "J0902" "bad-header" Error "the first line of a transcript is not whole";
        OTHER_FORMAT "J0903" "other-format" Error "a transcript has a format that is not read";
        BAD_RECORD "J0904" "bad-record" Error "a line of a transcript is no record";
        TORN_LINE "J0905" "torn-line" Error "the last line of a transcript has no end";
        OTHER_RULES "J0906" "other-rules" Error "a transcript was played under other rules";
        OTHER_OUTCOME "J0907" "other-outcome" Error "chance gives something else than a transcript says";
        OTHER_SEAT "J0908" "other-seat" Error "another seat has to choose than a transcript says";
        ILLEGAL_MOVE "J0909" "illegal-move" Error "a clause forbids the move";
        NO_RULE "J0910" "no-rule" Error "no rule offers the move now";
        NO_SUCH_THING "J0911" "no-such-thing" Error "a move names something that does not exist";
        AMBIGUOUS_MOVE "J0912" "ambiguous-move" Error "a typed move can mean several";
        UNFINISHED "J0913" "unfinished" Error "a transcript ends before its game does";
        BEYOND_THE_END "J0914" "beyond-the-end" Error "a transcript goes on after its game has ended";
        OTHER_SPELLING "J0915" "other-spelling" Error "a line of a transcript is not as the program writes it";
        OTHER_RESULT "J0916" "other-result" Error "a game ends otherwise than a transcript says";
        UNDO_REFUSED "J0917" "undo-refused" Error "a choice cannot be taken back";
        VIEW_ONLY "J0918" "view-only" Error "the view of one seat cannot be replayed";
        NO_CHOICE "J0919" "no-choice" Error "nobody has to choose in this position";
        UNKNOWN_GAME "J0920" "unknown-game" Error "no rulebook has this name";
        UNKNOWN_AMENDMENT "J0921" "unknown-amendment" Error "no amendment has this name";
        UNKNOWN_SETTING "J0922" "unknown-setting" Error "the rulebook has no such option or question";
        UNKNOWN_VALUE "J0923" "unknown-value" Error "an option or question has no such value";
        UNREADABLE_FILE "J0924" "unreadable-file" Error "a file cannot be read";
        UNWRITABLE_FILE "J0925" "unwritable-file" Error "a file cannot be written";
        BAD_SEATS "J0926" "bad-seats" Error "the seats asked for do not fit the game";
        UNKNOWN_RULING "J0927" "unknown-ruling" Error "the rulebook has no such ruling";
        UNKNOWN_CODE "J0928" "unknown-code" Error "no finding has this code";

        // ---------- L1xx lints
    }
}

pub use table::*;
