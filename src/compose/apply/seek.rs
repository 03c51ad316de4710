//! Finding what an edit names, or saying why it cannot be found.

use std::sync::Arc;

use super::Work;
use crate::compose::address::Kind;
use crate::compose::conflict::{Act, Edit, Side, Touch, Why};
use crate::compose::state::{DO, Found, Miss, Place, Target};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, SettingValues};

/// Suggestions cost a look at all addresses, so only so many are made.
const MOST_SUGGESTIONS: usize = 20;

impl Work<'_> {
    /// Finds what an edit names, or says why it cannot.
    pub(super) fn seek(&mut self, edit: Edit, path: &ast::Path, act: Act) -> Option<Found> {
        let found = self.state.find(path);
        self.sought(edit, path, act, None, found)
    }

    /// Finds the window or choice that an edit names by what is around it.
    pub(super) fn seek_container(
        &mut self,
        edit: Edit,
        path: &ast::Path,
        kind: Kind,
    ) -> Option<Found> {
        let found = self.state.find_container(path, kind);
        if matches!(found, Err(Miss::Nothing)) && self.state.find(path).is_ok() {
            let message = format!("`{path}` holds no {}", bare(kind));
            let mut diagnostic = Diagnostic::at(codes::WRONG_TARGET, path.span, message);
            let meant = self.state.below(path, |it| it == kind);
            if !meant.is_empty() {
                let listed = listed(&meant);
                diagnostic =
                    diagnostic.help(format!("there is one at {listed}: name what is around it"));
            }
            self.diagnostics.push(diagnostic);
            return None;
        }
        self.sought(edit, path, Act::Grow, Some(kind), found)
    }

    fn sought(
        &mut self,
        edit: Edit,
        path: &ast::Path,
        act: Act,
        around: Option<Kind>,
        found: Result<Found, Miss>,
    ) -> Option<Found> {
        match found {
            Ok(found) => self.may_name(edit, path, &found.place).then_some(found),
            Err(Miss::Several(spans)) => {
                let message = format!("`{path}` is the address of {} things", spans.len());
                let mut diagnostic = Diagnostic::at(codes::AMBIGUOUS_TARGET, path.span, message);
                for span in spans.iter().take(3) {
                    diagnostic = diagnostic.label(*span, "one of them");
                }
                self.diagnostics
                    .push(diagnostic.help("give the steps there labels of their own"));
                None
            }
            Err(Miss::Nothing) => {
                self.missed(edit, path, act, around);
                None
            }
        }
    }

    /// Returns whether the edit may rely on everything on the way to an address.
    pub(super) fn may_name(&mut self, edit: Edit, path: &ast::Path, place: &[String]) -> bool {
        let unit = self.unit(edit);
        let foreign = (1..=place.len()).find_map(|length| {
            let above = place.get(..length)?;
            let by = *self.brought.get(above)?;
            (!self.units.stands_on(unit, by) && !self.units.together(unit, by)).then_some(by)
        });
        let Some(by) = foreign else { return true };
        let name = self.name(edit).to_owned();
        let other = self.units.units.get(by);
        let is_resolve = other.is_some_and(|unit| !unit.resolves.is_empty());
        let other = match other {
            Some(unit) if is_resolve => self.units.file_name(unit.file),
            Some(unit) => unit.name.as_str(),
            None => "?",
        };
        self.diagnostics.push(
            Diagnostic::at(
                codes::TARGET_OF_ANOTHER,
                path.span,
                format!("`{path}` comes with `{other}`, which `{name}` does not need"),
            )
            .help(match self.units.choice(unit) {
                Some(choice) => only_under(&choice.name, &name, other),
                None => format!("write `needs {other}` in `{name}`"),
            }),
        );
        false
    }

    /// A reading that nobody has chosen, or an option at its default, with edits that would bring this item.
    fn brought_elsewhere(&self, path: &ast::Path) -> Option<String> {
        let item = path.segments.first()?.as_str();
        if self.state.number(item).is_some() {
            return None;
        }
        let items = self.units.files.iter().flat_map(|it| &it.items);
        let settings = items.filter_map(|it| match &it.kind {
            ItemKind::Setting(setting) => Some(setting),
            _ => None,
        });
        let brings = |edits: &Option<Vec<Arc<ast::Item>>>| {
            let mut edits = edits.iter().flatten();
            edits.any(|it| it.kind.name().is_some_and(|it| it.text == item))
        };
        let mut found = settings.filter_map(|setting| match &setting.values {
            SettingValues::Readings(readings) => {
                let reading = readings.iter().find(|it| brings(&it.edits))?;
                Some(format!("{} = {}", setting.name, reading.name))
            }
            SettingValues::Typed { .. } => brings(&setting.edits).then(|| setting.name.to_string()),
        });
        found.next()
    }

    /// Says that there is nothing at an address, and why; of something that is named by what is `around` it too.
    pub(super) fn missed(&mut self, edit: Edit, path: &ast::Path, act: Act, around: Option<Kind>) {
        let place: Place = path.segments.iter().map(|it| it.text.clone()).collect();
        let mut inside = place.clone();
        inside.insert(1.min(inside.len()), DO.to_owned());
        self.intends(edit, &place, act);
        self.intends(edit, &inside, act);
        let over = self.overridden_above(&place, &inside);
        let span = path.span;
        let touch = Touch { edit, act, span };
        match over {
            Some((_, over)) if over.act == Act::Remove && act == Act::Remove => {}
            Some((above, over)) if !self.settled(over, touch) => {
                let why = match over.act {
                    Act::Remove => Why::EditOfRemoved,
                    _ => Why::EditOfReplaced,
                };
                self.clashes(why, [above, place], Side::new(over), Side::new(touch));
            }
            over => {
                if let Some(other) = self.brought_elsewhere(path).filter(|_| over.is_none()) {
                    return self.not_without(edit, path, &other);
                }
                let message = format!("there is no `{path}`");
                let mut diagnostic = Diagnostic::at(codes::UNKNOWN_TARGET, span, message);
                if let Some((_, over)) = over {
                    let by = self.name(over.edit);
                    let text = format!("`{by}` {} here", Side::new(over).does);
                    diagnostic = diagnostic.label(over.span, text);
                } else {
                    let near = self.suggestions(path, around);
                    diagnostic = match near.as_slice() {
                        [] => diagnostic.help(self.list_of_all(path)),
                        [near] if around.is_some() => diagnostic
                            .help(format!(
                                "did you mean `{near}`? What is named is what is around it"
                            ))
                            .fix(format!("write `{near}`"), vec![(span, near.clone())]),
                        [near] => diagnostic
                            .help(format!("did you mean `{near}`?{}", self.takes(near)))
                            .fix(format!("write `{near}`"), vec![(span, near.clone())]),
                        several => diagnostic.help(format!("did you mean {}?", listed(several))),
                    };
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Says that there is something at an address only under a reading that the edit does not ask for.
    fn not_without(&mut self, edit: Edit, path: &ast::Path, other: &str) {
        let name = self.name(edit);
        let help = match self.units.choice(self.unit(edit)) {
            Some(choice) => only_under(&choice.name, name, other),
            None => format!(
                "put it into `resolve {name} + {other} {{ … }}`, or write `needs {other}` in `{name}`"
            ),
        };
        let message = format!("`{path}` is only there under `{other}`");
        self.diagnostics
            .push(Diagnostic::at(codes::TARGET_OF_ANOTHER, path.span, message).help(help));
    }

    /// Returns what replaces or removes something at or above an address that is not there.
    fn overridden_above(&self, place: &[String], inside: &[String]) -> Option<(Place, Touch)> {
        let mut above = self.touches.above(place).chain(self.touches.above(inside));
        let over = above.find(|(_, touch)| touch.act.overrides());
        // A guard may be named by its label alone.
        let mut guards = self
            .touches
            .overrides()
            .filter(|(at, _)| match (*at, place) {
                ([_, label], [written]) => label == written,
                _ => false,
            });
        let over = over.or_else(|| guards.next());
        over.map(|(at, touch)| (at.to_vec(), touch))
    }

    fn suggestions(&mut self, path: &ast::Path, around: Option<Kind>) -> Vec<String> {
        self.suggestions += 1;
        if self.suggestions > MOST_SUGGESTIONS {
            return Vec::new();
        }
        let inside = around.map(|kind| self.state.below(path, |it| it == kind));
        match inside.filter(|it| !it.is_empty()) {
            Some(inside) => inside,
            None => self.state.near(path),
        }
    }

    /// Says where all is listed that can be named.
    fn list_of_all(&self, path: &ast::Path) -> String {
        let game = self.units.file_name(0);
        let last = path.segments.last().map_or("", |it| it.as_str());
        format!(
            "`adit outline {game} --find {last}` lists what has to do with that, and `adit outline {game}` all that can be named"
        )
    }

    /// Says what stands at an address and which edits it takes, as a sentence of its own.
    fn takes(&mut self, address: &str) -> String {
        let segments = address.split('.').map(|text| ast::Name {
            text: text.to_owned(),
            span: Span::default(),
        });
        let path = ast::Path {
            segments: segments.collect(),
            span: Span::default(),
        };
        let found = self.state.find(&path).ok();
        let told = found.and_then(|it| self.state.edits_at(&it.target));
        told.map_or_else(String::new, |(kind, edits)| {
            let article = indefinite(kind);
            format!(" It is {article} {kind}: {}", edits.join(", "))
        })
    }

    /// Says that what was found is not what the edit is for.
    pub(super) fn unfit(&mut self, path: &ast::Path, found: &Found, wanted: &str, help: &str) {
        let kind = match &found.target {
            Target::Item(number) => self.state.get(*number).map_or("", |it| it.item.kind.word()),
            Target::Inside { at, .. } => bare(at.kind),
            Target::Guard(number) => {
                let guard = self.state.guards.get(*number);
                guard.map_or("", |guard| guard.kind.word())
            }
        };
        let message = format!("`{path}` is {} `{kind}`, not {wanted}", indefinite(kind));
        let takes = match self.state.edits_at(&found.target) {
            Some((_, edits)) if !edits.is_empty() => {
                format!("; `{path}` takes {}", edits.join(", "))
            }
            _ => String::new(),
        };
        self.diagnostics.push(
            Diagnostic::at(codes::WRONG_TARGET, path.span, message).help(format!("{help}{takes}")),
        );
    }
}

/// How the edits of a reading may speak of what another one brings.
fn only_under(question: &str, reading: &str, other: &str) -> String {
    format!(
        "ask `{question}` only `under {other}`, or put the edit into `resolve {reading} + {other} {{ … }}`"
    )
}

fn listed(addresses: &[String]) -> String {
    let each = addresses.iter().map(|it| format!("`{it}`"));
    each.collect::<Vec<String>>().join(" or ")
}

/// Returns a kind without its article.
fn bare(kind: Kind) -> &'static str {
    let words = kind.words();
    words.split_once(' ').map_or(words, |(_, word)| word)
}

fn indefinite(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}
