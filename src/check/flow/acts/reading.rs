//! What everybody notices of statements.

use std::rc::Rc;

use super::{Acts, By, Change, ENDLESS, Of};
use crate::check::flow::Analysis;
use crate::check::flow::sym::Sym;
use crate::model::{
    AssignOp, Base, Expr, ExprKind, Holding, Node, Over, Picker, Place, Stmt, StmtKind, Visibility,
    What, each_statement, parts_of_stmt,
};

/// No block is so long: a statement by itself.
const ALONE: usize = usize::MAX;

impl Analysis<'_> {
    pub(in crate::check::flow) fn acts(&self, block: &[Stmt]) -> Rc<Acts> {
        let key = (block.as_ptr(), block.len());
        if let Some(known) = self.noticed.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut acts = Acts::default();
        for stmt in block {
            if !acts.goes_on() {
                break;
            }
            acts.then(&self.act_known(stmt));
        }
        let acts = Rc::new(acts);
        self.noticed.borrow_mut().insert(key, Rc::clone(&acts));
        acts
    }

    /// What everybody notices of a statement: it stands in the rest of a block behind each that comes before it.
    fn act_known(&self, stmt: &Stmt) -> Rc<Acts> {
        let key = (std::ptr::from_ref(stmt), ALONE);
        if let Some(known) = self.noticed.borrow().get(&key) {
            return Rc::clone(known);
        }
        let acts = Rc::new(self.act(stmt));
        self.noticed.borrow_mut().insert(key, Rc::clone(&acts));
        acts
    }

    /// Whether nothing behind a block happens.
    pub(in crate::check::flow) fn is_left(block: &[Stmt]) -> bool {
        block.last().is_some_and(|it| {
            matches!(
                it.kind,
                StmtKind::Return(_) | StmtKind::Next | StmtKind::Again | StmtKind::End(..)
            )
        })
    }

    fn act(&self, stmt: &Stmt) -> Acts {
        let mut acts = Acts::default();
        match &stmt.kind {
            StmtKind::SetTrack(id, index, op, value) => {
                let track = self.game.tracks.get(id.index());
                if track.is_some_and(|it| it.visibility == Visibility::Open) {
                    let by = match op {
                        AssignOp::Set => By::To(self.fixed(value)),
                        AssignOp::Add => count_of(Some(value)),
                        AssignOp::Sub => minus(&count_of(Some(value))),
                    };
                    acts.note(&Change {
                        of: Of::Track(*id),
                        at: index.iter().map(|it| self.fixed(it)).collect(),
                        by,
                    });
                }
            }
            StmtKind::Move(moved) => {
                let (from, n) = match &moved.what {
                    What::At(place) | What::Top(place, _) | What::Nth(place, ..) => {
                        (Some(place), By::Plus(1, 1))
                    }
                    What::All(place) => (Some(place), By::Plus(0, ENDLESS)),
                    What::Draw(count, place, _) => (Some(place), count_of(count.as_ref())),
                    What::Copies(count, _, Holding::Place(place)) => {
                        (Some(place), count_of(count.as_ref()))
                    }
                    What::Copies(count, _, Holding::Anywhere(zone)) => {
                        let places = self.game.zones.get(zone.index());
                        acts.note(&Change {
                            of: Of::Zone(*zone),
                            at: std::iter::repeat_n(
                                Sym::Other,
                                places.map_or(0, |it| it.index.len()),
                            )
                            .collect(),
                            by: minus(&count_of(count.as_ref())),
                        });
                        (None, count_of(count.as_ref()))
                    }
                };
                if let Some(from) = from {
                    acts.note(&self.lying(from, minus(&n)));
                }
                acts.note(&self.lying(&moved.to, n));
            }
            StmtKind::End(..) => acts = Acts::ending(),
            StmtKind::Call(id, args) | StmtKind::CallInto(_, id, args) => {
                let params = self.game.procs.get(id.index()).map(|it| &it.params);
                let given = |local| {
                    let at = params?.iter().position(|it| *it == local)?;
                    Some(self.fixed(args.get(at)?))
                };
                let called = self.facts.acts.get(id.index()).cloned();
                let called = called.unwrap_or_else(Acts::unknown);
                acts = called.with(&|local| given(local).unwrap_or(Sym::Other));
                acts.shows &= self.facts.has_one_entry(*id);
            }
            StmtKind::Choose(choose) => {
                let alts: Vec<_> = choose.alts.iter().collect();
                let shows = !choose.may && self.facts.shows_itself(&alts);
                acts = Acts::asking(self.fixed(&choose.who), shows);
            }
            StmtKind::Pick(pick) => match &pick.who {
                Picker::Seat(who) => acts = Acts::asking(self.fixed(who), false),
                Picker::Chance(..) => {}
            },
            // A window in which nothing can be done asks nobody.
            StmtKind::Window(_) | StmtKind::Together(_) => acts = Acts::perhaps(),
            StmtKind::Return(_) => (acts.leaves, acts.gone) = (true, true),
            StmtKind::Next => (acts.turns_over, acts.gone) = (true, true),
            StmtKind::Again => (acts.turns_over, acts.again, acts.gone) = (true, true, true),
            StmtKind::Step(_, body) => acts = Acts::clone(&self.acts(body)),
            StmtKind::If(_, then, other) => acts = self.acts(then).or(&self.acts(other)),
            StmtKind::Match(_, arms, other) => {
                let arms = arms.iter().map(|(_, arm)| arm.as_slice());
                let all = arms.chain(other.as_deref()).map(|it| self.acts(it));
                let either = all.reduce(|one, other| Rc::new(one.or(&other)));
                acts = either.map_or_else(Acts::default, Rc::unwrap_or_clone);
            }
            StmtKind::ForEach(binders, body) => {
                let (least, most) = match binders.as_slice() {
                    [one] if one.guard.is_none() => match &one.over {
                        Over::Set(set) => self.size_of(set).map_or((0, ENDLESS), |n| (n, n)),
                        _ => (0, ENDLESS),
                    },
                    _ => (0, ENDLESS),
                };
                acts = self.rounds(stmt, body, least, most);
            }
            StmtKind::Times(count, body) => {
                let (least, most) = match count_of(Some(count)) {
                    By::Plus(least, most) => (least.max(0), most.max(0)),
                    _ => (0, ENDLESS),
                };
                acts = self.rounds(stmt, body, least, most);
            }
            StmtKind::While(_, body) => acts = self.rounds(stmt, body, 0, ENDLESS),
            StmtKind::Repeat(body, _) => acts = self.rounds(stmt, body, 1, ENDLESS),
            StmtKind::Turns(turns) => {
                acts = self.rounds(stmt, &turns.body, 0, ENDLESS);
                (acts.turns_over, acts.again) = (false, false);
            }
            _ => {}
        }
        // Somewhere behind a choice that offers nothing it may go on otherwise.
        let otherwise = match &stmt.kind {
            StmtKind::Choose(choose) => choose.otherwise.as_deref(),
            StmtKind::Pick(pick) => pick.otherwise.as_deref(),
            _ => None,
        };
        if let Some(otherwise) = otherwise {
            acts = acts.or(&self.acts(otherwise));
        }
        acts
    }

    /// What may come of a loop from within, where nobody knows how often it is done yet.
    pub(in crate::check::flow) fn more_rounds(&self, stmt: &Stmt, body: &[Stmt]) -> Rc<Acts> {
        let key = std::ptr::from_ref(stmt);
        if let Some(known) = self.noticed_rounds.borrow().get(&key) {
            return Rc::clone(known);
        }
        let acts = Rc::new(self.rounds(stmt, body, 0, ENDLESS));
        let mut known = self.noticed_rounds.borrow_mut();
        known.insert(key, Rc::clone(&acts));
        acts
    }

    /// What comes of a body that is done so often.
    fn rounds(&self, stmt: &Stmt, body: &[Stmt], least: i128, most: i128) -> Acts {
        let mut bound = Vec::new();
        let mut binds = |stmt: &Stmt| {
            parts_of_stmt(stmt, &mut |node| {
                if let Node::Binds(local) = node {
                    bound.push(local);
                }
            });
        };
        binds(stmt);
        each_statement(body, &mut binds);
        Acts::clone(&self.acts(body)).times(least, most, &bound)
    }

    fn lying(&self, place: &Place, by: By) -> Change {
        Change {
            of: Of::Zone(place.zone),
            at: place.index.iter().map(|it| self.fixed(it)).collect(),
            by,
        }
    }

    /// A seat, place or value that is the same one before and after.
    fn fixed(&self, expr: &Expr) -> Sym {
        let sym = self.sym(expr);
        let varies = |it: &Sym| match it {
            Sym::Track(..) | Sym::Define(..) => true,
            Sym::Local(local) => self.facts.is_set_again(*local),
            _ => false,
        };
        if sym.any(&varies) { Sym::Other } else { sym }
    }

    fn size_of(&self, set: &Expr) -> Option<i128> {
        match set.kind {
            ExprKind::All(id) => self.game.domains.get(id.index()),
            _ => None,
        }
        .map(|it| i128::from(it.size))
    }
}

fn minus(by: &By) -> By {
    match by {
        By::Plus(low, high) => By::Plus(-high, -low),
        _ => By::Any,
    }
}

/// How many that is; one, if nothing is said.
fn count_of(count: Option<&Expr>) -> By {
    let Some(count) = count else {
        return By::Plus(1, 1);
    };
    match (&count.kind, count.ty.base) {
        (ExprKind::Value(value), _) => By::Plus((*value).into(), (*value).into()),
        (ExprKind::Setting(folded), _) => By::Plus(folded.value.into(), folded.value.into()),
        (_, Base::Int(low, high)) => By::Plus(low.into(), high.into()),
        _ => By::Any,
    }
}
