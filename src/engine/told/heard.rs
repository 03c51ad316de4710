//! What the rules tell on the way, to each seat no more than it may know.

use crate::model::text::Form;
use std::collections::BTreeSet;

use super::in_block;
use super::trail::Trail;
use crate::engine::machine::Machine;
use crate::engine::query::{Query, Value};
use crate::engine::sight::{Known, Sight};
use crate::engine::text::{members, print};
use crate::engine::view::{TrackValue, Viewer, may_see};
use crate::model::{
    Base, Expr, ExprKind, LocalId, Node, Proc, Stmt, StmtKind, Telling, TellingId, TemplatePart,
    TrackId, blocks_of, each_in_expr,
};

/// Most that is told of one move.
const MOST_TOLD: usize = 10_000;

/// Something that was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Who was told, in order.
    pub to: Vec<u32>,
    /// The track and the place whose new value these words explain, and that value as it is printed.
    pub of: Option<(TrackId, usize, [String; Form::ALL.len()])>,
    /// The words.
    pub parts: Vec<ToldPart>,
}

/// A piece of what was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToldPart {
    /// As it stands.
    Text(String),
    /// A value.
    Value {
        /// As it is printed, in each form.
        printed: [String; Form::ALL.len()],
        /// The seats that may know it.
        known: Vec<u32>,
    },
}

impl Told {
    /// The words as a seat hears them; none where it is not told.
    #[must_use]
    pub fn heard_by(&self, seat: u32, form: Form) -> Option<String> {
        if !self.to.contains(&seat) {
            return None;
        }
        let words = self.parts.iter().map(|part| match part {
            ToldPart::Text(text) => text.as_str(),
            ToldPart::Value { printed, known } if known.contains(&seat) => {
                printed[form as usize].as_str()
            }
            ToldPart::Value { .. } => crate::engine::say::UNSEEN,
        });
        Some(words.collect())
    }
}

/// The sections of what a telling asks for: who hears it, the place of the track, the holes.
fn asked(telling: &Telling) -> Vec<&Expr> {
    let mut asked = Vec::new();
    telling.exprs(&mut |it| asked.push(it));
    asked
}

impl Machine<'_> {
    /// Takes down what is told from now on, or no more.
    pub fn listen(&mut self, listens: bool) {
        self.bench.listens = listens;
        self.heard.clear();
    }

    /// What the last move, or the beginning of the game, told.
    #[must_use]
    pub fn heard(&self) -> &[Told] {
        &self.heard
    }

    /// Takes down what is told in the middle of a move; what the move still needs is kept.
    pub(in crate::engine) fn hear(&mut self, number: u16) {
        if self.heard.len() >= MOST_TOLD {
            return;
        }
        let mem = self.mem.clone();
        let bench = std::mem::take(&mut self.bench);
        let before = std::mem::take(&mut self.before);
        let told = self.tell_of(TellingId(u32::from(number)), &bench.read);
        self.mem = mem;
        self.bench = bench;
        self.before = before;
        self.heard.extend(told);
    }

    fn tell_of(&mut self, id: TellingId, read: &[i64]) -> Option<Told> {
        let program = self.program;
        let telling = program.game.tellings.get(id.index())?;
        let slot = program.tellings.get(id.index())?;
        let query = slot.get_or_init(|| {
            Query::with_inputs(program, &telling.locals, &asked(telling), true).ok()
        });
        let query = query.as_ref()?;
        let mut values = Vec::new();
        for section in 0..asked(telling).len() {
            values.push(self.probe(query, section, read).ok());
        }
        let mut values = values.into_iter();
        let all = 0..program.game.n_seats;
        let mut to: Vec<u32> = match &telling.to {
            None => all.collect(),
            Some(_) => match values.next()?? {
                Value::Scalar(seat) => u32::try_from(seat).into_iter().collect(),
                Value::Set(words) => members(&words)
                    .filter_map(|it| u32::try_from(it).ok())
                    .collect(),
            },
        };
        let mut of = None;
        if let Some((track, index)) = &telling.of {
            let declared = program.game.tracks.get(track.index())?;
            let (mut place, mut split) = (0_u64, Vec::new());
            for domain in declared.index.iter().take(index.len()) {
                let domain = program.game.domains.get(domain.index())?;
                let at = values.next()??.scalar().checked_sub(domain.lo)?;
                place = place
                    .checked_mul(domain.size)?
                    .checked_add(u64::try_from(at).ok()?)?;
                split.push(usize::try_from(at).ok()?);
            }
            to.retain(|seat| may_see(declared.visibility, &split, Viewer::Seat(*seat)));
            let place = usize::try_from(place).ok()?;
            let value = match program
                .layout
                .tracks
                .get(track.index())?
                .read(&self.mem, place)
            {
                TrackValue::Scalar(value) => Value::Scalar(value),
                TrackValue::Set(words) => Value::Set(words),
            };
            let printed = Form::ALL.map(|form| print(self.ground(), declared.ty, &value, form));
            of = Some((*track, place, printed));
        }
        let mut parts = Vec::new();
        for part in &telling.text.parts {
            parts.push(match part {
                TemplatePart::Text(text) => ToldPart::Text(text.clone()),
                TemplatePart::Hole(hole) => {
                    let value = values.next()?;
                    let printed = value.as_ref().map(|value| {
                        Form::ALL.map(|form| print(self.ground(), hole.ty, value, form))
                    });
                    let known = match printed {
                        Some(_) => self.who_knows(id, telling, hole, read, &to),
                        None => Vec::new(),
                    };
                    let printed = printed.unwrap_or_default();
                    ToldPart::Value { printed, known }
                }
            });
        }
        Some(Told { to, of, parts })
    }

    /// Those among seats who see at some moment of the move what a hole names.
    fn who_knows(
        &self,
        id: TellingId,
        telling: &Telling,
        hole: &Expr,
        read: &[i64],
        seats: &[u32],
    ) -> Vec<u32> {
        let closed = self.closed_locals();
        let mut known = Known::default();
        let mut at = 0;
        for local in &telling.locals {
            let ty = self.type_of(*local);
            if closed.contains(local) {
                known.untold.insert(*local);
            } else if !matches!(ty.base, Base::Set(_)) {
                known.put(*local, read.get(at).copied());
            }
            at += usize::from(crate::engine::layout::words_of(&self.program.game, ty));
        }
        let secrets = locals_of(hole);
        let sees = |seat: &u32| {
            let viewer = Viewer::Seat(*seat);
            let mut known = known.clone();
            for local in secrets.iter().filter(|it| closed.contains(it)) {
                if self.comes_to_sight(id, *local, viewer, &known) {
                    known.untold.remove(local);
                }
            }
            Sight::new(self, viewer).sees(hole, &known)
        };
        seats.iter().copied().filter(sees).collect()
    }

    /// Whether what a local stands for lies, in any case, where the viewer looks, before or after it is told of.
    fn comes_to_sight(&self, id: TellingId, local: LocalId, viewer: Viewer, known: &Known) -> bool {
        let game = &*self.program.game;
        let set_again = set_again(&game.procs);
        if set_again.contains(&local) {
            return false;
        }
        let mut trail = Trail::new(self, viewer, known.clone());
        trail.known.untold.clear();
        for other in set_again {
            trail.known.put(other, None);
        }
        let found = game.procs.iter().any(|it| {
            around(&it.body, id, &mut |block, is_innermost| {
                let bound = block.iter().position(|it| binds(it, local));
                let until = block.iter().position(|it| holds(it, id));
                let until = until.filter(|_| !is_innermost).unwrap_or(block.len());
                let sure = block.get(bound.map_or(0, |it| it + 1)..until);
                trail.follow(local, sure.unwrap_or_default());
            })
        });
        found && trail.lies_open()
    }
}

/// The locals that an expression names.
pub(super) fn locals_of(expr: &Expr) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut note = |node: Node<'_>| {
        if let Node::Expr(Expr {
            kind: ExprKind::Local(local),
            ..
        }) = node
        {
            found.push(*local);
        }
    };
    note(Node::Expr(expr));
    each_in_expr(expr, &mut note);
    found
}

/// The locals that are given another value somewhere.
fn set_again(procs: &[Proc]) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    for proc in procs {
        in_block(&proc.body, &mut |stmt, _| {
            if let StmtKind::SetLocal(local, ..) = &stmt.kind {
                found.insert(*local);
            }
        });
    }
    found
}

/// Whether a statement gives a local its value.
fn binds(stmt: &Stmt, local: LocalId) -> bool {
    match &stmt.kind {
        StmtKind::Let(own, _) | StmtKind::CallInto(own, ..) => *own == local,
        StmtKind::Pick(pick) => pick.local == local,
        _ => false,
    }
}

/// Whether a statement is where something is told, or holds that.
fn holds(stmt: &Stmt, id: TellingId) -> bool {
    if matches!(&stmt.kind, StmtKind::Tell(own, _) if *own == id) {
        return true;
    }
    let mut found = false;
    blocks_of(stmt, &mut |block| {
        found |= block.iter().any(|it| holds(it, id))
    });
    found
}

/// Calls `f` with each block around what is told, the outermost first, and whether it is the innermost; returns
/// whether there is one.
fn around(block: &[Stmt], id: TellingId, f: &mut dyn FnMut(&[Stmt], bool)) -> bool {
    let Some(stmt) = block.iter().find(|it| holds(it, id)) else {
        return false;
    };
    let is_innermost = matches!(stmt.kind, StmtKind::Tell(..));
    f(block, is_innermost);
    blocks_of(stmt, &mut |inner| {
        around(inner, id, f);
    });
    true
}
