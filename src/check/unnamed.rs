//! Addresses of items that declare no name: they are called by what they are about, so that two editions of
//! a rulebook have the same address for the same thing, wherever it stands.

use crate::syntax::ast::{Cited, Expr, ExprKind, ItemKind};

use super::Checker;

impl Checker<'_> {
    /// Returns the address of an item without a name, as it is written up to the first free choice.
    pub(super) fn path_of_unnamed(&mut self, item: &ItemKind) -> String {
        let about = match item {
            ItemKind::Show(it) => match &it.on {
                Some(on) => format!("{} on {}", it.name, on.name),
                None => it.name.text.clone(),
            },
            ItemKind::Hide(it) => {
                let names: Vec<&str> = it.names.iter().map(|it| it.as_str()).collect();
                names.join(", ")
            }
            ItemKind::Picture(it) => it.space.text.clone(),
            ItemKind::Supply(it) => format!("{} in {}", it.component, written(&it.place)),
            ItemKind::Aside(it) => it.cites.first().map_or_else(String::new, |cite| {
                let of = match &cite.source {
                    Some(source) => format!("{source} "),
                    None => String::new(),
                };
                match &cite.what {
                    Cited::Sentences { first, .. } => format!("{of}{first}"),
                    Cited::Reason(_) => of,
                }
            }),
            ItemKind::Sentences(it) => {
                let first = it.sentences.first();
                first.map_or_else(
                    || it.source.text.clone(),
                    |first| format!("{} {}", it.source, first.id),
                )
            }
            _ => String::new(),
        };
        let path = format!("{} {about}", item.word()).trim_end().to_owned();
        self.untaken(path)
    }

    /// Numbers an address that is taken: the second of its kind ends in ` 2`.
    fn untaken(&mut self, path: String) -> String {
        if !self.paths.contains_key(&path) {
            return path;
        }
        let last = self.numbered.entry(path.clone()).or_insert(1);
        loop {
            *last += 1;
            let numbered = format!("{path} {last}");
            if !self.paths.contains_key(&numbered) {
                return numbered;
            }
        }
    }
}

/// Writes a place as a person would name it; what is calculated in it becomes `…`.
fn written(place: &Expr) -> String {
    let list =
        |exprs: &mut dyn Iterator<Item = &Expr>| exprs.map(written).collect::<Vec<_>>().join(", ");
    match &place.kind {
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Index { base, indices } => {
            format!("{}[{}]", written(base), list(&mut indices.iter()))
        }
        ExprKind::Field { base, field } => format!("{}.{field}", written(base)),
        ExprKind::Call(call) => {
            let args = list(&mut call.args.iter().map(|it| &it.value));
            format!("{}({args})", call.name)
        }
        _ => "…".to_owned(),
    }
}
