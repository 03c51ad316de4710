//! Questions to a running game, put together from the names of its rulebook.

use adit::engine::{Program, Value, text};
use adit::model::text::Form;
use adit::model::{
    Base, DefineId, Domain, DomainId, DomainKind, Expr, ExprKind, Field, Game, Place, TrackId,
    Type, ZoneId,
};
use adit::source::Span;

/// Finds what a rulebook has declared.
#[derive(Clone, Copy)]
pub struct Names {
    pub program: &'static Program,
}

fn expr(kind: ExprKind, ty: Type) -> Expr {
    let span = Span::default();
    Expr { kind, ty, span }
}

fn find<T>(list: &[T], name: &str, of: impl Fn(&T) -> &str) -> usize {
    let found = list.iter().position(|it| of(it) == name);
    found.unwrap_or_else(|| panic!("the rulebook has no {name}"))
}

impl Names {
    pub fn game(self) -> &'static Game {
        &self.program.game
    }

    pub fn domain(self, name: &str) -> DomainId {
        let at = find(&self.game().domains, name, |it| &it.name);
        DomainId(u32::try_from(at).unwrap())
    }

    pub fn zone(self, name: &str) -> ZoneId {
        let at = find(&self.game().zones, name, |it| &it.name);
        ZoneId(u32::try_from(at).unwrap())
    }

    pub fn domain_of(self, id: DomainId) -> &'static Domain {
        &self.game().domains[id.index()]
    }

    pub fn element(self, domain: DomainId, value: i64) -> Expr {
        expr(ExprKind::Value(value), Type::of(Base::Elem(domain)))
    }

    pub fn seat(self, seat: usize) -> Expr {
        self.element(self.game().seat, i64::try_from(seat).unwrap())
    }

    /// The value of a definition.
    pub fn call(self, name: &str, arguments: Vec<Expr>) -> Expr {
        let at = find(&self.game().defines, name, |it| &it.name);
        let id = DefineId(u32::try_from(at).unwrap());
        let ty = self.game().defines[at].ty;
        expr(ExprKind::Call(id, arguments), ty)
    }

    pub fn track(self, name: &str, index: Expr) -> Expr {
        let at = find(&self.game().tracks, name, |it| &it.name);
        let id = TrackId(u32::try_from(at).unwrap());
        expr(ExprKind::Track(id, vec![index]), self.game().tracks[at].ty)
    }

    pub fn place(self, zone: &str, index: Vec<Expr>) -> Place {
        let zone = self.zone(zone);
        Place { zone, index }
    }

    pub fn component(self, place: Place) -> Expr {
        let component = self.game().zones[place.zone.index()].component;
        let ty = Type {
            base: Base::Elem(component),
            optional: true,
        };
        expr(ExprKind::Component(place), ty)
    }

    /// The only field of a place.
    pub fn place_field(self, place: Place) -> Expr {
        let ty = self.game().zones[place.zone.index()].fields[0].ty;
        expr(ExprKind::PlaceField(place, 0), ty)
    }

    pub fn count(self, place: Place) -> Expr {
        expr(ExprKind::Count(place), Type::of(Base::Int(0, 10_000)))
    }

    pub fn count_of(self, place: Place, kind: usize) -> Expr {
        let component = self.game().zones[place.zone.index()].component;
        let kind = Box::new(self.element(component, i64::try_from(kind).unwrap()));
        let ty = Type::of(Base::Int(0, 10_000));
        expr(ExprKind::CountOf(place, kind), ty)
    }

    /// Where something lies.
    pub fn laid(self, zone: &str) -> Expr {
        let zone = self.zone(zone);
        let space = self.game().zones[zone.index()].index[0];
        expr(ExprKind::Laid(zone), Type::of(Base::Set(space)))
    }

    /// The parts of what lies at a spot.
    pub fn parts_at(self, parts: &str, spot: usize) -> Expr {
        let parts = self.domain(parts);
        let Base::Elem(spots) = fields_of(self.domain_of(parts))[0].ty.base else {
            panic!("parts lie somewhere");
        };
        let spot = Box::new(self.element(spots, i64::try_from(spot).unwrap()));
        let ty = Type::of(Base::Set(parts));
        expr(ExprKind::PartsAt(parts, spot), ty)
    }

    /// A field of a record, or a coordinate of a place.
    pub fn field(self, of: Expr, name: &str) -> Expr {
        let Base::Elem(domain) = of.ty.base else {
            panic!("{of:?} has no fields");
        };
        let fields = fields_of(self.domain_of(domain));
        let at = find(fields, name, |it| &it.name);
        expr(ExprKind::Field(Box::new(of), at), fields[at].ty)
    }

    pub fn print(self, domain: DomainId, value: i64) -> String {
        let ty = Type::of(Base::Elem(domain));
        text::print_value(self.game(), ty, value, Form::Plain)
    }
}

/// The fields of a record, the coordinates of a space.
pub fn fields_of(domain: &Domain) -> &[Field] {
    match &domain.kind {
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => fields,
        DomainKind::Range | DomainKind::Enum { .. } => &[],
    }
}

/// A coordinate of an element of a space.
pub fn coordinate(domain: &Domain, at: usize, element: usize) -> usize {
    let field = &fields_of(domain)[at];
    let (stride, size) = (field.stride, field.size);
    usize::try_from(element as u64 / stride % size).unwrap()
}

/// The elements of a set.
pub fn members(value: &Value) -> Vec<usize> {
    match value {
        Value::Set(words) => text::members(words).collect(),
        Value::Scalar(word) => text::members(&[*word as u64]).collect(),
    }
}
