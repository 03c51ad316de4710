//! Named lists of alternatives: `action act_on(at: Space) = plan where … | dig { … }`.

use crate::diagnostic::codes;
use crate::model::{
    Alt, AltKind, Base, BinaryOp, ClauseId, ClauseKind, Expr, ExprKind, Offered, Stmt, StmtKind,
    Type,
};
use crate::source::Span;
use crate::syntax::ast::{self, StatementKind, Tree};

use super::clause::{NewClause, docs};
use super::moves::statement;
use super::scope::{Binding, Body};
use super::{Checked, Checker, Entity, Reported};

/// A named list of alternatives.
#[derive(Clone)]
pub(super) struct Offers<'a> {
    action: &'a ast::Action,
    clause: ClauseId,
    /// The names and types of what the asker gives.
    formals: Vec<(String, Type)>,
}

/// Who chooses, and where what the asker gives can be kept.
pub(super) struct Asker<'o> {
    pub(super) who: Option<Expr>,
    /// Statements before the choice; none where there is no room for any.
    pub(super) before: Option<&'o mut Vec<Stmt>>,
    /// Whether something happens behind what is chosen.
    pub(super) happens: bool,
}

impl<'a> Checker<'a> {
    /// Checks what an asker has to give.
    pub(super) fn offers_head(&mut self, it: &'a ast::Action, clause: ClauseId) -> Checked<Entity> {
        if let Some(text) = &it.text {
            return Err(self.complain(
                codes::MISPLACED,
                text.span,
                "a list of alternatives has no text: each action has its own",
                "leave the text out",
            ));
        }
        let formals = self.formal_params(&it.params)?;
        let local = |id: &crate::model::LocalId| {
            let local = self.game.locals.get(id.index());
            local.map(|it| (it.name.clone(), it.ty))
        };
        let formals = formals.iter().filter_map(local).collect();
        let offers = Offers {
            action: it,
            clause,
            formals,
        };
        for alternative in &it.alternatives {
            if let Some(body) = &alternative.body {
                self.leaves_nothing(body)?;
            }
        }
        self.offers.insert(it.name.as_str(), offers);
        Ok(Entity::Offers)
    }

    /// What stands behind an alternative of a list is done in the flow that asks: it cannot leave that.
    fn leaves_nothing(&mut self, body: &ast::Block) -> Checked<()> {
        let mut left = Left(None);
        body.walk(&mut left, ast::Role::Plain);
        let Some(span) = left.0 else {
            return Ok(());
        };
        Err(self.complain(
            codes::MISPLACED,
            span,
            "a list of alternatives may stand in many flows, and has nothing to return from",
            "write the alternative out in the flow that goes on otherwise",
        ))
    }

    #[inline(never)]
    pub(super) fn alternatives_for(
        &mut self,
        list: &[ast::Alternative],
        asker: &mut Asker<'_>,
    ) -> Checked<Vec<Alt>> {
        let mut alts = Vec::new();
        let mut failed = false;
        for alternative in list {
            match self.alternative(alternative, asker) {
                Ok(found) => alts.extend(found),
                Err(Reported) => failed = true,
            }
        }
        if failed { Err(Reported) } else { Ok(alts) }
    }

    /// One alternative, or those of the list that it names.
    fn alternative(
        &mut self,
        alternative: &ast::Alternative,
        asker: &mut Asker<'_>,
    ) -> Checked<Vec<Alt>> {
        let offered = self.offered_where(alternative);
        let mut alts = if self.is_list(&alternative.name) {
            self.listed_alternatives(alternative, asker)
        } else {
            let alt = match &alternative.text {
                None => self.action_alternative(alternative),
                Some(text) => self.inline_option(alternative, text),
            };
            alt.map(|it| vec![it])
        };
        for alt in alts.iter().flatten() {
            if let Some(action) = action_of(alt).and_then(|it| self.game.actions.get(it.index())) {
                self.leads_to(action.body, alternative.span);
            }
        }
        let then = match &alternative.body {
            Some(body) if asker.happens => self.block(body),
            _ => Ok(Vec::new()),
        };
        let (offered, then) = (offered?, then?);
        for alt in alts.iter_mut().flatten() {
            alt.then.extend(then.iter().cloned());
            alt.offered = match (&offered, alt.offered.take()) {
                (Some(outer), Some(inner)) => Some(both(outer, inner)),
                (outer, inner) => inner.or_else(|| outer.clone()),
            };
        }
        alts
    }

    /// Says whether an alternative is named without a text and a block.
    pub(super) fn only_named(&mut self, alternative: &ast::Alternative) -> Checked<()> {
        let text = alternative.text.as_ref().map(|it| it.span);
        let body = alternative.body.as_ref().map(|it| it.span);
        match body.or(text) {
            None => Ok(()),
            Some(span) => Err(self.complain(
                codes::MISPLACED,
                span,
                "a move is only named here, and nothing happens behind it",
                format!("write `{}` without it", alternative.name),
            )),
        }
    }

    /// Whether the name of an alternative is that of a list.
    pub(super) fn is_list(&mut self, name: &ast::Name) -> bool {
        matches!(self.named(name.as_str()), Some(Ok(Entity::Offers)))
    }

    /// The alternatives of a list, with what the asker gives in the place of its parameters.
    pub(super) fn listed_alternatives(
        &mut self,
        asked: &ast::Alternative,
        asker: &mut Asker<'_>,
    ) -> Checked<Vec<Alt>> {
        let name = asked.name.as_str();
        let Some(offers) = self.offers.get(name).cloned() else {
            return Err(Reported);
        };
        if let Some(text) = &asked.text {
            return Err(self.complain(
                codes::OPTION_OR_ACTION,
                text.span,
                format!("`{name}` is a list of alternatives, and each has a text of its own"),
                format!(
                    "leave the text out: `{name}`; an option of this choice needs another name"
                ),
            ));
        }
        if self.body.lists.iter().any(|it| it == name) {
            return Err(self.complain(
                codes::CIRCULAR,
                asked.name.span,
                format!("the list `{name}` stands in itself"),
                "write the alternatives that are meant",
            ));
        }
        let names: Vec<String> = offers.formals.iter().map(|it| it.0.clone()).collect();
        let given = self.arrange(name, &names, &asked.args, asked.span)?;
        let mut locals = Vec::new();
        for ((formal, ty), value) in offers.formals.iter().zip(given) {
            let Some(value) = value else {
                return Err(self.complain(
                    codes::WRONG_ARGUMENTS,
                    asked.span,
                    format!("`{name}` needs `{formal}`"),
                    format!("write `{name}({})`", names.join(", ")),
                ));
            };
            let value = self.typed(value, *ty)?;
            let value = super::operator::present_if(value, Some(*ty));
            let value = self.kept(formal, value, *ty, asker)?;
            locals.push((formal.clone(), Binding::Alias(value)));
        }
        let acting = match asker.who.take() {
            Some(who) => Some(self.kept("me", who, self.seat_type(), asker)?),
            None => None,
        };
        asker.who.clone_from(&acting);
        let mut lists = self.body.lists.clone();
        lists.push(name.to_owned());
        let body = Body {
            kind: self.body.kind,
            locals,
            me: self.body.me,
            path: name.to_owned(),
            clause: offers.clause,
            proc: self.body.proc,
            living: self.body.living.clone(),
            acting,
            lists,
            ..Body::default()
        };
        self.in_body(body, |this| {
            this.alternatives_for(&offers.action.alternatives, asker)
        })
    }

    /// A value that is the same whenever it is asked for.
    fn kept(&mut self, name: &str, value: Expr, ty: Type, asker: &mut Asker<'_>) -> Checked<Expr> {
        if !asker.happens || matches!(value.kind, ExprKind::Local(_)) {
            return Ok(value);
        }
        let span = value.span;
        let Some(before) = &mut asker.before else {
            if self.constant(&value).is_some() {
                return Ok(value);
            }
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                span,
                "what is given to a list of alternatives must have a name here",
                format!("write `let {name}_ = …` before, and give that"),
            ));
        };
        let local = self.fresh(name, ty, span);
        before.push(statement(StmtKind::Let(local, value), span));
        Ok(self.local(local, span))
    }

    /// `where C` behind an alternative; its address is that of the alternative.
    pub(super) fn offered_where(
        &mut self,
        alternative: &ast::Alternative,
    ) -> Checked<Option<Offered>> {
        let Some(condition) = &alternative.condition else {
            return Ok(None);
        };
        let cond = self.condition(condition)?;
        let stem = format!("{}.{}", self.body.path, alternative.name);
        let mut path = stem.clone();
        let mut number = 1;
        while let Some(id) = self.paths.get(&path) {
            let known = self.game.clauses.get(id.index());
            if known.is_some_and(|it| it.span.same_place(condition.span)) {
                return Ok(Some(Offered { cond, clause: *id }));
            }
            number += 1;
            path = format!("{stem}{number}");
        }
        let (parent, origin) = (self.body.clause, self.inner_origin(condition.span));
        let clause = self.clause(NewClause {
            path,
            kind: ClauseKind::Require,
            span: condition.span,
            tail: &ast::Tail::default(),
            parent: Some(parent),
            text: docs(&[]),
            origin,
        });
        Ok(Some(Offered { cond, clause }))
    }

    /// The conditions that parameters of an action are members of these sets.
    pub(super) fn among(
        &mut self,
        inputs: &[(String, Binding)],
        taken: Vec<(usize, ast::Expr, Span)>,
    ) -> Checked<Vec<Expr>> {
        let mut among = Vec::new();
        for (at, set, span) in taken {
            let Some((_, Binding::Local(local, _))) = inputs.get(at) else {
                return Err(self.complain(
                    codes::WRONG_ARGUMENTS,
                    span,
                    "what is taken together is given as a whole, or left open",
                    "leave it out, and write the condition behind `where`, or as a `require`",
                ));
            };
            let domain = self.domain_of(self.local_type(*local), span)?;
            let set = self.typed(&set, Type::of(Base::Set(domain)))?;
            let value = self.local(*local, span);
            among.push(self.membership(value, set, span));
        }
        Ok(among)
    }

    /// `slot in S` in the place of an argument: only members of the set are taken. A name that is known where it is asked
    /// is meant as a truth where one is asked for.
    pub(super) fn taken_from(
        &mut self,
        inputs: &[String],
        arg: &ast::Arg,
        asks_truth: bool,
    ) -> Option<(usize, ast::Expr, Span)> {
        let ast::ExprKind::Binary {
            op: ast::BinaryOp::In,
            left,
            right,
            ..
        } = &arg.value.kind
        else {
            return None;
        };
        let ast::ExprKind::Name(name) = &left.kind else {
            return None;
        };
        if arg.name.is_some() || asks_truth && self.binding(name.as_str()).is_some() {
            return None;
        }
        let at = inputs.iter().position(|it| *it == name.text)?;
        Some((at, (**right).clone(), name.span))
    }
}

/// Where something is left.
struct Left(Option<Span>);

impl<'t> ast::Visitor<'t> for Left {
    fn expr(&mut self, _expr: &'t ast::Expr, _role: ast::Role) {}

    fn statement(&mut self, statement: &'t ast::Statement) {
        if matches!(statement.kind, StatementKind::Return(_)) {
            self.0.get_or_insert(statement.span);
        }
        statement.kind.walk(self, ast::Role::Plain);
    }
}

/// What must hold besides what a list says of one of its alternatives.
fn both(outer: &Offered, inner: Offered) -> Offered {
    let (left, right) = (Box::new(outer.cond.clone()), Box::new(inner.cond));
    let span = right.span;
    Offered {
        cond: Expr::truth(ExprKind::Binary(BinaryOp::And, left, right), span),
        clause: inner.clause,
    }
}

/// The action of an alternative, if it is one.
fn action_of(alt: &Alt) -> Option<crate::model::ActionId> {
    match &alt.kind {
        AltKind::Action(id, _) => Some(*id),
        AltKind::Inline { .. } => None,
    }
}
