//! The pages of the codes of the reader: the first example has the error, the second has not.

use adit::diagnostic::{Code, codes};
use adit::source::FileId;
use adit::syntax::parse;

fn page(code: Code) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/codes");
    let path = format!("{folder}/{code}.md");
    std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{path} is missing"))
}

/// Reads an example; those about headers have their own.
fn found(code: Code, example: &str) -> Vec<Code> {
    let is_about_headers = [codes::MISSING_HEADER, codes::LATE_HEADER].contains(&code);
    let header = if is_about_headers {
        ""
    } else {
        "game g \"G\" { seats anna, bert }\n"
    };
    let (_, diagnostics) = parse(FileId(0), &format!("{header}{example}"));
    diagnostics.iter().map(|it| it.code).collect()
}

#[test]
fn the_pages_of_the_reader_show_what_they_are_about() {
    for code in codes::ALL
        .iter()
        .copied()
        .filter(|code| code.id() < "E0200" || ("E0501".."E0505").contains(&code.id()))
    {
        let page = page(code);
        let title = format!("# {code} {}\n", code.name());
        assert!(page.starts_with(&title), "{code}: {page}");
        let examples: Vec<&str> = page
            .split("```")
            .skip(1)
            .step_by(2)
            .filter_map(|it| it.strip_prefix("rules\n"))
            .collect();
        if let [wrong, right] = examples.as_slice() {
            assert!(
                found(code, wrong).contains(&code),
                "{code}: {:?} in {wrong}",
                found(code, wrong)
            );
            assert_eq!(found(code, right), [], "{code}: {right}");
        }
    }
}
