//! How much there may be of anything; the reference of the language lists it.

/// A bound that a rulebook or a game can meet.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The greatest number that is allowed.
    pub most: u64,
    /// What it bounds, with `{}` for the number.
    pub sentence: &'static str,
}

macro_rules! limits {
    ($($(#[doc = $why:literal])* $name:ident: $ty:ty = $most:expr, $sentence:literal;)*) => {
        $(#[doc = $sentence] #[doc = ""] $(#[doc = $why])* pub const $name: $ty = $most;)*

        /// All of them, in the order in which they are told.
        pub const LIMITS: &[Limit] = &[$(Limit { most: $most, sentence: $sentence }),*];
    };
}

limits! {
    MAX_TEXT: usize = 1 << 20, "A file has at most {} bytes.";
    MAX_DEPTH: usize = 100, "Brackets nest at most {} deep.";
    /// Everything that walks a syntax tree by recursion relies on it.
    MAX_LEVELS: usize = 1_000, "One expression has at most {} operators, or `else if`, in a row.";
    /// Eighteen digits, so that a sum of two never leaves 64 bits.
    MOST_NUMBER: i64 = 999_999_999_999_999_999, "A number that is written is at most 2,147,483,647, one that is worked out {}, with or without a sign.";
    MOST_SEATS: i32 = 64, "A game has at most {} seats.";
    MOST_ELEMENTS: u64 = 65_536, "What is run through, stands in brackets or is chosen has at most {} values: the places of a \
        space, the kinds of a component, a range.";
    MOST_IN_FIELD: u64 = 16, "A field that is a set is one of at most {} values.";
    MOST_COPIES: i64 = 10_000, "`supply` lays at most {} things of a kind.";
    MOST_DRAWN: usize = 400, "A drawing has at most {} lines, each of at most as many signs.";
    MOST_SPOTS: u64 = 4_096, "A zone that is drawn as a whole has at most {} places.";
    MOST_NAMED: usize = 1_000, "A line of a ruling names at most {} moves by what it draws.";
    MOST_CHOSEN: i64 = 16, "At most {} members are chosen together.";
    MOST_ALTERNATIVES: usize = 256, "A choice has at most {} alternatives, a block of its own or an action each.";
    MOST_CASES: i64 = 1_000, "A case of `by` stands for at most {} numbers.";
    MOST_SLOTS: usize = 64, "A window has at most {} slots.";
    MOST_MOVES: usize = 1 << 17, "At one choice at most {} moves are legal.";
    MOST_LOCALS: usize = 4_000, "At one place at most {} names are known.";
    /// Each level is code of its own.
    MOST_RECURSION: u32 = 10_000, "A `depth` is at most {}.";
    MOST_SHEET_LINES: u64 = 64, "A score sheet has at most {} lines.";
    MOST_SPANNED: u32 = 5_000, "A citation spans at most {} sentences.";
    MOST_CITED: usize = 500_000, "All citations together name at most {} sentences.";
    /// Composing takes time in proportion to their number times the length of the rules.
    MOST_EDITS: usize = 2_000, "At most {} edits are used at a time.";
    MOST_SCENES: usize = 1_000, "A ruling repeats at most {} times in all.";
    /// Work that one answer may take before it is a fault, in operations.
    ///
    /// It is paid where code can come back to an operation: a jump backwards pays for the way that it goes
    /// back, a call for the length of what it calls. What is not done of that is paid all the same, so no
    /// stretch of code has to count. Primitives that go through many words pay for these.
    FUEL: u64 = 500_000_000, "From one choice to the next at most {} steps of work are done: a loop that never ends is stopped, with \
        the place where it turns.";
}
