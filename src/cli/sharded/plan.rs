//! A plan: which games are played under which rules, in how many parts. It brings the texts of the rules along.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::digest;
use crate::cli::CliError;
use crate::cli::load::{self, Asked, Loaded, Texts};
use crate::diagnostic::codes;
use crate::lab::{self, Until};
use crate::play::rules_hash;

/// The version of the format that is written and read.
const FORMAT: u32 = 1;
/// Most parts.
pub const MOST_PARTS: u64 = 65_536;

/// What is to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The version of the format.
    adit_plan: u32,
    /// The version of the program; another one may play other games.
    engine: String,
    /// What becomes of the games.
    pub work: Work,
    /// How many parts.
    pub parts: u64,
    /// The seed of the first game.
    seed: u64,
    games: u64,
    pub most_choices: u64,
    /// In so many of the first games it is looked at what clauses forbid.
    refusals: u64,
    sides: Vec<Side>,
}

/// What becomes of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// As `adit simulate`.
    Simulate,
    /// As `adit compare`.
    Compare,
    /// As `adit try` and `adit diff`.
    Try,
}

/// A rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Side {
    game: String,
    amendments: Vec<String>,
    settings: Vec<(String, String)>,
    players: Option<u32>,
    /// The hash of the composed rules.
    rules: String,
    files: Vec<File>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    text: String,
}

impl Side {
    fn of(loaded: &Loaded) -> Side {
        let asked = loaded.asked.clone();
        let files = loaded.sources.iter().map(|(_, it)| File {
            name: it.name.clone(),
            text: it.text.clone(),
        });
        Side {
            game: asked.game,
            amendments: asked.amendments,
            settings: asked.set,
            players: asked.seats,
            rules: rules_hash(&loaded.program.game),
            files: files.collect(),
        }
    }

    fn asked(&self) -> Asked {
        let files = self.files.iter();
        let files = files.map(|it| (it.name.clone(), it.text.clone()));
        Asked {
            game: self.game.clone(),
            amendments: self.amendments.clone(),
            set: self.settings.clone(),
            seats: self.players,
            texts: Some(Arc::new(Texts(files.collect()))),
            ..Asked::default()
        }
    }
}

impl Plan {
    /// Plans to play games in so many parts.
    pub fn new(
        work: Work,
        parts: u64,
        plan: &lab::Plan,
        sides: &[&Loaded],
    ) -> Result<Plan, CliError> {
        if parts > plan.games {
            let message = format!("{} games make no {parts} parts", plan.games);
            let help = "ask for fewer parts: `--of N`, or for more games: `--games N`";
            return Err(CliError::new(codes::BAD_PLAN, message, help));
        }
        Ok(Plan {
            adit_plan: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            work,
            parts,
            seed: plan.first,
            games: plan.games,
            most_choices: plan.most_choices,
            refusals: plan.refusals,
            sides: sides.iter().copied().map(Side::of).collect(),
        })
    }

    /// Reads a plan.
    pub fn read(path: &str, text: &str) -> Result<Plan, CliError> {
        let wrong = |why: String| {
            let message = format!("`{path}` is no plan of games that can be followed: {why}");
            let help = "`adit shard plan … -o FILE` writes one";
            CliError::new(codes::BAD_PLAN, message, help)
        };
        let plan: Plan = serde_json::from_str(text).map_err(|it| wrong(it.to_string()))?;
        if plan.adit_plan != FORMAT {
            return Err(wrong(format!("it has format {}", plan.adit_plan)));
        }
        let engine = env!("CARGO_PKG_VERSION");
        if plan.engine != engine {
            let other = &plan.engine;
            return Err(wrong(format!(
                "it was made by adit {other}, and this is {engine}"
            )));
        }
        if !(1..=MOST_PARTS).contains(&plan.parts) || plan.parts > plan.games {
            return Err(wrong(String::from("its parts and games do not fit")));
        }
        Ok(plan)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        // Nothing in it cannot be written.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// What stands for all of it.
    pub fn digest(&self) -> String {
        digest(&self.text())
    }

    pub fn unusable(&self, why: &str) -> CliError {
        let message = format!("the plan cannot be followed: {why}");
        CliError::new(
            codes::BAD_PLAN,
            message,
            "make it anew: `adit shard plan …`",
        )
    }

    /// Makes its rules ready to play.
    pub fn load(&self) -> Result<Vec<Loaded>, CliError> {
        let mut all = Vec::new();
        for side in &self.sides {
            let loaded = load::load(side.asked())?;
            if rules_hash(&loaded.program.game) != side.rules {
                return Err(self.unusable("its texts are other rules than it says"));
            }
            // How many games are played was asked for.
            loaded.program.unbound_work();
            all.push(loaded);
        }
        Ok(all)
    }

    /// The hashes of its rules.
    pub fn rules(&self) -> Vec<String> {
        self.sides.iter().map(|it| it.rules.clone()).collect()
    }

    /// All that is to be played.
    pub fn whole(&self) -> lab::Plan {
        lab::Plan {
            first: self.seed,
            games: self.games,
            until: Until::Played,
            jobs: NonZeroUsize::MIN,
            most_choices: self.most_choices,
            each: false,
            refusals: self.refusals,
        }
    }

    /// What is to be played in a part.
    pub fn of_part(&self, number: u64) -> lab::Plan {
        let begins = |part: u64| {
            let at = u128::from(self.games) * u128::from(part) / u128::from(self.parts.max(1));
            u64::try_from(at).unwrap_or(u64::MAX)
        };
        let (first, end) = (begins(number), begins(number + 1));
        lab::Plan {
            first: self.seed.wrapping_add(first),
            games: end - first,
            refusals: self.refusals.clamp(first, end) - first,
            ..self.whole()
        }
    }
}
