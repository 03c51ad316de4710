//! Whether what is chosen shows at which choice of the rules somebody was asked.

use std::ptr;

use rustc_hash::FxHashSet as HashSet;

use super::facts::Facts;
use crate::model::{Alt, AltKind, Game, StmtKind, TemplatePart, each_statement};

/// So many alternatives are compared.
const MOST_LOOKS: usize = 512;

/// So many letters of one are compared.
const MOST_LETTERS: usize = 80;

/// How an alternative looks: its letters, and holes that may be anything.
#[derive(Debug)]
struct Look<'g> {
    alt: &'g Alt,
    /// Which choice of the rules it stands at.
    choice: usize,
    letters: Vec<Option<char>>,
}

/// The alternatives by which whoever sees one chosen knows at which choice that was: nothing that can look alike is
/// offered at another one.
pub(super) fn telling(game: &Game) -> HashSet<*const Alt> {
    let all = looks(game);
    if all.len() > MOST_LOOKS {
        return HashSet::default();
    }
    let is_telling = |one: &&Look<'_>| {
        all.iter().all(|other| {
            one.choice == other.choice || !may_look_alike(&one.letters, &other.letters)
        })
    };
    all.iter()
        .filter(is_telling)
        .map(|it| ptr::from_ref(it.alt))
        .collect()
}

impl Facts {
    /// Whether it shows at which choice of the rules somebody was asked, whatever is chosen.
    pub(super) fn shows_itself(&self, alts: &[&Alt]) -> bool {
        alts.iter()
            .all(|it| self.telling.contains(&ptr::from_ref(*it)))
    }
}

fn looks(game: &Game) -> Vec<Look<'_>> {
    let mut all = Vec::new();
    let mut choice = 0;
    for proc in &game.procs {
        each_statement(&proc.body, &mut |stmt| {
            let alts: Vec<&Alt> = match &stmt.kind {
                StmtKind::Choose(choose) => choose.alts.iter().collect(),
                StmtKind::Window(it) => it.slots.iter().flat_map(|it| &it.alts).collect(),
                _ => return,
            };
            choice += 1;
            all.extend(alts.into_iter().map(|alt| Look {
                alt,
                choice,
                letters: letters(game, alt),
            }));
        });
    }
    all
}

fn letters(game: &Game, alt: &Alt) -> Vec<Option<char>> {
    let mut letters: Vec<Option<char>> = Vec::new();
    match &alt.kind {
        AltKind::Inline { text, .. } => letters.extend(text.chars().map(Some)),
        AltKind::Action(id, _) => {
            for part in game
                .actions
                .get(id.index())
                .iter()
                .flat_map(|it| &it.text.parts)
            {
                match part {
                    TemplatePart::Text(text) => letters.extend(text.chars().map(Some)),
                    TemplatePart::Hole(_) => letters.push(None),
                }
            }
        }
    }
    if letters.len() > MOST_LETTERS {
        letters.truncate(MOST_LETTERS);
        letters.push(None);
    }
    letters
}

/// Whether something can be put into the holes of both that makes them equal.
fn may_look_alike(one: &[Option<char>], other: &[Option<char>]) -> bool {
    if let (Some(Some(first)), Some(Some(it))) = (one.first(), other.first())
        && first != it
    {
        return false;
    }
    if let (Some(Some(last)), Some(Some(it))) = (one.last(), other.last())
        && last != it
    {
        return false;
    }
    let n_open = one.iter().take_while(|it| it.is_none()).count();
    // Of each beginning of the one: whether it may be equal to the beginning of the other that was looked at.
    let mut row: Vec<bool> = (0..=one.len()).map(|at| at <= n_open).collect();
    for it in other {
        let mut may = it.is_none() && row.first() == Some(&true);
        let mut next = vec![may];
        for (letter, above) in one.iter().zip(row.windows(2)) {
            may = match (letter, it) {
                (Some(letter), Some(it)) => letter == it && above.first() == Some(&true),
                _ => may || above.last() == Some(&true),
            };
            next.push(may);
        }
        row = next;
    }
    row.last() == Some(&true)
}
