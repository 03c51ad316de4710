//! `forbid`, `permit` and `except`.

use super::Checker;

impl Checker<'_> {
    pub(super) fn check_guards(&mut self) {}
}
