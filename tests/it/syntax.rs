//! What is read of a text, and that none is too deep, too long or too broken for an answer.

use adit::diagnostic::{Diagnostic, codes};
use adit::limits::{MAX_DEPTH, MAX_TEXT};
use adit::source::FileId;
use adit::syntax::ast::{self, BinaryOp, ExprKind, ItemKind, StatementKind, UnaryOp};
use adit::syntax::{
    ITEM_WORDS, RESERVED, is_reserved, named_rules, parse, parse_alternative, parse_expression,
};

fn read(text: &str) -> (ast::File, Vec<Diagnostic>) {
    parse(FileId(0), text)
}

fn codes_of(text: &str) -> Vec<&'static str> {
    read(&format!("game g \"G\" {{ seats a, b }}\n{text}"))
        .1
        .iter()
        .map(|it| it.code.name())
        .collect()
}

fn expression(text: &str) -> ast::Expr {
    let (expr, diagnostics) = parse_expression(FileId(0), text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    expr.unwrap()
}

fn assert_same(written: &str, meant: &str) {
    let bare = |text: &str| {
        format!("{:?}", expression(text)).replace("parenthesised: true", "parenthesised: false")
    };
    let without_places = |text: String| {
        let is_place = |c: char| c.is_ascii_digit() || c == ':' || c == '.';
        text.split("span: ")
            .map(|part| part.trim_start_matches(is_place))
            .collect::<String>()
    };
    let [written, meant] = [written, meant].map(|text| without_places(bare(text)));
    assert_eq!(written, meant);
}

#[test]
fn operators_bind_as_people_read_them() {
    assert_same("a or b and c", "a or (b and c)");
    assert_same("not a == b and c", "(not (a == b)) and c");
    assert_same("a - b - c", "(a - b) - c");
    assert_same("a + b * c mod d", "a + ((b * c) mod d)");
    assert_same("count z > 1 + n", "(count z) > (1 + n)");
    assert_same("1 + max s default 0", "1 + ((max s) default 0)");
    assert_same("x in 1..n + 1", "x in (1..(n + 1))");
    assert_same("x not in s or y", "(x not in s) or y");
    assert_same("-a * b", "(-a) * b");
    assert_same("some s and no t", "(some s) and (no t)");
    assert_same("after { f() } g(x) + 1", "(after { f() } g(x)) + 1");
    assert_same(
        "if a then b else if c then d else e + 1",
        "if a then b else (if c then d else (e + 1))",
    );
    assert_same(
        "walk d from c while x: p and q",
        "walk d from c while x: (p and q)",
    );
}

#[test]
fn an_expression_keeps_what_was_written() {
    let ExprKind::Binary { op, left, .. } =
        expression("count hand[me] not in { x in 1..3 where x > 1 }").kind
    else {
        panic!("not a binary expression");
    };
    assert_eq!(op, BinaryOp::NotIn);
    assert!(matches!(
        left.kind,
        ExprKind::Unary {
            op: UnaryOp::Count,
            ..
        }
    ));
}

#[test]
fn spans_end_with_the_last_token() {
    let text = "game g \"G\" { seats a, b }\ntrack x: 0..3 = 1 // far\n\ntrack y: 0..3 = 1";
    let (file, _) = read(text);
    let slice = |item: &std::sync::Arc<ast::Item>| text.get(item.span.range()).unwrap();
    let items: Vec<_> = file.items.iter().map(slice).collect();
    assert_eq!(items, ["track x: 0..3 = 1", "track y: 0..3 = 1"]);
}

#[test]
fn a_broken_item_does_not_hide_the_others() {
    let text = "game g \"G\" { seats a, b }\nenum A { x, }\nenum B { x y }\nenum C { z }\nzone bag of Card\nenum D { z }";
    let (file, diagnostics) = read(text);
    let names: Vec<_> = file
        .items
        .iter()
        .filter_map(|it| it.kind.name())
        .map(ast::Name::as_str)
        .collect();
    assert_eq!(names, ["A", "C", "D"]);
    assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
}

#[test]
fn item_words_at_the_start_of_a_line_do_not_end_a_whole_item() {
    let (file, diagnostics) = read(
        "game g \"G\" { seats a, b }\nflow main() {\nshow hand[a] to all\nset()\n}\nenum A { x }",
    );
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let ItemKind::Flow(flow) = &file.items[0].kind else {
        panic!("not a flow")
    };
    assert!(matches!(
        flow.body.statements[0].kind,
        StatementKind::Show { .. }
    ));
    assert_eq!(file.items.len(), 2);
}

#[test]
fn comments_are_kept_and_mean_nothing() {
    let (file, diagnostics) =
        read("// top\ngame g \"// no\" { seats a, b } // behind\n//// line\nenum A { x }\n");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let comments: Vec<_> = file
        .comments
        .iter()
        .map(|it| (it.text.as_str(), it.own_line))
        .collect();
    assert_eq!(
        comments,
        [(" top", true), (" behind", false), ("// line", true)]
    );
}

#[test]
fn slips_are_told_and_the_item_is_kept() {
    let kept = [
        ("define f: bool = a = b", "assignment-in-condition"),
        ("define f: bool = a <> b", "foreign-sign"),
        ("define f: bool = a && b", "foreign-sign"),
        ("define f: bool = !a", "foreign-sign"),
        ("define f: bool = a is b", "foreign-sign"),
        ("define f: bool = 0 < a < 5", "chained-comparison"),
        ("event e() { a == 3 }", "equality-as-statement"),
        ("event e() { a := 3 }", "foreign-sign"),
        ("event e() { if a { } elseif b { } }", "foreign-sign"),
        ("flow f() { choose me: a or b }", "not-a-bar"),
        ("flow f() { choose me: a, b }", "not-a-bar"),
        ("flow f() { return a x = 1 }", "after-return"),
        ("track a: 0..99999999999 = 0", "number-too-great"),
        ("track a: bool cite T-1 status sure", "unknown-status"),
    ];
    for (text, code) in kept {
        let (file, diagnostics) = read(&format!("game g \"G\" {{ seats a, b }}\n{text}"));
        let found: Vec<_> = diagnostics.iter().map(|it| it.code.name()).collect();
        assert_eq!(found, [code], "{text}");
        assert_eq!(file.items.len(), 1, "{text}");
    }
}

#[test]
fn questions_may_be_answered_by_no() {
    let text = "question q \"Q?\" { yes \"yes\" default no \"no\" }\nset q = no\ntrack t: bool = false\n\
        define d: 0..1 = by q { yes => 1 no => 0 }\nruling R-1 \"R\" { expect true under q = no expect false }";
    assert!(codes_of(text).is_empty(), "{:?}", codes_of(text));
}

#[test]
fn the_reserved_words_are_those_of_the_grammar() {
    for word in RESERVED {
        assert!(
            !codes_of(&format!("define {word}: bool = true")).is_empty(),
            "{word}"
        );
        let ruling = format!("ruling {word} \"R\" {{ expect true }}");
        assert_eq!(codes_of(&ruling), ["reserved-word"], "{word}");
        let dashed = ruling.replace(" \"", "-1 \"");
        assert!(codes_of(&dashed).is_empty(), "{word}");
    }
    for word in ITEM_WORDS.iter().chain(&[
        "me", "move", "step", "once", "all", "rank", "first", "is", "legal", "top",
    ]) {
        assert!(
            codes_of(&format!("define {word}: bool = true")).is_empty(),
            "{word}"
        );
        assert!(
            codes_of(&format!("event e() {{ {word} = 3 {word}[a] += {word} }}")).is_empty(),
            "{word}"
        );
    }
    for op in UnaryOp::ALL.into_iter().filter(|op| *op != UnaryOp::Minus) {
        assert!(RESERVED.contains(&op.word()));
    }
    assert_eq!(RESERVED.len(), 46);
}

/// Every way to nest, ten thousand times, on a small stack.
#[test]
fn deep_nesting_is_an_error_and_never_a_crash() {
    let nests = [
        ("(", "1", ")"),
        ("{", "1", "}"),
        ("x[", "1", "]"),
        ("f(", "1", ")"),
        ("not ", "1", ""),
        ("-", "1", ""),
        ("count ", "1", ""),
        ("a.", "b", ""),
        ("1 + ", "1", ""),
        ("a and ", "b", ""),
        ("a default ", "b", ""),
        ("x[1]", "", "[1]"),
        ("if a then ", "b", " else c"),
        ("if a then b else ", "c", ""),
        ("if ", "a", " then b else c"),
        ("by q { r => ", "1", " }"),
        ("after { } ", "1", ""),
        ("after { x = ", "1", " } 1"),
        ("after { if a { x = ", "1", " } } 1"),
        ("can(me, a(x: ", "1", "))"),
        ("reach ", "a", " via x -> x"),
        ("reach a via x -> ", "a", ""),
        ("groups ", "a", " via x -> x"),
        ("walk ", "a", " from b while x: y"),
        ("walk a from b while x: ", "a", ""),
        ("{ x in ", "a", " }"),
        ("{ x in s where ", "a", " }"),
        ("{ ", "a", " for x in s }"),
        ("max { x in s by ", "a", " }"),
        ("\"{", "a", "}\""),
        ("(", "1", ""),
        ("{ x in ", "a", ""),
        ("after { x = ", "1", ""),
        ("x[{(", "1", ""),
        ("", "1", ")"),
    ];
    let blocks = [
        ("{", "", "}"),
        ("if a {", "", "}"),
        ("if a { } else {", "", "}"),
        ("if a { } else ", "if b { }", ""),
        ("by q { r => {", "", "} }"),
        ("while a {", "", "}"),
        ("repeat {", "", "}"),
        ("for each x in s {", "", "}"),
        ("step s {", "", "}"),
        ("choose me: a {", "", "}"),
        ("choose me x in s {", "", "}"),
        ("choose me: a otherwise {", "", "}"),
        ("window me { once a: b {", "", "} }"),
        ("turns me from a {", "", "}"),
        ("if a {", "", ""),
    ];
    let types = [("(", "T", ")"), ("set of ", "T", ""), ("", "T", " or none")];
    let items = [
        ("resolve a + b {", "", "}"),
        ("replace ", "enum A { x }", ""),
        ("/// doc\n", "", ""),
    ];
    let run = move || {
        let wrapped = |(open, middle, close): (&str, &str, &str)| {
            [open.repeat(10_000), middle.into(), close.repeat(10_000)].concat()
        };
        for nest in nests {
            let _ = read(&format!("define f: int = {}", wrapped(nest)));
            let _ = parse_expression(FileId(0), &wrapped(nest));
        }
        for nest in blocks {
            let _ = read(&format!("flow f() {{ {} }}", wrapped(nest)));
        }
        for nest in types {
            let _ = read(&format!("track t: {}", wrapped(nest)));
        }
        for nest in items {
            let _ = read(&wrapped(nest));
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// What is just not too deep has to fit on a small stack too, and so has its tree.
#[test]
fn nesting_up_to_the_limit_is_read() {
    let run = || {
        let deep =
            |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
        let _ = read(&format!(
            "define f: int = {}",
            deep("after { x = ", " } 1", MAX_DEPTH)
        ));
        for (open, close) in [
            ("(1 + ", ")"),
            ("{", "}"),
            ("f(", ")"),
            ("x[", "]"),
            ("1 + ", ""),
            ("not ", ""),
        ] {
            let tree = expression(&deep(open, close, MAX_DEPTH - 5));
            assert_eq!(tree.clone(), tree);
            assert!(!format!("{tree:?}").is_empty());
        }
    };
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn too_long_a_text_is_refused() {
    let (file, diagnostics) = read(&" ".repeat(MAX_TEXT + 1));
    assert!(file.items.is_empty());
    assert_eq!(diagnostics[0].code, codes::TEXT_TOO_LONG);
}

#[test]
fn an_alternative_can_be_read_alone() {
    let (found, diagnostics) = parse_alternative(FileId(0), "swap(used: Card(a, b), at: x)");
    assert!(diagnostics.is_empty());
    assert_eq!(found.unwrap().args.len(), 2);
}
/// Texts made to be slow; a hang would be a test that does not end.
#[test]
fn long_texts_are_answered() {
    let rep = |s: &str| s.repeat((MAX_TEXT / 32) / s.len());
    let cases = [
        ("add", rep("add\n")),
        ("words", rep("a ")),
        ("table", format!("table t[A]: int {{ {} }}", rep("a: 1 "))),
        ("enum", format!("enum A {{ {} }}", rep("a, "))),
        ("sum", format!("define f: int = {}", rep("1+"))),
        ("block", format!("flow f() {{ {} }}", rep("x = y + 1 "))),
        ("unclosed", rep("flow a() {\nshow x to y\n")),
        (
            "unclosed2",
            rep("flow a() {\nshow x to y x = 3 if a { b() }\n"),
        ),
        (
            "draw",
            format!("flow f() {{ {} }}", "draw(after { ".repeat(90)),
        ),
        (
            "draw2",
            format!(
                "flow f() {{ {} {} }}",
                "draw(after { ".repeat(60),
                "x = 1 } 1)".repeat(60)
            ),
        ),
        ("open", rep("{ x in ")),
        ("quotes", rep("\"\n")),
        ("quote", rep("\"")),
        ("docs", rep("/// a\n")),
        ("comments", rep("// a\n")),
        ("good", rep("track x: 0..3 = 1 cite book T-1\n")),
        ("cite", format!("track x: 0..3 cite {}", rep("a T-1, "))),
        ("ifs", format!("flow f() {{ {} }}", rep("if a { } else "))),
        ("dots", format!("define f: int = a{}", rep(".a"))),
        (
            "set",
            format!("define f: set of int = {{ 1 {} }}", rep(", 1")),
        ),
        ("string", format!("option a: int = 1 \"{}\"", rep("{x}"))),
    ];
    for (name, text) in cases {
        let (file, diagnostics) = read(&text);
        assert!(!file.items.is_empty() || !diagnostics.is_empty(), "{name}");
        assert!(diagnostics.len() <= 60, "{name}: {}", diagnostics.len());
    }
}

/// The reader tells words without meaning by their place in the grammar.
#[test]
fn words_and_signs_without_meaning_stand_last_in_the_grammar() {
    let rules: Vec<_> = named_rules().collect();
    let first = rules.iter().position(|(name, _)| name == "k_action");
    let first = first.expect("the first word without meaning");
    for (at, (name, called)) in rules.iter().enumerate() {
        let is_filler = name.starts_with("k_") || name.starts_with("p_");
        assert_eq!(is_filler, at >= first, "{name}");
        if let Some(word) = name.strip_prefix("k_") {
            assert_eq!(*called, Some(format!("`{word}`").as_str()));
        }
    }
}

/// What was expected is said in words, but for what no error can stop at.
#[test]
fn every_rule_of_the_grammar_has_a_name() {
    let silent = named_rules().filter(|(_, called)| called.is_none());
    let silent: Vec<String> = silent.map(|(name, _)| name).collect();
    let words = "dashed done_next bracketed quoted statement_word is_place slip_is prefix doc idc WHITESPACE kw";
    assert_eq!(silent, Vec::from_iter(words.split(' ')));
}

/// Behind `return` a verb begins the next statement, so the grammar has to know all of them.
#[test]
fn the_examples_of_statements_are_statements() {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let verb = |it: &str| it.split(|it| !is_part(it)).next().unwrap_or("").to_owned();
    let begins = |it: &&str| !is_reserved(&verb(it)) || it.starts_with("return");
    for example in ast::StatementKind::EXAMPLES.into_iter().filter(begins) {
        let example = example.replace('…', "");
        let alone = codes_of(&format!("flow f(): int {{ {example} }}"));
        assert!(alone.is_empty(), "{example}: {alone:?}");
        let behind = codes_of(&format!("flow f(): int {{ return\n{example} }}"));
        assert_eq!(behind, ["after-return"], "{example}");
    }
}

/// What begins an item is a name where a name is due, even at the start of a line.
#[test]
fn words_that_begin_items_may_be_names_at_the_start_of_a_line() {
    let places = [
        "option o: bool = true \"O\" cite \"here\" status\n@",
        "option o: bool = true \"O\" cite \"here\"\nstatus\n@",
        "option o: bool = true \"O\"\norder after\n@",
        "zone z: bag of C open\ncite\n@ B-1",
        "zone z: bag of C\nseen by\n@",
        "supply every C in z\nwhere\n@",
        "space S: grid(a: 1..2, b: 1..2)\nmeeting at\n@",
        "track t: bool =\n@",
        "track t:\n@",
        "define d: bool = x and\n@",
        "define d: bool = x\nand\n@",
        "enum E {\n@ }",
        "zone z:\nbag of\n@",
        "show\n@\nas \"x\"",
        "flow f(): bool\ndepth 9\n{ choose s:\n@ }",
        "event e() { end\n@() }",
        "event e() { let\n@ = 1 }",
        "event e() {\n@()\n@ = 1 }",
        "action\n@() { }",
    ];
    for place in places {
        for word in ITEM_WORDS {
            // Of these only one can follow.
            if place.contains("status") && *word != "edition" {
                continue;
            }
            let text = format!(
                "game g \"G\" {{ seats a, b }}\n{}\ntrack u: bool\n",
                place.replace('@', word)
            );
            let (file, diagnostics) = read(&text);
            assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
            assert_eq!(file.items.len(), 2, "{text}");
        }
    }
}

#[test]
fn a_line_that_is_no_item_does_not_cost_the_item_before_it() {
    let text = "game g \"G\" { seats a, b }\ntrack t: bool\nzoen z: bag of C\ntrack u: bool\n";
    let (file, diagnostics) = read(text);
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    assert_eq!(file.items.len(), 2);
}
