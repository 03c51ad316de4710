//! The cases of a `by`.

use rustc_hash::FxHashMap as HashMap;

use crate::diagnostic::{Diagnostic, codes};
use crate::limits::MOST_CASES;
use crate::model::{Base, BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::source::Span;
use crate::syntax::ast::{self, Arm, ArmHead, NumberHead};

use super::Heads;
use crate::check::drawn::{both, compare};
use crate::check::holders::number;
use crate::check::types::NUMBER;
use crate::check::{Checked, Checker, Reported};

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn by_value(
        &mut self,
        subject: &ast::Expr,
        arms: &[Arm<ast::Expr>],
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let subject = self.value(subject, None)?;
        let heads = self.heads(&subject, arms, span)?;
        let chosen = self.pick(&subject, &heads);
        let mut values = Vec::new();
        let mut ty: Option<Type> = None;
        let mut failed = false;
        for arm in arms {
            match self.value(&arm.body, want.or(ty)) {
                Ok(value) => {
                    let joined = match ty {
                        None => Some(value.ty),
                        Some(ty) => self.union_of(ty, value.ty, arm.body.span),
                    };
                    match joined {
                        Some(joined) => ty = Some(joined),
                        None => {
                            let one = self.type_name(ty.unwrap_or(NUMBER));
                            let other = self.type_name(value.ty);
                            let message = format!("this case is {other}, another one {one}");
                            self.error(codes::WRONG_TYPE, arm.body.span, message);
                            failed = true;
                        }
                    }
                    values.push(value);
                }
                Err(Reported) => failed = true,
            }
        }
        let (false, Some(ty)) = (failed, ty) else {
            return Err(Reported);
        };
        if let Some(chosen) = chosen {
            let value = values.into_iter().nth(chosen).ok_or(Reported)?;
            return self.fit(value, ty);
        }
        if let Base::Int(..) = subject.ty.base {
            let values: Checked<Vec<Expr>> =
                values.into_iter().map(|it| self.fit(it, ty)).collect();
            return Ok(self.by_numbers(subject, arms, values?, ty, span));
        }
        let mut cases = Vec::new();
        let mut other = None;
        for (heads, value) in heads.into_iter().zip(values) {
            let value = self.fit(value, ty)?;
            match heads {
                Some(heads) => cases.push((heads, value)),
                None => other = Some(Box::new(value)),
            }
        }
        let kind = ExprKind::Match(Box::new(subject), cases, other);
        Ok(Expr { kind, ty, span })
    }

    /// Returns which arm a subject takes that is known before play.
    pub(in crate::check) fn chosen_arm<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
    ) -> Checked<Option<usize>> {
        let heads = self.heads(subject, arms, subject.span)?;
        match self.pick(subject, &heads) {
            Some(at) => Ok(Some(at)),
            None => Err(self.complain(
                codes::NOT_CONSTANT,
                subject.span,
                "this must be known before play",
                "choose by an option",
            )),
        }
    }

    pub(in crate::check) fn pick(&self, subject: &Expr, heads: &[Heads]) -> Option<usize> {
        let crate::check::constant::Const::Scalar(value) = self.constant(subject)? else {
            return None;
        };
        heads.iter().position(|heads| match heads {
            Some(heads) => heads.contains(&value),
            None => true,
        })
    }

    /// Resolves the cases of a `by`; reports missing and repeated ones.
    pub(in crate::check) fn heads<T>(
        &mut self,
        subject: &Expr,
        arms: &[Arm<T>],
        span: Span,
    ) -> Checked<Vec<Heads>> {
        let domain = match subject.ty.base {
            Base::Elem(domain) => domain,
            Base::Int(low, high) => return self.number_heads(subject, (low, high), arms, span),
            _ => {
                let of = self.type_name(subject.ty);
                return Err(self.complain(
                    codes::WRONG_TYPE,
                    subject.span,
                    format!("`by` cannot choose by {of}"),
                    "use `if`, or choose by an enum or a number",
                ));
            }
        };
        let names = self.value_names(domain);
        let mut heads = Vec::new();
        let mut seen: HashMap<i64, Span> = HashMap::default();
        let mut otherwise = false;
        let mut failed = false;
        for arm in arms {
            match &arm.head {
                ArmHead::Else => {
                    otherwise = true;
                    heads.push(None);
                }
                ArmHead::Numbers(numbers) => {
                    let name = self.domain(domain).map_or("", |it| it.name.as_str());
                    let message = format!("`{name}` has no numbers");
                    let at = numbers.first().map_or(arm.span, |it| it.span());
                    let help = format!("its values are {}", crate::check::scope::listed(&names));
                    self.complain(codes::NO_SUCH_VALUE, at, message, help);
                    failed = true;
                }
                ArmHead::Names(words) => {
                    let mut values = Vec::new();
                    for word in words {
                        let Some(value) = self.value_of(domain, word.as_str()) else {
                            let name = self.domain(domain).map_or("", |it| it.name.as_str());
                            let message = format!("`{name}` has no value `{word}`");
                            self.not_among(codes::NO_SUCH_VALUE, word, message, &names);
                            failed = true;
                            continue;
                        };
                        self.note_inside(word, domain);
                        if let Some(earlier) = seen.get(&value) {
                            let message = format!("`{word}` has two cases");
                            let diagnostic = Diagnostic::new(codes::REPEATED_CASE, message)
                                .label(word.span, "here")
                                .label(*earlier, "and here");
                            self.report(diagnostic);
                            failed = true;
                        }
                        seen.insert(value, word.span);
                        values.push(value);
                    }
                    heads.push(Some(values));
                }
            }
        }
        if failed {
            return Err(Reported);
        }
        let is_missing = |at: usize| i64::try_from(at).is_ok_and(|at| !seen.contains_key(&at));
        let missing: Vec<String> = (0..names.len())
            .filter(|at| is_missing(*at))
            .filter_map(|at| names.get(at).cloned())
            .collect();
        if !otherwise && !missing.is_empty() {
            let list = crate::check::scope::listed(&missing);
            return Err(self.report(
                Diagnostic::at(
                    codes::MISSING_CASE,
                    span,
                    format!("`by` has no case for {list}"),
                )
                .label(subject.span, "")
                .help("add the case, or an `else`"),
            ));
        }
        Ok(heads)
    }

    /// The same where it goes by a number: each number once, and all of them where there is no `else`.
    fn number_heads<T>(
        &mut self,
        subject: &Expr,
        (low, high): (i64, i64),
        arms: &[Arm<T>],
        span: Span,
    ) -> Checked<Vec<Heads>> {
        let mut heads = Vec::new();
        let mut seen: HashMap<i64, Span> = HashMap::default();
        let (mut otherwise, mut failed) = (false, false);
        for arm in arms {
            let ArmHead::Numbers(numbers) = &arm.head else {
                if let ArmHead::Names(names) = &arm.head
                    && let Some(name) = names.first()
                {
                    let message = format!("`{name}` is no number");
                    let help = "write numbers: `by n { 0 => …  1..3, 5 => …  else => … }`";
                    self.complain(codes::NO_SUCH_VALUE, name.span, message, help);
                    failed = true;
                }
                otherwise |= matches!(arm.head, ArmHead::Else);
                heads.push(None);
                continue;
            };
            let mut values = Vec::new();
            for one in numbers {
                let (least, most) = one.bounds();
                if most < least {
                    let message = format!("from {least} to {most} there is nothing");
                    let help = "the smaller number stands first";
                    self.complain(codes::OUT_OF_RANGE, one.span(), message, help);
                    failed = true;
                }
                if most - least >= MOST_CASES
                    || i64::try_from(values.len()).is_ok_and(|it| it >= MOST_CASES)
                {
                    let message = format!("these are more than {MOST_CASES} numbers");
                    let help = "ask for many numbers by `if n >= 9 then … else …`, or leave them to `else`";
                    return Err(self.complain(codes::TOO_MANY_ELEMENTS, one.span(), message, help));
                }
                for value in least..=most {
                    if let Some(earlier) = seen.insert(value, one.span()) {
                        let message = format!("{value} has two cases");
                        let diagnostic = Diagnostic::new(codes::REPEATED_CASE, message)
                            .label(one.span(), "here")
                            .label(earlier, "and here");
                        self.report(diagnostic);
                        failed = true;
                        break;
                    }
                    values.push(value);
                }
            }
            heads.push(Some(values));
        }
        if failed {
            return Err(Reported);
        }
        let missing = match high.checked_sub(low) {
            _ if otherwise => None,
            _ if subject.ty.optional => Some("what is missing".to_owned()),
            Some(n) if n < MOST_CASES => {
                let first = (low..=high).find(|it| !seen.contains_key(it));
                first.map(|first| first.to_string())
            }
            _ => Some("all other numbers".to_owned()),
        };
        if let Some(missing) = missing {
            let message = format!("`by` has no case for {missing}");
            return Err(self.report(
                Diagnostic::at(codes::MISSING_CASE, span, message)
                    .label(subject.span, "")
                    .help("add the case, or an `else`"),
            ));
        }
        Ok(heads)
    }

    /// Whether a number is one of those before a case.
    pub(in crate::check) fn is_among(&self, subject: &Expr, numbers: &[NumberHead]) -> Expr {
        let either = |one: Expr, other: Expr| {
            let span = one.span.to(other.span);
            Expr::truth(ExprKind::binary(BinaryOp::Or, one, other), span)
        };
        let one = |it: &NumberHead| {
            let ((least, most), span) = (it.bounds(), it.span());
            if least == most {
                return compare(BinaryOp::Eq, subject.clone(), number(least, span), span);
            }
            let low = compare(BinaryOp::Le, number(least, span), subject.clone(), span);
            let high = compare(BinaryOp::Le, subject.clone(), number(most, span), span);
            both(low, high, span)
        };
        let all = numbers.iter().map(one).reduce(either);
        all.unwrap_or_else(|| number(0, subject.span))
    }

    /// `by` a number is asked case by case.
    fn by_numbers(
        &mut self,
        subject: Expr,
        arms: &[Arm<ast::Expr>],
        values: Vec<Expr>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let local = self.fresh("it", subject.ty, subject.span);
        let it = self.local(local, subject.span);
        let mut cases: Vec<(&ArmHead, Expr)> = Vec::new();
        let mut rest = None;
        for (arm, value) in arms.iter().zip(values) {
            match &arm.head {
                ArmHead::Else => rest = Some(value),
                head => cases.push((head, value)),
            }
        }
        // Where nothing else is left, the last case needs no question.
        let rest = rest.or_else(|| cases.pop().map(|it| it.1));
        let Some(mut whole) = rest else {
            return subject;
        };
        let missing = subject.ty.optional.then(|| whole.clone());
        let decide = |cond: Expr, then: Expr, other: Expr| {
            Expr::new(ExprKind::choice(cond, then, other), ty, span)
        };
        for (head, value) in cases.into_iter().rev() {
            if let ArmHead::Numbers(numbers) = head {
                whole = decide(self.is_among(&it, numbers), value, whole);
            }
        }
        if let Some(missing) = missing {
            let is_there = Expr::truth(ExprKind::unary(UnaryOp::IsSome, it), subject.span);
            whole = decide(is_there, whole, missing);
        }
        Expr {
            kind: ExprKind::Let(local, Box::new(subject), Box::new(whole)),
            ty,
            span,
        }
    }
}
