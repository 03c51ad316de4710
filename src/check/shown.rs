//! By what names zones, tracks, values and tables stand on the table.

use crate::diagnostic::codes;
use crate::limits::MOST_SHEET_LINES;
use crate::model::{Base, DomainKind, Shown, ShownWhat, Type};
use crate::syntax::ast;

use super::{Checked, Checker, Entity, Reported};

impl<'a> Checker<'a> {
    /// Checks `show NAME as "…"` of what is not a kind of value.
    pub(super) fn show_on_table(&mut self, show: &'a ast::ShowDecl, entity: Entity) -> Checked<()> {
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
        let Some(label) = show.template.plain() else {
            let message = format!("the name of `{}` has a hole", show.name);
            let help = "write the words by which it stands on the table";
            return Err(self.complain(codes::WRONG_KIND, show.template.span, message, help));
        };
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
            });
        }
        Ok(())
    }

    fn cannot_stand(&mut self, name: &ast::Name) -> Reported {
        let message = format!("`{name}` cannot stand on the table");
        let help = "`show` is for kinds of values, zones, tracks, definitions of a seat (and of a list) or of nobody, and tables of records or of what is printed on a component";
        self.complain(codes::WRONG_KIND, name.span, message, help)
    }

    /// Whether a definition needs nothing and has a single value.
    fn is_single(&self, id: crate::model::DefineId) -> bool {
        self.define(id).is_some_and(|it| {
            it.params.is_empty() && !matches!(it.ty.base, Base::Set(_) | Base::Unit)
        })
    }

    /// Whether a definition has a single value for each seat, or for each seat and member of a list.
    fn is_of_seats(&self, id: crate::model::DefineId) -> bool {
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

    /// Whether a table says one thing of each member of a list that components bear, such as the points of a card.
    fn is_printed(&self, id: crate::model::TableId) -> bool {
        let Some(table) = self.game.tables.get(id.index()) else {
            return false;
        };
        let [of] = table.index.as_slice() else {
            return false;
        };
        let borne = Base::Elem(*of);
        let bears = |it: &crate::model::Domain| match &it.kind {
            DomainKind::Record { fields, .. } => fields.iter().any(|field| field.ty.base == borne),
            _ => false,
        };
        let is_list = self
            .domain(*of)
            .is_some_and(|it| matches!(it.kind, DomainKind::Enum { .. }));
        let is_single = matches!(table.ty.base, Base::Int(..) | Base::Bool | Base::Elem(_));
        is_list && is_single && self.game.domains.iter().any(bears)
    }
}
