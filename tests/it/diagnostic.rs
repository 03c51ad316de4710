//! The codes of findings, and the words that are meant by others.

use adit::diagnostic::{Code, Diagnostic, closest, codes};
use adit::source::{FileId, Span};

#[test]
fn every_code_is_listed_once_and_in_order() {
    let ids: Vec<_> = codes::ALL.iter().map(|code| code.id()).collect();
    let mut names: Vec<_> = codes::ALL.iter().map(|code| code.name()).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ids.len());
    for code in codes::ALL {
        assert_eq!(Code::find(code.id()), Some(*code));
        assert_eq!(Code::find(code.name()), Some(*code));
        assert!(!code.meaning().ends_with('.'), "{}", code.meaning());
    }
}

#[test]
fn the_first_label_is_the_place() {
    let span = Span::new(FileId(0), 2, 5);
    let it =
        Diagnostic::at(codes::UNEXPECTED_TEXT, span, "`x` cannot stand here").help("remove it");
    assert!(it.is_error());
    assert!(it.span().unwrap().same_place(span));
}

#[test]
fn the_closest_word_is_found_if_it_is_near() {
    let words = ["exposed", "dug", "tunnel"];
    assert_eq!(closest("expsoed", words), Some("exposed"));
    assert_eq!(closest("Tunel", words), Some("tunnel"));
    assert_eq!(closest("x", words), None);
    assert_eq!(closest("collapse", words), None);
}
