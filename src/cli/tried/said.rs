//! What two rule sets say differently before any game is played: clauses, what died, findings, settings, rulings.

use std::collections::{HashMap, HashSet};

use crate::cli::CliError;
use crate::cli::commands::matrix;
use crate::cli::commands::rulings::{WrongJson, wrong_of};
use crate::cli::load::{Loaded, Read};
use crate::compose::{self, Change, Composed, Dead, Entry, How};
use crate::diagnostic::Diagnostic;
use crate::model::Game;
use crate::pipeline;
use crate::play::setting_value;
use crate::ruling::{Purse, Ran, Verdict};

/// What the rulings of both come to.
#[derive(Default)]
pub struct Rulings {
    /// Those that come to the same.
    pub alike: usize,
    /// Those that only the second one has.
    pub new: usize,
    /// Those that say nothing of the second one.
    pub silent: usize,
    pub flips: Vec<Flip>,
    /// Whether somebody stopped it before all were run, so that nothing is known of them.
    pub stopped: bool,
}

/// A ruling that comes to something else.
pub struct Flip {
    pub id: String,
    pub title: String,
    /// None where there is no such ruling.
    pub was: Option<Verdict>,
    pub now: Option<Verdict>,
    pub wrong: Vec<WrongJson>,
}

impl Rulings {
    /// Those that fail under the second rule set alone.
    pub fn failed(&self) -> impl Iterator<Item = &Flip> {
        let failed = Some(Verdict::Failed);
        let flips = self.flips.iter();
        flips.filter(move |it| it.now == failed && it.was != failed)
    }
}

/// Lists what is different, each with its place.
pub fn changed(one: &Composed, other: &Composed, read: &[Read; 2]) -> Vec<(Change, String)> {
    let changes = compose::changes(one, other).into_iter();
    let placed = changes.map(|it| {
        let side = match it.how {
            How::Removed => &read[0],
            How::Added | How::Changed | How::Worded => &read[1],
        };
        let place = side.sources.place(it.span);
        (it, place)
    });
    let mut placed: Vec<_> = placed.collect();
    placed.extend(worded(one, other, read));
    placed
}

/// Lists what means the same and says it otherwise: in other words, or citing something else.
fn worded(one: &Composed, other: &Composed, read: &[Read; 2]) -> Vec<(Change, String)> {
    let before = one.outline();
    let before: HashMap<&str, &Entry> = before.iter().map(|it| (it.address.as_str(), it)).collect();
    let words = |side: usize, it: &Entry| it.says.map(|at| read[side].sources.slice(at).to_owned());
    let is_other = |now: &Entry, old: &Entry| {
        let same = now.form == old.form && now.kind == old.kind;
        same && (words(1, now) != words(0, old) || now.cites != old.cites)
    };
    let now = other.outline().into_iter();
    let found = now.filter(|it| {
        let old = before.get(it.address.as_str());
        old.is_some_and(|old| is_other(it, old))
    });
    let placed = found.map(|it| {
        let edit = other.edited.get(&it.address).and_then(|it| it.last());
        let origin = edit.and_then(|it| it.by.clone()).or(it.from);
        let span = edit.map_or(it.span, |it| it.span);
        let change = Change {
            how: How::Worded,
            kind: it.kind,
            address: it.address,
            origin,
            span,
        };
        (change, read[1].sources.place(span))
    });
    placed.collect()
}

/// Lists what has died, each with its place.
pub fn dead(read: &[Read; 2]) -> Vec<(Dead, String)> {
    let Some(known) = read[0].compiled.composed.as_ref().map(Composed::mortal) else {
        return Vec::new();
    };
    let [before, now] = read
        .each_ref()
        .map(|it| pipeline::dead(&it.request, &it.compiled));
    let before: HashSet<String> = before.into_iter().map(|it| it.name).collect();
    let new = now.into_iter();
    let new = new.filter(|it| known.contains(&it.name) && !before.contains(&it.name));
    new.map(|it| {
        let place = read[1].sources.place(it.span);
        (it, place)
    })
    .collect()
}

/// What is told of the second rule set and not of the first one; errors are told by who cannot go on.
pub fn warned(one: &Read, other: &Read) -> Vec<Diagnostic> {
    let known = |it: &Diagnostic| {
        let mut before = one.compiled.diagnostics.iter();
        before.any(|old| old.code == it.code && old.message == it.message)
    };
    let now = other.compiled.diagnostics.iter();
    now.filter(|it| !it.is_error() && !known(it))
        .cloned()
        .collect()
}

/// What cannot be played under other readings and values that the second one brings.
pub fn wrong_otherwise([before, now]: [&Read; 2]) -> Vec<Diagnostic> {
    let settings = |it: &Read| {
        let settings = it.compiled.game.iter().flat_map(|it| &it.settings);
        settings.map(|it| it.name.clone()).collect::<Vec<_>>()
    };
    let before = settings(before);
    let is_new = |name: &str| before.iter().all(|it| it != name);
    if !settings(now).iter().any(|it| is_new(it)) {
        return Vec::new();
    }
    let (sources, request, compiled) = (&now.sources, &now.request, &now.compiled);
    let found = pipeline::check_readings_of(sources, request, compiled, &is_new, &|| true);
    let found = found.findings.into_iter();
    found.filter(Diagnostic::is_error).collect()
}

/// Lists the settings that both have, with other values.
pub fn other_settings(games: [Option<&Game>; 2]) -> Vec<(String, [String; 2])> {
    let [Some(one), Some(other)] = games else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for setting in &one.settings {
        let mut same = other.settings.iter().filter(|it| it.name == setting.name);
        let Some(now) = same.next() else { continue };
        let values = [
            setting_value(one, setting, setting.value),
            setting_value(other, now, now.value),
        ];
        if values[0] != values[1] {
            found.push((setting.name.clone(), values));
        }
    }
    found
}

/// Runs the rulings of both, as long as it goes on.
pub fn rulings(sides: &[Loaded; 2], goes_on: &dyn Fn() -> bool) -> Result<Rulings, CliError> {
    let mut purse = Purse::default();
    let [before, after] = sides
        .each_ref()
        .map(|it| matrix::run_some(&it.asked, &it.program, &mut purse, &|_| goes_on()));
    let (before, after) = (before?, after?);
    let mut found = Rulings::default();
    if !goes_on() {
        // What was not run has not turned out otherwise.
        found.stopped = true;
        return Ok(found);
    }
    for ran in &after {
        let old = before.iter().find(|it| it.id == ran.id);
        let (was, now) = (old.map(Ran::verdict), ran.verdict());
        if was == Some(now) {
            found.alike += 1;
            continue;
        }
        if was.is_none() && now != Verdict::Failed {
            found.new += 1;
            continue;
        }
        // What it comes to now is wrong, or what it came to before was.
        let wrong = match (now, old) {
            (Verdict::Holds, Some(old)) => wrong_of(old, &sides[0].sources),
            _ => wrong_of(ran, &sides[1].sources),
        };
        found.flips.push(Flip {
            id: ran.id.clone(),
            title: ran.title.clone(),
            was,
            now: Some(now),
            wrong,
        });
    }
    let game = &sides[1].program.game;
    let unheard = game.unheard.iter().filter(|it| !it.is_study);
    let written = game.rulings.iter().map(|it| it.id.as_str());
    let written: HashSet<&str> = written.chain(unheard.map(|it| it.id.as_str())).collect();
    // What is no ruling any more is told one by one.
    let heard = before.iter().chain(&after);
    let heard: HashSet<&str> = heard.map(|it| it.id.as_str()).collect();
    found.silent = written.difference(&heard).count();
    let gone = before
        .iter()
        .filter(|it| after.iter().all(|ran| ran.id != it.id));
    found.flips.extend(gone.map(|it| Flip {
        id: it.id.clone(),
        title: it.title.clone(),
        was: Some(it.verdict()),
        now: None,
        wrong: Vec::new(),
    }));
    Ok(found)
}
