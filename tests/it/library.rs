//! Every file of `rules/` is in the program, and every code has its page.

use std::fs;
use std::path::Path;

use adit::syntax::{ast::HeaderKind, parse_header};
use adit::{diagnostic::codes, library};

/// Lists the files below a folder of the project, as paths from its root.
fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().expect("a name in ASCII");
        let path = format!("{folder}/{name}");
        if entry.path().is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_rulebook_is_shipped() {
    let all = library::FILES.iter().chain(library::PARTS);
    let mut shipped: Vec<&str> = all.map(|file| file.path).collect();
    shipped.sort_unstable();
    assert_eq!(files("rules"), shipped, "src/library.rs lists them");
}

/// What a player reads stays short: a file and how many lines it has at most, alone or with its readings.
#[test]
fn rulebooks_are_short() {
    let lines = |path: &str| {
        let all = library::FILES.iter().chain(library::PARTS);
        let file = all.filter(|it| it.path == format!("rules/{path}.rules"));
        file.map(|it| it.text.lines().count()).sum::<usize>()
    };
    for (paths, most) in [
        (&["tunnels"][..], 260),
        (&["tunnels", "tunnels.readings"], 620),
        (&["tunnels.rulings"], 380),
        (&["channel_tunnel"], 600),
        (&["channel_tunnel.data"], 230),
        (&["channel_tunnel.rulings"], 650),
        (&["channel_tunnel_agenda"], 150),
        (&["channel_tunnel_agenda.rulings"], 180),
    ] {
        let n: usize = paths.iter().map(|it| lines(it)).sum();
        assert!(n > 0 && n <= most, "{paths:?}: {n} lines, {most} at most");
    }
}

#[test]
fn every_shipped_name_is_unique() {
    for file in library::FILES {
        for name in [file.name, file.stem()] {
            let found = library::find(name).map(|it| it.path);
            assert_eq!(found, Some(file.path), "{name}");
        }
        let header = parse_header(file.text).expect("a header");
        assert_eq!(header.name.text, file.name, "{}", file.path);
    }
}

#[test]
fn every_shipped_part_belongs_to_a_rulebook() {
    for part in library::PARTS {
        let header = parse_header(part.text).expect("a header");
        assert_eq!(header.kind, HeaderKind::Part, "{}", part.path);
        let whole = library::find(&header.name.text).expect("its rulebook");
        assert!(whole.parts().any(|it| it == part), "{}", part.path);
    }
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let wanted: Vec<String> = codes::ALL
        .iter()
        .map(|code| format!("docs/codes/{}.md", code.id()))
        .collect();
    assert_eq!(files("docs/codes"), wanted);
    for code in codes::ALL {
        let page = adit::cli::pages::page(code.id()).expect("an embedded page");
        let title = format!("# {} {}\n", code.id(), code.name());
        assert!(
            page.starts_with(&title),
            "docs/codes/{}.md begins with `{title}`",
            code.id()
        );
    }
}
