//! A rulebook as a booklet that people read: what there is, how a turn goes, what may be done, how it ends, and what is disputed.
//!
//! What it says are the words of the rulebook: its comments, the printed sentences in other words, what is said where a move is
//! refused. The order is that in which the game goes on.

mod chapters;
mod course;
mod house;
mod html;
mod markdown;
mod named;
mod spoken;
mod teller;
mod words;

pub use spoken::of;

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};

use super::CliError;
use super::load::{Asked, Read};
use super::render::{capital, in_words};
use crate::engine::Program;
use crate::ruling::{self, Purse, Verdict};
use teller::Teller;

/// A booklet.
#[derive(Debug, Serialize)]
pub struct Booklet {
    /// What it is about.
    pub title: String,
    /// Its chapters; none is empty.
    pub chapters: Vec<Chapter>,
}

/// A chapter.
#[derive(Debug, Serialize)]
pub struct Chapter {
    /// Its heading.
    pub title: &'static str,
    /// What it tells of.
    pub sections: Vec<Section>,
}

/// What is told of one thing.
#[derive(Debug, Default, Serialize)]
pub struct Section {
    /// Its address, which is its anchor; none where several are told of.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub address: String,
    /// Its heading; none where the chapter has nothing else.
    #[serde(skip_serializing_if = "Line::is_empty")]
    pub title: Line,
    /// What is said.
    pub lines: Vec<(u8, Line)>,
    /// Who changed it, and what was said before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house: Option<House>,
}

/// What an amendment has made of something.
#[derive(Debug, Serialize)]
pub struct House {
    /// Its title.
    pub by: String,
    /// What was said before; nothing where it is new.
    pub before: Vec<Line>,
}

/// A line of text.
pub type Line = Vec<Bit>;

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bit {
    /// As it stands.
    Text(String),
    /// A word that stands for something.
    Word(String),
    /// What is filled in for the move: as it is written, and what it is where that has a name.
    #[serde(rename = "word", serialize_with = "as_written")]
    Hole(String, String),
    /// A piece of the rulebook as it is written.
    Code(String),
    /// Where it is printed.
    Cite(String),
    /// Where an address is told of, if not in a heading.
    Anchor(String),
    /// The name of something that is told of elsewhere: the words, and its address.
    Link(String, String),
}

fn as_written<S: Serializer>(written: &str, _: &str, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(written)
}

fn text(text: impl Into<String>) -> Bit {
    Bit::Text(text.into())
}

/// Makes the booklet of rules that were read; `base` are the same without amendments, and `otherwise` the rulings that come
/// to something else here. None if they cannot be played.
pub fn booklet(read: &Read, base: Option<&Read>, otherwise: BTreeSet<String>) -> Option<Booklet> {
    let mut teller = Teller::new(read, base, otherwise)?;
    let title = super::load::title(&read.sources);
    let goal = teller.goal();
    let things = teller.things();
    let (mut course, offered) = teller.course();
    let moves = teller.moves(&offered);
    let ends = teller.ends();
    course.extend(teller.flows().0);
    let words = teller.of_kinds(&["define", "event", "flow"]);
    let chapters = [
        ("The game", goal),
        ("What there is", things),
        ("How it goes", course),
        ("What may be done", moves),
        ("The end", ends),
        ("What words mean", words),
        ("What is agreed here", teller.settings()),
        ("What a house rule takes away", teller.gone()),
        ("Questions and answers", teller.rulings()),
    ];
    let chapters = chapters
        .into_iter()
        .filter(|(_, sections)| !sections.is_empty())
        .map(|(title, sections)| Chapter { title, sections });
    Some(Booklet {
        title,
        chapters: chapters.collect(),
    })
}

/// The rulings that come to something else under these rules than under those for which they were written.
pub fn otherwise(program: &Program) -> BTreeSet<String> {
    let all = Purse::default().pay(program, ruling::run_all).into_iter();
    let apart = all.filter(|it| matches!(it.verdict(), Verdict::Differs | Verdict::Failed));
    apart.map(|it| it.id).collect()
}

/// Reads the same rules without their amendments; none if there are none, or it cannot be played so.
pub fn without_amendments(asked: &Asked) -> Result<Option<Read>, CliError> {
    if asked.amendments.is_empty() {
        return Ok(None);
    }
    let base = Asked {
        amendments: Vec::new(),
        ..asked.clone()
    };
    let read = super::load::compile(&base.with_own_settings()?)?;
    Ok(read.compiled.game.is_some().then_some(read))
}

fn is_long(bit: &Bit) -> bool {
    matches!(bit, Bit::Text(text) if text.len() > 1)
}

/// Says in a line who changed something, and what was said before.
fn marked(house: House) -> Line {
    let mut line = vec![text(ended(&house.by))];
    for before in house.before {
        line.push(text(" Before: "));
        line.extend(before);
    }
    line
}

/// A sentence with its full stop.
fn ended(words: &str) -> String {
    let words = words.trim();
    match words.ends_with(['.', '!', '?', ':']) {
        true => words.to_owned(),
        false => format!("{words}."),
    }
}

/// A question with its mark.
fn asked(words: &str) -> String {
    let words = capital(words.trim());
    match words.ends_with(['.', '!', '?']) {
        true => words,
        false => words + "?",
    }
}
