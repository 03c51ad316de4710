//! Reads a file item by item, so that a broken item does not hide the rest.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pair;

use super::ast::{File, Header, Item, Placed};
use super::lower::{Lower, Lowered};
use super::scan::{Scan, leading_word, scan, second_start, too_deep};
use super::unexpected::{self, Failure};
use super::vocabulary::is_item_word;
use crate::diagnostic::{Diagnostic, closest, codes, sort_by_place};
use crate::limits::MAX_TEXT;
use crate::source::{FileId, Span};

/// How many rules pest may try for one item. A rulebook of 30 KB takes about a million in all; the
/// limit is for texts made to be slow.
const MAX_CALLS: usize = 20_000_000;

/// How many errors of one file are told.
const MAX_FINDINGS: usize = 50;

/// After how many items that take too much work a file is left alone.
const MAX_LABORIOUS: usize = 3;

/// How often a broken item is read again beyond the next item word, which may cost the whole text.
const MAX_RETRIES: usize = 10;

#[derive(pest_derive::Parser)]
#[grammar = "grammar/rules.pest"]
pub(super) struct Grammar;

/// Sees to it that reading comes to an end. The limit is one for the whole process; every call sets it to the same number.
pub(super) fn limited() {
    pest::set_call_limit(NonZeroUsize::new(MAX_CALLS));
}

/// Reads a rulebook or an amendment.
///
/// It never fails: what could be read is in the file, what could not is in the diagnostics.
pub fn parse(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    crate::stack::with_room(|| parse_here(file, text, None))
}

/// Does the same, but takes an item that stands in the former text of the same file, letter by letter, from there.
pub fn parse_after(file: FileId, text: &str, former: &mut Items) -> (File, Vec<Diagnostic>) {
    crate::stack::with_room(|| parse_here(file, text, Some(former)))
}

/// The items of one text of a file, for the next text of it.
#[derive(Debug, Default)]
pub struct Items(HashMap<String, Kept>);

/// An item whose reading hangs on nothing but its own letters, under these.
#[derive(Debug)]
struct Kept {
    /// Where it was read.
    at: usize,
    /// How many bytes it has.
    length: usize,
    item: Arc<Item>,
}

fn parse_here(file: FileId, text: &str, mut former: Option<&mut Items>) -> (File, Vec<Diagnostic>) {
    let mut reader = Reader {
        kept: former.is_some().then(Items::default),
        former: Items::default(),
        file: File {
            file,
            header: None,
            items: Vec::new(),
            comments: Vec::new(),
            parts: Vec::new(),
        },
        diagnostics: Vec::new(),
        header_is_broken: false,
        n_retries: 0,
        n_laborious: 0,
        n_told: 0,
        n_wrong: 0,
    };
    if text.len() > MAX_TEXT {
        let span = Span::new(file, 0, 0);
        let message = format!(
            "this text has {} bytes, more than the {MAX_TEXT} that are read",
            text.len()
        );
        let finding = Diagnostic::at(codes::TEXT_TOO_LONG, span, message);
        reader
            .diagnostics
            .push(finding.help("split it into a game and amendments"));
        return (reader.file, reader.diagnostics);
    }
    limited();
    if let Some(items) = &mut former {
        reader.former = std::mem::take(items);
    }
    let mut scan = scan(file, text);
    reader.file.comments = std::mem::take(&mut scan.comments);
    reader.diagnostics = std::mem::take(&mut scan.hidden);
    reader.read(&scan);
    if reader.file.header.is_none() && !reader.header_is_broken {
        reader.diagnostics.push(
            Diagnostic::at(codes::MISSING_HEADER, Span::new(file, 0, 0), "this file does not say which game it is")
                .help("begin it with `game NAME \"Title\" { seats a, b }` or `variant NAME \"Title\" for GAME { }`"),
        );
    }
    sort_by_place(&mut reader.diagnostics);
    if let (Some(former), Some(kept)) = (former, reader.kept) {
        *former = kept;
    }
    (reader.file, reader.diagnostics)
}

/// Returns what keeps a text from being read: the errors, but not that something is said in an older form, which is read
/// so that it can be rewritten.
pub fn not_read(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_so = |it: &Diagnostic| it.is_error() && it.code != codes::OLDER_FORM;
    found.into_iter().filter(is_so).collect()
}

/// Headers are mostly shorter than this.
const MOST_HEADER: usize = 4_096;

/// Returns the header of a rulebook, if there is one that can be read; what follows it is not looked at.
pub fn parse_header(text: &str) -> Option<Header> {
    let file = FileId(0);
    // Where an item starts follows from what stands before it.
    let second = |most: usize| second_start(text.get(..most).unwrap_or(text));
    let end = second(MOST_HEADER).or_else(|| second(MAX_TEXT));
    let head = end.and_then(|end| text.get(..end));
    // A line inside of the header may look like the start of an item.
    let read = |text| parse(file, text).0.header;
    head.and_then(read).or_else(|| read(text))
}

/// Reads one expression, for tests and for what a user types; nothing else may stand in the text.
pub fn parse_expression(file: FileId, text: &str) -> (Option<super::ast::Expr>, Vec<Diagnostic>) {
    parse_part(file, text, Rule::lone_expression, |lower, pair| {
        lower.lone_expression(pair)
    })
}

/// Reads an alternative as it stands behind `choose WHO:`, for what a user types.
pub fn parse_alternative(
    file: FileId,
    text: &str,
) -> (Option<super::ast::Alternative>, Vec<Diagnostic>) {
    parse_part(file, text, Rule::lone_alternative, |lower, pair| {
        lower.lone_alternative(pair)
    })
}

fn parse_part<T>(
    file: FileId,
    text: &str,
    rule: Rule,
    lower: impl Fn(&mut Lower<'_>, Pair<'_, Rule>) -> Lowered<T>,
) -> (Option<T>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    if text.len() > MAX_TEXT {
        diagnostics.push(Diagnostic::new(
            codes::TEXT_TOO_LONG,
            "this text is too long",
        ));
        return (None, diagnostics);
    }
    limited();
    let scan = scan(file, text);
    diagnostics.extend(scan.faults.into_iter().chain(scan.hidden));
    if !diagnostics.is_empty() {
        return (None, diagnostics);
    }
    match Grammar::parse(rule, &scan.text) {
        Ok(mut pairs) => {
            let mut lower_to = Lower::new(file, 0, &mut diagnostics);
            let found = pairs
                .next()
                .and_then(|pair| lower(&mut lower_to, pair).ok());
            (found, diagnostics)
        }
        Err(error) => {
            diagnostics.push(finding(file, &scan.text, 0, text.len(), error));
            (None, diagnostics)
        }
    }
}

struct Reader {
    /// The items of the former text that did not come up yet.
    former: Items,
    /// Those of this text, if they are to be kept.
    kept: Option<Items>,
    file: File,
    diagnostics: Vec<Diagnostic>,
    header_is_broken: bool,
    n_retries: usize,
    n_laborious: usize,
    /// How many of the findings were looked at, and how many of these are errors to be told.
    n_told: usize,
    n_wrong: usize,
}

/// One thing that `item` may turn out to be.
pub(super) enum ItemOrHeader {
    Item(Box<Item>),
    Header(Box<Header>),
}

impl Reader {
    fn read(&mut self, scan: &Scan) {
        let text = scan.text.as_str();
        let mut at = 0;
        while let Some(skipped) = text
            .get(at..)
            .and_then(|rest| rest.find(|c: char| !is_blank(c)))
        {
            at += skipped;
            let next_start = scan.starts.partition_point(|start| *start <= at);
            let next = scan.starts.get(next_start).copied().unwrap_or(text.len());
            at = self.item_or_finding(scan, at, next);
            if self.n_laborious >= MAX_LABORIOUS {
                return;
            }
            // What is only older can be read, and is rewritten as a whole.
            let new = self.diagnostics.get(self.n_told..).unwrap_or_default();
            self.n_wrong += new.iter().filter(|it| it.code != codes::OLDER_FORM).count();
            self.n_told = self.diagnostics.len();
            if self.n_wrong >= MAX_FINDINGS {
                let place = Span::new(self.file.file, at, at);
                let message = format!(
                    "there are more than {MAX_FINDINGS} errors; the rest of the file was not read"
                );
                self.diagnostics
                    .push(Diagnostic::at(codes::TOO_MANY_ERRORS, place, message));
                return;
            }
        }
    }

    /// Reads the item at `at` or says why not, and returns where to go on; `next` is where the next
    /// item begins if lines are trusted.
    fn item_or_finding(&mut self, scan: &Scan, at: usize, next: usize) -> usize {
        let text = scan.text.as_str();
        let start_of = |it: &Diagnostic| it.span().map_or(0, |span| span.start as usize);
        let first_fault = scan.faults.partition_point(|it| start_of(it) < at);
        let behind_faults = scan.faults.partition_point(|it| start_of(it) < next);
        if let Some(faults) = scan
            .faults
            .get(first_fault..behind_faults)
            .filter(|it| !it.is_empty())
        {
            self.diagnostics.extend(faults.iter().take(3).cloned());
            self.note_broken(text, at);
            return next;
        }
        if let Some(end) = self.known_item(text, at, next) {
            return end;
        }
        let error = match self.item(text, at, next) {
            Ok(end) => return end,
            Err(error) => error,
        };
        // Perhaps an item word at the start of a line inside of an item that is whole.
        let is_laborious = matches!(error.variant, ErrorVariant::CustomError { .. });
        self.n_laborious += usize::from(is_laborious);
        if next < text.len() && self.n_retries < MAX_RETRIES && !is_laborious {
            if let Ok(end) = self.item(text, at, text.len()) {
                return end;
            }
            self.n_retries += 1;
        }
        let is_told = self
            .diagnostics
            .iter()
            .any(|it| it.code == codes::HIDDEN_CHARACTER && (at..next).contains(&start_of(it)));
        if !is_told {
            self.diagnostics
                .push(finding(self.file.file, text, at, next, *error));
        }
        self.note_broken(text, at);
        next
    }

    /// Takes the item that is written from `at` to `next` from the former text, if it is there, and returns where it ends.
    fn known_item(&mut self, text: &str, at: usize, next: usize) -> Option<usize> {
        let (letters, mut it) = self.former.0.remove_entry(text.get(at..next)?)?;
        let by = at.wrapping_sub(it.at) as u32;
        if by != 0 {
            it.item.moved(by);
            it.at = at;
        }
        self.file.items.push(Arc::clone(&it.item));
        let end = at + it.length;
        if let Some(kept) = &mut self.kept {
            kept.0.insert(letters, it);
        }
        Some(end)
    }

    /// Reads the item at `at`, which ends before `limit`, and returns where it ends.
    fn item(&mut self, text: &str, at: usize, limit: usize) -> Result<usize, Box<Error<Rule>>> {
        let slice = text.get(at..limit).unwrap_or("");
        let mut pairs = Grammar::parse(Rule::item, slice).map_err(Box::new)?;
        let Some(pair) = pairs.next() else {
            return Ok(limit);
        };
        let end = pair.as_str().trim_end_matches(is_blank).len();
        let behind = slice.get(end..).unwrap_or("");
        let follows = behind.trim_start_matches(is_blank);
        let starts_a_line = behind
            .get(..behind.len() - follows.len())
            .is_some_and(|gap| gap.ends_with('\n'));
        let goes_on =
            follows.is_empty() || follows.starts_with("///") || is_item_word(leading_word(follows));
        // A word that only the next line completes: `status` and then `edition`, which begins items too.
        if !goes_on && starts_a_line && at + slice.len() < text.len() {
            let longer = text.get(at..).unwrap_or("");
            let read = Grammar::parse(Rule::item, longer).ok();
            let is_longer =
                |pair: Pair<'_, Rule>| pair.as_str().trim_end_matches(is_blank).len() > slice.len();
            if read.and_then(|mut it| it.next()).is_some_and(is_longer) {
                return self.item(text, at, text.len());
            }
        }
        let is_whole = goes_on || starts_a_line;
        if !is_whole {
            // What was read is only the beginning of what was meant: find out where reading stops.
            Grammar::parse(Rule::lone_item, slice).map_err(Box::new)?;
        }
        let n_found = self.diagnostics.len();
        let mut lower = Lower::new(self.file.file, at, &mut self.diagnostics);
        match lower.item_or_header(pair) {
            Ok(ItemOrHeader::Item(item)) => {
                let item = Arc::new(*item);
                // Else it hangs on what follows, or there is something to be said of it.
                let is_settled = goes_on && self.diagnostics.len() == n_found;
                if let Some(kept) = self.kept.as_mut().filter(|_| is_settled) {
                    let item = Arc::clone(&item);
                    let it = Kept {
                        at,
                        length: end,
                        item,
                    };
                    kept.0.insert(slice.to_owned(), it);
                }
                self.file.items.push(item);
            }
            Ok(ItemOrHeader::Header(header)) => self.header(*header),
            Err(_) => self.note_broken(text, at),
        }
        Ok(at + end)
    }

    fn header(&mut self, header: Header) {
        if let Some(first) = &self.file.header {
            self.diagnostics.push(
                Diagnostic::at(
                    codes::SECOND_HEADER,
                    header.name.span,
                    format!("`{}` is a second header", header.name),
                )
                .label(first.name.span, "the first one is here")
                .help("put each game and each amendment into a file of its own"),
            );
            return;
        }
        if let Some(item) = self.file.items.first() {
            self.diagnostics.push(
                Diagnostic::at(
                    codes::LATE_HEADER,
                    header.span,
                    "the header is not the first item",
                )
                .label(item.span, "this stands before it")
                .help("move the header to the top of the file"),
            );
        }
        self.file.header = Some(header);
    }

    /// Keeps in mind that the header was there, though it could not be read.
    fn note_broken(&mut self, text: &str, at: usize) {
        let rest = text
            .get(at..)
            .unwrap_or("")
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with("///"));
        let word = leading_word(rest.unwrap_or(""));
        let headers = ["game", "variant", "edition", "expansion", "part"];
        self.header_is_broken |= closest(word, headers).is_some();
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Turns pest's error about `text[at..limit]` into words.
fn finding(file: FileId, text: &str, at: usize, limit: usize, error: Error<Rule>) -> Diagnostic {
    let (InputLocation::Pos(start) | InputLocation::Span((start, _))) = error.location;
    let place = at + start;
    match error.variant {
        ErrorVariant::ParsingError { positives, .. } => unexpected::describe(&Failure {
            file,
            text,
            start: at,
            limit,
            place,
            expected: &positives,
        }),
        // Both limits of pest: work, and room on the stack.
        ErrorVariant::CustomError { message } if message.starts_with("stack") => {
            too_deep(Span::new(file, at, at + 1))
        }
        ErrorVariant::CustomError { .. } => Diagnostic::at(
            codes::TOO_MUCH_TO_READ,
            Span::new(file, at, at + 1),
            "this item takes too much work to read",
        )
        .help("split it, or nest it less deep"),
    }
}
