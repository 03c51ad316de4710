//! Names, numbers, texts, and the tail of citations.

use super::{Lower, Lowered, Pair, Parts};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::source::Span;
use crate::syntax::ast::{
    Allow, Authority, Cite, Cited, Doc, Drawing, Name, Number, Order, Path, SentenceId, Side,
    Status, Tail, Template, TemplatePart, Text,
};
use crate::syntax::parse::Rule;
use crate::syntax::scan::QUOTES;

impl Lower<'_> {
    pub(super) fn name(&self, pair: &Pair<'_>) -> Name {
        Name {
            text: String::from(pair.as_str()),
            span: self.span(pair),
        }
    }

    pub(super) fn name_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Name> {
        let pair = self.need(parts, Rule::ident)?;
        Ok(self.name(&pair))
    }

    /// Reads the name in a part that may be missing.
    pub(super) fn named_behind(
        &mut self,
        parts: &mut Parts<'_>,
        rule: Rule,
    ) -> Lowered<Option<Name>> {
        let Some(pair) = parts.opt(rule) else {
            return Ok(None);
        };
        let mut inner = self.open(pair);
        self.name_in(&mut inner).map(Some)
    }

    /// Reads all names that follow each other; at least one.
    pub(super) fn names_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Name>> {
        let first = self.name_in(parts)?;
        let others = parts.all(Rule::ident);
        Ok(std::iter::once(first)
            .chain(others.iter().map(|pair| self.name(pair)))
            .collect())
    }

    pub(super) fn path_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Path> {
        let pair = self.need(parts, Rule::path)?;
        Ok(self.path(pair))
    }

    pub(super) fn path(&self, pair: Pair<'_>) -> Path {
        let parts = self.open(pair);
        Path {
            segments: parts.queue.iter().map(|part| self.name(part)).collect(),
            span: parts.span,
        }
    }

    pub(super) fn number_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Number> {
        let pair = self.need(parts, Rule::number)?;
        Ok(self.number(&pair))
    }

    pub(super) fn number(&mut self, pair: &Pair<'_>) -> Number {
        let span = self.span(pair);
        let value = pair.as_str().parse().unwrap_or_else(|_| {
            let message = format!(
                "`{}` is greater than the greatest number, {}",
                shortened(pair.as_str()),
                i32::MAX
            );
            self.tell(
                Diagnostic::at(codes::NUMBER_TOO_GREAT, span, message)
                    .help("write a smaller number"),
            );
            i32::MAX
        });
        Number { value, span }
    }

    /// Says of what is read only so that it can be rewritten what to write in its place.
    pub(super) fn older(&mut self, span: Span, what: &str, edits: Vec<(Span, String)>, help: &str) {
        let message = format!("{what} is of an older form of the language");
        let mut finding = Diagnostic::at(codes::OLDER_FORM, span, message)
            .help(format!("{help}; `adit upgrade FILE` does so"));
        if !edits.is_empty() {
            finding = finding.safe_fix("say it as the language says it now", edits);
        }
        self.tell(finding);
    }

    /// Complains of `x & y in S`.
    pub(super) fn older_names(&mut self, names: &[Name]) {
        if let [first, .., last] = names {
            let (span, n_names) = (first.span.to(last.span), names.len());
            let help = format!(
                "write `both in {n_names} of …`, and `first(both)` and `last(both)` for them"
            );
            self.older(span, "a name for each of several", Vec::new(), &help);
        }
    }

    pub(super) fn docs(&mut self, parts: &mut Parts<'_>) -> Vec<Doc> {
        let doc = |pair: &Pair<'_>| {
            let text = pair.as_str().trim_start_matches('/');
            Doc {
                text: String::from(text.strip_prefix(' ').unwrap_or(text).trim_end()),
                span: self.span(pair),
            }
        };
        parts.all(Rule::doc).iter().map(doc).collect()
    }

    // ---------- texts

    pub(super) fn text_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Text> {
        let template = self.template_in(parts)?;
        Ok(self.plain(template))
    }

    pub(super) fn opt_text_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Text>> {
        let template = self.opt_template_in(parts)?;
        Ok(template.map(|it| self.plain(it)))
    }

    fn plain(&mut self, template: Template) -> Text {
        let span = template.span;
        if let Some(TemplatePart::Hole(hole)) = template
            .parts
            .iter()
            .find(|part| matches!(part, TemplatePart::Hole(_)))
        {
            let finding = Diagnostic::at(
                codes::HOLE_NOT_ALLOWED,
                hole.span,
                "this text cannot have a hole",
            );
            self.tell(finding.help("write `{{` and `}}` if braces are meant"));
        }
        let text = template.parts.into_iter().map(|part| match part {
            TemplatePart::Text(text) => text,
            TemplatePart::Hole(_) => String::from("…"),
        });
        Text {
            text: text.collect(),
            span,
        }
    }

    pub(super) fn template_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Template> {
        let pair = self.need(parts, Rule::string)?;
        self.template(pair)
    }

    pub(super) fn opt_template_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Template>> {
        parts
            .opt(Rule::string)
            .map(|pair| self.template(pair))
            .transpose()
    }

    pub(super) fn template(&mut self, pair: Pair<'_>) -> Lowered<Template> {
        let span = self.span(&pair);
        let mut parts = Vec::new();
        let mut text = String::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::text => text.push_str(part.as_str()),
                Rule::escape if part.as_str() == "\\n" => {
                    let finding = Diagnostic::at(
                        codes::LINE_IN_A_TEXT,
                        self.span(&part),
                        "a text is one line",
                    );
                    self.tell(finding.help(
                        "write a blank; what needs several lines is a description with `///`",
                    ));
                    text.push(' ');
                }
                Rule::escape => text.push(match part.as_str() {
                    "{{" => '{',
                    "}}" => '}',
                    other => other.chars().last().unwrap_or('\\'),
                }),
                Rule::hole => {
                    if !text.is_empty() {
                        parts.push(TemplatePart::Text(std::mem::take(&mut text)));
                    }
                    let mut hole = self.open(part);
                    let operand = self.need(&mut hole, Rule::operand)?;
                    parts.push(TemplatePart::Hole(self.lone_operand(operand)?));
                }
                _ => {}
            }
        }
        if !text.is_empty() {
            parts.push(TemplatePart::Text(text));
        }
        Ok(Template { parts, span })
    }

    pub(super) fn drawing(&self, pair: &Pair<'_>) -> Drawing {
        let text = pair.as_str();
        let text = text.strip_prefix(QUOTES).unwrap_or(text);
        Drawing {
            text: text.strip_suffix(QUOTES).unwrap_or(text).to_owned(),
            span: self.span(pair),
        }
    }

    // ---------- the tail

    pub(super) fn tail(&mut self, pairs: Vec<Pair<'_>>) -> Lowered<Tail> {
        let mut tail = Tail::default();
        for pair in pairs {
            let rule = pair.as_rule();
            let mut parts = self.open(pair);
            match rule {
                Rule::cite => tail.cites.extend(self.cites(&mut parts)?),
                Rule::status => {
                    let word = self.name_in(&mut parts)?;
                    if let Some(authority) = self.authority(&word) {
                        let status = Status {
                            authority,
                            span: parts.span,
                        };
                        if tail.status.replace(status).is_some() {
                            let finding = Diagnostic::at(
                                codes::SAID_TWICE,
                                parts.span,
                                "the status is said twice",
                            );
                            self.tell(finding.help("keep the weaker of the two"));
                        }
                    }
                }
                Rule::order => tail.orders.push(Order {
                    side: self.side_in(&mut parts)?,
                    units: {
                        let mut units = vec![self.unit_in(&mut parts)?];
                        while parts.peek() == Some(Rule::unit) {
                            units.push(self.unit_in(&mut parts)?);
                        }
                        units
                    },
                    span: parts.span,
                }),
                _ => {
                    let code = self.need(&mut parts, Rule::code)?;
                    tail.allows.push(Allow {
                        code: self.name(&code),
                        reason: self.text_in(&mut parts)?,
                        span: parts.span,
                    });
                }
            }
        }
        Ok(tail)
    }

    pub(super) fn side_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Side> {
        let pair = self.need(parts, Rule::side)?;
        Ok(if pair.as_str() == "before" {
            Side::Before
        } else {
            Side::After
        })
    }

    /// Reads references up to where they end; a source holds for those behind it.
    pub(super) fn cites(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Cite>> {
        let mut source = None;
        let mut cites = Vec::new();
        for pair in parts.all(Rule::reference) {
            let mut reference = self.open(pair);
            let span = reference.span;
            if let Some(named) = reference.opt(Rule::source_name) {
                source = Some(self.name(&named));
            }
            let what = match reference.opt(Rule::sentences) {
                Some(pair) => {
                    let (first, last) = self.sentences(pair)?;
                    Cited::Sentences { first, last }
                }
                None => Cited::Reason(self.text_in(&mut reference)?),
            };
            let source = match what {
                Cited::Sentences { .. } => source.clone(),
                Cited::Reason(_) => None,
            };
            cites.push(Cite { source, what, span });
        }
        Ok(cites)
    }

    pub(super) fn sentences(&mut self, pair: Pair<'_>) -> Lowered<(SentenceId, SentenceId)> {
        let mut parts = self.open(pair);
        let first = self.need(&mut parts, Rule::sentence)?;
        let last = parts.opt(Rule::sentence).unwrap_or_else(|| first.clone());
        let (first, last) = (self.sentence(&first), self.sentence(&last));
        if first.series != last.series || first.number > last.number {
            let message = format!("`{first}..{last}` is not a stretch of sentences");
            self.tell(
                Diagnostic::at(codes::CITATION_BACKWARDS, parts.span, message)
                    .help("both ends need the same letters, and the smaller number stands first"),
            );
        }
        Ok((first, last))
    }

    pub(super) fn sentence(&mut self, pair: &Pair<'_>) -> SentenceId {
        let span = self.span(pair);
        let (series, rest) = pair.as_str().split_once('-').unwrap_or((pair.as_str(), ""));
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let (number, suffix) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        let number = number.parse().unwrap_or_else(|_| {
            let message = format!("`{}` is not the number of a sentence", shortened(number));
            self.tell(
                Diagnostic::at(codes::NUMBER_TOO_GREAT, span, message)
                    .help("write a smaller number"),
            );
            u32::MAX
        });
        SentenceId {
            series: String::from(series),
            number,
            suffix: String::from(suffix),
            span,
        }
    }

    fn authority(&mut self, word: &Name) -> Option<Authority> {
        let found = Authority::ALL.into_iter().find(|it| it.word() == word.text);
        if found.is_none() {
            let words = Authority::ALL.map(Authority::word);
            let mut finding = Diagnostic::at(
                codes::UNKNOWN_STATUS,
                word.span,
                format!("`{word}` is not a status"),
            )
            .help(format!("write one of: {}", words.join(", ")));
            if let Some(near) = closest(&word.text, words) {
                finding = finding.fix(
                    format!("write `{near}`"),
                    vec![(word.span, String::from(near))],
                );
            }
            self.tell(finding);
        }
        found
    }

    /// Tells that something is written that other languages write, and what is written here.
    pub(super) fn foreign(&mut self, span: Span, written: &str, meant: &str) {
        let title = format!("write `{}`", meant.trim());
        let message = format!("`{written}` is not of this language");
        let finding = Diagnostic::at(codes::FOREIGN_SIGN, span, message).help(title.clone());
        self.tell(finding.safe_fix(title, vec![(span, String::from(meant))]));
    }
}

/// Returns a text that fits into a message.
pub(in crate::syntax) fn shortened(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => String::from(text),
    }
}
