//! Lines of rulings.

use super::*;
use crate::syntax::ast::{Expect, ExpectKind, Play, Under, When};

pub(in crate::format) fn play(it: &Play) -> String {
    format!("{}: {}", written(&it.who), written(&it.alternative))
}

pub(in crate::format) fn when(it: &When) -> String {
    let then = it.then.iter().map(|it| format!(" then {}", written(it)));
    format!("when {}{}", play(&it.play), then.collect::<String>())
}

pub(in crate::format) fn expect(it: &Expect) -> String {
    let kind = match &it.kind {
        ExpectKind::Legal(it) => format!("legal {}", play(it)),
        ExpectKind::Illegal { play: it, by } => {
            let by = by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
            format!("illegal {}{by}", play(it))
        }
        ExpectKind::Offers {
            who,
            exactly,
            of_one: true,
        } => format!(
            "offers {}: {}",
            written(who),
            joined(exactly, ", ", written)
        ),
        ExpectKind::Offers { who, exactly, .. } => {
            format!(
                "offers {}: exactly {{ {} }}",
                written(who),
                joined(exactly, ", ", written)
            )
        }
        ExpectKind::Ended { by: None } => String::from("ended"),
        ExpectKind::Ended { by: Some(ending) } => format!("ended by {ending}"),
        ExpectKind::Won(seats) => format!("winner {}", written(seats)),
        ExpectKind::Sees {
            who,
            what,
            text: seen,
        } => {
            format!("{} sees {} as {}", written(who), written(what), text(seen))
        }
        ExpectKind::Told { who, text: told } => format!("told {} {}", written(who), text(told)),
        ExpectKind::Holds(condition) => written(condition),
    };
    format!("expect {kind}{}", behind_expect(it))
}

/// Under what it holds, and the tail.
pub(in crate::format) fn behind_expect(it: &Expect) -> String {
    let under = match it.under.as_slice() {
        [] => String::new(),
        these => format!(" {}", under(these)),
    };
    format!("{under}{}", tail(&it.tail))
}

pub(in crate::format) fn under(these: &[Under]) -> String {
    let these = joined(these, ", ", |it| {
        format!("{} = {}", it.setting, written(&it.value))
    });
    format!("under {these}")
}
