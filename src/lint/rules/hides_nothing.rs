use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::{Visibility, Zone};

pub(super) const LINT: Lint = Lint {
    code: codes::HIDES_NOTHING,
    run,
};

/// A zone that not all see, though all that can lie there is alike: how many lie where is seen by all.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let game = context.book.game;
    for zone in game.iter().flat_map(|it| &it.zones) {
        let kinds = game.and_then(|it| it.domains.get(zone.component.index()));
        let Some(kinds) = kinds.filter(|it| it.size == 1 && has_secrets(zone)) else {
            continue;
        };
        let declared = context.index.declared(&zone.name);
        let Some(name) = declared.and_then(|it| it.kind.name()) else {
            continue;
        };
        let kind = &kinds.name;
        let message = format!(
            "this hides nothing: one `{kind}` is like another, and all see how many lie where in `{zone}`",
            zone = zone.name
        );
        let help = match zone.index.len() {
            1 => "keep the number itself: `track NAME[seat]: 0..99 = 0 seen by owner`",
            _ => {
                "say of each spot whether it is filled: `track NAME[seat, SPOT]: bool = false seen by owner`"
            }
        };
        let help = format!("where it is to be secret, {help}; else write `open`");
        found.push(Diagnostic::at(codes::HIDES_NOTHING, name.span, message).help(help));
    }
}

/// Whether some seats see what lies there and others do not, and nothing but the kind can be hidden from these.
fn has_secrets(zone: &Zone) -> bool {
    let is_of_some = matches!(
        zone.visibility,
        Visibility::Owner(_) | Visibility::Others(_)
    );
    is_of_some && zone.fields.is_empty()
}
