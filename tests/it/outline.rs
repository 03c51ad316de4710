//! What can be named: each address takes the edits that are printed beside it.

use adit::compose::{Entry, compose};
use adit::diagnostic::Diagnostic;
use adit::pipeline::joined;
use adit::source::Sources;
use adit::syntax::ast::File;
use adit::syntax::parse;

use crate::command::{adit, keep};
use crate::fixtures::{rulebook_files, width, with_bases};
use crate::generated::writer::{Shape, generate};

/// Files of one rule set, the game first.
fn read(texts: &[(String, String)]) -> (Sources, Vec<File>) {
    let mut sources = Sources::new();
    let files = texts.iter().map(|(name, text)| {
        let id = sources.add(name.as_str(), text.as_str());
        parse(id, text).0
    });
    let files = files.collect();
    let (files, found) = joined(files);
    assert!(found.is_empty(), "{found:?}");
    (sources, files)
}

/// An edit of each kind that is printed, as a person would try it first.
fn tries(it: &Entry, edit: &str, sources: &Sources, readings: &[&Entry]) -> Vec<String> {
    let at = &it.address;
    let inside = at.contains('.');
    let text = match edit {
        "set" => {
            let first = readings.first();
            let value = first.and_then(|it| it.address.rsplit('.').next());
            format!("set {at} = {}", value.unwrap_or("1"))
        }
        "forbid" => format!("forbid {at} label probe_1 when 1 < 2"),
        "permit" => format!("permit {at} label probe_1 when 1 < 2"),
        "insert" => format!("insert after {at} {{ let probe_1 = 1 }}"),
        "extend" => format!("extend {at} + 1"),
        "remove" => format!("remove {at}"),
        "add values" => format!("add values to {at} {{ probe_1 }}"),
        "add fields" => format!("add fields to {at} {{ probe_1: 1..2 }}"),
        "add rows" => format!("add rows to {at} {{ probe_1: 1 }}"),
        "add readings" => format!("add readings to {at} {{ probe_1 \"probe\" }}"),
        "add choice" => {
            let option = format!("add choice to {at}: probe_1 \"probe\" {{ }}");
            let slot = format!("add choice to {at} {{ once probe_1: probe_2 \"probe\" {{ }} }}");
            return vec![option, slot];
        }
        "add cases" => {
            let done = format!("add cases to {at} {{ probe_1 => {{ }} }}");
            let value = format!("add cases to {at} {{ probe_1 => 1 < 2 }}");
            return vec![done, value];
        }
        "replace" if it.kind == "case" => {
            return vec![
                format!("replace {at} {{ }}"),
                format!("replace {at} = 1 < 2"),
            ];
        }
        "replace" if matches!(it.kind, "step" | "turn") => format!("replace {at} {{ }}"),
        "replace" if inside => format!("replace {at} = 1 < 2"),
        "replace" => format!("replace {}", sources.slice(it.span)),
        other => panic!("{other} is no edit"),
    };
    vec![text]
}

/// Tries every `step`-th edit that is printed of a rule set; returns how many, and what was refused.
fn refused(texts: &[(String, String)], step: usize, begin: usize) -> (usize, Vec<String>) {
    let (sources, files) = read(texts);
    let (base, amendments) = files.split_first().unwrap();
    let amendments: Vec<&File> = amendments.iter().collect();
    let (composed, _) = compose(base, &amendments, &[]);
    let Some(composed) = composed else {
        return (0, Vec::new());
    };
    let last = files.last().and_then(|it| it.header.as_ref()).unwrap();
    let entries = composed.outline();
    // What comes with a reading is named together with that reading.
    let named = |it: &&Entry| {
        let from = it.from.as_ref();
        from.is_none_or(|from| !composed.worked_in.contains(from))
    };
    let edits = entries
        .iter()
        .filter(named)
        .flat_map(|it| it.edits.iter().map(move |edit| (it, *edit)));
    let (mut tried, mut wrong) = (0, Vec::new());
    for (entry, edit) in edits.skip(begin).step_by(step) {
        let readings = entries.iter().filter(|it| it.kind == "reading");
        let below = format!("{}.", entry.address);
        let readings: Vec<&Entry> = readings
            .filter(|it| it.address.starts_with(&below))
            .collect();
        let mut said = Vec::new();
        let fits = tries(entry, edit, &sources, &readings)
            .into_iter()
            .any(|edit| {
                let header = format!("variant probe \"probe\" for {} {{ }}", last.name);
                let mut sources = sources.clone();
                let text = format!("{header}\n{edit}\n");
                let id = sources.add("probe.rules", text.as_str());
                let (probe, mut found) = parse(id, &text);
                let with: Vec<&File> = amendments.iter().copied().chain([&probe]).collect();
                found.extend(compose(base, &with, &[]).1);
                // What a reading or an amendment changes as well is found all the same.
                let with_others = |it: &Diagnostic| {
                    let code = it.code.id();
                    code.starts_with("E022") && code != "E0220"
                };
                found.retain(|it| it.is_error() && !with_others(it));
                said.push(format!("{edit}: {found:?}"));
                found.is_empty()
            });
        tried += 1;
        if !fits {
            wrong.push(format!("{} takes no `{edit}`: {said:?}", entry.address));
        }
    }
    (tried, wrong)
}

#[test]
fn each_address_takes_the_edits_printed_beside_it() {
    let step = width(97, 21, 3) as usize;
    let files = [
        rulebook_files("rules"),
        rulebook_files("tests/fixtures/amend"),
    ]
    .concat();
    let mut tried = 0;
    for (at, path) in files.iter().enumerate() {
        let chain = with_bases(path).into_iter().map(|it| {
            let text = std::fs::read_to_string(&it).unwrap();
            (it.display().to_string(), text)
        });
        let chain: Vec<(String, String)> = chain.collect();
        if chain[0].1.starts_with("////") || chain[0].1.contains("\n//// ") {
            continue;
        }
        let (n, wrong) = refused(&chain, step, at % step);
        tried += n;
        assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
    }
    assert!(tried > 100, "{tried}");
    let mut tried = 0;
    for seed in 0..width(12, 30, 300) {
        let text = generate(seed, &Shape::default());
        let (n, wrong) = refused(&[(String::from("generated.rules"), text)], 3, 0);
        tried += n;
        assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn what_can_be_named_is_listed_and_found() {
    keep("outline", "step", "outline tunnels play_rounds");
    keep("outline", "plain", "--plain outline tunnels trim");
    keep(
        "outline",
        "find",
        "outline channel_tunnel --find \"first player begins\"",
    );
    keep("outline", "sentence", "outline tunnels --sentence T-29");
    keep("outline", "json", "--json outline carcassonne_tunnel claim");
    keep(
        "outline",
        "of_another",
        "outline carcassonne main.play --with both_at_once",
    );
    keep("outline", "nothing", "outline tunnels play_round.dug");
    keep("outline", "not_found", "outline tunnels --find zebra");
    let all = adit("outline tunnels").out;
    for line in ["  match.value ", "  play_round.dig ", "  exposure.five "] {
        assert!(all.contains(line), "{line}");
    }
}
