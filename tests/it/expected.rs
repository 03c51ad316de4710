//! What may stand at a place of a text that somebody is writing.

use adit::syntax::expected;

#[test]
fn words_addresses_and_names_are_told_apart() {
    let table = [
        ("", "zone", false, false),
        ("remove ", "", true, false),
        ("insert ", "before", false, false),
        ("insert before ", "", true, false),
        ("set a = ", "", false, true),
        ("define f(x: ", "", false, true),
        ("define f(x: int): bool = x ", "cite", false, false),
        ("track x: int = 3\n", "zone", false, false),
        ("flow main() {\n    ", "choose", false, true),
        ("flow main() {\n    choose me: ", "", false, true),
        ("flow main() { if x == ", "", false, true),
    ];
    for (text, word, address, name) in table {
        let found = expected(text, text.len()).unwrap_or_default();
        assert_eq!((found.address, found.name), (address, name), "{text:?}");
        let is_there = word.is_empty() || found.words.contains(word);
        assert!(is_there, "{text:?} {:?}", found.words);
    }
    for text in ["// x ", "/// x", "game x \"a", "define f(("] {
        let found = expected(text, text.len()).unwrap_or_default();
        assert!(!found.name && !found.address, "{text:?} {found:?}");
    }
}
