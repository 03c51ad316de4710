//! What the parts of components look like, as pictures say it: the same in every position.

use super::fault::Fault;
use super::r#gen::Tier;
use super::machine::Machine;
use super::program::Program;
use super::query::{Query, Value};
use super::text::print_value;
use crate::diagnostic::Diagnostic;
use crate::model::text::Form;
use crate::model::{
    Base, DomainId, DomainKind, Expr, ExprKind, Layer, Picture, Shape, Type, ZoneId,
};

/// Most components whose looks are tried out when a rulebook is compiled.
const MOST_TRIED: i64 = 2_048;

/// What a part looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Its ports where it is not turned, counted from 0.
    pub ports: Vec<usize>,
    /// The layers that are of it, as indices into [`Looks::layers`].
    pub layers: Vec<usize>,
}

/// Tells what the parts in a space look like.
#[derive(Debug)]
pub struct Looks<'p> {
    machine: Machine<'p>,
    /// The zone in which the components lie.
    pub zone: ZoneId,
    /// The component that has the parts.
    pub component: DomainId,
    /// Ports on each side.
    pub n_ports: usize,
    /// The field of the zone by which a component is turned.
    pub turn: Option<usize>,
    /// What parts can look like, in the order of the pictures.
    pub layers: Vec<&'p Layer>,
    n_slots: i64,
    /// For each picture, the first of its layers and its conditions; the first one also has the ports.
    queries: Vec<Query>,
    /// For each query, the layer of each condition; none for the ports.
    asked: Vec<Vec<Option<usize>>>,
    /// Layers that all parts have.
    always: Vec<usize>,
}

impl<'p> Looks<'p> {
    /// Reads the pictures of a space; none where there are none.
    ///
    /// # Errors
    /// Where they need more room than the engine has.
    pub fn of(program: &'p Program, space: DomainId) -> Result<Option<Self>, Fault> {
        let game = &*program.game;
        let domain = game.domains.get(space.index());
        let Some(DomainKind::Space {
            axes,
            shape:
                Shape::Parts {
                    zone,
                    meeting: Some(meeting),
                },
        }) = domain.map(|it| &it.kind)
        else {
            return Ok(None);
        };
        let pictures = game.pictures.iter().filter(|it| it.space == space);
        let pictures: Vec<&Picture> = pictures.collect();
        let (Some(first), Some(place)) = (pictures.first(), game.zones.get(zone.index())) else {
            return Ok(None);
        };
        let mut looks = Self {
            machine: Machine::new(program),
            zone: *zone,
            component: place.component,
            n_ports: usize::try_from(size(program, meeting.port)).unwrap_or(0) / 4,
            turn: meeting.turn,
            layers: Vec::new(),
            n_slots: axes
                .get(1)
                .map_or(0, |it| i64::try_from(it.size).unwrap_or(0)),
            queries: Vec::new(),
            asked: Vec::new(),
            always: Vec::new(),
        };
        let local = |id, domain| {
            Expr::local(
                id,
                Type::of(Base::Elem(domain)),
                first.layers.first().map(|it| it.span).unwrap_or_default(),
            )
        };
        let slots = axes.get(1).map_or(Type::UNIT, |it| it.ty);
        let Base::Elem(slots) = slots.base else {
            return Ok(None);
        };
        let args = vec![
            local(first.component, place.component),
            local(first.slot, slots),
        ];
        let span = args.first().map(|it| it.span).unwrap_or_default();
        let ports = Expr::set(ExprKind::Call(meeting.ports, args), meeting.port, span);
        for (number, picture) in pictures.iter().enumerate() {
            let mut exprs = Vec::new();
            let mut asked = Vec::new();
            if number == 0 {
                exprs.push(&ports);
                asked.push(None);
            }
            for layer in &picture.layers {
                match &layer.cond {
                    Some(cond) => {
                        exprs.push(cond);
                        asked.push(Some(looks.layers.len()));
                    }
                    None => looks.always.push(looks.layers.len()),
                }
                looks.layers.push(layer);
            }
            let inputs = [picture.component, picture.slot];
            looks.queries.push(Query::with_inputs(
                program,
                &inputs,
                &exprs,
                Tier::AsWritten,
            )?);
            looks.asked.push(asked);
        }
        Ok(Some(looks))
    }

    /// What each part of a component looks like, by slot.
    ///
    /// # Errors
    /// A fault of a condition.
    pub fn parts(&mut self, kind: i64) -> Result<Vec<Look>, Fault> {
        (0..self.n_slots)
            .map(|slot| self.part(kind, slot))
            .collect()
    }

    fn part(&mut self, kind: i64, slot: i64) -> Result<Look, Fault> {
        let mut look = Look {
            ports: Vec::new(),
            layers: self.always.clone(),
        };
        for (query, asked) in self.queries.iter().zip(&self.asked) {
            let values = self.machine.ask_of(query, &[kind, slot])?;
            for (value, asked) in values.iter().zip(asked) {
                match (value, asked) {
                    (Value::Set(words), None) => {
                        look.ports = super::text::members(words).collect();
                    }
                    (value, Some(layer)) if value.scalar() != 0 => look.layers.push(*layer),
                    _ => {}
                }
            }
        }
        look.layers.sort_unstable();
        Ok(look)
    }
}

fn size(program: &Program, domain: DomainId) -> u64 {
    let domain = program.game.domains.get(domain.index());
    domain.map_or(0, |it| it.size)
}

/// Says which pictures cannot be drawn.
pub(super) fn broken(program: &Program) -> Vec<Diagnostic> {
    let game = &*program.game;
    let mut found = Vec::new();
    let mut spaces: Vec<DomainId> = game.pictures.iter().map(|it| it.space).collect();
    spaces.dedup();
    for space in spaces {
        let mut looks = match Looks::of(program, space) {
            Ok(Some(looks)) => looks,
            Ok(None) => continue,
            Err(fault) => {
                found.push(fault.diagnostic());
                continue;
            }
        };
        let kinds = i64::try_from(size(program, looks.component)).unwrap_or(MOST_TRIED);
        for kind in 0..kinds.min(MOST_TRIED) {
            let Err(fault) = looks.parts(kind) else {
                continue;
            };
            let ty = Type::of(Base::Elem(looks.component));
            let which = print_value(game, ty, kind, Form::Plain);
            let clause = game.pictures.iter().find(|it| it.space == space);
            let clause = clause.and_then(|it| game.clauses.get(it.clause.index()));
            let span = clause.map(|it| it.span).unwrap_or_default();
            let label = format!("asked for a part of {which}");
            found.push(fault.diagnostic().label(span, label));
            break;
        }
    }
    found
}
