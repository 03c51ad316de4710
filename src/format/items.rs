//! Items.

use std::sync::Arc;

use super::Printer;
use super::flat::{self, joined};
use super::headers::history;
use crate::source::Span;
use crate::syntax::ast::{
    Add, Axis, Edit, Expr, Item, ItemKind, Moment, Name, Number, Reading, Replace, Setting,
    SettingValues, Supply, Template, UnitRef, ZoneDecl, ZoneKind,
};

impl Printer<'_> {
    pub(super) fn item(&mut self, it: &Item) {
        if has_lines(&it.kind) {
            self.begin(&it.docs, it.span);
        } else {
            self.begin_whole(&it.docs, it.span);
        }
        self.item_text(it);
        self.end(it.span);
    }

    pub(super) fn item_text(&mut self, it: &Item) {
        let tail = flat::tail(&it.tail);
        match &it.kind {
            ItemKind::Enum(decl) => {
                let cyclic = if decl.cyclic { " cyclic" } else { "" };
                self.out
                    .push_str(&format!("enum {}{cyclic}{tail} ", decl.name));
                let values = joined(&decl.values, ", ", flat::enum_value);
                self.list(it.span, &values, &decl.values, |it| {
                    (it.span, flat::enum_value(it))
                });
            }
            ItemKind::Record(decl) => {
                self.out.push_str(&format!("record {}{tail} ", decl.name));
                let fields = joined(&decl.fields, ", ", flat::field_decl);
                self.list(it.span, &fields, &decl.fields, |it| {
                    (it.span, flat::field_decl(it))
                });
            }
            ItemKind::Component(decl) => {
                self.out
                    .push_str(&format!("component {}{tail} ", decl.name));
                let fields = joined(&decl.fields, ", ", flat::field_decl);
                self.list(it.span, &fields, &decl.fields, |it| {
                    (it.span, flat::field_decl(it))
                });
            }
            ItemKind::Supply(decl) => self.out.push_str(&format!("{}{tail}", supply(decl))),
            ItemKind::Space(decl) => {
                if let [Axis::Drawn(drawing)] = decl.axes.as_slice() {
                    let drawn = format!(
                        "space {}: drawn \"\"\"{}\"\"\"{tail}",
                        decl.name, drawing.text
                    );
                    return self.out.push_str(&drawn);
                }
                let axes = joined(&decl.axes, ", ", |axis| match axis {
                    Axis::Named { name, ty } => format!("{name}: {}", flat::written(ty)),
                    Axis::Value(value) => flat::written(value),
                    Axis::Drawn(text) => text.text.clone(),
                });
                let condition = decl.condition.as_ref();
                let condition =
                    condition.map_or(String::new(), |it| format!(" where {}", flat::written(it)));
                let meeting = decl.meeting.as_ref().map_or(String::new(), |it| {
                    let turn = it.turn.as_ref();
                    let turn = turn.map_or(String::new(), |it| format!(" turned by {it}"));
                    format!(" meeting at {}{turn}", it.ports)
                });
                self.out.push_str(&format!(
                    "space {}: {}({axes}){meeting}{condition}{tail}",
                    decl.name, decl.shape
                ));
            }
            ItemKind::Setting(decl) => self.setting(it, decl, &tail),
            ItemKind::Zone(decl) => self.out.push_str(&format!("{}{tail}", zone(decl))),
            ItemKind::Track(decl) => {
                let index = flat::index_decl(&decl.index);
                self.out.push_str(&format!(
                    "track {}{index}: {}",
                    decl.name,
                    flat::written(&decl.ty)
                ));
                if let Some(start) = &decl.start {
                    self.out.push_str(" = ");
                    self.expr(start);
                }
                self.out
                    .push_str(&flat::visibility(decl.visibility.as_ref()));
                self.out.push_str(&tail);
            }
            ItemKind::Table(decl) => {
                let otherwise = flat::opt(" else ", decl.otherwise.as_ref());
                let index = flat::index_decl(&decl.index);
                self.out.push_str(&format!(
                    "table {}{index}: {}{otherwise}{tail} ",
                    decl.name,
                    flat::written(&decl.ty)
                ));
                self.rows(it.span, &decl.rows);
            }
            ItemKind::Define(decl) => {
                let depth = depth(decl.depth);
                let params = flat::params(&decl.params);
                self.out.push_str(&format!(
                    "define {}{params}: {}{depth}{tail} =",
                    decl.name,
                    flat::written(&decl.ty)
                ));
                self.value(&decl.value);
            }
            ItemKind::Event(decl) => {
                self.out.push_str(&format!(
                    "event {}{}{}{}{tail} ",
                    decl.name,
                    with_parentheses(flat::params(&decl.params)),
                    depth(decl.depth),
                    decl.text
                        .as_ref()
                        .map_or(String::new(), |it| format!(" {}", flat::written(it)))
                ));
                self.block(&decl.body);
            }
            ItemKind::Action(decl) => self.action(it, decl, &tail),
            ItemKind::Flow(decl) => {
                let params = with_parentheses(flat::params(&decl.params));
                let result = decl
                    .result
                    .as_ref()
                    .map_or(String::new(), |it| format!(": {}", flat::written(it)));
                let depth = depth(decl.depth);
                self.out
                    .push_str(&format!("flow {}{params}{result}{depth}{tail} ", decl.name));
                self.block(&decl.body);
            }
            ItemKind::Ending(decl) => {
                self.out.push_str(&format!(
                    "ending {}{}{tail} ",
                    decl.name,
                    with_parentheses(flat::params(&decl.params))
                ));
                self.block(&decl.body);
            }
            ItemKind::Invariant(decl) => {
                let guard = flat::opt(" where ", decl.guard.as_ref());
                let params = flat::params(&decl.params);
                self.out
                    .push_str(&format!("invariant {}{params}{guard}:", decl.name));
                self.value(&decl.condition);
                self.out.push_str(&tail);
                if let Some(message) = &decl.message {
                    let whole = format!(" else {}", flat::written(message));
                    if self.fits(&whole) {
                        self.out.push_str(&whole);
                    } else {
                        self.message("else", Some(message));
                    }
                }
            }
            ItemKind::Measure(decl) => {
                self.out.push_str(&format!(
                    "measure {}{}: {} =",
                    decl.name,
                    flat::params(&decl.params),
                    flat::written(&decl.ty)
                ));
                self.value(&decl.value);
                if let Some(moment) = &decl.moment {
                    self.out.push_str(&match moment {
                        Moment::Turn => String::from(" each turn"),
                        Moment::End => String::from(" at end"),
                        Moment::When(it) => format!(" when {}", flat::written(it)),
                    });
                }
                self.out.push_str(&tail);
            }
            ItemKind::Show(decl) => {
                let on = decl.on.as_ref();
                let side = decl.side.as_ref();
                self.out.push_str(&format!(
                    "show {}{} as {}{}{}{tail}",
                    decl.name,
                    on.map_or(String::new(), |it| format!(" on {}", it.name)),
                    flat::written(&decl.template),
                    if decl.chequered { " chequered" } else { "" },
                    side.map_or(String::new(), |it| format!(" from {}", it.name)),
                ));
            }
            ItemKind::Hide(decl) => {
                let names = joined(&decl.names, ", ", |name| name.text.clone());
                self.out.push_str(&format!("hide {names}{tail}"));
            }
            ItemKind::History(decl) => {
                self.out.push_str(&format!("{}{tail}", history(decl)));
            }
            ItemKind::Picture(decl) => {
                let formals = joined(&decl.formals, ", ", |name| name.text.clone());
                self.out
                    .push_str(&format!("picture {}({formals}){tail} ", decl.space));
                if decl.layers.is_empty() && !self.has_comments(it.span) {
                    self.out.push_str("{ }");
                    return;
                }
                self.braces(it.span, &decl.layers, |printer, layer| {
                    printer.begin_whole(&[], layer.span);
                    printer.out.push_str(&flat::layer(layer));
                    printer.end(layer.span);
                });
            }
            ItemKind::Aside(decl) => {
                let cites = flat::cites(&decl.cites);
                self.out
                    .push_str(&format!("aside {cites} {}{tail}", flat::text(&decl.reason)));
            }
            ItemKind::Sentences(decl) => {
                let heading = flat::text(&decl.heading);
                self.out
                    .push_str(&format!("sentences {} {heading}{tail} ", decl.source));
                if decl.sentences.is_empty() && !self.has_comments(it.span) {
                    self.out.push_str("{ }");
                    return;
                }
                let widths = decl.sentences.iter().map(|it| it.id.to_string().len());
                let width = widths.max().unwrap_or(0);
                self.braces(it.span, &decl.sentences, |printer, worded| {
                    printer.begin_whole(&[], worded.span);
                    let (id, text) = (worded.id.to_string(), flat::text(&worded.text));
                    printer.out.push_str(&format!("{id:<width$} {text}"));
                    printer.end(worded.span);
                });
            }
            ItemKind::Ruling(decl) => self.ruling(it, decl, &tail),
            ItemKind::Study(decl) => self.study(it, decl, &tail),
            ItemKind::Position(decl) => self.position(it, decl, &tail),
            ItemKind::Edit(edit) => self.edit(it, edit, &tail),
            ItemKind::Relation(decl) => {
                let reason = decl
                    .reason
                    .as_ref()
                    .map_or(String::new(), |it| format!(" {}", flat::text(it)));
                self.out
                    .push_str(&format!("{} {}{reason}{tail}", decl.kind.word(), decl.unit));
            }
            ItemKind::Resolve(decl) => {
                let names = joined(&decl.units, " + ", UnitRef::to_string);
                self.out.push_str(&format!("resolve {names}{tail} "));
                self.braces(it.span, &decl.items, |printer, it| printer.item(it));
            }
        }
    }

    // ---------- data

    fn setting(&mut self, it: &Item, decl: &Setting, tail: &str) {
        let text = flat::text(&decl.text);
        let under = match decl.condition() {
            always if always.is_empty() => always,
            under => format!(" under {under}"),
        };
        let tail = format!("{tail}{under}{}", formerly(&decl.formerly));
        match &decl.values {
            SettingValues::Typed { ty, default } => {
                let (word, name, ty, default) = (
                    decl.intent.word(),
                    &decl.name,
                    flat::written(ty),
                    flat::written(default),
                );
                self.out
                    .push_str(&format!("{word} {name}: {ty} = {default} {text}{tail}"));
                if let Some(items) = &decl.edits {
                    self.out.push(' ');
                    self.edits(it.span, items);
                }
            }
            SettingValues::Readings(readings) => {
                self.out.push_str(&format!(
                    "{} {} {text}{tail} ",
                    decl.intent.word(),
                    decl.name
                ));
                self.readings(it.span, readings);
            }
        }
    }

    /// Writes readings in columns, or on one line if they were on one and fit.
    pub(super) fn readings(&mut self, span: Span, readings: &[Reading]) {
        let whole = |printer: &mut Self| {
            for (at, it) in readings.iter().enumerate() {
                printer.out.push_str(if at == 0 { "{ " } else { "  " });
                printer.reading(it, 0, 0);
            }
            printer.out.push_str(" }");
        };
        if self.attempt(span, whole) {
            return;
        }
        let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
        let name = longest(&mut readings.iter().map(|it| it.name.text.chars().count()));
        // Behind the text of a reading whose edits take several lines nothing has to be in a column.
        self.indent += 1;
        let flat = readings.iter().filter(|it| {
            let length = self.out.len();
            self.out.push('\n');
            self.push_indent();
            let is_flat =
                it.edits.is_none() || self.attempt(it.span, |printer| printer.reading(it, name, 0));
            self.out.truncate(length);
            is_flat
        });
        let text = longest(&mut flat.map(|it| flat::text(&it.text).chars().count()));
        self.indent -= 1;
        self.braces(span, readings, |printer, it| {
            if it.edits.is_none() {
                printer.begin_whole(&it.docs, it.span);
            } else {
                printer.begin(&it.docs, it.span);
            }
            let is_flat = it.edits.is_none()
                || printer.attempt(it.span, |printer| printer.reading(it, name, text));
            if !is_flat || it.edits.is_none() {
                printer.reading(it, name, if is_flat { text } else { 0 });
            }
            let blanks = printer.out.trim_end_matches(' ').len();
            printer.out.truncate(blanks);
            printer.end(it.span);
        });
    }

    /// Writes a reading, its name and its text so many columns wide.
    fn reading(&mut self, it: &Reading, name: usize, text: usize) {
        let default = if it.default { " default" } else { "" };
        let tail = format!("{}{}", formerly(&it.formerly), flat::tail(&it.tail));
        let words = flat::text(&it.text);
        let is_last = default.is_empty() && tail.is_empty() && it.edits.is_none();
        let text = if is_last { 0 } else { text };
        self.out.push_str(&format!(
            "{:name$} {words:text$}{default}{tail}",
            it.name.text
        ));
        if let Some(items) = &it.edits {
            self.out.push(' ');
            self.edits(it.span, items);
        }
    }

    /// Writes edits on one line if they were on one and fit, else one on a line.
    fn edits(&mut self, span: Span, items: &[Arc<Item>]) {
        if items.is_empty() && !self.has_comments(span) {
            self.out.push_str("{ }");
            return;
        }
        let whole = |printer: &mut Self| {
            for (at, it) in items.iter().enumerate() {
                printer.out.push_str(if at == 0 { "{ " } else { "  " });
                printer.item_text(it);
            }
            printer.out.push_str(" }");
        };
        if !self.attempt(span, whole) {
            self.braces(span, items, |printer, it| printer.item(it));
        }
    }

    // ---------- rules

    /// Writes a value behind `=` or `:`, on the next line if it does not fit on this one.
    pub(super) fn value(&mut self, it: &Expr) {
        let text = format!(" {}", flat::written(it));
        if self.fits(&text) {
            self.out.push_str(&text);
            return;
        }
        self.out.push('\n');
        self.indent += 1;
        self.push_indent();
        self.expr(it);
        self.indent -= 1;
    }

    /// Writes what is said if a clause refuses, on a line of its own.
    pub(super) fn message(&mut self, word: &str, message: Option<&Template>) {
        if let Some(message) = message {
            self.out.push('\n');
            self.indent += 1;
            self.push_indent();
            self.out
                .push_str(&format!("{word} {}", flat::written(message)));
            self.indent -= 1;
        }
    }
}

/// Returns whether an item has lines inside of it where comments may stand.
fn has_lines(it: &ItemKind) -> bool {
    match it {
        ItemKind::Enum(_)
        | ItemKind::Record(_)
        | ItemKind::Component(_)
        | ItemKind::Table(_)
        | ItemKind::Event(_)
        | ItemKind::Action(_)
        | ItemKind::Flow(_)
        | ItemKind::Ending(_)
        | ItemKind::Picture(_)
        | ItemKind::Sentences(_)
        | ItemKind::Ruling(_)
        | ItemKind::Study(_)
        | ItemKind::Position(_)
        | ItemKind::Resolve(_) => true,
        ItemKind::Setting(it) => {
            it.edits.is_some() || matches!(it.values, SettingValues::Readings(_))
        }
        ItemKind::Edit(Edit::Replace(Replace::Item(inner))) => has_lines(&inner.kind),
        ItemKind::Edit(Edit::Replace(Replace::Body { .. }) | Edit::Insert { .. }) => true,
        ItemKind::Edit(Edit::Add(it)) => !matches!(it, Add::Alternatives { .. }),
        ItemKind::Supply(_)
        | ItemKind::Space(_)
        | ItemKind::Zone(_)
        | ItemKind::Track(_)
        | ItemKind::Define(_)
        | ItemKind::Invariant(_)
        | ItemKind::Measure(_)
        | ItemKind::Show(_)
        | ItemKind::Hide(_)
        | ItemKind::History(_)
        | ItemKind::Aside(_)
        | ItemKind::Relation(_)
        | ItemKind::Edit(
            Edit::Set { .. }
            | Edit::Forbid(_)
            | Edit::Permit(_)
            | Edit::Except(_)
            | Edit::Replace(Replace::Value { .. })
            | Edit::Remove { .. }
            | Edit::Extend { .. },
        ) => false,
    }
}

fn supply(it: &Supply) -> String {
    let count = it
        .count
        .as_ref()
        .map_or(String::new(), |count| format!("{} ", flat::written(count)));
    let condition = flat::opt(" where ", it.condition.as_ref());
    format!(
        "supply {count}every {} in {}{condition}",
        it.component,
        flat::written(&it.place)
    )
}

fn zone(it: &ZoneDecl) -> String {
    let kind = match it.kind {
        ZoneKind::One => "one",
        ZoneKind::Bag => "bag of",
        ZoneKind::Pile => "pile of",
    };
    let fields = joined(&it.fields, ", ", flat::field_decl);
    let fields = if fields.is_empty() {
        fields
    } else {
        format!(" with {fields}")
    };
    let capacity = flat::opt(" up to ", it.capacity.as_ref());
    let visibility = flat::visibility(it.visibility.as_ref());
    format!(
        "zone {}{}: {kind} {}{capacity}{fields}{visibility}",
        it.name,
        flat::index_decl(&it.index),
        it.component
    )
}

fn depth(written: Option<Number>) -> String {
    written.map_or(String::new(), |it| format!(" depth {}", it.value))
}

pub(super) fn with_parentheses(params: String) -> String {
    if params.is_empty() {
        String::from("()")
    } else {
        params
    }
}

fn formerly(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(Name::as_str).collect();
    match names.as_slice() {
        [] => String::new(),
        _ => format!(" formerly {}", names.join(", ")),
    }
}
