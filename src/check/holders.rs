//! Zones, tracks, the heads of tables, and supplies.

use crate::diagnostic::{Diagnostic, codes};
use crate::limits::MOST_COPIES;
use crate::model::{
    Base, ClauseId, DomainId, DomainKind, Expr, ExprKind, Place, Supply, Table, TableId, Track,
    TrackId, Type, Visibility, Zone, ZoneId, ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast::{self, Audience, ItemKind};

use super::constant::Const;
use super::scope::Binding;
use super::thing::Thing;
use super::types::NUMBER;
use super::{Checked, Checker, Entity, Reported};

/// Most words of a table of sets.
const MOST_TABLE_WORDS: u64 = 1 << 20;

impl<'a> Checker<'a> {
    pub(super) fn zone(&mut self, it: &'a ast::ZoneDecl, clause: ClauseId) -> Checked<ZoneId> {
        let component = self.component_named(&it.component);
        let index = self.index(&it.index);
        let (component, index) = (component?, index?);
        let kind = match it.kind {
            ast::ZoneKind::One => ZoneKind::One,
            ast::ZoneKind::Bag => ZoneKind::Bag,
            ast::ZoneKind::Pile => ZoneKind::Pile,
        };
        let mut capacity = match &it.capacity {
            None => None,
            Some(capacity) => {
                let value = self.typed(capacity, NUMBER)?;
                match self.constant_or_error(&value)? {
                    Const::Scalar(n) if (1..=i64::from(u16::MAX)).contains(&n) => {
                        u32::try_from(n).ok()
                    }
                    _ => {
                        let message = "the capacity of a zone is from 1 to 65,535";
                        return Err(self.error(codes::OUT_OF_RANGE, capacity.span, message));
                    }
                }
            }
        };
        if kind == ZoneKind::One {
            if capacity.is_some_and(|it| it != 1) {
                let message = "a zone of one component holds one";
                return Err(self.complain(
                    codes::OUT_OF_RANGE,
                    it.name.span,
                    message,
                    "write `bag of` or `pile of`",
                ));
            }
            capacity = Some(1);
        } else if let Some(field) = it.fields.first() {
            let message = "only places for one component have fields";
            return Err(self.complain(
                codes::WRONG_TYPE,
                field.span,
                message,
                "write `one` instead of `bag of` or `pile of`",
            ));
        }
        let taken = self.field_names(component);
        let fields = self.fields(&it.fields, &taken)?;
        let mut of_sets = it.fields.iter().zip(&fields);
        if let Some((field, _)) = of_sets.find(|(_, made)| matches!(made.ty.base, Base::Set(_))) {
            let (zone, name) = (&it.name, &field.name);
            let message = format!("a place keeps no set: `{name}` of `{zone}` is one");
            let help = format!(
                "keep it beside the zone, `track {name}[…]: set of … = {{}}` with the index of `{zone}`, or as a field for each member that is true or not"
            );
            return Err(self.complain(codes::WRONG_TYPE, field.ty.span, message, help));
        }
        let visibility = self.visibility(it.visibility.as_ref(), &index, it.name.span)?;
        let id = ZoneId(u32::try_from(self.game.zones.len()).unwrap_or(u32::MAX));
        self.game.zones.push(Zone {
            name: it.name.text.clone(),
            index,
            kind,
            component,
            capacity,
            fields,
            visibility,
            clause,
        });
        Ok(id)
    }

    pub(super) fn field_names(&self, domain: DomainId) -> Vec<String> {
        match self.domain(domain).map(|it| &it.kind) {
            Some(DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. }) => {
                fields.iter().map(|it| it.name.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn component_named(&mut self, name: &ast::Name) -> Checked<DomainId> {
        let is_component = |this: &Self, id: DomainId| {
            let kind = this.domain(id).map(|it| &it.kind);
            matches!(
                kind,
                Some(DomainKind::Record {
                    component: true,
                    ..
                })
            )
        };
        match self.named(name.as_str()) {
            Some(Ok(Entity::Domain(id))) if is_component(self, id) => Ok(id),
            Some(Err(reported)) => Err(reported),
            Some(Ok(_)) => Err(self.complain(
                codes::WRONG_KIND,
                name.span,
                format!("`{name}` is no component"),
                format!("only components lie in zones: `component {name} {{ … }}`"),
            )),
            None => {
                let mut list = Vec::new();
                for composite in &self.composed.items {
                    if let ItemKind::Component(it) = &composite.item.kind {
                        list.push(it.name.text.clone());
                    }
                }
                let message = format!("no component is called `{name}`");
                Err(self.not_among(codes::UNKNOWN_NAME, name, message, &list))
            }
        }
    }

    fn visibility(
        &mut self,
        written: Option<&'a ast::Visibility>,
        index: &[DomainId],
        name: Span,
    ) -> Checked<Visibility> {
        let Some(written) = written else {
            return Ok(Visibility::Open);
        };
        match &written.audience {
            Audience::All => Ok(Visibility::Open),
            Audience::Nobody => Ok(Visibility::Hidden),
            Audience::Seat(expr) => self.audience(expr, index, name),
        }
    }

    /// `owner`, `others`, `all`, `nobody`, or a `by` that picks among them.
    fn audience(
        &mut self,
        expr: &'a ast::Expr,
        index: &[DomainId],
        name: Span,
    ) -> Checked<Visibility> {
        match &expr.kind {
            ast::ExprKind::Name(word) => match word.as_str() {
                "all" | "open" => Ok(Visibility::Open),
                "nobody" | "hidden" => Ok(Visibility::Hidden),
                "owner" | "others" => {
                    let of: fn(usize) -> Visibility = match word.as_str() {
                        "owner" => Visibility::Owner,
                        _ => Visibility::Others,
                    };
                    let seat = self.game.seat;
                    let mut seats = index.iter().enumerate().filter(|(_, it)| **it == seat);
                    match (seats.next(), seats.next()) {
                        (Some((at, _)), None) => Ok(of(at)),
                        _ => Err(self.report(
                            Diagnostic::new(codes::WRONG_TYPE, "nobody owns this")
                                .label(expr.span, "the owner is the seat of the index")
                                .label(name, "the index has no single seat")
                                .help("index it by `seat`: `hand[seat]`"),
                        )),
                    }
                }
                _ => {
                    let list = ["owner", "others", "all", "nobody"].map(str::to_owned);
                    let message = format!("nobody is called `{word}` here");
                    Err(self.not_among(codes::UNKNOWN_NAME, word, message, &list))
                }
            },
            ast::ExprKind::By { subject, arms } => {
                let subject = self.value(subject, None)?;
                let chosen = self.chosen_arm(&subject, arms)?;
                let mut found = Err(Reported);
                for (at, arm) in arms.iter().enumerate() {
                    let arm = self.audience(&arm.body, index, name)?;
                    if chosen == Some(at) {
                        found = Ok(arm);
                    }
                }
                found
            }
            _ => Err(self.complain(
                codes::WRONG_TYPE,
                expr.span,
                "this is nobody who could see it",
                "write `owner`, `others`, `all` or `nobody`; where a reading decides it, that replaces the zone: `{ replace zone hand[seat]: bag of Card open }`",
            )),
        }
    }

    pub(super) fn track(&mut self, it: &'a ast::TrackDecl, clause: ClauseId) -> Checked<TrackId> {
        let index = self.index(&it.index);
        let ty = self.ty(&it.ty);
        let (index, ty) = (index?, ty?);
        if let Base::Elem(_) | Base::Int(..) = ty.base
            && self.values(ty) == u64::MAX
        {
            let message = "a track cannot hold so many values";
            return Err(self.error(codes::TOO_MANY_ELEMENTS, it.ty.span, message));
        }
        let init = match &it.start {
            Some(start) => {
                let value = self.typed(start, ty)?;
                let folded = self.constant_or_error(&value)?;
                if let (Const::Scalar(n), Base::Int(lo, hi)) = (&folded, ty.base)
                    && *n != crate::model::NONE
                    && !(lo..=hi).contains(n)
                {
                    let message = format!("the start {n} is not within {lo}..{hi}");
                    return Err(self.error(codes::OUT_OF_RANGE, start.span, message));
                }
                value
            }
            None if self.composed.lives.get(it.name.as_str()) == Some(&it.name.span) => {
                self.first_of_kind(ty, it.name.span)
            }
            None => self.first_value(ty, it.name.span)?,
        };
        let visibility = self.visibility(it.visibility.as_ref(), &index, it.name.span)?;
        let id = TrackId(u32::try_from(self.game.tracks.len()).unwrap_or(u32::MAX));
        self.game.tracks.push(Track {
            name: it.name.text.clone(),
            index,
            ty,
            init,
            visibility,
            clause,
        });
        Ok(id)
    }

    /// The start of a track that names none: none, false, zero, the empty set.
    fn first_value(&mut self, ty: Type, span: Span) -> Checked<Expr> {
        let kind = match ty.base {
            _ if ty.optional => ExprKind::Value(crate::model::NONE),
            Base::Bool => ExprKind::Value(0),
            Base::Int(lo, hi) if (lo..=hi).contains(&0) => ExprKind::Value(0),
            Base::Set(_) => ExprKind::SetOf(Vec::new()),
            _ => {
                return Err(self.complain(
                    codes::NO_DEFAULT,
                    span,
                    "the track has no value at the start",
                    "write `= …` behind its type",
                ));
            }
        };
        Ok(Expr { kind, ty, span })
    }

    pub(super) fn table(&mut self, it: &'a ast::TableDecl, clause: ClauseId) -> Checked<TableId> {
        let index = self.index(&it.index);
        let ty = self.ty(&it.ty);
        let (index, ty) = (index?, ty?);
        if index.is_empty() {
            let message = format!("the table `{}` has no keys", it.name);
            return Err(self.complain(
                codes::WRONG_TYPE,
                it.name.span,
                message,
                "write the types of its keys: `table cost[Rank]: 0..9 { … }`",
            ));
        }
        let words = match ty.base {
            Base::Set(domain) => self.size(domain).div_ceil(64).max(1),
            _ => 1,
        };
        let n_cells = index.iter().map(|it| self.size(*it));
        let n_words = n_cells.fold(words, u64::saturating_mul);
        if words > 1 && n_words > MOST_TABLE_WORDS {
            let message = "so many sets of so many elements do not fit into one table";
            return Err(self.complain(
                codes::TOO_MANY_ELEMENTS,
                it.ty.span,
                message,
                "let a row hold what the set is made of, and write a `define` that makes the set",
            ));
        }
        let id = TableId(u32::try_from(self.game.tables.len()).unwrap_or(u32::MAX));
        self.game.tables.push(Table {
            name: it.name.text.clone(),
            index,
            ty,
            cells: Vec::new(),
            words: usize::try_from(words).unwrap_or(1),
            rows: Vec::new(),
            clause,
        });
        self.tables.push(Some(it));
        Ok(id)
    }

    pub(super) fn rows_of(&mut self, id: TableId) -> Checked<()> {
        match self.tables.get(id.index()) {
            Some(Some(table)) => self.table_rows(table, id),
            // Made with its rows.
            Some(None) => Ok(()),
            None => Err(Reported),
        }
    }

    /// `supply n every C where P in Z`.
    pub(super) fn supply(&mut self, it: &'a ast::Supply, clause: ClauseId) -> Checked<()> {
        let component = self.component_named(&it.component)?;
        let ty = Type::of(Base::Elem(component));
        self.domain_of(ty, it.component.span)?;
        let local = self.fresh("it", ty, it.component.span);
        let body = super::scope::Body {
            clause,
            locals: vec![("it".to_owned(), Binding::Local(local, false))],
            ..super::scope::Body::default()
        };
        let (count, guard, place) = self.in_body(body, |this| {
            let count = match &it.count {
                Some(count) => this.typed(count, NUMBER),
                None => Ok(number(1, it.component.span)),
            };
            let guard = it
                .condition
                .as_ref()
                .map(|it| this.condition(it))
                .transpose();
            let place = match this.thing(&it.place, None)? {
                Thing::Place(place) => Ok(place),
                Thing::Family(all) if all.is_whole() => Err(this.laid_in_each(it, all.zone)),
                _ => this.place(&it.place),
            };
            Ok((count?, guard?, place?))
        })?;
        self.add_copies((component, local), &count, guard.as_ref(), &mut Vec::new())?;
        let Place { zone, index } = place;
        if self.game.zones.get(zone.index()).map(|it| it.component) != Some(component) {
            let message = format!("no `{}` lies in this zone", it.component);
            return Err(self.error(codes::WRONG_TYPE, it.place.span, message));
        }
        self.game.supplies.push(Supply {
            component,
            it: local,
            count,
            guard,
            zone,
            index,
            clause,
        });
        Ok(())
    }

    /// Reports a supply that does not say in which place of a zone.
    fn laid_in_each(&mut self, it: &ast::Supply, zone: ZoneId) -> Reported {
        let name = self
            .game
            .zones
            .get(zone.index())
            .map_or("", |it| it.name.as_str());
        let of = &it.component;
        let message = format!("`{name}` has many places, and each thing starts in one");
        let help = format!(
            "name it by the kind that is laid, as `{name}[it.owner]`; what lies in each place alike starts in a zone of its own, and the set-up deals it out: `for each p in Pit {{ move 4 of {of}(…) from box to {name}[p] }}`"
        );
        self.complain(codes::NOT_A_PLACE, it.place.span, message, help)
    }

    /// Adds the copies that a supply makes, by kind.
    fn add_copies(
        &mut self,
        (component, it): (DomainId, crate::model::LocalId),
        count: &Expr,
        guard: Option<&Expr>,
        all: &mut Vec<u64>,
    ) -> Checked<()> {
        all.resize(usize::try_from(self.size(component)).unwrap_or(0), 0);
        for (kind, copies) in (0..).zip(all) {
            let env = [(it, Const::Scalar(kind))];
            let passes = match guard {
                Some(guard) => self.constant_with(guard, &env)? != Const::Scalar(0),
                None => true,
            };
            if !passes {
                continue;
            }
            match self.constant_with(count, &env)? {
                Const::Scalar(n) if (0..=MOST_COPIES).contains(&n) => *copies += n.unsigned_abs(),
                _ => {
                    let message = "the number of copies is from 0 to 10,000";
                    return Err(self.error(codes::OUT_OF_RANGE, count.span, message));
                }
            }
        }
        Ok(())
    }

    /// Counts the copies of a component that the whole game supplies.
    pub(super) fn copies_of(&mut self, component: DomainId) -> Checked<u64> {
        Ok(self.copies_by_kind(component)?.iter().sum())
    }

    /// Counts the copies of each kind of a component that the supplies make.
    pub(super) fn copies_by_kind(&mut self, component: DomainId) -> Checked<Vec<u64>> {
        let mut all = Vec::new();
        for composite in &self.composed.items {
            let ItemKind::Supply(supply) = &composite.item.kind else {
                continue;
            };
            if self.component_named(&supply.component)? != component {
                continue;
            }
            let ty = Type::of(Base::Elem(component));
            self.domain_of(ty, supply.component.span)?;
            let local = self.fresh("it", ty, supply.component.span);
            let body = super::scope::Body {
                locals: vec![("it".to_owned(), Binding::Local(local, false))],
                ..super::scope::Body::default()
            };
            let (count, guard) = self.in_body(body, |this| {
                let count = match &supply.count {
                    Some(count) => this.typed(count, NUMBER)?,
                    None => number(1, supply.component.span),
                };
                let guard = match &supply.condition {
                    Some(guard) => Some(this.condition(guard)?),
                    None => None,
                };
                Ok((count, guard))
            })?;
            self.add_copies((component, local), &count, guard.as_ref(), &mut all)?;
        }
        Ok(all)
    }

    /// Counts the components that can lie on a plane.
    pub(super) fn copies_on(&mut self, space: &ast::Name) -> Checked<u64> {
        let mut most = 0;
        for composite in &self.composed.items {
            let ItemKind::Zone(zone) = &composite.item.kind else {
                continue;
            };
            let over_it = zone.index.iter().any(
                |ty| matches!(&ty.kind, ast::TypeKind::Named(name) if name.text == space.text),
            );
            if over_it {
                let component = self.component_named(&zone.component)?;
                most = most.max(self.copies_of(component)?);
            }
        }
        Ok(most)
    }

    /// Checks an expression that names one place of a zone.
    pub(super) fn place(&mut self, expr: &ast::Expr) -> Checked<Place> {
        match self.thing(expr, None)? {
            Thing::Place(place) => Ok(place),
            Thing::Family(family) => {
                let name = self.family_name(&family);
                let one = self.one_of_family(&family);
                Err(self.complain(
                    codes::NOT_A_PLACE,
                    expr.span,
                    format!("`{name}` has many places"),
                    format!("say which one: `{one}`"),
                ))
            }
            Thing::Track(_)
            | Thing::Value(Expr {
                kind: ExprKind::Track(..),
                ..
            }) => Err(self.complain(
                codes::NOT_A_PLACE,
                expr.span,
                "this is a track, and no place of a zone",
                "to tell what a track holds, write it to one that all see: `said[s] = bid[s]`",
            )),
            _ => Err(self.complain(
                codes::NOT_A_PLACE,
                expr.span,
                "this is no place of a zone",
                "name a zone, with its index if it has one: `hand[me]`",
            )),
        }
    }
}

/// Makes a constant number.
pub(super) fn number(value: i64, span: Span) -> Expr {
    Expr::number(value, span)
}
