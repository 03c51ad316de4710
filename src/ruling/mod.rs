//! Running the disputed cases of a rulebook, one by one or under many rule sets.

mod judge;
mod matrix;
mod witness;

pub use matrix::{Came, Cell, Column, Matrix, Told};

use crate::model::text::Form;
use std::borrow::Cow;

use crate::engine::{
    COMMAND_WORK, Dice, Fault, FaultKind, Machine, Move, PlayError, Program, Status,
};
use crate::model::{
    ClauseId, Expect, ExpectKind, Expr, ExprKind, Game, LocalId, NONE, NodeMut, Played, PlayedAlt,
    Ruling, change,
};
use crate::source::Span;

/// What became of a ruling.
#[derive(Clone, Debug)]
pub struct Ran {
    /// As written, `R-F1`.
    pub id: String,
    /// The question.
    pub title: String,
    /// Whether it was written for this very rule set.
    pub at_home: bool,
    /// Whether something was expected of this very rule set, be it by its readings' names.
    pub counts: bool,
    /// Why the position could not be reached, and where.
    pub failed: Option<(Span, String)>,
    /// Whether what could not be reached was expected of this very rule set.
    pub missed: bool,
    /// Whether there was not enough work left to find out all of it.
    pub unfinished: bool,
    /// Where the rules stopped with a fault.
    pub fault: Option<Faulted>,
    /// What was expected, in the order of the ruling.
    pub judged: Vec<Judged>,
}

/// A fault of the rules, and how it came about from where the ruling starts.
#[derive(Clone, Debug)]
pub struct Faulted {
    /// The fault.
    pub fault: Fault,
    /// The seed of the ruling.
    pub seed: u64,
    /// The choices that were made.
    pub played: Vec<Move>,
    /// The choice that could not be finished.
    pub last: Option<Move>,
}

/// What became of an expectation.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its text.
    pub span: Span,
    /// Whether it holds.
    pub holds: bool,
    /// Whether there was not enough work left to find out.
    pub unfinished: bool,
    /// Whether it speaks of readings by name.
    pub named: bool,
    /// Whether it was written for these very rules.
    pub at_home: bool,
    /// The label of the clause that refused the move, where a move is refused.
    pub label: Option<String>,
    /// The clauses that refused the move, where a move is refused.
    pub refused_by: Vec<ClauseId>,
    /// What was there instead.
    pub saw: Option<String>,
}

/// What a ruling comes to under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that was expected holds.
    Holds,
    /// There was not enough work left to find out.
    Unfinished,
    /// It turns out otherwise under these rules, for which it was not written and of which it does not speak.
    Differs,
    /// What is expected of these very rules does not hold, or the rules stopped with a fault.
    Failed,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Unfinished => "unfinished",
            Self::Differs => "differs",
            Self::Failed => "failed",
        }
    }
}

impl Ran {
    /// Adds what the same ruling came to under other rules, or in another of its lines.
    pub fn add(&mut self, other: Ran) {
        self.counts |= other.counts;
        self.missed |= other.missed;
        self.unfinished |= other.unfinished;
        self.failed = self.failed.take().or(other.failed);
        self.fault = self.fault.take().or(other.fault);
        self.judged.extend(other.judged);
    }

    /// Returns what it comes to.
    pub fn verdict(&self) -> Verdict {
        let mut wrong = self
            .judged
            .iter()
            .filter(|it| !it.holds && !it.unfinished)
            .peekable();
        let fails = self.fault.is_some() || self.missed || wrong.clone().any(|it| it.at_home);
        if fails {
            Verdict::Failed
        } else if self.unfinished {
            Verdict::Unfinished
        } else if self.failed.is_some() || wrong.peek().is_some() {
            Verdict::Differs
        } else {
            Verdict::Holds
        }
    }
}

/// Lets what runs under several programs take no more work together than one command may.
#[derive(Debug)]
pub struct Purse(u64);

impl Default for Purse {
    fn default() -> Self {
        Self(COMMAND_WORK)
    }
}

impl Purse {
    /// Runs something with the work that is left, of which each ruling brings a little of its own.
    pub fn pay<T>(&mut self, program: &Program, run: impl FnOnce(&Program) -> T) -> T {
        let own = RULING_WORK.saturating_mul(program.game.rulings.len() as u64);
        program.bound_work(self.0.saturating_add(own));
        let ran = run(program);
        self.0 = program.work_left().unwrap_or(0).min(self.0);
        program.unbound_work();
        ran
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

/// Work that each ruling brings along.
const RULING_WORK: u64 = 100_000;

/// Runs all rulings of a game, in the order of the rulebook.
pub fn run_all(program: &Program) -> Vec<Ran> {
    run_some(program, |_| true)
}

/// Runs the rulings for which this holds.
pub fn run_some(program: &Program, wanted: impl Fn(&Ruling) -> bool) -> Vec<Ran> {
    let mut all: Vec<Ran> = Vec::new();
    for (index, ruling) in program.game.rulings.iter().enumerate() {
        let ran = wanted(ruling).then(|| run(program, index)).flatten();
        let Some(ran) = ran else { continue };
        match all.last_mut() {
            Some(last) if last.id == ran.id => last.add(ran),
            _ => all.push(ran),
        }
    }
    all
}

/// Runs the rulings that name the number of seats of this game.
pub fn run_for_table(program: &Program) -> Vec<Ran> {
    run_some(program, |ruling| ruling.players.is_some())
}

/// Runs one line of a ruling; none if there is no such number, or if it expects nothing under these rules.
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
        at_home: ruling.at_home,
        counts: ruling.expects.iter().any(|expect| expect.at_home),
        failed: None,
        missed: false,
        unfinished: false,
        fault: None,
        judged: Vec::new(),
    };
    let mut case = Case::new(program, ruling);
    let mut judged = Vec::new();
    ran.failed = case.reach(index, ruling, &mut judged).err();
    ran.unfinished = case.unfinished;
    // Whether it is the way there for which the work did not suffice, or what is asked on it.
    let is_short = case.unfinished && !judged.iter().any(|it| it.unfinished);
    ran.judged = judged;
    ran.missed = ran.failed.is_some() && ran.counts && !is_short;
    // What the ruling's own words cannot do says nothing against the rules.
    ran.fault = case
        .fault
        .filter(|it| it.fault.kind != FaultKind::NotReached && !ruling.span.holds(it.fault.span));
    Some(ran)
}

/// Plays on to the position of a ruling, its moves included, and leaves the machine there.
pub fn reach<'p>(
    program: &'p Program,
    index: usize,
) -> Option<Result<Machine<'p>, (Span, String)>> {
    let game = &program.game;
    let ruling = game.rulings.get(index)?;
    let mut case = Case::new(program, ruling);
    let reached = case.reach(index, ruling, &mut Vec::new());
    Some(reached.map(|()| case.machine))
}

/// A ruling that is being run.
struct Case<'p> {
    game: &'p Game,
    machine: Machine<'p>,
    dice: Dice,
    seed: u64,
    /// The choices that were made, each with the seat.
    played: Vec<(u32, Move)>,
    /// By seat: what it was told of the last choice, with all signs and plainly.
    told: Vec<[String; 2]>,
    /// The first fault of the rules.
    fault: Option<Faulted>,
    /// Whether the work that was left did not suffice.
    unfinished: bool,
}

impl<'p> Case<'p> {
    fn new(program: &'p Program, ruling: &Ruling) -> Self {
        let mut machine = Machine::new(program);
        machine.listen(true);
        Case {
            game: &program.game,
            machine,
            dice: Dice::new(ruling.start.seed),
            seed: ruling.start.seed,
            played: Vec::new(),
            told: Vec::new(),
            fault: None,
            unfinished: false,
        }
    }

    /// Notes a fault and says it in words.
    fn faulted(&mut self, fault: &Fault, last: Option<Move>) -> String {
        let words = in_words(fault);
        if fault.kind == FaultKind::Work {
            self.unfinished = true;
            return words;
        }
        self.fault.get_or_insert(Faulted {
            fault: fault.clone(),
            seed: self.seed,
            played: self.played.iter().map(|it| it.1).collect(),
            last,
        });
        words
    }

    /// Plays what is chosen, and judges what is expected on the way.
    fn reach(
        &mut self,
        index: usize,
        ruling: &Ruling,
        judged: &mut Vec<Judged>,
    ) -> Result<(), (Span, String)> {
        if let Err(fault) = self.machine.set_up(index, &mut self.dice) {
            return Err((fault.span, self.faulted(&fault, None)));
        }
        let tells = |it: &Expect| matches!(it.kind, ExpectKind::Told(..));
        let behind = |at: usize| ruling.expects.iter().filter(move |it| it.after == at);
        judged.extend(behind(0).map(|expect| self.judge(expect)));
        for (at, played) in (1..).zip(&ruling.when) {
            let moves = self
                .fitting(played)
                .map_err(|message| (played.span, message))?;
            let Some(chosen) = moves.first().copied() else {
                if ruling.loose.is_some_and(|it| at > it) {
                    return Ok(());
                }
                let by = self.refusals(played);
                let by: Vec<String> = by.into_iter().map(|it| self.path(it)).collect();
                let by = by.join(" and ");
                let by = if by.is_empty() {
                    String::from("no rule offers it")
                } else {
                    by
                };
                return Err((played.span, format!("this cannot be played: {by}")));
            };
            self.note_played(chosen);
            match self.play(chosen, behind(at).any(tells)) {
                Ok(()) => {
                    judged.extend(behind(at).map(|expect| self.judge(expect)));
                }
                Err(PlayError::Fault(fault)) => {
                    let last = self.played.pop().map(|it| it.1);
                    return Err((fault.span, self.faulted(&fault, last)));
                }
                Err(PlayError::Illegal | PlayError::Over) => {
                    return Err((played.span, String::from("this cannot be played")));
                }
            }
        }
        Ok(())
    }

    /// Notes what is chosen: of seats that choose at the same time in the order in which a game asks them.
    fn note_played(&mut self, chosen: Move) {
        let Status::Choice { seat } = self.machine.status() else {
            return;
        };
        let waiting = self.machine.pending().len();
        let from = self.played.len().saturating_sub(waiting);
        self.played.push((seat, chosen));
        if let Some(together) = self.played.get_mut(from..) {
            together.sort_by_key(|it| it.0);
        }
    }

    /// Returns the legal moves that fit, of a seat that has to choose now; that one is then asked.
    fn fitting(&mut self, played: &Played) -> Result<Vec<Move>, String> {
        let who = self.value(&played.who)?;
        self.instances(who, &played.alt)
    }

    fn instances(&mut self, who: i64, alt: &PlayedAlt) -> Result<Vec<Move>, String> {
        if !self.asks(who)? {
            return Ok(Vec::new());
        }
        match alt {
            PlayedAlt::Action(alt) => self
                .machine
                .instances(alt)
                .map_err(|fault| self.faulted(&fault, None)),
            PlayedAlt::Text(text) => {
                let moves = self.machine.moves().to_vec();
                let fits = |it: &Move| {
                    Form::WRITTEN
                        .iter()
                        .any(|form| self.machine.print(*it, *form) == *text)
                };
                Ok(moves.into_iter().filter(fits).collect())
            }
        }
    }

    /// Asks a seat, where several choose at the same time in place of another one; returns whether it has to choose now.
    fn asks(&mut self, who: i64) -> Result<bool, String> {
        let Ok(seat) = u32::try_from(who) else {
            return Ok(false);
        };
        let turned = self.machine.turn_to(seat);
        turned.map_err(|fault| self.unanswered(&fault))
    }

    fn value(&mut self, expr: &Expr) -> Result<i64, String> {
        let value = self.machine.eval(&self.seated(expr));
        value.map_err(|fault| self.unanswered(&fault))
    }

    /// Says why a question of the ruling has no answer. One that takes long is no fault of the rules: no play asks it.
    fn unanswered(&mut self, fault: &Fault) -> String {
        if fault.kind == FaultKind::Fuel {
            self.unfinished = true;
            return in_words(fault);
        }
        self.faulted(fault, None)
    }

    /// An expression with the seat that is to choose put in.
    fn seated<'e>(&self, expr: &'e Expr) -> Cow<'e, Expr> {
        let Some(local) = self.game.to_move else {
            return Cow::Borrowed(expr);
        };
        let seat = match self.machine.status() {
            Status::Choice { seat } => i64::from(seat),
            Status::Ended => NONE,
        };
        let mut expr = expr.clone();
        put(&mut expr, local, seat);
        Cow::Owned(expr)
    }

    /// Returns the addresses of the clauses that refuse instances of what is played.
    fn refusals(&mut self, played: &Played) -> Vec<ClauseId> {
        let PlayedAlt::Action(alt) = &played.alt else {
            return Vec::new();
        };
        let Ok(who) = self.value(&played.who) else {
            return Vec::new();
        };
        let who = u32::try_from(who).unwrap_or(u32::MAX);
        self.machine.refusals(who, alt).unwrap_or_default()
    }

    fn path(&self, clause: ClauseId) -> String {
        let clause = self.game.clauses.get(clause.index());
        clause.map_or_else(String::new, |clause| clause.path.clone())
    }
}

/// Puts a value in the place of a local.
fn put(expr: &mut Expr, local: LocalId, value: i64) {
    if matches!(expr.kind, ExprKind::Local(it) if it == local) {
        expr.kind = ExprKind::Value(value);
        return;
    }
    change::parts_of_expr(expr, &mut |part| {
        if let NodeMut::Expr(part) = part {
            put(part, local, value);
        }
    });
}

fn in_words(fault: &Fault) -> String {
    let found = fault.diagnostic();
    format!("{}: {}", found.code, found.message)
}
