//! What legal moves are called: as they are printed, and where two print alike, what tells them apart.

use std::collections::HashMap;

use super::super::machine::{Machine, Move};
use super::super::say::CandidateKind;
use super::super::text::print_value;
use super::letters;

/// What a move is called: with symbols, and plain.
type Forms = [String; 2];

/// How often names are told apart that a rulebook could have made alike on purpose.
const MOST_ROUNDS: usize = 64;

impl Machine<'_> {
    /// What a legal move is called: no other legal move reads the same, in either form.
    pub fn name(&mut self, mv: Move, plain: bool) -> String {
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
        if !moves.iter().any(|other| alike(self, other)) && !moves.is_empty() {
            return own.into_iter().nth(usize::from(plain)).unwrap_or_default();
        }
        let at = moves.iter().position(|it| *it == mv).unwrap_or(usize::MAX);
        self.names(plain).into_iter().nth(at).unwrap_or_default()
    }

    /// What the legal moves are called, in their order.
    pub fn names(&mut self, plain: bool) -> Vec<String> {
        let (_, names) = self.named();
        names
            .into_iter()
            .filter_map(|forms| forms.into_iter().nth(usize::from(plain)))
            .collect()
    }

    /// The legal moves as they are printed, and their names, both in both forms. Those that read alike get behind them what their text
    /// does not say, then their number in the list.
    pub(super) fn named(&mut self) -> (Vec<Forms>, Vec<Forms>) {
        let moves = self.moves.to_vec();
        self.program.pay_for_names(moves.len());
        let printed: Vec<Forms> = moves.iter().map(|mv| self.forms_of(*mv)).collect();
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
                    _ => Some([true, true].map(|_| format!(" {}{}", "#".repeat(round), at + 1))),
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
        (printed, names)
    }

    fn forms_of(&mut self, mv: Move) -> Forms {
        [false, true].map(|plain| self.print(mv, plain))
    }

    /// The parameters of a move with their names: ` (card 7, to b2)`.
    fn spoken(&self, mv: Move) -> Forms {
        let Some(CandidateKind::Action(id, _)) = self.candidate(mv).map(|it| it.kind) else {
            return [String::new(), String::new()];
        };
        let locals = self.params_of(id).into_iter();
        let names = locals.map(|it| self.program.game.locals.get(it.index()));
        let args: Vec<_> = names.zip(self.args(mv)).collect();
        [false, true].map(|plain| {
            let said = args.iter().map(|(local, (ty, value))| {
                let name = local.map_or("", |it| it.name.as_str());
                format!("{name} {}", print_value(self.ground(), *ty, *value, plain))
            });
            match said.collect::<Vec<_>>().join(", ") {
                said if said.is_empty() => said,
                said => format!(" ({said})"),
            }
        })
    }
}

fn is_one_of(text: &str, forms: &Forms) -> bool {
    forms.iter().any(|it| letters(it).eq(letters(text)))
}

/// Which names another one could be taken for.
fn alike(names: &[Forms]) -> Vec<usize> {
    let mut bearers: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, forms) in names.iter().enumerate() {
        for form in forms {
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
