//! The rulebook, played by the engine, as a referee of recorded games.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use adit::engine::{CandidateKind, Chance, Machine, Move, PlayError, Query, Status, Value};
use adit::model::{DomainId, Expr, NONE, StreamId};

use super::ask::{Names, coordinate, fields_of, members};
use super::log::{Act, Feature, Log, Opening, Part, Placement, Standing, Tokens};
use super::replay::{Referee, Scored};
use super::rulebook;

/// Draws what a log says.
struct Draws {
    /// The next one last.
    rest: Vec<i64>,
    starved: bool,
}

impl Chance for Draws {
    fn ticket(&mut self, _: StreamId, _: u64) -> u64 {
        self.starved = true;
        0
    }

    fn forced(&mut self, _: StreamId) -> Option<i64> {
        self.rest.pop()
    }
}

pub struct Engine {
    machine: Machine<'static>,
    pub(super) names: Names,
    /// What was asked before.
    queries: HashMap<String, Query>,
    draws: Draws,
    tunnel: bool,
    pub(super) seats: usize,
    colours_each: usize,
    followers: usize,
    /// All parts of the tiles that lie there.
    parts: Vec<usize>,
    /// Where each tile lies, by its number.
    spots: BTreeMap<usize, (i32, i32)>,
    /// Who stands where.
    pub(super) standing: BTreeMap<usize, usize>,
    pub(super) scores: Vec<u32>,
    pub(super) scored: Vec<Scored>,
    /// Whether the points are those of the features, one by one; not so under other readings.
    by_feature: bool,
}

/// A legal move.
enum Legal {
    Lay(Placement),
    Follower(usize),
    Token(usize, usize),
    Done,
}

impl Engine {
    pub(super) fn n(&mut self, expr: Expr) -> i64 {
        self.ask(&[expr])[0].scalar()
    }

    pub(super) fn ask(&mut self, exprs: &[Expr]) -> Vec<Value> {
        let program = self.names.program;
        let query = self
            .queries
            .entry(format!("{exprs:?}"))
            .or_insert_with(|| Query::new(program, exprs).unwrap());
        let values = self.machine.ask(query);
        values.unwrap_or_else(|it| panic!("{it:?}: {exprs:?}"))
    }

    /// Asks for the value of a definition for a part.
    pub(super) fn of(&mut self, name: &str, part: usize) -> Value {
        let expr = self.names.call(name, vec![self.part(part)]);
        self.ask(&[expr]).remove(0)
    }

    pub(super) fn part(&self, part: usize) -> Expr {
        let domain = self.names.domain("Part");
        self.names.element(domain, i64::try_from(part).unwrap())
    }

    /// A spot in the coordinates of the logs, whose `y` grows southward.
    fn spot(&self, spot: i64) -> (i32, i32) {
        let domain = self.names.domain_of(self.names.domain("Spot"));
        let along = |axis: usize| {
            let n = coordinate(domain, axis, usize::try_from(spot).unwrap());
            let span = i32::try_from(fields_of(domain)[axis].size).unwrap();
            let n = i32::try_from(n).unwrap();
            if n * 2 >= span { n - span } else { n }
        };
        (along(0), -along(1))
    }

    pub(super) fn named(&mut self, part: usize) -> Part {
        let domain = self.names.domain_of(self.names.domain("Part"));
        let (tile, slot) = (coordinate(domain, 0, part), coordinate(domain, 1, part));
        let feature = self.names.print(self.names.domain("Slot"), slot as i64);
        let (x, y) = match self.spots.get(&tile) {
            Some(spot) => *spot,
            None => {
                let at = self.names.field(self.part(part), "at");
                let spot = self.n(at);
                let spot = self.spot(spot);
                self.spots.insert(tile, spot);
                spot
            }
        };
        Part { x, y, feature }
    }

    fn opening(&mut self, part: usize) -> Opening {
        let info = self.names.call("info", vec![self.part(part)]);
        let ports = self.names.field(info, "ports");
        let spot = self.names.field(self.part(part), "at");
        let turn = self.names.place_field(self.names.place("land", vec![spot]));
        let values = self.ask(&[ports, turn]);
        let port = members(&values[0])[0];
        let turn = usize::try_from(values[1].scalar()).unwrap();
        let edge = ["N", "E", "S", "W"][(port / 3 + turn) % 4].to_owned();
        let Part { x, y, feature } = self.named(part);
        Opening {
            x,
            y,
            feature,
            edge,
        }
    }

    fn colour(&self, colour: usize) -> String {
        ["A", "B", "C"][colour / self.seats].to_owned()
    }

    fn legal(&self, mv: Move) -> Legal {
        let candidate = self.machine.candidate(mv).unwrap();
        let (id, args) = match candidate.kind {
            CandidateKind::Action(id, args) => (id, args),
            CandidateKind::Text(text) => {
                assert_eq!(text, "done");
                return Legal::Done;
            }
            CandidateKind::Value(..) => panic!("nobody chooses a value in this game"),
        };
        let args: Vec<i64> = args.into_iter().map(Option::unwrap).collect();
        let nth = |at: usize| usize::try_from(args[at]).unwrap();
        match self.names.game().actions[id.index()].name.as_str() {
            "place_tile" => {
                let (x, y) = self.spot(args[0]);
                Legal::Lay((x, y, 90 * u32::try_from(args[1]).unwrap()))
            }
            "place_follower" => Legal::Follower(nth(0)),
            "place_token" => Legal::Token(nth(0), nth(1)),
            other => panic!("{other} is not an action of the recorded games"),
        }
    }

    fn moves(&self) -> Vec<(Move, Legal)> {
        let moves = self.machine.moves().iter();
        moves.map(|mv| (*mv, self.legal(*mv))).collect()
    }

    /// Plays the legal move for which a test holds.
    fn play(&mut self, mut wanted: impl FnMut(&mut Engine, &Legal) -> bool) -> Result<(), String> {
        let moves = self.moves();
        let found = moves.iter().find(|(_, legal)| wanted(self, legal));
        let (mv, legal) = found.ok_or("no such move is legal")?;
        let mover = self.mover();
        if let (Legal::Follower(part), Some(seat)) = (legal, mover) {
            self.standing.insert(*part, seat);
        }
        match self.machine.play(*mv, &mut self.draws) {
            Ok(_) => {}
            Err(PlayError::Fault(fault)) => return Err(format!("{:?}", fault.kind)),
            Err(other) => return Err(format!("{other:?}")),
        }
        if self.draws.starved {
            return Err("more tiles are drawn than the log has".to_owned());
        }
        if let Legal::Lay(_) = legal {
            let new = self.names.call("new_parts", vec![]);
            let new = members(&self.ask(&[new])[0]);
            self.parts.extend(new);
        }
        if self.by_feature && (self.mover() != mover || self.to_lay().is_some()) {
            self.turn_ended()?;
        }
        Ok(())
    }

    pub(super) fn points(&mut self) -> Vec<u32> {
        let points = |seat| self.names.track("points", self.names.seat(seat));
        let asked: Vec<Expr> = (0..self.seats).map(points).collect();
        let values = self.ask(&asked);
        values
            .iter()
            .map(|it| u32::try_from(it.scalar()).unwrap())
            .collect()
    }

    fn design(&self, tile: i64) -> String {
        self.names.print(self.names.domain("Tile"), tile)
    }

    /// How many of each kind of component lie at a place.
    fn counts(&mut self, zone: &str, index: &[usize]) -> Vec<usize> {
        let names = self.names;
        let domain: DomainId = names.game().zones[names.zone(zone).index()].component;
        let kinds = usize::try_from(names.domain_of(domain).size).unwrap();
        let index = |_| index.iter().map(|it| names.seat(*it)).collect();
        let asked: Vec<Expr> = (0..kinds)
            .map(|kind| names.count_of(names.place(zone, index(kind)), kind))
            .collect();
        let values = self.ask(&asked);
        values
            .iter()
            .map(|it| usize::try_from(it.scalar()).unwrap())
            .collect()
    }
}

impl Referee for Engine {
    fn start(log: &Log) -> Result<Engine, String> {
        Engine::start_at(log, &rulebook::table_of(&log.config), true)
    }

    fn mover(&self) -> Option<usize> {
        match self.machine.status() {
            Status::Choice { seat } => Some(seat as usize),
            Status::Ended => None,
        }
    }

    fn to_lay(&mut self) -> Option<String> {
        let drawn = self.names.component(self.names.place("drawn", vec![]));
        let tile = self.n(drawn);
        (tile != NONE).then(|| self.design(tile))
    }

    fn discarded(&mut self) -> Vec<String> {
        let counts = self.counts("removed", &[]);
        let tiles = counts.iter().enumerate();
        let tiles = tiles.flat_map(|(tile, n)| std::iter::repeat_n(tile, *n));
        tiles.map(|it| self.design(it as i64)).collect()
    }

    fn pack_left(&mut self) -> usize {
        let count = self.names.count(self.names.place("bag", vec![]));
        usize::try_from(self.n(count)).unwrap()
    }

    fn placements(&mut self) -> Vec<Placement> {
        let placement = |(_, legal)| match legal {
            Legal::Lay(at) => Some(at),
            Legal::Follower(_) | Legal::Token(..) | Legal::Done => None,
        };
        self.moves().into_iter().filter_map(placement).collect()
    }

    fn followers(&mut self) -> Vec<Part> {
        let mut followers = Vec::new();
        for (_, legal) in self.moves() {
            if let Legal::Follower(on) = legal {
                followers.push(self.named(on));
            }
        }
        followers
    }

    fn tokens(&mut self) -> Vec<(String, Opening)> {
        let mut known: BTreeMap<usize, Opening> = BTreeMap::new();
        let mut tokens = Vec::new();
        for (_, legal) in self.moves() {
            if let Legal::Token(colour, at) = legal {
                let opening = known.entry(at).or_insert_with(|| self.opening(at));
                tokens.push((self.colour(colour), opening.clone()));
            }
        }
        tokens
    }

    fn lay(&mut self, wanted: Placement) -> Result<(), String> {
        self.play(|_, legal| matches!(legal, Legal::Lay(at) if *at == wanted))
    }

    fn put_follower(&mut self, wanted: &Part) -> Result<(), String> {
        self.play(|it, legal| matches!(legal, Legal::Follower(on) if it.named(*on) == *wanted))
    }

    fn put_token(&mut self, set: &str, wanted: &Opening) -> Result<(), String> {
        self.play(|it, legal| {
            matches!(legal, Legal::Token(colour, at)
                if it.colour(*colour) == set && it.opening(*at) == *wanted)
        })
    }

    fn pass(&mut self) -> Result<(), String> {
        self.play(|_, legal| matches!(legal, Legal::Done))
    }

    fn scored(&mut self) -> Vec<Scored> {
        std::mem::take(&mut self.scored)
    }

    fn scores(&mut self) -> Vec<u32> {
        self.points()
    }

    fn supply(&mut self) -> Vec<u32> {
        let reserve = |seat| {
            let place = self.names.place("reserve", vec![self.names.seat(seat)]);
            self.names.count(place)
        };
        let asked: Vec<Expr> = (0..self.seats).map(reserve).collect();
        let values = self.ask(&asked);
        values
            .iter()
            .map(|it| u32::try_from(it.scalar()).unwrap())
            .collect()
    }

    fn tokens_left(&mut self) -> Vec<Tokens> {
        if !self.tunnel {
            return vec![Tokens::new(); self.seats];
        }
        let mut left = Vec::new();
        for seat in 0..self.seats {
            let counts = self.counts("tokens", &[seat]);
            let mut own = Tokens::new();
            for (colour, n) in counts.into_iter().enumerate() {
                if colour % self.seats == seat && colour / self.seats < self.colours_each {
                    own.insert(self.colour(colour), u32::try_from(n).unwrap());
                } else {
                    assert_eq!(n, 0, "seat {seat} has tokens of colour {colour}");
                }
            }
            left.push(own);
        }
        left
    }

    fn standing(&mut self) -> Vec<Standing> {
        let mut standing = Vec::new();
        for (part, player) in self.who_stands() {
            let Part { x, y, feature } = self.named(part);
            standing.push(Standing {
                player,
                x,
                y,
                feature,
            });
        }
        standing
    }

    fn features(&mut self) -> Vec<Feature> {
        let mut features = Vec::new();
        let mut seen = BTreeSet::new();
        for part in self.parts.clone() {
            if seen.contains(&part) {
                continue;
            }
            let whole = self.names.call("whole", vec![self.part(part)]);
            let owners = self.names.call("owners", vec![whole.clone()]);
            let values = self.ask(&[whole, owners]);
            let (whole, owners) = (members(&values[0]), members(&values[1]));
            seen.extend(whole.iter().copied());
            let kind = self.kind(part);
            if kind != "cloister" {
                let parts = whole.into_iter().map(|it| self.named(it));
                let parts = parts.map(|it| (it.x, it.y, it.feature)).collect();
                features.push(Feature {
                    kind,
                    parts,
                    owners,
                });
            }
        }
        features
    }
}

impl Engine {
    fn start_at(log: &Log, table: &rulebook::Table, by_feature: bool) -> Result<Engine, String> {
        let program = rulebook::program(table);
        let names = Names { program };
        let tile = names.domain("Tile");
        let designs = names.domain_of(tile).size;
        let number = |name: &String| {
            let found = (0..designs as i64).find(|it| names.print(tile, *it) == *name);
            found.ok_or_else(|| format!("there is no tile {name}"))
        };
        let rest: Result<Vec<i64>, String> = log.drawn().iter().rev().map(number).collect();
        let mut engine = Engine {
            machine: Machine::new(program),
            names,
            queries: HashMap::new(),
            draws: Draws {
                rest: rest?,
                starved: false,
            },
            tunnel: log.config.tunnel,
            seats: log.config.players,
            colours_each: log.colours_each(),
            followers: usize::from(log.config.followers),
            parts: Vec::new(),
            spots: BTreeMap::new(),
            standing: BTreeMap::new(),
            scores: vec![0; log.config.players],
            scored: Vec::new(),
            by_feature,
        };
        let started = engine.machine.start(&mut engine.draws);
        started.map_err(|it| format!("{:?}", it.kind))?;
        engine.check_start(log)?;
        Ok(engine)
    }

    /// The start tile and the followers, as far as no decision shows them.
    fn check_start(&mut self, log: &Log) -> Result<(), String> {
        let start = log.start.clone();
        let land = self.names.laid("land");
        let spot = members(&self.ask(&[land])[0]);
        let [spot] = spot[..] else {
            return Err(format!("{} tiles lie there at the start", spot.len()));
        };
        let spot_domain = self.names.domain("Spot");
        let at = self.names.element(spot_domain, spot as i64);
        let tile = self
            .names
            .component(self.names.place("land", vec![at.clone()]));
        let turn = self.names.place_field(self.names.place("land", vec![at]));
        let values = self.ask(&[tile, turn]);
        let own = super::log::Start {
            design: self.design(values[0].scalar()),
            x: self.spot(spot as i64).0,
            y: self.spot(spot as i64).1,
            rot: 90 * u32::try_from(values[1].scalar()).unwrap(),
        };
        let parts = self.names.parts_at("Part", spot);
        let parts = members(&self.ask(&[parts])[0]);
        let info = |part: &usize| self.names.call("info", vec![self.part(*part)]);
        let infos: Vec<Expr> = parts.iter().map(info).collect();
        let infos = self.ask(&infos);
        let there = parts
            .iter()
            .zip(infos)
            .filter(|(_, info)| info.scalar() != NONE);
        self.parts.extend(there.map(|(part, _)| *part));
        if own != start || self.followers != self.counts("reserve", &[0]).iter().sum::<usize>() {
            return Err(format!("the start tile is {start:?}, not {own:?}"));
        }
        Ok(())
    }
}

/// Plays what was played in a log under another reading, and returns the points at the end.
pub fn points_under(log: &Log, reading: &str) -> Result<Vec<u32>, String> {
    let (name, value) = reading.split_once('=').ok_or("a reading has a name")?;
    let (seats, tunnel, mut set) = rulebook::table_of(&log.config);
    set.retain(|(it, _)| it != name);
    set.push((name.to_owned(), value.to_owned()));
    let mut engine = Engine::start_at(log, &(seats, tunnel, set), false)?;
    for turn in &log.turns {
        engine.lay((turn.place.x, turn.place.y, turn.place.rot))?;
        for act in &turn.acts {
            match act.clone() {
                Act::Follower { x, y, feature } => engine.put_follower(&Part { x, y, feature })?,
                Act::Token {
                    set,
                    x,
                    y,
                    feature,
                    edge,
                } => {
                    engine.put_token(
                        &set,
                        &Opening {
                            x,
                            y,
                            feature,
                            edge,
                        },
                    )?;
                }
                Act::Pass { .. } => {}
            }
        }
        if engine.mover() == Some(turn.player) && engine.to_lay().is_none() {
            engine.pass()?;
        }
    }
    Ok(engine.points())
}
