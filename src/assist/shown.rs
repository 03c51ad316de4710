//! What an editor shows beside the words: what kind of thing each name is, types that nobody wrote, how many values
//! there are, and how much of the engine's work comes from where.

use super::hover::{Known, local_at};
use super::names::{Doing, Target};
use crate::engine::Program;
use crate::model::{Base, Game, Over};
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, ItemKind};

/// A name with what it is.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Where it stands.
    pub span: Span,
    /// What it stands for, in a word of the language; `local` and `book` are none.
    pub word: &'static str,
    /// Whether it is given here.
    pub declares: bool,
}

/// Returns the names in a file, by place.
pub fn shown(known: &Known<'_>, file: FileId) -> Vec<Shown> {
    let here = known.names.all().iter().filter(|it| it.span.file == file);
    let shown = here.map(|it| Shown {
        span: it.span,
        word: match &it.target {
            Target::Local(..) => "local",
            Target::Book(_) | Target::Source(_) => "book",
            target => {
                let thing = known.names.things(target).first();
                thing.map_or("sentence", |it| it.word)
            }
        },
        declares: it.doing == Doing::Declares,
    });
    shown.collect()
}

/// Returns the types of what is bound by `let` in a file, each with the name behind which it may stand.
pub fn types(known: &Known<'_>, file: FileId) -> Vec<(Span, String)> {
    let Some(game) = known.game else {
        return Vec::new();
    };
    let lets = known.names.lets().iter().filter(|it| it.file == file);
    let typed = lets.filter_map(|span| {
        let local = local_at(game, *span)?;
        Some((*span, game.type_written(local.ty)?))
    });
    typed.collect()
}

/// Something that nobody wrote, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The name behind which it may stand.
    pub name: Span,
    /// So many there are.
    pub count: u64,
    /// Of what.
    pub what: &'static str,
}

/// Returns how many values the types in a file have, and from how many candidates each action is chosen at most.
pub fn sizes(known: &Known<'_>, file: FileId) -> Vec<Size> {
    let Some(game) = known.game else {
        return Vec::new();
    };
    let items = known.files.iter().flat_map(|it| &it.items);
    let items = items.filter(|it| it.span.file == file);
    let sized = items.filter_map(|item| {
        let name = item.kind.name()?;
        let (count, what) = match &item.kind {
            ItemKind::Enum(_) | ItemKind::Record(_) | ItemKind::Component(_) => {
                (size_of(game, name.as_str())?, "values")
            }
            ItemKind::Space(_) => (size_of(game, name.as_str())?, "places"),
            ItemKind::Action(_) => (candidates(game, name.as_str())?, "candidates"),
            _ => return None,
        };
        Some(Size {
            name: name.span,
            count,
            what,
        })
    });
    sized.collect()
}

fn size_of(game: &Game, name: &str) -> Option<u64> {
    let domain = game.domains.iter().find(|it| it.name == name)?;
    Some(domain.size)
}

/// Returns how many ways there are to fill the parameters of an action, were all of them allowed; none where that is
/// not known.
fn candidates(game: &Game, name: &str) -> Option<u64> {
    let action = game.actions.iter().find(|it| it.name == name)?;
    if action.params.is_empty() {
        return None;
    }
    let mut sizes = action.params.iter().map(|param| match &param.over {
        Over::Set(set) => match set.ty.base {
            Base::Set(id) => game.domains.get(id.index()).map(|it| it.size),
            _ => None,
        },
        Over::Zone(place) => {
            let zone = game.zones.get(place.zone.index())?;
            game.domains.get(zone.component.index()).map(|it| it.size)
        }
        Over::Span(..) => None,
    });
    sizes.try_fold(1_u64, |all, size| all.checked_mul(size?))
}

/// Returns how many operations of the engine come from each clause, by where it begins: what is written once and used
/// in several places is counted where it is written.
pub fn costs(program: &Program) -> Vec<(Span, usize)> {
    let key = |it: &Span| (it.file, it.start);
    let clauses = program.game.clauses.iter().map(|it| (it.span, 0));
    let mut costs: Vec<(Span, usize)> = clauses.collect();
    costs.sort_by_key(|(span, _)| key(span));
    costs.dedup_by_key(|(span, _)| key(span));
    for op in program.listing(false) {
        let Some(span) = op.span else { continue };
        let behind = costs.partition_point(|(it, _)| key(it) <= key(&span));
        let around = behind.checked_sub(1).and_then(|at| costs.get_mut(at));
        if let Some((clause, count)) = around
            && clause.file == span.file
        {
            *count += 1;
        }
    }
    costs.retain(|(_, count)| *count > 0);
    costs
}

/// A ruling or a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its id where it stands.
    pub span: Span,
    /// Its id.
    pub id: String,
    /// Whether it is a study.
    pub is_study: bool,
}

/// Returns the rulings and studies in a file.
pub fn cases(files: &[ast::File], file: FileId) -> Vec<Case> {
    let items = files.iter().flat_map(|it| &it.items);
    let items = items.filter(|it| it.span.file == file);
    let cases = items.filter_map(|item| {
        let is_study = matches!(item.kind, ItemKind::Study(_));
        let is_case = is_study || matches!(item.kind, ItemKind::Ruling(_));
        let name = item.kind.name().filter(|_| is_case)?;
        Some(Case {
            span: name.span,
            id: name.text.clone(),
            is_study,
        })
    });
    cases.collect()
}
