//! The hand-written game as a referee of recorded games.

use std::collections::BTreeSet;

use super::log::{Feature, Log, Opening, Part, Placement, SmallCity, Standing, Start, Tokens};
use super::replay::{Referee, Scored, items, what};
use crate::baseline::carcassonne::land::{self, Flood, Spot};
use crate::baseline::carcassonne::tiles::{DESIGNS, Kind};
use crate::baseline::carcassonne::{self, Carcassonne, Move, Setup, colours_of};
use crate::baseline::chance::{Card, Chance};

const SIDES: [&str; 4] = ["N", "E", "S", "W"];

pub struct Plain {
    game: Carcassonne,
    draws: Draws,
    /// How many of the scores were reported.
    reported: usize,
}

/// Draws what a log says.
struct Draws {
    /// The next one last.
    rest: Vec<u8>,
    fault: Option<String>,
}

impl Chance for Draws {
    fn draw(&mut self, stock: &[Card]) -> usize {
        let Some(design) = self.rest.pop() else {
            self.fault = Some("more tiles are drawn than the log has".to_owned());
            return 0;
        };
        let found = stock.iter().position(|it| *it == design);
        found.unwrap_or_else(|| {
            let name = DESIGNS[usize::from(design)].name;
            self.fault = Some(format!("{name} is drawn but is not among those left"));
            0
        })
    }
}

fn design_named(name: &str) -> Result<u8, String> {
    let found = DESIGNS.iter().position(|it| it.name == name);
    found
        .map(|it| it as u8)
        .ok_or_else(|| format!("there is no tile {name}"))
}

fn name_of(design: u8) -> String {
    DESIGNS[usize::from(design)].name.to_owned()
}

impl Plain {
    fn signed(&self, n: u16) -> i32 {
        let (n, span) = (i32::from(n), i32::from(self.game.table.span));
        if n > span / 2 { n - span } else { n }
    }

    fn place(&self, at: Spot) -> (i32, i32) {
        (self.signed(at.x), -self.signed(at.y))
    }

    fn part(&self, part: land::Part) -> Part {
        let (x, y) = self.place(self.game.table.spot(part));
        let feature = self.game.table.piece(part).name.to_owned();
        Part { x, y, feature }
    }

    fn opening(&self, part: land::Part) -> Opening {
        let Part { x, y, feature } = self.part(part);
        let turn = self.game.table.laid[usize::from(part.tile)].turn;
        let side = self.game.table.piece(part).sides[0];
        let edge = SIDES[(side + turn) % 4].to_owned();
        Opening {
            x,
            y,
            feature,
            edge,
        }
    }

    fn placement(&self, at: Spot, turn: u8) -> Placement {
        let (x, y) = self.place(at);
        (x, y, 90 * u32::from(turn))
    }

    fn set(&self, colour: carcassonne::Colour) -> String {
        let round = usize::from(colour) / self.game.setup.seats;
        ["A", "B", "C"][round].to_owned()
    }

    /// Plays the legal move for which a test holds.
    fn play(&mut self, wanted: impl Fn(&Plain, Move) -> bool) -> Result<(), String> {
        let found = self.game.legal.iter().find(|it| wanted(self, **it));
        let choice = *found.ok_or("no such move is legal")?;
        self.game.apply(choice, &mut self.draws);
        self.draws.fault.take().map_or(Ok(()), Err)
    }
}

impl Referee for Plain {
    fn start(log: &Log) -> Result<Plain, String> {
        let config = &log.config;
        let known = Start {
            design: "D".to_owned(),
            x: 0,
            y: 0,
            rot: 0,
        };
        if log.start != known {
            return Err(format!("the start tile is {:?}", log.start));
        }
        let setup = Setup {
            seats: config.players,
            base_sets: 1,
            tunnel_sets: config.tunnel_sets,
            colours_each: log.colours_each(),
            followers: config.followers,
            farmers: config.farmers,
            small_city_scores_less: config.small_city == SmallCity::Two,
        };
        let drawn = log.drawn();
        let mut rest: Vec<u8> = Vec::new();
        for name in drawn.iter().rev() {
            rest.push(design_named(name)?);
        }
        let mut draws = Draws { rest, fault: None };
        let game = Carcassonne::new(setup, &mut draws);
        match draws.fault.take() {
            Some(fault) => Err(fault),
            None => Ok(Plain {
                game,
                draws,
                reported: 0,
            }),
        }
    }

    fn mover(&self) -> Option<usize> {
        (!self.game.is_over()).then_some(self.game.mover)
    }

    fn to_lay(&mut self) -> Option<String> {
        self.game.hand.map(name_of)
    }

    fn discarded(&mut self) -> Vec<String> {
        self.game.discarded.iter().copied().map(name_of).collect()
    }

    fn pack_left(&mut self) -> usize {
        self.game.bag.len()
    }

    fn placements(&mut self) -> Vec<Placement> {
        let legal = self.game.legal.iter();
        let placement = |it: &Move| match it {
            Move::Lay { at, turn } => Some(self.placement(*at, *turn)),
            _ => None,
        };
        legal.filter_map(placement).collect()
    }

    fn followers(&mut self) -> Vec<Part> {
        let legal = self.game.legal.iter();
        let follower = |it: &Move| match it {
            Move::Follower { on } => Some(self.part(*on)),
            _ => None,
        };
        legal.filter_map(follower).collect()
    }

    fn tokens(&mut self) -> Vec<(String, Opening)> {
        let legal = self.game.legal.iter();
        let token = |it: &Move| match it {
            Move::Token { colour, at } => Some((self.set(*colour), self.opening(*at))),
            _ => None,
        };
        legal.filter_map(token).collect()
    }

    fn lay(&mut self, wanted: Placement) -> Result<(), String> {
        self.play(|it, choice| match choice {
            Move::Lay { at, turn } => it.placement(at, turn) == wanted,
            _ => false,
        })
    }

    fn put_follower(&mut self, wanted: &Part) -> Result<(), String> {
        self.play(|it, choice| match choice {
            Move::Follower { on } => it.part(on) == *wanted,
            _ => false,
        })
    }

    fn put_token(&mut self, set: &str, wanted: &Opening) -> Result<(), String> {
        self.play(|it, choice| match choice {
            Move::Token { colour, at } => it.set(colour) == set && it.opening(at) == *wanted,
            _ => false,
        })
    }

    fn pass(&mut self) -> Result<(), String> {
        self.play(|_, choice| choice == Move::Done)
    }

    fn scored(&mut self) -> Vec<Scored> {
        let new = &self.game.scored[self.reported..];
        let scored = new.iter().map(|it| self.scored_one(it)).collect();
        self.reported = self.game.scored.len();
        scored
    }

    fn scores(&mut self) -> Vec<u32> {
        self.game.points[..self.game.setup.seats].to_vec()
    }

    fn supply(&mut self) -> Vec<u32> {
        let supply = &self.game.supply[..self.game.setup.seats];
        supply.iter().map(|it| u32::from(*it)).collect()
    }

    fn tokens_left(&mut self) -> Vec<Tokens> {
        let of_seat = |seat| {
            let colours = colours_of(&self.game.setup, seat);
            let left = colours.map(|it| {
                let left = self.game.tokens[usize::from(it)];
                (self.set(it), u32::from(left))
            });
            left.collect()
        };
        (0..self.game.setup.seats).map(of_seat).collect()
    }

    fn standing(&mut self) -> Vec<Standing> {
        let table = &self.game.table;
        let parts = (0..table.laid.len()).flat_map(|tile| table.parts_of(tile));
        let standing = parts.filter_map(|part| {
            let player = usize::from(table.follower(part)?);
            let Part { x, y, feature } = self.part(part);
            Some(Standing {
                player,
                x,
                y,
                feature,
            })
        });
        standing.collect()
    }

    fn features(&mut self) -> Vec<Feature> {
        let table = &self.game.table;
        let mut flood = Flood::default();
        let mut seen = BTreeSet::new();
        let mut features = Vec::new();
        for part in (0..table.laid.len()).flat_map(|tile| table.parts_of(tile)) {
            let kind = match table.piece(part).kind {
                Kind::City => "city",
                Kind::Road => "road",
                Kind::Field => "field",
                Kind::Cloister => continue,
            };
            if seen.contains(&part) {
                continue;
            }
            flood.fill(table, part);
            seen.extend(flood.parts.iter().copied());
            let strength = |seat: usize| {
                let own = |it: &&land::Part| table.follower(**it) == Some(seat as u8);
                flood.parts.iter().filter(own).count()
            };
            let seats = 0..self.game.setup.seats;
            let most = seats.clone().map(strength).max().unwrap_or(0);
            features.push(Feature {
                kind: kind.to_owned(),
                parts: flood
                    .parts
                    .iter()
                    .map(|it| {
                        let Part { x, y, feature } = self.part(*it);
                        (x, y, feature)
                    })
                    .collect(),
                owners: seats
                    .filter(|it| most > 0 && strength(*it) == most)
                    .collect(),
            });
        }
        features
    }
}

impl Plain {
    fn scored_one(&self, it: &carcassonne::Scored) -> Scored {
        let small = self.game.setup.small_city_scores_less && it.tiles == 2;
        let kind = match it.kind {
            Kind::Field => "field",
            Kind::Road => "road",
            Kind::City => "city",
            Kind::Cloister => "cloister",
        };
        Scored {
            player: it.seat,
            points: it.points,
            what: what(kind, it.complete, small),
            items: items(kind, it.complete && !small, it.tiles, it.extra),
            followers: it.followers.iter().map(|it| self.part(*it)).collect(),
        }
    }
}
