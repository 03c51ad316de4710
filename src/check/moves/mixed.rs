//! In which order things come to lie on a pile matters where something asks for it before the pile is shuffled.
//!
//! All that can happen behind a move is followed from its end: through branches, loops, calls and choices. Of each
//! procedure it is known which orders are asked for within it, and which where that of another pile is asked for
//! behind it.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::check::Checker;
use crate::check::recursion::{Station, follow, number};
use crate::model::{
    ActionId, Alt, AltKind, DefineId, ExpectKind, Expr, ExprKind, Game, Holding, Lie, Looked, Move,
    Node, NodeMut, Picker, Place, ProcId, Stmt, StmtKind, Study, Visibility, What, ZoneId,
    ZoneKind, blocks_of, change, each_in_block, each_in_expr, parts_of_stmt,
};

/// So many statements are followed in a whole game; of more, all orders are supposed to be asked for.
const MOST_WORK: usize = 1_000_000;

type Zones = BTreeSet<ZoneId>;

/// Where the order of a pile is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    /// Before the procedure is left.
    Within,
    /// Wherever that of this one is asked for when the procedure is left.
    Behind(ZoneId),
}

/// The piles whose order is asked for behind some place in the rules.
type Live = BTreeSet<(ZoneId, Asked)>;

/// Where a block can be left to.
#[derive(Clone, Default)]
struct Exits {
    leave: Live,
    turn: Live,
}

/// What some of the rules ask for, whenever, and where they lead.
#[derive(Default)]
struct Found {
    zones: Zones,
    next: Vec<Station>,
}

impl Found {
    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(expr) => {
                if let ExprKind::Top(place) | ExprKind::Nth(place, _) = &expr.kind {
                    self.zones.insert(place.zone);
                }
            }
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Move(moved) => {
                    self.zones
                        .extend(taken(moved).or(poured_from(moved)).map(|it| it.zone));
                }
                StmtKind::Show(place, _) => {
                    self.zones.insert(place.zone);
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
    /// What definitions, legal moves and procedures ask for, whenever.
    asked: HashMap<Station, Zones>,
    /// What may be looked at whenever a seat chooses.
    looked: Live,
    before: Vec<Live>,
    behind: Vec<Zones>,
    /// The moves behind which nobody asks.
    mixed: HashSet<*const Stmt>,
    /// What each statement asks for itself.
    own: HashMap<*const Stmt, Live>,
    /// The procedure that is followed.
    proc: usize,
    work: usize,
}

impl<'g> Orders<'g> {
    fn of(game: &'g Game) -> Orders<'g> {
        let mut orders = Orders {
            game,
            asked: HashMap::new(),
            looked: Live::new(),
            before: vec![Live::new(); game.procs.len()],
            behind: vec![Zones::new(); game.procs.len()],
            mixed: HashSet::new(),
            own: HashMap::new(),
            proc: 0,
            work: 0,
        };
        orders.find_asked();
        orders.find_looked();
        orders.follow_procs();
        if orders.work > MOST_WORK {
            orders.mixed.clear();
        }
        orders
    }

    fn all(&self) -> Zones {
        (0..number(self.game.zones.len())).map(ZoneId).collect()
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
        let mut grows = true;
        while grows {
            grows = false;
            for (station, found) in &leads {
                let zones = self.asked_in(found);
                let known = self.asked.entry(*station).or_default();
                grows |= zones.len() > known.len();
                *known = zones;
            }
        }
    }

    fn asked_in(&self, found: &Found) -> Zones {
        let led = found.next.iter().filter_map(|it| self.asked.get(it));
        found.zones.iter().chain(led.flatten()).copied().collect()
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
        looked.extend(expects().filter_map(|it| match it {
            ExpectKind::Sees(_, Looked::Place(place), _) => Some(place.zone),
            _ => None,
        }));
        let zones = (0..).map(ZoneId).zip(&game.zones);
        let seen = zones.filter(|(_, zone)| zone.visibility != Visibility::Hidden);
        looked.extend(seen.map(|(id, _)| id));
        // Positions are compared as they lie.
        if game.history > 0 {
            looked = self.all();
        }
        self.looked = looked.into_iter().map(|it| (it, Asked::Within)).collect();
    }

    fn follow_procs(&mut self) {
        let starts = self.game.rulings.iter().map(|it| it.start);
        let starts = starts.chain(self.game.studies.iter().map(|it| it.start));
        for given in starts.filter_map(|it| it.given) {
            let all = self.all();
            if let Some(behind) = self.behind.get_mut(given.index()) {
                *behind = all;
            }
        }
        loop {
            let known = (self.before.clone(), self.behind.clone());
            for (at, proc) in self.game.procs.iter().enumerate() {
                self.proc = at;
                let behind = self.all().into_iter().map(|it| (it, Asked::Behind(it)));
                let leave: Live = behind.collect();
                let exits = Exits {
                    leave: leave.clone(),
                    turn: leave.clone(),
                };
                let live = self.block(&proc.body, leave, &exits);
                if let Some(before) = self.before.get_mut(at) {
                    *before = live;
                }
            }
            if self.work > MOST_WORK || known.0 == self.before && known.1 == self.behind {
                return;
            }
        }
    }

    /// The piles of these that are asked for somewhere, be it behind the procedure.
    fn zones_of(&self, live: &Live) -> Zones {
        let behind = self.behind.get(self.proc);
        let is_asked = |why: &Asked| match why {
            Asked::Within => true,
            Asked::Behind(of) => behind.is_some_and(|it| it.contains(of)),
        };
        let asked = live.iter().filter(|(_, why)| is_asked(why));
        asked.map(|(zone, _)| *zone).collect()
    }

    fn call(&mut self, id: ProcId, after: &Live) -> Live {
        let zones = self.zones_of(after);
        if let Some(behind) = self.behind.get_mut(id.index()) {
            behind.extend(zones);
        }
        let before = self.before.get(id.index()).into_iter().flatten();
        let mut live = Live::new();
        for (zone, why) in before {
            match why {
                Asked::Within => _ = live.insert((*zone, Asked::Within)),
                Asked::Behind(of) => {
                    let whys = after.iter().filter(|(zone, _)| zone == of);
                    live.extend(whys.map(|(_, why)| (*zone, *why)));
                }
            }
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
            before.extend(self.of_itself(stmt));
            before.extend(live.iter().copied());
            if before.len() == live.len() || self.work > MOST_WORK {
                return live;
            }
            live = before;
        }
    }

    /// What is asked for before one of the blocks of a statement is done.
    fn inside(&mut self, stmt: &'g Stmt, after: &Live, exits: &Exits) -> Live {
        let mut blocks = Vec::new();
        blocks_of(stmt, &mut |block| blocks.push(block));
        let mut live = Live::new();
        for block in blocks {
            live.extend(self.block(block, after.clone(), exits));
        }
        for alt in offered(stmt) {
            let AltKind::Action(id, _) = &alt.kind else {
                continue;
            };
            let then = self.block(&alt.then, after.clone(), exits);
            if let Some(action) = self.game.actions.get(id.index()) {
                live.extend(self.call(action.body, &then));
            }
        }
        live
    }

    fn stmt(&mut self, stmt: &'g Stmt, mut after: Live, exits: &Exits) -> Live {
        self.work += 1;
        if self.work > MOST_WORK {
            return after;
        }
        let mut live = match &stmt.kind {
            StmtKind::If(..) | StmtKind::Step(..) => self.inside(stmt, &after, exits),
            StmtKind::Repeat(..) => {
                let after = self.rounds(stmt, after, exits);
                self.inside(stmt, &after, exits)
            }
            StmtKind::Match(..) | StmtKind::Choose(_) | StmtKind::Pick(_) => {
                after.extend(self.inside(stmt, &after, exits));
                after
            }
            StmtKind::ForEach(..)
            | StmtKind::While(..)
            | StmtKind::Times(..)
            | StmtKind::Together(_)
            | StmtKind::Window(_)
            | StmtKind::Turns(_) => self.rounds(stmt, after, exits),
            StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => self.call(*id, &after),
            StmtKind::End(id, _) => self.call(*id, &self.looked.clone()),
            StmtKind::Return(_) => exits.leave.clone(),
            StmtKind::Next | StmtKind::Again => exits.turn.clone(),
            StmtKind::Shuffle(place) => {
                // Of several piles another one may be asked for.
                after.retain(|(zone, _)| *zone != place.zone || !place.index.is_empty());
                after
            }
            StmtKind::Move(moved) => {
                self.poured(stmt, moved, &mut after);
                after
            }
            _ => after,
        };
        live.extend(self.of_itself(stmt));
        live
    }

    /// Notes whether it matters how the things lie; if so, so does how they lay before.
    fn poured(&mut self, stmt: &Stmt, moved: &Move, live: &mut Live) {
        let Some(from) = poured_from(moved) else {
            return;
        };
        match self.zones_of(live).contains(&moved.to.zone) {
            true => _ = self.mixed.remove(&std::ptr::from_ref(stmt)),
            false => _ = self.mixed.insert(std::ptr::from_ref(stmt)),
        }
        let there = live.iter().filter(|(zone, _)| *zone == moved.to.zone);
        let whys: Vec<Asked> = there.map(|(_, why)| *why).collect();
        live.extend(whys.into_iter().map(|why| (from.zone, why)));
    }

    /// What a statement asks for itself, without what stands inside it.
    fn of_itself(&mut self, stmt: &Stmt) -> Live {
        let key = std::ptr::from_ref(stmt);
        if let Some(known) = self.own.get(&key) {
            return known.clone();
        }
        let live = self.asks(stmt);
        self.own.insert(key, live.clone());
        live
    }

    fn asks(&self, stmt: &Stmt) -> Live {
        let mut found = Found::default();
        parts_of_stmt(stmt, &mut |node| {
            if let Node::Expr(expr) = node {
                found = std::mem::take(&mut found).expr(expr);
            }
        });
        match &stmt.kind {
            StmtKind::Show(place, _) => _ = found.zones.insert(place.zone),
            StmtKind::Move(moved) => found.zones.extend(taken(moved).map(|it| it.zone)),
            StmtKind::Tell(id, _) => {
                if let Some(telling) = self.game.tellings.get(id.index()) {
                    telling.exprs(&mut |it| found = std::mem::take(&mut found).expr(it));
                }
            }
            _ => {}
        }
        let actions = offered(stmt).into_iter().filter_map(|alt| match &alt.kind {
            AltKind::Action(id, _) => Some(Station::Legality(*id)),
            AltKind::Inline { .. } => None,
        });
        found.next.extend(actions);
        let mut live: Live = self
            .asked_in(&found)
            .into_iter()
            .map(|it| (it, Asked::Within))
            .collect();
        let chooses = match &stmt.kind {
            StmtKind::Choose(_) | StmtKind::Window(_) => true,
            StmtKind::Pick(pick) => matches!(pick.who, Picker::Seat(_)),
            _ => false,
        };
        if chooses {
            live.extend(self.looked.iter().copied());
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

impl Checker<'_> {
    /// Finds out of which moves nobody asks in which order things come to lie, and names streams of chance for the piles
    /// on which something else may lie in no order.
    pub(in crate::check) fn settle_orders(&mut self) {
        let mixed = Orders::of(&self.game).mixed;
        for proc in &mut self.game.procs {
            proc.body
                .iter_mut()
                .for_each(|it| mix(NodeMut::Stmt(it), &mixed));
        }
        let zones = &self.game.zones;
        let kind_of = |place: &Place| zones.get(place.zone.index()).map(|it| it.kind);
        let mut piles: Vec<String> = Vec::new();
        for proc in &self.game.procs {
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
            self.stream(&pile);
        }
    }
}
