//! `replace PATH { … }`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::compose::address::{Address, Kind, Place, addresses_of_block, change};
use crate::compose::apply::base::{New, Old};
use crate::compose::apply::{Work, merge};
use crate::compose::canon;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{DO, Found, Place as Named, Target, held_by};
use crate::syntax::ast::{self, ItemKind};

impl Work<'_> {
    pub(super) fn replace_body(&mut self, edit: Edit, path: &ast::Path, body: &ast::Block) {
        let Some(mut found) = self.seek(edit, path, Act::Replace) else {
            return;
        };
        let mut act = Act::Replace;
        let fits = match &found.target {
            Target::Item(number) => match self.state.get(*number).map(|it| &it.item.kind) {
                Some(ItemKind::Flow(_)) => true,
                Some(ItemKind::Event(_) | ItemKind::Ending(_)) => {
                    act = Act::ReplaceBody;
                    true
                }
                Some(ItemKind::Action(_)) => {
                    // What it does is replaced, its clauses are not.
                    found.place.push(DO.to_owned());
                    act = Act::ReplaceBody;
                    true
                }
                _ => false,
            },
            Target::Inside { at, .. } => {
                if matches!(at.kind, Kind::Step | Kind::Turn) {
                    act = Act::ReplaceBody;
                }
                matches!(
                    at.kind,
                    Kind::Step | Kind::Turn | Kind::Alternative | Kind::Case
                )
            }
            Target::Guard(_) => false,
        };
        if !fits {
            let help = "`replace PATH { … }` is for an event, a flow, an ending, a step, a turn, a case or what an action does";
            return self.unfit(path, &found, "something that happens", help);
        }
        if !self.may(edit, &found.place, act, path.span) {
            return;
        }
        let within = self.along_with(&found, Some(body));
        let mut within_may = within
            .iter()
            .map(|it| self.may(edit, it, Act::Replace, path.span));
        if !within_may.all(|it| it) {
            return;
        }
        let done = match &found.target {
            Target::Item(number) => self.replace_body_of_item(edit, *number, &found.place, body),
            Target::Inside { item, at } => {
                self.replace_body_inside(edit, *item, at, &found.place, body)
            }
            Target::Guard(_) => false,
        };
        if done {
            self.inserted.replaced_inside(&found.place);
            self.touch(edit, &found.place, act, path.span);
            for place in within {
                self.touch(edit, &place, Act::Replace, path.span);
            }
        }
    }

    /// The addresses of what goes and comes with the body of a turn or a case: they do not begin with its own.
    pub(in crate::compose::apply) fn along_with(
        &mut self,
        found: &Found,
        new: Option<&ast::Block>,
    ) -> BTreeSet<Named> {
        let Target::Inside { item, at } = &found.target else {
            return BTreeSet::new();
        };
        let Some((_, around)) = found.place.split_last().filter(|_| at.kind.gives_way()) else {
            return BTreeSet::new();
        };
        let old = self.state.item(*item);
        let old = old.and_then(|it| change(it, at, |place| body_at(place).cloned()).flatten());
        let blocks = old.into_iter().chain(new.cloned());
        let inside = blocks.flat_map(|mut it| addresses_of_block(&mut it, around));
        let inside = inside.filter(|it| it.kind != Kind::Turn);
        let places = inside.map(|it| it.path.into_iter().chain(held_by(it.kind)).collect());
        places.collect()
    }

    /// Replaces what is done; what amendments have inserted at its edges stays there.
    fn replace_body_of_item(
        &mut self,
        edit: Edit,
        number: usize,
        place: &[String],
        body: &ast::Block,
    ) -> bool {
        let Some(mut old) = self.state.get(number).cloned() else {
            return false;
        };
        let old_body = match &mut Arc::make_mut(&mut old.item).kind {
            ItemKind::Event(it) => Some(&mut it.body),
            ItemKind::Ending(it) => Some(&mut it.body),
            ItemKind::Action(it) => it.body.as_mut(),
            _ => None,
        };
        let edges = old_body.map(|old| self.inserted.edges_of(place, old));
        let mut body = body.clone();
        let Some(lives_on) = self.put_base_in_body(edit, &old.item.kind, &mut body) else {
            return false;
        };
        if let Some([front, behind]) = edges {
            body.statements.splice(0..0, front);
            body.statements.extend(behind);
        }
        let mut item = ast::Item::clone(&old.item);
        item.tail = self.tail(edit);
        match &mut item.kind {
            ItemKind::Event(it) => it.body = body,
            ItemKind::Flow(it) => it.body = body,
            ItemKind::Ending(it) => it.body = body,
            ItemKind::Action(it) => {
                it.body = Some(body);
                item.tail = old.item.tail.clone();
                merge(&mut item.tail, &self.own_tail(edit));
            }
            _ => return false,
        }
        self.put_item(edit, number, item, lives_on.then_some(old));
        true
    }

    fn replace_body_inside(
        &mut self,
        edit: Edit,
        number: usize,
        at: &Address,
        place: &[String],
        body: &ast::Block,
    ) -> bool {
        let Some(item) = self.state.item(number) else {
            return false;
        };
        let mut old = change(item, at, |place| body_at(place).cloned()).flatten();
        let edges = match (at.kind, &mut old) {
            (Kind::Turn, Some(old)) => Some(self.inserted.edges_of(place, old)),
            _ => None,
        };
        let base = old.as_ref().map_or(Old::Nothing, Old::Body);
        let mut body = body.clone();
        if self.put_base(&base, New::Body(&mut body)).is_none()
            || !self.shallow(body.span, at.nesting, canon::depth(&body))
        {
            return false;
        }
        if let Some([front, behind]) = edges {
            body.statements.splice(0..0, front);
            body.statements.extend(behind);
        }
        let tail = self.tail(edit);
        if let Some(item) = self.state.item(number) {
            change(item, at, |place| put_body(place, body, tail));
        }
        self.note(edit, number);
        true
    }
}

fn body_at(place: Place<'_>) -> Option<&ast::Block> {
    match place {
        Place::Step(list, at) => match &list.get(at)?.kind {
            ast::StatementKind::Step { body, .. } => Some(body),
            _ => None,
        },
        Place::Alternative(list, at) => list.get(at)?.body.as_ref(),
        Place::Turn(body, _) => Some(body),
        Place::Case(list, at, _) => list.get(at).map(|it| &it.body),
        _ => None,
    }
}

/// Gives a case another body; of a case with several names only the one has it.
pub(super) fn put_case<T>(list: &mut Vec<ast::Arm<T>>, at: usize, name: &str, body: T) {
    let Some(arm) = list.get_mut(at) else {
        return;
    };
    let span = arm.span;
    if let ast::ArmHead::Names(names) = &mut arm.head
        && names.len() > 1
        && let Some(own) = names.iter().position(|it| it.text == name)
    {
        let head = ast::ArmHead::Names(vec![names.remove(own)]);
        list.insert(at + 1, ast::Arm { head, body, span });
    } else {
        arm.body = body;
    }
}

fn put_body(place: Place<'_>, new: ast::Block, new_tail: ast::Tail) {
    match place {
        Place::Step(list, at) => {
            if let Some(ast::StatementKind::Step { body, tail, .. }) =
                list.get_mut(at).map(|it| &mut it.kind)
            {
                *body = new;
                *tail = new_tail;
            }
        }
        Place::Alternative(list, at) => {
            if let Some(alternative) = list.get_mut(at) {
                alternative.body = Some(new);
            }
        }
        Place::Turn(body, _) => *body = new,
        Place::Case(list, at, name) => put_case(list, at, &name, new),
        _ => {}
    }
}
