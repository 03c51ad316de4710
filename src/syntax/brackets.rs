//! Brackets that are not closed, or close nothing.

use super::tokens::Token;
use super::unexpected::Stopped;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;

impl<'t> Stopped<'t> {
    pub(super) fn at_a_bracket(&self) -> Option<Diagnostic> {
        let (open, closing) = self.brackets();
        if let Some(token) = closing {
            return Some(match open {
                Some(open) => self.unclosed(open, Some(token)),
                None => self.unopened(token),
            });
        }
        let is_over = self.at >= self.tokens.len();
        open.filter(|_| is_over)
            .map(|open| self.unclosed(open, None))
    }

    /// Returns the bracket that is probably not closed, and the closing bracket at the place of the
    /// failure if it does not fit.
    pub(super) fn brackets(&self) -> (Option<&'t Token<'t>>, Option<&'t Token<'t>>) {
        let mut open: Vec<(&Token<'_>, usize)> = Vec::new();
        let mut suspect = None;
        let mut indent = 0;
        for (at, token) in self.tokens.iter().enumerate().take(self.at + 1) {
            if token.first_of_line {
                let before = self.failure.text.get(..token.start).unwrap_or("");
                indent = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
            }
            let opening = match token.text {
                "{" | "(" | "[" if at < self.at => {
                    open.push((token, indent));
                    continue;
                }
                "}" => "{",
                ")" => "(",
                "]" => "[",
                _ => continue,
            };
            let last = open.last().copied();
            if at == self.at && last.is_none_or(|(last, _)| last.text != opening) {
                return (last.map(|(last, _)| last), Some(token));
            }
            // A closing bracket under the beginning of another line than its own: trust the columns.
            if let Some((last, last_indent)) = last
                && token.first_of_line
                && last_indent > indent
            {
                suspect = suspect.or(Some(last));
            }
            open.pop();
        }
        (
            suspect
                .or(open.last().map(|(last, _)| *last))
                .filter(|_| !open.is_empty()),
            None,
        )
    }

    pub(super) fn unclosed(&self, open: &Token<'_>, closing: Option<&Token<'_>>) -> Diagnostic {
        let sign = match open.text {
            "{" => "}",
            "(" => ")",
            _ => "]",
        };
        let finding = self.finding(
            codes::UNCLOSED_BRACKET,
            open,
            format!("`{}` is not closed", open.text),
        );
        let finding = match closing {
            Some(token) => {
                finding.label(self.span(token), format!("`{sign}` is needed before this"))
            }
            None => {
                let end = self.tokens.last().map_or(self.failure.place, Token::end);
                finding.label(Span::new(self.failure.file, end, end), "the item ends here")
            }
        };
        finding.help(format!("write `{sign}` where it ends"))
    }

    pub(super) fn unopened(&self, token: &Token<'_>) -> Diagnostic {
        let message = format!("`{}` closes nothing", token.text);
        self.finding(codes::UNOPENED_BRACKET, token, message)
            .help("remove it, or open the bracket before")
    }
}
