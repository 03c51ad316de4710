use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use super::check::counted;
use crate::cli::assumed::{self, Assumed};
use crate::cli::load::{self, GameArgs};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::model::{Citation, ClauseId, ClauseKind, Game};
use crate::syntax::ast::{Item, ItemKind};

/// Show which clause says which sentence of the printed rules.
///
/// It lists also the sentences that no clause says.
#[derive(Args, Debug)]
pub struct SourcesArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Show only what is missing
    #[arg(long)]
    missing: bool,
}

/// What is said of the printed rules.
#[derive(Serialize)]
struct Coverage {
    books: Vec<BookCoverage>,
    n_clauses: usize,
    uncited: Vec<Uncited>,
    assumed: Vec<Assumed>,
    /// What readings change that do not hold here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_readings: Vec<OtherReading>,
}

#[derive(Serialize)]
struct OtherReading {
    /// `exposure = five`; an option that is at its default.
    reading: String,
    /// What its edits change and bring.
    clauses: Vec<String>,
    /// What they are printed as.
    cites: String,
}

#[derive(Serialize)]
struct BookCoverage {
    name: String,
    title: String,
    n_sentences: usize,
    n_accounted: usize,
    sentences: Vec<Sentence>,
}

#[derive(Serialize)]
struct Sentence {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
    /// What it says, in the words of the rulebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    clauses: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    aside: Option<String>,
}

#[derive(Serialize)]
struct Uncited {
    clause: String,
    place: String,
}

impl Sentence {
    fn accounted(&self) -> bool {
        !self.clauses.is_empty() || self.aside.is_some()
    }
}

/// Shows the books sentence by sentence.
pub fn run(args: &SourcesArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let other_readings = other_readings(&load::compile(&args.game.asked().for_few_moves())?);
    let loaded = load::load(args.game.asked().for_few_moves())?;
    let game = &loaded.program.game;
    let coverage = Coverage {
        books: books(game),
        n_clauses: game
            .clauses
            .iter()
            .filter(|it| it.kind != ClauseKind::Note)
            .count(),
        uncited: uncited(game)
            .map(|(path, id)| Uncited {
                clause: path,
                place: game
                    .clauses
                    .get(id.index())
                    .map_or_else(String::new, |clause| loaded.sources.place(clause.span)),
            })
            .collect(),
        assumed: assumed::all(game, &loaded.sources),
        other_readings,
    };
    let whole = coverage.uncited.is_empty()
        && coverage
            .books
            .iter()
            .all(|book| book.n_accounted == book.n_sentences);
    if ui.json {
        ui.json_value(&coverage)?;
    } else {
        show(&coverage, args.missing, ui)?;
    }
    Ok(if whole { Exit::Yes } else { Exit::No })
}

/// Lists what stands behind readings that are not chosen: no clause of these rules, so it counts for nothing above.
fn other_readings(read: &load::Read) -> Vec<OtherReading> {
    let mut all = Vec::new();
    let Some(composed) = &read.compiled.composed else {
        return all;
    };
    for item in composed.items.iter().map(|it| &it.item) {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        let readings = setting.readings().iter().map(|it| {
            let title = format!("{} = {}", setting.name, it.name);
            (title, &it.edits, it.tail.cites.as_slice())
        });
        let option = (setting.name.text.clone(), &setting.edits, [].as_slice());
        for (reading, edits, cites) in readings.chain([option]) {
            let clause = |it: &Arc<Item>| match &it.kind {
                ItemKind::Edit(edit) => edit.target(),
                kind => kind.name().map(|it| it.text.clone()),
            };
            let mut clauses: Vec<String> = Vec::new();
            for it in edits.iter().flatten().filter_map(clause) {
                if !clauses.contains(&it) {
                    clauses.push(it);
                }
            }
            if clauses.is_empty() || composed.worked_in.contains(&reading) {
                continue;
            }
            let cites = if cites.is_empty() {
                &item.tail.cites
            } else {
                cites
            };
            let cites: Vec<&str> = cites.iter().map(|it| read.sources.slice(it.span)).collect();
            all.push(OtherReading {
                reading,
                clauses,
                cites: cites.join(", "),
            });
        }
    }
    all
}

fn books(game: &Game) -> Vec<BookCoverage> {
    let mut said: BTreeMap<(u32, &str), Vec<String>> = BTreeMap::new();
    // How a thing is drawn or worded is no rule.
    let rules = game.clauses.iter();
    for clause in rules.filter(|it| it.kind != ClauseKind::Note) {
        for cite in &clause.cites {
            if let Citation::Sentence(book, id) = cite {
                said.entry((*book, id))
                    .or_default()
                    .push(clause.path.clone());
            }
        }
    }
    let describe = |(number, book): (u32, &crate::model::Book)| {
        let sentence = |id: &String| Sentence {
            id: id.clone(),
            heading: book.wordings.get(id).map(|it| it.heading.clone()),
            text: book.wordings.get(id).map(|it| it.text.clone()),
            clauses: said
                .get(&(number, id.as_str()))
                .cloned()
                .unwrap_or_default(),
            aside: book.asides.get(id).cloned(),
        };
        let sentences: Vec<Sentence> = book.sentences.iter().map(sentence).collect();
        BookCoverage {
            name: book.name.clone(),
            title: book.title.clone(),
            n_sentences: sentences.len(),
            n_accounted: sentences.iter().filter(|it| it.accounted()).count(),
            sentences,
        }
    };
    (0..).zip(&game.books).map(describe).collect()
}

/// Finds the clauses that say neither what they were printed as nor why they are not printed, and
/// stand in no clause that does.
fn uncited(game: &Game) -> impl Iterator<Item = (String, ClauseId)> {
    let clauses = (0..).map(ClauseId).zip(&game.clauses);
    clauses
        .filter(|(_, clause)| clause.kind != ClauseKind::Note)
        .filter(|(id, _)| crate::play::citing(game, *id).is_empty())
        .map(|(id, clause)| (clause.path.clone(), id))
}

/// Lists what is assumed, the data before the readings.
fn show_assumed(assumed: &[Assumed], ui: &mut Ui<'_>) -> Result<(), CliError> {
    let groups = [
        (true, "assumed data"),
        (false, "assumed readings and options"),
    ];
    for (data, title) in groups {
        let group = || assumed.iter().filter(|it| it.data == data);
        if group().next().is_none() {
            continue;
        }
        ui.line(ui.paint(Tone::Bold, title))?;
        for value in group().flat_map(|it| &it.values) {
            ui.line(format!("  {value}"))?;
        }
    }
    Ok(())
}

fn show_other_readings(readings: &[OtherReading], ui: &mut Ui<'_>) -> Result<(), CliError> {
    if readings.is_empty() {
        return Ok(());
    }
    ui.line(ui.paint(Tone::Bold, "clauses of other readings"))?;
    for it in readings {
        let cites = ui.paint(Tone::Dim, &it.cites);
        let line = format!("  {}: {}  {cites}", it.reading, it.clauses.join(", "));
        ui.line(line.trim_end())?;
    }
    Ok(())
}

fn show(coverage: &Coverage, missing: bool, ui: &mut Ui<'_>) -> Result<(), CliError> {
    for book in &coverage.books {
        let title = ui.paint(Tone::Bold, &book.title);
        ui.line(format!("{title}  (cited as `{}`)", book.name))?;
        let mut heading = None;
        let lacking = book.sentences.iter();
        for sentence in lacking.filter(|it| !missing || !it.accounted()) {
            if sentence.heading.is_some() && sentence.heading != heading {
                heading.clone_from(&sentence.heading);
                ui.line(format!("  {}", heading.as_deref().unwrap_or_default()))?;
            }
            let said = match (&sentence.aside, sentence.clauses.as_slice()) {
                (None, []) => ui.paint(Tone::Red, "no clause says this"),
                (Some(why), []) => ui.paint(Tone::Dim, format!("aside: {why}")),
                (_, clauses) => clauses.join(", "),
            };
            match &sentence.text {
                Some(text) => {
                    ui.line(format!("  {:<7} {text}", sentence.id))?;
                    ui.line(format!("          {said}"))?;
                }
                None => ui.line(format!("  {:<7} {said}", sentence.id))?,
            }
        }
    }
    for clause in &coverage.uncited {
        let word = ui.paint(Tone::Red, "uncited clause");
        ui.line(format!("{word} {}  {}", clause.clause, clause.place))?;
    }
    if !missing {
        show_assumed(&coverage.assumed, ui)?;
        show_other_readings(&coverage.other_readings, ui)?;
    }
    let books = coverage.books.iter().map(|book| {
        let (accounted, all) = (book.n_accounted, book.n_sentences);
        format!(
            "{}: {accounted} of {all} sentences accounted for, ",
            book.title
        )
    });
    let (uncited, all) = (coverage.uncited.len(), coverage.n_clauses);
    let assumed = coverage.assumed.iter().map(|it| it.values.len()).sum();
    ui.line(format!(
        "{}{uncited} uncited clauses of {all}, {}",
        books.collect::<String>(),
        counted(assumed, "assumed value")
    ))
}
