//! What the engine scored, feature by feature.

use std::collections::{BTreeMap, BTreeSet};

use adit::model::Expr;

use super::ask::members;
use super::engine::Engine;
use super::replay::{Referee, Scored, items, what};

impl Engine {
    /// Finds out what scored from the followers that went home, and compares it with the points.
    pub(super) fn turn_ended(&mut self) -> Result<(), String> {
        let now = self.who_stands();
        let before = std::mem::replace(&mut self.standing, now);
        let gone = before
            .iter()
            .filter(|(part, _)| !self.standing.contains_key(part));
        let gone: BTreeMap<usize, usize> = gone.map(|(part, seat)| (*part, *seat)).collect();
        let mut seen = BTreeSet::new();
        let mut scored = Vec::new();
        for part in gone.keys() {
            if seen.contains(part) {
                continue;
            }
            let whole = members(&self.of("whole", *part));
            seen.extend(whole.iter().copied());
            if self.of("complete", *part).scalar() != 1 {
                return Err(format!("a follower left {:?}", self.named(*part)));
            }
            let mut strength = vec![0; self.seats];
            for seat in whole.iter().filter_map(|it| gone.get(it)) {
                strength[*seat] += 1;
            }
            let most = strength.iter().max().copied();
            let owners = (0..self.seats).filter(|it| Some(strength[*it]) == most);
            let points = self.of("value", *part).scalar();
            for seat in owners {
                scored.push(self.scored_one(seat, *part, &whole, &gone, points, true));
            }
        }
        if self.mover().is_none() {
            let standing = self.standing.clone();
            for part in standing.keys() {
                if seen.contains(part) {
                    continue;
                }
                let whole = members(&self.of("whole", *part));
                seen.extend(whole.iter().copied());
                let owners = self.names.call(
                    "owners",
                    vec![self.names.call("whole", vec![self.part(*part)])],
                );
                let owners = members(&self.ask(&[owners])[0]);
                let points = if self.kind(*part) == "field" {
                    3 * members(&self.of("cities_beside", *part)).len() as i64
                } else {
                    self.of("unfinished_value", *part).scalar()
                };
                for seat in owners {
                    scored.push(self.scored_one(seat, *part, &whole, &standing, points, false));
                }
            }
        }
        let points = self.points();
        let mut expected = self.scores.clone();
        for it in &scored {
            expected[it.player] += it.points;
        }
        if points != expected {
            return Err(format!(
                "the points are {points:?}, but {expected:?} after {scored:?}"
            ));
        }
        self.scores = points;
        self.scored.append(&mut scored);
        Ok(())
    }

    /// What a part is: the name of its slot without the number.
    pub(super) fn kind(&mut self, part: usize) -> String {
        let feature = self.named(part).feature;
        feature
            .trim_end_matches(|it: char| it.is_ascii_digit())
            .to_owned()
    }

    fn scored_one(
        &mut self,
        player: usize,
        part: usize,
        whole: &[usize],
        standing: &BTreeMap<usize, usize>,
        points: i64,
        complete: bool,
    ) -> Scored {
        let kind = self.kind(part);
        let count = |value: i64| u32::try_from(value).unwrap();
        let tiles = if kind == "cloister" {
            1 + count(self.of("neighbours_of", part).scalar())
        } else {
            u32::try_from(members(&self.of("tiles_of", part)).len()).unwrap()
        };
        let extra = match kind.as_str() {
            "city" => count(self.of("shields", part).scalar()),
            "field" => u32::try_from(members(&self.of("cities_beside", part)).len()).unwrap(),
            _ => 0,
        };
        let own = whole.iter().filter(|it| standing.get(it) == Some(&player));
        let own: Vec<usize> = own.copied().collect();
        let small = self
            .names
            .game()
            .settings
            .iter()
            .any(|it| it.name == "small_city" && it.value == 1);
        Scored {
            player,
            points: count(points),
            what: what(&kind, complete, small && tiles == 2),
            items: items(&kind, complete && !(small && tiles == 2), tiles, extra),
            followers: own.into_iter().map(|it| self.named(it)).collect(),
        }
    }

    pub(super) fn who_stands(&mut self) -> BTreeMap<usize, usize> {
        let laid = self.names.laid("stands");
        let parts = members(&self.ask(&[laid])[0]);
        let place = |part: &usize| self.names.place("stands", vec![self.part(*part)]);
        let asked: Vec<Expr> = parts
            .iter()
            .map(|it| self.names.component(place(it)))
            .collect();
        let seats = self.ask(&asked);
        let seats = seats.iter().map(|it| usize::try_from(it.scalar()).unwrap());
        parts.iter().copied().zip(seats).collect()
    }
}
