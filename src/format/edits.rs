//! What amendments change.

use super::Printer;
use super::flat::{self, joined};
use crate::syntax::ast::{Add, Edit, ExprKind, Guard, Item, Name, Replace};

impl Printer<'_> {
    pub(super) fn edit(&mut self, item: &Item, edit: &Edit, tail: &str) {
        match edit {
            Edit::Set { path, value } => self
                .out
                .push_str(&format!("set {path} = {}{tail}", flat::written(value))),
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => {
                self.guard(edit.word(), it, tail)
            }
            Edit::Replace(Replace::Item(inner)) => {
                self.out.push_str("replace ");
                // A doc comment behind `replace` documents the new item; there it stays.
                for doc in &inner.docs {
                    self.out.push_str(&format!("/// {}\n", doc.text));
                    self.push_indent();
                }
                self.item_text(inner);
                self.out.push_str(tail);
            }
            Edit::Replace(Replace::Value {
                path,
                value,
                message,
            }) => {
                self.out.push_str(&format!("replace {path} ="));
                self.value(value);
                let text = message
                    .as_ref()
                    .map_or(String::new(), |it| format!(" else {}", flat::written(it)));
                if self.fits(&format!("{text}{tail}")) {
                    self.out.push_str(&text);
                } else {
                    self.message("else", message.as_ref());
                }
                self.out.push_str(tail);
            }
            Edit::Replace(Replace::Body { path, body }) => {
                self.out.push_str(&format!("replace {path}{tail} "));
                self.block(body);
            }
            Edit::Remove { path } => self.out.push_str(&format!("remove {path}{tail}")),
            Edit::Insert { side, path, body } => {
                self.out
                    .push_str(&format!("insert {} {path}{tail} ", flat::side(*side)));
                self.block(body);
            }
            Edit::Extend {
                path,
                formals,
                op,
                value,
            } => {
                self.out.push_str(&format!(
                    "extend {path}{} {} ",
                    self::formals(formals),
                    op.word()
                ));
                self.expr(value);
                self.out.push_str(tail);
            }
            Edit::Add(it) => self.add(item, it, tail),
        }
    }

    fn guard(&mut self, word: &str, it: &Guard, tail: &str) {
        self.out.push_str(&format!(
            "{word} {}{} label {}",
            it.target,
            formals(&it.formals),
            it.label
        ));
        let because = it.because.as_ref().map_or(String::new(), |it| {
            format!(" because {}", flat::written(it))
        });
        if it.condition.kind == ExprKind::Bool(true) {
            self.out.push_str(&format!("{tail}{because}"));
            return;
        }
        let whole = format!(" when {}{tail}{because}", flat::written(&it.condition));
        if self.fits(&whole) {
            self.out.push_str(&whole);
            return;
        }
        self.out.push('\n');
        self.indent += 1;
        self.push_indent();
        self.out.push_str("when ");
        self.expr(&it.condition);
        self.out.push_str(tail);
        self.indent -= 1;
        self.message("because", it.because.as_ref());
    }

    fn add(&mut self, item: &Item, it: &Add, tail: &str) {
        match it {
            Add::Values { to, values } => {
                self.out.push_str(&format!("add values to {to}{tail} "));
                let text = joined(values, ", ", flat::enum_value);
                self.list(item.span, &text, values, |it| {
                    (it.span, flat::enum_value(it))
                });
            }
            Add::Fields { to, fields } => {
                self.out.push_str(&format!("add fields to {to}{tail} "));
                let text = joined(fields, ", ", flat::field_decl);
                self.list(item.span, &text, fields, |it| {
                    (it.span, flat::field_decl(it))
                });
            }
            Add::Rows { to, rows } => {
                self.out.push_str(&format!("add rows to {to}{tail} "));
                self.rows(item.span, rows);
            }
            Add::Cases { to, done, values } => {
                self.out.push_str(&format!("add cases to {to}{tail} "));
                let texts = [
                    joined(done, "  ", flat::written),
                    joined(values, "  ", flat::written),
                ];
                let text = format!("{{ {} }}", texts.concat());
                if self.is_one_line(item.span) && self.fits(&text) {
                    self.out.push_str(&text);
                } else if values.is_empty() {
                    self.by_cases(item.span, done);
                } else {
                    self.braces(item.span, values, |printer, arm| {
                        printer.begin(&[], arm.span);
                        printer
                            .out
                            .push_str(&format!("{} =>", flat::written(&arm.head)));
                        printer.value(&arm.body);
                        printer.end(arm.span);
                    });
                }
            }
            Add::Readings { to, readings } => {
                self.out.push_str(&format!("add readings to {to}{tail} "));
                self.readings(item.span, readings);
            }
            Add::Slots { to, slots } => {
                self.out.push_str(&format!("add choice to {to}{tail} "));
                let text = format!("{{ {} }}", joined(slots, "  ", flat::written));
                if self.is_one_line(item.span) && self.fits(&text) {
                    self.out.push_str(&text);
                } else {
                    self.braces(item.span, slots, Self::slot);
                }
            }
            Add::Alternatives { to, alternatives } => {
                self.out.push_str(&format!("add choice to {to}{tail}: "));
                self.alternatives(alternatives);
            }
        }
    }
}

fn formals(names: &[Name]) -> String {
    if names.is_empty() {
        String::new()
    } else {
        format!("({})", joined(names, ", ", |name| name.text.clone()))
    }
}
