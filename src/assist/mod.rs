//! What helps somebody who writes a rulebook: where names come from and go to, and what can be said of them.
//!
//! The index is made from the files as they were read, so it has what edits replace and what readings that are not
//! chosen bring, and a broken item hides no other. Where the words alone do not tell what is meant, what the checker
//! found out does.

mod amended;
mod complete;
mod declared;
mod hover;
mod names;
mod outline;
mod scenes;
mod shown;
mod walk;
mod wanted;

pub use complete::{Offer, complete};
pub use declared::Thing;
pub use hover::{Known, hover};
pub use names::{Doing, Names, Target, Use};
pub use outline::{Fold, Symbol, folds, outline};
pub use shown::{Case, Shown, Size, cases, costs, shown, sizes, types};
