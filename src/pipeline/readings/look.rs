//! One look at rules other than those chosen.

use super::super::Settings;
use crate::check::check;
use crate::compose::{Composed, compose};
use crate::diagnostic::{Diagnostic, Severity, codes};
use crate::source::FileId;
use crate::syntax::ast::{self, ItemKind};

/// Rules other than those chosen.
pub(super) struct Look {
    pub(super) which: Which,
    /// How they are called where something is told of them.
    pub(super) place: String,
    pub(super) set: Settings,
    /// The files that ask the questions.
    pub(super) homes: Option<Vec<FileId>>,
}

/// What is to be found out of rules.
pub(super) enum Which {
    /// Whether they are sound at a table of so many.
    Table {
        count: u32,
        /// Whether a ruling speaks of it.
        is_named: bool,
    },
    /// Whether they are sound under other answers.
    Reading,
    /// The same under the first or the last value of an option.
    Value,
    /// The same, where a ruling speaks of just these.
    Named,
    /// Whether the edits of two answers fit together.
    Pair,
}

impl Look {
    pub(super) fn under(
        which: Which,
        title: &str,
        set: Settings,
        homes: Option<Vec<FileId>>,
    ) -> Look {
        let place = format!("under `{title}`");
        Look {
            which,
            place,
            set,
            homes,
        }
    }

    /// Returns what is wrong with them. `composed` are the rules that were chosen.
    pub(super) fn look(
        &self,
        files: &[ast::File],
        composed: &Composed,
        seats: Option<u32>,
    ) -> Vec<Diagnostic> {
        let in_ruling = |it: &Diagnostic| {
            let mut items = files.iter().flat_map(|file| &file.items);
            let is_in =
                |at| items.any(|it| matches!(it.kind, ItemKind::Ruling(_)) && it.span.holds(at));
            it.span().is_some_and(is_in)
        };
        if let Which::Table { count, is_named } = self.which {
            let mut said = check(composed, &self.set, Some(count)).1;
            // What never holds among two may hold among three, and nobody wrote its rulings for these.
            said.retain(|it| is_named || it.is_error() && !in_ruling(it));
            return said;
        }
        let Some((base, amendments)) = files.split_first() else {
            return Vec::new();
        };
        let amendments: Vec<&ast::File> = amendments.iter().collect();
        let (composed, mut said) = compose(base, &amendments, &self.set);
        // What `excludes` keeps apart is never played.
        if said.iter().any(|it| it.code == codes::EXCLUDED_AMENDMENT) {
            return Vec::new();
        }
        if let Which::Pair = self.which {
            said.retain(|it| it.severity == Severity::Error);
            return said;
        }
        if let Some(composed) = composed {
            said.extend(check(&composed, &self.set, seats).1);
        }
        // Rulings are of the rules as they stand: what they expect may be otherwise under others.
        if let Which::Reading | Which::Value = self.which {
            said.retain(|it| it.is_error() || !in_ruling(it));
        }
        // At the end of its range a value may well decide what it is compared with.
        if let Which::Value = self.which {
            said.retain(|it| it.code != codes::NEVER_HOLDS);
        }
        said
    }
}
