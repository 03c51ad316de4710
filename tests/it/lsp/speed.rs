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
        let (mut keys, mut hovers, mut offers) = (Vec::new(), Vec::new(), Vec::new());
        for nth in 0..most {
            // A letter is typed into a comment or taken away again, now here and now there.
            let ends: Vec<usize> = shipped.text.match_indices('\n').map(|it| it.0).collect();
            let at = ends[(nth / 2) * 7919 % ends.len()];
            let (from, to, letter) = (
                at,
                at + (nth % 2) * "\n// x".len(),
                if nth % 2 == 0 { "\n// x" } else { "" },
            );
            let range = json!({ "start": place_at(&text, from), "end": place_at(&text, to) });
            text.replace_range(from..to, letter);
            let start = Instant::now();
            editor.change(name, json!([{ "range": range, "text": letter }]));
            editor.findings(name);
            keys.push(start.elapsed());
            let place = place_at(
                &text,
                names.get(nth % names.len().max(1)).copied().unwrap_or(0),
            );
            for (method, times) in [("hover", &mut hovers), ("completion", &mut offers)] {
                let start = Instant::now();
                editor.about(
                    &format!("textDocument/{method}"),
                    name,
                    json!({ "position": place }),
                );
                times.push(start.elapsed());
            }
        }
        let lines = text.lines().count();
        let times = [
            ("key", &mut keys),
            ("hover", &mut hovers),
            ("completion", &mut offers),
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
