//! Everything on one line.

mod expressions;
mod statements;

pub(in crate::format) use expressions::*;
pub(in crate::format) use statements::*;

use crate::syntax::ast::{
    Audience, Cell, Cite, Cited, EnumValue, FieldDecl, Key, Layer, Name, Param, ParamDomain, Row,
    SentenceId, Side, Tail, Template, TemplatePart, Text, Type, TypeKind, UnitRef, Visibility,
};

pub(super) fn joined<T>(things: &[T], between: &str, write: impl Fn(&T) -> String) -> String {
    things.iter().map(write).collect::<Vec<_>>().join(between)
}

// ---------- texts and tails

pub(super) fn text(text: &Text) -> String {
    format!("\"{}\"", escaped(&text.text))
}

pub(super) fn template(template: &Template) -> String {
    let part = |part: &TemplatePart| match part {
        TemplatePart::Text(text) => escaped(text),
        TemplatePart::Hole(hole) => format!("{{{}}}", expr(hole)),
    };
    format!("\"{}\"", joined(&template.parts, "", part))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '{' => out.push_str("{{"),
            '}' => out.push_str("}}"),
            _ => out.push(c),
        }
    }
    out
}

/// Writes a tail with a blank before each of its parts.
pub(super) fn tail(tail: &Tail) -> String {
    let mut out = String::new();
    if !tail.cites.is_empty() {
        out.push_str(" cite ");
        out.push_str(&cites(&tail.cites));
    }
    if let Some(status) = &tail.status {
        out.push_str(" status ");
        out.push_str(status.authority.word());
    }
    for order in &tail.orders {
        let units = joined(&order.units, ", ", UnitRef::to_string);
        out.push_str(&format!(" order {} {units}", side(order.side)));
    }
    for allow in &tail.allows {
        out.push_str(&format!(" allow({}, {})", allow.code, text(&allow.reason)));
    }
    out
}

/// Writes references; a source is named where it changes.
pub(super) fn cites(cites: &[Cite]) -> String {
    let mut out = String::new();
    let mut source: Option<&Name> = None;
    for (at, cite) in cites.iter().enumerate() {
        let what = match &cite.what {
            Cited::Reason(reason) => text(reason),
            Cited::Sentences { first, last } => {
                let sentences = sentences(first, last);
                match &cite.source {
                    Some(named) if source != Some(named) => {
                        source = Some(named);
                        format!("{named} {sentences}")
                    }
                    // Without a source behind one with: only a second `cite` says so.
                    None if source.is_some() => {
                        source = None;
                        out.push_str(if at == 0 { "" } else { " cite " });
                        out.push_str(&sentences);
                        continue;
                    }
                    Some(_) | None => sentences,
                }
            }
        };
        out.push_str(if at == 0 { "" } else { ", " });
        out.push_str(&what);
    }
    out
}

pub(super) fn sentences(first: &SentenceId, last: &SentenceId) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}..{last}")
    }
}

pub(super) fn side(side: Side) -> &'static str {
    match side {
        Side::Before => "before",
        Side::After => "after",
    }
}

// ---------- data

pub(super) fn enum_value(value: &EnumValue) -> String {
    let mut out = value.name.text.clone();
    for it in value.symbol.iter().chain(&value.plain) {
        out.push(' ');
        out.push_str(&text(it));
    }
    out
}

pub(super) fn field_decl(field: &FieldDecl) -> String {
    format!(
        "{}: {}{}",
        field.name,
        ty(&field.ty),
        opt(" = ", field.default.as_ref())
    )
}

pub(super) fn row(row: &Row) -> String {
    format!(
        "{}: {}{}",
        row_keys(row),
        joined(&row.cells, ", ", cell),
        tail(&row.tail)
    )
}

pub(super) fn layer(layer: &Layer) -> String {
    let signs = layer.sign.iter().chain(&layer.plain);
    let signs: String = signs.map(|sign| format!(" {}", text(sign))).collect();
    format!(
        "{}{signs} {} {}{}",
        layer.brush.word(),
        layer.colour,
        text(&layer.title),
        opt(" where ", layer.condition.as_ref())
    )
}

pub(super) fn row_keys(row: &Row) -> String {
    joined(&row.keys, ", ", |key| match key {
        Key::Name(name) => name.text.clone(),
        Key::Number(number) => number.value.to_string(),
    })
}

pub(super) fn cell(cell: &Cell) -> String {
    match &cell.field {
        Some(field) => format!("{field} = {}", expr(&cell.value)),
        None => expr(&cell.value),
    }
}

pub(super) fn ty(it: &Type) -> String {
    match &it.kind {
        TypeKind::Named(name) => name.text.clone(),
        TypeKind::Range(from, to) => format!("{}..{}", expr(from), expr(to)),
        TypeKind::SetOf(of) => format!("set of {}", ty(of)),
        TypeKind::Tuple(members) => format!("({})", joined(members, ", ", ty)),
        TypeKind::OrNone(some) => format!("{} or none", ty(some)),
    }
}

pub(super) fn index_decl(types: &[Type]) -> String {
    if types.is_empty() {
        String::new()
    } else {
        format!("[{}]", joined(types, ", ", ty))
    }
}

/// Writes parameters; none are no parentheses.
pub(super) fn params(params: &[Param]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let param = |param: &Param| {
        let names = joined(&param.names, " & ", |name| name.text.clone());
        match &param.domain {
            ParamDomain::Type(of) => format!("{names}: {}", ty(of)),
            ParamDomain::Set(set) => format!("{names} in {}", expr(set)),
        }
    };
    format!("({})", joined(params, ", ", param))
}

pub(super) fn visibility(visibility: Option<&Visibility>) -> String {
    let Some(it) = visibility else {
        return String::new();
    };
    match &it.audience {
        Audience::All => String::from(" open"),
        Audience::Nobody => String::from(" hidden"),
        Audience::Seat(seat) => format!(" seen by {}", expr(seat)),
    }
}
