//! What holds in every game of Carcassonne with The Tunnel, whatever is chosen. Everything is read off the
//! table and judged by tiles that were written down a second time, so that a rule that is wrong and an
//! invariant that agrees with it show.

use adit::model::text::Form;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use adit::engine::{
    CandidateKind, Chance, Dice, Machine, Move, Outcome, Program, Query, Seen, Status, View,
    Viewer, below,
};
use adit::model::StreamId;
use adit::play::tableau;
use rand_chacha::rand_core::Rng;

use super::ask::{Names, coordinate, fields_of};
use super::rulebook::{self, program};
use crate::baseline::carcassonne::land::{Flood, Part, Spot, Table};
use crate::baseline::carcassonne::tiles::{DESIGNS, Kind};
use crate::fixtures::width;

/// Games for each number of seats.
fn n_games() -> u64 {
    width(3, 60, 2_000)
}
/// Games in which tiles that nobody sees are exchanged.
fn redealt() -> u64 {
    width(2, 15, 200)
}
const TILES: usize = 76;
const FOLLOWERS: usize = 7;
/// The streams of the choices and of new deals, apart from those of the rules.
const CHOICES: u32 = 1_000;
const DEALS: u32 = 1_001;

/// Random numbers that remember what came of them.
struct Luck {
    dice: Dice,
    drawn: Vec<i64>,
}

impl Luck {
    fn new(seed: u64) -> Luck {
        Luck {
            dice: Dice::new(seed),
            drawn: Vec::new(),
        }
    }

    fn pick(&mut self, n: usize) -> usize {
        usize::try_from(below(self.dice.stream(CHOICES).next_u64(), n as u64)).unwrap()
    }
}

impl Chance for Luck {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.dice.ticket(stream, total)
    }

    fn happened(&mut self, _: StreamId, value: i64) {
        self.drawn.push(value);
    }
}

/// All that happens in a game.
#[derive(Debug, PartialEq)]
struct Played {
    moves: Vec<Move>,
    drawn: Vec<i64>,
    outcome: Option<Outcome>,
}

/// Plays a random game and calls `look` at every choice and at the end.
fn walk(
    program: &'static Program,
    seed: u64,
    mut look: impl FnMut(&mut Machine<'static>, &mut Luck),
) -> Played {
    let mut machine = Machine::new(program);
    let mut luck = Luck::new(seed);
    let mut moves = Vec::new();
    machine.start(&mut luck).unwrap();
    look(&mut machine, &mut luck);
    while machine.status() != Status::Ended {
        let at = luck.pick(machine.moves().len());
        moves.push(machine.moves()[at]);
        machine.play_nth(at, &mut luck).unwrap();
        look(&mut machine, &mut luck);
    }
    Played {
        moves,
        drawn: luck.drawn,
        outcome: machine.outcome(),
    }
}

/// What a seat, or the referee, sees of a zone: the place and the kind of each thing in it.
fn things<'v>(view: &'v View, zone: &str) -> impl Iterator<Item = (usize, usize)> + use<'v> {
    let zone = view.zones.iter().find(|it| it.name == zone).unwrap();
    zone.places.iter().flat_map(|place| {
        let at = place.index.first().copied().unwrap_or(0);
        place.seen.iter().map(move |it| match it {
            Seen::Known(kind) => (at, usize::try_from(*kind).unwrap()),
            Seen::Unknown => panic!("the referee sees everything"),
        })
    })
}

/// A game as far as it was watched.
struct Course {
    names: Names,
    /// By design and slot of the rulebook the piece of the other list of tiles.
    pieces: Vec<Vec<Option<usize>>>,
    table: Table,
    flood: Flood,
    followers: BTreeMap<Part, usize>,
    tokens: BTreeMap<Part, usize>,
    /// The parts of all roads that have scored.
    scored: BTreeSet<Part>,
    /// Followers that came home from a road.
    returned: usize,
}

impl Course {
    fn new(program: &'static Program) -> Course {
        let names = Names { program };
        let slot = names.domain("Slot");
        let slots = i64::try_from(names.domain_of(slot).size).unwrap();
        let slots: Vec<String> = (0..slots).map(|it| names.print(slot, it)).collect();
        let pieces = DESIGNS.iter().map(|design| {
            let of = |slot: &String| design.pieces.iter().position(|it| it.name == slot);
            slots.iter().map(of).collect()
        });
        Course {
            names,
            pieces: pieces.collect(),
            table: Table::new(TILES),
            flood: Flood::default(),
            followers: BTreeMap::new(),
            tokens: BTreeMap::new(),
            scored: BTreeSet::new(),
            returned: 0,
        }
    }

    /// A part of the rulebook as the other list of tiles has it.
    fn part(&self, part: usize) -> Part {
        let domain = self.names.domain_of(self.names.domain("Part"));
        let (tile, slot) = (coordinate(domain, 0, part), coordinate(domain, 1, part));
        let design = usize::from(self.table.laid[tile].design);
        Part::new(tile, self.pieces[design][slot].unwrap())
    }

    /// Checks the position after a choice.
    fn look(&mut self, machine: &Machine<'_>) -> Result<(), String> {
        let view = machine.view(Viewer::Referee);
        self.tiles_are_conserved(&view)?;
        let followers: BTreeMap<Part, usize> = things(&view, "stands")
            .map(|(at, seat)| (self.part(at), seat))
            .collect();
        let tokens: BTreeMap<Part, usize> = things(&view, "token_on")
            .map(|(at, colour)| (self.part(at), colour))
            .collect();
        let seats = machine.program().game.n_seats as usize;
        let mut all = vec![0; seats];
        let at_home = things(&view, "reserve").map(|(_, seat)| seat);
        at_home
            .chain(followers.values().copied())
            .for_each(|seat| all[seat] += 1);
        ensure(all == vec![FOLLOWERS; seats], || {
            format!("followers by seat: {all:?}")
        })?;
        let mut all = [0; 6];
        let off = ["token_box", "tokens"].map(|zone| things(&view, zone).map(|(_, it)| it));
        let colours = off.into_iter().flatten().chain(tokens.values().copied());
        colours.for_each(|colour| all[colour] += 1);
        ensure(all == [2; 6], || format!("tokens by colour: {all:?}"))?;
        self.tokens_lie_on_open_roads(tokens)?;
        self.what_is_complete_goes_home(followers, &view)
    }

    /// All of the box are there, and what lies stays as it lies.
    fn tiles_are_conserved(&mut self, view: &View) -> Result<(), String> {
        let mut copies = [0; DESIGNS.len()];
        for zone in ["bag", "drawn", "removed", "land"] {
            things(view, zone).for_each(|(_, design)| copies[design] += 1);
        }
        let box_ = DESIGNS.iter().map(|it| it.copies);
        ensure(copies.into_iter().eq(box_), || format!("tiles: {copies:?}"))?;
        let spots = self.names.domain_of(self.names.domain("Spot"));
        let land = view.zones.iter().find(|it| it.name == "land").unwrap();
        let before = self.table.laid.len();
        for place in &land.places {
            let along = |axis| u16::try_from(coordinate(spots, axis, place.index[0])).unwrap();
            let (x, y) = (along(0), along(1));
            let Seen::Known(design) = place.seen[0] else {
                return Err("a tile lies face down".to_owned());
            };
            let (design, turn) = (design as u8, place.fields[0] as usize);
            match self.table.tile_at(Spot { x, y }) {
                Some(tile) => {
                    let lying = &self.table.laid[tile];
                    let same = (lying.design, lying.turn) == (design, turn);
                    ensure(same, || format!("the tile at {x}, {y} has changed"))?;
                }
                None => self.table.lay(design, Spot { x, y }, turn),
            }
        }
        let now = self.table.laid.len();
        ensure(now == land.places.len() && now <= before + 1, || {
            format!("{} tiles lie there after {before}", land.places.len())
        })
    }

    /// CT-13, CT-25, CT-33: a token lies on a mouth for good, and none comes to a road that has scored.
    fn tokens_lie_on_open_roads(&mut self, tokens: BTreeMap<Part, usize>) -> Result<(), String> {
        let stay = self
            .tokens
            .iter()
            .all(|(at, it)| tokens.get(at) == Some(it));
        ensure(stay && tokens.len() <= self.tokens.len() + 1, || {
            format!("tokens {:?}, then {tokens:?}", self.tokens)
        })?;
        for (at, colour) in &tokens {
            if self.tokens.contains_key(at) {
                continue;
            }
            ensure(self.table.piece(*at).mouth, || {
                format!("a token lies on {at:?}, which is no mouth")
            })?;
            ensure(!self.scored.contains(at), || {
                format!("a token lies on the completed road of {at:?}")
            })?;
            self.table.plug(*at, *colour as u8);
        }
        self.tokens = tokens;
        Ok(())
    }

    /// A follower comes home if and only if nothing can be added to what it stands on; so no road has
    /// scored with a mouth on it that leads nowhere (CT-13..CT-15).
    fn what_is_complete_goes_home(
        &mut self,
        now: BTreeMap<Part, usize>,
        view: &View,
    ) -> Result<(), String> {
        for (at, seat) in &now {
            ensure(self.followers.get(at).is_none_or(|it| it == seat), || {
                format!("another follower stands on {at:?}")
            })?;
        }
        let gone: Vec<Part> = self.followers.keys().copied().collect();
        let gone = gone.into_iter().filter(|at| !now.contains_key(at));
        for at in gone {
            self.flood.fill(&self.table, at);
            let parts = &self.flood.parts;
            ensure(self.table.is_complete(parts), || {
                format!("the follower on {at:?} went home too early: {parts:?}")
            })?;
            if self.table.piece(at).kind == Kind::Road {
                self.returned += 1;
                self.scored.extend(parts);
            }
        }
        // Before the next tile all that is complete has scored.
        let is_new_turn = things(view, "drawn").next().is_some();
        for at in now.keys().filter(|_| is_new_turn) {
            self.flood.fill(&self.table, *at);
            ensure(!self.table.is_complete(&self.flood.parts), || {
                format!("the follower on {at:?} did not go home")
            })?;
        }
        self.followers = now;
        Ok(())
    }

    /// Mouths that lead nowhere, as the rulebook numbers them.
    fn open_mouths(&self) -> Vec<usize> {
        let axes = fields_of(self.names.domain_of(self.names.domain("Part")));
        let mut linked = [0; 6];
        self.tokens.values().for_each(|colour| linked[*colour] += 1);
        let mut open = Vec::new();
        for (tile, lying) in self.table.laid.iter().enumerate() {
            let pieces = self.pieces[usize::from(lying.design)].iter().enumerate();
            for (slot, piece) in pieces.filter_map(|(slot, piece)| Some((slot, (*piece)?))) {
                let at = Part::new(tile, piece);
                let leads_on = self.tokens.get(&at).is_some_and(|it| linked[*it] == 2);
                if self.table.piece(at).mouth && !leads_on {
                    let steps = axes[0].stride * tile as u64 + axes[1].stride * slot as u64;
                    open.push(usize::try_from(steps).unwrap());
                }
            }
        }
        open
    }
}

/// Asks the rulebook which parts lie on something complete.
struct Complete {
    names: Names,
    queries: HashMap<usize, Query>,
}

impl Complete {
    fn new(program: &'static Program) -> Complete {
        Complete {
            names: Names { program },
            queries: HashMap::new(),
        }
    }

    fn ask(&mut self, machine: &mut Machine<'_>, part: usize) -> bool {
        let names = self.names;
        let query = self.queries.entry(part).or_insert_with(|| {
            let part = names.element(names.domain("Part"), i64::try_from(part).unwrap());
            Query::new(names.program, &[names.call("complete", vec![part])]).unwrap()
        });
        machine.ask(query).unwrap()[0].scalar() != 0
    }
}

fn ensure(holds: bool, seen: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(seen()) }
}

/// Plays all games of one number of seats, each of them twice.
fn play(seats: usize) {
    let program = program(&(seats, true, vec![]));
    let mut complete = Complete::new(program);
    let (mut asked, mut returned, mut tokens, mut stacks) = (0, 0, 0, 0);
    for seed in 0..n_games() {
        let mut course = Course::new(program);
        let mut choices = 0;
        let played = walk(program, seed, |machine, luck| {
            choices += 1u32;
            let at = |what| panic!("{seats} seats, game {seed}, choice {choices}: {what}");
            course.look(machine).unwrap_or_else(at);
            if u64::from(choices) == 1 + seed % 97 {
                stacks += u32::from(the_next_tile_does_not_show(machine, luck));
            }
            if seed % 16 == 0 {
                for part in course.open_mouths() {
                    asked += 1;
                    let wrong = complete.ask(machine, part);
                    assert!(
                        !wrong,
                        "{seats} seats, game {seed}: {part} lies on a completed road"
                    );
                }
            }
        });
        returned += course.returned;
        tokens += course.tokens.len();
        assert_eq!(played, walk(program, seed, |_, _| {}), "game {seed} again");
    }
    let games = usize::try_from(n_games()).unwrap();
    assert!(
        asked > games && 4 * returned > games && tokens > games,
        "{asked} questions, {returned} followers, {tokens} tokens"
    );
    assert!(u64::from(stacks) > n_games() / 5, "{stacks} other stacks");
}

#[test]
fn nothing_is_lost_and_roads_end_by_rule_with_2_players() {
    play(2);
}

#[test]
fn nothing_is_lost_and_roads_end_by_rule_with_3_players() {
    play(3);
}

#[test]
fn nothing_is_lost_and_roads_end_by_rule_with_4_players() {
    play(4);
}

#[test]
fn nothing_is_lost_and_roads_end_by_rule_with_5_players() {
    play(5);
}

#[test]
fn nothing_is_lost_and_roads_end_by_rule_with_6_players() {
    play(6);
}

/// All that a seat is shown at a choice.
#[derive(Debug, PartialEq)]
struct Shown {
    view: View,
    /// As far as it has to choose: legal moves, why some are legal, and why others are not.
    moves: Vec<String>,
    why: Vec<String>,
    /// What the board says besides.
    facts: Vec<(String, String)>,
}

fn shown(machine: &mut Machine<'_>, seat: u32) -> Shown {
    let viewer = Viewer::Seat(seat);
    let game = &machine.program().game;
    let mut shown = Shown {
        view: machine.view(viewer),
        facts: tableau::facts(machine, viewer).unwrap(),
        moves: Vec::new(),
        why: Vec::new(),
    };
    if machine.status() != (Status::Choice { seat }) {
        return shown;
    }
    for mv in machine.moves().to_vec() {
        shown
            .moves
            .push(machine.print_for(&[viewer], mv, Form::Plain));
    }
    for mv in machine.moves().to_vec().into_iter().step_by(9) {
        let mut candidate = machine.candidate(mv).unwrap();
        shown.why.push(machine.explain(&candidate).lines(game));
        // The next turn, part or mouth: often refused.
        if let CandidateKind::Action(_, values) = &mut candidate.kind {
            let last = values.last_mut().unwrap();
            *last = last.map(|it| (it + 1) % 4);
            shown.why.push(machine.explain(&candidate).lines(game));
        }
    }
    shown
}

/// Goes on with two stacks of tiles that are shuffled in other ways: until one is drawn, no seat is shown a
/// difference. Whether none was drawn; the position stays.
fn the_next_tile_does_not_show(machine: &mut Machine<'_>, luck: &mut Luck) -> bool {
    if machine.status() == Status::Ended {
        return false;
    }
    let seats = 0..machine.program().game.n_seats;
    let before = machine.save();
    let left = things(&machine.view(Viewer::Referee), "bag").count();
    let nth = luck.dice.stream(DEALS).next_u64();
    let nth = usize::try_from(below(nth, machine.moves().len() as u64)).unwrap();
    let mut both = Vec::new();
    for _ in 0..2 {
        let mut other = Luck::new(luck.dice.stream(DEALS).next_u64());
        machine.play_nth(nth, &mut other).unwrap();
        let each: Vec<Shown> = seats.clone().map(|seat| shown(machine, seat)).collect();
        for it in &each {
            let bag = it.view.zones.iter().find(|it| it.name == "bag").unwrap();
            let bag = bag.places.iter().flat_map(|it| &it.seen);
            let unseen = left - other.drawn.len();
            assert!(
                bag.eq(vec![&Seen::Unknown; unseen]),
                "{left} tiles were left"
            );
        }
        both.push((each, other.drawn));
        machine.load(&before);
    }
    let drew = both.iter().any(|(_, drawn)| !drawn.is_empty());
    assert!(drew || both[0] == both[1], "{both:#?}");
    !drew
}

/// With tiles that nobody will ever see, those to come can be others: no seat is shown a difference.
#[test]
fn hidden_tiles_make_no_difference_to_any_seat() {
    for seats in 2..=6 {
        let amendments = [rulebook::TUNNEL, "tests/fixtures/carcassonne/lid.rules"];
        let program: &Program = Box::leak(Box::new(rulebook::amended(seats, &amendments, &[])));
        let mut changed = 0;
        for seed in 0..redealt() {
            let mut choices = 0;
            walk(program, seed, |machine, luck| {
                choices += 1;
                if choices % 29 != seed % 29 || machine.status() == Status::Ended {
                    return;
                }
                let before = machine.save();
                for seat in 0..program.game.n_seats {
                    let seen = shown(machine, seat);
                    machine.redeal(seat, &mut Dice::new(luck.dice.stream(DEALS).next_u64()));
                    changed += u64::from(machine.save() != before);
                    assert_eq!(
                        seen,
                        shown(machine, seat),
                        "{seats} seats, game {seed}, seat {seat}"
                    );
                    machine.load(&before);
                }
            });
        }
        assert!(
            changed > 2 * redealt(),
            "{seats} seats: {changed} new deals"
        );
    }
}
