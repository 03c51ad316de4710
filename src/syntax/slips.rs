//! What is written as one says it, or as other languages have it, and stops the reading only later.

use super::tokens::{Token, TokenKind};
use super::unexpected::Stopped;
use crate::diagnostic::{Diagnostic, codes};

/// What begins a statement or a condition behind which `is` may stand.
const ASKING: [&str; 9] = [
    "if", "while", "until", "where", "when", "and", "or", "not", "require",
];

impl<'t> Stopped<'t> {
    fn back(&self, n: usize) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at.checked_sub(n)?)
    }

    /// Finds a frequent slip that ends where nothing fitted.
    pub(super) fn at_a_slip(&self) -> Option<Diagnostic> {
        let found = self.tokens.get(self.at);
        let text = found.map_or("", |it| it.text);
        let say = |token: &Token<'_>, message: &str, help: &str| {
            let finding = self.finding(codes::UNEXPECTED_TEXT, token, message);
            Some(finding.help(help))
        };
        if let Some(is) = self.asked_with_is() {
            return say(
                is,
                "conditions have no `is`",
                "write `empty hand[me]` or `filled hand[me]` to ask whether something lies there, `x == y` to compare",
            );
        }
        if let Some(word) = self.repeated_while() {
            return say(
                word,
                "`repeat` has no `while`",
                "write `repeat { … } until P`, which ends when P is true, or `while P { … }`, which asks before",
            );
        }
        if let Some(most) = self.most_of_a_kind() {
            let message = format!("`{}` needs braces, and `by` in them", most.text);
            let help = format!(
                "write `{} {{ s in seat by points[s] }}`, which are all that are equal; `first(…)` is one of them",
                most.text
            );
            return say(most, &message, &help);
        }
        if text == "," && self.draws_by_chance() {
            return say(
                found?,
                "chance gives one value at a time",
                "write it twice: `choose chance n in 1..6  choose chance m in 1..6`",
            );
        }
        if text == "in" && self.back(2).is_some_and(|it| it.text == ":") && self.in_parentheses() {
            return say(
                found?,
                "what is chosen is given a kind or a set, not both",
                "write only the set, it says the kind too: `c in hand[me]`",
            );
        }
        if self.back(2).is_some_and(|it| it.text == ":")
            && let Some(slot) = self.back(1).filter(|it| matches!(it.text, "once" | "many"))
        {
            return say(
                slot,
                "a slot of a window stands in braces",
                "write `add choice to WINDOW { once NAME: ACTION }`",
            );
        }
        if text == "given" && self.begun_before() {
            return say(
                found?,
                "a position has one `given`",
                "what is added to it stands in its braces: `given NAME { … }`",
            );
        }
        if text == "when" && self.offers() {
            let found = found?;
            let finding = self.finding(
                codes::UNEXPECTED_TEXT,
                found,
                "what is offered only sometimes says so with `where`",
            );
            return Some(
                finding
                    .help("write `where`: `choose me: buy where coins[me] > 3 | sell`")
                    .fix("write `where`", self.edit(found, "where")),
            );
        }
        None
    }

    /// `given far { … } given { … }`: whether a `given` stands before in the same braces.
    fn begun_before(&self) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default();
        let mut depth = 0_i32;
        let mut around = before.iter().rev().take_while(|it| {
            depth += i32::from(it.text == "}") - i32::from(it.text == "{");
            depth >= 0
        });
        // In braces that are closed again it is another one's.
        let mut inner = 0_i32;
        around.any(|it| {
            inner += i32::from(it.text == "}") - i32::from(it.text == "{");
            inner == 0 && it.text == "given"
        })
    }

    /// `if hand[me] is empty { … }`: what follows `is` was read as a set, and something else is missing.
    fn asked_with_is(&self) -> Option<&'t Token<'t>> {
        let before = self
            .tokens
            .get(..=self.at.min(self.tokens.len().checked_sub(1)?))?;
        let is = before.iter().rposition(|it| it.text == "is")?;
        let is_word = |it: &&Token<'_>| it.kind == TokenKind::Word || matches!(it.text, "]" | ")");
        let since = before.get(..is)?;
        let asks = since
            .iter()
            .rev()
            .find(|it| ASKING.contains(&it.text) || matches!(it.text, "{" | "}"));
        let asks = asks.is_some_and(|it| ASKING.contains(&it.text));
        let joins = since
            .last()
            .filter(is_word)
            .is_some_and(|it| !ASKING.contains(&it.text))
            && self
                .tokens
                .get(is + 1)
                .is_some_and(|it| it.kind != TokenKind::Sign);
        before.get(is).filter(|_| asks && joins)
    }

    /// `repeat { … } while P`.
    fn repeated_while(&self) -> Option<&'t Token<'t>> {
        let before = self.tokens.get(..self.at)?;
        let at = before.iter().rposition(|it| it.text == "while")?;
        if before.get(at..)?.iter().any(|it| it.text == "{") {
            return None;
        }
        let mut depth = 0_i32;
        let open = before.get(..at)?.iter().rposition(|it| {
            depth += i32::from(it.text == "}") - i32::from(it.text == "{");
            depth <= 0
        })?;
        let repeat = before.get(open.checked_sub(1)?)?;
        let is_block = before.get(open).is_some_and(|it| it.text == "{");
        before
            .get(at)
            .filter(|_| is_block && repeat.text == "repeat")
    }

    /// `most seat by points`.
    fn most_of_a_kind(&self) -> Option<&'t Token<'t>> {
        let before = self
            .tokens
            .get(..=self.at.min(self.tokens.len().checked_sub(1)?))?;
        let by = before.iter().rposition(|it| it.text == "by")?;
        let most = before.get(by.checked_sub(2)?)?;
        let kind = before.get(by - 1)?;
        let is_ranked = before
            .get(..by)?
            .iter()
            .rev()
            .take(3)
            .any(|it| it.text == "ranking");
        let is_it = matches!(most.text, "most" | "least") && kind.kind == TokenKind::Word;
        (is_it && !is_ranked && self.at <= by + 6).then_some(most)
    }

    /// `choose chance n in 1..6, …`.
    fn draws_by_chance(&self) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default();
        let since = before.iter().rposition(|it| it.text == "choose");
        let since = since.and_then(|at| before.get(at..)).unwrap_or_default();
        let of_chance = since.get(1).is_some_and(|it| it.text == "chance");
        of_chance && !since.iter().any(|it| matches!(it.text, "{" | "}" | "("))
    }

    fn in_parentheses(&self) -> bool {
        self.brackets().0.is_some_and(|it| it.text == "(")
    }

    /// Whether an alternative has just been offered.
    fn offers(&self) -> bool {
        let before = self.tokens.get(..self.at).unwrap_or_default();
        let since = before
            .iter()
            .rposition(|it| matches!(it.text, "choose" | "|" | "do" | "="));
        let since = since.and_then(|at| before.get(at..)).unwrap_or_default();
        let is_offer = since
            .first()
            .is_some_and(|it| matches!(it.text, "choose" | "|"));
        is_offer
            && self
                .back(1)
                .is_some_and(|it| matches!(it.text, ")" | "}") || it.kind != TokenKind::Sign)
    }
}
