//! A plan: which games are played under which rules, in how many parts. It brings the texts of the rules along.

use std::num::NonZeroUsize;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::digest;
use crate::cli::CliError;
use crate::cli::load::{self, Asked, Loaded, Texts};
use crate::cli::shelf::Shelf;
use crate::diagnostic::codes;
use crate::lab::{self, Until};
use crate::library;
use crate::play::rules_hash;

/// The version of the format that is written and read.
const FORMAT: u32 = 1;
/// Most parts.
pub const MOST_PARTS: u64 = 65_536;

const BILLION: f64 = 1e9;

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
    /// When enough is known; looked at where the parts are put together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Enough>,
    /// In so many of the first games it is looked more closely.
    looks: u64,
    sides: Vec<Side>,
    /// What stands for the amendments that come with the program, where they are asked too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shipped: Option<String>,
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
    /// As `adit rulings --matrix`; rule sets stand for games.
    Matrix,
}

/// When enough is known, and no more parts are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Enough {
    /// As [`Until::Within`], in thousand millionths.
    Within(u64),
    /// As [`Until::Decided`].
    Decided,
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

/// What stands for all texts that come with the program.
fn shipped() -> String {
    let files = library::FILES.iter();
    digest(
        &files
            .map(|it| format!("{}\n{}\n", it.name, it.text))
            .collect::<String>(),
    )
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
            until: match plan.until {
                Until::Played => None,
                Until::Within(radius) => Some(Enough::Within((radius * BILLION).round() as u64)),
                Until::Decided => Some(Enough::Decided),
            },
            looks: plan.looks,
            sides: sides.iter().copied().map(Side::of).collect(),
            shipped: None,
        })
    }

    /// Plans to run the rulings of a game under so many rule sets.
    pub fn of_sets(parts: u64, sets: u64, game: &Loaded) -> Result<Plan, CliError> {
        if parts > sets {
            let message = format!("{sets} rule sets make no {parts} parts");
            let help = "ask for fewer parts: `--of N`";
            return Err(CliError::new(codes::BAD_PLAN, message, help));
        }
        Ok(Plan {
            adit_plan: FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            work: Work::Matrix,
            parts,
            seed: 0,
            games: sets,
            most_choices: 0,
            until: None,
            looks: 0,
            sides: vec![Side::of(game)],
            shipped: Some(shipped()),
        })
    }

    /// What is asked for, with the texts of the plan before those on the disk: amendments come with the program.
    pub fn on_shelf(&self) -> Result<Asked, CliError> {
        let Some(side) = self.sides.first() else {
            return Err(self.unusable("it names no rules"));
        };
        if self.shipped.as_ref() != Some(&shipped()) {
            return Err(self.unusable("other amendments come with this program"));
        }
        let mut shelf = Shelf::default();
        for file in &side.files {
            shelf.put(&file.name, file.text.as_str().into());
        }
        Ok(Asked {
            shelf: shelf.into(),
            texts: None,
            ..side.asked()
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
            until: match self.until {
                None => Until::Played,
                Some(Enough::Within(radius)) => Until::Within(radius as f64 / BILLION),
                Some(Enough::Decided) => Until::Decided,
            },
            jobs: NonZeroUsize::MIN,
            most_choices: self.most_choices,
            each: false,
            looks: self.looks,
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
            looks: self.looks.clamp(first, end) - first,
            until: Until::Played,
            ..self.whole()
        }
    }
}
