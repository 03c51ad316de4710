//! Statements, choices and lines of rulings on one line.

use super::*;
use crate::syntax::ast::{
    Alternative, Among, Audience, Block, Choose, Chooser, Each, Exchanged, Expect, ExpectKind,
    Move, Moved, Play, Slot, Statement, StatementKind, Times,
};

pub(in crate::format) fn alternatives(alternatives: &[Alternative]) -> String {
    joined(alternatives, " | ", alternative)
}

pub(in crate::format) fn alternative(it: &Alternative) -> String {
    let body = it
        .body
        .as_ref()
        .map_or(String::new(), |body| format!(" {}", block(body)));
    format!("{}{body}", alternative_head(it))
}

pub(in crate::format) fn alternative_head(it: &Alternative) -> String {
    let text = it
        .text
        .as_ref()
        .map_or(String::new(), |text| format!(" {}", template(text)));
    format!("{}{text}", name_and_args(&it.name, &it.args))
}

pub(in crate::format) fn slot(it: &Slot) -> String {
    format!(
        "{}{}{}",
        slot_head(it),
        alternatives(&it.alternatives),
        tail(&it.tail)
    )
}

pub(in crate::format) fn slot_head(it: &Slot) -> String {
    format!("{} {}: ", if it.many { "many" } else { "once" }, it.name)
}

pub(in crate::format) fn chooser(it: &Choose) -> String {
    let may = if it.may { "may " } else { "" };
    match &it.who {
        Chooser::Chance(_) => format!("{may}choose chance"),
        Chooser::Seat(seat) => format!("{may}choose {}", expr(seat)),
    }
}

// ---------- statements

pub(in crate::format) fn block(it: &Block) -> String {
    if it.statements.is_empty() {
        return String::from("{ }");
    }
    format!("{{ {} }}", joined(&it.statements, "  ", statement))
}

pub(in crate::format) fn statement(it: &Statement) -> String {
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
pub(in crate::format) fn head(it: &Statement) -> String {
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

pub(in crate::format) fn until(times: &Times) -> String {
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

pub(in crate::format) fn opt_block(before: &str, it: Option<&Block>) -> String {
    it.map_or(String::new(), |it| format!("{before}{}", block(it)))
}

// ---------- rulings

pub(in crate::format) fn play(it: &Play) -> String {
    format!("{}: {}", expr(&it.who), alternative(&it.alternative))
}

pub(in crate::format) fn expect(it: &Expect) -> String {
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
        ExpectKind::Sees {
            who,
            what,
            text: seen,
        } => {
            format!("{} sees {} as {}", expr(who), expr(what), text(seen))
        }
        ExpectKind::Told { who, text: told } => format!("told {} {}", expr(who), text(told)),
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
