//! What the parts of a component are and where they lead, in words: for who does not see the picture.

use std::collections::{BTreeMap, BTreeSet};

use super::{Spot, beside, spot_of};
use crate::engine::text::print_value;
use crate::engine::{Fault, Look, Looks, Machine, PlaceView, Seen, View};
use crate::model::text::Form;
use crate::model::{Base, DomainId, DomainKind, Game, Shape, Type, ZoneKind};
use crate::play::names::is_called;

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
        lines.extend(on_land(game, view, (&mut looks, space), wanted, form)?);
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
                    && is_called(&name, wanted.trim())
                {
                    let turn = if is_land { turn_of(&looks, place) } else { 0 };
                    let parts = looks.parts(*kind)?;
                    let own = parts.iter().enumerate();
                    let own = own.filter_map(|(slot, it)| {
                        part(game, &looks, (space, slot), it, (turn, None), form)
                    });
                    lines.extend(own.map(|it| format!("{name}, {it}")));
                }
            }
        }
    }
    Ok(lines)
}

/// Of a landscape the spots where nothing lies yet, beside what does; `near 1,0` what lies around a spot shows to it.
fn on_land(
    game: &Game,
    view: &View,
    (looks, space): (&mut Looks<'_>, DomainId),
    wanted: &str,
    form: Form,
) -> Result<Vec<String>, Fault> {
    let land = looks.zone.index();
    let (Some(zone), Some(seen)) = (game.zones.get(land), view.zones.get(land)) else {
        return Ok(Vec::new());
    };
    let plane = zone.index.first().copied();
    let kind = plane.and_then(|it| Some(&game.domains.get(it.index())?.kind));
    let (
        Some(plane),
        Some(DomainKind::Space {
            shape: Shape::Plane { span, .. },
            ..
        }),
    ) = (plane, kind)
    else {
        return Ok(Vec::new());
    };
    let span = i64::from(*span);
    let name = |(x, y): Spot| {
        let cell = x.rem_euclid(span) * span + y.rem_euclid(span);
        print_value(game, Type::of(Base::Elem(plane)), cell, form)
    };
    let laid = seen.places.iter().filter_map(|it| {
        let kind = match it.seen.first()? {
            Seen::Known(kind) => *kind,
            Seen::Unknown => return None,
        };
        Some((
            spot_of(*it.index.first()?, span),
            (kind, turn_of(looks, it)),
        ))
    });
    let laid: BTreeMap<Spot, (i64, usize)> = laid.collect();
    let free = laid.keys().flat_map(|it| beside(*it));
    let free: BTreeSet<Spot> = free.filter(|it| !laid.contains_key(it)).collect();
    let wanted = wanted.trim().to_lowercase();
    if wanted == zone.name {
        let free: Vec<String> = free.into_iter().map(name).collect();
        return Ok(vec![format!(
            "free beside {}: {}",
            zone.name,
            free.join("; ")
        )]);
    }
    let near = wanted.strip_prefix("near ").map(str::trim);
    let mut spots = laid.keys().chain(&free);
    let Some(spot) = near.and_then(|near| spots.find(|it| is_called(&name(**it), near))) else {
        return Ok(Vec::new());
    };
    let mut lines = Vec::new();
    let mut free = Vec::new();
    for (side, other) in beside(*spot).into_iter().enumerate() {
        let Some((kind, turn)) = laid.get(&other) else {
            free.push(name(other));
            continue;
        };
        let facing = Some((side + 2) % 4);
        let parts = looks.parts(*kind)?;
        let own = parts.iter().enumerate();
        let own = own
            .filter_map(|(slot, it)| part(game, looks, (space, slot), it, (*turn, facing), form));
        let own: Vec<String> = own.collect();
        lines.push(format!(
            "beside it {} shows {}",
            name(other),
            own.join("; ")
        ));
    }
    if !free.is_empty() {
        lines.push(format!("free beside it: {}", free.join("; ")));
    }
    Ok(lines)
}

fn turn_of(looks: &Looks<'_>, place: &PlaceView) -> usize {
    let turn = looks.turn.and_then(|field| place.fields.get(field));
    turn.map_or(0, |turn| usize::try_from(*turn).unwrap_or(0))
}

/// A part with what it looks like and the ports that it has as it lies, perhaps on one side alone; none if the component has no
/// such part.
fn part(
    game: &Game,
    looks: &Looks<'_>,
    (space, slot): (DomainId, usize),
    look: &Look,
    (turn, side): (usize, Option<usize>),
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
        if side.is_some_and(|it| at.checked_div(looks.n_ports) != Some(it)) {
            return None;
        }
        let ty = Type::of(Base::Elem(meeting.port));
        Some(print_value(game, ty, i64::try_from(at).ok()?, form))
    });
    let ports: Vec<String> = ports.collect();
    if side.is_some() && ports.is_empty() {
        return None;
    }
    let at = match ports.is_empty() {
        true => String::new(),
        false => format!(" at {}", ports.join(", ")),
    };
    Some(format!("{slot}: {}{at}", titles.join(", ")))
}
