//! What a seat may do depends only on what it sees.

use std::collections::HashMap;

use crate::diagnostic::codes;
use crate::model::{
    AggregateOp, AltKind, BinaryOp, DefineId, Expr, ExprKind, LocalId, Node, Over, Picker, Place,
    Stmt, StmtKind, TemplatePart, TrackId, Visibility, parts_of_expr,
};
use crate::source::Span;

use super::Checker;
use super::effect::each_statement;

/// Who sees something that is read: a seat that can be told from others by how it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seer {
    Local(LocalId),
    Value(i64),
    Track(TrackId),
    Define(DefineId, Vec<Seer>),
    /// So many seats further on.
    Beside(Box<Seer>, i64),
    /// Nobody, or a seat that cannot be told.
    Other,
}

impl Seer {
    fn of(seat: &Expr) -> Seer {
        match &seat.kind {
            ExprKind::Local(local) => Seer::Local(*local),
            ExprKind::Value(value) => Seer::Value(*value),
            ExprKind::Track(id, index) if index.is_empty() => Seer::Track(*id),
            ExprKind::Call(id, args) => Seer::Define(*id, args.iter().map(Seer::of).collect()),
            ExprKind::Binary(op @ (BinaryOp::CycleAdd | BinaryOp::CycleSub), seat, steps) => {
                match steps.kind {
                    ExprKind::Value(steps) => {
                        let steps = if *op == BinaryOp::CycleAdd {
                            steps
                        } else {
                            -steps
                        };
                        Seer::Beside(Box::new(Seer::of(seat)), steps)
                    }
                    _ => Seer::Other,
                }
            }
            _ => Seer::Other,
        }
    }

    /// Puts the arguments of a call in the places of the parameters.
    fn with(self, params: &[LocalId], args: &[Expr]) -> Seer {
        match self {
            Seer::Local(local) => {
                let at = params.iter().position(|it| *it == local);
                at.and_then(|at| args.get(at)).map_or(Seer::Other, Seer::of)
            }
            Seer::Define(id, inner) => Seer::Define(
                id,
                inner.into_iter().map(|it| it.with(params, args)).collect(),
            ),
            Seer::Beside(seat, steps) => Seer::Beside(Box::new(seat.with(params, args)), steps),
            other => other,
        }
    }

    fn size(&self) -> usize {
        match self {
            Seer::Define(_, inner) => 1 + inner.iter().map(Seer::size).sum::<usize>(),
            Seer::Beside(seat, _) => 1 + seat.size(),
            _ => 1,
        }
    }

    /// Whether both are the same seat for certain.
    fn is(&self, other: &Seer) -> bool {
        self == other && self.is_told()
    }

    fn is_told(&self) -> bool {
        match self {
            Seer::Other => false,
            Seer::Define(_, inner) => inner.iter().all(Seer::is_told),
            Seer::Beside(seat, _) => seat.is_told(),
            _ => true,
        }
    }
}

/// How much may be written to name a seat.
const MOST_WORDS: usize = 12;

/// Something hidden that an expression reads.
#[derive(Clone, Debug)]
struct Read {
    what: String,
    seer: Seer,
    span: Span,
}

/// What definitions and actions read, as far as it is known.
#[derive(Default)]
struct Known {
    defines: HashMap<DefineId, Vec<Read>>,
    /// The actions that are being looked at, with what they read.
    actions: HashMap<usize, Vec<Read>>,
}

impl Checker<'_> {
    pub(super) fn check_visibility(&mut self) {
        let mut known = Known::default();
        // What is called comes first, so that no way through definitions gets deep.
        for id in self.defines_by_need() {
            self.reads_of_define(id, &mut known);
        }
        let mut found: Vec<(Read, String)> = Vec::new();
        for index in 0..self.game.actions.len() {
            let Some(action) = self.game.actions.get(index) else {
                continue;
            };
            let reads = self.reads_of_action(index, &mut known);
            let of = format!("whether `{}` is legal", action.name);
            let me = Seer::Local(action.me);
            let hidden = |it: &Read| !it.seer.is(&me);
            found.extend(reads.into_iter().filter(&hidden).map(|it| (it, of.clone())));
            let mut told = Vec::new();
            for part in action.requires.iter().filter_map(|it| it.message.as_ref()) {
                self.reads_of_template(&part.parts, &mut known, &mut told);
            }
            self.reads_of_template(&action.text.parts, &mut known, &mut told);
            let of = format!("what is said of `{}`", action.name);
            found.extend(told.into_iter().filter(&hidden).map(|it| (it, of.clone())));
        }
        for proc in &self.game.procs {
            each_statement(&proc.body, &mut |stmt| {
                found.extend(self.reads_of_pick(stmt, &mut known));
            });
        }
        for (read, of) in found {
            let message = format!(
                "{of} depends on `{}`, which the seat does not see",
                read.what
            );
            self.complain(
                codes::READS_HIDDEN,
                read.span,
                message,
                "ask only for what the seat sees, or `show` it before",
            );
        }
    }

    /// A seat that chooses a value sees what there is to choose.
    fn reads_of_pick(&self, stmt: &Stmt, known: &mut Known) -> Vec<(Read, String)> {
        let StmtKind::Pick(pick) = &stmt.kind else {
            return Vec::new();
        };
        let Picker::Seat(who) = &pick.who else {
            return Vec::new();
        };
        let mut reads = Vec::new();
        self.reads_of_over(&pick.over, stmt.span, known, &mut reads);
        let seer = Seer::of(who);
        let hidden = reads.into_iter().filter(|it| !it.seer.is(&seer));
        hidden
            .map(|it| (it, "what there is to choose".to_owned()))
            .collect()
    }

    fn reads_of_action(&self, index: usize, known: &mut Known) -> Vec<Read> {
        if let Some(reads) = known.actions.get(&index) {
            return reads.clone();
        }
        known.actions.insert(index, Vec::new());
        let Some(action) = self.game.actions.get(index) else {
            return Vec::new();
        };
        let mut reads = Vec::new();
        for param in &action.params {
            let span = self.game.locals.get(param.local.index()).map(|it| it.span);
            self.reads_of_over(&param.over, span.unwrap_or_default(), known, &mut reads);
        }
        for require in &action.requires {
            self.seen(&require.cond, known, &mut reads);
        }
        once(&mut reads);
        known.actions.insert(index, reads.clone());
        reads
    }

    fn reads_of_template(&self, parts: &[TemplatePart], known: &mut Known, out: &mut Vec<Read>) {
        for part in parts {
            if let TemplatePart::Hole(hole) = part {
                self.seen(hole, known, out);
            }
        }
    }

    fn reads_of_over(&self, over: &Over, span: Span, known: &mut Known, out: &mut Vec<Read>) {
        match over {
            Over::Set(set) => self.seen(set, known, out),
            Over::Zone(place) => self.seen_place(place, span, out),
            Over::Span(from, to) => {
                self.seen(from, known, out);
                self.seen(to, known, out);
            }
        }
    }

    /// Notes what an expression reads that is not open to everybody.
    fn seen(&self, expr: &Expr, known: &mut Known, out: &mut Vec<Read>) {
        match &expr.kind {
            // How many lie there, and whether any, is known to all.
            ExprKind::Component(place)
            | ExprKind::PlaceField(place, _)
            | ExprKind::Top(place)
            | ExprKind::CountOf(place, _)
            | ExprKind::Kinds(place) => self.seen_place(place, expr.span, out),
            ExprKind::Track(id, index) => {
                if let Some(track) = self.game.tracks.get(id.index()) {
                    self.seen_by(track.visibility, &track.name, index, expr.span, out);
                }
            }
            ExprKind::Aggregate(it) => {
                let only_number = matches!(
                    it.op,
                    AggregateOp::Count | AggregateOp::Some | AggregateOp::No
                ) && it.binders.iter().all(|it| it.guard.is_none());
                for binder in &it.binders {
                    if let Over::Zone(place) = &binder.over
                        && !only_number
                    {
                        self.seen_place(place, expr.span, out);
                    }
                }
            }
            ExprKind::Call(id, args) => {
                for read in self.reads_of_define(*id, known) {
                    out.push(self.at_call(read, *id, args, expr.span));
                }
            }
            ExprKind::Can(who, alts) => {
                let seer = Seer::of(who);
                for alt in alts {
                    let AltKind::Action(id, _) = &alt.kind else {
                        continue;
                    };
                    let me = self.game.actions.get(id.index()).map(|it| it.me);
                    for read in self.reads_of_action(id.index(), known) {
                        // What the other seat does not see either is said of that action itself.
                        if Some(&read.seer) == me.map(Seer::Local).as_ref() {
                            out.push(Read {
                                seer: seer.clone(),
                                span: expr.span,
                                ..read
                            });
                        }
                    }
                }
            }
            ExprKind::After(_, value) => {
                self.seen(value, known, out);
                return;
            }
            _ => {}
        }
        parts_of_expr(expr, &mut |node| {
            if let Node::Expr(inner) = node {
                self.seen(inner, known, out);
            }
        });
    }

    fn reads_of_define(&self, id: DefineId, known: &mut Known) -> Vec<Read> {
        if let Some(reads) = known.defines.get(&id) {
            return reads.clone();
        }
        known.defines.insert(id, Vec::new());
        let mut reads = Vec::new();
        if let Some(define) = self.define(id) {
            self.seen(&define.body, known, &mut reads);
        }
        once(&mut reads);
        known.defines.insert(id, reads.clone());
        reads
    }

    /// Takes what a definition reads to the place of its call.
    fn at_call(&self, read: Read, id: DefineId, args: &[Expr], span: Span) -> Read {
        let params = self
            .define(id)
            .map(|it| it.params.as_slice())
            .unwrap_or_default();
        let seer = read.seer.clone().with(params, args);
        let seer = if seer.size() > MOST_WORDS {
            Seer::Other
        } else {
            seer
        };
        Read { seer, span, ..read }
    }

    fn seen_place(&self, place: &Place, span: Span, out: &mut Vec<Read>) {
        if let Some(zone) = self.game.zones.get(place.zone.index()) {
            self.seen_by(zone.visibility, &zone.name, &place.index, span, out);
        }
    }

    fn seen_by(
        &self,
        visibility: Visibility,
        name: &str,
        index: &[Expr],
        span: Span,
        out: &mut Vec<Read>,
    ) {
        let seer = match visibility {
            Visibility::Open => return,
            Visibility::Hidden => Seer::Other,
            Visibility::Owner(at) => index.get(at).map_or(Seer::Other, Seer::of),
        };
        out.push(Read {
            what: name.to_owned(),
            seer,
            span,
        });
    }
}

/// Keeps one of the reads that are alike.
fn once(reads: &mut Vec<Read>) {
    let mut kept: Vec<Read> = Vec::new();
    for read in reads.drain(..) {
        if !kept
            .iter()
            .any(|it| it.what == read.what && it.seer == read.seer)
        {
            kept.push(read);
        }
    }
    *reads = kept;
}
