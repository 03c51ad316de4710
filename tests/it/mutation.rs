//! Whatever is typed, the program answers: no panic, no hang.

use std::collections::HashSet;

use adit::diagnostic::Diagnostic;
use adit::format::format;
use adit::limits::MAX_DEPTH;
use adit::pipeline::{Request, compile};
use adit::report::{Look, graphical, plain};
use adit::source::{FileId, Source, Sources};
use adit::syntax::parse;
use adit::syntax::tokens::tokens;

use crate::fixtures::rule_files;

/// A small generator of numbers, the same on every machine (xorshift64*).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(number).unwrap() % limit.max(1)
    }
}

/// Makes broken texts from good ones, byte by byte and token by token.
pub struct Mutations {
    numbers: Numbers,
    seeds: Vec<String>,
    words: Vec<String>,
}

impl Mutations {
    pub fn new(seed: u64, seeds: Vec<String>) -> Mutations {
        let words: HashSet<&str> = seeds
            .iter()
            .flat_map(|text| tokens(text, 0..text.len()))
            .map(|it| it.text)
            .collect();
        let mut words: Vec<String> = words.into_iter().map(String::from).collect();
        words.sort_unstable();
        words.extend(
            [
                "\u{feff}",
                "é",
                "\0",
                "\u{202e}",
                "99999999999",
                "\"",
                "\\",
                "///",
                "//",
                "\r\n",
                "🂡",
            ]
            .map(String::from),
        );
        let numbers = Numbers::new(seed);
        Mutations {
            numbers,
            seeds,
            words,
        }
    }

    pub fn next_text(&mut self) -> String {
        let which = self.numbers.below(self.seeds.len());
        let mut text = self.seeds[which].clone();
        for _ in 0..=self.numbers.below(4) {
            text = if self.numbers.below(3) == 0 {
                self.change_bytes(&text)
            } else {
                self.change_tokens(&text)
            };
        }
        text
    }

    fn change_bytes(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let at = self.numbers.below(bytes.len() + 1);
        let end = (at + 1 + self.numbers.below(8)).min(bytes.len());
        match self.numbers.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end.max(at))),
            2 => bytes.insert(at, u8::try_from(self.numbers.below(256)).unwrap()),
            3 => {
                let copy = bytes[at..end.max(at)].to_vec();
                let to = self.numbers.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << self.numbers.below(8);
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn change_tokens(&mut self, text: &str) -> String {
        let tokens = tokens(text, 0..text.len());
        if tokens.is_empty() {
            return String::from(text);
        }
        let (one, other) = (
            self.numbers.below(tokens.len()),
            self.numbers.below(tokens.len()),
        );
        let word = self.words[self.numbers.below(self.words.len())].clone();
        let (first, last) = (&tokens[one.min(other)], &tokens[one.max(other)]);
        let replaced =
            |start: usize, end: usize, by: &str| [&text[..start], by, &text[end..]].concat();
        let one = &tokens[one];
        match self.numbers.below(6) {
            0 => replaced(one.start, one.end(), ""),
            1 => replaced(one.start, one.end(), &word),
            2 => replaced(one.start, one.start, &format!("{word} ")),
            3 => replaced(one.start, one.start, &format!("{} ", one.text)),
            4 => {
                let between = &text[first.end()..last.start.max(first.end())];
                replaced(
                    first.start,
                    last.end(),
                    &[last.text, between, first.text].concat(),
                )
            }
            _ => {
                let end = last.end().min(first.start + 200).max(first.end());
                let piece = text
                    .get(first.start..end)
                    .map_or(word, |piece| piece.repeat(2));
                replaced(one.start, one.start, &piece)
            }
        }
    }
}

/// Returns one to three items of all rulebooks at a time, so that a mutation is read fast.
pub fn small_texts() -> Vec<String> {
    let folders = ["rules", "tests/fixtures"];
    let mut texts = Vec::new();
    for path in folders.into_iter().flat_map(rule_files) {
        let text = std::fs::read_to_string(path).unwrap();
        if text.len() > 1 << 16 {
            continue;
        }
        let (file, _) = parse(FileId(0), &text);
        for items in file.items.chunks(3) {
            let span = items[0].span.to(items[items.len() - 1].span);
            texts.extend(
                text.get(span.range())
                    .filter(|it| it.len() < 3_000)
                    .map(String::from),
            );
        }
        texts.extend(
            file.header
                .and_then(|it| text.get(it.span.range()).map(String::from)),
        );
    }
    texts
}

fn assert_places(source: &Source, diagnostics: &[Diagnostic]) {
    for label in diagnostics.iter().flat_map(|it| &it.labels) {
        assert!(
            source.text.get(label.span.range()).is_some(),
            "{label:?} does not lie in {:?}",
            source.text
        );
    }
}

/// Reads a text as every front end does and checks what must hold for any text.
pub fn assert_readable(text: &str) {
    let mut sources = Sources::new();
    let id = sources.add("mutant", text);
    let (file, diagnostics) = parse(id, text);
    assert_places(sources.get(id).unwrap(), &diagnostics);
    for item in &file.items {
        assert!(
            text.get(item.span.range()).is_some(),
            "{:?} in {text:?}",
            item.span
        );
    }
    if diagnostics.iter().all(|it| !it.is_error()) {
        let written = format(id, text).unwrap_or_else(|it| panic!("{it:?} in {text:?}"));
        let (again, _) = parse(id, &written);
        assert!(
            file.items == again.items && file.header == again.header,
            "{text:?}\n=====>\n{written}"
        );
    }
    assert!(
        !plain(&sources, &diagnostics).contains("E0199"),
        "the reader does not know {text:?}"
    );
}

/// Returns how many texts to try: enough for every day, or what `ADIT_MUTATIONS` says; a build without
/// optimisation takes fewer, it is ten times slower.
pub fn n_texts() -> usize {
    let asked = std::env::var("ADIT_MUTATIONS")
        .ok()
        .and_then(|it| it.parse().ok());
    asked.unwrap_or(if cfg!(debug_assertions) {
        2_000
    } else {
        20_000
    })
}

#[test]
fn any_text_can_be_read() {
    let mut mutations = Mutations::new(7, small_texts());
    let header = "game g \"G\" { seats a, b }\n";
    for n in 0..n_texts() {
        let text = mutations.next_text();
        let text = if n % 2 == 0 {
            [header, &text].concat()
        } else {
            text
        };
        assert_readable(&text);
    }
}

/// Returns whole small games, so that a mutation may pass the reader and reach the checker.
fn small_games() -> Vec<String> {
    let paths = [
        "tests/fixtures/games",
        "tests/fixtures/fragments",
        "tests/fixtures/samples",
    ];
    let texts = paths
        .into_iter()
        .flat_map(rule_files)
        .map(|path| std::fs::read_to_string(path).unwrap());
    texts.filter(|text| text.len() < 4_000).collect()
}

#[test]
fn any_text_can_be_compiled() {
    let mut mutations = Mutations::new(9, small_games());
    for _ in 0..n_texts() / 4 {
        let text = mutations.next_text();
        let mut sources = Sources::new();
        let base = sources.add("mutant", text.clone());
        let request = Request {
            base,
            ..Request::default()
        };
        let compiled = compile(&sources, &request);
        assert_places(sources.get(base).unwrap(), &compiled.diagnostics);
        let is_wrong = compiled.diagnostics.iter().any(Diagnostic::is_error);
        assert!(
            compiled.game.is_some() || is_wrong,
            "no game and no reason: {text}"
        );
    }
}

#[test]
fn any_finding_can_be_drawn() {
    let mut mutations = Mutations::new(8, small_texts());
    for _ in 0..n_texts() / 10 {
        let text = mutations.next_text();
        let mut sources = Sources::new();
        let id = sources.add("mutant", text.clone());
        let (_, diagnostics) = parse(id, &text);
        let look = Look {
            width: 60,
            ..Look::default()
        };
        assert_eq!(
            graphical(&sources, &diagnostics, look).is_empty(),
            diagnostics.is_empty()
        );
    }
}

/// What is just not too deep must not overflow the stack of a thread in any later pass.
#[test]
fn nesting_up_to_the_limit_is_compiled_on_a_small_stack() {
    let nests = [
        ("(1 + ", "1", ")"),
        ("{ ", "1", " }"),
        ("{ x in { 1 } where x in ", "{ 1 }", " }"),
        ("1 + ", "1", ""),
        ("f(", "1", ")"),
        ("not ", "true", ""),
        ("if true then 1 else ", "2", ""),
        ("after { points[a] = ", "1", " } 1"),
        ("points[", "a", "]"),
    ];
    let statements = [
        ("if true { ", "", " }"),
        ("for each s in seat { ", "", " }"),
        ("repeat 2 { ", "", " }"),
        ("step s { ", "", " }"),
        ("choose a: b { ", "", " }"),
    ];
    let run = move || {
        let deep = |(open, middle, close): (&str, &str, &str), n_levels: usize| {
            [&open.repeat(n_levels), middle, &close.repeat(n_levels)].concat()
        };
        let rest =
            "track points[seat]: 0..9 = 0\nflow main() { end done }\nending done() { winner a }\n";
        // Some nests are two or three levels of the tree.
        for n in [MAX_DEPTH - 5, MAX_DEPTH / 2 - 5, MAX_DEPTH / 3 - 5] {
            let define = |nest| format!("define f(x: 0..9): int depth 4 = {}\n", deep(nest, n));
            let flow = |nest| format!("flow f() {{ {} }}\n", deep(nest, n));
            for item in nests.map(define).into_iter().chain(statements.map(flow)) {
                let text = format!("game g \"G\" {{ seats a, b }}\n{item}{rest}");
                let mut sources = Sources::new();
                let base = sources.add("deep", text.clone());
                let request = Request {
                    base,
                    ..Request::default()
                };
                let compiled = compile(&sources, &request);
                assert!(compiled.game.is_some() || !compiled.diagnostics.is_empty());
                let _ = format(base, &text);
            }
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}
