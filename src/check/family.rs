//! All places of a zone whose index begins in one way: `wall`, or `wall[anna]` where a wall has a place for each cell.

use crate::model::{Binder, DomainId, Expr, Place, Stmt, ZoneId};
use crate::source::Span;
use crate::syntax::ast;

use super::thing::Thing;
use super::{Checked, Checker};

/// A zone of which the index, or the rest of it, is not given.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub zone: ZoneId,
    /// What is said of the index, in order; nothing where all places are meant.
    pub given: Vec<Expr>,
}

impl Family {
    pub(super) fn is_whole(&self) -> bool {
        self.given.is_empty()
    }

    /// The place behind what is given.
    pub(super) fn place(&self, rest: impl IntoIterator<Item = Expr>) -> Place {
        Place {
            zone: self.zone,
            index: self.given.iter().cloned().chain(rest).collect(),
        }
    }
}

impl From<ZoneId> for Family {
    fn from(zone: ZoneId) -> Family {
        Family {
            zone,
            given: Vec::new(),
        }
    }
}

impl Checker<'_> {
    /// What of the index is not given.
    pub(super) fn rest_of(&self, family: &Family) -> Vec<DomainId> {
        self.index_of(family.zone).split_off(family.given.len())
    }

    /// How one of its places is written.
    pub(super) fn one_of_family(&self, family: &Family) -> String {
        let index = vec!["…"; self.index_of(family.zone).len()].join(", ");
        format!("{}[{index}]", self.family_name(family))
    }

    /// What an expression names; a family of which only a part is meant is none.
    pub(super) fn whole(&mut self, expr: &ast::Expr) -> Checked<Thing> {
        match self.thing(expr, None)? {
            Thing::Family(family) if !family.is_whole() => self.place(expr).map(Thing::Place),
            thing => Ok(thing),
        }
    }

    pub(super) fn family_name(&self, family: &Family) -> String {
        let zone = self.game.zones.get(family.zone.index());
        zone.map_or(String::new(), |it| it.name.clone())
    }

    /// What runs through all places of a family, and the one that it has come to.
    pub(super) fn each_in(&mut self, family: &Family, span: Span) -> (Vec<Binder>, Place) {
        let (binders, rest) = self.each_place(&self.rest_of(family), span);
        (binders, family.place(rest))
    }

    /// Asks once which places are meant, before anything moves.
    pub(super) fn settle_family(&mut self, family: &mut Family, span: Span, out: &mut Vec<Stmt>) {
        let given = std::mem::take(&mut family.given);
        let mut place = Place {
            zone: family.zone,
            index: given,
        };
        self.settle_index(&mut place, span, out);
        family.given = place.index;
    }
}
