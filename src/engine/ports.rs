//! The ports of parts, worked out once when a game is compiled.

use std::sync::Arc;

use super::chance::Dice;
use super::r#gen::{self, Gen, Graph, Tier};
use super::layout::{Layout, PartsLayout, words_for};
use super::memory::Memory;
use super::op::{Reg, word, zone16};
use super::planes::SIDES;
use super::vm::{Bench, fresh_memory, load_consts, run};
use crate::model::{
    Base, DefineId, DomainId, DomainKind, Expr, ExprKind, Game, LocalId, Shape, Type,
};
use crate::source::Span;

/// Most slots and most ports of a component.
const MOST: u64 = 64;

/// Every space of parts that meet, with its ports.
///
/// # Errors
/// What did not fit, in words.
pub(super) fn parts_of(
    game: &Game,
    layout: &Layout,
    graph: &Arc<Graph>,
) -> Result<Vec<PartsLayout>, String> {
    let mut found = Vec::new();
    for (at, domain) in game.domains.iter().enumerate() {
        let DomainKind::Space {
            axes,
            shape:
                Shape::Parts {
                    zone,
                    meeting: Some(meeting),
                },
        } = &domain.kind
        else {
            continue;
        };
        let size = |id: DomainId| game.domains.get(id.index()).map_or(0, |domain| domain.size);
        let Some(component) = game.zones.get(zone.index()).map(|zone| zone.component) else {
            continue;
        };
        let (kinds, ports) = (size(component), size(meeting.port));
        let slots = axes.get(1).map_or(0, |axis| axis.size);
        if slots > MOST || ports > MOST {
            return Err(format!("`{}`", domain.name));
        }
        let of_part = ports_of(game, layout, graph, meeting.ports, kinds, slots, ports)?;
        let (slots, ports) = (slots as usize, ports as usize);
        let mut at_port = vec![0u64; kinds as usize * ports];
        for (index, mask) in of_part.iter().enumerate() {
            let (kind, slot) = (index / slots.max(1), index % slots.max(1));
            for port in (0..ports).filter(|port| mask >> port & 1 == 1) {
                if let Some(cell) = at_port.get_mut(kind * ports + port) {
                    *cell |= 1 << slot;
                }
            }
        }
        found.push(PartsLayout {
            domain: DomainId(u32::try_from(at).unwrap_or(u32::MAX)),
            zone: zone16(*zone),
            slots: slots as u16,
            ports: ports as u16,
            turn: meeting.turn,
            of_part,
            at_port,
            across: (0..ports).map(|port| across(port, ports)).collect(),
        });
    }
    Ok(found)
}

/// The side of a port, and the port that a neighbour over that side turns to it: the left end of one
/// side meets the right end of the other.
fn across(port: usize, ports: usize) -> (u8, u8) {
    let per_side = (ports / SIDES.len()).max(1);
    let side = port / per_side;
    let opposite = (side + SIDES.len() / 2) % SIDES.len();
    let facing = opposite * per_side + (per_side - 1 - port % per_side);
    (side as u8, facing as u8)
}

/// The ports of every slot of every kind; none where the rules give no answer.
fn ports_of(
    game: &Game,
    layout: &Layout,
    graph: &Arc<Graph>,
    define: DefineId,
    kinds: u64,
    slots: u64,
    ports: u64,
) -> Result<Vec<u64>, String> {
    let Some(found) = game.defines.get(define.index()) else {
        return Ok(Vec::new());
    };
    let set = Type::of(match found.ty.base {
        Base::Set(domain) => Base::Set(domain),
        _ => return Ok(Vec::new()),
    });
    let args: Vec<Expr> = found
        .params
        .iter()
        .map(|param| local(game, *param))
        .collect();
    let call = Expr::new(ExprKind::Call(define, args), set, Span::default());
    let params = found.params.clone();
    let mut value: Reg = word::ARGS;
    let words = words_for(ports);
    let code = r#gen::fragment(
        game,
        layout,
        graph,
        Tier::AsWritten,
        &mut |r#gen: &mut Gen<'_, '_>| {
            for (at, param) in params.iter().enumerate() {
                // Calls overwrite the argument words.
                let input = r#gen.temp();
                r#gen.mov(input, word::ARGS + u16::try_from(at).unwrap_or(0));
                r#gen.set_local(*param, input);
            }
            value = r#gen.temps(words);
            r#gen.value_to(&call, value);
        },
    )
    .map_err(|it| it.what)?;
    let mut memory: Box<Memory> = fresh_memory();
    load_consts(&mut memory, &code);
    let mut bench = Bench::default();
    let mut all = Vec::new();
    for kind in 0..kinds {
        for slot in 0..slots {
            memory[usize::from(word::ARGS)] = kind;
            memory[usize::from(word::ARGS) + 1] = slot;
            let ran = run::<false>(
                &mut memory,
                &code,
                layout,
                0,
                code.start,
                &mut bench,
                &mut Dice::new(0),
            );
            all.push(if ran.is_ok() {
                memory[usize::from(value)]
            } else {
                0
            });
        }
    }
    Ok(all)
}

fn local(game: &Game, id: LocalId) -> Expr {
    let ty = game
        .locals
        .get(id.index())
        .map_or(Type::UNIT, |local| local.ty);
    Expr::local(id, ty, Span::default())
}
