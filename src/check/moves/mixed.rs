//! In which order things come to lie on a pile matters where something asks for it before the pile is shuffled.
//!
//! All that can happen behind a move is followed from its end: through branches, loops, calls and choices. Of each
//! procedure it is known which orders are asked for within it, and which where that of another pile is asked for
//! behind it.

mod busy;
mod live;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::check::effect::chosen_actions;
use crate::check::recursion::{Station, follow};
use crate::model::{
    ActionId, Alt, AltKind, DefineId, ExpectKind, Expr, ExprKind, Game, Holding, Lie, Looked, Move,
    Node, NodeMut, Picker, Place, ProcId, Stmt, StmtKind, Study, Visibility, What, ZoneId,
    ZoneKind, blocks_of, change, each_in_block, each_in_expr, parts_of_stmt,
};
use live::{Live, Piles, Zones};

/// So many statements are followed in a whole game; of more, all orders are supposed to be asked for.
const MOST_WORK: usize = 1_000_000;

/// Where a block can be left to.
#[derive(Clone)]
struct Exits {
    leave: Live,
    turn: Live,
}

/// What some of the rules ask for, whenever, and where they lead.
#[derive(Default)]
struct Found {
    zones: Vec<ZoneId>,
    next: Vec<Station>,
}

impl Found {
    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(expr) => {
                if let ExprKind::Top(place) | ExprKind::Nth(place, _) = &expr.kind {
                    self.zones.push(place.zone);
                }
            }
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Move(moved) => {
                    self.zones
                        .extend(taken(moved).or(poured_from(moved)).map(|it| it.zone));
                }
                StmtKind::Show(place, _) => {
                    self.zones.push(place.zone);
                }
                _ => {}
            },
            Node::Binds(_) => {}
        }
        follow(node, &mut self.next);
    }

    fn expr(mut self, expr: &Expr) -> Found {
        self.node(Node::Expr(expr));
        each_in_expr(expr, &mut |node| self.node(node));
        self
    }

    fn exprs<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Found {
        exprs.into_iter().fold(Found::default(), Found::expr)
    }
}

/// The pile of which the order says what goes.
fn taken(moved: &Move) -> Option<&Place> {
    match &moved.what {
        What::Top(from, _) | What::Nth(from, ..) | What::Draw(_, from, _) => Some(from),
        _ => None,
    }
}

/// Where all lies that goes as it lies there.
fn poured_from(moved: &Move) -> Option<&Place> {
    match &moved.what {
        What::All(from) | What::Copies(Some(_), _, Holding::Place(from)) => Some(from),
        _ => None,
    }
}

struct Orders<'g> {
    game: &'g Game,
    /// Where something comes to lie as it lay elsewhere: of these it matters who asks for their order.
    piles: Piles,
    /// What definitions, legal moves and procedures ask for, whenever.
    asked: HashMap<Station, Zones>,
    /// What may be looked at whenever a seat chooses.
    looked: Live,
    before: Vec<Live>,
    /// What is asked for behind each procedure, and that it is within it.
    behind: Vec<Zones>,
    /// The moves behind which nobody asks.
    mixed: HashSet<*const Stmt>,
    /// What statements ask for themselves, without what stands inside them.
    own: HashMap<*const Stmt, Live>,
    /// The procedures and statements before which something else may be asked for than behind them.
    busy_procs: Vec<bool>,
    busy: HashSet<*const Stmt>,
    /// By procedure, those that lead to it.
    callers: Vec<Vec<usize>>,
    /// The procedures that are to be followed, because more is known than when that was done last.
    open: Vec<bool>,
    /// The procedure that is followed.
    proc: usize,
    work: usize,
}

impl<'g> Orders<'g> {
    /// Nothing where no order is kept or left to chance.
    fn of(game: &'g Game) -> Option<Orders<'g>> {
        let mut piles = Piles::default();
        for proc in &game.procs {
            each_in_block(&proc.body, &mut |node| {
                if let Node::Stmt(stmt) = node
                    && let StmtKind::Move(moved) = &stmt.kind
                    && poured_from(moved).is_some()
                {
                    piles.add(moved.to.zone);
                }
            });
        }
        if piles.is_empty() {
            return None;
        }
        let mut within = piles.none();
        within.insert(piles.within());
        let mut orders = Orders {
            game,
            asked: HashMap::default(),
            looked: piles.unasked(),
            before: vec![piles.unasked(); game.procs.len()],
            behind: vec![within; game.procs.len()],
            mixed: HashSet::default(),
            own: HashMap::default(),
            busy_procs: Vec::new(),
            busy: HashSet::default(),
            callers: vec![Vec::new(); game.procs.len()],
            open: vec![true; game.procs.len()],
            proc: 0,
            work: 0,
            piles,
        };
        orders.find_asked();
        orders.find_looked();
        orders.find_busy();
        orders.follow_procs();
        if orders.work > MOST_WORK {
            orders.mixed.clear();
        }
        Some(orders)
    }

    fn find_asked(&mut self) {
        let mut leads = Vec::new();
        for (id, define) in (0..).map(DefineId).zip(&self.game.defines) {
            leads.push((Station::Define(id), Found::exprs([&define.body])));
        }
        for (id, action) in (0..).map(ActionId).zip(&self.game.actions) {
            leads.push((Station::Legality(id), Found::exprs(action.exprs())));
        }
        for (id, proc) in (0..).map(ProcId).zip(&self.game.procs) {
            let mut found = Found::default();
            each_in_block(&proc.body, &mut |node| found.node(node));
            leads.push((Station::Proc(id), found));
        }
        let none = self.piles.none();
        let mut grows = true;
        while grows {
            grows = false;
            for (station, found) in &leads {
                let zones = self.asked_in(found);
                let known = self.asked.entry(*station);
                grows |= known.or_insert_with(|| none.clone()).join(&zones);
            }
        }
    }

    fn asked_in(&self, found: &Found) -> Zones {
        let mut zones = self.numbered(found.zones.iter().copied());
        for led in found.next.iter().filter_map(|it| self.asked.get(it)) {
            zones.join(led);
        }
        zones
    }

    fn numbered(&self, zones: impl IntoIterator<Item = ZoneId>) -> Zones {
        let mut numbered = self.piles.none();
        let known = zones.into_iter().filter_map(|it| self.piles.number(it));
        known.for_each(|at| numbered.insert(at));
        numbered
    }

    fn find_looked(&mut self) {
        let game = self.game;
        let expects = || {
            game.rulings
                .iter()
                .flat_map(|it| &it.expects)
                .map(|it| &it.kind)
        };
        let exprs = game.invariants.iter().map(|it| &it.cond);
        let exprs = exprs.chain(expects().flat_map(ExpectKind::exprs));
        let exprs = exprs.chain(game.studies.iter().flat_map(Study::exprs));
        let exprs = exprs.chain(game.measures.iter().flat_map(|it| it.exprs()));
        let mut looked = self.asked_in(&Found::exprs(exprs));
        let sees = expects().filter_map(|it| match it {
            ExpectKind::Sees(_, Looked::Place(place), _) => Some(place.zone),
            _ => None,
        });
        let zones = (0..).map(ZoneId).zip(&game.zones);
        let seen = zones.filter(|(_, zone)| zone.visibility != Visibility::Hidden);
        looked.join(&self.numbered(sees.chain(seen.map(|(id, _)| id))));
        // Positions are compared as they lie.
        if game.history > 0 {
            looked = self.piles.all();
        }
        self.looked = self.piles.asked(&looked);
    }

    fn follow_procs(&mut self) {
        let starts = self.game.rulings.iter().map(|it| it.start);
        let starts = starts.chain(self.game.studies.iter().map(|it| it.start));
        let all = self.piles.all();
        for given in starts.filter_map(|it| it.given) {
            if let Some(behind) = self.behind.get_mut(given.index()) {
                behind.join(&all);
            }
        }
        let leave = self.piles.handed_on();
        let exits = Exits {
            leave: leave.clone(),
            turn: leave.clone(),
        };
        while self.open.contains(&true) {
            for (at, proc) in self.game.procs.iter().enumerate() {
                let is_open = self.open.get_mut(at).is_some_and(std::mem::take);
                if !is_open || !self.is_busy(at) {
                    continue;
                }
                self.proc = at;
                let live = self.block(&proc.body, leave.clone(), &exits);
                let grows = self.before.get_mut(at).is_some_and(|it| it.join(&live));
                let callers = self.callers.get(at).filter(|_| grows);
                for caller in callers.into_iter().flatten() {
                    if let Some(open) = self.open.get_mut(*caller) {
                        *open = true;
                    }
                }
            }
            if self.work > MOST_WORK {
                return;
            }
        }
    }

    /// Whether a pile is asked for somewhere, be it behind the procedure.
    fn is_asked(&self, at: usize, live: &Live) -> bool {
        let behind = self.behind.get(self.proc);
        behind.is_some_and(|it| live.asks(at, it))
    }

    fn call(&mut self, id: ProcId, after: Live) -> Live {
        if !self.is_busy(id.index()) {
            return after;
        }
        let mut asked = self.piles.none();
        for at in self.piles.all().iter() {
            if self.is_asked(at, &after) {
                asked.insert(at);
            }
        }
        let behind = self.behind.get_mut(id.index());
        if behind.is_some_and(|it| it.join(&asked))
            && let Some(open) = self.open.get_mut(id.index())
        {
            *open = true;
        }
        let mut live = self.piles.unasked();
        if let Some(before) = self.before.get(id.index()) {
            live.hand_on(before, &after);
        }
        live
    }

    fn block(&mut self, block: &'g [Stmt], after: Live, exits: &Exits) -> Live {
        block
            .iter()
            .rev()
            .fold(after, |live, stmt| self.stmt(stmt, live, exits))
    }

    /// What is asked for before some of these are done, any of them or none, again and again.
    fn rounds(&mut self, stmt: &'g Stmt, mut live: Live, exits: &Exits) -> Live {
        loop {
            let mut exits = exits.clone();
            if let StmtKind::Turns(_) = &stmt.kind {
                exits.turn.clone_from(&live);
            }
            let mut before = self.inside(stmt, &live, &exits);
            before.join_some(self.own.get(&std::ptr::from_ref(stmt)));
            if !live.join(&before) || self.work > MOST_WORK {
                return live;
            }
        }
    }

    /// What is asked for before one of the blocks of a statement is done.
    fn inside(&mut self, stmt: &'g Stmt, after: &Live, exits: &Exits) -> Live {
        let mut blocks = Vec::new();
        blocks_of(stmt, &mut |block| blocks.push(block));
        let mut live = self.piles.unasked();
        for block in blocks {
            live.join(&self.block(block, after.clone(), exits));
        }
        for alt in offered(stmt) {
            let AltKind::Action(id, _) = &alt.kind else {
                continue;
            };
            let then = self.block(&alt.then, after.clone(), exits);
            if let Some(action) = self.game.actions.get(id.index()) {
                live.join(&self.call(action.body, then));
            }
        }
        live
    }

    fn stmt(&mut self, stmt: &'g Stmt, mut after: Live, exits: &Exits) -> Live {
        self.work += 1;
        if self.work > MOST_WORK || !self.busy.contains(&std::ptr::from_ref(stmt)) {
            return after;
        }
        let mut live = match &stmt.kind {
            StmtKind::If(..) | StmtKind::Step(..) => self.inside(stmt, &after, exits),
            StmtKind::Repeat(..) => {
                let after = self.rounds(stmt, after, exits);
                self.inside(stmt, &after, exits)
            }
            StmtKind::Match(..) | StmtKind::Choose(_) | StmtKind::Pick(_) => {
                after.join(&self.inside(stmt, &after, exits));
                after
            }
            StmtKind::ForEach(..)
            | StmtKind::While(..)
            | StmtKind::Times(..)
            | StmtKind::Together(_)
            | StmtKind::Window(_)
            | StmtKind::Turns(_) => self.rounds(stmt, after, exits),
            StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => self.call(*id, after),
            StmtKind::End(id, _) => self.call(*id, self.looked.clone()),
            StmtKind::Return(_) => exits.leave.clone(),
            StmtKind::Next | StmtKind::Again => exits.turn.clone(),
            StmtKind::Shuffle(place) => {
                // Of several piles another one may be asked for.
                if let Some(at) = self.piles.number(place.zone)
                    && place.index.is_empty()
                {
                    after.clear(at);
                }
                after
            }
            StmtKind::Move(moved) => {
                self.poured(stmt, moved, &mut after);
                after
            }
            _ => after,
        };
        live.join_some(self.own.get(&std::ptr::from_ref(stmt)));
        live
    }

    /// Notes whether it matters how the things lie; if so, so does how they lay before.
    fn poured(&mut self, stmt: &Stmt, moved: &Move, live: &mut Live) {
        let Some(from) = poured_from(moved) else {
            return;
        };
        let Some(to) = self.piles.number(moved.to.zone) else {
            return;
        };
        match self.is_asked(to, live) {
            true => _ = self.mixed.remove(&std::ptr::from_ref(stmt)),
            false => _ = self.mixed.insert(std::ptr::from_ref(stmt)),
        }
        if let Some(from) = self.piles.number(from.zone) {
            live.follow(from, to);
        }
    }

    fn asks(&self, stmt: &Stmt) -> Live {
        let mut found = Found::default();
        parts_of_stmt(stmt, &mut |node| {
            if let Node::Expr(expr) = node {
                found = std::mem::take(&mut found).expr(expr);
            }
        });
        match &stmt.kind {
            StmtKind::Show(place, _) => found.zones.push(place.zone),
            StmtKind::Move(moved) => found.zones.extend(taken(moved).map(|it| it.zone)),
            StmtKind::Tell(id, _) => {
                if let Some(telling) = self.game.tellings.get(id.index()) {
                    telling.exprs(&mut |it| found = std::mem::take(&mut found).expr(it));
                }
            }
            _ => {}
        }
        let actions = chosen_actions(stmt).into_iter().map(Station::Legality);
        found.next.extend(actions);
        let mut live = self.piles.asked(&self.asked_in(&found));
        let chooses = match &stmt.kind {
            StmtKind::Choose(_) | StmtKind::Window(_) => true,
            StmtKind::Pick(pick) => matches!(pick.who, Picker::Seat(_)),
            _ => false,
        };
        if chooses {
            live.join(&self.looked);
        }
        live
    }
}

/// What a statement offers.
fn offered(stmt: &Stmt) -> Vec<&Alt> {
    match &stmt.kind {
        StmtKind::Choose(choose) => choose.alts.iter().collect(),
        StmtKind::Window(window) => window.slots.iter().flat_map(|it| &it.alts).collect(),
        _ => Vec::new(),
    }
}

fn mix(node: NodeMut<'_>, mixed: &HashSet<*const Stmt>) {
    let NodeMut::Stmt(stmt) = node else { return };
    let is_mixed = mixed.contains(&std::ptr::from_ref(&*stmt));
    if let StmtKind::Move(moved) = &mut stmt.kind
        && is_mixed
    {
        moved.lie = Lie::Mixed;
    }
    change::parts_of_stmt(stmt, &mut |below| mix(below, mixed));
}

/// Finds out of which moves nobody asks in which order things come to lie, and names streams of chance for the piles
/// on which something else may lie in no order.
pub fn settle_orders(game: &mut Game) {
    let Some(Orders { mixed, .. }) = Orders::of(game) else {
        return;
    };
    for proc in &mut game.procs {
        proc.body
            .iter_mut()
            .for_each(|it| mix(NodeMut::Stmt(it), &mixed));
    }
    let zones = &game.zones;
    let kind_of = |place: &Place| zones.get(place.zone.index()).map(|it| it.kind);
    let mut piles: Vec<String> = Vec::new();
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            let StmtKind::Move(moved) = &stmt.kind else {
                return;
            };
            let Some(from) = poured_from(moved) else {
                return;
            };
            let goes = moved.lie == Lie::Ordered && kind_of(from) != Some(ZoneKind::One);
            if goes && kind_of(&moved.to) == Some(ZoneKind::Pile) {
                piles.extend(zones.get(moved.to.zone.index()).map(|it| it.name.clone()));
            }
        });
    }
    for pile in piles {
        game.stream_named(&pile);
    }
}
