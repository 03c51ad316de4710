//! What a seat sees and is told, held against what a ruling says.

use super::{Case, Judged};
use crate::engine::text::print;
use crate::engine::{Move, PlayError, Viewer};
use crate::model::text::Form;
use crate::model::{Expr, Looked, Place};
use crate::play::board::{self, UNSEEN};
use crate::play::news::Announced;

/// As rulings may write it.
const FORMS: [Form; 2] = Form::WRITTEN;

impl Case<'_> {
    /// Plays a move, and notes if asked to what each seat is told of it.
    pub(super) fn play(&mut self, chosen: Move, listen: bool) -> Result<(), PlayError> {
        if !listen {
            // What it sees now a seat may know later.
            return self
                .machine
                .play_watched(chosen, &mut self.dice)
                .map(|_| ());
        }
        let machine = &mut self.machine;
        let mut all = Vec::new();
        for seat in 0..self.game.n_seats {
            all.push(FORMS.map(|form| Announced::before(machine, chosen, seat, form)));
        }
        let played = machine.play_watched(chosen, &mut self.dice);
        let heard = machine.heard().to_vec();
        let (_, events) = played?;
        let told = all.into_iter();
        self.told = told
            .map(|forms| forms.map(|it| it.after(machine, &events, &heard)))
            .collect();
        Ok(())
    }

    /// Judges what a seat was told of the last choice.
    pub(super) fn judge_told(&self, seat: i64, text: &str, judged: &mut Judged) {
        let told = usize::try_from(seat).ok().and_then(|it| self.told.get(it));
        judge(told.into_iter().flatten(), "it was told", text, judged);
    }

    /// Judges what a seat is shown of a place or a value.
    pub(super) fn judge_sight(
        &mut self,
        who: &Expr,
        looked: &Looked,
        text: &str,
        judged: &mut Judged,
    ) -> Result<(), String> {
        let viewer = Viewer::Seat(u32::try_from(self.value(who)?).unwrap_or(u32::MAX));
        let seen = match looked {
            Looked::Place(place) => self.seen_at(viewer, place)?,
            Looked::Value(expr) => {
                let value = self.machine.evaluate_for(viewer, expr);
                let value = value.map_err(|fault| self.unanswered(&fault))?;
                FORMS.map(|form| match &value {
                    Some(value) => print(self.machine.ground(), expr.ty, value, form),
                    None => UNSEEN.to_owned(),
                })
            }
        };
        judge(seen.iter(), "it sees", text, judged);
        Ok(())
    }

    pub(super) fn seen_at(&mut self, viewer: Viewer, place: &Place) -> Result<[String; 2], String> {
        let zone = self.game.zones.get(place.zone.index());
        let domains = zone.map_or(&[][..], |it| it.index.as_slice());
        let mut index = Vec::new();
        for (expr, domain) in place.index.iter().zip(domains) {
            let value = self.value(expr)?;
            let domain = self.game.domains.get(domain.index());
            let (lo, size) = domain.map_or((0, 0), |it| (it.lo, it.size));
            let at = value
                .checked_sub(lo)
                .and_then(|at| usize::try_from(at).ok());
            match at.filter(|at| (*at as u64) < size) {
                Some(at) => index.push(at),
                None => return Err(String::from("there is no such place")),
            }
        }
        let view = self.machine.view(viewer);
        Ok(FORMS.map(|form| board::seen_at(self.game, &view, place.zone, &index, form)))
    }
}

/// Holds what is seen or told, in any of its forms, against what is expected.
fn judge<'a>(
    mut forms: impl Iterator<Item = &'a String> + Clone,
    verb: &str,
    text: &str,
    judged: &mut Judged,
) {
    judged.holds = forms.clone().any(|it| it == text);
    if !judged.holds {
        judged.saw = Some(match forms.next().map(String::as_str) {
            None | Some("") => format!("{verb} nothing"),
            Some(words) => format!("{verb} \"{words}\""),
        });
    }
}
