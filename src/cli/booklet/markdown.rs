//! A booklet as Markdown.

use std::fmt::Write;

use super::{Bit, Booklet, House, Line};

impl Booklet {
    /// Writes it as Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", escaped(&self.title));
        // Writing into a string cannot fail.
        for chapter in &self.chapters {
            let _ = write!(out, "\n## {}\n", chapter.title);
            for section in &chapter.sections {
                if !section.title.is_empty() {
                    let anchor = anchor(&section.address);
                    let title = line(&section.title);
                    let _ = write!(out, "\n### {anchor}{title}\n");
                }
                let mut was = None;
                let is_named = !section.title.is_empty() || section.address.is_empty();
                let mut named = (!is_named).then(|| anchor(&section.address));
                for (depth, text) in &section.lines {
                    // A list stands close together, all else apart.
                    if *depth == 0 || was.is_none_or(|it| it == 0) {
                        out.push('\n');
                    }
                    match depth.checked_sub(1) {
                        None => {
                            out += &named.take().unwrap_or_default();
                            out += &line(text);
                        }
                        Some(n) => {
                            let _ = write!(out, "{}- {}", "  ".repeat(n.into()), line(text));
                        }
                    }
                    out.push('\n');
                    was = Some(*depth);
                }
                if let Some(House { by, before }) = &section.house {
                    let _ = write!(out, "\n> **{}**\n", escaped(by));
                    for text in before {
                        let _ = write!(out, ">\n> Before: {}\n", line(text));
                    }
                }
            }
        }
        out
    }
}

fn line(line: &Line) -> String {
    line.iter().map(bit).collect()
}

fn anchor(address: &str) -> String {
    match address {
        "" => String::new(),
        address => format!("<a id=\"{address}\"></a>"),
    }
}

fn bit(bit: &Bit) -> String {
    match bit {
        Bit::Text(text) => escaped(text),
        Bit::Word(word) | Bit::Hole(word, _) => format!("*{}*", escaped(word.trim())),
        Bit::Code(code) => {
            let fence = if code.contains('`') { "``" } else { "`" };
            format!("{fence}{code}{fence}")
        }
        Bit::Cite(id) => format!(" ({})", escaped(id)),
        Bit::Anchor(address) => anchor(address),
        Bit::Link(words, to) => format!("[{}](#{to})", escaped(words)),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if matches!(
            letter,
            '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '#' | '|'
        ) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
