//! What is marked on the boards, in words: a mark is called as the definition that says where it stands.

use super::{Spoken, Thing, artist};
use crate::engine::{Fault, Machine, View};
use crate::model::text::spelt;
use crate::play::aspect::places_marked;

/// Places of a board that are marked.
pub(super) struct Marked {
    name: String,
    /// What the board is called.
    on: String,
    places: Vec<usize>,
}

/// What is marked for a viewer.
pub(super) fn marks(machine: &mut Machine<'_>, view: &View) -> Result<Vec<Marked>, Fault> {
    let game = &*machine.program().game;
    let mut marks = Vec::new();
    for mark in &game.marks {
        let on = |it: &&crate::model::Shown| it.what == mark.on && !it.label.is_empty();
        let Some(on) = game.shown.iter().find(on) else {
            continue;
        };
        let name = game.defines.get(mark.define.index());
        if let (Some(name), Some(places)) = (name, places_marked(machine, view, mark)?) {
            marks.push(Marked {
                name: spelt(&name.name),
                on: on.label.clone(),
                places,
            });
        }
    }
    Ok(marks)
}

impl Spoken<'_> {
    /// By what marks a place is told from others: `, exposed`.
    pub(super) fn marks_at(&self, thing: &Thing, place: usize) -> String {
        let marks = self.marks.iter().filter(|it| it.on == thing.name);
        let here = marks.filter(|it| it.places.contains(&place));
        here.map(|it| format!(", {}", it.name)).collect()
    }

    /// The places with a mark of the name, and what lies there: `exposed`.
    pub(super) fn marked(&self, name: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for mark in self
            .marks
            .iter()
            .filter(|it| it.name.to_lowercase() == name)
        {
            for thing in self.things.iter().filter(|it| it.name == mark.on) {
                let words: Vec<String> = mark
                    .places
                    .iter()
                    .map(|at| {
                        let cell = thing.cells.iter().find(|it| it.place == *at);
                        let what = cell.map_or("", |it| it.what.as_str());
                        let place = artist(self.game, self.form).index_name(&thing.index, *at);
                        format!("{place} {what}").trim_end().to_owned()
                    })
                    .collect();
                let words = match words.is_empty() {
                    true => String::from("nothing"),
                    false => words.join(", "),
                };
                lines.push(format!("{}, {}: {words}", thing.name, mark.name));
            }
        }
        lines
    }
}
