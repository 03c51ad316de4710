//! What legal moves are called: as they are printed, and where two print alike, what tells them apart.

use crate::model::text::Form;
use std::collections::HashMap;

use super::super::machine::{Machine, Move};
use super::super::say::CandidateKind;
use super::super::text::print_value;
use super::letters;

/// What a move is called, by form.
pub(super) type Names = [String; Form::ALL.len()];

/// How often names are told apart that a rulebook could have made alike on purpose.
const MOST_ROUNDS: usize = 64;

impl Machine<'_> {
    /// What a legal move is called: no other legal move reads the same, in any form.
    pub fn name(&mut self, mv: Move, form: Form) -> String {
        let moves = self.moves.to_vec();
        // A text that only this move has is its name; nearly always it is.
        let own = self.forms_of(mv);
        self.program.pay_for_names(moves.len());
        let alike = |machine: &mut Self, other: &Move| {
            *other != mv
                && machine
                    .forms_of(*other)
                    .iter()
                    .any(|it| is_one_of(it, &own))
        };
        let is_own = form != Form::Spoken && !moves.iter().any(|other| alike(self, other));
        if is_own && !moves.is_empty() {
            return own.into_iter().nth(form as usize).unwrap_or_default();
        }
        let at = moves.iter().position(|it| *it == mv).unwrap_or(usize::MAX);
        self.names(form).into_iter().nth(at).unwrap_or_default()
    }

    /// What the legal moves are called, in their order.
    pub fn names(&mut self, form: Form) -> Vec<String> {
        let (_, names) = self.named();
        names
            .into_iter()
            .filter_map(|forms| forms.into_iter().nth(form as usize))
            .collect()
    }

    /// The legal moves as they are printed, and their names, both in all forms. Those that read alike get behind them what their text
    /// does not say, then their number in the list.
    pub(super) fn named(&mut self) -> (Vec<Names>, Vec<Names>) {
        let moves = self.moves.to_vec();
        self.program.pay_for_names(moves.len());
        let printed: Vec<Names> = moves.iter().map(|mv| self.forms_of(*mv)).collect();
        let mut names = printed.clone();
        // What nothing else prints is its own name; the others keep clear of it.
        let unclear = alike(&printed);
        for round in 0..MOST_ROUNDS {
            let mut left = alike(&names);
            left.retain(|at| unclear.binary_search(at).is_ok());
            if left.is_empty() {
                break;
            }
            for at in left {
                let behind = match round {
                    0 => moves.get(at).map(|mv| self.spoken(*mv)),
                    _ => Some(Form::ALL.map(|_| format!(" {}{}", "#".repeat(round), at + 1))),
                };
                if let (Some(name), Some(text), Some(behind)) =
                    (names.get_mut(at), printed.get(at), behind)
                {
                    let forms = text
                        .iter()
                        .zip(behind)
                        .map(|(text, it)| format!("{text}{it}"));
                    name.iter_mut().zip(forms).for_each(|(name, it)| *name = it);
                }
            }
        }
        // What is spoken alike is told by its sign.
        let spoken = Form::Spoken as usize;
        let mut heard: HashMap<String, usize> = HashMap::new();
        for forms in &names {
            *heard.entry(forms[spoken].clone()).or_default() += 1;
        }
        for forms in &mut names {
            if heard.get(&forms[spoken]).is_some_and(|it| *it > 1) {
                forms[spoken] = format!("{} ({})", forms[spoken], forms[Form::Plain as usize]);
            }
        }
        (printed, names)
    }

    fn forms_of(&mut self, mv: Move) -> Names {
        Form::ALL.map(|form| self.print(mv, form))
    }

    /// The parameters of a move with their names: ` (card 7, to b2)`.
    fn spoken(&self, mv: Move) -> Names {
        let Some(CandidateKind::Action(id, _)) = self.candidate(mv).map(|it| it.kind) else {
            return Names::default();
        };
        let locals = self.params_of(id).into_iter();
        let names = locals.map(|it| self.program.game.locals.get(it.index()));
        let args: Vec<_> = names.zip(self.args(mv)).collect();
        Form::ALL.map(|form| {
            let said = args.iter().map(|(local, (ty, value))| {
                let name = local.map_or("", |it| it.name.as_str());
                format!("{name} {}", print_value(self.ground(), *ty, *value, form))
            });
            match said.collect::<Vec<_>>().join(", ") {
                said if said.is_empty() => said,
                said => format!(" ({said})"),
            }
        })
    }
}

/// The forms in which no two moves read alike.
fn written(forms: &Names) -> impl Iterator<Item = &String> {
    forms.iter().take(Form::WRITTEN.len())
}

fn is_one_of(text: &str, forms: &Names) -> bool {
    written(forms).any(|it| letters(it).eq(letters(text)))
}

/// Which names another one could be taken for.
fn alike(names: &[Names]) -> Vec<usize> {
    let mut bearers: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, forms) in names.iter().enumerate() {
        for form in written(forms) {
            let bearers = bearers.entry(letters(form).collect()).or_default();
            if bearers.last() != Some(&at) {
                bearers.push(at);
            }
        }
    }
    let shared = bearers.into_values().filter(|it| it.len() > 1);
    let mut alike: Vec<usize> = shared.flatten().collect();
    alike.sort_unstable();
    alike.dedup();
    alike
}
