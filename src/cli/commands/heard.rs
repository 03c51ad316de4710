//! What rulings come to at each table and under each reading that they speak of.

use std::collections::{BTreeMap, HashSet};

use indexmap::{IndexMap, IndexSet};

use super::ruled::{self, Why};
use super::rulings::{FaultJson, WrongJson, wrong_of};
use crate::cli::load::{Asked, Budget, Loaded};
use crate::cli::{CliError, position};
use crate::engine::Program;
use crate::model::{Game, SettingId, Silence};
use crate::play::setting_value;
use crate::ruling::{self, Faulted, Purse, Ran};

/// What all rulings came to, by id.
pub type All = IndexMap<String, Heard>;

/// A ruling with what it came to under all rules where it was heard.
pub struct Heard {
    pub id: String,
    pub title: String,
    pub ran: Option<Ran>,
    pub not_written_for: Vec<String>,
    pub under: IndexSet<String>,
    pub wrong: Vec<WrongJson>,
    pub why: Vec<Why>,
    pub fault: Option<FaultJson>,
    pub unheard: Vec<String>,
}

/// Runs all rulings that say something about these rules: also those that name another number of
/// players, if none was asked for, and what they say of other readings than those asked for. Where it is stopped these are those
/// that were run by then.
pub fn hear(
    asked: &Asked,
    first: Loaded,
    id: Option<&str>,
    goes_on: &dyn Fn() -> bool,
) -> Result<All, CliError> {
    let mut tables = vec![first];
    let mut budget = Budget::default();
    if asked.seats.is_none()
        && let Some(first) = tables.first()
    {
        for count in first.program.game.other_tables.clone() {
            let mut other = asked.clone();
            other.seats = Some(count);
            tables.push(budget.load(&other)?);
        }
    }
    let is_meant = |it: &str| id.is_none_or(|id| it == id) && goes_on();
    let mut all = All::new();
    let mut purse = Purse::default();
    for (at, table) in tables.iter().enumerate() {
        let rans = purse.pay(&table.program, |program| match at {
            0 => ruling::run_some(program, |it| is_meant(&it.id)),
            _ => ruling::run_some(program, |it| it.players.is_some() && is_meant(&it.id)),
        });
        for ran in rans {
            let id = ran.id.clone();
            note(&mut all, table, ran);
            if let Some(heard) = all.get_mut(&id) {
                suppose(heard, &table.program.game);
            }
        }
    }
    for (at, table) in tables.iter().enumerate() {
        let rulings = &table.program.game.rulings;
        // Who names no number of players is heard at the first table only.
        let named = rulings.iter().filter(|it| it.players.is_some());
        let named: HashSet<&str> = named.map(|it| it.id.as_str()).collect();
        let is_here = |id: &str| at == 0 || named.contains(id);
        for (set, ids) in readings_of(&table.program) {
            let ids: IndexSet<&String> = ids
                .iter()
                .filter(|it| is_meant(it) && is_here(it))
                .collect();
            if ids.is_empty() || !goes_on() {
                continue;
            }
            let names = set.iter().map(|(it, value)| format!("{it} = {value}"));
            let names = names.collect::<Vec<_>>().join(", ");
            let other = |(name, value): &(String, String)| {
                asked.set.iter().any(|(it, own)| it == name && own != value)
            };
            if set.iter().any(other) || budget.is_empty() {
                for id in ids {
                    silence(
                        &mut all,
                        &table.program,
                        id,
                        format!("what it says under {names}"),
                    );
                }
                continue;
            }
            let mut with = asked.clone();
            with.seats = Some(table.program.game.n_seats);
            with.set
                .retain(|(name, _)| set.iter().all(|(it, _)| it != name));
            with.set.extend(set);
            let there = budget.load(&with)?;
            let heard = purse.pay(&there.program, |program| {
                ruling::run_some(program, |ruling| ids.contains(&&ruling.id) && goes_on())
            });
            if !goes_on() {
                return Ok(all);
            }
            let known: HashSet<&str> = heard.iter().map(|ran| ran.id.as_str()).collect();
            for id in &ids {
                if !known.contains(id.as_str()) {
                    silence(
                        &mut all,
                        &table.program,
                        id,
                        format!("what it says under {names}"),
                    );
                }
            }
            for mut ran in heard {
                ran.judged.retain(|judged| judged.named);
                if let Some((_, why)) = &mut ran.failed {
                    *why = format!("under {names}: {why}");
                }
                let id = ran.id.clone();
                note(&mut all, &there, ran);
                if let Some(heard) = all.get_mut(&id) {
                    heard.under.insert(names.clone());
                }
            }
        }
    }
    // Of what was not run it is not known whether it says anything.
    if !goes_on() {
        return Ok(all);
    }
    for (at, table) in tables.iter().enumerate() {
        let game = &table.program.game;
        for it in game.unheard.iter().filter(|it| !it.is_study) {
            let elsewhere = matches!(it.why, Silence::Seats(_)) && (at > 0 || tables.len() > 1);
            if !elsewhere {
                let silent = || Heard::silent(&it.id, &it.title, super::why_unheard(it.why));
                all.entry(it.id.clone()).or_insert_with(silent);
            }
        }
        for it in game
            .rulings
            .iter()
            .filter(|it| at == 0 || it.players.is_some())
        {
            let silent = || {
                let why = String::from("it says nothing of these readings");
                Heard::silent(&it.id, &it.title, why)
            };
            all.entry(it.id.clone()).or_insert_with(silent);
        }
    }
    Ok(all)
}

/// Adds what a ruling came to.
fn note(all: &mut All, loaded: &Loaded, ran: Ran) {
    let wrong = wrong_of(&ran, &loaded.sources);
    let why = ruled::why(&ran, &loaded.program.game, &loaded.sources);
    let fault = ran.fault.as_ref().map(|it| fault_of(loaded, &ran.id, it));
    let silent = || Heard::silent(&ran.id, &ran.title, String::new());
    let heard = all.entry(ran.id.clone()).or_insert_with(silent);
    heard.unheard.retain(|it| !it.is_empty());
    heard.wrong.extend(wrong);
    heard.why.extend(why);
    heard.fault = heard.fault.take().or(fault);
    match &mut heard.ran {
        Some(known) => known.add(ran),
        none => *none = Some(ran),
    }
}

/// Notes which readings of this table a ruling names, and for which it was not written.
fn suppose(heard: &mut Heard, game: &Game) {
    for ruling in game.rulings.iter().filter(|it| it.id == heard.id) {
        let expects = ruling.expects.iter().filter(|it| !it.under.is_empty());
        let under = expects.map(|it| named(game, &it.under));
        heard.under.extend(under);
        let foreign = ruling.foreign.iter().filter_map(|it| {
            let value = game.settings.get(it.index())?.value;
            Some(named(game, &[(*it, value)]))
        });
        for it in foreign {
            if !heard.not_written_for.contains(&it) {
                heard.not_written_for.push(it);
            }
        }
    }
}

/// Readings as they are written.
fn named(game: &Game, under: &[(SettingId, i64)]) -> String {
    let names = under.iter().filter_map(|(it, value)| {
        let setting = game.settings.get(it.index())?;
        Some(format!(
            "{} = {}",
            setting.name,
            setting_value(game, setting, *value)
        ))
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Notes what a ruling says that was not looked at.
fn silence(all: &mut All, program: &Program, id: &str, what: String) {
    if let Some(heard) = all.get_mut(id) {
        heard.unheard.push(what);
        return;
    }
    let title = program.game.rulings.iter().find(|it| it.id == id);
    let title = title.map_or("", |it| it.title.as_str());
    all.insert(id.to_owned(), Heard::silent(id, title, what));
}

impl Heard {
    fn silent(id: &str, title: &str, why: String) -> Heard {
        Heard {
            id: id.to_owned(),
            title: title.to_owned(),
            ran: None,
            not_written_for: Vec::new(),
            under: IndexSet::new(),
            wrong: Vec::new(),
            why: Vec::new(),
            fault: None,
            unheard: vec![why],
        }
    }
}

/// Says where the rules stopped, with the line of play that leads there.
fn fault_of(loaded: &Loaded, id: &str, faulted: &Faulted) -> FaultJson {
    let game = &loaded.program.game;
    let seats = vec![String::from("human"); game.n_seats as usize];
    let mut header = position::header(game, &loaded.asked, seats, faulted.seed);
    header.from = Some(id.to_owned());
    let (played, last) = (&faulted.played, faulted.last);
    let transcript = position::line_to_fault(&loaded.program, header, played, last);
    let found = faulted.fault.diagnostic();
    FaultJson {
        code: found.code.id(),
        message: found.message,
        place: loaded.sources.place(faulted.fault.place()),
        seed: faulted.seed,
        transcript,
    }
}

/// The readings of which the rulings of a game speak, as they are set, each with these rulings.
fn readings_of(program: &Program) -> BTreeMap<Vec<(String, String)>, Vec<String>> {
    let game = &program.game;
    let mut readings: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for (id, under) in &game.other_readings {
        let named = under.iter().filter_map(|(setting, value)| {
            let setting = game.settings.get(setting.index())?;
            Some((setting.name.clone(), setting_value(game, setting, *value)))
        });
        readings
            .entry(named.collect())
            .or_default()
            .push(id.clone());
    }
    readings
}
