//! The position that a question is about.

use crate::model::text::Form;
use clap::Args;

use super::load::{self, Asked, Loaded, RulesArgs};
use super::{CliError, commands, rulebooks};
use crate::diagnostic::{Diagnostic, codes};
use crate::engine::{Fault, Move, Program, Tier};
use crate::model::{Game, Silence, StreamId};
use crate::play::transcript::{FORMAT, Header, Luck, Transcript, line_of};
use crate::play::{Compare, Fixed, Session, of_play, replay, rules_hash, setting_value, typed};
use crate::ruling;
use crate::source::Sources;

/// The seed where none is given: the same question has the same answer.
const SEED: u64 = 1;

/// Which position is meant.
#[derive(Args, Debug, Clone)]
pub struct PositionArgs {
    /// Stand where this transcript stops, under its rules; it may stand in the place of the rulebook too
    #[arg(long, value_name = "TRANSCRIPT", conflicts_with_all = ["with", "set", "players", "seed", "ruling"])]
    pub at: Option<String>,
    /// Stand at the first choice of a game with this seed
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Stand in the position of this ruling
    #[arg(long, value_name = "ID", conflicts_with = "seed")]
    pub ruling: Option<String>,
    /// Then play these moves, separated by `;`: whole, or the beginnings of their words
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
}

/// Rules and where in a game to stand.
pub struct Place {
    /// The rules.
    pub loaded: Loaded,
    at: PositionArgs,
    transcript: Option<(Transcript, String)>,
}

impl PositionArgs {
    /// Whether a position is asked for, not just the start of a game with any luck.
    pub fn is_given(&self) -> bool {
        let Self {
            at,
            seed,
            ruling,
            moves,
        } = self;
        at.is_some() || seed.is_some() || ruling.is_some() || moves.is_some()
    }

    /// Reads the rules of the position.
    pub fn place(&self, game: &str, rules: &RulesArgs, tier: Tier) -> Result<Place, CliError> {
        self.place_of(Some(game), rules, tier)
    }

    /// Whether a kept game stands in the place of a rulebook, and nothing else says where to stand.
    fn may_stand_in(&self, game: &str, rules: &RulesArgs) -> bool {
        let is_alone = self.at.is_none() && self.seed.is_none() && self.ruling.is_none();
        let as_kept = rules.with.is_empty() && rules.set.is_empty() && rules.players.is_none();
        is_alone
            && as_kept
            && rulebooks::is_path(game)
            && load::read_text(game).is_ok_and(|it| Transcript::is_begun_by(&it))
    }

    /// The same where a transcript may say what game it is.
    pub fn place_of(
        &self,
        game: Option<&str>,
        rules: &RulesArgs,
        tier: Tier,
    ) -> Result<Place, CliError> {
        if let Some(kept) = game.filter(|it| self.may_stand_in(it, rules)) {
            let at = Self {
                at: Some(kept.to_owned()),
                ..self.clone()
            };
            return at.place_of(None, rules, tier);
        }
        let Some(path) = &self.at else {
            return Ok(Place {
                loaded: load::load(Asked {
                    tier,
                    ..rules.asked(game.unwrap_or_default().to_owned())
                })?,
                at: self.clone(),
                transcript: None,
            });
        };
        let text = load::read_text(path)?;
        let transcript = Transcript::read(&text)
            .map_err(|problem| CliError::about(&Sources::new(), &problem, path, &text))?;
        let loaded = load::load(Asked {
            tier,
            ..Asked::by(&transcript.header, path, game)?
        })?;
        Ok(Place {
            loaded,
            at: self.clone(),
            transcript: Some((transcript, text)),
        })
    }
}

impl Place {
    /// Plays on to the position and asks about it; what is wrong with a move is said with symbols or in plain
    /// letters. Where rules that are good for a few moves run out of work, those for many answer.
    pub fn ask<T>(
        &self,
        form: Form,
        mut question: impl FnMut(&mut Session<'_>) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let answer = self.ask_once(form, &mut question);
        let is_tired = |it: &CliError| it.is(codes::OUT_OF_FUEL);
        if answer.as_ref().err().is_none_or(|it| !is_tired(it))
            || self.loaded.asked.tier == Tier::Optimized
        {
            return answer;
        }
        let place = Place {
            loaded: load::load(self.loaded.asked.clone().for_many_moves())?,
            at: self.at.clone(),
            transcript: self.transcript.clone(),
        };
        place.ask_once(form, &mut question)
    }

    fn ask_once<T>(
        &self,
        form: Form,
        question: &mut impl FnMut(&mut Session<'_>) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        let answer = self
            .session(form)
            .and_then(|mut session| question(&mut session));
        answer.map_err(|it| it.within(&self.loaded.sources))
    }

    fn session(&self, form: Form) -> Result<Session<'_>, CliError> {
        let program = &self.loaded.program;
        let mut session = match (&self.transcript, &self.at.at) {
            (Some((transcript, text)), Some(path)) => replay(program, transcript, Compare::Meaning)
                .map_err(|problem| CliError::about(&self.loaded.sources, &problem, path, text))?,
            _ => self.start()?,
        };
        let moves = self.at.moves.iter().flat_map(|moves| moves.split(';'));
        for text in moves.map(str::trim).filter(|text| !text.is_empty()) {
            let chosen = typed::read_begun(&mut session, text, form)?;
            session.play(chosen).map_err(|error| of_play(&error))?;
        }
        Ok(session)
    }

    fn start(&self) -> Result<Session<'_>, CliError> {
        let program = &self.loaded.program;
        let seats = vec![String::from("human"); program.game.n_seats as usize];
        let header = header(
            &program.game,
            &self.loaded.asked,
            seats,
            self.at.seed.unwrap_or(SEED),
        );
        if let Some(id) = &self.at.ruling {
            return self.at_ruling(id, header);
        }
        Session::start(program, header).map_err(|it| fault(&self.loaded.sources, &it))
    }

    fn at_ruling(&self, id: &str, header: Header) -> Result<Session<'_>, CliError> {
        let program = &self.loaded.program;
        let rulings = &program.game.rulings;
        let found = rulings.iter().position(|ruling| ruling.id == id);
        let elsewhere = program.game.unheard.iter().find(|it| it.id == id);
        if let Some(Silence::Seats(count)) = elsewhere.map(|it| it.why) {
            let message = format!("the ruling `{id}` is for {count} players");
            let help = format!("ask for their table: `--players {count}`");
            return Err(CliError::new(codes::UNKNOWN_RULING, message, help));
        }
        let Some(machine) = found.and_then(|index| ruling::reach(program, index)) else {
            let known: Vec<String> = rulings.iter().map(|ruling| ruling.id.clone()).collect();
            return Err(commands::unknown_ruling(id, &known));
        };
        match machine {
            Ok(machine) => Ok(Session::at(program, header, machine)),
            Err((span, message)) => {
                let diagnostic = Diagnostic::at(codes::UNREACHED_RULING, span, message);
                Err(CliError::found(
                    self.loaded.sources.clone(),
                    vec![diagnostic],
                ))
            }
        }
    }
}

/// Returns a fault with its place in the rulebook.
pub fn fault(sources: &Sources, fault: &Fault) -> CliError {
    CliError::found(sources.clone(), vec![fault.diagnostic()])
}

/// Returns the transcript of a line of play that the rules stop at its last choice, or before the first.
pub fn line_to_fault(
    program: &Program,
    header: Header,
    played: &[Move],
    last: Option<Move>,
) -> String {
    let Ok(mut session) = Session::start_with(program, header.clone(), Vec::new()) else {
        return line_of(&header);
    };
    for played in played {
        if session.play(*played).is_err() {
            break;
        }
    }
    match last {
        Some(last) => session.transcript_with(last, &[]),
        None => session.transcript(),
    }
}

/// Plays a line that a search has found, from the position of a study or ruling or from the start of the game: what chance
/// gives is part of it.
pub fn searched<'l>(
    loaded: &'l Loaded,
    asked: &Asked,
    from: Option<(&str, u64)>,
    chance: impl Iterator<Item = (StreamId, i64)>,
    moves: impl Iterator<Item = Move>,
) -> Result<Session<'l>, CliError> {
    let game = &loaded.program.game;
    let seats = vec![String::from("human"); game.n_seats as usize];
    let seed = from.map_or(SEED, |(_, seed)| seed);
    let mut header = header(game, asked, seats, seed);
    header.from = from.map(|(id, _)| id.to_owned());
    header.chance = Some(Luck::Recorded);
    let fixed = chance.map(|(stream, value)| Fixed {
        stream,
        value,
        line: None,
    });
    let mut session = Session::start_with(&loaded.program, header, fixed.collect())?;
    for played in moves {
        session.play(played).map_err(|error| of_play(&error))?;
    }
    Ok(session)
}

/// Returns the first line of a transcript of a new game.
pub fn header(game: &Game, asked: &Asked, seats: Vec<String>, seed: u64) -> Header {
    let settings = game.settings.iter();
    Header {
        adit: FORMAT,
        game: asked.game.clone(),
        amendments: asked.amendments.clone(),
        settings: settings
            .map(|it| (it.name.clone(), setting_value(game, it, it.value).into()))
            .collect(),
        seats,
        from: None,
        seed: Some(seed),
        chance: None,
        view: None,
        rules: rules_hash(game),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
