//! `expect offers …`: what is offered to a seat.

use crate::check::operator::present;
use crate::check::scope::Binding;
use crate::check::signs::{Drawn, is_drawn};
use crate::check::{Checked, Checker, Entity};
use crate::diagnostic::codes;
use crate::limits::MOST_NAMED;
use crate::model::{Base, ExpectKind, PlayedAlt};
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn offered(
        &mut self,
        who: &ast::Expr,
        exactly: &[ast::Alternative],
        of_one: bool,
    ) -> Checked<ExpectKind> {
        let who = self.seat_of(who);
        let mut alts = Vec::new();
        let mut failed = None;
        for alternative in exactly {
            match self.each_drawn(alternative) {
                Ok(all) => alts.extend(all.iter().map(|it| self.played_alt(it))),
                Err(reported) => failed = Some(reported),
            }
        }
        let alts: Checked<Vec<PlayedAlt>> = alts.into_iter().collect();
        if let Some(reported) = failed {
            return Err(reported);
        }
        let whole = match exactly {
            [one] if of_one => {
                let bare = ast::Alternative {
                    args: Vec::new(),
                    ..one.clone()
                };
                Some(self.played_alt(&bare)?)
            }
            _ => None,
        };
        Ok(ExpectKind::Offers(present(who?), alts?, whole))
    }

    /// `match(at: "a1 b1")` as one alternative for each sign that is drawn.
    fn each_drawn(&mut self, alternative: &ast::Alternative) -> Checked<Vec<ast::Alternative>> {
        let mut all = vec![alternative.clone()];
        let Some(Ok(Entity::Action(id))) = self.named(alternative.name.as_str()) else {
            return Ok(all);
        };
        let Some(action) = self.game.actions.get(id.index()) else {
            return Ok(all);
        };
        let locals: Vec<_> = action.params.iter().map(|it| it.local).collect();
        let inputs = self.inputs_of(action, &locals);
        for (at, arg) in alternative.args.iter().enumerate() {
            let input = match &arg.name {
                Some(name) => inputs.iter().find(|(it, _)| *it == name.text),
                None => inputs.get(at),
            };
            let Some((_, Binding::Local(local, _))) = input else {
                continue;
            };
            let Base::Elem(domain) = self.local_type(*local).base else {
                continue;
            };
            if !is_drawn(&arg.value) {
                continue;
            }
            let ink = self.ink(&arg.value)?;
            let pieces = self.read_pieces(&ink, 0, domain)?;
            if pieces.len() < 2 || pieces.iter().any(|it| !matches!(it.0, Drawn::Kind(_, 1))) {
                continue;
            }
            if all.len() * pieces.len() > MOST_NAMED {
                let message = "so many moves are named in no line";
                let help = "name some of them with `expect legal`";
                return Err(self.complain(codes::OUT_OF_RANGE, alternative.span, message, help));
            }
            let single = |of: &ast::Alternative, range: std::ops::Range<usize>, span| {
                let mut one = of.clone();
                if let Some(arg) = one.args.get_mut(at) {
                    let text = ink.text.get(range).unwrap_or("").to_owned();
                    arg.value.kind = ast::ExprKind::Text(ast::Template {
                        parts: vec![ast::TemplatePart::Text(text)],
                        span,
                    });
                    arg.value.span = span;
                }
                one
            };
            let ranges = self.ranges_of(&ink, domain)?;
            all = all
                .iter()
                .flat_map(|of| {
                    let pieces = ranges.iter().zip(&pieces);
                    pieces.map(|(range, (_, span))| single(of, range.clone(), *span))
                })
                .collect();
        }
        Ok(all)
    }
}
