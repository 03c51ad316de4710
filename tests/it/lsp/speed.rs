//! How long a key takes, measured on request: see docs/lsp.md.

use std::fmt::Write;
use std::time::{Duration, Instant};

use adit::library;
use serde_json::json;

use super::editor::{Editor, place_at};

/// The longest of all but the slowest twentieth.
fn p95(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() * 19 / 20]
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|it| it.starts_with("VmHWM"));
    line.map_or_else(String::new, |it| {
        it.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    })
}

#[test]
#[ignore = "it measures; run it alone, optimised, with --nocapture"]
fn a_key_a_hover_and_a_completion() {
    let most: usize = std::env::var("ADIT_KEYS").map_or(200, |it| it.parse().unwrap());
    let mut told = String::new();
    let mut files: Vec<_> = library::FILES.iter().collect();
    files.sort_by_key(|it| std::cmp::Reverse(it.text.len()));
    for shipped in files.iter().take(2) {
        let name = shipped.path.rsplit('/').next().unwrap();
        let mut text = shipped.text.to_owned();
        let mut editor = Editor::beside_parts_of(shipped);
        editor.open(name, &text);
        editor.findings(name);
        let names: Vec<usize> = text
            .match_indices("\n    require")
            .map(|(at, _)| at + 6)
            .collect();
        let ends: Vec<usize> = shipped.text.match_indices('\n').map(|it| it.0).collect();
        // Something is typed at the end of a line or taken away again, now here and now there.
        let typed = |editor: &mut Editor, text: &mut String, nth: usize, letters: &str| {
            let at = ends[(nth / 2) * 7919 % ends.len()];
            let (from, to, letters) = match nth % 2 {
                0 => (at, at, letters),
                _ => (at, at + letters.len(), ""),
            };
            let range = json!({ "start": place_at(text, from), "end": place_at(text, to) });
            text.replace_range(from..to, letters);
            editor.change(name, json!([{ "range": range, "text": letters }]));
        };
        let asked = |editor: &mut Editor, text: &str, nth: usize, method: &str| {
            let at = names.get(nth % names.len().max(1)).copied().unwrap_or(0);
            let place = json!({ "position": place_at(text, at) });
            let start = Instant::now();
            editor.about(&format!("textDocument/{method}"), name, place);
            start.elapsed()
        };
        let [
            mut keys,
            mut hovers,
            mut offers,
            mut hovers_behind,
            mut offers_behind,
        ] = [const { Vec::new() }; 5];
        for nth in 0..most {
            let start = Instant::now();
            typed(&mut editor, &mut text, nth, "\n// x");
            editor.findings(name);
            keys.push(start.elapsed());
            hovers.push(asked(&mut editor, &text, nth, "hover"));
            offers.push(asked(&mut editor, &text, nth, "completion"));
        }
        for nth in 0..most {
            let (method, times) = match nth % 4 {
                0 | 1 => ("hover", &mut hovers_behind),
                _ => ("completion", &mut offers_behind),
            };
            typed(&mut editor, &mut text, nth, " // x");
            times.push(asked(&mut editor, &text, nth, method));
            editor.findings(name);
        }
        let lines = text.lines().count();
        let times = [
            ("key", &mut keys),
            ("hover", &mut hovers),
            ("completion", &mut offers),
            ("hover right behind a key", &mut hovers_behind),
            ("completion there", &mut offers_behind),
        ];
        let times =
            times.map(|(what, times)| format!("{what} {:.1} ms", p95(times).as_secs_f64() * 1e3));
        writeln!(
            told,
            "{name}, {lines} lines: {}; at most {}",
            times.join(", "),
            memory()
        )
        .unwrap();
    }
    println!("{told}");
}
