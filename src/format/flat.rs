//! Everything on one line.

use crate::syntax::ast::{
    Alternative, Among, Arg, Arm, ArmHead, Audience, BinaryOp, Binder, Block, Call, Cell, Choose,
    Chooser, Cite, Cited, Comprehension, DEFAULT_TIGHTNESS, Each, EnumValue, Exchanged, Expect,
    ExpectKind, Expr, ExprKind, FieldDecl, Key, Move, Moved, Name, Param, ParamDomain, Play,
    RANGE_TIGHTNESS, Row, SentenceId, Side, Slot, Statement, StatementKind, Tail, Template,
    TemplatePart, Text, Times, Type, TypeKind, Visibility,
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
        out.push_str(&format!(" order {} {}", side(order.side), order.name));
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

pub(super) fn row_keys(row: &Row) -> String {
    joined(&row.keys, ", ", |key| match key {
        Key::Name(name) => name.text.clone(),
        Key::Number(number) => number.value.to_string(),
    })
}

fn cell(cell: &Cell) -> String {
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
    let words = match &it.audience {
        Audience::All => String::from(" open"),
        Audience::Nobody => String::from(" hidden"),
        Audience::Seat(seat) => format!(" seen by {}", expr(seat)),
    };
    words + if it.uncounted { " uncounted" } else { "" }
}

// ---------- expressions

pub(super) fn opt(before: &str, it: Option<&Expr>) -> String {
    it.map_or(String::new(), |it| format!("{before}{}", expr(it)))
}

pub(super) fn expr(it: &Expr) -> String {
    let inner = bare(it);
    if it.parenthesised {
        format!("({inner})")
    } else {
        inner
    }
}

/// Writes an expression without the parentheses around it.
pub(super) fn bare(it: &Expr) -> String {
    match &it.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::None => String::from("none"),
        ExprKind::Text(it) => template(it),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Call(it) => call(it),
        ExprKind::Index { base, indices } => {
            format!("{}[{}]", left(base, u8::MAX), joined(indices, ", ", expr))
        }
        ExprKind::Field { base, field } => format!("{}.{field}", left(base, u8::MAX)),
        ExprKind::Unary { op, operand, .. } => {
            let gap = if op.word() == "-" { "" } else { " " };
            format!("{}{gap}{}", op.word(), right(operand, op.tightness()))
        }
        ExprKind::Binary {
            op,
            left: a,
            right: b,
            ..
        } => {
            let (before, behind) = op.tightness();
            format!("{} {} {}", left(a, before), op.word(), right(b, behind))
        }
        ExprKind::Range { from, to } => format!(
            "{}..{}",
            left(from, RANGE_TIGHTNESS.0),
            right(to, RANGE_TIGHTNESS.1)
        ),
        ExprKind::Default { value, fallback } => {
            format!(
                "{} default {}",
                left(value, DEFAULT_TIGHTNESS.0),
                right(fallback, DEFAULT_TIGHTNESS.1)
            )
        }
        ExprKind::Set(members) if members.is_empty() => String::from("{}"),
        ExprKind::Set(members) => format!("{{ {} }}", joined(members, ", ", expr)),
        ExprKind::Comprehension(it) => comprehension(it),
        ExprKind::Tuple(members) => format!("({})", joined(members, ", ", expr)),
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => format!(
            "if {} then {} else {}",
            expr(condition),
            expr(then),
            expr(otherwise)
        ),
        ExprKind::By { subject, arms } => {
            let arms = joined(arms, "  ", |arm| {
                format!("{} => {}", arm_head(arm), expr(&arm.body))
            });
            format!("by {} {{ {arms} }}", expr(subject))
        }
        ExprKind::After { body, value } => format!("after {} {}", block(body), operand(value)),
        ExprKind::Can { who, alternatives } => {
            format!("can({}, {})", expr(who), self::alternatives(alternatives))
        }
        ExprKind::Reach { start, var, next } => {
            format!("reach {} via {var} -> {}", operand(start), operand(next))
        }
        ExprKind::Groups { domain, var, next } => {
            format!("groups {} via {var} -> {}", operand(domain), operand(next))
        }
        ExprKind::Walk {
            direction,
            from,
            var,
            condition,
        } => format!(
            "walk {} from {} while {var}: {}",
            operand(direction),
            operand(from),
            expr(condition)
        ),
    }
}

/// Writes what stands before an operator that binds so tightly.
pub(super) fn left(it: &Expr, tightness: u8) -> String {
    let swallows_what_follows = matches!(it.kind, ExprKind::If { .. } | ExprKind::Walk { .. });
    if binds(it) < tightness || swallows_what_follows {
        in_parentheses(it)
    } else {
        expr(it)
    }
}

/// Writes what stands behind an operator that binds so tightly; a prefix there needs no parentheses.
pub(super) fn right(it: &Expr, tightness: u8) -> String {
    let is_prefix = matches!(it.kind, ExprKind::Unary { .. });
    if binds(it) < tightness && !is_prefix {
        in_parentheses(it)
    } else {
        expr(it)
    }
}

fn operand(it: &Expr) -> String {
    right(it, u8::MAX)
}

fn in_parentheses(it: &Expr) -> String {
    format!("({})", bare(it))
}

/// Returns how tightly the outermost operator binds; [`u8::MAX`] if there is none.
fn binds(it: &Expr) -> u8 {
    match &it.kind {
        _ if it.parenthesised => u8::MAX,
        ExprKind::Unary { op, .. } => op.tightness(),
        ExprKind::Binary { op, .. } => op.tightness().0,
        ExprKind::Range { .. } => RANGE_TIGHTNESS.0,
        ExprKind::Default { .. } => DEFAULT_TIGHTNESS.0,
        _ => u8::MAX,
    }
}

pub(super) fn is_joined_by(it: &Expr, ops: &[BinaryOp]) -> bool {
    matches!(&it.kind, ExprKind::Binary { op, .. } if ops.contains(op)) && !it.parenthesised
}

fn comprehension(it: &Comprehension) -> String {
    let map = it
        .map
        .as_ref()
        .map_or(String::new(), |map| format!("{} for ", expr(map)));
    format!(
        "{{ {map}{}{} }}",
        joined(&it.binders, ", ", binder),
        opt(" by ", it.by.as_deref())
    )
}

pub(super) fn binder(it: &Binder) -> String {
    format!(
        "{} in {}{}",
        it.name,
        expr(&it.set),
        opt(" where ", it.condition.as_ref())
    )
}

pub(super) fn arm_head<T>(arm: &Arm<T>) -> String {
    match &arm.head {
        ArmHead::Names(names) => joined(names, ", ", |name| name.text.clone()),
        ArmHead::Else => String::from("else"),
    }
}

pub(super) fn call(call: &Call) -> String {
    format!("{}({})", call.name, joined(&call.args, ", ", arg))
}

fn arg(arg: &Arg) -> String {
    match &arg.name {
        Some(name) => format!("{name}: {}", expr(&arg.value)),
        None => expr(&arg.value),
    }
}

/// Writes a name with arguments; none are no parentheses.
fn name_and_args(name: &Name, args: &[Arg]) -> String {
    if args.is_empty() {
        name.text.clone()
    } else {
        format!("{name}({})", joined(args, ", ", arg))
    }
}

// ---------- choices

pub(super) fn alternatives(alternatives: &[Alternative]) -> String {
    joined(alternatives, " | ", alternative)
}

pub(super) fn alternative(it: &Alternative) -> String {
    let body = it
        .body
        .as_ref()
        .map_or(String::new(), |body| format!(" {}", block(body)));
    format!("{}{body}", alternative_head(it))
}

pub(super) fn alternative_head(it: &Alternative) -> String {
    let text = it
        .text
        .as_ref()
        .map_or(String::new(), |text| format!(" {}", template(text)));
    format!("{}{text}", name_and_args(&it.name, &it.args))
}

pub(super) fn slot(it: &Slot) -> String {
    format!(
        "{}{}{}",
        slot_head(it),
        alternatives(&it.alternatives),
        tail(&it.tail)
    )
}

pub(super) fn slot_head(it: &Slot) -> String {
    format!("{} {}: ", if it.many { "many" } else { "once" }, it.name)
}

pub(super) fn chooser(it: &Choose) -> String {
    let may = if it.may { "may " } else { "" };
    match &it.who {
        Chooser::Chance(_) => format!("{may}choose chance"),
        Chooser::Seat(seat) => format!("{may}choose {}", expr(seat)),
    }
}

// ---------- statements

pub(super) fn block(it: &Block) -> String {
    if it.statements.is_empty() {
        return String::from("{ }");
    }
    format!("{{ {} }}", joined(&it.statements, "  ", statement))
}

pub(super) fn statement(it: &Statement) -> String {
    match &it.kind {
        StatementKind::Let { name, value } => format!("let {name} = {}", expr(value)),
        StatementKind::Assign { target, op, value } => {
            format!("{} {} {}", expr(target), op.word(), expr(value))
        }
        StatementKind::Call(it) => call(it),
        StatementKind::If {
            branches,
            otherwise,
        } => {
            let branches = joined(branches, " else ", |it| {
                format!("if {} {}", expr(&it.condition), block(&it.body))
            });
            format!("{branches}{}", opt_block(" else ", otherwise.as_ref()))
        }
        StatementKind::By { subject, arms } => {
            let arms = joined(arms, "  ", |arm| {
                format!("{} => {}", arm_head(arm), block(&arm.body))
            });
            format!("by {} {{ {arms} }}", expr(subject))
        }
        StatementKind::Window { who, slots } => {
            format!("window {} {{ {} }}", expr(who), joined(slots, "  ", slot))
        }
        StatementKind::Choose(it) => choose(it),
        StatementKind::While { body, .. }
        | StatementKind::ForEach { body, .. }
        | StatementKind::Step { body, .. }
        | StatementKind::Turns { body, .. } => format!("{} {}", head(it), block(body)),
        StatementKind::Repeat { times, body } => {
            format!("{} {}{}", head(it), block(body), until(times))
        }
        StatementKind::Move(it) => move_statement(it),
        StatementKind::Draw { amount, from, to } => {
            let amount = amount
                .as_ref()
                .map_or(String::new(), |n| format!("{} of ", expr(n)));
            format!("draw {amount}{} to {}", expr(from), expr(to))
        }
        StatementKind::Exchange { left, right } => {
            format!("exchange {} with {}", exchanged(left), exchanged(right))
        }
        StatementKind::Shuffle { zone } => format!("shuffle {}", expr(zone)),
        StatementKind::Show { place, audience } => {
            let audience = match audience {
                Audience::Seat(seat) => expr(seat),
                Audience::All | Audience::Nobody => String::from("all"),
            };
            format!("show {} to {audience}", expr(place))
        }
        StatementKind::Ranking { seats, by } => {
            format!("ranking {} by {}", expr(seats), joined(by, ", ", expr))
        }
        StatementKind::Winner(seat) => format!("winner {}", expr(seat)),
        StatementKind::End(it) => format!("end {}", name_and_args(&it.name, &it.args)),
        StatementKind::Return(value) => format!("return{}", opt(" ", value.as_ref())),
        StatementKind::Next => String::from("next"),
        StatementKind::Again => String::from("again"),
    }
}

/// Writes what stands before the block of a statement that has one block at its end; else nothing.
pub(super) fn head(it: &Statement) -> String {
    match &it.kind {
        StatementKind::While { condition, .. } => format!("while {}", expr(condition)),
        StatementKind::Repeat { times, .. } => match times {
            Times::Count(n) => format!("repeat {}", expr(n)),
            Times::Forever | Times::Until(_) => String::from("repeat"),
        },
        StatementKind::ForEach { binders, .. } => {
            format!("for each {}", joined(binders, ", ", each))
        }
        StatementKind::Step { name, tail: it, .. } => format!("step {name}{}", tail(it)),
        StatementKind::Turns {
            name,
            from,
            once,
            condition,
            ..
        } => {
            let once = if *once { " once" } else { "" };
            format!(
                "turns {name} from {}{once}{}",
                expr(from),
                opt(" where ", condition.as_ref())
            )
        }
        _ => String::new(),
    }
}

pub(super) fn until(times: &Times) -> String {
    match times {
        Times::Until(condition) => format!(" until {}", expr(condition)),
        Times::Forever | Times::Count(_) => String::new(),
    }
}

fn each(it: &Each) -> String {
    let backwards = if it.backwards { " backwards" } else { "" };
    let condition = opt(" where ", it.binder.condition.as_ref());
    format!(
        "{} in {}{backwards}{condition}",
        it.binder.name,
        expr(&it.binder.set)
    )
}

fn choose(it: &Choose) -> String {
    let among = match &it.among {
        Among::Alternatives(these) => format!(": {}", alternatives(these)),
        Among::Members {
            binder: it,
            weight,
            body,
        } => {
            let weight = opt(" weighted ", weight.as_ref());
            format!(" {}{weight}{}", binder(it), opt_block(" ", body.as_ref()))
        }
    };
    let otherwise = opt_block(" otherwise ", it.otherwise.as_ref());
    format!("{}{among}{}{otherwise}", chooser(it), tail(&it.tail))
}

fn move_statement(it: &Move) -> String {
    let what = match &it.what {
        Moved::Place(place) => expr(place),
        Moved::All(zone) => format!("all of {}", expr(zone)),
        Moved::Top(zone) => format!("top of {}", expr(zone)),
        Moved::Copies {
            amount,
            component,
            from,
        } => {
            let amount = amount
                .as_ref()
                .map_or(String::new(), |n| format!("{} of ", expr(n)));
            format!("{amount}{} from {}", expr(component), expr(from))
        }
    };
    let with = joined(&it.with, ", ", |it| {
        format!("{} = {}", it.field, expr(&it.value))
    });
    let with = if with.is_empty() {
        with
    } else {
        format!(" with {with}")
    };
    format!("move {what} to {}{with}", expr(&it.to))
}

fn exchanged(it: &Exchanged) -> String {
    match it {
        Exchanged::Place(place) => expr(place),
        Exchanged::Copy { component, from } => format!("{} from {}", expr(component), expr(from)),
    }
}

pub(super) fn opt_block(before: &str, it: Option<&Block>) -> String {
    it.map_or(String::new(), |it| format!("{before}{}", block(it)))
}

// ---------- rulings

pub(super) fn play(it: &Play) -> String {
    format!("{}: {}", expr(&it.who), alternative(&it.alternative))
}

pub(super) fn expect(it: &Expect) -> String {
    let kind = match &it.kind {
        ExpectKind::Legal(it) => format!("legal {}", play(it)),
        ExpectKind::Illegal { play: it, by } => {
            let by = by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
            format!("illegal {}{by}", play(it))
        }
        ExpectKind::Offers { who, exactly } => {
            format!(
                "offers {}: exactly {{ {} }}",
                expr(who),
                joined(exactly, ", ", alternative)
            )
        }
        ExpectKind::Ended { by: None } => String::from("ended"),
        ExpectKind::Ended { by: Some(ending) } => format!("ended by {ending}"),
        ExpectKind::Holds(condition) => expr(condition),
    };
    let under = joined(&it.under, ", ", |it| {
        format!("{} = {}", it.setting, operand(&it.value))
    });
    let under = if under.is_empty() {
        under
    } else {
        format!(" under {under}")
    };
    format!("expect {kind}{under}{}", tail(&it.tail))
}
