//! Choices: of actions, of values, in windows.

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::model::{
    AggregateOp, Alt, AltKind, Base, BinaryOp, Choose, ClauseId, ClauseKind, Expr, ExprKind,
    LocalId, Over, Pick, Picker, Slot, Stmt, StmtKind, Type, UnaryOp, Window,
};
use crate::source::Span;
use crate::syntax::ast::{self, Among, Chooser};

use super::aggregate::aggregate;
use super::drawn::compare;
use super::holders::number;
use super::moves::{statement, when};
use super::offers::Asker;
use super::scope::{Binding, BodyKind, did_you_mean};
use super::stmt::ahead;
use super::types::NUMBER;
use super::{Checked, Checker, Entity, Reported};

impl Checker<'_> {
    /// Says whether a seat may choose here.
    pub(super) fn choice_allowed(&mut self, span: Span) -> Checked<()> {
        if matches!(self.body.kind, BodyKind::Flow | BodyKind::Action) {
            return Ok(());
        }
        let inside = self.body_words();
        let help = match self.body.kind {
            BodyKind::Event => "make it a `flow`, or let the action that calls it choose",
            BodyKind::Given => "write the choices as `when` lines",
            _ => "choose before",
        };
        Err(self.complain(
            codes::CHOICE_HERE,
            span,
            format!("nobody can choose in {inside}"),
            help,
        ))
    }

    #[inline(never)]
    pub(super) fn choose(
        &mut self,
        choose: &ast::Choose,
        in_together: bool,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        match (&choose.among, &choose.who) {
            (
                Among::Members {
                    binder,
                    weight,
                    body,
                },
                _,
            ) => self.pick_member(choose, binder, weight.as_ref(), body.as_ref(), span, out),
            (Among::Alternatives(_), Chooser::Chance(at)) => Err(self.complain(
                codes::MISPLACED,
                *at,
                "chance takes no actions",
                "write `choose chance x in 1..6`",
            )),
            (Among::Alternatives(alternatives), Chooser::Seat(who)) => {
                self.choice_allowed(span)?;
                let clause = self.choice_clause(&choose.tail, "choose", span);
                let who = self.seat_of(who);
                let mut asker = Asker {
                    who: who.as_ref().ok().cloned(),
                    before: (!in_together).then_some(&mut *out),
                    happens: true,
                };
                let alts = self.alternatives_for(alternatives, &mut asker);
                let who = match asker.who.take() {
                    Some(kept) => Ok(kept),
                    None => who,
                };
                let otherwise = choose
                    .otherwise
                    .as_ref()
                    .map(|it| self.block(it))
                    .transpose();
                let kind = StmtKind::Choose(Choose {
                    who: who?,
                    alts: alts?,
                    may: choose.may,
                    otherwise: otherwise?,
                    clause,
                });
                out.push(statement(kind, span));
                Ok(())
            }
        }
    }

    /// A choice has the address of the step around it, unless it has citations of its own.
    fn choice_clause(&mut self, tail: &ast::Tail, word: &str, span: Span) -> ClauseId {
        if tail.is_empty() {
            return self.body.clause;
        }
        let mut path = format!("{}.{word}", self.body.path);
        let mut number = 1;
        while self.paths.contains_key(&path) {
            number += 1;
            path = format!("{}.{word}{number}", self.body.path);
        }
        let parent = self.body.clause;
        let origin = self.inner_origin(span);
        self.clause(super::clause::NewClause {
            path,
            kind: ClauseKind::Step,
            span,
            tail,
            parent: Some(parent),
            text: String::new(),
            origin,
        })
    }

    /// `name "text"`: an option that belongs to this choice alone, and is always legal.
    #[inline(never)]
    pub(super) fn inline_option(
        &mut self,
        alternative: &ast::Alternative,
        template: &ast::Template,
    ) -> Checked<Alt> {
        let name = alternative.name.text.clone();
        if let Some(Ok(Entity::Action(_) | Entity::Offers)) = self.named(&name) {
            let diagnostic = Diagnostic::at(
                codes::OPTION_OR_ACTION,
                template.span,
                format!("`{name}` is an action, and has a text of its own"),
            )
            .help(format!(
                "for the action leave the text out: `{name}`, or `{name} {{ … }}` for what happens behind it; \
                 an option of this choice needs another name"
            ));
            return Err(self.report(diagnostic));
        }
        if let Some(arg) = alternative.args.first() {
            let message = format!("the option `{name}` has no parameters");
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                arg.value.span,
                message,
                "write an `action` for a choice with parameters",
            ));
        }
        let Some(text) = template.plain() else {
            return Err(self.complain(
                codes::WRONG_TYPE,
                template.span,
                "the text of an option has no holes",
                "write an `action` with what the text names as its parameters, and give it there: `action doubt(r: Role) \"doubt the {r}\" { }`, `choose s: doubt(r: r)`",
            ));
        };
        self.remember_option(&name, text);
        let kind = AltKind::Inline {
            name,
            text: text.to_owned(),
        };
        Ok(Alt {
            kind,
            offered: None,
            among: Vec::new(),
            then: Vec::new(),
            span: alternative.span,
        })
    }

    /// An action that is asked about, where nothing is chosen.
    pub(super) fn named_action(&mut self, alternative: &ast::Alternative) -> Checked<Alt> {
        self.only_named(alternative)?;
        if let Some(condition) = &alternative.condition {
            return Err(self.complain(
                codes::MISPLACED,
                condition.span,
                "a move is only named here",
                format!("write `{}` without it", alternative.name),
            ));
        }
        self.action_alternative(alternative)
    }

    /// An alternative that must be an action.
    #[inline(never)]
    pub(super) fn action_alternative(&mut self, alternative: &ast::Alternative) -> Checked<Alt> {
        let name = &alternative.name;
        let id = match self.named(name.as_str()) {
            Some(Ok(Entity::Action(id))) => id,
            Some(Err(reported)) => return Err(reported),
            Some(Ok(_)) => {
                let message = format!("`{name}` is no action");
                return Err(self.complain(codes::WRONG_KIND, name.span, message, format!(
                        "a seat chooses an `action`, or an option with a text: `{name} \"…\" {{ … }}`"
                    )));
            }
            None => {
                let mut list = Vec::new();
                for composite in &self.composed.items {
                    if let ast::ItemKind::Action(it) = &composite.item.kind {
                        list.push(it.name.text.clone());
                    }
                }
                let unknown = Diagnostic::at(
                    codes::UNKNOWN_NAME,
                    name.span,
                    format!("no action is called `{name}`"),
                );
                if let Some(diagnostic) = self.of_removed(&unknown, name) {
                    return Err(self.report(diagnostic));
                }
                let near = closest(&name.text, list.iter().map(String::as_str)).map(str::to_owned);
                let diagnostic = unknown.help(format!(
                    "write `action {name}()`, or give the option a text: `{name} \"…\" {{ … }}`"
                ));
                return Err(self.report(did_you_mean(diagnostic, name.span, near)));
            }
        };
        let Some(action) = self.game.actions.get(id.index()) else {
            return Err(Reported);
        };
        let locals: Vec<_> = action.params.iter().map(|it| it.local).collect();
        let inputs = self.inputs_of(action, &locals);
        let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
        let (mut plain, mut taken) = (Vec::new(), Vec::new());
        for (at, arg) in alternative.args.iter().enumerate() {
            let asks_truth = inputs.get(at).is_some_and(|(_, it)| {
                matches!(it, Binding::Local(local, _) if self.local_type(*local).base == Base::Bool)
            });
            match self.taken_from(&names, arg, asks_truth) {
                Some(it) => taken.push(it),
                None => plain.push(arg.clone()),
            }
        }
        let among = self.among(&inputs, taken)?;
        let given = self.arrange(name.as_str(), &names, &plain, alternative.span)?;
        let mut args = Vec::new();
        let mut failed = false;
        for ((_, input), value) in inputs.into_iter().zip(given) {
            let values = match (input, value) {
                (Binding::Local(local, _), Some(value)) => {
                    let ty = self.local_type(local);
                    self.typed(value, ty).map(|it| vec![Some(it)])
                }
                (Binding::Members { locals, .. }, Some(value)) => {
                    self.given_members(&locals, value)
                }
                (Binding::Members { locals, .. }, None) => Ok(vec![None; locals.len()]),
                (_, _) => Ok(vec![None]),
            };
            match values {
                Ok(values) => args.extend(values),
                Err(Reported) => failed = true,
            }
        }
        if failed {
            return Err(Reported);
        }
        Ok(Alt {
            kind: AltKind::Action(id, args),
            offered: None,
            among,
            then: Vec::new(),
            span: alternative.span,
        })
    }

    /// `choose WHO x in S where P weighted w { … }`.
    #[inline(never)]
    fn pick_member(
        &mut self,
        choose: &ast::Choose,
        binder: &ast::Binder,
        weight: Option<&ast::Expr>,
        body: Option<&ast::Block>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let clause = self.choice_clause(&choose.tail, &binder.name.text, span);
        let found = self.picked(choose, binder, weight, clause, span);
        let otherwise = choose
            .otherwise
            .as_ref()
            .map(|it| self.block(it))
            .transpose();
        let (mut pick, element, weighed) = match found {
            Ok(found) => found,
            Err(Reported) => {
                self.bind_as(&binder.name, Binding::Failed);
                if let Some(body) = body {
                    let _ = self.block(body);
                }
                return Err(Reported);
            }
        };
        let otherwise = otherwise?;
        let local =
            weighed.unwrap_or_else(|| self.fresh(&binder.name.text, element, binder.name.span));
        // What is not chosen is none behind the choice; a block of its own is left out then.
        let goes_on = body.is_none() && choose.otherwise.as_ref().is_some_and(ahead::goes_on);
        if let Some(it) = self.game.locals.get_mut(local.index()) {
            it.ty.optional = choose.may || goes_on;
        }
        pick.local = local;
        let binding = Binding::Local(local, false);
        let Some(body) = body else {
            pick.otherwise = otherwise;
            self.bind_as(&binder.name, binding);
            out.push(statement(StmtKind::Pick(pick), span));
            return Ok(());
        };
        let body = self.scoped(|this| {
            this.bind_as(&binder.name, binding);
            this.block(body)
        })?;
        let something = self.is_something(&pick.over, element, binder, weight)?;
        let body = if choose.may {
            let chosen = Expr::truth(
                ExprKind::unary(UnaryOp::IsSome, self.local(local, binder.name.span)),
                binder.name.span,
            );
            vec![when(chosen, body, Vec::new(), span)]
        } else {
            body
        };
        let mut statements = vec![statement(StmtKind::Pick(pick), span)];
        statements.extend(body);
        match otherwise {
            // The body belongs to the choice: it is left out where there is nothing to choose. One may always decline.
            Some(otherwise) if !choose.may => {
                out.push(when(something, statements, otherwise, span));
            }
            _ => out.extend(statements),
        }
        Ok(())
    }

    #[inline(never)]
    fn picked(
        &mut self,
        choose: &ast::Choose,
        binder: &ast::Binder,
        weight: Option<&ast::Expr>,
        clause: ClauseId,
        span: Span,
    ) -> Checked<(Pick, Type, Option<LocalId>)> {
        let (mut over, element) = self.over(&binder.set)?;
        if let Some(condition) = &binder.condition {
            over = self.filtered(over, element, &binder.name, condition)?;
        }
        // The weight reads the member that it weighs, under the name that the choice gives it.
        let mut weighed = None;
        let who = match &choose.who {
            Chooser::Chance(at) => {
                self.chance_allowed(*at)?;
                if choose.may {
                    return Err(self.error(codes::MISPLACED, *at, "chance cannot decline"));
                }
                let weight = match weight {
                    None => None,
                    Some(weight) => Some(self.scoped(|this| {
                        weighed = Some(this.bind(&binder.name, element));
                        this.typed(weight, NUMBER)
                    })?),
                };
                let name = format!("{}.{}", self.body.path, binder.name);
                let stream = self.game.stream_named(&name);
                Picker::Chance(weight, stream)
            }
            Chooser::Seat(who) => {
                self.choice_allowed(span)?;
                if let Some(weight) = weight {
                    return Err(self.complain(
                        codes::MISPLACED,
                        weight.span,
                        "only chance is weighted",
                        "leave `weighted` out",
                    ));
                }
                Picker::Seat(self.seat_of(who)?)
            }
        };
        let pick = Pick {
            who,
            local: LocalId(0),
            over,
            otherwise: None,
            may: choose.may,
            clause,
        };
        Ok((pick, element, weighed))
    }

    fn filtered(
        &mut self,
        over: Over,
        element: Type,
        name: &ast::Name,
        condition: &ast::Expr,
    ) -> Checked<Over> {
        let domain = self.domain_of(element, name.span)?;
        let (local, guard) = self.scoped(|this| {
            let local = this.bind(name, element);
            (local, this.condition(condition))
        });
        let binder = crate::model::Binder::over(local, over).guarded(guard?);
        let ty = Type::of(Base::Set(domain));
        let set = aggregate(AggregateOp::Collect, vec![binder], None, ty, condition.span);
        Ok(Over::Set(set))
    }

    /// The condition that there is something to choose, of some weight.
    fn is_something(
        &mut self,
        over: &Over,
        element: Type,
        binder: &ast::Binder,
        weight: Option<&ast::Expr>,
    ) -> Checked<Expr> {
        let span = binder.span;
        if let Some(weight) = weight {
            let (local, guard) = self.scoped(|this| {
                let local = this.bind(&binder.name, element);
                (local, this.typed(weight, NUMBER))
            });
            let weighs = compare(BinaryOp::Ne, guard?, number(0, span), span);
            let member = crate::model::Binder::over(local, over.clone()).guarded(weighs);
            return Ok(aggregate(
                AggregateOp::Some,
                vec![member],
                None,
                Type::BOOL,
                span,
            ));
        }
        match over {
            Over::Zone(place) => Ok(Expr::truth(ExprKind::Filled(place.clone()), span)),
            Over::Set(set) => {
                let binder = self.binder_over_set(set.clone())?;
                Ok(aggregate(
                    AggregateOp::Some,
                    vec![binder],
                    None,
                    Type::BOOL,
                    span,
                ))
            }
            Over::Span(from, to) => Ok(Expr::truth(
                ExprKind::binary(BinaryOp::Le, from.clone(), to.clone()),
                span,
            )),
        }
    }

    pub(super) fn window(
        &mut self,
        who: &ast::Expr,
        slots: &[ast::Slot],
        span: Span,
    ) -> Checked<StmtKind> {
        self.choice_allowed(span)?;
        let clause = self.body.clause;
        let who = self.seat_of(who);
        let mut made = Vec::new();
        let mut failed = false;
        for slot in slots {
            let slot_clause =
                self.inner_clause(&slot.name, ClauseKind::Step, &slot.tail, String::new());
            let mut asker = Asker {
                who: who.as_ref().ok().cloned(),
                before: None,
                happens: true,
            };
            match self.alternatives_for(&slot.alternatives, &mut asker) {
                Ok(alts) => made.push(Slot {
                    name: slot.name.text.clone(),
                    once: !slot.many,
                    alts,
                    clause: slot_clause,
                }),
                Err(Reported) => failed = true,
            }
        }
        let who = who?;
        if failed {
            return Err(Reported);
        }
        Ok(StmtKind::Window(Window {
            who,
            slots: made,
            clause,
        }))
    }
}
