use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::MOST_COMPARED;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{
    AssignOp, BinaryOp, Block, Expect, ExpectKind, Expr, ExprKind, Given, ItemKind, Name, Path,
    Scene, Statement, StatementKind,
};

pub(super) const LINT: Lint = Lint {
    code: codes::ECHOED_GIVEN,
    run,
};

/// Rulings in which nobody does anything and all that is expected was laid down just before: they hold whatever the rules say.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for placed in &context.index.items {
        let ItemKind::Ruling(ruling) = &placed.item.kind else {
            continue;
        };
        expected_twice(context, &ruling.scenes, found);
        let Some(given) = &ruling.given else { continue };
        if !ruling.scenes.is_empty()
            && waits_there(context, given)
            && ruling.scenes.iter().all(|it| is_laid_down(it, given))
        {
            let message = format!("`{}` expects only what it has laid down itself", ruling.id);
            found.push(
                Diagnostic::at(codes::ECHOED_GIVEN, ruling.id.span, message).help(
                    "say in a `when` what somebody does there, or expect what the rules make of it",
                ),
            );
        }
    }
}

/// What is expected twice while nobody does anything in between.
fn expected_twice(context: &Context<'_>, scenes: &[Scene], found: &mut Vec<Diagnostic>) {
    let mut before: Vec<&Expect> = Vec::new();
    for scene in scenes {
        match scene {
            Scene::Expect(it) => {
                let same = |other: &&&Expect| other.kind == it.kind && other.under == it.under;
                if let Some(first) = before.iter().find(same) {
                    let message = format!("`{}` is expected twice", context.text(it.span).trim());
                    found.push(
                        Diagnostic::at(codes::ECHOED_GIVEN, it.span, message)
                            .label(first.span, "here it is expected already")
                            .help("leave it out, or expect what was meant"),
                    );
                } else if before.len() < MOST_COMPARED {
                    before.push(it);
                }
            }
            Scene::Each { scenes, .. }
            | Scene::Under { scenes, .. }
            | Scene::Repeat { scenes, .. } => {
                before.clear();
                expected_twice(context, scenes, found);
            }
            Scene::When(_) => before.clear(),
        }
    }
}

/// Whether the game goes no further from the step that is named: there somebody chooses at once, and no other file inserts anything.
fn waits_there(context: &Context<'_>, given: &Given) -> bool {
    let at = given.from.as_ref().and_then(|it| it.at.as_ref());
    let Some(Path { segments, .. }) = at else {
        return false;
    };
    let [flow, steps @ ..] = segments.as_slice() else {
        return false;
    };
    let Some(ItemKind::Flow(flow)) = context.index.declared(flow.as_str()).map(|it| &it.kind)
    else {
        return false;
    };
    let mut inside = flow.body.statements.as_slice();
    for name in steps {
        let step = step_in(inside, name);
        let Some(step) = step else { return false };
        inside = &step.statements;
    }
    !context.index.edited.contains(flow.name.as_str()) && begins_with_a_choice(inside)
}

/// The step of a name: what has none is passed through.
fn step_in<'a>(statements: &'a [Statement], name: &Name) -> Option<&'a Block> {
    statements.iter().find_map(|it| match &it.kind {
        StatementKind::Step {
            name: own, body, ..
        } => (own == name).then_some(body),
        StatementKind::Turns { body, .. } | StatementKind::Repeat { body, .. } => {
            step_in(&body.statements, name)
        }
        _ => None,
    })
}

fn begins_with_a_choice(statements: &[Statement]) -> bool {
    match statements.first().map(|it| &it.kind) {
        Some(StatementKind::Choose(_) | StatementKind::Window { .. }) => true,
        Some(
            StatementKind::Turns { body, .. }
            | StatementKind::Repeat { body, .. }
            | StatementKind::Step { body, .. },
        ) => begins_with_a_choice(&body.statements),
        _ => false,
    }
}

/// Whether a line expects a value that was assigned, or things that were laid, and nothing behind that can change them.
fn is_laid_down(scene: &Scene, given: &Given) -> bool {
    let Scene::Expect(line) = scene else {
        return false;
    };
    let ExpectKind::Holds(Expr {
        kind:
            ExprKind::Binary {
                op: BinaryOp::Equal,
                left,
                right,
                ..
            },
        ..
    }) = &line.kind
    else {
        return false;
    };
    for statement in given.body.statements.iter().rev() {
        let (place, value) = match &statement.kind {
            StatementKind::Assign {
                target,
                op: AssignOp::Set,
                value,
                ..
            } => (target, value),
            StatementKind::Lay { place, drawn } => (place, drawn),
            // What else is done may change anything.
            _ => return false,
        };
        if place == left.as_ref() {
            return value == right.as_ref();
        }
        if place.leading_name() == left.leading_name() {
            return false;
        }
    }
    false
}
