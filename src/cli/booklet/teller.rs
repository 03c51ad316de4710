//! What is told where: the words of the rulebook by address, and what amendments have changed of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::words::on_one_line;
use super::{Bit, House, Line, capital, ended, house, text};
use crate::cli::load::Read;
use crate::compose::{self, Composed, Entry, How};
use crate::model::text::spelt;
use crate::model::{Base, Game, Setting, Template, Type, Wording};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{Cite, Cited, Expr, ExprKind, Item};

/// Knows what is told where.
pub(super) struct Teller<'a> {
    pub(super) sources: &'a Sources,
    pub(super) composed: &'a Composed,
    pub(super) game: &'a Game,
    /// What has an address, and what it says.
    pub(super) entries: Vec<Entry>,
    pub(super) at: HashMap<String, usize>,
    /// The items by name, as the rules have them now.
    pub(super) items: HashMap<String, &'a Item>,
    pub(super) before: Option<Before<'a>>,
    /// By address, the amendment that brought or changed what stands there.
    pub(super) changed: HashMap<String, String>,
    /// What amendments are, and their titles, by name.
    pub(super) titles: BTreeMap<String, String>,
    /// The titles of amendments by the file in which they are written.
    pub(super) houses: HashMap<FileId, String>,
    /// The addresses that are no longer there.
    pub(super) left_out: Vec<String>,
    /// What amendments make of addresses otherwise than by adding to them, with the comments that were there.
    pub(super) lost: HashMap<String, String>,
    /// By printed sentence, the address that tells of it.
    pub(super) owners: HashMap<String, String>,
    /// The addresses of steps, turns, cases and slots, by where they stand.
    pub(super) steps: HashMap<(FileId, u32), String>,
    /// Flows that something leads to and that were not told of yet.
    pub(super) due: Vec<String>,
    /// What was told.
    pub(super) seen: BTreeSet<String>,
    /// The disputed cases that turn out otherwise here than they were written.
    pub(super) otherwise: BTreeSet<String>,
    /// Of what type it is that is filled in at a place of the text of a move or a refusal.
    holes: HashMap<(FileId, u32), Type>,
}

/// The rules without amendments.
pub(super) struct Before<'a> {
    pub(super) sources: &'a Sources,
    pub(super) game: &'a Game,
    pub(super) entries: HashMap<String, Entry>,
    pub(super) items: HashMap<String, &'a Item>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(
        read: &'a Read,
        base: Option<&'a Read>,
        otherwise: BTreeSet<String>,
    ) -> Option<Teller<'a>> {
        let composed = read.compiled.composed.as_ref()?;
        let entries = composed.outline();
        let at = entries.iter().enumerate();
        let at = at.map(|(at, it)| (it.address.clone(), at)).collect();
        let before = base.and_then(|base| {
            let composed = base.compiled.composed.as_ref()?;
            let entries = composed.outline().into_iter();
            Some(Before {
                items: by_name(composed),
                sources: &base.sources,
                game: base.compiled.game.as_deref()?,
                entries: entries.map(|it| (it.address.clone(), it)).collect(),
            })
        });
        let (titles, houses) = house::titles(&read.sources);
        let old = base.and_then(|it| it.compiled.composed.as_ref());
        let changes = old.map_or_else(Vec::new, |old| compose::changes(old, composed));
        let changed = changes.iter();
        let changed = changed.filter_map(|it| Some((it.address.clone(), it.origin.clone()?)));
        let left_out = changes.iter().filter(|it| it.how == How::Removed);
        let left_out = left_out.map(|it| it.address.clone());
        let mut teller = Teller {
            sources: &read.sources,
            composed,
            game: read.compiled.game.as_deref()?,
            entries,
            at,
            items: by_name(composed),
            before,
            changed: changed.collect(),
            left_out: left_out.collect(),
            lost: HashMap::new(),
            titles,
            houses,
            owners: HashMap::new(),
            steps: HashMap::new(),
            due: Vec::new(),
            seen: BTreeSet::new(),
            otherwise,
            holes: HashMap::new(),
        };
        for action in &teller.game.actions {
            let texts = action.requires.iter().filter_map(|it| it.message.as_ref());
            let holes = texts.chain([&action.text]).flat_map(Template::holes);
            teller
                .holes
                .extend(holes.map(|it| ((it.span.file, it.span.start), it.ty)));
        }
        let steps = ["step", "turn", "case", "once", "many"];
        let steps = teller.entries.iter().filter(|it| steps.contains(&it.kind));
        let at = |it: &Entry| (it.span.file, it.span.start);
        teller.steps = steps.map(|it| (at(it), it.address.clone())).collect();
        teller.owners = owners(&teller.entries, teller.game);
        teller.forget(&changes);
        Some(teller)
    }

    /// What is filled in at a place of a text, by the name of its type; whoever moves, and else what nobody needs a name for.
    pub(super) fn filled_in(&self, hole: &Expr) -> String {
        if matches!(&hole.kind, ExprKind::Name(name) if name.as_str() == "me") {
            return String::from("whoever moves");
        }
        let name = match self
            .holes
            .get(&(hole.span.file, hole.span.start))
            .map(|it| it.base)
        {
            Some(Base::Int(..)) => Some("number"),
            Some(Base::Elem(of)) => self.game.domains.get(of.index()).map(|it| it.name.as_str()),
            Some(Base::Bool | Base::Set(_) | Base::Unit) | None => None,
        };
        name.map_or_else(|| String::from("…"), |it| spelt(it).to_uppercase())
    }

    /// The address of a step, a turn, a case or a slot; nothing if it has none.
    pub(super) fn step(&self, span: Span) -> String {
        let known = self.steps.get(&(span.file, span.start));
        known.cloned().unwrap_or_default()
    }

    pub(super) fn entry(&self, address: &str) -> Option<&Entry> {
        self.entries.get(*self.at.get(address)?)
    }

    /// What is said of an address: its comment, and the printed sentences that it stands for more than anything else does.
    pub(super) fn prose(&self, address: &str) -> Line {
        let Some(entry) = self.entry(address) else {
            return Line::new();
        };
        let cites = cited(&entry.cites, self.game).into_iter();
        let own = cites.filter(|(id, _)| self.owners.get(id).is_some_and(|it| it == address));
        // What was said of what is another thing now is told as what was.
        let docs = match self.lost.get(address) {
            Some(docs) if *docs == entry.docs => "",
            _ => &entry.docs,
        };
        let mut line = said(docs, std::iter::empty());
        for (id, wording) in own {
            let chosen = self.chosen_for(&id).filter(|it| it.name != address);
            sentence(&mut line, &wording.text, id);
            if let Some(setting) = chosen {
                let answer = Bit::Link(self.answer(setting), setting.name.clone());
                line.extend([text(" Here: "), answer]);
            }
        }
        line
    }

    /// The question or option that a printed sentence gives rise to, where it is not answered as usual.
    fn chosen_for(&self, id: &str) -> Option<&Setting> {
        // Of a question its readings are changed, of an option it itself.
        let changed: BTreeSet<&str> = self.changed.keys().map(|it| head(it)).collect();
        let mut unusual = self.game.settings.iter();
        unusual.find(|it| {
            let is_unusual = it.question && it.value != it.default;
            let is_unusual = is_unusual || changed.contains(it.name.as_str());
            it.asked
                && is_unusual
                && self.entry(&it.name).is_some_and(|entry| {
                    let cites = cited(&entry.cites, self.game);
                    cites.iter().any(|(known, _)| known == id)
                })
        })
    }

    /// Who changed what stands at an address, and what stood there; none where only something is put in, which is marked by
    /// itself.
    pub(super) fn house(&self, address: &str) -> Option<House> {
        let by = self.changed.get(address);
        let by = by
            .and_then(|it| self.titles.get(it))
            .or(self.done_by(address));
        let by = by.filter(|_| !self.only_adds(address))?.clone();
        let before = self.before.as_ref();
        let old = before.and_then(|it| Some((it, it.entries.get(address)?)));
        Some(House {
            by,
            before: old.map_or_else(Vec::new, |(before, entry)| before.said(entry)),
        })
    }
}

impl Before<'_> {
    /// What was said of an address: in words, or as it was written.
    pub(super) fn said(&self, entry: &Entry) -> Vec<Line> {
        let line = said(&entry.docs, cited(&entry.cites, self.game).into_iter());
        if !line.is_empty() {
            return vec![line];
        }
        vec![vec![Bit::Code(on_one_line(self.sources.slice(entry.span)))]]
    }
}

fn head(address: &str) -> &str {
    address.split('.').next().unwrap_or_default()
}

/// The items of rules by name.
fn by_name(composed: &Composed) -> HashMap<String, &Item> {
    let items = composed.items.iter().filter_map(|it| {
        let name = it.item.kind.name()?;
        Some((name.text.clone(), &*it.item))
    });
    items.collect()
}

/// The printed sentences of citations that the rulebook says in other words.
pub(super) fn cited<'g>(cites: &[Cite], game: &'g Game) -> Vec<(String, &'g Wording)> {
    let mut found: Vec<(String, &Wording)> = Vec::new();
    for cite in cites {
        let Cited::Sentences { first, last } = &cite.what else {
            continue;
        };
        let named = cite.source.as_ref().map(|it| it.as_str());
        let books = game.books.iter();
        let mut books = books.filter(|it| named.is_none_or(|name| it.name == name));
        let (first, last) = (first.to_string(), last.to_string());
        let Some(book) =
            books.find(|it| it.sentences.contains(&first) || it.wordings.contains_key(&first))
        else {
            continue;
        };
        let ends = [&first, &last].map(|it| book.sentences.get_index_of(it));
        let ids: Vec<String> = match ends {
            [Some(first), Some(last)] if first <= last => {
                let all = book.sentences.iter().skip(first);
                all.take(last + 1 - first).cloned().collect()
            }
            _ => vec![first],
        };
        for id in ids {
            if let Some(wording) = book.wordings.get(&id)
                && !found.iter().any(|(known, _)| *known == id)
            {
                found.push((id, wording));
            }
        }
    }
    found
}

/// A comment, and printed sentences.
pub(super) fn said<'g>(docs: &str, cites: impl Iterator<Item = (String, &'g Wording)>) -> Line {
    let mut line = Line::new();
    line.extend((!docs.is_empty()).then(|| text(docs)));
    for (id, wording) in cites {
        sentence(&mut line, &wording.text, id);
    }
    line
}

/// Says for each printed sentence which address tells of it: what happens before what is known and what lies there, and what
/// stands for few sentences before what stands for many.
pub(super) fn owners(entries: &[Entry], game: &Game) -> HashMap<String, String> {
    let mut best: HashMap<String, ((u8, usize), String)> = HashMap::new();
    for it in entries {
        let is_inside = it.address.contains('.');
        let rank = match it.kind {
            "clause" | "step" | "forbid" | "permit" => 0,
            _ if is_inside => continue,
            "action" | "event" | "flow" | "ending" => 0,
            "define" => 1,
            "enum" | "record" | "component" | "space" | "zone" | "track" | "table" => 2,
            "option" | "question" => 3,
            _ => continue,
        };
        let cites = cited(&it.cites, game);
        let rank = (rank, cites.len());
        for (id, _) in cites {
            let known = best.get(&id);
            if known.is_none_or(|(other, _)| rank < *other) {
                best.insert(id, (rank, it.address.clone()));
            }
        }
    }
    best.into_iter().map(|(id, (_, it))| (id, it)).collect()
}

/// Adds a sentence with where it is printed.
pub(super) fn sentence(line: &mut Line, words: &str, id: String) {
    let blank = if line.is_empty() { "" } else { " " };
    line.push(text(format!("{blank}{}", ended(&capital(words)))));
    line.push(Bit::Cite(id));
}
