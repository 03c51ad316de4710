//! `cards in 3 of hand[me]`: members of a set, or of what lies in a zone, that are taken together.
//!
//! Each of them is a parameter of its own, in order; the name that they go by stands for all of them. Of what may lie in
//! a zone more than once that is a set of copies: of each kind with a number. Where one of these is bound to a name, the
//! name is the kind.

use crate::diagnostic::codes;
use crate::limits::MOST_CHOSEN;
use crate::model::{
    Action, AggregateOp, Base, BinaryOp, Binder, Domain, DomainId, DomainKind, Expr, ExprKind,
    Field, LocalId, MOVE_BITS, Member, NONE, Over, Param, ProcId, Several, ShowPart, Type, UnaryOp,
};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Name};

use super::aggregate::aggregate;
use super::constant::Const;
use super::holders::number;
use super::scope::Binding;
use super::types::INT;
use super::{Checked, Checker, bounds};

impl<'a> Checker<'a> {
    /// The parameters for `name in COUNT of SET`.
    pub(super) fn several(
        &mut self,
        name: &Name,
        count: &'a ast::Expr,
        set: &'a ast::Expr,
        clause: crate::model::ClauseId,
        params: &mut Vec<Param>,
    ) -> Checked<Several> {
        let (least, most) = self.how_many(count)?;
        let (over, element) = self.as_set(set)?;
        let first = params.len();
        let range = first..first + usize::try_from(most).unwrap_or(0);
        for (before, _) in range.clone().enumerate() {
            let optional = i64::try_from(before).is_ok_and(|it| it < most - least);
            let ty = Type {
                optional,
                ..element
            };
            params.push(Param {
                local: self.fresh(&name.text, ty, name.span),
                over: over.clone(),
                member: (before > 0 || optional).then_some(Member { before, optional }),
                clause,
            });
        }
        let domain = match (&over, element.base) {
            (Over::Zone(_), Base::Elem(kinds)) if most > 1 && self.has_copies(kinds) => {
                self.copies_domain(kinds, most, name.span)?
            }
            _ => self.domain_of(element, set.span)?,
        };
        Ok(Several {
            name: name.text.clone(),
            params: range,
            domain,
        })
    }

    /// Complains where the parameters of an action take more room than a move has.
    pub(super) fn fits_one_move(&mut self, params: &[Param], count: Span) -> Checked<()> {
        let bits = |param: &Param| {
            let values = self.values(self.local_type(param.local));
            u64::BITS - values.saturating_sub(1).leading_zeros()
        };
        let needed: u32 = params.iter().map(bits).sum();
        let own = params.iter().find(|it| it.member.is_some()).map_or(1, bits);
        let room = u32::from(MOVE_BITS);
        if needed <= room {
            return Ok(());
        }
        let over = (needed - room).div_ceil(own.max(1));
        let message = format!("so many do not fit into one move: {over} fewer would");
        let help = "let the seat choose them one after the other, in a `window` or a loop, or in two moves";
        Err(self.complain(codes::OUT_OF_RANGE, count, message, help))
    }

    /// What members are taken from: numbers are a set here, for each stands behind the one before.
    pub(super) fn as_set(&mut self, set: &ast::Expr) -> Checked<(Over, Type)> {
        let (over, element) = self.over(set)?;
        match over {
            Over::Span(low, high) => {
                let set = self.span_set(low, high, set.span)?;
                Ok((Over::Set(set), element))
            }
            over => Ok((over, element)),
        }
    }

    /// `3` or `0..5`, known before play.
    fn how_many(&mut self, count: &'a ast::Expr) -> Checked<(i64, i64)> {
        let (least, most) = match &count.kind {
            ast::ExprKind::Range { from, to } => {
                let (from, to) = self.range_ends(from, to)?;
                (self.known_number(&from), self.known_number(&to))
            }
            _ => {
                let value = self.typed(count, super::types::NUMBER)?;
                let value = self.known_number(&value);
                (value, value)
            }
        };
        let (Some(least), Some(most)) = (least, most) else {
            return Err(self.complain(
                codes::NOT_CONSTANT,
                count.span,
                "how many are taken must be known before play",
                "write a number, a setting or a range of these; what hangs on the position goes to a `require`",
            ));
        };
        if least < 0 || most < 1 || least > most || most > MOST_CHOSEN {
            return Err(self.complain(
                codes::OUT_OF_RANGE,
                count.span,
                format!("{least} to {most} cannot be taken together"),
                format!("write at least 1 and at most {MOST_CHOSEN}; more are chosen one after the other, in a `window` or a loop"),
            ));
        }
        Ok((least, most))
    }

    fn known_number(&mut self, value: &Expr) -> Option<i64> {
        let (said, errors) = (self.diagnostics.len(), self.errors);
        let Ok(known) = self.constant_or_error(value) else {
            // The caller says more.
            self.diagnostics.truncate(said);
            self.errors = errors;
            return None;
        };
        match known {
            Const::Scalar(value) => Some(value),
            Const::Set(_) => None,
        }
    }

    /// Whether a kind of component may exist more than once.
    fn has_copies(&self, component: DomainId) -> bool {
        let name = self.domain(component).map_or("", |it| it.name.as_str());
        let supplies = self
            .composed
            .items
            .iter()
            .filter_map(|it| match &it.item.kind {
                ItemKind::Supply(supply) if supply.component.text == name => Some(supply),
                _ => None,
            });
        let counts: Vec<bool> = supplies.map(|it| it.count.is_some()).collect();
        !matches!(counts.as_slice(), [] | [false])
    }

    /// The copies of each kind, as many as are taken together.
    fn copies_domain(&mut self, kinds: DomainId, most: i64, span: Span) -> Checked<DomainId> {
        let copy = bounds::number(0, most - 1);
        let (size, n) = (self.size(kinds), most.unsigned_abs());
        let name = self
            .domain(kinds)
            .map_or(String::new(), |it| it.name.clone());
        // Nobody names these: where one is bound to a name, that is its kind.
        let field = |ty: Type, size: u64, stride: u64| Field {
            name: String::new(),
            ty,
            size,
            stride,
            default: None,
            sign: None,
        };
        let fields = vec![
            field(Type::of(Base::Elem(kinds)), size, n),
            field(copy, n, 1),
        ];
        let id = DomainId(u32::try_from(self.game.domains.len()).unwrap_or(u32::MAX));
        self.game.domains.push(Domain {
            name,
            lo: 0,
            size: size.saturating_mul(n),
            kind: DomainKind::Record {
                fields,
                component: false,
            },
            show: Some(vec![ShowPart::Field(0)]),
            span,
        });
        self.copies.insert(id, kinds);
        self.domain_of(Type::of(Base::Elem(id)), span)
    }

    /// What members go by, as a set.
    fn members_of(&self, locals: &[LocalId], domain: DomainId, span: Span) -> Expr {
        let items = (0..locals.len()).filter_map(|at| self.one_of(locals, at, domain, span));
        Expr::set(ExprKind::SetOf(items.collect()), domain, span)
    }

    fn one_of(&self, locals: &[LocalId], at: usize, domain: DomainId, span: Span) -> Option<Expr> {
        let own = self.local(*locals.get(at)?, span);
        if !self.copies.contains_key(&domain) {
            return Some(own);
        }
        let most = i64::try_from(locals.len()).unwrap_or(1);
        let copy = bounds::number(0, most - 1);
        let binary = |op, left: Expr, right: Expr, ty| {
            Expr::new(ExprKind::binary(op, left, right), ty, span)
        };
        // They are in order, so alike ones stand side by side.
        let mut number_of = number(0, span);
        for before in locals.iter().take(at) {
            let same = binary(
                BinaryOp::Eq,
                self.local(*before, span),
                own.clone(),
                Type::BOOL,
            );
            let more = binary(BinaryOp::Add, number_of, number(1, span), copy);
            number_of = Expr::new(ExprKind::choice(same, more, number(0, span)), copy, span);
        }
        let optional = own.ty.optional;
        let there = own.clone().with_type(Type::of(own.ty.base));
        let made = Expr {
            kind: ExprKind::Make(domain, vec![there, number_of]),
            ty: Type::of(Base::Elem(domain)),
            span,
        };
        if !optional {
            return Some(made);
        }
        Some(if_there(own, made))
    }

    /// The names that an action's parameters go by, for these locals in their place.
    pub(super) fn inputs_of(&self, action: &Action, locals: &[LocalId]) -> Vec<(String, Binding)> {
        let mut inputs = Vec::new();
        let mut at = 0;
        while let Some(local) = locals.get(at) {
            let several = action.several.iter().find(|it| it.params.start == at);
            match several.and_then(|it| Some((it, locals.get(it.params.clone())?))) {
                Some((several, members)) => {
                    inputs.push((
                        several.name.clone(),
                        self.bound_members(members, several.domain),
                    ));
                    at = several.params.end;
                }
                None => {
                    let name = self.game.locals.get(local.index());
                    let name = name.map_or(String::new(), |it| it.name.clone());
                    inputs.push((name, Binding::Local(*local, false)));
                    at += 1;
                }
            }
        }
        inputs
    }

    pub(super) fn bound_members(&self, members: &[LocalId], domain: DomainId) -> Binding {
        let span = members
            .first()
            .and_then(|it| self.game.locals.get(it.index()));
        let span = span.map(|it| it.span).unwrap_or_default();
        Binding::Members {
            locals: members.to_vec(),
            value: self.members_of(members, domain, span),
        }
    }

    /// The members that an expression names, one by one.
    pub(super) fn members_named(&self, expr: &ast::Expr) -> Option<Vec<Expr>> {
        let ast::ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        let Some(Binding::Members { locals, .. }) = self.binding(&name.text) else {
            return None;
        };
        let members = locals.iter().map(|it| self.local(*it, expr.span));
        Some(members.collect())
    }

    /// The action whose body a procedure is.
    pub(super) fn action_of(&self, body: ProcId) -> Option<&Action> {
        self.game.actions.iter().find(|it| it.body == body)
    }

    /// Binds a name to what a variable holds: of a copy to its kind.
    pub(super) fn bind_element(&mut self, name: &Name, element: Type) -> LocalId {
        let Base::Elem(domain) = element.base else {
            return self.bind(name, element);
        };
        if !self.copies.contains_key(&domain) {
            return self.bind(name, element);
        }
        let local = self.fresh(&name.text, element, name.span);
        let kind = self.kind_of(self.local(local, name.span));
        self.bind_as(name, Binding::Alias(kind));
        local
    }

    /// A copy as its kind; anything else as it is.
    pub(super) fn kind_of(&self, value: Expr) -> Expr {
        let Base::Elem(domain) = value.ty.base else {
            return value;
        };
        let Some(kinds) = self.copies.get(&domain).copied() else {
            return value;
        };
        let (span, optional) = (value.span, value.ty.optional);
        let ty = Type {
            base: Base::Elem(kinds),
            optional,
        };
        if !optional {
            let kind = ExprKind::Field(Box::new(value), 0);
            return Expr { kind, ty, span };
        }
        let there = value.clone().with_type(Type::of(value.ty.base));
        let field = Expr {
            kind: ExprKind::Field(Box::new(there), 0),
            ty: Type::of(Base::Elem(kinds)),
            span,
        };
        if_there(value, field)
    }

    /// A set of copies as the set of their kinds; anything else as it is.
    pub(super) fn kinds_of(&mut self, set: Expr) -> Expr {
        let Base::Set(domain) = set.ty.base else {
            return set;
        };
        let Some(kinds) = self.copies.get(&domain).copied() else {
            return set;
        };
        let span = set.span;
        let local = self.fresh("it", Type::of(Base::Elem(domain)), span);
        let value = self.kind_of(self.local(local, span));
        let binder = Binder::over(local, set);
        let ty = Type::of(Base::Set(kinds));
        aggregate(AggregateOp::Collect, vec![binder], Some(value), ty, span)
    }

    /// The arguments for members that go by one name: `cards: { a, b }`. Members are in order, so more than two have to be
    /// known before play.
    pub(super) fn given_members(
        &mut self,
        locals: &[LocalId],
        given: &ast::Expr,
    ) -> Checked<Vec<Option<Expr>>> {
        let ast::ExprKind::Set(items) = &given.kind else {
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                given.span,
                "several are taken here",
                "list them in braces: `{ a, b }`",
            ));
        };
        let least = locals
            .iter()
            .filter(|it| !self.local_type(**it).optional)
            .count();
        if items.len() < least || items.len() > locals.len() {
            let message = match least == locals.len() {
                true => format!("{least} are taken here, not {}", items.len()),
                false => format!(
                    "{least} to {} are taken here, not {}",
                    locals.len(),
                    items.len()
                ),
            };
            return Err(self.error(codes::WRONG_ARGUMENTS, given.span, message));
        }
        let mut named = Vec::new();
        for (item, local) in items.iter().zip(locals) {
            let ty = Type::of(self.local_type(*local).base);
            named.push(self.typed(item, ty)?);
        }
        if let ([one, other], 2, 2) = (named.as_slice(), least, locals.len())
            && (self.known_number(one).is_none() || self.known_number(other).is_none())
        {
            let [first, last] = in_order(one, other);
            return Ok(vec![Some(first), Some(last)]);
        }
        let mut values = Vec::new();
        for (item, value) in items.iter().zip(named) {
            let Some(known) = self.known_number(&value) else {
                return Err(self.complain(
                    codes::NOT_CONSTANT,
                    item.span,
                    "what is taken must be known before play where it is named",
                    "leave the argument out, or name the members as they are declared",
                ));
            };
            values.push((known, value));
        }
        values.sort_by_key(|(known, _)| *known);
        let missing = locals.len() - values.len();
        let missing = locals.iter().take(missing).map(|local| Expr {
            kind: ExprKind::Value(NONE),
            ty: self.local_type(*local),
            span: given.span,
        });
        let missing: Vec<Expr> = missing.collect();
        let values = values.into_iter().map(|(_, value)| value);
        let values: Vec<Expr> = missing.into_iter().chain(values).collect();
        let fitted = values.into_iter().zip(locals).map(|(value, local)| {
            let ty = self.local_type(*local);
            Some(value.with_type(ty))
        });
        Ok(fitted.collect())
    }
}

/// Two values, the one that comes first in the order of their kind before the other.
fn in_order(one: &Expr, other: &Expr) -> [Expr; 2] {
    let number = |value: &Expr| Expr {
        kind: ExprKind::unary(UnaryOp::Ord, value.clone()),
        ty: bounds::number(0, INT.1),
        span: value.span,
    };
    let either = |one: &Expr, other: &Expr, is_first: &Expr| {
        one.with_kind(ExprKind::choice(
            is_first.clone(),
            one.clone(),
            other.clone(),
        ))
    };
    let is_first = Expr::truth(
        ExprKind::binary(BinaryOp::Le, number(one), number(other)),
        one.span,
    );
    [either(one, other, &is_first), either(other, one, &is_first)]
}

/// One value where another one is there, else none.
fn if_there(asked: Expr, value: Expr) -> Expr {
    let (span, ty) = (asked.span, value.ty.or_none());
    let is_there = Expr::truth(ExprKind::unary(UnaryOp::IsSome, asked), span);
    let none = Expr::new(ExprKind::Value(NONE), ty, span);
    Expr::new(ExprKind::choice(is_there, value, none), ty, span)
}
