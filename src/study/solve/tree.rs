//! All lines of a small game for two, and what each of the seats knows at its choices: all that it saw, heard and did.

use crate::model::text::Form;
use std::collections::HashMap;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

use super::Open;
use super::ends::End;
use crate::engine::{
    COMMAND_WORK, Event, Happened, Machine, Move, Program, State, Status, Viewer, Ways,
};
use crate::study::{POSITION_WORK, Trouble, trouble, turned};

/// All lines of a game. What follows from a node stands behind it.
#[derive(Default)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    /// By choice of a node: its outcomes.
    pub choices: Vec<Range<usize>>,
    /// Which node, and how likely.
    pub outcomes: Vec<(usize, f64)>,
    pub starts: Vec<(usize, f64)>,
    pub ends: Vec<End>,
    pub states: Vec<Known>,
}

pub(super) enum Node {
    Met,
    End(usize),
    /// Somebody chooses and knows so much.
    Choice {
        known: usize,
        choices: Range<usize>,
    },
}

/// What a seat knows when it chooses.
pub(super) struct Known {
    pub seat: usize,
    /// Where its choices begin among those of all.
    pub first: usize,
    pub n: usize,
    /// How many choices of its own it has made before.
    pub depth: usize,
}

/// A node that is still to be followed.
struct Waiting {
    node: usize,
    state: State,
    /// By seat: what it saw, heard and did, and how often it has chosen.
    marks: [u128; 2],
    depths: [usize; 2],
}

struct Growth<'p> {
    machine: Machine<'p>,
    tree: Tree,
    waiting: Vec<Waiting>,
    known: HashMap<(usize, u128), usize>,
    n_choices: usize,
}

impl Tree {
    /// Follows all lines from the beginning of a game.
    pub fn of(
        program: &Program,
        most: usize,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Result<Self, Open>, Trouble> {
        program.bound_work(COMMAND_WORK);
        let mut machine = Machine::new(program);
        machine.listen(true);
        let mut growth = Growth {
            machine,
            tree: Tree::default(),
            waiting: Vec::new(),
            known: HashMap::new(),
            n_choices: 0,
        };
        let mut ways = Ways::default();
        loop {
            let status = growth.machine.start(&mut ways)?;
            let node = growth.meet(status, [0; 2], [0; 2], &[Vec::new(), Vec::new()], &[]);
            growth.tree.starts.push((node, ways.likelihood()));
            if !turned(&mut ways, 0)? {
                break;
            }
        }
        while let Some(at) = growth.waiting.pop() {
            if growth.tree.nodes.len() > most {
                return Ok(Err(Open::Positions));
            }
            if !watch(growth.tree.nodes.len()) {
                return Ok(Err(Open::Stopped));
            }
            growth.follow(&at)?;
        }
        Ok(Ok(growth.tree))
    }
}

impl Growth<'_> {
    /// A new node for the position of the machine, where the seats have heard this and seen that happen.
    fn meet(
        &mut self,
        status: Status,
        before: [u128; 2],
        depths: [usize; 2],
        heard: &[Vec<String>; 2],
        events: &[Event],
    ) -> usize {
        let node = self.tree.nodes.len();
        if status == Status::Ended {
            self.tree.nodes.push(Node::End(self.tree.ends.len()));
            self.tree.ends.push(End::of(&self.machine));
            return node;
        }
        self.tree.nodes.push(Node::Met);
        let mut marks = before;
        for (seat, (mark, heard)) in (0..).zip(marks.iter_mut().zip(heard)) {
            *mark = self.mark(seat, *mark, heard, events);
        }
        self.waiting.push(Waiting {
            node,
            state: self.machine.save(),
            marks,
            depths,
        });
        node
    }

    /// What a seat knows now, in a number.
    fn mark(&self, seat: u32, before: u128, heard: &[String], events: &[Event]) -> u128 {
        let game = &self.machine.program().game;
        let is_shown = |event: &Event| matches!(event.what, Happened::Shown(who) if who.is_none_or(|it| it == seat));
        let seen = events
            .iter()
            .filter(|it| it.is_seen_by_rule(game, seat) || is_shown(it));
        let seen: Vec<_> = seen.map(|it| (it.zone.0, it.place, it.kind)).collect();
        let told = self.machine.heard().iter();
        let told: Vec<String> = told
            .filter_map(|it| it.heard_by(seat, Form::Plain))
            .collect();
        let view = self.machine.view(Viewer::Seat(seat));
        xxh3_128(format!("{before} {heard:?} {seen:?} {told:?} {view:?}").as_bytes())
    }

    fn follow(&mut self, at: &Waiting) -> Result<(), Trouble> {
        self.machine.program().allow_work(POSITION_WORK);
        self.machine.load(&at.state);
        let Status::Choice { seat } = self.machine.status() else {
            return Ok(());
        };
        let chooser = seat as usize;
        let Some(mark) = at.marks.get(chooser) else {
            return Ok(());
        };
        let moves = self.machine.moves().to_vec();
        let mut depths = at.depths;
        let depth = depths.get(chooser).copied().unwrap_or(0);
        let first = self.n_choices;
        let states = &mut self.tree.states;
        // Who chooses sees its moves.
        let offered = xxh3_128(format!("{mark} {moves:?}").as_bytes());
        let known = *self.known.entry((chooser, offered)).or_insert(states.len());
        if known == states.len() {
            self.n_choices += moves.len();
            states.push(Known {
                seat: chooser,
                first,
                n: moves.len(),
                depth,
            });
        }
        if let Some(own) = depths.get_mut(chooser) {
            *own += 1;
        }
        let begin = self.tree.choices.len();
        for played in moves {
            self.play(at, seat, played, depths)?;
        }
        let choices = begin..self.tree.choices.len();
        if let Some(slot) = self.tree.nodes.get_mut(at.node) {
            *slot = Node::Choice { known, choices };
        }
        Ok(())
    }

    fn play(
        &mut self,
        at: &Waiting,
        seat: u32,
        played: Move,
        depths: [usize; 2],
    ) -> Result<(), Trouble> {
        let begin = self.tree.outcomes.len();
        let mut ways = Ways::default();
        loop {
            self.machine.load(&at.state);
            let is_together = self.machine.is_together();
            let waiting = self.machine.pending();
            let machine = &mut self.machine;
            // What is chosen at the same time is heard when all have chosen; who chooses knows it at once.
            let lines = [0, 1].map(|to| {
                let viewer = [Viewer::Seat(to)];
                let own = match to == seat {
                    true => format!("{played:?}"),
                    false => machine.print_for(&viewer, played, Form::Plain),
                };
                let others = waiting.iter().filter(|(other, _)| *other != to);
                let others: Vec<String> = others
                    .map(|(other, mv)| machine.print_pending(&viewer, *other, *mv, Form::Plain))
                    .collect();
                (own, others)
            });
            let ran = self.machine.play_watched(played, &mut ways);
            let (status, events) = ran.map_err(trouble)?;
            let has_chosen = |it: &(u32, Move)| it.0 == seat;
            let waits = is_together && self.machine.pending().iter().any(has_chosen);
            let mut heard = [Vec::new(), Vec::new()];
            for (to, ((own, others), heard)) in (0..).zip(lines.into_iter().zip(&mut heard)) {
                if to == seat || !waits {
                    heard.push(own);
                }
                if !waits {
                    heard.extend(others);
                }
            }
            let node = self.meet(status, at.marks, depths, &heard, &events);
            self.tree.outcomes.push((node, ways.likelihood()));
            if !turned(&mut ways, 1)? {
                break;
            }
        }
        self.tree.choices.push(begin..self.tree.outcomes.len());
        Ok(())
    }
}
