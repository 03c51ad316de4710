//! Rulings.

use super::Checker;

impl Checker<'_> {
    pub(super) fn rulings(&mut self) {}
}
