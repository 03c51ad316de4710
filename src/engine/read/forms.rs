//! Values by their printed forms.

use crate::model::text::{Form, spelt};
use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::machine::Machine;
use super::super::text::{Ground, field_value, fields_of, name_of, print_value};
use super::{collapsed, folded, nearest};
use crate::model::{Base, Domain, DomainId, DomainKind, Field, Game, NONE, ShowPart, Type};

/// Largest domain whose elements are tried by their printed forms.
const MOST_FORMS: u64 = 65_536;
/// Largest one whose elements are known by other names.
const MOST_OTHERS: u64 = 1_024;

/// Printed forms of a domain's elements: with symbols, plain, and the names of an enum.
#[derive(Debug, Default)]
pub(in crate::engine) struct Forms {
    exact: HashMap<String, Vec<i64>>,
    folded: HashMap<String, Vec<i64>>,
    /// What people call them besides: `ten spades`, `spades ten`, `hQ`. What is printed goes before.
    also: HashMap<String, Vec<i64>>,
    /// What stands between spaces in them.
    words: HashSet<String>,
}

/// A thing that is printed as two of its fields by other names of these, and the other way round.
fn other_names(game: &Game, domain: &Domain, value: i64) -> Vec<String> {
    let fields = fields_of(domain);
    let parts = domain.show.iter().flatten();
    let parts = parts.filter_map(|it| match it {
        ShowPart::Field(at) => fields.get(*at),
        ShowPart::Text(_) | ShowPart::Name | ShowPart::OfPlace(_) => None,
    });
    let parts: Vec<&Field> = parts.collect();
    let (DomainKind::Record { .. }, [one, other]) = (&domain.kind, parts.as_slice()) else {
        return Vec::new();
    };
    if domain.size > MOST_OTHERS {
        return Vec::new();
    }
    let words = |field: &Field| -> Vec<String> {
        let value = field_value(field, value);
        let printed = Form::ALL.map(|form| print_value(game, field.ty, value, form));
        let name = match field.ty.base {
            Base::Elem(of) => game.domains.get(of.index()).map(|it| name_of(it, value)),
            Base::Bool | Base::Int(..) | Base::Set(_) | Base::Unit => None,
        };
        let name = name.map(|it| spelt(&it));
        let mut words: Vec<String> = printed.into_iter().chain(name).collect();
        words.sort_unstable();
        words.dedup();
        words
    };
    let (one, other) = (words(one), words(other));
    let pairs = one
        .iter()
        .flat_map(|one| other.iter().map(move |other| (one, other)));
    let named = pairs.flat_map(|(one, other)| {
        [
            format!("{one} {other}"),
            format!("{other} {one}"),
            format!("{other}{one}"),
        ]
    });
    named.collect()
}

impl Machine<'_> {
    /// The values that a word names.
    pub(super) fn values_of(&mut self, ty: Type, word: &str) -> Vec<i64> {
        let mut values = match ty.base {
            Base::Bool => match folded(word).as_str() {
                "true" => vec![1],
                "false" => vec![0],
                _ => Vec::new(),
            },
            Base::Int(lo, hi) => {
                let number = word.parse::<i64>().ok();
                number
                    .filter(|it| (lo..=hi).contains(it))
                    .into_iter()
                    .collect()
            }
            Base::Elem(domain) => {
                let forms = self.forms(domain);
                let exact = forms.exact.get(word);
                let lower = folded(word);
                let known = exact.or_else(|| forms.folded.get(&lower));
                let known = known.or_else(|| forms.also.get(&lower));
                known.cloned().unwrap_or_default()
            }
            Base::Set(_) | Base::Unit => Vec::new(),
        };
        if ty.optional && folded(word) == "none" {
            values.push(NONE);
        }
        values
    }

    /// Whether something of a type has this word in its name, whatever the case.
    pub fn has_word(&mut self, of: Base, word: &str) -> bool {
        let word = folded(word);
        match of {
            Base::Elem(domain) => self.forms(domain).words.contains(&word),
            Base::Int(..) => word.parse::<i64>().is_ok(),
            Base::Bool | Base::Set(_) | Base::Unit => false,
        }
    }

    /// Whether anything in the game is called so.
    pub(super) fn is_name(&mut self, word: &str) -> bool {
        let domains = self.program.game.domains.len();
        let ids = (0..domains).filter_map(|at| u32::try_from(at).ok());
        let mut types = ids.map(|at| Type::of(Base::Elem(DomainId(at))));
        types.any(|ty| !self.values_of(ty, word).is_empty())
    }

    pub(super) fn near_values(&mut self, word: &str, ty: Type) -> Vec<String> {
        match ty.base {
            Base::Elem(domain) => {
                let forms = self.forms(domain);
                let mut names: Vec<&str> = forms.exact.keys().map(String::as_str).collect();
                names.sort_unstable();
                nearest(word, names)
            }
            Base::Int(lo, hi) => vec![format!("{lo}..{hi}")],
            Base::Bool | Base::Set(_) | Base::Unit => Vec::new(),
        }
    }

    pub(super) fn forms(&mut self, domain: DomainId) -> &Forms {
        let program = self.program;
        let parts = program
            .game
            .domains
            .get(domain.index())
            .is_some_and(is_parts);
        if parts {
            // Where the parts lie changes with every move.
            self.forms.remove(&domain);
        }
        let ground = Ground::of(&program.game, &self.mem, &program.layout);
        self.forms
            .entry(domain)
            .or_insert_with(|| Forms::of(&program.game, ground, domain))
    }
}

impl Forms {
    /// The values of which some name has such a word, in small letters.
    pub fn with_word(&self, is_it: &dyn Fn(&str) -> bool) -> BTreeSet<i64> {
        let named = self.folded.iter();
        let named = named.filter(|(it, _)| it.split(' ').any(is_it));
        named.flat_map(|(_, values)| values).copied().collect()
    }

    fn of(game: &Game, ground: Ground<'_>, id: DomainId) -> Self {
        let mut forms = Self::default();
        let Some(domain) = game.domains.get(id.index()) else {
            return forms;
        };
        if domain.size > MOST_FORMS {
            return forms;
        }
        for value in 0..i64::try_from(domain.size).unwrap_or(0) {
            let ty = Type::of(Base::Elem(id));
            let mut printed = Form::ALL
                .map(|form| (print_value(ground, ty, value, form), form == Form::Spoken))
                .to_vec();
            if let crate::model::DomainKind::Enum { .. } = domain.kind {
                printed.push((name_of(domain, value), false));
            }
            for (form, is_spoken) in printed {
                let form = collapsed(&form);
                let folded = folded(&form);
                // What is spoken in several words is begun with each of them.
                if !is_spoken {
                    let words = folded.split(' ').map(str::to_owned);
                    forms.words.extend(words);
                }
                for (map, form) in [(&mut forms.exact, form), (&mut forms.folded, folded)] {
                    let values: &mut Vec<i64> = map.entry(form).or_default();
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
            for name in other_names(game, domain, value) {
                let values = forms.also.entry(folded(&name)).or_default();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        forms
    }
}

fn is_parts(domain: &crate::model::Domain) -> bool {
    matches!(
        &domain.kind,
        crate::model::DomainKind::Space {
            shape: crate::model::Shape::Parts { .. },
            ..
        }
    )
}
