//! What features are worth.

use super::land::{Flood, Part};
use super::tiles::{Kind, PIECES};
use super::{Carcassonne, MOST_SEATS};

/// A feature scored for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    pub seat: usize,
    pub points: u32,
    pub kind: Kind,
    pub complete: bool,
    /// Tiles of the feature; of a cloister those around it too.
    pub tiles: u32,
    /// Shields of a city, complete cities at a field.
    pub extra: u32,
    /// Where the followers of the seat stand on it.
    pub followers: Vec<Part>,
}

impl Carcassonne {
    /// Scores what this turn has completed and takes the followers home.
    pub(super) fn score_complete(&mut self) {
        let fresh = self.table.laid.len() - 1;
        let mut touched: Vec<Part> = self.table.parts_of(fresh).collect();
        touched.extend(self.token_used);
        let cloisters = self.table.cloisters_near(self.table.laid[fresh].at);
        touched.extend(cloisters);
        for part in touched {
            if self.table.piece(part).kind == Kind::Field {
                continue;
            }
            self.flood.fill(&self.table, part);
            let parts = &self.flood.parts;
            // What was scored a moment ago holds no followers any more.
            if parts.iter().all(|&it| self.table.follower(it).is_none())
                || !self.table.is_complete(parts)
            {
                continue;
            }
            self.score_flooded(part, true, 0);
            for &it in &self.flood.parts {
                if let Some(seat) = self.table.follower(it) {
                    self.supply[usize::from(seat)] += 1;
                    self.table.set_follower(it, None);
                }
            }
        }
    }

    /// Scores everything that followers still stand on.
    pub(super) fn score_at_the_end(&mut self) {
        let mut scored = vec![false; self.table.laid.len() * PIECES];
        let mut cities = None;
        for tile in 0..self.table.laid.len() {
            for part in self.table.parts_of(tile) {
                if self.table.follower(part).is_none() || scored[part.index()] {
                    continue;
                }
                self.flood.fill(&self.table, part);
                for it in &self.flood.parts {
                    scored[it.index()] = true;
                }
                let at_field = if self.table.piece(part).kind == Kind::Field {
                    let cities = cities.get_or_insert_with(|| self.complete_cities());
                    self.cities_at_flooded(cities)
                } else {
                    0
                };
                self.score_flooded(part, false, at_field);
            }
        }
    }

    /// Scores the feature in `flood` for those who have most followers on it.
    fn score_flooded(&mut self, part: Part, complete: bool, cities: u32) {
        let parts = &self.flood.parts;
        let kind = self.table.piece(part).kind;
        let tiles = match kind {
            Kind::Cloister => 1 + self.table.neighbours(part) as u32,
            Kind::City | Kind::Road | Kind::Field => {
                let mut tiles: Vec<u16> = parts.iter().map(|it| it.tile).collect();
                tiles.sort_unstable();
                tiles.dedup();
                tiles.len() as u32
            }
        };
        let extra = match kind {
            Kind::City => parts.iter().map(|&it| self.table.piece(it).shields).sum(),
            Kind::Field => cities,
            Kind::Road | Kind::Cloister => 0,
        };
        let points = match kind {
            Kind::Road | Kind::Cloister => tiles,
            Kind::Field => 3 * extra,
            Kind::City => {
                let small = self.setup.small_city_scores_less && tiles == 2;
                if complete && !small {
                    2 * (tiles + extra)
                } else {
                    tiles + extra
                }
            }
        };
        let mut strength = [0; MOST_SEATS];
        for &it in parts {
            if let Some(seat) = self.table.follower(it) {
                strength[usize::from(seat)] += 1;
            }
        }
        let most = strength.into_iter().max().unwrap_or(0);
        for (seat, &own) in strength.iter().enumerate() {
            if most == 0 || own < most {
                continue;
            }
            self.points[seat] += points;
            let own = |it: &&Part| self.table.follower(**it) == Some(seat as u8);
            self.scored.push(Scored {
                seat,
                points,
                kind,
                complete,
                tiles,
                extra,
                followers: parts.iter().filter(own).copied().collect(),
            });
        }
    }

    /// For each part the number of the complete city that it belongs to.
    fn complete_cities(&self) -> Vec<Option<usize>> {
        let mut cities = vec![None; self.table.laid.len() * PIECES];
        let mut looked_at = vec![false; cities.len()];
        let mut flood = Flood::default();
        let mut number = 0;
        for tile in 0..self.table.laid.len() {
            for part in self.table.parts_of(tile) {
                if self.table.piece(part).kind != Kind::City || looked_at[part.index()] {
                    continue;
                }
                flood.fill(&self.table, part);
                let complete = self.table.is_complete(&flood.parts);
                number += 1;
                for it in &flood.parts {
                    looked_at[it.index()] = true;
                    cities[it.index()] = complete.then_some(number);
                }
            }
        }
        cities
    }

    /// How many complete cities the field in `flood` lies against.
    fn cities_at_flooded(&self, cities: &[Option<usize>]) -> u32 {
        let mut found = Vec::new();
        for &part in &self.flood.parts {
            for &slot in self.table.piece(part).cities {
                found.extend(cities[Part::new(usize::from(part.tile), slot).index()]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found.len() as u32
    }
}
