//! Amendments: what they say when they do not fit, and that their order never counts.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use adit::compose::{Composed, compose};
use adit::diagnostic::{Diagnostic, codes};
use adit::pipeline::{Request, compile, joined};
use adit::report::{Look, graphical};
use adit::source::Sources;
use adit::syntax::ast::File;
use adit::syntax::parse;
use proptest::prelude::*;

use crate::fixtures::{base_of, property, rule_files, rulebook_files, with_bases};

fn read(path: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read_to_string(format!("{root}/{path}")).expect("a fixture")
}

fn parsed(sources: &mut Sources, name: &str, text: &str) -> File {
    let id = sources.add(name, text);
    let (file, diagnostics) = parse(id, text);
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    file
}

fn composed(files: &[File], wanted: &[(String, String)]) -> (Option<Composed>, Vec<Diagnostic>) {
    let (base, amendments) = files.split_first().expect("a base");
    compose(base, &amendments.iter().collect::<Vec<_>>(), wanted)
}

/// Splits a fixture at lines of the form `//// name.rules`.
fn texts(fixture: &str) -> Vec<(&str, &str)> {
    let parts = fixture.split("//// ").skip(1);
    parts
        .map(|part| part.split_once('\n').expect("a name and a text"))
        .collect()
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/amend");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn cases() -> Vec<(String, String)> {
    let files = rule_files("tests/fixtures/amend").into_iter();
    let texts = files.map(|path| {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        (name, std::fs::read_to_string(path).expect("a fixture"))
    });
    texts.filter(|(name, _)| name != "market").collect()
}

#[test]
fn amendments_that_do_not_fit_say_why() {
    let market = read("tests/fixtures/amend/market.rules");
    for (name, text) in cases() {
        let mut sources = Sources::new();
        let mut texts = texts(&text);
        if texts[0].0 != "base.rules" {
            texts.insert(0, ("market.rules", &market));
        }
        // A part `//// --set NAME=VALUE` is what the user wants.
        let wanted = texts.iter().filter_map(|(name, _)| {
            let (name, value) = name.strip_prefix("--set ")?.split_once('=')?;
            Some((name.to_owned(), value.to_owned()))
        });
        let wanted: Vec<(String, String)> = wanted.collect();
        let files = texts.iter().filter(|(name, _)| !name.starts_with("--set"));
        let files = files.map(|(name, text)| parsed(&mut sources, name, text));
        let files: Vec<File> = files.collect();
        let (files, apart) = joined(files);
        let (composed, mut diagnostics) = composed(&files, &wanted);
        let composed = composed.filter(|_| apart.is_empty());
        diagnostics.extend(apart);
        let is_error = diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(composed.is_none(), is_error, "{name}");
        // A case has the name of the code that it is about.
        if let Some(code) = codes::Code::find(&name.replace('_', "-")) {
            assert!(
                diagnostics.iter().any(|it| it.code == code),
                "{name}: {diagnostics:?}"
            );
        }
        let shown = graphical(&sources, &diagnostics, Look::default());
        snapshot(&name, &format!("{}\n\n{shown}", text.trim_end()));
    }
}

#[test]
fn every_code_of_composition_has_a_case_and_a_page() {
    let cases = cases();
    for code in codes::ALL
        .iter()
        .filter(|code| code.id().starts_with("E02"))
    {
        let name = code.name().replace('-', "_");
        // Four thousand edits make no good fixture, `edits` writes them; commands know names of before (`questions`) and what lies elsewhere (`found`,
        // `lsp::beside`); where `after` ends is said by the reader, and what an amendment takes from its game by the checker (`found`).
        if ![
            codes::TOO_MANY_EDITS,
            codes::CALLED_OTHERWISE,
            codes::CHANGED_SINCE,
            codes::STRANGER,
            codes::ONE_OF_TWO,
            codes::HALF_AHEAD,
            codes::CAPTURED_NAME,
        ]
        .contains(code)
        {
            assert!(cases.iter().any(|(case, _)| *case == name), "{code:?}");
        }
        let page = read(&format!("docs/codes/{code}.md"));
        assert!(page.starts_with("# "), "{code:?}");
    }
}

/// Amendments of the market; some of them need, exclude, order or contradict each other.
const POOL: &[&str] = &[
    "variant a \"A\" for market { } set rounds = 2 insert after main.setup { step lend { pay(anna, 1) } }",
    "variant b \"B\" for market { } set rounds = 2 extend cost(f) + 1 add values to Fruit { fig }",
    "variant c \"C\" for market { source c \"C\" } extend cost(x) + price[x] add values to Fruit { lime }",
    "variant d \"D\" for market order after a { } insert after main.setup { step tax { pay(bert, 1) } }",
    "variant e \"E\" for a { } replace main.lend { base() pay(bert, 1) } insert after main.lend { pay(anna, 2) }",
    "variant f \"F\" for market { } forbid pay(s, n) label never when n > 9 extend affordable and rounds > 1",
    "variant g \"G\" for market { } needs f replace pay { base(s, n) } replace cost = base(f) + 1",
    "expansion h \"H\" for market { } action wait() \"wait\" { do { } } add choice to main.days.shop: wait",
    "variant i \"I\" for h { } remove wait remove main.days.shop.wait remove rest remove main.days.shop.rest",
    "variant j \"J\" for market { } resolve b + c { extend cost(f) + 5 } resolve b + g { replace cost = base(f) }",
    "variant k \"K\" for market { } set rounds = 5 excludes e forbid rest label busy when richest == { anna }",
    "variant l \"L\" for market { } insert after main.setup { pay(anna, 3) } order before d replace richest = seat",
];

/// The market and the pool; reading them takes longer than composing them.
static READ: LazyLock<(File, Vec<File>)> = LazyLock::new(|| {
    let mut sources = Sources::new();
    let market = read("tests/fixtures/amend/market.rules");
    let base = parsed(&mut sources, "market", &market);
    let pool = POOL
        .iter()
        .map(|text| parsed(&mut sources, "amendment", text));
    (base, pool.collect())
});

proptest! {
    #![proptest_config(property(400))]

    #[test]
    fn the_order_of_amendments_never_counts(
        order in Just((0..POOL.len()).collect::<Vec<_>>()).prop_shuffle(),
        count in 2..8usize,
    ) {
        let (base, files) = &*READ;
        let mut listed: Vec<usize> = order.into_iter().take(count).collect();
        let all = |listed: &[usize]| {
            let (composed, diagnostics) = compose(base, &listed.iter().map(|at| &files[*at]).collect::<Vec<_>>(), &[]);
            let hash = composed.as_ref().map(|it| it.hash);
            (hash, format!("{composed:?} {diagnostics:?}"))
        };
        let one = all(&listed);
        listed.sort_unstable();
        prop_assert_eq!(&one, &all(&listed));
        listed.reverse();
        prop_assert_eq!(&one, &all(&listed));
    }
}

/// Takes words out of a text.
fn without(text: &str, gone: &[usize]) -> String {
    let words = text.split(' ').enumerate();
    let kept = words
        .filter(|(at, _)| !gone.contains(at))
        .map(|(_, word)| word);
    kept.collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(property(600))]

    #[test]
    fn broken_amendments_break_nothing(
        texts in proptest::sample::subsequence(POOL, 1..4),
        gone in proptest::collection::vec(0..40usize, 0..4),
        shuffled in any::<bool>(),
    ) {
        let base = &READ.0;
        let mut sources = Sources::new();
        sources.add("market", "");
        let files = texts.iter().map(|text| {
            let text = without(text, &gone);
            parse(sources.add("amendment", text.as_str()), &text).0
        });
        let files: Vec<File> = files.collect();
        let mut listed: Vec<&File> = files.iter().collect();
        let one = format!("{:?}", compose(base, &listed, &[]));
        if shuffled {
            listed.reverse();
            prop_assert_eq!(one, format!("{:?}", compose(base, &listed, &[])));
        }
    }
}

/// Composes samples over Carcassonne and its tunnel.
fn tunnel(variants: &[&str]) -> (Option<Composed>, Vec<Diagnostic>) {
    tunnel_changed(variants, str::to_owned)
}

fn tunnel_changed(
    variants: &[&str],
    change: impl Fn(&str) -> String,
) -> (Option<Composed>, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let mut files = Vec::new();
    for name in ["carcassonne", "carcassonne_tunnel"] {
        let text = read(&format!("tests/fixtures/samples/{name}.rules"));
        files.push(parsed(&mut sources, name, &text));
    }
    for name in variants {
        let text = read(&format!(
            "tests/fixtures/samples/carcassonne_tunnel_{name}.rules"
        ));
        files.push(parsed(&mut sources, name, &change(&text)));
    }
    composed(&files, &[])
}

#[test]
fn the_four_house_rules_of_the_tunnel_compose_as_they_should() {
    let all = ["own_follower", "steal_second", "both_at_once", "no_block"];
    let (alone, diagnostics) = tunnel(&[]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut hashes = vec![alone.expect("an expansion").hash];
    for (at, one) in all.iter().enumerate() {
        let (composed, diagnostics) = tunnel(&[one]);
        assert!(diagnostics.is_empty(), "{one}: {diagnostics:?}");
        hashes.push(composed.expect("a variant").hash);
        for other in all.iter().skip(at + 1) {
            let (composed, diagnostics) = tunnel(&[one, other]);
            let messages: Vec<_> = diagnostics.iter().map(|it| it.code).collect();
            if (*one, *other) == ("steal_second", "both_at_once") {
                assert_eq!(messages, [codes::EXCLUDED_AMENDMENT]);
            } else {
                assert!(messages.is_empty(), "{one} and {other}: {diagnostics:?}");
                hashes.push(composed.expect("a pair").hash);
            }
        }
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 10, "each set is a game of its own");
}

#[test]
fn stealing_from_a_common_supply_is_noticed_even_if_nobody_forbids_it() {
    let (composed, diagnostics) = tunnel_changed(&["steal_second", "both_at_once"], |text| {
        text.replace(
            "excludes steal_second \"there are no owners of tokens left\"",
            "",
        )
    });
    assert!(composed.is_some());
    let codes_: Vec<_> = diagnostics.iter().map(|it| it.code).collect();
    assert_eq!(codes_, [codes::READ_OF_REPLACED, codes::READ_OF_REPLACED]);
}

#[test]
fn the_expansion_is_worked_into_the_base() {
    let (composed, _) = tunnel(&["both_at_once"]);
    let composed = composed.expect("a variant");
    assert_eq!(composed.amendments, ["carcassonne_tunnel", "both_at_once"]);
    let origin = |name: &str| {
        let named = composed
            .items
            .iter()
            .find(|it| it.item.kind.name().is_some_and(|it| it == name));
        named.map(|it| it.origin.as_deref().unwrap_or("the game").to_owned())
    };
    assert_eq!(origin("tokens"), None);
    assert_eq!(origin("whole").as_deref(), Some("the game"));
    assert_eq!(origin("touches").as_deref(), Some("carcassonne_tunnel"));
    assert_eq!(origin("colours_held").as_deref(), Some("both_at_once"));
}

/// Each two shipped amendments of a game go together, but for these.
#[test]
fn the_shipped_amendments_go_together() {
    let conflicts = [
        ["both_at_once", "steal_second"],
        ["carcassonne_blocking", "carcassonne_king_and_robber"],
    ];
    let mut sources = Sources::new();
    let files: HashMap<PathBuf, File> = rule_files("rules")
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a rulebook");
            let file = parsed(&mut sources, &path.to_string_lossy(), &text);
            (path, file)
        })
        .collect();
    let chains: Vec<Vec<PathBuf>> = rulebook_files("rules")
        .iter()
        .filter(|path| base_of(path).is_some())
        .map(|path| with_bases(path))
        .collect();
    for (at, first) in chains.iter().enumerate() {
        let of_the_game = |other: &&Vec<PathBuf>| other.first() == first.first();
        for second in chains[at..].iter().filter(of_the_game) {
            let more = second.iter().filter(|path| !first.contains(path));
            let all = first.iter().chain(more).map(|path| files[path].clone());
            let (all, said) = joined(all.collect());
            assert!(
                said.is_empty(),
                "{}",
                graphical(&sources, &said, Look::default())
            );
            let all: Vec<&File> = all.iter().collect();
            let (composed, diagnostics) = compose(all[0], &all[1..], &[]);
            let shown = graphical(&sources, &diagnostics, Look::default());
            let names = [first, second].map(|chain| {
                let mut files = chain.iter().rev();
                let path = files.find(|it| base_of(it).is_some()).expect("a file");
                path.file_stem().expect("a name").to_string_lossy()
            });
            if conflicts.iter().any(|pair| *pair == names) {
                assert!(composed.is_none(), "{names:?} are no conflict any more");
            } else {
                assert!(composed.is_some() && diagnostics.is_empty(), "{shown}");
            }
        }
    }
}

#[test]
fn old_bodies_pass_the_checker_wherever_they_live_on() {
    let amendment = "variant v \"V\" for tunnels { }
        replace play_rounds { base()  base() }
        replace play_round { return base(leader) }
        replace collapse { base()  base() }
        replace front = base(s)
        replace finished { base() }
        replace trade { base(used, at) }
        replace swap.stalemate = base() or hand_limit > 3 else \"no\"
        forbid trade(u, a) label never when false because \"no {u}\"
        permit swap.stalemate(u, a) label easy when swaps[me] > 1";
    let mut sources = Sources::new();
    let request = Request {
        base: sources.add("tunnels", read("rules/tunnels.rules")),
        amendments: vec![sources.add("v", amendment)],
        ..Request::default()
    };
    let compiled = compile(&sources, &request);
    let shown = graphical(&sources, &compiled.diagnostics, Look::default());
    assert!(compiled.game.is_some(), "{shown}");
}
