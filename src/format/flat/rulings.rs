//! Lines of rulings.

use super::*;
use crate::syntax::ast::{Expect, ExpectKind, Play};

pub(in crate::format) fn play(it: &Play) -> String {
    format!("{}: {}", written(&it.who), written(&it.alternative))
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
                written(who),
                joined(exactly, ", ", written)
            )
        }
        ExpectKind::Ended { by: None } => String::from("ended"),
        ExpectKind::Ended { by: Some(ending) } => format!("ended by {ending}"),
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
    let under = joined(&it.under, ", ", |it| {
        format!("{} = {}", it.setting, written(&it.value))
    });
    let under = if under.is_empty() {
        under
    } else {
        format!(" under {under}")
    };
    format!("{under}{}", tail(&it.tail))
}
