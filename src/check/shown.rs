//! By what names zones, tracks, values and tables stand on the table.

use crate::diagnostic::codes;
use crate::limits::MOST_SHEET_LINES;
use crate::model::{
    Base, DefineId, DomainId, DomainKind, Look, Mark, MarkSign, Shape, ShowPart, Shown, ShownWhat,
    SideOf, Type,
};
use crate::source::Span;
use crate::syntax::ast;

use super::{Checked, Checker, Entity, Reported};

impl<'a> Checker<'a> {
    /// Notes how values are printed, before anything is drawn.
    pub(super) fn show_kinds(&mut self) {
        if std::mem::replace(&mut self.kinds_shown, true) {
            return;
        }
        for index in 0..self.entries.len() {
            let item = self.item(index);
            if let ast::ItemKind::Show(show) = &item.kind
                && self.shows_a_kind(show)
            {
                // What is wrong is reported; the others are still looked at.
                let _ = self.show(show, item.span);
            }
        }
    }

    pub(super) fn shows_a_kind(&self, show: &ast::ShowDecl) -> bool {
        let index = self.names.get(show.name.as_str());
        let index = index.filter(|_| show.on.is_none());
        index.is_some_and(|index| {
            matches!(
                self.item(*index).kind,
                ast::ItemKind::Enum(_)
                    | ast::ItemKind::Record(_)
                    | ast::ItemKind::Component(_)
                    | ast::ItemKind::Space(_)
            )
        })
    }

    /// `show NAME as "…"`: how the elements of a domain are printed, or by what name something stands on the table.
    pub(super) fn show(&mut self, show: &'a ast::ShowDecl, span: Span) -> Checked<()> {
        let domain = match self.named(show.name.as_str()) {
            Some(Ok(Entity::Domain(id))) => id,
            Some(Err(reported)) => return Err(reported),
            Some(Ok(other)) => return self.show_on_table(show, other),
            None => return Err(self.unknown(&show.name, None)),
        };
        if self.domain(domain).is_some_and(|it| it.show.is_some()) {
            let message = format!("how `{}` is printed is said twice", show.name);
            return Err(self.error(codes::DUPLICATE_NAME, span, message));
        }
        let names: Vec<String> = match self.domain(domain).map(|it| &it.kind) {
            Some(DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. }) => {
                fields.iter().map(|it| it.name.clone()).collect()
            }
            _ => Vec::new(),
        };
        if let Some(side) = &show.side {
            let message = format!("`{}` has no sides", show.name);
            let help = "`from` says who sits where at a zone or a track over a board";
            return Err(self.complain(codes::WRONG_KIND, side.name.span, message, help));
        }
        if show.chequered {
            return Err(self.not_on_board(&show.name, "chequered"));
        }
        let of_places = self.fields_of_places(&show.name);
        let mut parts = Vec::new();
        for part in &show.template.parts {
            match part {
                ast::TemplatePart::Text(text) => parts.push(ShowPart::Text(text.clone())),
                ast::TemplatePart::Hole(hole) => {
                    let ast::ExprKind::Name(name) = &hole.kind else {
                        let message = "a hole here names a field";
                        return Err(self.error(codes::UNKNOWN_FIELD, hole.span, message));
                    };
                    match names.iter().position(|it| *it == name.text) {
                        Some(at) => parts.push(ShowPart::Field(at)),
                        None if names.is_empty() && name.text == "name" => {
                            parts.push(ShowPart::Name);
                        }
                        None if of_places.contains(&name.text) => {
                            parts.push(ShowPart::OfPlace(name.text.clone()));
                        }
                        None => {
                            let list = if names.is_empty() && of_places.is_empty() {
                                vec!["name".to_owned()]
                            } else {
                                names.into_iter().chain(of_places).collect()
                            };
                            let message = format!("`{}` has no field `{name}`", show.name);
                            return Err(self.not_among(codes::UNKNOWN_FIELD, name, message, &list));
                        }
                    }
                }
            }
        }
        if let Some(domain) = self.game.domains.get_mut(domain.index()) {
            domain.show = Some(parts);
        }
        Ok(())
    }

    /// The fields of places on which a component may lie: known before the zones are.
    fn fields_of_places(&self, component: &ast::Name) -> Vec<String> {
        let zones = self
            .composed
            .items
            .iter()
            .filter_map(|it| match &it.item.kind {
                ast::ItemKind::Zone(zone) if zone.component.text == component.text => Some(zone),
                _ => None,
            });
        let fields = zones.flat_map(|it| &it.fields);
        fields.map(|it| it.name.text.clone()).collect()
    }

    /// Checks `show NAME as "…"` of what is not a kind of value.
    fn show_on_table(&mut self, show: &'a ast::ShowDecl, entity: Entity) -> Checked<()> {
        if let Some(on) = &show.on {
            return self.mark(show, &on.name, entity);
        }
        let what = match entity {
            Entity::Zone(id) => ShownWhat::Zone(id),
            Entity::Track(id) => ShownWhat::Track(id),
            Entity::Define(id) if self.is_single(id) || self.is_of_seats(id) => {
                ShownWhat::Define(id)
            }
            Entity::Table(id) if self.holds_records(id) || self.is_printed(id) => {
                ShownWhat::Table(id)
            }
            _ => return Err(self.cannot_stand(&show.name)),
        };
        if show.chequered && !matches!(self.board_under(what), Some((_, true))) {
            return Err(self.not_on_board(&show.name, "chequered"));
        }
        let side = match &show.side {
            None => None,
            Some(side) => Some(self.side_of(what, &side.name)?),
        };
        let Some(label) = show.template.plain() else {
            let message = format!("the name of `{}` has a hole", show.name);
            let help = "write the words by which it stands on the table";
            return Err(self.complain(codes::WRONG_KIND, show.template.span, message, help));
        };
        if label.is_empty() {
            let message = format!(
                "that `{}` is shown as nothing is of an older form of the language",
                show.name
            );
            let help = format!("write `hide {}`; `adit upgrade FILE` does so", show.name);
            return Err(self.complain(codes::OLDER_FORM, show.template.span, message, help));
        }
        // What is hidden is so whoever says by what name it would be drawn.
        let items = self.composed.items.iter();
        let mut hidden = items.flat_map(|it| match &it.item.kind {
            ast::ItemKind::Hide(it) => it.names.as_slice(),
            _ => &[],
        });
        if !hidden.any(|it| *it == show.name) {
            self.game.shown.push(Shown {
                what,
                label: label.to_owned(),
                chequered: show.chequered,
                side,
            });
        }
        Ok(())
    }

    /// Checks `hide NAME, …`.
    pub(super) fn hide(&mut self, hide: &'a ast::Hide) -> Checked<()> {
        for name in &hide.names {
            let what = match self.named(name.as_str()) {
                Some(Ok(Entity::Zone(id))) => ShownWhat::Zone(id),
                Some(Ok(Entity::Track(id))) => ShownWhat::Track(id),
                // Only where it is named it would be drawn.
                Some(Ok(Entity::Define(_) | Entity::Table(_))) => continue,
                Some(Ok(_)) => {
                    let message = format!("`{name}` is not drawn on the table anyway");
                    let help = "`hide` is for zones, tracks, definitions and tables";
                    return Err(self.complain(codes::WRONG_KIND, name.span, message, help));
                }
                Some(Err(reported)) => return Err(reported),
                None => return Err(self.unknown(name, None)),
            };
            self.game.shown.push(Shown {
                what,
                label: String::new(),
                chequered: false,
                side: None,
            });
        }
        Ok(())
    }

    /// Checks `show exposed on field as "( )"`.
    fn mark(&mut self, show: &ast::ShowDecl, on: &ast::Name, entity: Entity) -> Checked<()> {
        let there = match self.named(on.as_str()) {
            Some(Ok(Entity::Zone(id))) => Some(ShownWhat::Zone(id)),
            Some(Ok(Entity::Track(id))) => Some(ShownWhat::Track(id)),
            Some(Err(reported)) => return Err(reported),
            None => return Err(self.unknown(on, None)),
            Some(Ok(_)) => None,
        };
        let board = there.and_then(|it| Some((it, self.board_under(it)?)));
        let Some((there, (space, _))) = board else {
            return Err(self.not_on_board(on, "marked"));
        };
        let define = match entity {
            Entity::Define(id) if self.is_set_for_seat(id, space) => id,
            _ => {
                let of = self
                    .domain(space)
                    .map_or(String::new(), |it| it.name.clone());
                let message = format!("`{}` is no set of places of `{on}`", show.name);
                let help = format!(
                    "a definition says what is marked: `define {}(viewer: seat): set of {of} = …`",
                    show.name
                );
                return Err(self.complain(codes::WRONG_KIND, show.name.span, message, help));
            }
        };
        let text = show.template.plain().unwrap_or("");
        let sign = match text.split_once(' ') {
            Some((before, behind)) if !behind.contains(' ') => MarkSign::Around {
                before: before.to_owned(),
                behind: behind.to_owned(),
            },
            None if text.chars().count() == 1 => MarkSign::Empty(text.to_owned()),
            _ => {
                let message = "a mark has one blank for what lies there";
                let help = "write a sign before it, behind it, or both: `\"( )\"`, `\" *\"`; or a single one, which stands where nothing lies";
                return Err(self.complain(codes::WRONG_KIND, show.template.span, message, help));
            }
        };
        if let Some(side) = &show.side {
            let message = format!("a mark on `{on}` has no sides");
            let help = format!("write `from` behind `show {on} as`");
            return Err(self.complain(codes::WRONG_KIND, side.name.span, message, help));
        }
        if show.chequered {
            let message = format!("a mark on `{on}` is not chequered");
            let help = format!("write `chequered` behind `show {on} as`");
            return Err(self.complain(codes::WRONG_KIND, show.name.span, message, help));
        }
        self.game.marks.push(Mark {
            define,
            on: there,
            sign,
        });
        Ok(())
    }

    /// What says which side of a board is whose.
    fn side_of(&mut self, what: ShownWhat, name: &ast::Name) -> Checked<SideOf> {
        let Some((space, true)) = self.board_under(what) else {
            return Err(self.not_on_board(name, "turned"));
        };
        let direction = Base::Elem(self.direction);
        match self.named(name.as_str()) {
            Some(Ok(Entity::Define(id))) => {
                let is_direction = self.define(id).is_some_and(|it| it.ty.base == direction);
                if self.is_of_seats(id) && is_direction || self.is_set_for_seat(id, space) {
                    return Ok(SideOf::Define(id));
                }
            }
            Some(Ok(Entity::Table(id))) => {
                let table = self.game.tables.get(id.index());
                if table.is_some_and(|it| it.index == [self.game.seat] && it.ty.base == direction) {
                    return Ok(SideOf::Table(id));
                }
            }
            Some(Err(reported)) => return Err(reported),
            None => return Err(self.unknown(name, None)),
            Some(Ok(_)) => {}
        }
        let message = format!("`{name}` does not say at which side a seat sits");
        let help = format!(
            "write `table {name}[seat]: Direction {{ … }}`, or a definition of a seat that gives a direction or the places at its side"
        );
        Err(self.complain(codes::WRONG_KIND, name.span, message, help))
    }

    /// The board over which something lies, and whether it has sides: rows and columns that can be turned.
    fn board_under(&self, what: ShownWhat) -> Option<(DomainId, bool)> {
        let index = match what {
            ShownWhat::Zone(id) => &self.game.zones.get(id.index())?.index,
            ShownWhat::Track(id) => &self.game.tracks.get(id.index())?.index,
            ShownWhat::Define(_) | ShownWhat::Table(_) => return None,
        };
        let [space] = index.as_slice() else {
            return None;
        };
        let DomainKind::Space { axes, shape } = &self.domain(*space)?.kind else {
            return None;
        };
        let has_sides = match shape {
            Shape::Grid | Shape::Hexes => true,
            Shape::Cells(cells) => match cells.look {
                Look::Squares | Look::Hexagons => true,
                Look::Drawn(_) => false,
                Look::Edges(_) => return None,
            },
            _ => return None,
        };
        (axes.len() == 2 || !has_sides).then_some((*space, has_sides))
    }

    fn not_on_board(&mut self, name: &ast::Name, done: &str) -> Reported {
        let message = format!("this is not drawn as a board, so nothing of it is {done}");
        let help = "zones and tracks over one `grid`, `hexes` or `drawn` space are";
        self.complain(codes::WRONG_KIND, name.span, message, help)
    }

    /// Whether a definition is a set of places, for each seat or alike for all.
    fn is_set_for_seat(&self, id: DefineId, space: DomainId) -> bool {
        let Some(define) = self.define(id) else {
            return false;
        };
        let is_seat = |local: &crate::model::LocalId| {
            let local = self.game.locals.get(local.index());
            local.is_some_and(|it| it.ty == self.seat_type())
        };
        define.ty == Type::of(Base::Set(space))
            && define.params.len() <= 1
            && define.params.iter().all(is_seat)
    }

    fn cannot_stand(&mut self, name: &ast::Name) -> Reported {
        let message = format!("`{name}` cannot stand on the table");
        let help = "`show` is for kinds of values, zones, tracks, definitions of a seat (and of a list) or of nobody that have a single value, and tables of records or of single values over one list";
        self.complain(codes::WRONG_KIND, name.span, message, help)
    }

    /// Whether a definition needs nothing and has a single value.
    fn is_single(&self, id: DefineId) -> bool {
        self.define(id).is_some_and(|it| {
            it.params.is_empty() && !matches!(it.ty.base, Base::Set(_) | Base::Unit)
        })
    }

    /// Whether a definition has a single value for each seat, or for each seat and member of a list.
    fn is_of_seats(&self, id: DefineId) -> bool {
        let Some(define) = self.define(id) else {
            return false;
        };
        let of = |at: usize| -> Option<Type> {
            let local = define.params.get(at)?;
            Some(self.game.locals.get(local.index())?.ty)
        };
        let is_list = |ty: Type| match ty.base {
            Base::Elem(domain) => self.domain(domain).is_some_and(|it| {
                it.size <= MOST_SHEET_LINES && matches!(it.kind, DomainKind::Enum { .. })
            }),
            _ => false,
        };
        let is_single = !matches!(define.ty.base, Base::Set(_) | Base::Unit);
        is_single
            && of(0).is_some_and(|it| it == self.seat_type())
            && match define.params.len() {
                1 => true,
                2 => of(1).is_some_and(is_list),
                _ => false,
            }
    }

    /// Whether a table says several things of what it is about.
    fn holds_records(&self, id: crate::model::TableId) -> bool {
        let Some(table) = self.game.tables.get(id.index()) else {
            return false;
        };
        let Base::Elem(cell) = table.ty.base else {
            return false;
        };
        let is_record = |it: &crate::model::Domain| matches!(it.kind, DomainKind::Record { .. });
        !table.index.is_empty() && self.domain(cell).is_some_and(is_record)
    }

    /// Whether a table says one thing of each member of a list, such as the points of a card.
    fn is_printed(&self, id: crate::model::TableId) -> bool {
        let Some(table) = self.game.tables.get(id.index()) else {
            return false;
        };
        let [of] = table.index.as_slice() else {
            return false;
        };
        let is_list = self.domain(*of).is_some_and(|it| {
            it.size <= MOST_SHEET_LINES
                && matches!(it.kind, DomainKind::Enum { .. } | DomainKind::Range)
        });
        is_list && matches!(table.ty.base, Base::Int(..) | Base::Bool | Base::Elem(_))
    }
}
