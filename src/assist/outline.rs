//! What a file consists of, for those who look at it from afar.

use crate::compose::{Inner, inside_block, inside_item};
use crate::source::{FileId, Span};
use crate::syntax::ast::{
    self, Edit, Header, Item, ItemKind, Replace, Role, Statement, Tree, Visitor,
};

/// Something that a file says.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name, or what an edit does.
    pub name: String,
    /// What it is, in a word of the language.
    pub word: &'static str,
    /// All of it.
    pub whole: Span,
    /// Its name where it stands.
    pub span: Span,
    /// What has a name inside.
    pub inside: Vec<Symbol>,
}

/// Lines that may be shown as one.
#[derive(Clone, Copy, Debug)]
pub struct Fold {
    /// What stands on them.
    pub span: Span,
    /// Whether these are comments.
    pub comment: bool,
}

fn headers(files: &[ast::File], file: FileId) -> impl Iterator<Item = &Header> {
    files.iter().flat_map(move |it| {
        let own = it.header.iter().map(|header| (it.file, header));
        let parts = it.parts.iter().map(|part| (part.file, &part.header));
        let all = own.chain(parts).filter(move |(at, _)| *at == file);
        all.map(|(_, header)| header)
    })
}

fn items(files: &[ast::File], file: FileId) -> impl Iterator<Item = &Item> {
    let all = files.iter().flat_map(|it| &it.items).map(|it| &**it);
    all.filter(move |it| it.span.file == file)
}

/// Returns what a file says, in its order.
pub fn outline(files: &[ast::File], file: FileId) -> Vec<Symbol> {
    let headers = headers(files, file).map(|it| Symbol {
        name: it.name.text.clone(),
        word: it.kind.word(),
        whole: it.span,
        span: it.name.span,
        inside: Vec::new(),
    });
    headers.chain(items(files, file).map(symbol)).collect()
}

fn symbol(item: &Item) -> Symbol {
    let (name, span, inside) = match &item.kind {
        ItemKind::Edit(edit) => of_edit(edit, item),
        kind => match kind.name() {
            Some(name) => (name.text.clone(), name.span, inside_item(item)),
            None => (kind.word().to_owned(), item.span, Vec::new()),
        },
    };
    let known = inside.iter().map(|it| Symbol {
        name: it.path.get(1..).unwrap_or_default().join("."),
        word: it.word,
        whole: it.span,
        span: it.span,
        inside: Vec::new(),
    });
    Symbol {
        name,
        word: item.kind.word(),
        whole: item.span,
        span,
        inside: known.collect(),
    }
}

fn of_edit(edit: &Edit, item: &Item) -> (String, Span, Vec<Inner>) {
    let path = match edit.place() {
        Ok(path) => path,
        Err(new) => {
            let name = new.kind.name();
            let span = name.map_or(item.span, |it| it.span);
            let name = name.map_or("", |it| it.as_str());
            return (format!("{} {name}", edit.word()), span, inside_item(new));
        }
    };
    let address: Vec<String> = path.segments.iter().map(|it| it.text.clone()).collect();
    let name = format!("{} {}", edit.word(), address.join("."));
    let inside = match edit {
        Edit::Insert { body, .. } | Edit::Replace(Replace::Body { body, .. }) => {
            inside_block(body, &address)
        }
        _ => Vec::new(),
    };
    (name, path.span, inside)
}

/// Returns the lines of a file that belong together: items, statements and comments.
pub fn folds(files: &[ast::File], file: FileId) -> Vec<Fold> {
    let mut folds = Folds(Vec::new());
    folds.0.extend(headers(files, file).map(|it| it.span));
    items(files, file).for_each(|it| folds.item(it, Role::Plain));
    let folds = folds.0.into_iter().map(|span| Fold {
        span,
        comment: false,
    });
    let comments = files.iter().flat_map(|it| &it.comments);
    let comments = comments.filter(|it| it.span.file == file);
    let comments = comments.map(|it| Fold {
        span: it.span,
        comment: true,
    });
    folds.chain(comments).collect()
}

struct Folds(Vec<Span>);

impl<'a> Visitor<'a> for Folds {
    fn item(&mut self, item: &'a Item, _: Role) {
        self.0.push(item.span);
        item.kind.walk(self, Role::Plain);
    }

    fn statement(&mut self, statement: &'a Statement) {
        self.0.push(statement.span);
        statement.kind.walk(self, Role::Plain);
    }
}
