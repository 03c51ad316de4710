//! What the parts of a component are and where they lead, in words: for who does not see the picture.

use crate::engine::text::print_value;
use crate::engine::{Fault, Look, Looks, Machine, PlaceView, Seen, View};
use crate::model::text::Form;
use crate::model::{Base, DomainId, DomainKind, Game, Shape, Type, ZoneKind};

/// Reads what lies at a place, or alone in a zone, part by part: `drawn, road1: road, at e, w`. Empty where nothing with
/// parts is called so.
///
/// # Errors
/// A fault of a picture.
pub fn read(
    machine: &Machine<'_>,
    view: &View,
    wanted: &str,
    form: Form,
) -> Result<Vec<String>, Fault> {
    let game = &*machine.program().game;
    let mut spaces: Vec<DomainId> = game.pictures.iter().map(|it| it.space).collect();
    spaces.sort_unstable();
    spaces.dedup();
    let mut lines = Vec::new();
    for space in spaces {
        let Some(mut looks) = Looks::of(machine.program(), space)? else {
            continue;
        };
        for (number, (zone, seen)) in game.zones.iter().zip(&view.zones).enumerate() {
            if zone.component != looks.component || zone.kind != ZoneKind::One {
                continue;
            }
            let is_land = number == looks.zone.index();
            for place in &seen.places {
                let names = zone.index.iter().zip(&place.index);
                let names = names.map(|(domain, at)| {
                    let ty = Type::of(Base::Elem(*domain));
                    print_value(game, ty, i64::try_from(*at).unwrap_or(0), form)
                });
                let names: Vec<String> = names.collect();
                let name = match names.is_empty() {
                    true => zone.name.clone(),
                    false => names.join(" "),
                };
                if let Some(Seen::Known(kind)) = place.seen.first()
                    && name.to_lowercase() == wanted.trim().to_lowercase()
                {
                    let turn = if is_land { turn_of(&looks, place) } else { 0 };
                    let parts = looks.parts(*kind)?;
                    let own = parts.iter().enumerate();
                    let own = own
                        .filter_map(|(slot, it)| part(game, &looks, (space, slot), it, turn, form));
                    lines.extend(own.map(|it| format!("{name}, {it}")));
                }
            }
        }
    }
    Ok(lines)
}

fn turn_of(looks: &Looks<'_>, place: &PlaceView) -> usize {
    let turn = looks.turn.and_then(|field| place.fields.get(field));
    turn.map_or(0, |turn| usize::try_from(*turn).unwrap_or(0))
}

/// A part with what it looks like and the ports that it has as it lies; none if the component has no such part.
fn part(
    game: &Game,
    looks: &Looks<'_>,
    (space, slot): (DomainId, usize),
    look: &Look,
    turn: usize,
    form: Form,
) -> Option<String> {
    let Some(DomainKind::Space {
        axes,
        shape: Shape::Parts {
            meeting: Some(meeting),
            ..
        },
    }) = game.domains.get(space.index()).map(|it| &it.kind)
    else {
        return None;
    };
    let named = look.layers.iter().filter_map(|it| looks.layers.get(*it));
    let mut titles: Vec<&str> = named
        .filter(|it| it.cond.is_some())
        .map(|it| it.title.as_str())
        .collect();
    titles.dedup();
    if look.ports.is_empty() && titles.is_empty() {
        return None;
    }
    let slot = print_value(game, axes.get(1)?.ty, i64::try_from(slot).ok()?, form);
    let n_all = 4 * looks.n_ports;
    let ports = look.ports.iter().filter_map(|it| {
        let at = (it + turn * looks.n_ports).checked_rem(n_all)?;
        let ty = Type::of(Base::Elem(meeting.port));
        Some(print_value(game, ty, i64::try_from(at).ok()?, form))
    });
    let ports: Vec<String> = ports.collect();
    let at = match ports.is_empty() {
        true => String::new(),
        false => format!(" at {}", ports.join(", ")),
    };
    Some(format!("{slot}: {}{at}", titles.join(", ")))
}
