//! What the rules look at: what nobody can see is not stored.

use crate::model::{
    Action, ExprKind, Game, Holder, Node, StmtKind, Study, What, ZoneId, ZoneKind, each_in_block,
    each_in_expr, poured,
};

/// What the rules look at, which decides what must be stored.
#[derive(Default)]
pub(super) struct Observed {
    ordered: Vec<ZoneId>,
    shown: Vec<ZoneId>,
    /// Zones where something may lie in no order.
    pub loose: Vec<ZoneId>,
    /// Zones in which something is laid during play.
    pub laid: Vec<ZoneId>,
    /// Zones of which everything moves at once, and where to.
    poured: Vec<(ZoneId, ZoneId)>,
    /// Whether positions are compared with earlier ones.
    pub repeated: bool,
    /// Most keys of a ranking.
    pub keys: u16,
}

impl Observed {
    pub fn of(game: &Game) -> Self {
        let mut seen = Self::default();
        for proc in &game.procs {
            each_in_block(&proc.body, &mut |node| seen.node(node));
        }
        let defines = game.defines.iter().map(|define| &define.body);
        let invariants = game.invariants.iter().map(|invariant| &invariant.cond);
        // What only a ruling or a study asks about must be there too, or its answer would be wrong.
        let expects = game.rulings.iter().flat_map(|ruling| &ruling.expects);
        let expects = expects.flat_map(|expect| expect.kind.exprs());
        let studies = game.studies.iter().flat_map(Study::exprs);
        let actions = game.actions.iter().flat_map(Action::exprs);
        let mut told = Vec::new();
        for telling in &game.tellings {
            telling.exprs(&mut |it| told.push(it));
        }
        for expr in defines
            .chain(invariants)
            .chain(expects)
            .chain(studies)
            .chain(actions)
            .chain(told)
        {
            seen.node(Node::Expr(expr));
            each_in_expr(expr, &mut |node| seen.node(node));
        }
        seen.loose.extend(game.supplies.iter().map(|it| it.zone));
        seen.follow_moves();
        seen.follow_loose(game);
        seen
    }

    /// The order of a pile is looked at, too, where it comes to lie on one whose order is.
    fn follow_moves(&mut self) {
        let mut known = 0;
        while known < self.ordered.len() {
            known = self.ordered.len();
            let more = self
                .poured
                .iter()
                .filter(|(from, to)| self.ordered.contains(to) && !self.ordered.contains(from));
            let more: Vec<ZoneId> = more.map(|(from, _)| *from).collect();
            self.ordered.extend(more);
        }
    }

    /// What comes from a place without an order, or out of one, may lie in none.
    fn follow_loose(&mut self, game: &Game) {
        let is_bag = |it: &ZoneId| {
            let zone = game.zones.get(it.index());
            zone.is_some_and(|it| it.kind == ZoneKind::Bag)
        };
        let mut known = usize::MAX;
        while known != self.loose.len() {
            known = self.loose.len();
            let loose = self.poured.iter().filter(|(from, to)| {
                (is_bag(from) || self.loose.contains(from)) && !self.loose.contains(to)
            });
            let loose: Vec<ZoneId> = loose.map(|(_, to)| *to).collect();
            self.loose.extend(loose);
        }
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Top(place) | ExprKind::Nth(place, _) => self.ordered.push(place.zone),
                ExprKind::Repeated => self.repeated = true,
                _ => {}
            },
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Move(moved) => {
                    self.laid.push(moved.to.zone);
                    match &moved.what {
                        // Only what is in no order can be drawn.
                        What::Top(place, _) | What::Nth(place, ..) | What::Draw(_, place, _) => {
                            self.ordered.push(place.zone);
                        }
                        What::All(place) => self.poured.push((place.zone, moved.to.zone)),
                        What::At(_) | What::Copies(..) => {}
                    }
                }
                StmtKind::ForEach(binders, body) => {
                    let poured = poured(binders, body);
                    self.poured
                        .extend(poured.map(|it| (it.from.zone, it.to.zone)));
                }
                StmtKind::Exchange(one, other) => {
                    for holder in [one, other] {
                        let (Holder::At(place) | Holder::All(place) | Holder::Copy(_, place)) =
                            holder;
                        self.laid.push(place.zone);
                    }
                }
                StmtKind::Shuffle(place) => self.loose.push(place.zone),
                StmtKind::Show(place, _) => self.shown.push(place.zone),
                StmtKind::Ranking(_, keys) => {
                    self.keys = self.keys.max(u16::try_from(keys.len()).unwrap_or(u16::MAX));
                }
                _ => {}
            },
            Node::Binds(_) => {}
        }
    }

    pub fn ordered(&self, zone: ZoneId) -> bool {
        self.ordered.contains(&zone)
    }

    pub fn shown(&self, zone: ZoneId) -> bool {
        self.shown.contains(&zone)
    }
}
