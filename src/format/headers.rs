//! Headers.

use super::Printer;
use super::flat::{self, joined};
use crate::source::Span;
use crate::syntax::ast::{Header, HeaderKind, History, Seats, SourceDecl};

impl Printer<'_> {
    pub(super) fn header(&mut self, it: &Header) {
        self.begin(&it.docs, it.span);
        if it.kind == HeaderKind::Part {
            let (title, tail) = (flat::text(&it.title), flat::tail(&it.tail));
            self.out
                .push_str(&format!("part {title} of {}{tail}", it.name));
            return self.end(it.span);
        }
        let version = it.version.as_ref().map_or(String::new(), |version| {
            format!(" version {}", flat::text(version))
        });
        let title = format!("{} {}{version}", it.name, flat::text(&it.title));
        let head = match &it.kind {
            HeaderKind::Game | HeaderKind::Part => format!("game {title}"),
            HeaderKind::Amendment {
                flavour,
                base,
                base_version,
            } => {
                let version = base_version
                    .as_ref()
                    .map_or(String::new(), |it| format!(" {}", flat::text(it)));
                format!("{} {title} for {base}{version}", flavour.word())
            }
        };
        self.out
            .push_str(&format!("{head}{} ", flat::tail(&it.tail)));
        let mut lines = Vec::from_iter(it.seats.as_ref().map(seats));
        lines.extend(it.sources.iter().map(|it| (it.span, source(it))));
        lines.extend(it.history.as_ref().map(|it| (it.most.span, history(it))));
        let text = format!("{{ {} }}", joined(&lines, "  ", |(_, line)| line.clone()));
        if lines.is_empty() && !self.has_comments(it.span) {
            self.out.push_str("{ }");
        } else if self.is_one_line(it.span) && self.fits(&text) {
            self.out.push_str(&text);
        } else {
            self.braces(it.span, &lines, |printer, (span, line)| {
                printer.begin_whole(&[], *span);
                printer.out.push_str(line);
                printer.end(*span);
            });
        }
        self.end(it.span);
    }
}

/// Writes the seats, with a place for them.
fn seats(it: &Seats) -> (Span, String) {
    match it {
        Seats::Named(names) => {
            let span = names
                .first()
                .zip(names.last())
                .map(|(first, last)| first.span.to(last.span));
            let names = joined(names, ", ", flat::enum_value);
            (span.unwrap_or_default(), format!("seats {names}"))
        }
        Seats::Numbered { least, most, stem } => (
            least.span.to(stem.span),
            format!("seats {}..{}, {stem}", least.value, most.value),
        ),
    }
}

fn source(it: &SourceDecl) -> String {
    let sentences = joined(&it.sentences, ", ", |it| {
        flat::sentences(&it.first, &it.last)
    });
    let sentences = if sentences.is_empty() {
        sentences
    } else {
        format!(" sentences {sentences}")
    };
    format!("source {} {}{sentences}", it.name, flat::text(&it.title))
}

pub(super) fn history(it: &History) -> String {
    let of = match it.of.as_slice() {
        [] => String::new(),
        names => format!("of {} ", joined(names, ", ", |name| name.text.clone())),
    };
    format!("history {of}up to {}", it.most.value)
}
