//! Rulebooks of Adit for tree-sitter.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_adit() -> *const ();
}

/// The language of rulebooks.
// SAFETY: the parser that is made from the grammar gives the language back and keeps nothing.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_adit) };

/// What is coloured how.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use tree_sitter::{Node, Parser, Query};

    fn rulebooks(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                rulebooks(&path, found);
            } else if path.extension().is_some_and(|it| it == "rules") {
                found.push(path);
            }
        }
    }

    fn wrong<'a>(node: Node<'a>, found: &mut Vec<Node<'a>>) {
        if node.is_error() || node.is_missing() {
            return found.push(node);
        }
        if node.has_error() {
            let mut cursor = node.walk();
            node.children(&mut cursor).for_each(|it| wrong(it, found));
        }
    }

    #[test]
    fn every_rulebook_is_read_without_an_error() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut parser = Parser::new();
        parser.set_language(&super::LANGUAGE.into()).unwrap();
        let mut files = Vec::new();
        // Games that are played, and what the tests of the program compose, name and write.
        for folder in [
            "rules",
            "tests/fixtures/games",
            "tests/fixtures/house",
            "tests/fixtures/complete",
            "tests/fixtures/meaning",
            "tests/fixtures/samples",
            "tests/fixtures/wordings",
            "tests/fixtures/differed",
            "tests/fixtures/positions",
            "tests/fixtures/pictures",
            "tests/fixtures/tried",
        ] {
            rulebooks(&root.join(folder), &mut files);
        }
        assert!(files.len() > 100, "{}", files.len());
        let mut told = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let tree = parser.parse(&text, None).unwrap();
            let mut found = Vec::new();
            wrong(tree.root_node(), &mut found);
            for node in found {
                let start = node.start_position();
                let line = text.lines().nth(start.row).unwrap_or("");
                told.push(format!(
                    "{}:{}:{}: {line}",
                    file.display(),
                    start.row + 1,
                    start.column + 1
                ));
            }
        }
        assert!(
            told.is_empty(),
            "{} places:\n{}",
            told.len(),
            told.join("\n")
        );
    }

    #[test]
    fn what_is_broken_is_an_error_and_the_rest_is_read() {
        let mut parser = Parser::new();
        parser.set_language(&super::LANGUAGE.into()).unwrap();
        for broken in ["define foo(", "action take(n in ) { }", "track = 3", "} }"] {
            let text = format!("game heap \"Heap\" {{ seats ann, bo }}\n{broken}\n");
            let tree = parser.parse(&text, None).unwrap();
            let mut found = Vec::new();
            wrong(tree.root_node(), &mut found);
            let places: Vec<usize> = found.iter().map(|it| it.start_position().row).collect();
            assert!(!places.is_empty() && !places.contains(&0), "{broken}: {places:?}");
        }
    }

    #[test]
    fn the_query_names_what_is_in_the_grammar() {
        Query::new(&super::LANGUAGE.into(), super::HIGHLIGHTS_QUERY).unwrap();
    }
}
