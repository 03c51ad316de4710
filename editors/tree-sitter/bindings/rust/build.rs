//! Makes the parser from `src/grammar.json`, which follows from the grammar of the program.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=src/grammar.json");
    let grammar = fs::read_to_string("src/grammar.json").expect("src/grammar.json");
    let made = tree_sitter_generate::generate_parser_for_grammar(
        &grammar,
        Some((0, 1, 0)),
        tree_sitter_generate::OptLevel::default(),
        &mut Vec::new(),
    );
    let (_, parser) = made.unwrap_or_else(|error| panic!("{error}"));
    let folder = env::var("OUT_DIR").expect("cargo says where");
    // `ADIT_PARSER=src` writes the parser where editors look for it.
    println!("cargo:rerun-if-env-changed=ADIT_PARSER");
    for folder in [Some(folder.clone()), env::var("ADIT_PARSER").ok()]
        .into_iter()
        .flatten()
    {
        let folder = Path::new(&folder);
        fs::create_dir_all(folder.join("tree_sitter")).expect("a folder for the parser");
        fs::write(folder.join("parser.c"), &parser).expect("the parser is written");
        let header = folder.join("tree_sitter/parser.h");
        fs::write(header, tree_sitter_generate::PARSER_HEADER).expect("its header is written");
    }
    let folder = Path::new(&folder);
    cc::Build::new()
        .std("c11")
        .warnings(false)
        .include(folder)
        .file(folder.join("parser.c"))
        .compile("tree-sitter-adit");
}
