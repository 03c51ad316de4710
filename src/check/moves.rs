//! Statements that touch zones and knowledge.

mod each;
mod mixed;

pub use mixed::settle_orders;

use crate::diagnostic::codes;
use crate::model::{
    Base, Expr, ExprKind, Holder, Holding, Move, Place, Stmt, StmtKind, StreamId, Type, What,
    ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast::{self, Audience, Exchanged, Moved};

use super::fetch::{elsewhere, filled};
use super::thing::Thing;
use super::types::NUMBER;
use super::{Checked, Checker, Reported};

impl Checker<'_> {
    pub(super) fn stream_of(&mut self, place: &Place) -> StreamId {
        let name = self.zone_name(place);
        self.game.stream_named(&name)
    }

    pub(super) fn zone_name(&self, place: &Place) -> String {
        let zone = self.game.zones.get(place.zone.index());
        zone.map_or(String::new(), |it| it.name.clone())
    }

    pub(super) fn zone_kind(&self, place: &Place) -> ZoneKind {
        let zone = self.game.zones.get(place.zone.index());
        zone.map_or(ZoneKind::Bag, |it| it.kind)
    }

    pub(super) fn component_type(&self, place: &Place) -> Type {
        let zone = self.game.zones.get(place.zone.index());
        zone.map_or(Type::UNIT, |it| Type::of(Base::Elem(it.component)))
    }

    /// Checks that components can go from one zone to the other.
    pub(super) fn same_component(&mut self, from: Type, to: &Place, span: Span) -> Checked<()> {
        let there = self.component_type(to);
        if from.base == there.base {
            return Ok(());
        }
        let (one, other) = (self.type_name(from), self.type_name(there));
        let zone = self.zone_name(to);
        let message = format!("{one} cannot lie in `{zone}`, which holds {other}");
        Err(self.error(codes::WRONG_TYPE, span, message))
    }

    pub(super) fn move_statement(
        &mut self,
        it: &ast::Move,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        if let Moved::Each {
            what,
            from,
            condition,
        } = &it.what
        {
            let picked = (what, from.as_ref(), condition.as_ref());
            return self.move_each(it, picked, span, out);
        }
        if let Moved::All(zone) = &it.what
            && let Some(from) = self.many_places(zone)?
        {
            return self.move_from_each(it, from, span, out);
        }
        if let Moved::All(from) = &it.what
            && self.members_named(from).is_none()
            && let Thing::Family(mut family) = self.thing(from, None)?
        {
            let mut to = self.place(&it.to)?;
            self.effect_allowed(from.span)?;
            let component = self.component_of(family.zone)?;
            self.same_component(Type::of(Base::Elem(component)), &to, from.span)?;
            self.settle_family(&mut family, span, out);
            self.settle_index(&mut to, span, out);
            let with = self.with_fields(it, &to)?;
            self.gather(&family, &to, &with, span, out);
            return Ok(());
        }
        let to = self.place(&it.to);
        let what = self.moved(&it.what);
        let (to, (what, ty, moved)) = (to?, what?);
        self.effect_allowed(moved)?;
        self.same_component(ty, &to, moved)?;
        let with = self.with_fields(it, &to)?;
        let mut kind = StmtKind::Move(Move::new(what, to, with));
        if let Moved::Top {
            amount: Some(amount),
            ..
        } = &it.what
        {
            let amount = self.typed(amount, NUMBER)?;
            kind = StmtKind::Times(amount, vec![statement(kind, span)]);
        }
        out.push(statement(kind, span));
        Ok(())
    }

    pub(super) fn with_fields(
        &mut self,
        it: &ast::Move,
        to: &Place,
    ) -> Checked<Vec<(usize, Expr)>> {
        let mut with = Vec::new();
        for given in &it.with {
            let Some(zone) = self.game.zones.get(to.zone.index()) else {
                return Err(Reported);
            };
            let fields: Vec<String> = zone.fields.iter().map(|it| it.name.clone()).collect();
            let Some(at) = fields.iter().position(|it| *it == given.field.text) else {
                let message = format!("`{}` has no field `{}`", zone.name, given.field);
                return Err(self.not_among(codes::UNKNOWN_FIELD, &given.field, message, &fields));
            };
            let ty = zone.fields.get(at).map_or(Type::UNIT, |it| it.ty);
            with.push((at, self.typed(&given.value, ty)?));
        }
        Ok(with)
    }

    fn moved(&mut self, moved: &Moved) -> Checked<(What, Type, Span)> {
        match moved {
            Moved::Place(expr) => {
                let thing = self.thing(expr, None)?;
                if let Thing::Value(Expr {
                    kind: ExprKind::Nth(place, deep),
                    ..
                }) = thing
                {
                    return self.taken_from_pile(place, *deep, expr.span);
                }
                let place = self.single(thing, expr, "move")?;
                let ty = self.component_type(&place);
                Ok((What::At(place), ty, expr.span))
            }
            Moved::All(expr) if self.members_named(expr).is_some() => Err(self.complain(
                codes::NOT_A_PLACE,
                expr.span,
                "nothing says where they lie",
                "write `move all of … from ZONE to …`",
            )),
            Moved::All(expr) => {
                let place = self.place(expr)?;
                let ty = self.component_type(&place);
                Ok((What::All(place), ty, expr.span))
            }
            Moved::Each { what, .. } => {
                let message = "these are moved one by one";
                Err(self.error(codes::MOVE_UNCLEAR, what.span, message))
            }
            Moved::Top {
                zone: expr, end, ..
            } => {
                let place = self.place(expr)?;
                if self.zone_kind(&place) != ZoneKind::Pile {
                    let zone = self.zone_name(&place);
                    let end = match end {
                        Some(ast::PileEnd::Bottom) => "bottom",
                        None => "top",
                    };
                    return Err(self.complain(
                        codes::WRONG_TYPE,
                        expr.span,
                        format!("`{zone}` has no {end}"),
                        "only a `pile` has one; write `draw` to take one by chance",
                    ));
                }
                if end.is_some() {
                    let deepest = Expr::new(ExprKind::Count(place.clone()), NUMBER, expr.span);
                    return self.taken_from_pile(place, deepest, expr.span);
                }
                self.chance_allowed(expr.span)?;
                let ty = self.component_type(&place);
                let stream = self.stream_of(&place);
                Ok((What::Top(place, stream), ty, expr.span))
            }
            Moved::Copies {
                amount,
                component,
                from,
            } => {
                let amount = match amount {
                    Some(amount) => Some(self.typed(amount, NUMBER)?),
                    None => None,
                };
                let (holding, ty) = self.holding(from)?;
                let value = self.typed(component, ty)?;
                Ok((What::Copies(amount, value, holding), ty, component.span))
            }
        }
    }

    fn holding(&mut self, from: &ast::Expr) -> Checked<(Holding, Type)> {
        if let Thing::Family(family) = self.thing(from, None)?
            && family.is_whole()
        {
            let zone = family.zone;
            let component = self.game.zones.get(zone.index()).map(|it| it.component);
            let ty = Type::of(Base::Elem(component.ok_or(Reported)?));
            return Ok((Holding::Anywhere(zone), ty));
        }
        let place = self.place(from)?;
        let ty = self.component_type(&place);
        Ok((Holding::Place(place), ty))
    }

    /// What lies so deep in a pile; where that is in no order, chance picks.
    fn taken_from_pile(
        &mut self,
        place: Place,
        deep: Expr,
        span: Span,
    ) -> Checked<(What, Type, Span)> {
        self.chance_allowed(span)?;
        let (ty, stream) = (self.component_type(&place), self.stream_of(&place));
        Ok((What::Nth(place, deep, stream), ty, span))
    }

    /// A place that holds at most one component.
    fn single(&mut self, thing: Thing, expr: &ast::Expr, word: &str) -> Checked<Place> {
        let place = match thing {
            Thing::Value(value) if self.is_component(value.ty) => {
                return Err(self.complain(
                    codes::NOT_A_PLACE,
                    expr.span,
                    "nothing says where it lies",
                    format!("write `{word} … from ZONE`"),
                ));
            }
            Thing::Place(place) => place,
            _ => self.place(expr)?,
        };
        if self.zone_kind(&place) == ZoneKind::One {
            return Ok(place);
        }
        let zone = self.zone_name(&place);
        Err(self.complain(codes::NOT_A_PLACE, expr.span, format!("`{zone}` may hold many components"), format!(
                    "say which: `{word} x from {zone}`, `move all of {zone}`, `move top of {zone}` or `draw {zone}`"
                )))
    }

    pub(super) fn is_component(&self, ty: Type) -> bool {
        self.game.is_component(ty.base)
    }

    pub(super) fn draw(
        &mut self,
        amount: Option<&ast::Expr>,
        from: &ast::Expr,
        to: &ast::Expr,
        span: Span,
    ) -> Checked<StmtKind> {
        let amount = amount.map(|it| self.typed(it, NUMBER)).transpose();
        let (from_place, to) = (self.place(from), self.place(to));
        let (amount, from_place, to) = (amount?, from_place?, to?);
        self.chance_allowed(span)?;
        if self.zone_kind(&from_place) == ZoneKind::One {
            return Err(self.complain(
                codes::WRONG_TYPE,
                from.span,
                "there is no choice among one",
                "write `move`",
            ));
        }
        let ty = self.component_type(&from_place);
        self.same_component(ty, &to, from.span)?;
        let stream = self.stream_of(&from_place);
        let what = What::Draw(amount, from_place, stream);
        Ok(StmtKind::Move(Move::new(what, to, Vec::new())))
    }

    /// Says whether chance may decide something here.
    pub(super) fn chance_allowed(&mut self, span: Span) -> Checked<()> {
        use super::scope::BodyKind;
        self.effect_allowed(span)?;
        match self.body.kind {
            BodyKind::Ending => Err(self.complain(
                codes::CHANCE_HERE,
                span,
                "an ending leaves nothing to chance",
                "let it happen before `end`",
            )),
            BodyKind::After => Err(self.complain(
                codes::CHANCE_HERE,
                span,
                "what chance would do cannot be known beforehand",
                "leave it out of `after`",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn exchange(
        &mut self,
        left: &Exchanged,
        right: &Exchanged,
        whole: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let (left, right) = (self.holder(left), self.holder(right));
        let ((left, ty, span), (right, other, _)) = (left?, right?);
        self.effect_allowed(span)?;
        if let (Holder::All(_), Holder::At(_) | Holder::Copy(..))
        | (Holder::At(_) | Holder::Copy(..), Holder::All(_)) = (&left, &right)
        {
            return Err(self.complain(
                codes::WRONG_TYPE,
                span,
                "all of one place cannot change places with a single thing",
                "write `exchange all of hand[a] with all of hand[b]`",
            ));
        }
        if ty.base != other.base {
            let (one, other) = (self.type_name(ty), self.type_name(other));
            let message = format!("{one} cannot change places with {other}");
            return Err(self.error(codes::WRONG_TYPE, span, message));
        }
        match (left, right) {
            (Holder::At(left), Holder::At(right)) => self.exchange_places(left, right, whole, out),
            (left, right) => out.push(statement(StmtKind::Exchange(left, right), whole)),
        }
        Ok(())
    }

    /// What lies in two places changes places; where one is empty, it is empty then where the other thing lay.
    fn exchange_places(
        &mut self,
        mut left: Place,
        mut right: Place,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        self.settle_index(&mut left, span, out);
        self.settle_index(&mut right, span, out);
        let (one, other) = (filled(&left, span), filled(&right, span));
        let both = StmtKind::Exchange(Holder::At(left.clone()), Holder::At(right.clone()));
        let both = statement(both, span);
        let both = match left.zone == right.zone {
            true => when(elsewhere(&left, &right, span), vec![both], Vec::new(), span),
            false => both,
        };
        let go = |from: &Place, to: &Place| {
            let moved = Move::new(What::At(from.clone()), to.clone(), Vec::new());
            vec![statement(StmtKind::Move(moved), span)]
        };
        let there = when(other.clone(), vec![both], go(&left, &right), span);
        let gone = when(other, go(&right, &left), Vec::new(), span);
        out.push(when(one, vec![there], vec![gone], span));
    }

    fn holder(&mut self, it: &Exchanged) -> Checked<(Holder, Type, Span)> {
        match it {
            Exchanged::Place(expr) => {
                let thing = self.thing(expr, None)?;
                let place = self.single(thing, expr, "exchange")?;
                let ty = self.component_type(&place);
                Ok((Holder::At(place), ty, expr.span))
            }
            Exchanged::All(zone) => {
                let place = self.place(zone)?;
                if self.zone_kind(&place) != ZoneKind::Bag {
                    let name = self.zone_name(&place);
                    return Err(self.complain(
                        codes::WRONG_TYPE,
                        zone.span,
                        format!("`{name}` is no bag"),
                        "only bags are exchanged as a whole; move a pile away and back, and exchange single places as they are",
                    ));
                }
                let ty = self.component_type(&place);
                Ok((Holder::All(place), ty, zone.span))
            }
            Exchanged::Copy { component, from } => {
                let place = self.place(from)?;
                let ty = self.component_type(&place);
                let value = self.typed(component, ty)?;
                Ok((Holder::Copy(value, place), ty, component.span))
            }
        }
    }

    pub(super) fn shuffle(&mut self, zone: &ast::Expr) -> Checked<StmtKind> {
        let place = self.place(zone)?;
        self.effect_allowed(zone.span)?;
        if self.zone_kind(&place) != ZoneKind::Pile {
            let name = self.zone_name(&place);
            return Err(self.complain(
                codes::WRONG_TYPE,
                zone.span,
                format!("`{name}` has no order to forget"),
                "only a `pile` has one; leave this out",
            ));
        }
        Ok(StmtKind::Shuffle(place))
    }

    pub(super) fn show_to(
        &mut self,
        place: &ast::Expr,
        audience: &Audience,
        span: Span,
    ) -> Checked<StmtKind> {
        let place = self.place(place)?;
        self.effect_allowed(span)?;
        let who = match audience {
            Audience::All => None,
            Audience::Seat(seat) => Some(self.seat_of(seat)?),
            Audience::Nobody => {
                return Err(self.error(codes::MISPLACED, span, "nothing is shown to nobody"));
            }
        };
        Ok(StmtKind::Show(place, who))
    }
}

/// Makes a statement.
pub(super) fn statement(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

/// Wraps a condition around statements.
pub(super) fn when(condition: Expr, body: Vec<Stmt>, otherwise: Vec<Stmt>, span: Span) -> Stmt {
    statement(StmtKind::If(condition, body, otherwise), span)
}
