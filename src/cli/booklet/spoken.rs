//! What a booklet says of a word, for whoever asks at the table.

use super::{Bit, Booklet, Section, without_amendments};
use crate::cli::CliError;
use crate::cli::load::{self, Asked, Loaded, Texts};

/// Makes the booklet of rules that are played.
pub fn of(loaded: &Loaded) -> Result<Option<Booklet>, CliError> {
    let texts = loaded.sources.iter();
    let texts = texts.map(|(_, it)| (it.name.clone(), it.text.clone()));
    let read = load::compile(&Asked {
        // As they were when the game began.
        texts: Some(Texts(texts.collect()).into()),
        ..loaded.asked.clone()
    })?;
    let base = without_amendments(&loaded.asked)?;
    Ok(super::booklet(
        &read,
        base.as_ref(),
        super::otherwise(&loaded.program),
    ))
}

/// Letters of the names in a chapter that are told where somebody asks what there is.
const SHORT: usize = 90;

impl Booklet {
    /// What the game is about, and what the rest tells of: a line for each chapter, and of many names the first.
    pub fn contents(&self) -> Vec<String> {
        let chapters = self.chapters.iter().flat_map(|chapter| {
            let names = names(&chapter.sections);
            if names.is_empty() {
                let lines = chapter.sections.iter().flat_map(|it| &it.lines);
                return lines.map(|(_, line)| plain(line)).collect();
            }
            let (mut told, mut room) = (Vec::new(), SHORT);
            for name in &names {
                let long = name.chars().count() + 2;
                if long > room && !told.is_empty() {
                    break;
                }
                room = room.saturating_sub(long);
                told.push(name.as_str());
            }
            let left = names.len() - told.len();
            let more = match left {
                0 => String::new(),
                n => format!(" and {n} more (`rules {}`)", chapter.title.to_lowercase()),
            };
            vec![format!("{}: {}{more}", chapter.title, told.join(", "))]
        });
        chapters.collect()
    }

    /// The names in the chapters that are called so.
    fn chapters_called(&self, word: &str) -> Vec<String> {
        let mut told = Vec::new();
        for chapter in &self.chapters {
            if chapter.title.to_lowercase() == word {
                told.push(format!("{}:", chapter.title));
                let names = names(&chapter.sections).into_iter();
                told.extend(names.map(|it| format!("  {it}")));
            }
        }
        told
    }

    /// What it says where a word stands in a heading or an address; where it stands in none, each line that it stands in.
    pub fn about(&self, word: &str) -> Vec<String> {
        let word = word.to_lowercase();
        let mut words: Vec<&str> = word.split_whitespace().collect();
        words.dedup();
        let whole = [word.as_str()];
        // What is called so, then what says so; then the same of the words one by one.
        let ways = [
            (&whole[..], false),
            (&whole[..], true),
            (&words[..], false),
            (&words[..], true),
        ];
        let told = ways
            .into_iter()
            .map(|(words, in_text)| self.told_of(words, in_text));
        told.into_iter()
            .find(|it| !it.is_empty())
            .unwrap_or_default()
    }

    fn told_of(&self, words: &[&str], in_text: bool) -> Vec<String> {
        let mut told = self.chapters_called(&words.join(" "));
        for chapter in &self.chapters {
            for section in &chapter.sections {
                let is_meant = |it: &str| {
                    let text = it.to_lowercase();
                    !words.is_empty() && words.iter().all(|it| begins_a_word(&text, it))
                };
                let is_whole = is_meant(&section.address) || is_meant(&plain(&section.title));
                let heading = match section.title.as_slice() {
                    [] => String::from(chapter.title),
                    title => format!("{}: {}", chapter.title, plain(title)),
                };
                let lines = section.lines.iter().filter(|(_, it)| !is_source(it));
                // An event is told of within what leads to it.
                let own = lines.filter(|(_, line)| {
                    is_whole
                        || in_text && is_meant(&plain(line))
                        || line.iter().any(|bit| match bit {
                            Bit::Anchor(address) => is_meant(address),
                            _ => false,
                        })
                });
                let own = own.map(|(depth, line)| {
                    let before = "  ".repeat(usize::from(*depth) + 1);
                    format!("{before}{}", plain(line))
                });
                let own: Vec<String> = own.collect();
                if own.is_empty() {
                    continue;
                }
                told.push(heading);
                told.extend(own);
                if let Some(house) = section.house.as_ref().filter(|_| is_whole) {
                    told.push(format!("  {}", house.by));
                    let before = house.before.iter();
                    told.extend(before.map(|it| format!("  before: {}", plain(it))));
                }
            }
        }
        told
    }
}

/// Whether a word of a text begins so, in the singular too.
fn begins_a_word(text: &str, word: &str) -> bool {
    let one = word.strip_suffix('s').filter(|it| it.len() > 3);
    let word = one.unwrap_or(word);
    let mut found = text.match_indices(word);
    found.any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric)
    })
}

/// What the sections are called, each name once: several things may have it.
fn names(sections: &[Section]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in sections.iter().filter_map(name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What a section is called.
fn name(section: &Section) -> Option<String> {
    if !section.title.is_empty() {
        return Some(plain(&section.title));
    }
    let line = &section.lines.first()?.1;
    line.iter().find_map(|bit| match bit {
        Bit::Word(word) => Some(word.clone()),
        _ => None,
    })
}

/// What begins a piece of a rulebook that says nothing to who plays.
const ITEMS: [&str; 8] = [
    "component ",
    "define ",
    "enum ",
    "record ",
    "space ",
    "table ",
    "track ",
    "zone ",
];

/// Whether a line is no more than a piece of the rulebook as it is written.
fn is_source(line: &[Bit]) -> bool {
    line.iter().any(|bit| match bit {
        Bit::Code(code) => ITEMS.iter().any(|it| code.starts_with(it)),
        _ => false,
    })
}

fn plain(line: &[Bit]) -> String {
    // By its name in the rulebook nobody at the table knows an answer of which there are words.
    match line {
        [Bit::Text(answer), Bit::Text(gap), Bit::Code(_)] if gap == " " => return answer.clone(),
        [Bit::Text(elsewhere), Bit::Code(_), Bit::Text(answer)] if answer.starts_with(": ") => {
            return format!("{}{answer}", elsewhere.trim_end());
        }
        _ => {}
    }
    let bits = line.iter().map(|bit| match bit {
        Bit::Text(it) | Bit::Word(it) | Bit::Code(it) | Bit::Link(it, _) => it.clone(),
        Bit::Hole(_, what) => what.clone(),
        Bit::Cite(id) => format!(" ({id})"),
        Bit::Anchor(_) => String::new(),
    });
    bits.collect()
}
