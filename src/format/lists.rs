//! Lists between braces: on one line, on as few as hold them, or a thing on each.

use super::Printer;
use crate::source::Span;

impl Printer<'_> {
    /// Writes things between braces on one line if they were on one and fit, else one on a line.
    pub(super) fn list<T>(
        &mut self,
        span: Span,
        flat: &str,
        things: &[T],
        write: impl Fn(&T) -> (Span, String),
    ) {
        let text = if things.is_empty() {
            String::from("{ }")
        } else {
            format!("{{ {flat} }}")
        };
        if self.is_one_line(span) && self.fits(&text) {
            self.out.push_str(&text);
            return;
        }
        let places = things.iter().map(|it| write(it).0);
        let share_lines = places.clone().zip(places.skip(1)).any(|(one, next)| {
            let between = self.text.get(one.end as usize..next.start as usize);
            between.is_some_and(|it| !it.contains('\n'))
        });
        if share_lines && !self.has_comments(span) {
            return self.filled(span, things, write);
        }
        self.braces(span, things, |printer, thing| {
            let (span, text) = write(thing);
            printer.begin_whole(&[], span);
            printer.out.push_str(&text);
            printer.out.push(',');
            // The comma stands before a comment behind the thing.
            let comma = printer
                .text
                .get(span.end as usize..)
                .and_then(|rest| rest.find(|c: char| !c.is_whitespace()));
            let end = match comma {
                Some(at) if printer.text.as_bytes().get(span.end as usize + at) == Some(&b',') => {
                    span.end as usize + at + 1
                }
                _ => span.end as usize,
            };
            printer.end(Span::new(span.file, span.start as usize, end));
        });
    }

    /// Writes things between braces, as many on a line as fit.
    fn filled<T>(&mut self, span: Span, things: &[T], write: impl Fn(&T) -> (Span, String)) {
        self.out.push('{');
        self.indent += 1;
        for (at, thing) in things.iter().enumerate() {
            let word = format!("{},", write(thing).1);
            if at > 0 && self.fits(&format!(" {word}")) {
                self.out.push(' ');
            } else {
                self.out.push('\n');
                self.push_indent();
            }
            self.out.push_str(&word);
        }
        self.out.push('\n');
        self.indent -= 1;
        self.push_indent();
        self.out.push('}');
        self.last = self.last.max(span.end as usize);
    }
}
