//! What is drawn: printed signs of things and places, read back.

use crate::model::text::Form;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap as HashMap;

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::limits::MOST_ELEMENTS;
use crate::model::text::{Said, name_of};
use crate::model::{Base, DomainId, DomainKind, Type};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};

use super::scope::{did_you_mean, listed, there_is};
use super::{Checked, Checker, Reported};

/// The printed signs of the values of a domain.
#[derive(Debug, Default)]
pub(super) struct Signs {
    values: HashMap<String, Vec<i64>>,
    /// Bytes of the longest.
    longest: usize,
}

/// A drawn text with its place.
#[derive(Clone, Debug)]
pub(super) struct Ink {
    pub(super) text: String,
    pub(super) span: Span,
    /// Where the text begins behind the quotes; `None` where it is not as it is written.
    offset: Option<usize>,
    /// Whether it was drawn between three quotes.
    pub(super) has_rows: bool,
}

impl Ink {
    /// The place of a piece.
    pub(super) fn at(&self, range: &Range<usize>) -> Span {
        let Some(offset) = self.offset else {
            return self.span;
        };
        let start = usize::try_from(self.span.start).unwrap_or(0) + offset;
        Span::new(self.span.file, start + range.start, start + range.end)
    }
}

/// What stands in a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    /// So many of a kind.
    Kind(i64, i64),
    /// One of a kind, with the fields of its place.
    Lying(i64, Vec<i64>),
    /// `?`: a thing, whichever; on a board nothing is said.
    Any,
    /// `#`: a thing, whichever.
    Some,
    /// `.`: nothing.
    Empty,
}

impl Drawn {
    /// The kind that is drawn, and how many.
    pub(super) fn kind(&self) -> Option<(i64, i64)> {
        match self {
            Drawn::Kind(kind, n) => Some((*kind, *n)),
            Drawn::Lying(kind, _) => Some((*kind, 1)),
            Drawn::Any | Drawn::Some | Drawn::Empty => None,
        }
    }
}

/// A piece of a drawing with its place.
pub(super) type Piece = (Drawn, Span);

/// Where a text is read on.
pub(super) struct Reader<'t> {
    pub(super) ink: &'t Ink,
    pub(super) at: usize,
    end: usize,
    /// Whether lines between places may stand here.
    strokes: bool,
    /// Whether a comma stood before what is read next.
    pub(super) behind_comma: bool,
}

impl<'t> Reader<'t> {
    pub(super) fn new(ink: &'t Ink, range: Range<usize>, strokes: bool) -> Self {
        Self {
            ink,
            at: range.start,
            end: range.end,
            strokes,
            behind_comma: false,
        }
    }

    fn rest(&self) -> &'t str {
        self.ink.text.get(self.at..self.end).unwrap_or("")
    }

    fn is_between(&self, letter: char) -> bool {
        letter.is_whitespace()
            || letter == ','
            || self.strokes && matches!(letter, '-' | '|' | '/' | '\\')
    }

    /// Skips blanks and commas; whether something is left.
    pub(super) fn skip(&mut self) -> bool {
        self.behind_comma = false;
        while let Some(letter) = self.rest().chars().next() {
            if !self.is_between(letter) {
                return true;
            }
            self.behind_comma |= letter == ',';
            self.at += letter.len_utf8();
        }
        false
    }

    /// The next word, up to a blank or a comma.
    fn word(&self) -> &'t str {
        let rest = self.rest();
        rest.split(|it| self.is_between(it)).next().unwrap_or(rest)
    }

    /// Whether what stands here is no sign whatever is drawn: nothing, anything, or a number.
    pub(super) fn is_at_mark(&self) -> bool {
        let word = self.word();
        matches!(word, "?" | "#" | ".") || word.parse::<u16>().is_ok()
    }

    /// The longest sign that stands here.
    pub(super) fn sign<'s>(&self, signs: &'s Signs) -> Option<(usize, &'s [i64])> {
        let rest = self.rest();
        let ends = rest
            .char_indices()
            .filter(|(_, letter)| self.is_between(*letter))
            .map(|(at, _)| at)
            .take_while(|at| *at <= signs.longest);
        let mut found = None;
        for end in ends.chain([rest.len()]) {
            if let Some(values) = rest.get(..end).and_then(|it| signs.values.get(it)) {
                found = Some((end, values.as_slice()));
            }
        }
        found
    }

    /// Goes on behind what was read.
    pub(super) fn pass(&mut self, length: usize) -> Span {
        let span = self.ink.at(&(self.at..self.at + length));
        self.at += length;
        span
    }
}

/// Whether an expression is drawn.
pub(super) fn is_drawn(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Text(_) | ExprKind::Drawn(_))
}

impl Checker<'_> {
    /// The text of a drawn expression.
    pub(super) fn ink(&mut self, expr: &Expr) -> Checked<Ink> {
        match &expr.kind {
            ExprKind::Drawn(drawing) => Ok(Ink {
                text: drawing.text.clone(),
                span: drawing.span,
                offset: Some(3),
                has_rows: true,
            }),
            ExprKind::Text(template) => {
                let Some(text) = template.plain() else {
                    return Err(self.complain(
                        codes::HOLE_NOT_ALLOWED,
                        expr.span,
                        "what is drawn cannot have a hole",
                        "write the signs out",
                    ));
                };
                let length = template.span.end.saturating_sub(template.span.start);
                let exact = usize::try_from(length).is_ok_and(|it| it == text.len() + 2);
                Ok(Ink {
                    text: text.to_owned(),
                    span: template.span,
                    offset: exact.then_some(1),
                    has_rows: false,
                })
            }
            _ => Err(Reported),
        }
    }

    /// The printed signs of the values of a domain.
    pub(super) fn signs_of(&mut self, domain: DomainId, span: Span) -> Checked<Rc<Signs>> {
        if let Some(signs) = self.signs_known.get(&domain) {
            return Ok(Rc::clone(signs));
        }
        self.show_kinds();
        let Some(it) = self.domain(domain) else {
            return Err(Reported);
        };
        if it.size > MOST_ELEMENTS {
            let message = format!("`{}` has too many values to be drawn", it.name);
            let help = format!("what has at most {MOST_ELEMENTS} values can be drawn");
            return Err(self.complain(codes::TOO_MANY_ELEMENTS, span, message, help));
        }
        let mut signs = Signs::default();
        let nowhere = |_, _| None;
        let size = i64::try_from(it.size).unwrap_or(0);
        for form in Form::WRITTEN {
            let said = Said::new(&self.game, &nowhere, form);
            for value in 0..size {
                signs.add(said.element(domain, value), value);
            }
        }
        if let DomainKind::Enum { .. } = it.kind {
            for value in 0..size {
                let ty = Type::of(Base::Elem(domain));
                let drawn =
                    Form::WRITTEN.map(|it| Said::new(&self.game, &nowhere, it).sign(ty, value));
                for sign in [name_of(it, value)].into_iter().chain(drawn) {
                    if !signs.values.contains_key(&sign) {
                        signs.add(sign, value);
                    }
                }
            }
        }
        let signs = Rc::new(signs);
        self.signs_known.insert(domain, Rc::clone(&signs));
        Ok(signs)
    }

    /// Reads the next sign of a domain.
    pub(super) fn read_sign(
        &mut self,
        reader: &mut Reader<'_>,
        domain: DomainId,
    ) -> Checked<(i64, Span)> {
        let signs = self.signs_of(domain, reader.ink.span)?;
        match reader.sign(&signs) {
            Some((length, [value])) => Ok((*value, reader.pass(length))),
            Some((length, values)) => {
                let count = values.len();
                let span = reader.pass(length);
                Err(self.ambiguous_sign(span, domain, count))
            }
            None => Err(self.unknown_sign(reader, domain, &signs)),
        }
    }

    pub(super) fn ambiguous_sign(
        &mut self,
        span: Span,
        domain: DomainId,
        count: usize,
    ) -> Reported {
        let of = self
            .domain(domain)
            .map_or(String::new(), |it| it.name.clone());
        let message = format!("this is the sign of {count} values of `{of}`");
        let help = format!(
            "write a name of the rules instead of the text, or print them differently: `show {of} as \"…\"`"
        );
        self.complain(codes::AMBIGUOUS_SIGN, span, message, help)
    }

    pub(super) fn unknown_sign(
        &mut self,
        reader: &mut Reader<'_>,
        domain: DomainId,
        signs: &Signs,
    ) -> Reported {
        let word = reader.word();
        let span = reader.pass(word.len());
        let of = self
            .domain(domain)
            .map_or(String::new(), |it| it.name.clone());
        let message = format!("`{word}` is no sign of `{of}`");
        let mut diagnostic = Diagnostic::at(codes::UNKNOWN_SIGN, span, message);
        let mut known: Vec<String> = signs.values.keys().cloned().collect();
        known.sort();
        let near = closest(word, known.iter().map(String::as_str)).map(str::to_owned);
        if near.is_none() {
            diagnostic = diagnostic.help(match known.as_slice() {
                [_, _, ..] => {
                    let quoted: Vec<String> = known.iter().map(|it| format!("\"{it}\"")).collect();
                    format!("it is printed as one of {}", listed(&quoted))
                }
                known => there_is(known),
            });
        }
        self.report(did_you_mean(diagnostic, span, near))
    }

    /// Reads the next piece: a sign, with how many there are of it before it, or what stands for any.
    pub(super) fn read_piece(
        &mut self,
        reader: &mut Reader<'_>,
        domain: DomainId,
    ) -> Checked<Piece> {
        let signs = self.signs_of(domain, reader.ink.span)?;
        if reader.sign(&signs).is_none() {
            let word = reader.word();
            let mark = match word {
                "?" => Some(Drawn::Any),
                "#" => Some(Drawn::Some),
                "." => Some(Drawn::Empty),
                _ => None,
            };
            if let Some(mark) = mark {
                return Ok((mark, reader.pass(1)));
            }
            if let Ok(count) = word.parse::<u16>() {
                let span = reader.pass(word.len());
                if !reader.skip() {
                    let sign = signs.values.keys().min_by_key(|it| (it.len(), it.as_str()));
                    let help = match sign {
                        Some(sign) => {
                            format!("write the sign behind the number: `\"{word} {sign}\"`")
                        }
                        None => "write the sign behind the number".to_owned(),
                    };
                    return Err(self.complain(
                        codes::UNKNOWN_SIGN,
                        span,
                        "nothing is said to be there so often",
                        help,
                    ));
                }
                if matches!(reader.word(), "?" | "#") && reader.sign(&signs).is_none() {
                    let help = "write it as often as it is meant: `\"? ?\"`";
                    return Err(self.complain(
                        codes::UNKNOWN_SIGN,
                        span,
                        "a sign stands behind a number",
                        help,
                    ));
                }
                let (value, end) = self.read_sign(reader, domain)?;
                return Ok((Drawn::Kind(value, i64::from(count)), span.to(end)));
            }
        }
        let (value, span) = self.read_sign(reader, domain)?;
        Ok((Drawn::Kind(value, 1), span))
    }

    /// Where each piece of a text stands in it.
    pub(super) fn ranges_of(&mut self, ink: &Ink, domain: DomainId) -> Checked<Vec<Range<usize>>> {
        let mut reader = Reader::new(ink, 0..ink.text.len(), false);
        let mut ranges = Vec::new();
        while reader.skip() {
            let start = reader.at;
            self.read_piece(&mut reader, domain)?;
            ranges.push(start..reader.at);
        }
        Ok(ranges)
    }

    /// Reads all pieces of a text.
    pub(super) fn read_pieces(
        &mut self,
        ink: &Ink,
        from: usize,
        domain: DomainId,
    ) -> Checked<Vec<Piece>> {
        self.read_each(ink, from, |this, reader| this.read_piece(reader, domain))
    }

    /// Reads one piece after the other.
    pub(super) fn read_each<'i>(
        &mut self,
        ink: &'i Ink,
        from: usize,
        piece: impl Fn(&mut Self, &mut Reader<'i>) -> Checked<Piece>,
    ) -> Checked<Vec<Piece>> {
        let mut reader = Reader::new(ink, from..ink.text.len(), false);
        let mut pieces = Vec::new();
        while reader.skip() {
            pieces.push(piece(self, &mut reader)?);
        }
        Ok(pieces)
    }
}

impl Signs {
    pub(super) fn add(&mut self, sign: String, value: i64) {
        self.longest = self.longest.max(sign.len());
        let values = self.values.entry(sign).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }
}
