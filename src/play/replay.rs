//! Playing a transcript again and comparing it, line by line, with what happens.

use std::path::Path;

use super::recorded::{self, Fixed};
use super::transcript::{Header, Luck, Record, Transcript, line_of};
use super::{Problem, Session, typed};
use crate::diagnostic::codes;
use crate::engine::{Fault, PlayError, Program, Status};
use crate::model::Game;
use crate::model::text::Form;

/// Checks that a transcript was played under these rules.
pub fn check_rules(header: &Header, game: &Game) -> Result<(), Problem> {
    let hash = super::rules_hash(game);
    if header.rules == hash {
        return Ok(());
    }
    let name = Path::new(&header.game).file_stem();
    let name = name.map_or_else(|| header.game.clone(), |it| it.display().to_string());
    if name != game.name && name == header.game {
        let message = format!("this is a game of `{name}`, not of `{}`", game.name);
        let help = format!("leave the game out, or name the one that was played: `{name}`");
        return Err(Problem::new(codes::OTHER_RULES, message)
            .on_line(1)
            .help(help));
    }
    let message = format!(
        "the transcript was played under the rules {}, and `{}` has the rules {hash} now",
        header.rules, header.game
    );
    Err(Problem::new(codes::OTHER_RULES, message).on_line(1).help(
        "take the rulebook and the amendments as they were when it was played; the header names the version of the program",
    ))
}

/// How exactly the lines of a transcript have to be what the program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Byte for byte.
    Bytes,
    /// They say the same; a wrong result is mended.
    Meaning,
}

/// Plays the lines of a transcript again.
///
/// Every line agrees with what happened. The session may have gone on behind the last line: what
/// chance gives after the last choice follows from the seed.
pub fn replay<'p>(
    program: &'p Program,
    it: &Transcript,
    how: Compare,
) -> Result<Session<'p>, Problem> {
    check_rules(&it.header, &program.game)?;
    if it.header.view.is_some() || it.header.seed.is_none() {
        let message = "this is what one seat saw of a game, and that cannot be replayed";
        return Err(Problem::new(codes::VIEW_ONLY, message)
            .on_line(1)
            .help("give the transcript that `adit play` wrote"));
    }
    let fixed = fixed_outcomes(&program.game, it)?;
    let mut session = Session::start_with(program, it.header.clone(), fixed)
        .map_err(|problem| problem.on_line(1))?;
    let mut compared = 0;
    loop {
        while let (Some(line), Some(record)) =
            (it.lines.get(compared), session.records().get(compared))
        {
            if let Err(problem) = compare(line, record, compared + 2) {
                let mended = [codes::OTHER_SPELLING, codes::OTHER_RESULT].contains(&problem.code);
                if how == Compare::Bytes || !mended {
                    return Err(with_moves(problem, &mut session));
                }
            }
            compared += 1;
        }
        let Some(line) = it.lines.get(compared) else {
            return Ok(session);
        };
        follow(&mut session, line, compared + 2)?;
    }
}

/// Returns the outcomes of chance that the lines fix.
pub fn fixed_outcomes(game: &Game, it: &Transcript) -> Result<Vec<Fixed>, Problem> {
    if it.header.chance != Some(Luck::Recorded) {
        return Ok(Vec::new());
    }
    let lines = it.lines.iter().zip(2..);
    let records: Vec<(usize, Record)> = lines
        .map(|(line, number)| Record::read(line, number).map(|record| (number, record)))
        .collect::<Result<_, Problem>>()?;
    let records = records.iter().map(|(line, record)| (*line, record));
    recorded::fixed_by(game, it.header.chance, records)
}

/// Checks that a replayed transcript is that of a whole game, with its end; one that starts in the
/// position of a study or ruling may stop at any choice, and so may one that was found among random games.
pub fn check_whole(it: &Transcript, session: &Session<'_>) -> Result<(), Problem> {
    let n_lines = it.lines.len() + 1;
    if let Some(line) = it.torn {
        return Err(Problem::new(codes::TORN_LINE, "the last line has no end")
            .on_line(line)
            .help("`adit resume FILE` drops it and goes on from the line before"));
    }
    let whole = session.records().len() + 1 == n_lines;
    let message = match session.status() {
        Status::Ended if whole => return Ok(()),
        Status::Ended => String::from("the transcript stops before the game ends"),
        // A line of play that somebody looked for stops where it is found, in a position or among random games.
        Status::Choice { .. }
            if it.header.from.is_some() || it.header.chance == Some(Luck::Named) =>
        {
            return Ok(());
        }
        Status::Choice { seat } => {
            let seat = super::seat_name(session.game(), seat, Form::Plain);
            format!("the transcript stops where {seat} has to choose")
        }
    };
    Err(Problem::new(codes::UNFINISHED, message)
        .on_line(n_lines)
        .help("`adit resume FILE` goes on from there"))
}

/// Returns a fault of the rules as a finding.
pub fn of_fault(fault: &Fault) -> Problem {
    let found = fault.diagnostic();
    let mut problem = Problem::new(found.code, found.message);
    problem.rule = Some(fault.place());
    match found.help {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// Does what a line says.
fn follow(session: &mut Session<'_>, line: &str, number: usize) -> Result<(), Problem> {
    let record = Record::read(line, number)?;
    let Status::Choice { seat } = session.status() else {
        return Err(
            Problem::new(codes::BEYOND_THE_END, "the game has ended before this line")
                .on_line(number)
                .help("remove this line and what follows"),
        );
    };
    let chooser = super::seat_name(session.game(), seat, Form::Plain);
    match record {
        Record::Choice(choice) if choice.seat != chooser => {
            let message = format!(
                "`{}` cannot choose here: it is {chooser}'s turn",
                choice.seat
            );
            let problem = Problem::new(codes::OTHER_SEAT, message).on_line(number);
            Err(with_moves(problem, session))
        }
        Record::Choice(choice) => {
            let text = choice.played.unwrap_or_default();
            let chosen = typed::read_in_file(session, &text, Form::Signs)
                .map_err(|it| it.in_full().on_line(number))?;
            session.play(chosen).map(|_| ()).map_err(|error| {
                let problem = of_play(&error);
                match session.refused_line() {
                    Some(line) if problem.code == codes::IMPOSSIBLE_CHANCE => problem.on_line(line),
                    _ => problem.on_line(number),
                }
            })
        }
        Record::Undo(undo) => session.undo_again(&undo).map_err(|barrier| {
            let message = barrier.message(session.game(), Form::Signs);
            Problem::new(codes::UNDO_REFUSED, message)
                .on_line(number)
                .help("the program never writes such a line; remove it")
        }),
        Record::Hint(hint) => {
            session.hinted(hint.hint);
            Ok(())
        }
        Record::Chance(outcome) => {
            let message = format!(
                "chance decides nothing here (`{}`): {chooser} has to choose",
                outcome.chance
            );
            let problem = Problem::new(codes::OTHER_OUTCOME, message).on_line(number);
            Err(with_moves(problem, session))
        }
        Record::End(_) => {
            let message = format!("the game is not over here: {chooser} has to choose");
            let problem = Problem::new(codes::OTHER_RESULT, message).on_line(number);
            Err(with_moves(problem, session))
        }
    }
}

/// Returns why a move could not be played.
pub fn of_play(error: &PlayError) -> Problem {
    match error {
        PlayError::Illegal => Problem::new(codes::ILLEGAL_MOVE, "the move is not legal here"),
        PlayError::Over => Problem::new(codes::NO_CHOICE, "the game is over"),
        PlayError::Fault(fault) => of_fault(fault),
    }
}

fn compare(line: &str, happened: &Record, number: usize) -> Result<(), Problem> {
    let expected = line_of(happened);
    let expected = expected.trim_end_matches('\n');
    if line == expected {
        return Ok(());
    }
    let written = Record::read(line, number)?;
    let (code, message) = match (&written, happened) {
        (written, happened) if written == happened => (
            codes::OTHER_SPELLING,
            String::from("the line is right but not as the program writes it"),
        ),
        (Record::Chance(written), Record::Chance(happened)) => (
            codes::OTHER_OUTCOME,
            format!(
                "the seed gives `{}` from `{}` here, and the transcript says `{}` from `{}`",
                happened.value.as_deref().unwrap_or(""),
                happened.chance,
                written.value.as_deref().unwrap_or(""),
                written.chance,
            ),
        ),
        (Record::Choice(written), Record::Choice(happened))
            if written.together != happened.together =>
        {
            let how = match happened.together {
                true => "at the same time as others choose",
                false => "alone, not at the same time as others choose",
            };
            (
                codes::OTHER_SPELLING,
                format!("by these rules this is chosen {how}"),
            )
        }
        (Record::Choice(written), Record::Choice(happened)) => (
            codes::OTHER_SPELLING,
            format!(
                "the move is written `{}`, not `{}`",
                happened.played.as_deref().unwrap_or(""),
                written.played.as_deref().unwrap_or(""),
            ),
        ),
        (_, Record::Chance(happened)) => (
            codes::OTHER_OUTCOME,
            format!(
                "chance decides here: the seed gives `{}` from `{}`",
                happened.value.as_deref().unwrap_or(""),
                happened.chance,
            ),
        ),
        (Record::End(_), Record::End(_)) => (
            codes::OTHER_RESULT,
            String::from("the game ends with another result"),
        ),
        (_, Record::End(_)) => (
            codes::BEYOND_THE_END,
            String::from("the game has ended before this line"),
        ),
        (_, Record::Choice(_) | Record::Undo(_) | Record::Hint(_)) => (
            codes::OTHER_SPELLING,
            String::from("the line is not as the program writes it"),
        ),
    };
    Err(Problem::new(code, message)
        .on_line(number)
        .help(format!("here belongs `{expected}`")))
}

fn with_moves(problem: Problem, session: &mut Session<'_>) -> Problem {
    if problem.help.is_some() {
        return problem;
    }
    let legal = typed::legal_like(session, "", Form::Plain);
    problem.legal(legal).in_full()
}
