//! What is asked about an action besides listing it: its text, and each of its clauses by itself.

use super::r#gen::Tier;
use super::program::Program;
use super::query::Query;
use crate::model::{
    Action, ActionId, Base, BinaryOp, Expr, ExprKind, Game, LocalId, Node, Over, Param, Place,
    Template, TemplatePart, Type, UnaryOp, parts_of_expr,
};
use crate::source::Span;

/// Most expressions whose values are shown for one clause.
const MOST_VALUES: usize = 10;

/// An action's clauses and texts, compiled one by one without lowering. The inputs of each are `me`
/// and the parameters.
#[derive(Debug)]
pub struct ActionFace {
    pub query: Query,
    /// By parameter.
    pub params: Vec<ParamFace>,
    /// By require.
    pub requires: Vec<RequireFace>,
    /// The action's text.
    pub text: Vec<Piece>,
    /// By section: which inputs it reads, one bit each.
    reads: Vec<u64>,
}

/// A parameter.
#[derive(Debug)]
pub struct ParamFace {
    /// Section of the query: whether the value given is allowed.
    pub allowed: usize,
    /// The values allowed.
    pub range: RangeFace,
    /// What may be shown where the value is not allowed.
    pub values: Vec<Shown>,
    /// Of values that lie at a place: its index.
    pub index: Vec<Piece>,
}

/// Where a parameter's values come from: sections of the query.
#[derive(Debug)]
pub enum RangeFace {
    /// A set; the least value of its domain is subtracted.
    Set(usize, i64),
    /// Numbers between two.
    Span(usize, usize),
}

/// A require.
#[derive(Debug)]
pub struct RequireFace {
    /// Section of the query: the condition.
    pub cond: usize,
    /// Its message.
    pub message: Option<Vec<Piece>>,
    /// What may be shown where it does not hold.
    pub values: Vec<Shown>,
    /// Section: the condition without what lifts it.
    pub bare: Option<usize>,
    /// For each permit and exception its section, and what may be shown.
    pub lifts: Vec<(usize, Vec<Shown>)>,
}

/// An expression with its section.
#[derive(Debug)]
pub struct Shown {
    pub section: usize,
    pub expr: Expr,
}

/// A piece of a text.
#[derive(Debug)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// An input: 0 is `me`, then the parameters.
    Input(usize, Type),
    /// An expression with its section.
    Hole(usize, Expr),
}

/// Collects the expressions of the sections.
struct Sections {
    exprs: Vec<Expr>,
    inputs: Vec<LocalId>,
}

impl Program {
    /// An action's face, compiled when first asked for.
    pub(super) fn face(&self, action: ActionId) -> Option<&ActionFace> {
        let slot = self.faces.get(action.index())?;
        let face = slot.get_or_init(|| {
            let action = self.game.actions.get(action.index())?;
            ActionFace::of(self, action).map(Box::new)
        });
        face.as_deref()
    }
}

impl ActionFace {
    fn of(program: &Program, action: &Action) -> Option<Self> {
        let params = action.params.iter().map(|param| param.local);
        let inputs: Vec<LocalId> = std::iter::once(action.me).chain(params).collect();
        let mut sections = Sections {
            exprs: Vec::new(),
            inputs,
        };
        let game = &*program.game;
        let params = (0..).zip(&action.params);
        let params = params
            .map(|(at, param)| sections.param(game, param, with_it(&action.params, at)))
            .collect();
        let requires = action.requires.iter();
        let requires = requires
            .map(|require| RequireFace {
                cond: sections.add(&require.cond),
                message: require
                    .message
                    .as_ref()
                    .map(|it| sections.template(game, it)),
                values: sections.values(&require.cond),
                bare: require.bare.as_ref().map(|it| sections.add(it)),
                lifts: require
                    .lifts
                    .iter()
                    .map(|it| (sections.add(&it.cond), sections.values(&it.cond)))
                    .collect(),
            })
            .collect();
        let text = sections.template(game, &action.text);
        let exprs: Vec<&Expr> = sections.exprs.iter().collect();
        let query = Query::with_inputs(program, &sections.inputs, &exprs, Tier::AsWritten).ok()?;
        let reads = exprs.iter().map(|expr| sections.reads(expr)).collect();
        Some(Self {
            query,
            params,
            requires,
            text,
            reads,
        })
    }

    /// The inputs for a section, if all that it reads are given.
    pub fn inputs(&self, section: usize, given: &[Option<i64>]) -> Option<Vec<i64>> {
        let reads = self.reads.get(section).copied()?;
        let filled = (0..).zip(given).map(|(at, value): (u32, _)| match value {
            Some(value) => Some(*value),
            None => (at < 64 && reads >> at & 1 == 0).then_some(0),
        });
        filled.collect()
    }
}

/// The place at which what may be chosen lies, where all that lies there may be.
pub fn place_of(over: &Over) -> Option<&Place> {
    match over {
        Over::Zone(place) => Some(place),
        Over::Set(set) => match &set.kind {
            ExprKind::Component(place) | ExprKind::Kinds(place) => Some(place),
            _ => None,
        },
        Over::Span(..) => None,
    }
}

impl Sections {
    fn add(&mut self, expr: &Expr) -> usize {
        self.exprs.push(expr.clone());
        self.exprs.len() - 1
    }

    fn param(&mut self, game: &Game, param: &Param, before: &[Param]) -> ParamFace {
        let allowed = self.add(&allowed(game, param, before));
        let (range, values) = match &param.over {
            Over::Set(set) => {
                let lo = match set.ty.base {
                    Base::Set(domain) => game.domains.get(domain.index()).map_or(0, |d| d.lo),
                    Base::Bool | Base::Int(..) | Base::Elem(_) | Base::Unit => 0,
                };
                let section = self.add(set);
                let mut values = Vec::new();
                if !matches!(set.kind, ExprKind::All(_)) {
                    values.push(Shown {
                        section,
                        expr: set.clone(),
                    });
                }
                (RangeFace::Set(section, lo), values)
            }
            Over::Zone(place) => {
                let kinds = Expr {
                    kind: ExprKind::Kinds(place.clone()),
                    ty: match game.zones.get(place.zone.index()) {
                        Some(zone) => Type::of(Base::Set(zone.component)),
                        None => Type::UNIT,
                    },
                    span: place.index.first().map(|it| it.span).unwrap_or_default(),
                };
                let section = self.add(&kinds);
                let shown = Shown {
                    section,
                    expr: kinds,
                };
                (RangeFace::Set(section, 0), vec![shown])
            }
            Over::Span(from, to) => {
                let mut values = self.values(from);
                values.extend(self.values(to));
                (RangeFace::Span(self.add(from), self.add(to)), values)
            }
        };
        let place = place_of(&param.over).map_or(&[][..], |it| &it.index);
        ParamFace {
            allowed,
            range,
            values,
            index: place.iter().map(|it| self.hole(game, it)).collect(),
        }
    }

    fn template(&mut self, game: &Game, template: &Template) -> Vec<Piece> {
        let parts = template.parts.iter();
        parts
            .map(|part| match part {
                TemplatePart::Text(text) => Piece::Text(text.clone()),
                TemplatePart::Hole(expr) => self.hole(game, expr),
            })
            .collect()
    }

    fn hole(&mut self, game: &Game, expr: &Expr) -> Piece {
        let input = match expr.kind {
            ExprKind::Local(local) => self.inputs.iter().position(|it| *it == local),
            _ => None,
        };
        match input {
            Some(at) => {
                let local = self.inputs.get(at).copied();
                let local = local.and_then(|it| game.locals.get(it.index()));
                Piece::Input(at, local.map_or(expr.ty, |it| it.ty))
            }
            None => Piece::Hole(self.add(expr), expr.clone()),
        }
    }

    /// The parts of a condition whose values tell why it holds or not.
    fn values(&mut self, cond: &Expr) -> Vec<Shown> {
        let mut found = Vec::new();
        self.gather(cond, true, &mut found);
        let mut shown: Vec<Shown> = Vec::new();
        for expr in found {
            let known = |it: &Shown| it.expr.span.same_place(expr.span);
            if shown.len() < MOST_VALUES && !shown.iter().any(known) {
                shown.push(Shown {
                    section: self.add(expr),
                    expr: expr.clone(),
                });
            }
        }
        shown
    }

    /// `top` where the expression is the condition itself or joined to it by `and`, `or`, `not`.
    fn gather<'e>(&self, expr: &'e Expr, top: bool, found: &mut Vec<&'e Expr>) {
        let closed = self.closed(expr);
        let telling = match &expr.kind {
            ExprKind::Call(..) | ExprKind::Can(..) | ExprKind::Track(..) => true,
            ExprKind::Component(_)
            | ExprKind::PlaceField(..)
            | ExprKind::Top(_)
            | ExprKind::Nth(..)
            | ExprKind::Count(_)
            | ExprKind::CountOf(..)
            | ExprKind::Filled(_)
            | ExprKind::Setting(_)
            | ExprKind::Table(..)
            | ExprKind::Step { .. } => true,
            ExprKind::Field(..) | ExprKind::Aggregate(_) | ExprKind::After(..) => !top,
            _ => false,
        };
        if telling && closed && expr.ty.base != Base::Unit {
            found.push(expr);
        }
        let inner = match &expr.kind {
            ExprKind::Binary(op, left, right) => {
                let joins = matches!(op, BinaryOp::And | BinaryOp::Or);
                self.gather(left, top && joins, found);
                self.gather(right, top && joins, found);
                return;
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                self.gather(inner, top, found);
                return;
            }
            // What is bound inside has no one value.
            ExprKind::Aggregate(_)
            | ExprKind::Reach { .. }
            | ExprKind::Groups { .. }
            | ExprKind::Walk { .. }
            | ExprKind::After(..)
            | ExprKind::Can(..)
            | ExprKind::Let(..) => return,
            _ => expr,
        };
        parts_of_expr(inner, &mut |node| {
            if let Node::Expr(part) = node {
                self.gather(part, false, found);
            }
        });
    }

    /// The inputs that an expression reads.
    fn reads(&self, expr: &Expr) -> u64 {
        let mut reads = 0;
        let mut note = |node: Node<'_>| {
            if let Node::Expr(Expr {
                kind: ExprKind::Local(local),
                ..
            }) = node
                && let Some(at) = self.inputs.iter().position(|it| it == local)
                && at < 64
            {
                reads |= 1 << at;
            }
        };
        note(Node::Expr(expr));
        crate::model::each_in_expr(expr, &mut note);
        reads
    }

    /// Whether an expression reads no local but the inputs and its own.
    fn closed(&self, expr: &Expr) -> bool {
        let mut bound = self.inputs.clone();
        let mut open = false;
        let mut note = |node: Node<'_>| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(Expr {
                kind: ExprKind::Local(local),
                ..
            }) => open |= !bound.contains(local),
            Node::Expr(_) | Node::Stmt(_) => {}
        };
        note(Node::Expr(expr));
        crate::model::each_in_expr(expr, &mut note);
        !open
    }
}

/// The members that stand before a parameter, taken together with it.
pub(super) fn with_it(params: &[Param], at: usize) -> &[Param] {
    let before = params
        .get(at)
        .and_then(|it| it.member)
        .map_or(0, |it| it.before);
    at.checked_sub(before)
        .and_then(|first| params.get(first..at))
        .unwrap_or_default()
}

/// Whether a parameter's value is one that its clause allows, behind those that are given before it.
pub(super) fn allowed(game: &Game, param: &Param, before: &[Param]) -> Expr {
    let ask = Asking::of(game, param);
    let inside = match &param.over {
        Over::Set(set) => ask.binary(BinaryOp::In, ask.own(), set.clone()),
        Over::Zone(place) => ask.more_than(place, 0),
        Over::Span(from, to) => ask.binary(
            BinaryOp::And,
            ask.binary(BinaryOp::Ge, ask.own(), from.clone()),
            ask.binary(BinaryOp::Le, ask.own(), to.clone()),
        ),
    };
    let inside = match in_order(game, param, before) {
        Some(order) => ask.binary(BinaryOp::And, inside, order),
        None => inside,
    };
    if param.member.is_none_or(|it| !it.optional) {
        return inside;
    }
    let missing = ask.binary(BinaryOp::Eq, ask.own(), ask.none());
    let missing = match before.last() {
        Some(last) => {
            let also = ask.binary(BinaryOp::Eq, ask.local(last.local), ask.none());
            ask.binary(BinaryOp::And, missing, also)
        }
        None => missing,
    };
    ask.binary(BinaryOp::Or, missing, inside)
}

/// Whether a member lies behind the one before it, or is another copy of it.
pub(super) fn in_order(game: &Game, param: &Param, before: &[Param]) -> Option<Expr> {
    let ask = Asking::of(game, param);
    let last = before.last()?.local;
    let behind = ask.binary(BinaryOp::Lt, ask.index(last), ask.index(param.local));
    let order = match &param.over {
        Over::Zone(place) => {
            let mut others: Option<Expr> = None;
            for (at, it) in before.iter().enumerate() {
                let taken = before.len() - at;
                let more = ask.more_than(place, i64::try_from(taken).unwrap_or(i64::MAX));
                let more = match others.take() {
                    Some(others) => ask.binary(BinaryOp::And, more, others),
                    None => more,
                };
                let (op, join) = match taken {
                    1 => (BinaryOp::Eq, BinaryOp::And),
                    _ => (BinaryOp::Ne, BinaryOp::Or),
                };
                let same = ask.binary(op, ask.local(it.local), ask.own());
                others = Some(ask.binary(join, same, more));
            }
            match others {
                Some(others) => ask.binary(BinaryOp::Or, behind, others),
                None => behind,
            }
        }
        Over::Set(_) | Over::Span(..) => behind,
    };
    Some(order)
}

/// Builds what is asked of a parameter.
struct Asking<'g> {
    game: &'g Game,
    own: LocalId,
    span: Span,
}

impl<'g> Asking<'g> {
    fn of(game: &'g Game, param: &Param) -> Self {
        let span = match &param.over {
            Over::Set(set) => set.span,
            Over::Zone(place) => place.index.first().map(|it| it.span).unwrap_or_default(),
            Over::Span(from, _) => from.span,
        };
        let own = param.local;
        Self { game, own, span }
    }

    fn expr(&self, kind: ExprKind, ty: Type) -> Expr {
        let span = self.span;
        Expr { kind, ty, span }
    }

    fn local(&self, local: LocalId) -> Expr {
        let ty = self.game.locals.get(local.index());
        self.expr(ExprKind::Local(local), ty.map_or(Type::UNIT, |it| it.ty))
    }

    fn own(&self) -> Expr {
        self.local(self.own)
    }

    fn none(&self) -> Expr {
        let ty = self.own().ty;
        self.expr(ExprKind::Value(crate::model::NONE), ty.or_none())
    }

    fn binary(&self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let kind = ExprKind::binary(op, left, right);
        self.expr(kind, Type::BOOL)
    }

    fn more_than(&self, place: &crate::model::Place, copies: i64) -> Expr {
        let count = self.expr(
            ExprKind::CountOf(place.clone(), Box::new(self.own())),
            Type::of(Base::Int(0, i64::from(u32::MAX))),
        );
        let least = Type::of(Base::Int(copies, copies));
        self.binary(
            BinaryOp::Gt,
            count,
            self.expr(ExprKind::Value(copies), least),
        )
    }

    /// Elements have an order of their own that `Lt` need not know.
    fn index(&self, local: LocalId) -> Expr {
        let value = self.local(local);
        match value.ty.base {
            Base::Elem(_) => {
                let there = Type::of(value.ty.base);
                let value = value.with_type(there);
                let number = Type::of(Base::Int(0, i64::from(u32::MAX)));
                self.expr(ExprKind::unary(UnaryOp::Ord, value), number)
            }
            Base::Bool | Base::Int(..) | Base::Set(_) | Base::Unit => value,
        }
    }
}
