//! Moves whose places are named by what lies there, as those who note games do: `Nf3`.

use std::collections::HashSet;

use super::among::{Among, INNER, TIMES, Word, joined, words_of};
use crate::engine::text::{print_index, print_value};
use crate::engine::{Candidate, CandidateKind, Machine, Phrase, Seen, Status, View, Viewer};
use crate::model::text::{Form, spelt};
use crate::model::{Base, DomainId, Game, Type};

/// Most things of a kind of which it is looked up what they are called.
const MOST_NAMES: u64 = 1_024;

/// The moves of which a text names what lies at their first place in place of that, as those who note games do: `Nf3`, `Nxf3`;
/// and whether that is a guess, because something is called as the row of a place is.
pub(super) fn by_what_moves(
    machine: &mut Machine<'_>,
    typed: &str,
    among: &Among,
) -> (Vec<usize>, bool) {
    let Status::Choice { seat } = machine.status() else {
        return (Vec::new(), false);
    };
    let view = machine.view(Viewer::Seat(seat));
    let typed = typed.trim_end_matches(['+', '#', '!', '?']);
    let without = typed.replacen(TIMES, "", 1);
    let (mut found, mut guessed) = (Vec::new(), Vec::new());
    let game = &*machine.program().game;
    let mut kinds: Vec<DomainId> = game.zones.iter().map(|it| it.component).collect();
    kinds.dedup();
    let called = kinds.into_iter().flat_map(|it| names_of(game, it));
    let called: HashSet<String> = called.collect();
    let moves = among.moves.iter().zip(&among.plain);
    for (at, (chosen, words)) in moves.enumerate() {
        let Some(first) = words.iter().position(|it| it.of.is_some()) else {
            continue;
        };
        let name = words.get(first).map_or("", |it| it.text.trim());
        let lying = lying_at(machine, &view, chosen, name);
        let rest = words
            .iter()
            .skip(first + 1)
            .map(|it| it.text.to_lowercase());
        let rest: Vec<String> = rest.collect();
        let is_meant = |sign: &String| {
            let words: Vec<String> = [sign.to_lowercase()]
                .into_iter()
                .chain(rest.clone())
                .collect();
            joined(&words).is_some_and(|it| [typed, &without].contains(&it.as_str()))
        };
        // Of the place from which something comes its row may be enough: `exd5`.
        let row: String = name.chars().take_while(|it| it.is_alphabetic()).collect();
        let row = row.to_lowercase();
        let has_row = !lying.is_empty() && row.len() < name.len() && !row.is_empty();
        let is_row = has_row && is_meant(&row);
        if lying.iter().any(is_meant) || is_row && !called.contains(&row) {
            found.push(at);
        } else if is_row {
            guessed.push(at);
        }
    }
    let is_guess = found.is_empty() && !guessed.is_empty();
    match is_guess {
        true => (guessed, true),
        false => (found, false),
    }
}

/// What lies at the first place of a move that has a name, in all forms.
fn lying_at(machine: &Machine<'_>, view: &View, chosen: &Candidate, name: &str) -> Vec<String> {
    let game = &*machine.program().game;
    let mut args = args_of(game, chosen).into_iter();
    let named = args.find(|(ty, value)| print_value(game, *ty, *value, Form::Plain) == name);
    let Some((Base::Elem(space), place)) = named.map(|(ty, value)| (ty.base, value)) else {
        return Vec::new();
    };
    let zones = game.zones.iter().zip(&view.zones);
    let lying = zones.filter(|(zone, _)| zone.index == [space]);
    let lying = lying.filter_map(|(zone, seen)| {
        let place = usize::try_from(place).ok()?;
        let seen = seen.places.get(place).filter(|it| it.index == [place])?;
        let [Seen::Known(kind)] = seen.seen.as_slice() else {
            return None;
        };
        let ty = Type::of(Base::Elem(zone.component));
        Some(Form::ALL.map(|form| print_value(game, ty, *kind, form)))
    });
    lying.flatten().collect()
}

/// What the things of a kind are called, in small letters.
fn names_of(game: &Game, kind: DomainId) -> Vec<String> {
    let size = game.domains.get(kind.index()).map_or(0, |it| it.size);
    let all = 0..i64::try_from(size.min(MOST_NAMES)).unwrap_or(0);
    let ty = Type::of(Base::Elem(kind));
    let names = all.flat_map(|it| Form::ALL.map(|form| print_value(game, ty, it, form)));
    names.map(|it| it.to_lowercase()).collect()
}

/// A name, and each word of it that is no sign: also `pawn` is a white pawn.
fn with_words(name: &str) -> Vec<String> {
    let words = name.split(' ').filter(|it| it.chars().count() >= INNER);
    let words = words.map(str::to_owned);
    [name.to_owned()].into_iter().chain(words).collect()
}

/// What a move is made of, as far as that is known.
fn args_of(game: &Game, chosen: &Candidate) -> Vec<(Type, i64)> {
    let (id, args) = match &chosen.kind {
        CandidateKind::Action(id, args) => (id, args),
        CandidateKind::Value(local, value) => {
            let local = game.locals.get(local.index());
            return local.map(|it| (it.ty, *value)).into_iter().collect();
        }
        CandidateKind::Text(_) => return Vec::new(),
    };
    let params = game.actions.get(id.index());
    let params = params.map_or(&[][..], |it| &it.params).iter();
    let types = params.filter_map(|it| game.locals.get(it.local.index()));
    let args = types.zip(args);
    args.filter_map(|(local, it)| Some((local.ty, (*it)?)))
        .collect()
}

/// The words of a move, with what it is called in the rules, and places with what lies there.
pub(super) fn words_with_more(
    machine: &Machine<'_>,
    chosen: &Candidate,
    [signs, plain]: [&Vec<Phrase>; 2],
) -> Vec<Word> {
    let view = match machine.status() {
        Status::Choice { seat } => machine.view(Viewer::Seat(seat)),
        Status::Ended => machine.view(Viewer::NOBODY),
    };
    let mut words = Vec::new();
    if let CandidateKind::Action(id, _) = &chosen.kind {
        let action = machine.program().game.actions.get(id.index());
        let name = action.map_or_else(String::new, |it| spelt(&it.name));
        words.extend(name.split(' ').map(|it| Word {
            forms: Vec::new(),
            also: vec![it.to_lowercase()],
            of: None,
        }));
    }
    for (sign, plain) in signs.iter().zip(plain) {
        let from = words.len();
        words.extend(words_of(
            std::slice::from_ref(sign),
            std::slice::from_ref(plain),
        ));
        if let Some(word) = words.get_mut(from).filter(|_| sign.of.is_some()) {
            let lying = lying_at(machine, &view, chosen, plain.text.trim()).into_iter();
            let lying = lying.map(|it| it.to_lowercase());
            word.also = lying.flat_map(|it| with_words(&it)).collect();
        }
    }
    words
}

/// A move whose first place is named by what lies there, as those who note games do, with the places at which such a thing
/// lies instead: `b1 f6` and `g1 f6` for `Nf6`.
pub(super) fn by_places(machine: &mut Machine<'_>, text: &str) -> Vec<String> {
    let typed = text.trim().trim_end_matches(['+', '#', '!', '?']);
    let typed = typed.to_lowercase();
    let Status::Choice { seat } = machine.status() else {
        return Vec::new();
    };
    if typed.contains(' ') {
        return Vec::new();
    }
    let view = machine.view(Viewer::Seat(seat));
    let game = &*machine.program().game;
    let mut placed = Vec::new();
    for (zone, seen) in game.zones.iter().zip(&view.zones) {
        let ty = Type::of(Base::Elem(zone.component));
        for place in &seen.places {
            let ([at], [Seen::Known(kind)]) = (place.index.as_slice(), place.seen.as_slice())
            else {
                continue;
            };
            let [space] = zone.index.as_slice() else {
                continue;
            };
            let at = print_index(game, &zone.index, *at, Form::Plain);
            let signs = Form::ALL.map(|form| print_value(game, ty, *kind, form).to_lowercase());
            let rests = signs
                .iter()
                .filter_map(|it| typed.strip_prefix(it.as_str()));
            let rests = rests.map(|it| it.trim_start_matches(TIMES));
            let rest = rests.filter(|it| !it.is_empty()).min_by_key(|it| it.len());
            placed.extend(rest.map(|it| (*space, at, it.to_owned())));
        }
    }
    // What follows is another place, and no word that only begins like what lies somewhere.
    placed.retain(|(space, _, rest)| machine.has_word(Base::Elem(*space), rest));
    let placed = placed.into_iter();
    placed.map(|(_, at, rest)| format!("{at} {rest}")).collect()
}
