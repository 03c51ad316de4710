//! The texts that were read, and places in them.

pub mod hidden;
mod positions;

pub use positions::Units;

use std::fmt;
use std::hash::{Hash, Hasher};

/// The number of a file among the [`Sources`] of one compilation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

/// A stretch of bytes in one file.
///
/// All spans are equal and hash alike, so that a syntax tree can derive its equality and two trees
/// compare by what is written, not by where. Use [`Span::same_place`] to compare places.
#[derive(Clone, Copy, Default)]
pub struct Span {
    /// The file that holds the stretch.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the stretch `start..end` of a file; offsets beyond 4 GiB are cut off.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        let cut = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            file,
            start: cut(start),
            end: cut(end.max(start)),
        }
    }

    /// Returns whether both spans cover the same bytes of the same file.
    pub fn same_place(self, other: Span) -> bool {
        (self.file, self.start, self.end) == (other.file, other.start, other.end)
    }

    /// Returns whether another span lies in this one.
    pub fn holds(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Returns the stretch from the start of this span to the end of `other`, in this span's file.
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the empty span behind this one: where text would be inserted.
    pub fn end_point(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    /// Returns the empty span before this one.
    pub fn start_point(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// Returns the length in bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Returns whether the span covers no byte.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the byte offsets as a range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl Hash for Span {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// One text with the name under which it is shown.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path or the name of a shipped rulebook.
    pub name: String,
    /// The whole text.
    pub text: String,
    line_starts: Vec<u32>,
}

impl Source {
    /// Returns a text under a name.
    pub fn new(name: String, text: String) -> Source {
        let behind_newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0)
            .chain(behind_newlines.map(|at| u32::try_from(at).unwrap_or(u32::MAX)))
            .collect();
        Source {
            name,
            text,
            line_starts,
        }
    }

    /// Returns the place of a byte offset, counted from one.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = self.line_starts.get(line.saturating_sub(1)).copied();
        let before = self
            .text
            .get(start.unwrap_or(0) as usize..(offset as usize).min(self.text.len()));
        LineColumn {
            line,
            column: before.map_or(0, |text| text.chars().count()) + 1,
        }
    }

    /// Returns a line some lines before that of a byte offset, counted from zero, and where it starts.
    pub fn line_before(&self, offset: usize, n_lines: usize) -> (usize, usize) {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        let behind = self.line_starts.partition_point(|start| *start <= offset);
        let line = behind.saturating_sub(1 + n_lines);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        (line, start as usize)
    }

    /// Returns the text of a span; empty where the span does not fit this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }
}

/// A place as people count: line and column from one, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// All texts of one compilation.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Returns an empty collection.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Keeps a text and returns its number.
    ///
    /// A file beyond the 65,535th shares the last number; no rulebook comes near.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u16::try_from(self.files.len()).unwrap_or(u16::MAX));
        self.files.push(Source::new(name.into(), text.into()));
        id
    }

    /// Returns the same texts at the same places with nothing hidden in them, for people to look at.
    pub fn masked(&self) -> Sources {
        let files = self.files.iter().map(|it| Source {
            name: hidden::on_one_line(&it.name).into_owned(),
            text: hidden::masked(&it.text).into_owned(),
            line_starts: it.line_starts.clone(),
        });
        Sources {
            files: files.collect(),
        }
    }

    /// Returns the same texts with another one in the place of a file.
    #[must_use]
    pub fn with(&self, file: FileId, text: Source) -> Sources {
        let mut all = self.clone();
        if let Some(there) = all.files.get_mut(usize::from(file.0)) {
            *there = text;
        }
        all
    }

    /// Returns a file by its number.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(usize::from(file.0))
    }

    /// Returns the files with their numbers, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0..=u16::MAX).map(FileId).zip(&self.files)
    }

    /// Returns the text that a span covers; empty where there is none.
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |source| source.slice(span))
    }

    /// Returns where a span starts, as `name:line:column`.
    pub fn place(&self, span: Span) -> String {
        match self.get(span.file) {
            Some(source) => format!("{}:{}", source.name, source.line_column(span.start)),
            None => String::from("?"),
        }
    }
}
