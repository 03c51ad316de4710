//! Statements that decide what comes next.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    Base, Binder, Expr, ExprKind, Order, Over, Place, ProcKind, Stmt, StmtKind, Turns, ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast::{self, Times};

use super::moves::{statement, when};
use super::scope::{Binding, BodyKind, Me};
use super::types::NUMBER;
use super::{Checked, Checker, Entity, Reported, bounds};

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn if_statement(
        &mut self,
        branches: &[ast::Branch],
        otherwise: Option<&ast::Block>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let mut checked = Vec::new();
        let mut failed = false;
        let mut decided = false;
        for branch in branches {
            let condition = self.condition(&branch.condition);
            let known = condition.as_ref().ok().and_then(|it| self.decided(it));
            let body = if decided || known == Some(false) {
                self.folded_away(|this| this.block(&branch.body))
            } else {
                self.block(&branch.body)
            };
            match (condition, body) {
                (Ok(condition), Ok(body)) if !decided && known != Some(false) => {
                    checked.push((condition, body, branch.body.span));
                }
                (Ok(_), Ok(_)) => {}
                _ => failed = true,
            }
            decided |= known == Some(true);
        }
        let mut rest = match otherwise {
            None => Vec::new(),
            Some(block) => {
                let block = if decided {
                    self.folded_away(|this| this.block(block))
                } else {
                    self.block(block)
                };
                match block {
                    Ok(block) if !decided => block,
                    Ok(_) => Vec::new(),
                    Err(Reported) => return Err(Reported),
                }
            }
        };
        if failed {
            return Err(Reported);
        }
        for (at, (condition, body, block)) in checked.into_iter().enumerate().rev() {
            if self.decided(&condition) == Some(true) {
                rest = body;
                continue;
            }
            let span = if at == 0 { span } else { block };
            rest = vec![Stmt {
                kind: StmtKind::If(condition, body, rest),
                span,
            }];
        }
        out.extend(rest);
        Ok(())
    }

    /// Checks a piece that is not part of this game; only its diagnostics stay.
    pub(super) fn folded_away<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let marks = (
            self.game.clauses.len(),
            self.game.streams.len(),
            self.reads_me.len(),
            self.hands_me.len(),
            self.without_me.len(),
            self.game.tellings.len(),
        );
        let result = inside(self);
        self.drop_clauses(marks.0);
        self.game.streams.truncate(marks.1);
        self.reads_me.truncate(marks.2);
        self.hands_me.truncate(marks.3);
        self.without_me.truncate(marks.4);
        self.game.tellings.truncate(marks.5);
        result
    }

    #[inline(never)]
    pub(super) fn by_statement(
        &mut self,
        subject: &ast::Expr,
        arms: &[ast::Arm<ast::Block>],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let subject = self.value(subject, None)?;
        let heads = self.heads(&subject, arms, span)?;
        let chosen = self.pick(&subject, &heads);
        let mut cases = Vec::new();
        let mut other = None;
        let mut failed = false;
        for (at, (arm, heads)) in arms.iter().zip(heads).enumerate() {
            if chosen.is_some_and(|it| it != at) {
                failed |= self.folded_away(|this| this.block(&arm.body)).is_err();
                continue;
            }
            match self.block(&arm.body) {
                Ok(body) if chosen.is_some() => out.extend(body),
                Ok(body) => match heads {
                    Some(heads) => cases.push((heads, body)),
                    None => other = Some(body),
                },
                Err(Reported) => failed = true,
            }
        }
        if failed {
            return Err(Reported);
        }
        if chosen.is_none()
            && let Base::Int(..) = subject.ty.base
        {
            let bodies = cases.into_iter().map(|(_, body)| body).collect();
            self.by_number(subject, arms, bodies, other, span, out);
            return Ok(());
        }
        if chosen.is_none() {
            out.push(Stmt {
                kind: StmtKind::Match(subject, cases, other),
                span,
            });
        }
        Ok(())
    }

    /// `by` a number is asked case by case; `bodies` are those of the cases with numbers.
    fn by_number(
        &mut self,
        subject: Expr,
        arms: &[ast::Arm<ast::Block>],
        mut bodies: Vec<Vec<Stmt>>,
        other: Option<Vec<Stmt>>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let local = self.fresh("it", subject.ty, subject.span);
        let it = self.local(local, subject.span);
        let is_optional = subject.ty.optional;
        out.push(statement(StmtKind::Let(local, subject), span));
        let numbers = arms.iter().filter_map(|arm| match &arm.head {
            ast::ArmHead::Numbers(numbers) => Some(numbers),
            _ => None,
        });
        let mut numbers: Vec<_> = numbers.collect();
        let mut rest = match other {
            Some(other) => other,
            None => {
                numbers.pop();
                bodies.pop().unwrap_or_default()
            }
        };
        let missing = rest.clone();
        for (numbers, body) in numbers.into_iter().zip(bodies).rev() {
            rest = vec![when(self.is_among(&it, numbers), body, rest, span)];
        }
        if is_optional {
            rest = vec![when(it.is_there(), rest, missing, span)];
        }
        out.extend(rest);
    }

    #[inline(never)]
    pub(super) fn repeat(&mut self, times: &Times, body: &ast::Block) -> Checked<StmtKind> {
        match times {
            Times::Forever => Ok(StmtKind::Repeat(self.block(body)?, None)),
            Times::Count(count) => {
                let count = self.typed(count, NUMBER);
                let body = self.block(body);
                Ok(StmtKind::Times(count?, body?))
            }
            Times::Until(condition) => {
                let body = self.block(body);
                let condition = self.condition(condition);
                Ok(StmtKind::Repeat(body?, Some(condition?)))
            }
        }
    }

    #[inline(never)]
    pub(super) fn for_each(
        &mut self,
        binders: &[ast::Each],
        body: &ast::Block,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let loops = self.scoped(|this| {
            let mut checked = Vec::new();
            let mut failed = false;
            for each in binders {
                match this.binders(&each.binder, each.backwards) {
                    Ok(made) => {
                        let is_round = made.iter().any(|it| matches!(it.order, Order::From(_)));
                        if each.backwards && is_round {
                            this.complain(
                                codes::MISPLACED,
                                each.binder.span,
                                "`seats_from` has an order of its own",
                                "the other way round the table: `let s = bert  repeat count seat { …  s = previous_seat(s) }`",
                            );
                            failed = true;
                        }
                        checked.extend(made);
                    }
                    Err(Reported) => {
                        this.bind_as(&each.binder.name, Binding::Failed);
                        failed = true;
                    }
                }
            }
            let body = this.block(body);
            if failed {
                return Err(Reported);
            }
            this.each_copy(checked, body?, span)
        })?;
        out.extend(loops);
        Ok(())
    }

    /// Goes round once for each copy of what lies in a bag or pile, as `count` and `sum` count each. What
    /// lies there is settled kind by kind; the condition is asked each time.
    fn each_copy(
        &mut self,
        mut binders: Vec<Binder>,
        body: Vec<Stmt>,
        span: Span,
    ) -> Checked<Vec<Stmt>> {
        let Some(at) = binders.iter().position(|it| self.may_hold_copies(&it.over)) else {
            return Ok(vec![statement(StmtKind::ForEach(binders, body), span)]);
        };
        let rest = binders.split_off(at + 1);
        let body = match rest.is_empty() {
            true => body,
            false => self.each_copy(rest, body, span)?,
        };
        let Some(Binder {
            local,
            over: Over::Zone(mut place),
            order,
            guard,
        }) = binders.pop()
        else {
            return Err(Reported);
        };
        let mut loops = Vec::new();
        for index in &mut place.index {
            if !matches!(index.kind, ExprKind::Value(_)) {
                let kept = self.fresh("place", index.ty, index.span);
                let value = std::mem::replace(index, self.local(kept, index.span));
                loops.push(statement(StmtKind::Let(kept, value), span));
            }
        }
        let count = self.copies_at(&place, self.local(local, span), span);
        let round = match guard {
            Some(guard) => vec![when(guard, body, Vec::new(), span)],
            None => body,
        };
        let kinds = Binder::over(local, Over::Zone(place)).ordered(order);
        let copies = vec![statement(StmtKind::Times(count, round), span)];
        loops.push(statement(StmtKind::ForEach(vec![kinds], copies), span));
        if binders.is_empty() {
            return Ok(loops);
        }
        Ok(vec![statement(StmtKind::ForEach(binders, loops), span)])
    }

    /// How many of a kind lie at a place.
    pub(super) fn copies_at(&mut self, place: &Place, kind: Expr, span: Span) -> Expr {
        Expr {
            ty: bounds::number(0, self.most_at(place).1),
            kind: ExprKind::CountOf(place.clone(), Box::new(kind)),
            span,
        }
    }

    /// Whether several things of one kind can lie in what is run through.
    pub(super) fn may_hold_copies(&self, over: &Over) -> bool {
        let Over::Zone(place) = over else {
            return false;
        };
        if self.zone_kind(place) == ZoneKind::One {
            return false;
        }
        let zone = self.game.zones.get(place.zone.index());
        let component = zone.and_then(|it| self.domain(it.component));
        let supplies = self
            .composed
            .items
            .iter()
            .filter_map(|it| match &it.item.kind {
                ast::ItemKind::Supply(supply) => Some(supply),
                _ => None,
            });
        let own = supplies.filter(|it| component.is_some_and(|own| own.name == it.component.text));
        let alone: Vec<bool> = own.map(|it| it.count.is_none()).collect();
        !matches!(alone.as_slice(), [] | [true])
    }

    #[inline(never)]
    pub(super) fn turns(
        &mut self,
        name: &ast::Name,
        from: &ast::Expr,
        once: bool,
        condition: Option<&ast::Expr>,
        body: &ast::Block,
    ) -> Checked<StmtKind> {
        self.choice_allowed(name.span)?;
        if name.text != "me" {
            return Err(self.report(
                Diagnostic::at(
                    codes::MISPLACED,
                    name.span,
                    "the seat whose turn it is is always called `me`",
                )
                .help("write `turns me from …`")
                .fix("write `me`", vec![(name.span, "me".to_owned())]),
            ));
        }
        let from = self.seat_of(from);
        let me = self.fresh("me", self.seat_type(), name.span);
        let outer = std::mem::replace(&mut self.body.me, Me::Bound(me));
        let acting = self.body.acting.take();
        let guard = condition.map(|it| self.condition(it)).transpose();
        self.body.turns += 1;
        let body = self.block(body);
        self.body.turns -= 1;
        self.body.me = outer;
        self.body.acting = acting;
        Ok(StmtKind::Turns(Turns {
            me,
            from: from?,
            once,
            guard: guard?,
            body: body?,
        }))
    }

    /// Complains where nothing is done but worked out or set up; `said` is told what stands around.
    pub(super) fn is_done_here(
        &mut self,
        span: Span,
        said: impl FnOnce(&str) -> String,
        help: &str,
    ) -> Checked<()> {
        if matches!(
            self.body.kind,
            BodyKind::Flow | BodyKind::Event | BodyKind::Action
        ) {
            return Ok(());
        }
        let message = said(self.body_words());
        Err(self.complain(codes::MISPLACED, span, message, help))
    }

    #[inline(never)]
    pub(super) fn return_statement(
        &mut self,
        value: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        self.is_done_here(
            span,
            |inside| format!("{inside} has nothing to return from"),
            "`return` leaves a flow or an event",
        )?;
        let mut value = match (value, self.body.result) {
            (Some(value), Some(ty)) => Some(self.result(value, Some(ty), out)?),
            (None, None) => None,
            (Some(value), None) => {
                return Err(self.complain(
                    codes::WRONG_TYPE,
                    value.span,
                    "nothing is returned here",
                    "write the type of the result behind the parameters: `flow f(): seat`",
                ));
            }
            (None, Some(ty)) => {
                let of = self.type_name(ty);
                let message = format!("this must return {of}");
                return Err(self.error(codes::WRONG_TYPE, span, message));
            }
        };
        if !self.body.living.is_empty() {
            // What is returned may ask for what lives here.
            if let Some(result) = value.take() {
                let kept = self.fresh("result", self.body.result.unwrap_or(result.ty), result.span);
                value = Some(self.local(kept, result.span));
                out.push(Stmt {
                    kind: StmtKind::Let(kept, result),
                    span,
                });
            }
            self.give_back(0, out);
        }
        out.push(Stmt {
            kind: StmtKind::Return(value),
            span,
        });
        Ok(())
    }

    pub(super) fn end(&mut self, call: &ast::Call, span: Span) -> Checked<StmtKind> {
        if self.body.kind == BodyKind::Ending {
            let message = "an ending cannot end the game again";
            return Err(self.complain(
                codes::MISPLACED,
                span,
                message,
                "put what both do into an event",
            ));
        }
        self.effect_allowed(span)?;
        let is_ending =
            |this: &Self, id| this.proc(id).is_some_and(|it| it.kind == ProcKind::Ending);
        match self.named(call.name.as_str()) {
            Some(Ok(Entity::Proc(id))) if is_ending(self, id) => {
                let args = self.proc_args(id, call, span)?;
                Ok(StmtKind::End(id, args))
            }
            Some(Err(reported)) => Err(reported),
            Some(Ok(_)) => {
                let message = format!("`{}` is no ending", call.name);
                Err(self.error(codes::WRONG_KIND, call.name.span, message))
            }
            None => {
                let list = self.proc_names(&[ProcKind::Ending]);
                let message = format!("no ending is called `{}`", call.name);
                Err(self.not_among(codes::UNKNOWN_NAME, &call.name, message, &list))
            }
        }
    }
}
