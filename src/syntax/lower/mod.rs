//! From pest's pairs to the syntax tree.
//!
//! The grammar reads more than the language has, so that frequent slips can be told in words; they
//! are found here. Everything else that does not fit is a fault of ours: grammar and reader disagree.

mod data;
mod edits;
mod expressions;
mod moves;
mod operators;
mod rules;
mod statements;
mod words;

pub(super) use words::shortened;

use std::collections::VecDeque;

use super::ast::{
    Doc, Edit, Flavour, Header, HeaderKind, Hide, History, Item, ItemKind, Replace, Seats,
    SentenceSpan, SourceDecl,
};
use super::parse::{ItemOrHeader, Rule};
use super::scan::too_long;
use crate::diagnostic::{Diagnostic, codes};
use crate::limits::MAX_LEVELS;
use crate::source::{FileId, Span};

pub(super) type Pair<'i> = pest::iterators::Pair<'i, Rule>;

/// The item cannot be kept; a diagnostic says why.
#[derive(Debug)]
pub(super) struct Lost;

pub(super) type Lowered<T> = Result<T, Lost>;

/// What the reader of one item knows.
pub(super) struct Lower<'d> {
    file: FileId,
    /// Offset of the text that pest saw.
    base: usize,
    depth: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// The parts of a pair that carry meaning, in order; parts of a tail are set apart.
pub(super) struct Parts<'i> {
    queue: VecDeque<Pair<'i>>,
    tail: Vec<Pair<'i>>,
    span: Span,
}

impl<'i> Parts<'i> {
    /// Returns how many `else if` are among the parts that are left.
    fn n_else_ifs(&self) -> usize {
        let is_it = |part: &&Pair<'_>| part.as_rule() == Rule::else_if;
        self.queue.iter().filter(is_it).count()
    }

    /// Returns the next part if it is of this rule.
    fn opt(&mut self, rule: Rule) -> Option<Pair<'i>> {
        let is_it = self
            .queue
            .front()
            .is_some_and(|pair| pair.as_rule() == rule);
        if is_it { self.queue.pop_front() } else { None }
    }

    /// Returns whether the next part is this flag.
    fn flag(&mut self, rule: Rule) -> bool {
        self.opt(rule).is_some()
    }

    /// Returns all next parts of this rule.
    fn all(&mut self, rule: Rule) -> Vec<Pair<'i>> {
        std::iter::from_fn(|| self.opt(rule)).collect()
    }

    fn peek(&self) -> Option<Rule> {
        self.queue.front().map(Pair::as_rule)
    }

    fn any(&mut self) -> Option<Pair<'i>> {
        self.queue.pop_front()
    }
}

impl<'d> Lower<'d> {
    pub(super) fn new(
        file: FileId,
        base: usize,
        diagnostics: &'d mut Vec<Diagnostic>,
    ) -> Lower<'d> {
        Lower {
            file,
            base,
            depth: 0,
            diagnostics,
        }
    }

    /// Reads a whole item.
    pub(super) fn item_or_header(&mut self, pair: Pair<'_>) -> Lowered<ItemOrHeader> {
        let mut parts = self.open(pair);
        let docs = self.docs(&mut parts);
        match parts.peek() {
            Some(Rule::game | Rule::amendment | Rule::part) => {
                let header = self.header(parts, docs)?;
                Ok(ItemOrHeader::Header(Box::new(header)))
            }
            _ => self
                .item_parts(parts, docs)
                .map(|item| ItemOrHeader::Item(Box::new(item))),
        }
    }

    fn item(&mut self, pair: Pair<'_>) -> Lowered<Item> {
        let mut parts = self.open(pair);
        let docs = self.docs(&mut parts);
        self.item_parts(parts, docs)
    }

    fn item_parts(&mut self, mut parts: Parts<'_>, docs: Vec<Doc>) -> Lowered<Item> {
        let mut pair = self.some(parts.any(), parts.span)?;
        if pair.as_rule() == Rule::edit {
            let span = self.span(&pair);
            pair = self.some(pair.into_inner().next(), span)?;
        }
        let rule = pair.as_rule();
        let mut inner = self.open(pair);
        let it = &mut inner;
        let mut kind = match rule {
            Rule::enumeration => ItemKind::Enum(self.enumeration(it)?),
            Rule::record => ItemKind::Record(self.record(it)?),
            Rule::component => ItemKind::Component(self.component(it)?),
            Rule::supply => ItemKind::Supply(self.supply(it)?),
            Rule::space => ItemKind::Space(self.space(it)?),
            Rule::setting => ItemKind::Setting(self.setting(it)?),
            Rule::zone => ItemKind::Zone(self.zone(it)?),
            Rule::track => ItemKind::Track(self.track(it)?),
            Rule::table => ItemKind::Table(self.table(it)?),
            Rule::define => ItemKind::Define(self.define(it)?),
            Rule::event => ItemKind::Event(self.event(it)?),
            Rule::action => ItemKind::Action(self.action(it)?),
            Rule::flow => ItemKind::Flow(self.flow(it)?),
            Rule::ending => ItemKind::Ending(self.ending(it)?),
            Rule::invariant => ItemKind::Invariant(self.invariant(it)?),
            Rule::measure => ItemKind::Measure(self.measure(it)?),
            Rule::shows => ItemKind::Show(self.shows(it)?),
            Rule::hides => ItemKind::Hide(Hide {
                names: self.names_in(it)?,
            }),
            Rule::history => ItemKind::History(self.history(it)?),
            Rule::picture => ItemKind::Picture(self.picture(it)?),
            Rule::aside => ItemKind::Aside(self.aside(it)?),
            Rule::told => ItemKind::Sentences(self.told(it)?),
            Rule::ruling => ItemKind::Ruling(self.ruling(it)?),
            Rule::study => ItemKind::Study(self.study(it)?),
            Rule::position => ItemKind::Position(self.position(it)?),
            Rule::relation => ItemKind::Relation(self.relation(it)?),
            Rule::resolve => ItemKind::Resolve(self.resolve(it)?),
            Rule::game | Rule::amendment | Rule::part => {
                let finding = Diagnostic::at(
                    codes::SECOND_HEADER,
                    inner.span,
                    "a header cannot stand inside of an item",
                );
                return self
                    .lose(finding.help("put each game and each amendment into a file of its own"));
            }
            _ => ItemKind::Edit(self.edit(rule, it)?),
        };
        self.done(&inner)?;
        // A tail before the body comes first, as it is written.
        let mut tail = inner.tail;
        tail.append(&mut parts.tail);
        let mut tail = self.tail(tail)?;
        // The item takes every place where `order` may stand; it is the edit that is ordered.
        if let ItemKind::Edit(Edit::Replace(Replace::Item(new))) = &mut kind {
            tail.orders.append(&mut new.tail.orders);
        }
        Ok(Item {
            docs,
            kind,
            tail,
            span: self.span_without_docs(inner.span, parts.span),
        })
    }

    fn header(&mut self, mut parts: Parts<'_>, docs: Vec<Doc>) -> Lowered<Header> {
        let pair = self.some(parts.any(), parts.span)?;
        let is_part = pair.as_rule() == Rule::part;
        let mut inner = self.open(pair);
        if is_part {
            return self.part(parts, inner, docs);
        }
        let flavour = inner.opt(Rule::flavour).map(|pair| match pair.as_str() {
            "variant" => Flavour::Variant,
            "edition" => Flavour::Edition,
            _ => Flavour::Expansion,
        });
        let name = self.name_in(&mut inner)?;
        let title = self.text_in(&mut inner)?;
        let version = match inner.opt(Rule::version) {
            Some(pair) => {
                let mut version = self.open(pair);
                Some(self.text_in(&mut version)?)
            }
            None => None,
        };
        let kind = match flavour {
            None => HeaderKind::Game,
            Some(flavour) => {
                let mut base = self.open_in(&mut inner, Rule::base)?;
                HeaderKind::Amendment {
                    flavour,
                    base: self.name_in(&mut base)?,
                    base_version: self.opt_text_in(&mut base)?,
                }
            }
        };
        let mut body = self.open_in(&mut inner, Rule::header)?;
        let mut header = Header {
            docs,
            kind,
            name,
            title,
            tail: self.tail(inner.tail.drain(..).chain(parts.tail.drain(..)).collect())?,
            version,
            seats: None,
            sources: Vec::new(),
            history: None,
            span: inner.span,
        };
        while let Some(pair) = body.any() {
            let span = self.span(&pair);
            let again = match pair.as_rule() {
                Rule::seats => {
                    let seats = self.seats(pair)?;
                    header.seats.replace(seats).is_some()
                }
                Rule::source => {
                    let source = self.source(pair)?;
                    header.sources.push(source);
                    false
                }
                _ => {
                    let mut history = self.open(pair);
                    let history = self.history(&mut history)?;
                    header.history.replace(history).is_some()
                }
            };
            if again {
                self.tell(
                    Diagnostic::at(codes::SAID_TWICE, span, "this is said twice in one header")
                        .help("remove one of the two"),
                );
            }
        }
        Ok(header)
    }

    fn history(&mut self, parts: &mut Parts<'_>) -> Lowered<History> {
        let names = parts.all(Rule::ident);
        Ok(History {
            of: names.iter().map(|pair| self.name(pair)).collect(),
            most: self.number_in(parts)?,
        })
    }

    fn part(
        &mut self,
        mut parts: Parts<'_>,
        mut inner: Parts<'_>,
        docs: Vec<Doc>,
    ) -> Lowered<Header> {
        let title = self.text_in(&mut inner)?;
        Ok(Header {
            docs,
            kind: HeaderKind::Part,
            name: self.name_in(&mut inner)?,
            title,
            tail: self.tail(inner.tail.drain(..).chain(parts.tail.drain(..)).collect())?,
            version: None,
            seats: None,
            sources: Vec::new(),
            history: None,
            span: inner.span,
        })
    }

    fn seats(&mut self, pair: Pair<'_>) -> Lowered<Seats> {
        let mut parts = self.open(pair);
        let Some(numbered) = parts.opt(Rule::numbered_seats) else {
            return self.enum_values(&mut parts).map(Seats::Named);
        };
        let mut numbered = self.open(numbered);
        Ok(Seats::Numbered {
            least: self.number_in(&mut numbered)?,
            most: self.number_in(&mut numbered)?,
            stem: self.name_in(&mut numbered)?,
        })
    }

    fn source(&mut self, pair: Pair<'_>) -> Lowered<SourceDecl> {
        let mut parts = self.open(pair);
        let name = self.name_in(&mut parts)?;
        let title = self.text_in(&mut parts)?;
        let mut sentences = Vec::new();
        for pair in parts.all(Rule::sentences) {
            let (first, last) = self.sentences(pair)?;
            sentences.push(SentenceSpan { first, last });
        }
        Ok(SourceDecl {
            name,
            title,
            sentences,
            span: parts.span,
        })
    }

    // ---------- tools

    /// Splits a pair into its parts.
    fn open<'i>(&self, pair: Pair<'i>) -> Parts<'i> {
        let span = self.span(&pair);
        let mut parts = Parts {
            queue: VecDeque::new(),
            tail: Vec::new(),
            span,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::cite | Rule::status | Rule::order | Rule::allow => parts.tail.push(part),
                // The words and signs without meaning stand last in the grammar.
                rule if rule >= Rule::k_action => {}
                _ => parts.queue.push_back(part),
            }
        }
        parts
    }

    fn open_in<'i>(&mut self, parts: &mut Parts<'i>, rule: Rule) -> Lowered<Parts<'i>> {
        let pair = self.need(parts, rule)?;
        Ok(self.open(pair))
    }

    /// Returns the next part, which the grammar promises to be of this rule.
    fn need<'i>(&mut self, parts: &mut Parts<'i>, rule: Rule) -> Lowered<Pair<'i>> {
        let pair = parts.opt(rule);
        self.some(pair, parts.span)
    }

    fn some<T>(&mut self, promised: Option<T>, span: Span) -> Lowered<T> {
        promised.map_or_else(|| self.disagree(span), Ok)
    }

    /// Checks that no part was forgotten.
    fn done(&mut self, parts: &Parts<'_>) -> Lowered<()> {
        if parts.queue.is_empty() {
            Ok(())
        } else {
            self.disagree(parts.span)
        }
    }

    fn disagree<T>(&mut self, span: Span) -> Lowered<T> {
        let finding = Diagnostic::at(
            codes::UNREADABLE,
            span,
            "this follows the grammar, but its reader does not know it",
        );
        self.lose(finding.help("this is a fault of the program; please report it with this text"))
    }

    fn tell(&mut self, finding: Diagnostic) {
        self.diagnostics.push(finding);
    }

    fn lose<T>(&mut self, finding: Diagnostic) -> Lowered<T> {
        self.tell(finding);
        Err(Lost)
    }

    /// Runs `read` so many levels deeper, or loses the item if that is too deep.
    fn deeper<T>(
        &mut self,
        levels: usize,
        span: Span,
        read: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.depth += levels;
        if self.depth > MAX_LEVELS {
            return self.lose(too_long(Span::new(
                span.file,
                span.start as usize,
                span.start as usize + 1,
            )));
        }
        let res = read(self);
        self.depth -= levels;
        res
    }

    /// Returns the place of a pair, without the blanks that pest counts to it.
    fn span(&self, pair: &Pair<'_>) -> Span {
        let start = self.base + pair.as_span().start();
        Span::new(self.file, start, start + pair.as_str().trim_end().len())
    }

    fn span_without_docs(&self, inner: Span, whole: Span) -> Span {
        Span {
            end: whole.end,
            ..inner
        }
    }
}
