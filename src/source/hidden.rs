//! Characters that nobody sees but that do something to what is around them.

use std::borrow::Cow;

/// Returns whether a character is not seen itself: it steers a terminal, turns the direction of what
/// is around it, or takes no room. Line ends and tabs are seen by what they do to the text; what
/// joins letters and signs belongs to them.
pub fn is_hidden(letter: char) -> bool {
    // Most letters are of these.
    !matches!(letter, ' '..='~')
        && matches!(letter,
            '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
            | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..='\u{e007f}'
        )
        || u32::from(letter) & 0xfffe == 0xfffe
}

/// Returns the text with each hidden character as `\u{…}`; it may have several lines.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |letter| {
        letter.escape_unicode().to_string()
    })
}

/// Returns the text on one line, with all that is hidden or would end the line written out.
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    let breaks = |letter| is_hidden(letter) || matches!(letter, '\n' | '\t');
    escaped(text, breaks, |letter| match letter {
        '\n' | '\t' | '\r' => letter.escape_default().to_string(),
        _ => letter.escape_unicode().to_string(),
    })
}

/// Returns a text of JSON with hidden characters, which stand only in its strings, as JSON escapes them.
pub fn in_json(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden, |letter| {
        let mut units = [0; 2];
        let units = letter.encode_utf16(&mut units).iter();
        units.map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

/// Returns a text as it stands in XML, between tags and in quotes; what steers a terminal is left out.
pub fn in_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Returns the hidden characters of a file, each with its offset; a byte order mark before the text and
/// what is written before the end of a line on some systems belong to no text.
pub fn in_file(text: &str) -> impl Iterator<Item = (usize, char)> {
    let hidden = text.char_indices().filter(|(_, letter)| is_hidden(*letter));
    hidden.filter(|(at, letter)| match letter {
        '\u{feff}' => *at > 0,
        '\r' => text.as_bytes().get(at + 1) != Some(&b'\n'),
        _ => true,
    })
}

/// Returns the text of a file with signs of the same length in place of its hidden characters, so that
/// places in it stay.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut done = 0;
    for (at, letter) in in_file(text) {
        shown.push_str(text.get(done..at).unwrap_or(""));
        shown.push_str(match letter.len_utf8() {
            1 => "?",
            2 => "??",
            3 => "\u{fffd}",
            _ => "\u{fffd}?",
        });
        done = at + letter.len_utf8();
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(text.get(done..).unwrap_or(""));
    Cow::Owned(shown)
}

fn escaped(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_escaped(letter) {
            written.push_str(&escape(letter));
        } else {
            written.push(letter);
        }
    }
    Cow::Owned(written)
}
