//! What a seat must see to choose, and what comes to be seen.

use super::Analysis;
use super::label::{How, Label, Labels};
use super::needs::Asks;
use super::state::State;
use super::sym::Sym;
use super::walk::{Behind, Exits};
use crate::model::{
    ActionId, Alt, AltKind, Base, Expr, ExprKind, Holder, Holding, LocalId, Param, Pick, Picker,
    Place, Stmt, StmtKind, TellingId, Visibility, What as Moved, ZoneId,
};
use crate::source::Span;

/// What is chosen among.
struct Offer<'g> {
    who: &'g Expr,
    alts: Vec<&'g Alt>,
    otherwise: Option<&'g [Stmt]>,
    /// Whether the seat may decline, by a word that is the same everywhere.
    may: bool,
    /// Whether it comes back until the seat has enough.
    many: bool,
}

impl<'g> Analysis<'g> {
    pub(super) fn choice(&mut self, stmt: &'g Stmt, state: &mut State) -> Exits {
        match &stmt.kind {
            StmtKind::Pick(pick) => self.pick(pick, stmt.span, state),
            StmtKind::Choose(choose) => {
                let offer = Offer {
                    who: &choose.who,
                    alts: choose.alts.iter().collect(),
                    otherwise: choose.otherwise.as_deref(),
                    may: choose.may,
                    many: false,
                };
                self.offer(&offer, stmt.span, state)
            }
            StmtKind::Window(window) => {
                // What is offered again may have changed.
                self.enter(stmt, state);
                let offer = Offer {
                    who: &window.who,
                    alts: window.slots.iter().flat_map(|it| &it.alts).collect(),
                    otherwise: None,
                    may: true,
                    many: true,
                };
                self.offer(&offer, stmt.span, state)
            }
            _ => Exits::default(),
        }
    }

    /// The seat that is asked is told to all, and each must know why it is asked.
    fn asked(&mut self, who: &Expr, span: Span, state: &mut State) -> Sym {
        let mut hidden = Labels::default();
        self.expr(who, state, &mut hidden);
        self.note(&hidden);
        if let ExprKind::Local(local) = who.kind {
            state.tell(local, None, None);
        }
        let seat = self.sym(who);
        for label in state.course_of().iter() {
            self.need(label, &seat, Asks::Whether, span);
        }
        seat
    }

    /// All saw that somebody was asked, and perhaps at which choice of the rules.
    pub(super) fn asked_there(&self, shows: bool, state: &mut State) {
        state.asked();
        if shows {
            state.shown_why();
        }
    }

    fn pick(&mut self, pick: &'g Pick, span: Span, state: &mut State) -> Exits {
        self.note_apart(pick.local, &pick.over, None);
        let mut labels = Labels::default();
        let mut exits = Exits::default();
        match &pick.who {
            Picker::Seat(who) => {
                let seat = self.asked(who, span, state);
                self.over(&pick.over, span, state, &mut labels);
                for label in labels.iter() {
                    self.need(label, &seat, Asks::Among, span);
                }
                self.picks(pick.local);
                if let Some(otherwise) = &pick.otherwise {
                    let mut instead = state.clone();
                    exits = self.otherwise(otherwise, false, &mut instead);
                    state.asked();
                    state.join(&instead);
                } else {
                    state.asked();
                }
            }
            Picker::Chance(weight, _) => {
                self.over(&pick.over, span, state, &mut labels);
                if let Some(weight) = weight {
                    self.expr(weight, state, &mut labels);
                }
                if let Some(otherwise) = &pick.otherwise {
                    exits = self.branch(&labels, &[&[], otherwise], span, state);
                }
            }
        }
        self.note(&labels);
        self.pay(&labels, span);
        state.bind(pick.local, labels);
        exits
    }

    fn offer(&mut self, offer: &Offer<'g>, span: Span, state: &mut State) -> Exits {
        let seat = self.asked(offer.who, span, state);
        let mut legal = Labels::default();
        let mut all = Vec::new();
        for alt in &offer.alts {
            // Whether it is offered tells what that follows from.
            let mut decides = Labels::default();
            for cond in alt.offered.iter().map(|it| &it.cond).chain(&alt.among) {
                self.expr(cond, state, &mut decides);
            }
            for label in decides.iter() {
                self.need(&label.by(How::Offered, alt.span), &seat, Asks::Among, span);
            }
            legal.join(&decides);
            all.push(match &alt.kind {
                AltKind::Action(id, args) => {
                    self.offered(*id, args, &seat, span, state, &mut legal)
                }
                AltKind::Inline { .. } => Vec::new(),
            });
        }
        self.note(&legal);
        self.pay(&legal, span);
        let mut exits = Exits::default();
        let mut instead = None;
        let shows = !offer.may && self.facts.shows_itself(&offer.alts);
        if let Some(otherwise) = offer.otherwise {
            let mut other = state.clone();
            exits.join(&self.otherwise(otherwise, shows, &mut other));
            instead = Some(other);
        }
        self.asked_there(shows, state);
        let chosen = state.clone();
        let mut after = offer.many.then(|| chosen.clone());
        let mut join = |one: State| match &mut after {
            Some(joined) => joined.join(&one),
            None => after = Some(one),
        };
        self.now
            .behind
            .extend(offer.many.then_some(Behind::Anything));
        for (alt, given) in offer.alts.iter().zip(&all) {
            let mut inner = chosen.clone();
            if let AltKind::Action(id, _) = &alt.kind
                && let Some(action) = self.game.actions.get(id.index())
            {
                self.call(action.body, given, span, &mut inner);
            }
            let left = self.block(&alt.then, &mut inner);
            exits.join(&left);
            join(inner);
        }
        if offer.many {
            self.now.behind.pop();
        }
        if let Some(instead) = instead {
            join(instead);
        }
        if let Some(after) = after {
            *state = after;
        }
        exits
    }

    /// An action that is offered: the seat sees all that decides which instances are. Returns what its
    /// body is given.
    fn offered(
        &mut self,
        id: ActionId,
        args: &[Option<Expr>],
        seat: &Sym,
        span: Span,
        state: &State,
        all: &mut Labels,
    ) -> Vec<(Labels, Sym, Span)> {
        let Some(action) = self.game.actions.get(id.index()) else {
            return Vec::new();
        };
        let legal = self.actions.get(id.index()).cloned().unwrap_or_default();
        let me = Sym::Local(action.me);
        // A seat that cannot be told is still the one that acts.
        let actor = if seat.is_told() {
            seat.clone()
        } else {
            me.clone()
        };
        let given = args.iter().map(|it| {
            let it = it.as_ref()?;
            let mut labels = Labels::default();
            self.expr(it, state, &mut labels);
            Some((labels, self.sym(it), it.span))
        });
        let given: Vec<Option<(Labels, Sym, Span)>> = given.collect();
        let sym_of = |local: LocalId| -> Sym {
            if local == action.me {
                return actor.clone();
            }
            let at = action.params.iter().position(|it| it.local == local);
            match at.and_then(|at| given.get(at)) {
                Some(Some((_, sym, _))) => sym.clone(),
                _ => Sym::Other,
            }
        };
        for (labels, _, at) in given.iter().flatten() {
            all.join(labels);
            for label in labels.iter() {
                self.need(&label.by(How::Offered, *at), &actor, Asks::Among, span);
            }
        }
        let here = |label: &Label| state.admit(label.with(&sym_of));
        for label in legal.offered.iter() {
            let Some(here) = here(label) else { continue };
            if !label.is_seen_by(&me) {
                self.need(&here, &actor, Asks::Legal(id), span);
            }
            all.add(here);
        }
        for label in legal.said.iter().filter(|it| !it.is_seen_by(&me)) {
            if let Some(here) = here(label) {
                self.need(&here, &actor, Asks::Said(id), span);
            }
        }
        let mut passed = vec![(Labels::default(), actor.clone(), span)];
        for (at, labels) in legal.params.iter().enumerate() {
            let mut own = Labels::default();
            for label in labels.iter().filter_map(here) {
                own.add(label);
            }
            match given.get(at) {
                Some(Some((labels, sym, span))) => {
                    own.join(labels);
                    passed.push((own, sym.clone(), *span));
                }
                // What is chosen is told to all as soon as anything that they see hangs on it; of a component
                // it may be told what is laid, and not why.
                _ if !self.is_component(action.params.get(at)) => {
                    passed.push((Labels::default(), Sym::Other, span));
                }
                _ => passed.push((own, Sym::Other, span)),
            }
        }
        passed
    }

    fn is_component(&self, param: Option<&Param>) -> bool {
        let local = param.and_then(|it| self.game.locals.get(it.local.index()));
        local.is_none_or(|it| self.game.is_component(it.ty.base))
    }

    /// Whoever is told something must know why it is told; what the words name is masked where it is not seen.
    pub(super) fn told(&mut self, id: TellingId, span: Span, state: &State) {
        let to = self
            .game
            .tellings
            .get(id.index())
            .and_then(|it| it.to.as_ref());
        let is_seat = to.is_some_and(|it| !matches!(it.ty.base, Base::Set(_)));
        let seat = to.filter(|_| is_seat).map_or(Sym::Other, |it| self.sym(it));
        let mut labels = state.course_of();
        if let Some(to) = to {
            labels.join(&self.eval(to, state));
        }
        for label in labels.iter() {
            self.need(label, &seat, Asks::Told, span);
        }
    }

    // ---- what comes to be seen

    /// What is moved is seen where it comes to lie.
    pub(super) fn carry(&mut self, stmt: &Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Move(moved) => {
                match &moved.what {
                    Moved::At(from) | Moved::All(from) => {
                        self.come_to(&Holder::At(from.clone()), &moved.to, state);
                        state.empty(from.zone);
                        self.reset(&|_| false, state);
                    }
                    Moved::Top(from, _) | Moved::Nth(from, ..) | Moved::Draw(_, from, _) => {
                        self.stir(from, state)
                    }
                    Moved::Copies(_, kind, Holding::Place(from)) => {
                        self.come_to(&Holder::Copy(kind.clone(), from.clone()), &moved.to, state);
                        self.stir(from, state);
                    }
                    Moved::Copies(_, kind, Holding::Anywhere(zone)) => {
                        let holder = Holder::Copy(kind.clone(), moved.to.clone());
                        self.come_to(&holder, &moved.to, state);
                        self.stir_zone(*zone, None, state);
                    }
                }
                self.stir(&moved.to, state);
            }
            StmtKind::Exchange(one, other) => {
                let place = |it: &Holder| match it {
                    Holder::At(place) | Holder::All(place) | Holder::Copy(_, place) => {
                        place.clone()
                    }
                };
                self.come_to(one, &place(other), state);
                self.come_to(other, &place(one), state);
                self.stir(&place(one), state);
                self.stir(&place(other), state);
            }
            _ => {}
        }
    }

    fn come_to(&mut self, holder: &Holder, to: &Place, state: &mut State) {
        let Some(seen) = self.seen_at(to.zone) else {
            return;
        };
        let owner = match seen {
            Visibility::Open => None,
            // What all but one see is told to none by its name here.
            Visibility::Hidden | Visibility::Others(_) => return,
            Visibility::Owner(at) => Some(to.index.get(at).map_or(Sym::Other, |it| self.sym(it))),
        };
        match holder {
            Holder::At(from) | Holder::All(from) => {
                let at = self.syms(from);
                state.show(from.zone, &at, owner.as_ref(), false);
            }
            Holder::Copy(kind, _) => {
                if let ExprKind::Local(local) = kind.kind {
                    state.tell(local, None, owner.as_ref());
                }
            }
        }
    }

    fn stir(&self, place: &Place, state: &mut State) {
        self.stir_zone(place.zone, Some(&self.syms(place)), state);
    }

    fn seen_at(&self, zone: ZoneId) -> Option<Visibility> {
        self.game.zones.get(zone.index()).map(|it| it.visibility)
    }
}
