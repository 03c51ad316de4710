//! Plays a recorded game again and compares everything that the log says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};

use super::log::{Act, Feature, Log, Opening, Part, Phase, Placement, Points, Standing, Tokens};

/// Somebody who can play a recorded game; names and places are those of the logs.
pub trait Referee: Sized {
    /// Starts a game in which the designs are drawn as the log says.
    fn start(log: &Log) -> Result<Self, String>;

    /// Who is to choose; nobody once the game is over.
    fn mover(&self) -> Option<usize>;

    /// The design that is to be laid, if that is the choice.
    fn to_lay(&mut self) -> Option<String>;

    /// The designs that could not be laid, up to now, in any order.
    fn discarded(&mut self) -> Vec<String>;

    /// How many tiles are still to be drawn.
    fn pack_left(&mut self) -> usize;

    fn placements(&mut self) -> Vec<Placement>;

    /// The followers on offer after a tile was laid.
    fn followers(&mut self) -> Vec<Part>;

    /// The tokens on offer after a tile was laid: their colours and where they can be put.
    fn tokens(&mut self) -> Vec<(String, Opening)>;

    fn lay(&mut self, at: Placement) -> Result<(), String>;

    fn put_follower(&mut self, on: &Part) -> Result<(), String>;

    fn put_token(&mut self, set: &str, at: &Opening) -> Result<(), String>;

    /// Says that it is enough.
    fn pass(&mut self) -> Result<(), String>;

    /// What scored since this was last asked.
    fn scored(&mut self) -> Vec<Scored>;

    fn scores(&mut self) -> Vec<u32>;

    fn supply(&mut self) -> Vec<u32>;

    fn tokens_left(&mut self) -> Vec<Tokens>;

    fn standing(&mut self) -> Vec<Standing>;

    fn features(&mut self) -> Vec<Feature>;
}

/// What a player got for a feature.
#[derive(Clone, Debug)]
pub struct Scored {
    pub player: usize,
    pub points: u32,
    pub what: String,
    pub items: Vec<(String, u32, u32)>,
    /// All followers of the player on it.
    pub followers: Vec<Part>,
}

/// What a log calls a feature that scored.
pub fn what(kind: &str, complete: bool, small_city: bool) -> String {
    let kind = if kind == "cloister" {
        "monastery"
    } else {
        kind
    };
    match (kind, complete) {
        ("field", _) => "field".to_owned(),
        ("city", true) if small_city => "city.tiny".to_owned(),
        (_, true) => kind.to_owned(),
        (_, false) => format!("{kind}.incomplete"),
    }
}

/// What a log lists of a feature that scored: tiles, and shields or cities.
pub fn items(kind: &str, full: bool, tiles: u32, extra: u32) -> Vec<(String, u32, u32)> {
    let each = if kind == "city" && full { 2 } else { 1 };
    let (name, worth) = match kind {
        "field" => ("cities", 3),
        _ => ("pennants", each),
    };
    let mut items = Vec::new();
    if kind != "field" {
        items.push(("tiles".to_owned(), tiles, each * tiles));
    }
    if extra > 0 {
        items.push((name.to_owned(), extra, worth * extra));
    }
    items
}

/// Where a log and a referee part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parted {
    /// The line and the turn of the log.
    pub place: String,
    /// What is not so, and what is.
    pub why: String,
}

impl Display for Parted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.place, self.why)
    }
}

/// What was compared, so that a test can tell that it was not nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    pub decisions: usize,
    pub options: usize,
    pub scored: usize,
    pub features: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.decisions += other.decisions;
        self.options += other.options;
        self.scored += other.scored;
        self.features += other.features;
    }
}

/// Plays a log to its end.
pub fn replay<R: Referee>(log: &Log) -> Result<Compared, Parted> {
    let mut replay = Replay {
        referee: R::start(log).map_err(|why| Parted {
            place: "set-up".to_owned(),
            why,
        })?,
        log,
        compared: Compared::default(),
        discarded: Vec::new(),
    };
    let set_up = replay.check_set_up();
    set_up.map_err(|why| Parted {
        place: "set-up".to_owned(),
        why,
    })?;
    for turn in 0..log.turns.len() {
        replay.turn(turn).map_err(|why| Parted {
            place: log.place_of(turn + 1),
            why,
        })?;
    }
    replay.check_end().map_err(|why| Parted {
        place: "end of the game".to_owned(),
        why,
    })?;
    Ok(replay.compared)
}

struct Replay<'a, R> {
    log: &'a Log,
    referee: R,
    compared: Compared,
    discarded: Vec<String>,
}

/// What of the extras of a turn is still to come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Action,
    Token,
    Over,
}

impl<R: Referee> Replay<'_, R> {
    fn check_set_up(&mut self) -> Result<(), String> {
        let log = self.log;
        if log.turns.is_empty() {
            return Err("the log has no turns".to_owned());
        }
        equal(
            "tokens",
            &log.tokens_per_player,
            &self.tokens(&log.tokens_per_player),
        )?;
        let zero = vec![0; log.config.players];
        equal("scores", &zero, &self.referee.scores())?;
        let supply = vec![u32::from(log.config.followers); log.config.players];
        equal("followers in supply", &supply, &self.referee.supply())
    }

    /// The tokens left, as the log writes them: what is used up may be there as 0 or not at all.
    fn tokens(&mut self, written: &[Tokens]) -> Vec<Tokens> {
        let mut tokens = self.referee.tokens_left();
        for (own, written) in tokens.iter_mut().zip(written) {
            own.retain(|set, left| *left > 0 || written.contains_key(set));
        }
        tokens
    }

    fn turn(&mut self, index: usize) -> Result<(), String> {
        let turn = &self.log.turns[index];
        equal("player", &Some(turn.player), &self.referee.mover())?;
        self.discarded.extend(turn.discarded_before.iter().cloned());
        equal(
            "tiles that could not be laid",
            &sorted(&self.discarded),
            &sorted(&self.referee.discarded()),
        )?;
        equal("tile", &Some(turn.tile.clone()), &self.referee.to_lay())?;
        equal("tiles left", &turn.pack_left, &self.referee.pack_left())?;
        let placements = self.referee.placements();
        self.same_options("placement", &turn.legal, &placements, placement)?;
        let place = (turn.place.x, turn.place.y, turn.place.rot);
        must_be_legal("the tile is laid at", &place, &placements, placement)?;
        self.compared.decisions += 1;
        self.referee.lay(place)?;
        self.extras(index)?;
        self.points(&turn.points)?;
        if index + 1 < self.log.turns.len() {
            equal("scores", &turn.scores, &self.referee.scores())?;
            equal("followers in supply", &turn.supply, &self.referee.supply())?;
        } else {
            // The points at the end of the game have been given too.
            let given = self.log.final_points.iter();
            let mut scores = turn.scores.clone();
            for points in given {
                *scores
                    .get_mut(points.player)
                    .ok_or_else(|| format!("there is no player {}", points.player))? +=
                    points.points;
            }
            equal(
                "scores before those at the end",
                &scores,
                &self.referee.scores(),
            )?;
            equal("followers in supply", &turn.supply, &self.referee.supply())?;
        }
        let written = turn.tokens_left.clone().unwrap_or_default();
        if turn.tokens_left.is_some() != self.log.config.tunnel {
            return Err("the log says nothing of the tokens left, or of tokens not in play".into());
        }
        let left = self.tokens(&written);
        equal(
            "tokens left",
            &written,
            &if self.log.config.tunnel { left } else { vec![] },
        )
    }

    /// A follower and a token, in either order.
    fn extras(&mut self, index: usize) -> Result<(), String> {
        let turn = &self.log.turns[index];
        let (mut options, mut acts) = (turn.options.iter(), turn.acts.iter());
        let (mut follower_used, mut token_used, mut passed) = (false, false, false);
        let mut stage = Stage::Action;
        // Asked until the log asks no more: what the referee offers then must be nothing.
        while stage != Stage::Over {
            // A follower is passed over for good, so the log shows none afterwards.
            let (followers, tokens) = if self.is_over(turn.player) {
                (vec![], vec![])
            } else {
                (self.referee.followers(), self.referee.tokens())
            };
            if follower_used && !followers.is_empty() {
                let second = printed(&followers, part);
                return Err(format!("a second follower is on offer: {second}"));
            }
            if token_used && !tokens.is_empty() {
                let second = printed(&tokens, token);
                return Err(format!("a second token is on offer: {second}"));
            }
            let asked = match stage {
                Stage::Action => !followers.is_empty() || !tokens.is_empty(),
                Stage::Token => !tokens.is_empty(),
                Stage::Over => false,
            };
            if !asked {
                stage = match stage {
                    Stage::Action => Stage::Token,
                    Stage::Token | Stage::Over => Stage::Over,
                };
                continue;
            }
            let offered = if stage == Stage::Action {
                followers.clone()
            } else {
                vec![]
            };
            let Some(logged) = options.next() else {
                let (followers, tokens) = (printed(&offered, part), printed(&tokens, token));
                return Err(format!(
                    "the log has no further decision; legal is {followers} {tokens}"
                ));
            };
            let phase = match stage {
                Stage::Action => Phase::Action,
                Stage::Token | Stage::Over => Phase::Token,
            };
            equal("phase", &logged.phase, &phase)?;
            self.same_options("follower", &logged.follower, &offered, part)?;
            let product = logged.token_sets.iter().flat_map(|set| {
                let openings = logged.openings.iter();
                openings.map(move |it| (set.clone(), it.clone()))
            });
            let product: Vec<(String, Opening)> = product.collect();
            if product.is_empty() != (logged.token_sets.is_empty() && logged.openings.is_empty()) {
                return Err("the log offers tokens without openings, or openings only".to_owned());
            }
            self.same_options("token", &product, &tokens, token)?;
            self.compared.decisions += 1;
            let act = acts.next().ok_or("the log lacks an act")?;
            match act {
                Act::Follower { x, y, feature } => {
                    let on = Part {
                        x: *x,
                        y: *y,
                        feature: feature.clone(),
                    };
                    must_be_legal("a follower is put on", &on, &offered, part)?;
                    self.referee.put_follower(&on)?;
                    follower_used = true;
                    stage = Stage::Token;
                }
                Act::Token {
                    set,
                    x,
                    y,
                    feature,
                    edge,
                } => {
                    let at = Opening {
                        x: *x,
                        y: *y,
                        feature: feature.clone(),
                        edge: edge.clone(),
                    };
                    let chosen = (set.clone(), at);
                    must_be_legal("a token is put:", &chosen, &tokens, token)?;
                    self.referee.put_token(set, &chosen.1)?;
                    token_used = true;
                    // The log goes on with the follower if that is still to come.
                    if stage == Stage::Token {
                        stage = Stage::Over;
                    }
                }
                Act::Pass { phase } => {
                    equal("phase of the pass", phase, &logged.phase)?;
                    passed = true;
                    stage = match stage {
                        Stage::Action => Stage::Token,
                        Stage::Token | Stage::Over => Stage::Over,
                    };
                }
            }
        }
        if options.next().is_some() || acts.next().is_some() {
            return Err("the log has a further decision where nothing is legal".to_owned());
        }
        // The window of the referee stays open while there is anything to use in it.
        if passed && !self.is_over(turn.player) {
            self.referee.pass()?;
        }
        Ok(())
    }

    /// Whether the extras of a player are over.
    fn is_over(&mut self, player: usize) -> bool {
        self.referee.mover() != Some(player) || self.referee.to_lay().is_some()
    }

    /// Compares what scored in any order, and removes it from what scored.
    fn points(&mut self, logged: &[Points]) -> Result<(), String> {
        let mut scored = self.referee.scored();
        // In the last turn the points at the end of the game have been given too.
        let end = if self.referee.mover().is_none() {
            self.log.final_points.as_slice()
        } else {
            &[]
        };
        for points in logged.iter().chain(end) {
            let found = scored.iter().position(|it| {
                it.player == points.player
                    && it.points == points.points
                    && it.what == points.what
                    && it.items == points.items
                    && it.followers.contains(&points.follower_at)
            });
            let Some(found) = found else {
                return Err(format!("{points:?} was not scored, but {scored:?}"));
            };
            scored.swap_remove(found);
            self.compared.scored += 1;
        }
        if !scored.is_empty() {
            return Err(format!("the log lacks points: {scored:?}"));
        }
        Ok(())
    }

    fn check_end(&mut self) -> Result<(), String> {
        let log = self.log;
        equal("player", &None, &self.referee.mover())?;
        self.discarded.extend(log.discarded_at_end.iter().cloned());
        equal(
            "tiles that could not be laid",
            &sorted(&self.discarded),
            &sorted(&self.referee.discarded()),
        )?;
        equal("final scores", &log.final_scores, &self.referee.scores())?;
        let standing = self.referee.standing();
        self.same_options("final follower", &log.final_followers, &standing, |it| {
            format!("{} on [{},{},{}]", it.player, it.x, it.y, it.feature)
        })?;
        let ordered = |features: &[Feature]| {
            let mut features = features.to_vec();
            for feature in &mut features {
                feature.parts.sort_unstable();
                feature.owners.sort_unstable();
            }
            features
        };
        let features = ordered(&self.referee.features());
        self.compared.features += features.len();
        let logged = ordered(&log.final_features);
        self.same_options("final feature", &logged, &features, |it| format!("{it:?}"))
    }

    /// Compares two lists in any order, and says which option is too much or missing.
    fn same_options<T: Ord>(
        &mut self,
        what: &str,
        logged: &[T],
        legal: &[T],
        print: impl Fn(&T) -> String,
    ) -> Result<(), String> {
        self.compared.options += legal.len();
        let known: BTreeSet<&T> = legal.iter().collect();
        if known.len() < legal.len() {
            return Err(format!(
                "a {what} is on offer twice: {}",
                printed(legal, &print)
            ));
        }
        let mut rest: BTreeMap<&T, usize> = legal.iter().map(|it| (it, 1)).collect();
        for option in logged {
            match rest.remove(option) {
                Some(_) => {}
                None => {
                    let twice = if known.contains(option) { "twice " } else { "" };
                    return Err(format!(
                        "{what} {} is {twice}in the log; legal is {}",
                        print(option),
                        printed(legal, &print)
                    ));
                }
            }
        }
        match rest.first_key_value() {
            None => Ok(()),
            Some((option, _)) => Err(format!(
                "{what} {} is not in the log; legal is {}",
                print(option),
                printed(legal, &print)
            )),
        }
    }
}

fn equal<T: PartialEq + Debug>(what: &str, logged: &T, is: &T) -> Result<(), String> {
    if logged == is {
        return Ok(());
    }
    Err(format!("{what}: the log says {logged:?}, it is {is:?}"))
}

fn sorted(designs: &[String]) -> Vec<String> {
    let mut designs = designs.to_vec();
    designs.sort_unstable();
    designs
}

fn must_be_legal<T: PartialEq>(
    what: &str,
    chosen: &T,
    legal: &[T],
    print: impl Fn(&T) -> String,
) -> Result<(), String> {
    if legal.contains(chosen) {
        return Ok(());
    }
    let (chosen, legal) = (print(chosen), printed(legal, print));
    Err(format!("{what} {chosen}; legal is {legal}"))
}

fn printed<T>(list: &[T], print: impl Fn(&T) -> String) -> String {
    list.iter().map(print).collect::<Vec<_>>().join(" ")
}

fn placement((x, y, rot): &Placement) -> String {
    format!("[{x},{y},{rot}]")
}

fn part(it: &Part) -> String {
    format!("[{},{},{}]", it.x, it.y, it.feature)
}

fn token((set, at): &(String, Opening)) -> String {
    format!("{set} at [{},{},{},{}]", at.x, at.y, at.feature, at.edge)
}
