//! What others rely on, and a replacement has to keep.

use crate::syntax::ast::{self, ItemKind, ParamDomain, Type, TypeKind};

/// Returns what is different about a replacement that must not be, as a message.
pub(super) fn difference(old: &ItemKind, new: &ItemKind) -> Option<String> {
    let name = old
        .name()
        .map_or_else(String::new, |name| format!(" `{name}`"));
    if old.word() != new.word() {
        let (old, new) = (old.word(), new.word());
        return Some(format!("`{new}`{name} would replace `{old}`{name}"));
    }
    let differs = match (old, new) {
        (ItemKind::Define(a), ItemKind::Define(b)) => {
            params(&a.params, &b.params).or(unless(a.ty == b.ty, "type"))
        }
        (ItemKind::Event(a), ItemKind::Event(b)) => params(&a.params, &b.params),
        (ItemKind::Action(a), ItemKind::Action(b)) => params(&a.params, &b.params),
        (ItemKind::Flow(a), ItemKind::Flow(b)) => {
            params(&a.params, &b.params).or(unless(a.result == b.result, "result"))
        }
        (ItemKind::Ending(a), ItemKind::Ending(b)) => params(&a.params, &b.params),
        (ItemKind::Zone(a), ItemKind::Zone(b)) => {
            unless(a.index == b.index, "index").or(unless(a.component == b.component, "component"))
        }
        (ItemKind::Track(a), ItemKind::Track(b)) => unless(a.index == b.index, "index"),
        (ItemKind::Table(a), ItemKind::Table(b)) => {
            unless(a.index == b.index, "index").or(unless(same_sort(&a.ty, &b.ty), "type"))
        }
        _ => None,
    };
    differs.map(|what| format!("the new{name} has another {what} than the old one"))
}

/// Whether two types are the same but for the bounds of a range: what reads a number beyond the old ones says so itself.
fn same_sort(old: &Type, new: &Type) -> bool {
    let are_ranges = |a: &Type, b: &Type| {
        matches!(
            (&a.kind, &b.kind),
            (TypeKind::Range(..), TypeKind::Range(..))
        )
    };
    match (&old.kind, &new.kind) {
        (TypeKind::OrNone(old), TypeKind::OrNone(new)) => same_sort(old, new),
        _ => old == new || are_ranges(old, new),
    }
}

fn unless(same: bool, what: &'static str) -> Option<&'static str> {
    (!same).then_some(what)
}

/// Parameters keep their names, by which they are called, and their types; the set that their values
/// come from may change.
fn params(old: &[ast::Param], new: &[ast::Param]) -> Option<&'static str> {
    let alike = |a: &ast::Param, b: &ast::Param| {
        let same_type = match (&a.domain, &b.domain) {
            (ParamDomain::Type(a), ParamDomain::Type(b)) => a == b,
            (ParamDomain::Several { .. }, b) | (b, ParamDomain::Several { .. }) => {
                matches!(
                    (&a.domain, b),
                    (ParamDomain::Several { .. }, ParamDomain::Several { .. })
                )
            }
            _ => true,
        };
        a.names == b.names && same_type
    };
    let same = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| alike(a, b));
    unless(same, "list of parameters")
}
