//! A thing that is laid in two places, one after the other: the first would lose it again.

use crate::check::drawn::Spot;
use crate::check::signs::Piece;
use crate::check::thing::Thing;
use crate::check::{Checked, Checker};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{DomainId, ZoneId};
use crate::source::Span;
use crate::syntax::ast::{self, Canon, StatementKind, Tree};

use super::REST;

/// What was laid since something else happened.
struct Laid {
    zone: ZoneId,
    /// The place as it is written.
    place: String,
    component: DomainId,
    kind: i64,
    copies: i64,
    span: Span,
}

impl Checker<'_> {
    /// Complains of what the statements of a block lay in two places, if nothing but tracks changes in between.
    pub(in crate::check) fn laid_once(&mut self, block: &ast::Block) -> Checked<()> {
        let lays = |it: &&ast::Statement| matches!(it.kind, StatementKind::Lay { .. });
        if block.statements.iter().filter(lays).count() < 2 {
            return Ok(());
        }
        let mut laid: Vec<Laid> = Vec::new();
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Lay { place, drawn } => self.lay_besides(place, drawn, &mut laid)?,
                StatementKind::Assign { .. } => {}
                _ => laid.clear(),
            }
        }
        Ok(())
    }

    fn lay_besides(
        &mut self,
        place: &ast::Expr,
        drawn: &ast::Expr,
        laid: &mut Vec<Laid>,
    ) -> Checked<()> {
        let ink = self.ink(drawn)?;
        let keeps = ink.text.trim_start().starts_with(REST);
        let (zone, is_whole, pieces): (ZoneId, bool, Vec<Piece>) = match self.thing(place, None)? {
            Thing::Family(family) => {
                let spots = self.read_spots(&family, &ink)?;
                let pieces = spots.into_iter().flat_map(|Spot { pieces, .. }| pieces);
                (family.zone, family.is_whole(), pieces.collect())
            }
            Thing::Place(there) => {
                let start = ink.text.find(REST).filter(|_| keeps);
                let from = start.map_or(0, |it| it + REST.len());
                (
                    there.zone,
                    false,
                    self.read_all_lying(&ink, from, there.zone)?,
                )
            }
            _ => return Ok(()),
        };
        let mut canon = Canon::default();
        place.canon(&mut canon);
        let place = canon.into_text();
        if !keeps {
            laid.retain(|it| it.zone != zone || !is_whole && it.place != place);
        }
        let component = self.component_of(zone)?;
        let homes = self.homes(component, drawn.span)?;
        for (piece, at) in pieces {
            let Some((kind, copies)) = piece.kind() else {
                continue;
            };
            let same = |it: &&Laid| it.component == component && it.kind == kind;
            let so_far: i64 = laid.iter().filter(same).map(|it| it.copies).sum();
            if let Some(first) = laid.iter().find(same)
                && first.place != place
                && so_far + copies > homes.copies(kind)
            {
                let found = Diagnostic::new(codes::OUT_OF_RANGE, "this is laid in two places")
                    .label(at, "here it is taken from there")
                    .label(first.span, "here it was laid before")
                    .help("lay it in one of them; a question mark stands for any other thing");
                return Err(self.report(found));
            }
            laid.push(Laid {
                zone,
                place: place.clone(),
                component,
                kind,
                copies,
                span: at,
            });
        }
        Ok(())
    }
}
