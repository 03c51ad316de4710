//! Says that a value is not one of those that a parameter may take.

use super::super::face::{Piece, place_of};
use super::super::machine::Machine;
use super::super::text::{self, Ground, print_value};
use super::super::view::Viewer;
use super::super::words::{write_expr, write_place};
use super::print_seat;
use crate::model::text::{Form, spelt};
use crate::model::{ActionId, Base, Game, Over, Param, ShownWhat, Type, ZoneId};

/// Words that a label may begin with so that none of these can stand before it.
const ARTICLES: [&str; 3] = ["the", "a", "an"];
/// A label that begins so says where something lies, and does not name the place.
const WHEREABOUTS: [&str; 6] = ["in", "on", "at", "under", "off", "out"];

impl Machine<'_> {
    /// What a person calls the place that a parameter's values lie at: `your hand`, `the hand of north`. None where they
    /// lie at no place, or it hangs on what the viewer does not see.
    pub(super) fn place_in_words(
        &mut self,
        viewer: Viewer,
        id: ActionId,
        at: usize,
        inputs: &[Option<i64>],
        form: Form,
    ) -> Option<String> {
        let program = self.program;
        let game = &*program.game;
        let action = game.actions.get(id.index())?;
        let place = place_of(&action.params.get(at)?.over)?;
        let known = self.known_to(&[viewer], action, inputs);
        let label = label_of(self, place.zone)?;
        let (mut owner, mut words) = (None, Vec::new());
        for (nth, piece) in program.face(id)?.params.get(at)?.index.iter().enumerate() {
            let (ty, value) = match piece {
                Piece::Text(_) => continue,
                Piece::Input(input, ty) => {
                    let value = inputs.get(*input).copied().flatten()?;
                    (*ty, super::Value::Scalar(value))
                }
                Piece::Hole(section, expr) => {
                    let value = self.seen_value(id, *section, expr, inputs, &known, &[viewer])?;
                    (expr.ty, value)
                }
            };
            if nth == 0 && ty.base == Base::Elem(game.seat) {
                owner = u32::try_from(value.scalar()).ok();
                continue;
            }
            words.push(text::print(self.ground(), ty, &value, form));
        }
        words.insert(0, label);
        let words = words.join(" ");
        let first = words.split(' ').next().unwrap_or("").to_lowercase();
        let has_article = ARTICLES.contains(&first.as_str());
        Some(match owner {
            Some(seat) if viewer == Viewer::Seat(seat) => format!("your {words}"),
            _ => {
                let the = if has_article { "" } else { "the " };
                let of = owner.map(|it| format!(" of {}", print_seat(game, it, form)));
                format!("{the}{words}{}", of.unwrap_or_default())
            }
        })
    }
}

/// What a zone is called on the table.
fn label_of(machine: &Machine<'_>, zone: ZoneId) -> Option<String> {
    let game = &*machine.program.game;
    let shown = game.shown.iter();
    let labels = shown.filter(|it| it.what == ShownWhat::Zone(zone));
    let is_name = |it: &&str| {
        let first = it.split(' ').next().unwrap_or("");
        !it.is_empty() && !WHEREABOUTS.contains(&first.to_lowercase().as_str())
    };
    let label = labels.map(|it| it.label.as_str()).find(is_name);
    let name = || {
        let zone = game.zones.get(zone.index());
        zone.map(|it| spelt(&it.name))
    };
    label.map(str::to_owned).or_else(name)
}

/// Says that a value is not one of those that a parameter may take; with what the place is called that they lie at.
pub(super) fn not_among(
    (game, ground): (&Game, Ground<'_>),
    param: &Param,
    (value, place): (i64, Option<String>),
    form: Form,
) -> String {
    let local = game.locals.get(param.local.index());
    let ty = local.map_or(Type::UNIT, |it| it.ty);
    let printed = print_value(ground, ty, value, form);
    let over = place.unwrap_or_else(|| match &param.over {
        Over::Set(set) => write_expr(game, set),
        Over::Zone(place) => write_place(game, place),
        Over::Span(from, to) => format!("{}..{}", write_expr(game, from), write_expr(game, to)),
    });
    match (&param.member, &param.over) {
        (Some(member), Over::Zone(_)) if member.before > 0 => {
            format!("{printed} does not lie so often in {over}")
        }
        (Some(member), _) if member.before > 0 => {
            format!("{printed} is not in {over} in this order")
        }
        _ => format!("{printed} is not in {over}"),
    }
}
