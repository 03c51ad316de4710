//! What is expected, held against the position that a ruling has come to.

use super::{Case, Judged, put};
use crate::engine::text::print;
use crate::engine::{Status, Viewer, write_expr, write_place};
use crate::model::text::{Form, name_of};
use crate::model::{
    Alike, BinaryOp, Expect, ExpectKind, Expr, ExprKind, LocalId, Place, Played, PlayedAlt,
    UnaryOp, Winners,
};

impl Case<'_> {
    pub(super) fn judge(&mut self, expect: &Expect) -> Judged {
        let mut judged = Judged {
            span: expect.span,
            holds: false,
            unfinished: false,
            named: !expect.under.is_empty(),
            at_home: expect.at_home,
            label: None,
            refused_by: Vec::new(),
            saw: None,
        };
        let was = std::mem::take(&mut self.unfinished);
        let status = self.machine.status();
        if let Err(message) = self.judge_kind(&expect.kind, &mut judged) {
            judged.holds = false;
            judged.unfinished = self.unfinished;
            judged.saw = Some(message);
        }
        // What one seat may do says nothing of who is to choose.
        if let Status::Choice { seat } = status
            && let Err(message) = self.asks(seat.into())
        {
            judged.holds = false;
            judged.saw = Some(message);
        }
        self.unfinished |= was;
        judged
    }

    fn judge_kind(&mut self, kind: &ExpectKind, judged: &mut Judged) -> Result<(), String> {
        match kind {
            ExpectKind::Legal(played) => {
                judged.holds = !self.fitting(played)?.is_empty();
                if !judged.holds {
                    self.note_refusals(played, judged);
                }
            }
            ExpectKind::Illegal(played, by) => {
                let legal = self.fitting(played)?;
                if let Some(first) = legal.first() {
                    judged.saw = Some(format!(
                        "`{}` is legal",
                        self.machine.print(*first, Form::Signs)
                    ));
                    return Ok(());
                }
                self.note_refusals(played, judged);
                judged.holds = true;
                if let Some(clause) = by {
                    let wanted = self.path(*clause);
                    let mut by = judged.refused_by.iter();
                    judged.holds = by.any(|it| self.path(*it) == wanted);
                    judged.label = Some(last_word(&wanted));
                    if judged.holds {
                        judged.saw = None;
                    }
                }
            }
            ExpectKind::Offers(who, alts, of) => {
                self.judge_offer(who, alts, of.as_ref(), judged)?;
            }
            ExpectKind::Holds(expr) => {
                judged.holds = self.value(expr)? != 0;
                if !judged.holds {
                    judged.saw = self.sides(expr);
                }
            }
            ExpectKind::Sees(who, looked, text) => self.judge_sight(who, looked, text, judged)?,
            ExpectKind::Told(who, text) => {
                let seat = self.value(who)?;
                self.judge_told(seat, text, judged);
            }
            ExpectKind::Won(wanted) => self.judge_winners(wanted, judged)?,
            ExpectKind::Ended(by) => {
                let ended = self.machine.outcome().map(|outcome| outcome.ending);
                judged.holds = ended.is_some() && by.is_none_or(|by| ended == Some(by));
                judged.saw = ended
                    .and_then(|id| self.game.procs.get(id.index()))
                    .map(|ending| format!("the game ended by `{}`", ending.name))
                    .or_else(|| Some(String::from("the game goes on")))
                    .filter(|_| !judged.holds);
            }
        }
        Ok(())
    }

    /// Who is first, as the table says it: `none` is a draw, `{}` a loss of all.
    fn judge_winners(&mut self, wanted: &Winners, judged: &mut Judged) -> Result<(), String> {
        let Some(outcome) = self.machine.outcome() else {
            judged.saw = Some(String::from("the game goes on"));
            return Ok(());
        };
        let (alike, first, n_places) = (outcome.alike, outcome.first(), outcome.places.len());
        let (wanted, is_set) = match wanted {
            Winners::One(seat) => {
                let seat = u32::try_from(self.value(seat)?);
                (seat.into_iter().collect(), false)
            }
            Winners::Together(it, among) => (self.seats_where(*it, among)?, true),
        };
        // Who plays alone and has not won has lost.
        let nobody = match alike {
            Some(Alike::NobodyWins) => is_set || n_places == 1,
            _ => !is_set,
        };
        judged.holds = first == wanted && (nobody || !wanted.is_empty());
        if !judged.holds {
            let domain = self.game.domains.get(self.game.seat.index());
            let names = first
                .iter()
                .map(|it| domain.map_or_else(String::new, |of| name_of(of, (*it).into())));
            let names: Vec<String> = names.collect();
            judged.saw = Some(match names.as_slice() {
                [] if alike == Some(Alike::Draw) => String::from("it is a draw"),
                [] => String::from("all lose"),
                [one] => format!("{one} wins"),
                _ => format!("{} are first", names.join(", ")),
            });
        }
        Ok(())
    }

    fn seats_where(&mut self, it: LocalId, among: &Expr) -> Result<Vec<u32>, String> {
        let mut all = Vec::new();
        for seat in 0..self.game.n_seats {
            let mut among = among.clone();
            put(&mut among, it, seat.into());
            if self.value(&among)? != 0 {
                all.push(seat);
            }
        }
        Ok(all)
    }

    fn judge_offer(
        &mut self,
        who: &Expr,
        alts: &[PlayedAlt],
        of: Option<&PlayedAlt>,
        judged: &mut Judged,
    ) -> Result<(), String> {
        let wanted = self.value(who)?;
        let mut missing = !self.asks(wanted)?;
        let mut offered = match of {
            Some(of) => self.instances(wanted, of)?,
            None => self.machine.moves().to_vec(),
        };
        let all = offered.clone();
        for alt in alts {
            let fitting = self.instances(wanted, alt)?;
            missing |= fitting.is_empty();
            offered.retain(|it| !fitting.contains(it));
        }
        judged.holds = !missing && offered.is_empty();
        if !judged.holds {
            let printed: Vec<String> = all
                .iter()
                .take(20)
                .map(|it| self.machine.print(*it, Form::Signs))
                .collect();
            judged.saw = Some(match self.machine.status() {
                Status::Ended => String::from("the game is over"),
                Status::Choice { .. } if printed.is_empty() => String::from("none is offered"),
                Status::Choice { .. } => format!("offered: {}", printed.join(", ")),
            });
        }
        Ok(())
    }

    /// What was there where something does not hold: the values of the two sides of a comparison, or what lies in the place
    /// that a drawing was held against. Of several that must all hold, the first that does not.
    fn sides(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let is_left = self.value(left).ok()? == 0;
                return self.sides(if is_left { left } else { right });
            }
            ExprKind::Binary(BinaryOp::Or, ..) => return None,
            _ => {}
        }
        if let Some(place) = looked_into(expr) {
            let lies = self.seen_at(Viewer::Referee, place).ok()?;
            let [lies, _] = lies;
            let lies = if lies.is_empty() { "nothing" } else { &lies };
            return Some(format!("in {}: {lies}", write_place(self.game, place)));
        }
        let ExprKind::Binary(_, left, right) = &expr.kind else {
            return None;
        };
        let mut seen = Vec::new();
        for side in [left, right] {
            if matches!(side.kind, ExprKind::Value(_)) {
                continue;
            }
            let value = self.machine.evaluate(&self.seated(side)).ok()?;
            let printed = print(self.machine.ground(), side.ty, &value, Form::Signs);
            seen.push(format!("{} = {printed}", write_expr(self.game, side)));
        }
        (!seen.is_empty()).then(|| seen.join(", "))
    }

    fn note_refusals(&mut self, played: &Played, judged: &mut Judged) {
        judged.refused_by = self.refusals(played);
        let paths = judged.refused_by.iter().map(|it| self.path(*it));
        let paths: Vec<String> = paths.collect();
        judged.label = paths.first().map(|path| last_word(path));
        judged.saw = Some(match paths.as_slice() {
            [] => String::from("no rule offers it"),
            paths => format!("refused by {}", paths.join(", ")),
        });
    }
}

/// The place whose contents an expression holds against a drawing, or asks for. What a drawing stands for has its span.
fn looked_into(expr: &Expr) -> Option<&Place> {
    match &expr.kind {
        ExprKind::Filled(place) => Some(place),
        ExprKind::Unary(UnaryOp::Not, of) => looked_into(of),
        ExprKind::Binary(BinaryOp::And, first, _) if first.span == expr.span => looked_into(first),
        ExprKind::Binary(_, side, _) if side.span == expr.span => match &side.kind {
            ExprKind::Component(place) | ExprKind::Count(place) | ExprKind::CountOf(place, _) => {
                Some(place)
            }
            _ => None,
        },
        _ => None,
    }
}

fn last_word(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).to_owned()
}
