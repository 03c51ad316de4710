//! The rulebooks that tried the language out are read without an error.

use adit::diagnostic::Diagnostic;
use adit::source::FileId;
use adit::syntax::parse;

#[test]
fn all_rulebooks_are_read() {
    let mut n_read = 0;
    for folder in [
        "rules",
        "tests/fixtures/games",
        "tests/fixtures/fragments",
        "tests/fixtures/samples",
    ] {
        for path in crate::fixtures::rule_files(folder) {
            let text = std::fs::read_to_string(&path).unwrap();
            let (file, diagnostics) = parse(FileId(0), &text);
            let messages: Vec<_> = diagnostics
                .iter()
                .map(|it: &Diagnostic| (it.span(), &it.message))
                .collect();
            assert!(messages.is_empty(), "{}: {messages:?}", path.display());
            assert!(file.header.is_some() && !file.items.is_empty());
            n_read += 1;
        }
    }
    assert!(n_read >= 12, "{n_read}");
}
