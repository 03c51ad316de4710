//! Running the disputed cases of a rulebook, one by one or under many rule sets.

mod matrix;

pub use matrix::{Cell, Matrix};

use crate::engine::{Dice, Fault, Machine, Move, PlayError, Program, Status};
use crate::model::{ClauseId, Expect, ExpectKind, Game, Played, PlayedAlt, Ruling};
use crate::source::Span;

/// What became of a ruling.
#[derive(Clone, Debug)]
pub struct Ran {
    /// As written, `R-F1`.
    pub id: String,
    /// The question.
    pub title: String,
    /// Whether it speaks of this rule set by name.
    pub named: bool,
    /// Whether it was written for this very rule set.
    pub at_home: bool,
    /// Why the position could not be reached, and where.
    pub failed: Option<(Span, String)>,
    /// What was expected, in the order of the ruling.
    pub judged: Vec<Judged>,
}

/// What became of an expectation.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its text.
    pub span: Span,
    /// Whether it holds.
    pub holds: bool,
    /// Whether it speaks of this rule set by name.
    pub named: bool,
    /// The label of the clause that refused the move, where a move is refused.
    pub label: Option<String>,
    /// What was there instead.
    pub saw: Option<String>,
}

/// What a ruling comes to under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that was expected holds.
    Holds,
    /// It turns out otherwise under these rules, for which it was not written and of which it does not speak.
    Differs,
    /// What is expected of these very rules does not hold.
    Failed,
}

impl Ran {
    /// Adds what the same ruling came to under other rules.
    pub fn add(&mut self, other: Ran) {
        self.named |= other.named;
        self.failed = self.failed.take().or(other.failed);
        self.judged.extend(other.judged);
    }

    /// Returns what it comes to.
    pub fn verdict(&self) -> Verdict {
        let counts = |it: &&Judged| self.at_home || it.named;
        if self.failed.is_some() {
            return if self.at_home || self.named {
                Verdict::Failed
            } else {
                Verdict::Differs
            };
        }
        let wrong: Vec<&Judged> = self.judged.iter().filter(|it| !it.holds).collect();
        if wrong.iter().any(counts) {
            Verdict::Failed
        } else if !wrong.is_empty() {
            Verdict::Differs
        } else {
            Verdict::Holds
        }
    }
}

/// Runs all rulings of a game, in the order of the rulebook.
pub fn run_all(program: &Program) -> Vec<Ran> {
    (0..program.game.rulings.len())
        .filter_map(|index| run(program, index))
        .collect()
}

/// Runs the rulings for which this holds.
pub fn run_some(program: &Program, wanted: impl Fn(&Ruling) -> bool) -> Vec<Ran> {
    let rulings = program.game.rulings.iter().enumerate();
    rulings
        .filter(|(_, ruling)| wanted(ruling))
        .filter_map(|(index, _)| run(program, index))
        .collect()
}

/// Runs the rulings that name the number of seats of this game.
pub fn run_for_table(program: &Program) -> Vec<Ran> {
    run_some(program, |ruling| ruling.players.is_some())
}

/// Runs one ruling; none if there is no such number, or if it expects nothing under these rules.
pub fn run(program: &Program, index: usize) -> Option<Ran> {
    let game = &program.game;
    let ruling = game.rulings.get(index)?;
    // Its moves may exist only under the readings that it speaks of.
    if ruling.expects.is_empty() {
        return None;
    }
    let mut ran = Ran {
        id: ruling.id.clone(),
        title: ruling.title.clone(),
        named: ruling.expects.iter().any(|expect| !expect.under.is_empty()),
        at_home: ruling.at_home,
        failed: None,
        judged: Vec::new(),
    };
    if ruling.expects.is_empty() {
        return Some(ran);
    }
    let mut case = Case {
        game,
        machine: Machine::new(program),
        dice: Dice::new(ruling.start.seed),
    };
    match case.reach(index, ruling) {
        Ok(()) => {
            let expects = ruling.expects.iter();
            ran.judged = expects.map(|expect| case.judge(index, expect)).collect();
        }
        Err(failed) => ran.failed = Some(failed),
    }
    Some(ran)
}

/// Plays on to the position of a ruling, its moves included, and leaves the machine there.
pub fn reach<'p>(
    program: &'p Program,
    index: usize,
) -> Option<Result<Machine<'p>, (Span, String)>> {
    let game = &program.game;
    let ruling = game.rulings.get(index)?;
    let mut case = Case {
        game,
        machine: Machine::new(program),
        dice: Dice::new(ruling.start.seed),
    };
    Some(case.reach(index, ruling).map(|()| case.machine))
}

/// A ruling that is being run.
struct Case<'p> {
    game: &'p Game,
    machine: Machine<'p>,
    dice: Dice,
}

impl Case<'_> {
    fn reach(&mut self, index: usize, ruling: &Ruling) -> Result<(), (Span, String)> {
        let fault = |fault: Fault| (fault.span, in_words(&fault));
        self.machine.set_up(index, &mut self.dice).map_err(fault)?;
        for played in &ruling.when {
            let moves = self
                .fitting(played)
                .map_err(|message| (played.span, message))?;
            let Some(chosen) = moves.first() else {
                let by = self.refusals(played).join(" and ");
                let by = if by.is_empty() {
                    String::from("no rule offers it")
                } else {
                    by
                };
                return Err((played.span, format!("this cannot be played: {by}")));
            };
            self.machine
                .play(*chosen, &mut self.dice)
                .map_err(|error| match error {
                    PlayError::Fault(it) => fault(it),
                    PlayError::Illegal | PlayError::Over => {
                        (played.span, String::from("this cannot be played"))
                    }
                })?;
        }
        Ok(())
    }

    fn judge(&mut self, _index: usize, expect: &Expect) -> Judged {
        let mut judged = Judged {
            span: expect.span,
            holds: false,
            named: !expect.under.is_empty(),
            label: None,
            saw: None,
        };
        if let Err(message) = self.judge_kind(&expect.kind, &mut judged) {
            judged.holds = false;
            judged.saw = Some(message);
        }
        judged
    }

    fn judge_kind(&mut self, kind: &ExpectKind, judged: &mut Judged) -> Result<(), String> {
        match kind {
            ExpectKind::Legal(played) => {
                judged.holds = !self.fitting(played)?.is_empty();
                if !judged.holds {
                    self.note_refusals(played, judged);
                }
            }
            ExpectKind::Illegal(played, by) => {
                let legal = self.fitting(played)?;
                if let Some(first) = legal.first() {
                    judged.saw = Some(format!("`{}` is legal", self.machine.print(*first, false)));
                    return Ok(());
                }
                self.note_refusals(played, judged);
                judged.holds = true;
                if let Some(clause) = by {
                    let wanted = self.path(*clause);
                    judged.holds = self.refusals(played).contains(&wanted);
                    judged.label = Some(last_word(&wanted));
                    if judged.holds {
                        judged.saw = None;
                    }
                }
            }
            ExpectKind::Offers(who, alts) => self.judge_offer(who, alts, judged)?,
            ExpectKind::Holds(expr) => {
                judged.holds = self.value(expr)? != 0;
            }
            ExpectKind::Ended(by) => {
                let ended = self.machine.outcome().map(|outcome| outcome.ending);
                judged.holds = ended.is_some() && by.is_none_or(|by| ended == Some(by));
                judged.saw = ended
                    .and_then(|id| self.game.procs.get(id.index()))
                    .map(|ending| format!("the game ended by `{}`", ending.name))
                    .or_else(|| Some(String::from("the game goes on")))
                    .filter(|_| !judged.holds);
            }
        }
        Ok(())
    }

    fn judge_offer(
        &mut self,
        who: &crate::model::Expr,
        alts: &[PlayedAlt],
        judged: &mut Judged,
    ) -> Result<(), String> {
        let mut offered = self.machine.moves().to_vec();
        let all = offered.clone();
        let wanted = self.value(who)?;
        let mut missing = !self.chooses(wanted);
        for alt in alts {
            let fitting = self.instances(wanted, alt)?;
            missing |= fitting.is_empty();
            offered.retain(|it| !fitting.contains(it));
        }
        judged.holds = !missing && offered.is_empty();
        if !judged.holds {
            let printed: Vec<String> = all
                .iter()
                .take(20)
                .map(|it| self.machine.print(*it, false))
                .collect();
            judged.saw = Some(match self.machine.status() {
                Status::Ended => String::from("the game is over"),
                Status::Choice { .. } => format!("offered: {}", printed.join(", ")),
            });
        }
        Ok(())
    }

    /// Returns the legal moves that fit, of a seat that has to choose now.
    fn fitting(&mut self, played: &Played) -> Result<Vec<Move>, String> {
        let who = self.value(&played.who)?;
        self.instances(who, &played.alt)
    }

    fn instances(&mut self, who: i64, alt: &PlayedAlt) -> Result<Vec<Move>, String> {
        if !self.chooses(who) {
            return Ok(Vec::new());
        }
        match alt {
            PlayedAlt::Action(alt) => self
                .machine
                .instances(alt)
                .map_err(|fault| in_words(&fault)),
            PlayedAlt::Text(text) => {
                let moves = self.machine.moves().to_vec();
                let fits = |it: &Move| {
                    [false, true]
                        .iter()
                        .any(|plain| self.machine.print(*it, *plain) == *text)
                };
                Ok(moves.into_iter().filter(fits).collect())
            }
        }
    }

    fn chooses(&self, who: i64) -> bool {
        matches!(self.machine.status(), Status::Choice { seat } if i64::from(seat) == who)
    }

    fn value(&mut self, expr: &crate::model::Expr) -> Result<i64, String> {
        self.machine.eval(expr).map_err(|fault| in_words(&fault))
    }

    fn note_refusals(&mut self, played: &Played, judged: &mut Judged) {
        let paths = self.refusals(played);
        judged.label = paths.first().map(|path| last_word(path));
        judged.saw = Some(match paths.as_slice() {
            [] => String::from("no rule offers it"),
            paths => format!("refused by {}", paths.join(", ")),
        });
    }

    /// Returns the addresses of the clauses that refuse instances of what is played.
    fn refusals(&mut self, played: &Played) -> Vec<String> {
        let PlayedAlt::Action(alt) = &played.alt else {
            return Vec::new();
        };
        let Ok(who) = self.value(&played.who) else {
            return Vec::new();
        };
        let who = u32::try_from(who).unwrap_or(u32::MAX);
        let clauses = self.machine.refusals(who, alt).unwrap_or_default();
        clauses
            .into_iter()
            .map(|clause| self.path(clause))
            .collect()
    }

    fn path(&self, clause: ClauseId) -> String {
        let clause = self.game.clauses.get(clause.index());
        clause.map_or_else(String::new, |clause| clause.path.clone())
    }
}

fn in_words(fault: &Fault) -> String {
    let found = fault.diagnostic();
    format!("{}: {}", found.code, found.message)
}

fn last_word(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).to_owned()
}
