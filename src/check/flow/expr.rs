//! What expressions follow from.

use std::rc::Rc;

use super::label::{Label, Labels, What};
use super::state::State;
use super::sym::Sym;
use super::{Analysis, Legal};
use crate::model::{
    ActionId, AggregateOp, Alt, AltKind, Base, Binder, DefineId, DomainId, DomainKind, Expr,
    ExprKind, Holder, LocalId, Node, Over, Place, Shape, Stmt, StmtKind, TemplatePart, TrackId,
    UnaryOp, Visibility, What as Moved, ZoneId, parts_of_expr, parts_of_stmt,
};
use crate::source::Span;

impl Analysis<'_> {
    pub(super) fn look_at_define(&mut self, id: DefineId) -> bool {
        let Some(define) = self.game.defines.get(id.index()) else {
            return false;
        };
        let mut labels = Labels::default();
        self.expr(&define.body, &State::default(), &mut labels);
        let labels = labels.map(&|it| {
            it.with(&|local| {
                if define.params.contains(&local) {
                    Sym::Local(local)
                } else {
                    Sym::Other
                }
            })
        });
        self.pay(&labels, define.body.span);
        match self.defines.get_mut(id.index()) {
            Some(known) => known.join(&labels),
            None => false,
        }
    }

    pub(super) fn look_at_action(&mut self, id: ActionId) -> bool {
        let Some(action) = self.game.actions.get(id.index()) else {
            return false;
        };
        let state = State::default();
        let mut legal = Legal::default();
        for param in &action.params {
            let mut labels = Labels::default();
            let span = self.game.locals.get(param.local.index()).map(|it| it.span);
            self.over(&param.over, span.unwrap_or_default(), &state, &mut labels);
            legal.offered.join(&labels);
            legal.params.push(labels);
        }
        for require in &action.requires {
            self.expr(&require.cond, &state, &mut legal.offered);
        }
        let messages = action.requires.iter().filter_map(|it| it.message.as_ref());
        for part in messages.chain([&action.text]).flat_map(|it| &it.parts) {
            if let TemplatePart::Hole(hole) = part {
                self.expr(hole, &state, &mut legal.said);
            }
        }
        let span = self
            .game
            .clauses
            .get(action.clause.index())
            .map(|it| it.span);
        self.pay(&legal.offered, span.unwrap_or_default());
        self.pay(&legal.said, span.unwrap_or_default());
        let Some(known) = self.actions.get_mut(id.index()) else {
            return false;
        };
        Rc::make_mut(known).join(&legal)
    }

    pub(super) fn over(&mut self, over: &Over, span: Span, state: &State, out: &mut Labels) {
        match over {
            Over::Set(set) => self.expr(set, state, out),
            Over::Zone(place) => {
                self.place(place, span, state, out);
                for index in &place.index {
                    self.expr(index, state, out);
                }
            }
            Over::Span(from, to) => {
                self.expr(from, state, out);
                self.expr(to, state, out);
            }
        }
    }

    /// Notes what an expression follows from that is not open to everybody.
    pub(super) fn expr(&mut self, expr: &Expr, state: &State, out: &mut Labels) {
        if self.tangled.is_some() {
            return;
        }
        match &expr.kind {
            ExprKind::Local(local) => self.local(*local, state, out),
            // Whether somebody declined everybody sees.
            ExprKind::Unary(UnaryOp::IsSome, inner) if matches!(inner.kind, ExprKind::Local(local) if self.is_picked(local)) =>
            {
                return;
            }
            // How many lie there, and whether any, is known to all.
            ExprKind::Component(place)
            | ExprKind::PlaceField(place, _)
            | ExprKind::Top(place)
            | ExprKind::Nth(place, _)
            | ExprKind::CountOf(place, _)
            | ExprKind::Kinds(place) => self.place(place, expr.span, state, out),
            // A position is another one if what lies hidden is.
            ExprKind::Repeated => self.position(expr.span, out),
            ExprKind::PartsAt(domain, _) => self.parts(*domain, expr.span, state, out),
            ExprKind::Touching(part) | ExprKind::Loose(part) => {
                self.parts_in(part, expr.span, state, out);
            }
            ExprKind::PartAtPort(..) => self.parts_in(expr, expr.span, state, out),
            ExprKind::Track(id, index) => {
                if let Some(track) = self.game.tracks.get(id.index()) {
                    let at = index.iter().map(|it| self.sym(it)).collect();
                    self.read(
                        What::Track(*id),
                        track.visibility,
                        at,
                        expr.span,
                        state,
                        out,
                    );
                }
            }
            ExprKind::Aggregate(it) => {
                let only_number = matches!(
                    it.op,
                    AggregateOp::Count | AggregateOp::Some | AggregateOp::No
                ) && matches!(it.binders.as_slice(), [one] if one.guard.is_none());
                for binder in &it.binders {
                    self.note_apart(binder.local, &binder.over, binder.guard.as_ref());
                    if let Over::Zone(place) = &binder.over
                        && !only_number
                    {
                        self.place(place, expr.span, state, out);
                    }
                }
                let bound: Vec<LocalId> = it.binders.iter().map(|it| it.local).collect();
                let is_bound = |it: &Sym| matches!(it, Sym::Local(it) if bound.contains(it));
                let members = it.binders.iter().filter_map(|it| {
                    let set = self.set_of(it).filter(|set| !set.any(&is_bound))?;
                    Some((it.local, Sym::member(set)))
                });
                let members: Vec<(LocalId, Sym)> = members.collect();
                let named = |label: &Label| {
                    let mut inner = label.with(&outside(&|local| !bound.contains(&local)));
                    let at = inner.at.iter().zip(label.at.iter()).map(|(at, of)| {
                        let is_it = |(local, _): &&(LocalId, Sym)| *of == Sym::Local(*local);
                        let member = members.iter().find(is_it).map(|(_, member)| member);
                        member.unwrap_or(at).clone()
                    });
                    if !members.is_empty() {
                        inner.at = at.collect();
                    }
                    inner
                };
                if !members.iter().any(|(_, it)| state.has_shown(it)) {
                    return self.inside(expr, &named, state, out);
                }
                let mut state = state.clone();
                for (local, member) in &members {
                    state.shown_of(*local, member);
                }
                return self.inside(expr, &named, &state, out);
            }
            ExprKind::Reach { var, .. }
            | ExprKind::Groups { var, .. }
            | ExprKind::Walk { var, .. } => {
                let named = |it: &Label| it.with(&outside(&|local| local != *var));
                return self.inside(expr, &named, state, out);
            }
            ExprKind::Let(local, value, body) => {
                self.expr(value, state, out);
                let named = self.sym(value);
                let mut inner = Labels::default();
                self.expr(body, state, &mut inner);
                out.join(&inner.map(&|it| {
                    it.with(&|it| {
                        if it == *local {
                            named.clone()
                        } else {
                            Sym::Local(it)
                        }
                    })
                }));
                return;
            }
            ExprKind::Call(id, args) => {
                let params = self.game.defines.get(id.index()).map(|it| &it.params);
                let params = params.map(Vec::as_slice).unwrap_or_default();
                let given: Vec<Sym> = args.iter().map(|it| self.sym(it)).collect();
                let labels = self.defines.get(id.index()).cloned();
                self.read_through(
                    &labels.unwrap_or_default(),
                    params,
                    &given,
                    expr.span,
                    state,
                    out,
                );
            }
            ExprKind::Can(who, alts) => {
                let who = self.sym(who);
                for alt in alts {
                    self.can(alt, &who, expr.span, state, out);
                }
            }
            ExprKind::After(body, value) => {
                let mut inner = Labels::default();
                let mut bound = Vec::new();
                for stmt in body {
                    self.happens(stmt, &mut bound, state, &mut inner);
                }
                self.expr(value, state, &mut inner);
                out.join(&inner.map(&|it| it.with(&outside(&|it| !bound.contains(&it)))));
                return;
            }
            _ => {}
        }
        parts_of_expr(expr, &mut |node| {
            if let Node::Expr(inner) = node {
                self.expr(inner, state, out);
            }
        });
    }

    /// The parts of what binds locals of its own, which nobody outside knows.
    fn inside(
        &mut self,
        expr: &Expr,
        named: &dyn Fn(&Label) -> Label,
        state: &State,
        out: &mut Labels,
    ) {
        let mut inner = Labels::default();
        parts_of_expr(expr, &mut |node| {
            if let Node::Expr(part) = node {
                self.expr(part, state, &mut inner);
            }
        });
        if !inner.is_empty() {
            out.join(&inner.map(named));
        }
    }

    /// The set that a variable ranges over, if it can be told by how it is written.
    pub(super) fn set_of(&self, binder: &Binder) -> Option<Sym> {
        match &binder.over {
            Over::Set(set) => Some(self.sym(set)).filter(Sym::is_told),
            _ => None,
        }
    }

    fn local(&mut self, local: LocalId, state: &State, out: &mut Labels) {
        if state.knows(local) {
            return;
        }
        let mut labels = state.local(local).cloned().unwrap_or_default();
        if let Some(carried) = self.carried(local) {
            labels.join(carried);
        }
        // Who is the seat that is meant knows it when it is asked.
        let this = self.is_seat(local).then_some(Sym::Local(local));
        out.join(&labels.map(&|it| {
            let mut label = it.clone();
            if let Some(this) = &this {
                label.known_to(this);
            }
            label
        }));
    }

    fn place(&mut self, place: &Place, span: Span, state: &State, out: &mut Labels) {
        if let Some(zone) = self.game.zones.get(place.zone.index()) {
            let at = self.syms(place);
            self.read(
                What::Zone(place.zone),
                zone.visibility,
                at,
                span,
                state,
                out,
            );
        }
    }

    /// A position is another one if anything is that is compared; one thing that nobody sees all of is enough.
    fn position(&self, span: Span, out: &mut Labels) {
        let passing = &self.game.passing;
        let zones = self.game.zones.iter().zip(0..).map(|(it, at)| {
            let is_compared = !passing.zones.contains(&ZoneId(at));
            (
                What::Zone(ZoneId(at)),
                is_compared,
                it.visibility,
                it.index.len(),
            )
        });
        let tracks = self.game.tracks.iter().zip(0..).map(|(it, at)| {
            let is_compared = !passing.tracks.contains(&TrackId(at));
            (
                What::Track(TrackId(at)),
                is_compared,
                it.visibility,
                it.index.len(),
            )
        });
        let hidden = |it: &(What, bool, Visibility, usize)| it.1 && it.2 != Visibility::Open;
        if let Some((what, _, _, n)) = zones.chain(tracks).find(hidden) {
            out.add(Label {
                at: std::iter::repeat_n(Sym::Other, n).collect(),
                span,
                ..Label::given(what)
            });
        }
    }

    /// What the parts of something show of it.
    fn parts(&mut self, domain: DomainId, span: Span, state: &State, out: &mut Labels) {
        let domain = self.game.domains.get(domain.index()).map(|it| &it.kind);
        if let Some(DomainKind::Space {
            shape: Shape::Parts { zone, .. },
            ..
        }) = domain
            && let Some(declared) = self.game.zones.get(zone.index())
        {
            let at = declared.index.iter().map(|_| Sym::Other).collect();
            self.read(What::Zone(*zone), declared.visibility, at, span, state, out);
        }
    }

    fn parts_in(&mut self, part: &Expr, span: Span, state: &State, out: &mut Labels) {
        if let Base::Elem(domain) = part.ty.base {
            self.parts(domain, span, state, out);
        }
    }

    fn read(
        &mut self,
        what: What,
        visibility: Visibility,
        at: Rc<[Sym]>,
        span: Span,
        state: &State,
        out: &mut Labels,
    ) {
        if visibility == Visibility::Open {
            return;
        }
        let mut label = Label {
            what,
            at,
            seen: visibility,
            also: Vec::new(),
            fresh: matches!(what, What::Zone(_)),
            span,
            within: None,
            way: None,
        };
        self.known_apart(&mut label);
        self.work += 1;
        if let Some(label) = state.admit(label) {
            out.add(label);
        }
    }

    /// Takes what was read elsewhere to where that is asked for.
    fn read_through(
        &mut self,
        labels: &Labels,
        params: &[LocalId],
        given: &[Sym],
        span: Span,
        state: &State,
        out: &mut Labels,
    ) {
        self.pay(labels, span);
        for label in labels.iter() {
            let mut label = Label {
                span,
                ..label.with(&|local| {
                    let at = params.iter().position(|it| *it == local);
                    at.and_then(|at| given.get(at))
                        .cloned()
                        .unwrap_or(Sym::Other)
                })
            };
            self.known_apart(&mut label);
            if let Some(label) = state.admit(label) {
                out.add(label);
            }
        }
    }

    fn can(&mut self, alt: &Alt, who: &Sym, span: Span, state: &State, out: &mut Labels) {
        for cond in alt.offered.iter().map(|it| &it.cond).chain(&alt.among) {
            self.expr(cond, state, out);
        }
        let AltKind::Action(id, args) = &alt.kind else {
            return;
        };
        let Some(action) = self.game.actions.get(id.index()) else {
            return;
        };
        let params: Vec<LocalId> = action.params.iter().map(|it| it.local).collect();
        let params = [vec![action.me], params].concat();
        let given = args
            .iter()
            .map(|it| it.as_ref().map_or(Sym::Other, |it| self.sym(it)));
        let given: Vec<Sym> = [who.clone()].into_iter().chain(given).collect();
        let legal = self.actions.get(id.index()).cloned().unwrap_or_default();
        let offered = legal.offered.map(&|it| Label {
            within: it.within.or(Some(it.span)),
            ..it.clone()
        });
        self.read_through(&offered, &params, &given, span, state, out);
    }

    /// What a trial follows from: all that decides what happens in it, and what it brings to light.
    fn happens(&mut self, stmt: &Stmt, bound: &mut Vec<LocalId>, state: &State, out: &mut Labels) {
        match &stmt.kind {
            StmtKind::Move(moved) => match &moved.what {
                Moved::At(place)
                | Moved::All(place)
                | Moved::Top(place, _)
                | Moved::Draw(_, place, _)
                | Moved::Nth(place, ..) => {
                    self.place(place, stmt.span, state, out);
                }
                Moved::Copies(..) => {}
            },
            StmtKind::Exchange(one, other) => {
                for holder in [one, other] {
                    if let Holder::At(place) | Holder::All(place) = holder {
                        self.place(place, stmt.span, state, out);
                    }
                }
            }
            StmtKind::ForEach(binders, _) => {
                for binder in binders {
                    self.over(&binder.over, stmt.span, state, out);
                }
            }
            StmtKind::Call(id, args) | StmtKind::CallInto(_, id, args) => {
                let params = self.game.procs.get(id.index()).map(|it| &it.params);
                let params = params.map(Vec::as_slice).unwrap_or_default();
                let given: Vec<Sym> = args.iter().map(|it| self.sym(it)).collect();
                let called = self.procs.get(id.index()).cloned().unwrap_or_default();
                self.read_through(&called.reads, params, &given, stmt.span, state, out);
            }
            _ => {}
        }
        parts_of_stmt(stmt, &mut |node| match node {
            Node::Expr(expr) => self.expr(expr, state, out),
            Node::Stmt(inner) => self.happens(inner, bound, state, out),
            Node::Binds(local) => bound.push(local),
        });
    }

    /// Notes what the effect of a statement follows from besides its expressions.
    pub(super) fn effect(&mut self, stmt: &Stmt, state: &State) {
        let mut labels = Labels::default();
        match &stmt.kind {
            StmtKind::Move(_) | StmtKind::Exchange(..) => {
                self.happens(stmt, &mut Vec::new(), state, &mut labels);
            }
            _ => return,
        }
        self.note(&labels);
    }
}

fn outside<'f>(is_outside: &'f dyn Fn(LocalId) -> bool) -> impl Fn(LocalId) -> Sym + 'f {
    |local| {
        if is_outside(local) {
            Sym::Local(local)
        } else {
            Sym::Other
        }
    }
}
