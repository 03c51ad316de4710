//! By what names zones, tracks, values and tables stand on the table.

use crate::diagnostic::codes;
use crate::limits::MOST_SHEET_LINES;
use crate::model::{Base, DomainKind, Shown, ShownWhat, Type};
use crate::syntax::ast;

use super::{Checked, Checker, Entity};

impl<'a> Checker<'a> {
    /// Checks `show NAME as "…"` of what is not a kind of value.
    pub(super) fn show_on_table(&mut self, show: &'a ast::ShowDecl, entity: Entity) -> Checked<()> {
        let what = match entity {
            Entity::Zone(id) => ShownWhat::Zone(id),
            Entity::Track(id) => ShownWhat::Track(id),
            Entity::Define(id) if self.is_of_seats(id) => ShownWhat::Define(id),
            Entity::Table(id) if self.holds_records(id) || self.is_printed(id) => {
                ShownWhat::Table(id)
            }
            _ => {
                let message = format!("`{}` cannot stand on the table", show.name);
                let help = "`show` is for kinds of values, zones, tracks, definitions of a seat (and of a list), and tables of records or of what is printed on a component";
                return Err(self.complain(codes::WRONG_KIND, show.name.span, message, help));
            }
        };
        let Some(label) = show.template.plain() else {
            let message = format!("the name of `{}` has a hole", show.name);
            let help = "write the words by which it stands on the table";
            return Err(self.complain(codes::WRONG_KIND, show.template.span, message, help));
        };
        self.game.shown.push(Shown {
            what,
            label: label.to_owned(),
        });
        Ok(())
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
