//! Everything on one line.

mod rulings;

pub(in crate::format) use rulings::*;

use crate::syntax::ast::{
    Audience, BinaryOp, Block, Cell, Cite, Cited, EnumValue, Expr, ExprKind, FieldDecl, Key, Layer,
    Name, Param, ParamDomain, Role, Row, SentenceId, Side, Tail, Text, Tree, Type, UnitRef,
    Visibility, Writer,
};

pub(super) fn joined<T>(things: &[T], between: &str, write: impl Fn(&T) -> String) -> String {
    things.iter().map(write).collect::<Vec<_>>().join(between)
}

/// Writes something as its table says.
pub(super) fn written(it: &impl Tree) -> String {
    let mut flat = Flat(String::new());
    it.write(&mut flat, Role::Plain);
    flat.0
}

struct Flat(String);

impl Writer for Flat {
    fn word(&mut self, word: &str) {
        self.0.push_str(word);
    }

    fn text(&mut self, text: &str) {
        self.0.push_str(&escaped(text));
    }

    fn expr(&mut self, expr: &Expr, _role: Role) {
        if expr.parenthesised {
            self.0.push('(');
        }
        expr.kind.write(self, Role::Plain);
        if expr.parenthesised {
            self.0.push(')');
        }
    }

    fn block(&mut self, block: &Block) {
        self.0.push_str("{ ");
        block.statements.write(self, Role::Plain);
        self.0.push_str(if block.statements.is_empty() {
            "}"
        } else {
            " }"
        });
    }

    fn tail(&mut self, tail: &Tail) {
        self.0.push_str(&self::tail(tail));
    }
}

pub(super) fn opt(before: &str, it: Option<&Expr>) -> String {
    it.map_or(String::new(), |it| format!("{before}{}", written(it)))
}

pub(super) fn is_joined_by(it: &Expr, ops: &[BinaryOp]) -> bool {
    matches!(&it.kind, ExprKind::Binary { op, .. } if ops.contains(op)) && !it.parenthesised
}

// ---------- texts and tails

pub(super) fn text(text: &Text) -> String {
    format!("\"{}\"", escaped(&text.text))
}

pub(super) fn escaped(text: &str) -> String {
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
    format!("{}{}", value.name, signs(&value.symbol, &value.plain))
}

fn signs(symbol: &Option<Text>, plain: &Option<Text>) -> String {
    let signs = symbol.iter().chain(plain);
    signs.map(|it| format!(" {}", text(it))).collect()
}

pub(super) fn field_decl(field: &FieldDecl) -> String {
    format!(
        "{}: {}{}{}",
        field.name,
        written(&field.ty),
        signs(&field.symbol, &field.plain),
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
        Some(field) => format!("{field} = {}", written(&cell.value)),
        None => written(&cell.value),
    }
}

pub(super) fn index_decl(types: &[Type]) -> String {
    if types.is_empty() {
        String::new()
    } else {
        format!("[{}]", joined(types, ", ", written))
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
            ParamDomain::Type(of) => format!("{names}: {}", written(of)),
            ParamDomain::Set(_) | ParamDomain::Several { .. } => {
                format!("{names} in {}", written(&param.domain))
            }
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
        Audience::Seat(seat) => format!(" seen by {}", written(seat)),
    }
}
