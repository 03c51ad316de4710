//! A booklet as one page that needs nothing else.

use std::fmt::Write;

use super::{Bit, Booklet, House, Line, Section};

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:17px/1.55 Georgia,'Times New Roman',serif;max-width:44rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:2rem}h2{margin-top:2.2rem;border-bottom:1px solid #8886}h3{margin:1.3rem 0 .2rem}\
p{margin:.3rem 0}ul{margin:.2rem 0;padding-left:1.3rem}\
code{font:.85em ui-monospace,monospace;background:#8882;padding:0 .2em;border-radius:3px}\
small{opacity:.6}nav ul{columns:2}\
.house{border-left:4px solid #b5651d;margin:.4rem 0;padding:.2rem .8rem;background:#b5651d18}\
.house del{opacity:.7}";

impl Booklet {
    /// Writes it as one page of HTML; its anchors are addresses.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<nav><ul>\n"
        );
        // Writing into a string cannot fail.
        for (at, chapter) in self.chapters.iter().enumerate() {
            let _ = writeln!(out, "<li><a href=\"#-{at}\">{}</a></li>", chapter.title);
        }
        out += "</ul></nav>\n";
        for (at, chapter) in self.chapters.iter().enumerate() {
            let _ = writeln!(out, "<h2 id=\"-{at}\">{}</h2>", chapter.title);
            for it in &chapter.sections {
                section(&mut out, it);
            }
        }
        out + "</body>\n</html>\n"
    }
}

fn section(out: &mut String, it: &Section) {
    if !it.title.is_empty() {
        let title = line(&it.title);
        let _ = match it.address.as_str() {
            "" => writeln!(out, "<h3>{title}</h3>"),
            address => writeln!(out, "<h3 id=\"{}\">{title}</h3>", escaped(address)),
        };
    }
    let is_named = !it.title.is_empty() || it.address.is_empty();
    if !is_named {
        let _ = write!(out, "<a id=\"{}\"></a>", escaped(&it.address));
    }
    let mut open = 0;
    for (depth, text) in &it.lines {
        let depth = usize::from(*depth);
        while open > depth {
            *out += "</ul>\n";
            open -= 1;
        }
        while open < depth {
            *out += "<ul>\n";
            open += 1;
        }
        let tag = if depth == 0 { "p" } else { "li" };
        let _ = writeln!(out, "<{tag}>{}</{tag}>", line(text));
    }
    *out += &"</ul>\n".repeat(open);
    if let Some(House { by, before }) = &it.house {
        let _ = writeln!(out, "<div class=\"house\"><b>{}</b>", escaped(by));
        for text in before {
            let _ = writeln!(out, "<p>Before: <del>{}</del></p>", line(text));
        }
        *out += "</div>\n";
    }
}

fn line(line: &Line) -> String {
    line.iter().map(bit).collect()
}

fn bit(bit: &Bit) -> String {
    match bit {
        Bit::Text(text) => escaped(text),
        Bit::Word(word) | Bit::Hole(word, _) => format!("<em>{}</em>", escaped(word)),
        Bit::Code(code) => format!("<code>{}</code>", escaped(code)),
        Bit::Cite(id) => format!(" <small>({})</small>", escaped(id)),
        Bit::Anchor(address) => format!("<a id=\"{}\"></a>", escaped(address)),
        Bit::Link(words, to) => format!("<a href=\"#{}\">{}</a>", escaped(to), escaped(words)),
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}
