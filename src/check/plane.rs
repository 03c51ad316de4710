//! A plane that grows component by component, and the parts of what lies on it.

use super::family::Family;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    Base, DefineId, DomainId, DomainKind, Expr, ExprKind, Field, Meeting, Shape, Type, ZoneId,
    ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast::{self, Axis};

use super::domains::{field, lone_name};
use super::thing::Thing;
use super::types::Sized;
use super::{Checked, Checker, Entity, Reported, State};

impl<'a> Checker<'a> {
    /// `plane(Side)`.
    pub(super) fn plane(&mut self, it: &'a ast::SpaceDecl) -> Checked<(Vec<Field>, Shape)> {
        let help = "name the cyclic enum of its four sides: `plane(Side)`";
        let Some(name) = lone_name(it) else {
            return Err(self.axes_wrong(it, help));
        };
        let sides = match self.named(name.as_str()) {
            Some(Ok(Entity::Domain(id))) => id,
            Some(Err(reported)) => return Err(reported),
            _ => return Err(self.axes_wrong(it, help)),
        };
        if self.cyclic(sides) != Some(4) {
            return Err(self.axes_wrong(it, help));
        }
        let copies = self.copies_on(&it.name)?;
        // The two ends of the frontier must not fall on one cell.
        let span = u32::try_from(copies.saturating_add(2)).unwrap_or(u32::MAX);
        let span = span.min(Shape::WIDEST);
        let sized = Sized {
            ty: Type::of(Base::Int(0, i64::from(span) - 1)),
            size: u64::from(span),
        };
        let axes = vec![field("x", sized), field("y", sized)];
        Ok((axes, Shape::Plane { span, sides }))
    }

    /// The number of values of a cyclic enum.
    fn cyclic(&self, domain: DomainId) -> Option<usize> {
        match self.domain(domain).map(|it| &it.kind) {
            Some(DomainKind::Enum {
                values,
                cyclic: true,
            }) => Some(values.len()),
            _ => None,
        }
    }

    /// `parts(land, Slot)`, with where they meet.
    pub(super) fn parts(&mut self, it: &'a ast::SpaceDecl) -> Checked<(Vec<Field>, Shape)> {
        let help = "name the zone of a plane and the enum of the slots: `parts(land, Slot)`";
        let [
            Axis::Value(ast::Expr {
                kind: ast::ExprKind::Name(zone),
                ..
            }),
            Axis::Value(ast::Expr {
                kind: ast::ExprKind::Name(slot),
                ..
            }),
        ] = it.axes.as_slice()
        else {
            return Err(self.axes_wrong(it, help));
        };
        let (zone, slot) = match (self.named(zone.as_str()), self.named(slot.as_str())) {
            (Some(Ok(Entity::Zone(zone))), Some(Ok(Entity::Domain(slot)))) => (zone, slot),
            (Some(Err(reported)), _) | (_, Some(Err(reported))) => return Err(reported),
            _ => return Err(self.axes_wrong(it, help)),
        };
        let Some((plane, sides)) = self.plane_under(zone) else {
            return Err(self.axes_wrong(it, help));
        };
        if !matches!(
            self.domain(slot).map(|it| &it.kind),
            Some(DomainKind::Enum { .. })
        ) {
            return Err(self.axes_wrong(it, help));
        }
        let component = self.game.zones.get(zone.index()).map(|it| it.component);
        let component = component.ok_or(Reported)?;
        let laid = self.copies_of(component)?;
        let at = Sized {
            ty: Type::of(Base::Elem(plane)),
            size: laid,
        };
        let slots = Sized {
            ty: self.element(slot),
            size: self.size(slot),
        };
        let meeting = match &it.meeting {
            Some(meeting) => Some(self.meeting(meeting, zone, sides, [component, slot])?),
            None => None,
        };
        let axes = vec![field("at", at), field("slot", slots)];
        Ok((axes, Shape::Parts { zone, meeting }))
    }

    /// The plane over which a zone of single components lies, and the enum of its sides.
    fn plane_under(&self, zone: ZoneId) -> Option<(DomainId, DomainId)> {
        let zone = self.game.zones.get(zone.index())?;
        let [plane] = zone.index.as_slice() else {
            return None;
        };
        match &self.domain(*plane)?.kind {
            DomainKind::Space {
                shape: Shape::Plane { sides, .. },
                ..
            } if zone.kind == ZoneKind::One => Some((*plane, *sides)),
            _ => None,
        }
    }

    /// `meeting at ports turned by turn`.
    fn meeting(
        &mut self,
        it: &ast::Meeting,
        zone: ZoneId,
        sides: DomainId,
        of: [DomainId; 2],
    ) -> Checked<Meeting> {
        let (ports, port) = self.ports(&it.ports, sides, of)?;
        let turn = match &it.turn {
            Some(name) => Some(self.turn_field(name, zone, sides)?),
            None => None,
        };
        Ok(Meeting { ports, turn, port })
    }

    /// Finds the definition of the ports of a part, and the enum of the ports.
    fn ports(
        &mut self,
        name: &ast::Name,
        sides: DomainId,
        of: [DomainId; 2],
    ) -> Checked<(DefineId, DomainId)> {
        let word =
            |this: &Self, id: DomainId| this.domain(id).map_or(String::new(), |it| it.name.clone());
        let (component, slot) = (word(self, of[0]), word(self, of[1]));
        let help = format!(
            "write `define {name}(t: {component}, s: {slot}): set of Port = …` with a cyclic enum of ports"
        );
        let id = match self.named(name.as_str()) {
            Some(Ok(Entity::Define(id))) => id,
            Some(Err(reported)) => return Err(reported),
            Some(Ok(_)) => {
                let message = format!("`{name}` is not a definition");
                return Err(self.complain(codes::WRONG_KIND, name.span, message, help));
            }
            None => return Err(self.unknown(name, None)),
        };
        let define = self.define(id).ok_or(Reported)?;
        let (params, ty) = (define.params.clone(), define.ty);
        let params: Vec<Type> = params.iter().map(|it| self.local_type(*it)).collect();
        if params != of.map(|it| Type::of(Base::Elem(it))) {
            let message = format!("`{name}` does not take a `{component}` and a `{slot}`");
            return Err(self.complain(codes::WRONG_ARGUMENTS, name.span, message, help));
        }
        let Base::Set(port) = ty.base else {
            let gives = self.type_name(ty);
            let message = format!("`{name}` gives {gives}, not a set of ports");
            return Err(self.complain(codes::WRONG_TYPE, name.span, message, help));
        };
        let n_sides = usize::try_from(self.size(sides)).unwrap_or(0).max(1);
        match self.cyclic(port) {
            Some(n) if n > 0 && n.is_multiple_of(n_sides) => Ok((id, port)),
            _ => {
                let of = word(self, port);
                let message = format!(
                    "`{of}` is no cyclic enum with the same number of values for each of the {n_sides} sides"
                );
                Err(self.complain(
                    codes::WRONG_TYPE,
                    name.span,
                    message,
                    "list the ports clockwise, those of the first side first, and write `cyclic`",
                ))
            }
        }
    }

    /// Finds the field by which what lies in a zone is turned.
    fn turn_field(&mut self, name: &ast::Name, zone: ZoneId, sides: DomainId) -> Checked<usize> {
        let zone = self.game.zones.get(zone.index()).ok_or(Reported)?;
        let of = zone.name.clone();
        let list: Vec<String> = zone.fields.iter().map(|it| it.name.clone()).collect();
        let Some(at) = list.iter().position(|it| *it == name.text) else {
            let message = format!("the places of `{of}` have no field `{name}`");
            return Err(self.not_among(codes::UNKNOWN_FIELD, name, message, &list));
        };
        let ty = zone.fields.get(at).map(|it| it.ty);
        if ty == Some(Type::of(Base::Elem(sides))) {
            return Ok(at);
        }
        let sides = self
            .domain(sides)
            .map_or(String::new(), |it| it.name.clone());
        let message = format!("`{name}` does not turn anything: it is no `{sides}`");
        Err(self.complain(
            codes::WRONG_TYPE,
            name.span,
            message,
            format!("declare it as `with {name}: {sides}`"),
        ))
    }

    /// The ports of a part are the same in every position.
    pub(super) fn check_ports(&mut self) {
        for index in 0..self.entries.len() {
            let ast::ItemKind::Space(ast::SpaceDecl {
                meeting: Some(meeting),
                ..
            }) = &self.item(index).kind
            else {
                continue;
            };
            let Some(State::Done(Entity::Domain(space))) =
                self.entries.get(index).map(|it| it.state)
            else {
                continue;
            };
            let Some(DomainKind::Space {
                shape:
                    Shape::Parts {
                        meeting: Some(found),
                        ..
                    },
                ..
            }) = self.domain(space).map(|it| &it.kind)
            else {
                continue;
            };
            let ports = found.ports;
            if let Some(read) = self.state_read_by(ports) {
                let name = &meeting.ports;
                let body = self.define(ports).map(|it| it.body.span);
                let message =
                    format!("the ports of a part never change, but `{name}` reads {read}");
                self.report(
                    Diagnostic::at(codes::NOT_CONSTANT, name.span, message)
                        .label(body.unwrap_or(name.span), "defined here")
                        .help(
                            "use tables; what changes during the game belongs into other clauses",
                        ),
                );
            }
        }
    }

    // ---------- built-in functions

    /// `laid(land)` and `frontier(land)`.
    pub(super) fn laid(&mut self, zone: &ast::Expr, frontier: bool, span: Span) -> Checked<Expr> {
        let Thing::Family(Family { zone: id, .. }) = self.whole(zone)? else {
            return Err(self.complain(
                codes::NOT_A_PLACE,
                zone.span,
                "this is no zone with an index",
                "name the zone without its index: `laid(land)`",
            ));
        };
        let Some(found) = self.game.zones.get(id.index()) else {
            return Err(Reported);
        };
        let space = match (found.index.as_slice(), found.kind) {
            ([space], ZoneKind::One) => *space,
            _ => {
                let message = "this needs a zone of single components with one index";
                return Err(self.error(codes::WRONG_TYPE, zone.span, message));
            }
        };
        if frontier && self.plane_under(id).is_none() {
            return Err(self.error(codes::WRONG_TYPE, zone.span, "only a plane has a frontier"));
        }
        let kind = if frontier {
            ExprKind::Frontier(id)
        } else {
            ExprKind::Laid(id)
        };
        Ok(Expr::new(kind, self.set_of_cells(space), span))
    }

    /// `parts_at(spot)`.
    pub(super) fn parts_at(&mut self, spot: &ast::Expr, span: Span) -> Checked<Expr> {
        let (spot, plane) = self.cell_of(spot)?;
        let Some((parts, _)) = self.parts_over(plane, false) else {
            let message = "no space of parts lies on this plane";
            return Err(self.error(codes::WRONG_TYPE, span, message));
        };
        Ok(Expr {
            kind: ExprKind::PartsAt(parts, Box::new(spot)),
            ty: self.set_of_cells(parts),
            span,
        })
    }

    /// `touching(p)`.
    pub(super) fn touching(&mut self, part: &ast::Expr, span: Span) -> Checked<Expr> {
        let (part, space, _) = self.meeting_part(part)?;
        Ok(Expr {
            kind: ExprKind::Touching(Box::new(part)),
            ty: self.set_of_cells(space),
            span,
        })
    }

    /// `loose(p)`.
    pub(super) fn loose(&mut self, part: &ast::Expr, span: Span) -> Checked<Expr> {
        let (part, _, meeting) = self.meeting_part(part)?;
        Ok(Expr::set(
            ExprKind::Loose(Box::new(part)),
            meeting.port,
            span,
        ))
    }

    /// `part_with(spot, port)`.
    pub(super) fn part_with(
        &mut self,
        spot: &ast::Expr,
        port: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let (spot, plane) = self.cell_of(spot)?;
        let Some((parts, Some(meeting))) = self.parts_over(plane, true) else {
            return Err(self.no_meeting(span, "no parts that meet lie on this space"));
        };
        let port = self.typed(port, Type::of(Base::Elem(meeting.port)))?;
        Ok(Expr {
            kind: ExprKind::PartAtPort(Box::new(spot), Box::new(port)),
            ty: Type::of(Base::Elem(parts)).or_none(),
            span,
        })
    }

    fn no_meeting(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.complain(
            codes::WRONG_TYPE,
            span,
            message,
            "declare where parts meet: `space Part: parts(land, Slot) meeting at ports`",
        )
    }

    /// A part that may touch others, its space and where its kind meets.
    fn meeting_part(&mut self, part: &ast::Expr) -> Checked<(Expr, DomainId, Meeting)> {
        let part = self.value(part, None)?;
        if let Base::Elem(id) = part.ty.base
            && let Some(DomainKind::Space {
                shape:
                    Shape::Parts {
                        meeting: Some(meeting),
                        ..
                    },
                ..
            }) = self.domain(id).map(|it| &it.kind)
        {
            let meeting = *meeting;
            return Ok((part, id, meeting));
        }
        let of = self.type_name(part.ty);
        Err(self.no_meeting(part.span, format!("{of} is no part that meets others")))
    }

    /// The parts of what lies on a plane; if they must meet, those that do.
    fn parts_over(&mut self, plane: DomainId, meet: bool) -> Option<(DomainId, Option<Meeting>)> {
        for index in 0..self.entries.len() {
            if matches!(self.item(index).kind, ast::ItemKind::Space(_)) {
                let _ = self.entity(index);
            }
        }
        let over = |id: ZoneId| {
            let zone = self.game.zones.get(id.index());
            zone.is_some_and(|it| it.index == [plane])
        };
        let found = self.game.domains.iter().enumerate();
        found.into_iter().find_map(|(at, it)| match &it.kind {
            DomainKind::Space {
                shape: Shape::Parts { zone, meeting },
                ..
            } if over(*zone) && (meeting.is_some() || !meet) => {
                Some((DomainId(u32::try_from(at).unwrap_or(0)), *meeting))
            }
            _ => None,
        })
    }
}
