//! Where the nodes of the tree stand, so that a tree can be moved along with its text.

use std::sync::Arc;

use super::*;

/// Something that has places in it.
pub trait Placed {
    /// Moves all of them by so many bytes, towards the end of the text; what goes towards its start is a number that
    /// wraps around.
    fn moved(&mut self, by: u32);
}

impl Placed for Span {
    fn moved(&mut self, by: u32) {
        self.start = self.start.wrapping_add(by);
        self.end = self.end.wrapping_add(by);
    }
}

/// Declares what has no place: words, signs, and values of its own.
macro_rules! placeless {
    ($($name:ident),* $(,)?) => { $(
        impl Placed for $name {
            fn moved(&mut self, _by: u32) {}
        }
    )* };
}

placeless! {
    bool, i32, u32, String, AssignOp, Authority, BinaryOp, Brush, ExtendOp, Intent, RelationKind, Side, UnaryOp,
    ZoneKind,
}

/// Declares the fields of what is in no table of nodes: each is named, so that none is forgotten.
macro_rules! placed {
    ($($name:ident { $($field:ident),* $(,)? })*) => { $(
        impl Placed for $name {
            fn moved(&mut self, by: u32) {
                let $name { $($field),* } = self;
                $( $field.moved(by); )*
            }
        }
    )* };
}

placed! {
    Allow { code, reason, span }
    Aside { cites, reason }
    Block { statements, span }
    Cite { source, what, span }
    Doc { text, span }
    Drawing { text, span }
    Expr { kind, parenthesised, span }
    History { of, most }
    Item { docs, kind, tail, span }
    Name { text, span }
    Number { value, span }
    NumberHead { least, most }
    Order { side, units, span }
    Path { segments, span }
    Relation { kind, unit, reason }
    SentenceId { series, number, suffix, span }
    SentenceList { source, heading, sentences }
    Statement { docs, kind, span }
    Status { authority, span }
    StudyLines { find, never, within }
    Tail { cites, status, orders, allows }
    Text { text, span }
    UnitRef { name, reading }
    Worded { id, text, span }
}

impl Placed for Cited {
    fn moved(&mut self, by: u32) {
        match self {
            Cited::Sentences { first, last } => {
                first.moved(by);
                last.moved(by);
            }
            Cited::Reason(text) => text.moved(by),
        }
    }
}

impl<T: Placed> Placed for Box<T> {
    fn moved(&mut self, by: u32) {
        (**self).moved(by);
    }
}

impl<T: Placed + Clone> Placed for Arc<T> {
    fn moved(&mut self, by: u32) {
        Arc::make_mut(self).moved(by);
    }
}

impl<T: Placed> Placed for Option<T> {
    fn moved(&mut self, by: u32) {
        self.iter_mut().for_each(|it| it.moved(by));
    }
}

impl<T: Placed> Placed for Vec<T> {
    fn moved(&mut self, by: u32) {
        self.iter_mut().for_each(|it| it.moved(by));
    }
}
