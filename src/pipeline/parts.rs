//! The files of one rulebook become one.

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::syntax::ast::{File, Header, HeaderKind};

/// Puts each part behind the rulebook that it belongs to, by their titles: the order in which they are listed decides
/// nothing. The first file stays the first.
pub fn joined(files: Vec<File>) -> (Vec<File>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut whole: Vec<File> = Vec::new();
    let mut parts: Vec<(Header, File)> = Vec::new();
    for (at, file) in files.into_iter().enumerate() {
        match &file.header {
            Some(header) if at > 0 && header.kind == HeaderKind::Part => {
                parts.push((header.clone(), file));
            }
            _ => whole.push(file),
        }
    }
    parts.sort_by(|(one, a), (other, b)| {
        let key = |it: &Header| (it.name.text.clone(), it.title.text.clone());
        key(one).cmp(&key(other)).then(a.file.cmp(&b.file))
    });
    for (header, part) in parts {
        let name = |it: &File| it.header.as_ref().map(|it| it.name.text.clone());
        let names: Vec<String> = whole.iter().filter_map(name).collect();
        let owner = |it: &&mut File| name(it).as_ref() == Some(&header.name.text);
        let Some(owner) = whole.iter_mut().find(owner) else {
            diagnostics.push(alone(&header, &names));
            continue;
        };
        let mut others = owner.parts.iter().map(|it| &it.header);
        match others.find(|it| it.title.text == header.title.text) {
            Some(other) => diagnostics.push(twice(&header, other)),
            None => owner.join(part),
        }
    }
    (whole, diagnostics)
}

fn alone(header: &Header, names: &[String]) -> Diagnostic {
    let name = &header.name;
    let help = match closest(name.as_str(), names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("put it beside the file of `{name}`, or leave it out"),
    };
    let message = format!("this is a part of `{name}`, which is not there");
    Diagnostic::at(codes::PART_ALONE, name.span, message).help(help)
}

fn twice(header: &Header, other: &Header) -> Diagnostic {
    let (name, title) = (&header.name, &header.title.text);
    let message = format!("two parts of `{name}` have the title \"{title}\"");
    Diagnostic::new(codes::PART_TWICE, message)
        .label(header.title.span, "the second one")
        .label(other.title.span, "the first one")
        .help("give it another title, or leave one of them out if they are the same")
}
