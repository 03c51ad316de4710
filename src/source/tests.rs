use super::*;

#[test]
fn places_are_counted_from_one_in_characters() {
    let mut sources = Sources::new();
    let file = sources.add("a.rules", "♣x\ny\n");
    let source = sources.get(file).unwrap();
    let place = |offset| source.line_column(offset).to_string();
    assert_eq!(place(0), "1:1");
    assert_eq!(place(3), "1:2");
    assert_eq!(place(5), "2:1");
    assert_eq!(place(7), "3:1");
    assert_eq!(place(4_000), "3:1");
    assert_eq!(sources.place(Span::new(file, 5, 6)), "a.rules:2:1");
    assert_eq!(sources.slice(Span::new(file, 5, 6)), "y");
}

#[test]
fn spans_are_equal_wherever_they_are() {
    let (a, b) = (Span::new(FileId(0), 0, 1), Span::new(FileId(0), 5, 9));
    assert_eq!(a, b);
    assert!(!a.same_place(b));
    assert!(a.to(b).same_place(Span::new(FileId(0), 0, 9)));
}
