//! What the rules of the grammar are called when an error says what was expected.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::syntax::parse::Rule;

const GRAMMAR: &str = include_str!("../../grammar/rules.pest");

/// Returns how useful it is to name a rule, the smallest number first, and its name in words; none
/// for rules that nobody needs to hear of.
///
/// A test asks for the name of each rule.
pub(super) fn spoken(rule: Rule) -> Option<(u8, &'static str)> {
    Some(match rule {
        Rule::relation_kind => (0, "`excludes` or `needs`"),
        Rule::intent => (0, "`option` or `question`"),
        Rule::flavour => (0, "`variant`"),
        Rule::header => (0, "`{`"),
        Rule::lone_item => (0, "an item"),
        Rule::base => (0, "the name of a game"),
        Rule::wording => (0, "a sentence, `T-1 \"what it says\"`"),
        Rule::quote => (1, "`\"`"),
        Rule::extend_op => (1, "`+`, `and` or `or`"),
        Rule::typed => (1, "`:`"),
        Rule::value => (1, "`=`"),
        Rule::assign_op => (1, "`=`, `+=` or `-=`"),
        Rule::side => (1, "`before` or `after`"),
        Rule::add_choice => (1, "`choice`"),
        Rule::scene => (1, "`expect` or `when`"),
        Rule::repeated => (3, "`repeat`"),
        Rule::in_turn => (3, "`for each`"),
        Rule::supposed | Rule::assumptions => (3, "`under`"),
        Rule::based | Rule::more => (3, "`given`"),
        Rule::exactly => (1, "`exactly`"),
        Rule::drawn => (3, "`drawn`"),
        Rule::drawing | Rule::quotes => (3, "a drawing between `\"\"\"` and `\"\"\"`"),
        Rule::up_to => (2, "`up to`"),
        Rule::expect => (1, "`expect`"),
        Rule::add_fields => (1, "`fields`"),
        Rule::given => (1, "`given`"),
        Rule::find => (1, "`find`"),
        Rule::never => (1, "`never`"),
        Rule::moment | Rule::each_turn | Rule::at_end => (3, "`each turn`, `at end` or `when`"),
        Rule::within => (1, "`within`"),
        Rule::slot => (1, "`once` or `many`"),
        Rule::layer | Rule::brush => (1, "`ground`, `line`, `area`, `stop` or `mark`"),
        Rule::signs => (2, "a sign in quotes"),
        Rule::zone_kind => (1, "`one`, `bag of` or `pile of`"),
        Rule::add_cases => (1, "`cases`"),
        Rule::add_rows => (1, "`rows`"),
        Rule::add_readings => (1, "`readings`"),
        Rule::seats => (1, "`seats`"),
        Rule::source => (1, "`source`"),
        Rule::version => (3, "`version`"),
        Rule::reading_name => (1, "the name of a reading"),
        Rule::answer_no => (2, "`no`"),
        Rule::add_values => (1, "`values`"),
        Rule::fields | Rule::readings => (1, "`{`"),
        Rule::edits => (3, "`{`"),
        Rule::asked => (3, "`under`"),
        Rule::formerly => (3, "`formerly`"),
        Rule::block => (1, "a block `{ … }`"),
        Rule::case => (1, "a case"),
        Rule::arm => (1, "a case"),
        Rule::code => (1, "a code"),
        Rule::field_decl => (1, "a field"),
        Rule::field_value => (1, "a field and its value"),
        Rule::head | Rule::each | Rule::named | Rule::word | Rule::ident => (1, "a name"),
        Rule::binders | Rule::binder => (1, "a name and `in`"),
        Rule::heads | Rule::number_head => (1, "a case"),
        Rule::number => (1, "a number"),
        Rule::param => (1, "a parameter"),
        Rule::exchanged => (1, "a place"),
        Rule::unit => (1, "a name"),
        Rule::assumption | Rule::asked_one => (1, "a question and a reading"),
        Rule::numbered_seats => (1, "a range of seats"),
        Rule::reading => (1, "a reading"),
        Rule::play => (1, "a seat and `:`"),
        Rule::sentences | Rule::reference | Rule::sentence => (1, "a sentence like `T-3`"),
        Rule::reason | Rule::string => (1, "a text in quotes"),
        Rule::ty | Rule::range => (1, "a type"),
        Rule::lone_expression
        | Rule::cell
        | Rule::expr
        | Rule::sum
        | Rule::operand
        | Rule::postfix
        | Rule::primary
        | Rule::arg => (1, "a value"),
        Rule::lone_alternative | Rule::alternatives | Rule::alternative => (1, "an action"),
        Rule::guard => (1, "an address"),
        Rule::path | Rule::path_head => (1, "an address like `main.play`"),
        Rule::axis => (1, "an axis"),
        Rule::replacement => (1, "an item"),
        Rule::ruling_id => (1, "an id like `R-1`"),
        Rule::source_name => (1, "the name of a source"),
        Rule::enum_value => (1, "the name of a value"),
        Rule::after => (2, "`after`"),
        Rule::by_expr => (2, "`by`"),
        Rule::can => (2, "`can`"),
        Rule::ended => (2, "`ended`"),
        Rule::won => (2, "`winner`"),
        Rule::from_seed => (2, "`from seed`"),
        Rule::groups => (2, "`groups`"),
        Rule::if_expr => (2, "`if`"),
        Rule::illegal => (2, "`illegal`"),
        Rule::legal => (2, "`legal`"),
        Rule::none => (2, "`none`"),
        Rule::offers => (2, "`offers`"),
        Rule::sees => (2, "a seat and `sees`"),
        Rule::hears => (2, "`told`"),
        Rule::reach => (2, "`reach`"),
        Rule::require => (2, "`require`"),
        Rule::set_of => (2, "`set of`"),
        Rule::truth => (2, "`true` or `false`"),
        Rule::walk => (2, "`walk`"),
        Rule::when_ => (2, "`when`"),
        Rule::braces => (2, "`{`"),
        Rule::hole => (2, "a hole `{…}`"),
        Rule::members => (2, "a name and `in`"),
        Rule::row | Rule::keys => (2, "a row"),
        Rule::text => (2, "text"),
        Rule::tuple_type | Rule::params | Rule::args | Rule::parens => (6, "`(`"),
        Rule::result => (3, "`:`"),
        Rule::all_of => (3, "`all of`"),
        Rule::answers => (3, "`answers`"),
        Rule::at_path => (3, "`at`"),
        Rule::backwards => (3, "`backwards`"),
        Rule::bag => (3, "`bag`"),
        Rule::chequered => (3, "`chequered`"),
        Rule::cyclic => (3, "`cyclic`"),
        Rule::is_default => (3, "`default`"),
        Rule::else_if => (6, "`else if`"),
        Rule::from | Rule::side_of => (3, "`from`"),
        Rule::marked_on => (3, "`on`"),
        Rule::hidden => (3, "`hidden`"),
        Rule::history => (3, "`history`"),
        Rule::many => (3, "`many`"),
        Rule::may => (3, "`may`"),
        Rule::copies_of => (3, "`of`"),
        Rule::once => (3, "`once`"),
        Rule::one => (3, "`one`"),
        Rule::open => (3, "`open`"),
        Rule::visibility => (3, "`open`, `hidden` or `seen by`"),
        Rule::pile => (3, "`pile`"),
        Rule::players => (3, "`players`"),
        Rule::seen => (3, "`seen by`"),
        Rule::top_of => (3, "`top of`"),
        Rule::lowest => (3, "`bottom of`"),
        Rule::escape => (3, "an escape"),
        Rule::formals => (4, "`(`"),
        Rule::listed => (4, "`,`"),
        Rule::because => (4, "`because`"),
        Rule::key | Rule::by_path | Rule::by_ending => (4, "`by`"),
        Rule::missing | Rule::message => (4, "`else`"),
        Rule::under => (4, "`under`"),
        Rule::capacity => (4, "`up to`"),
        Rule::meeting => (4, "`meeting at`"),
        Rule::turned => (4, "`turned by`"),
        Rule::where_ => (4, "`where`"),
        Rule::place_fields | Rule::with_ => (4, "`with`"),
        Rule::index_decl => (5, "`[`"),
        Rule::otherwise => (5, "`otherwise`"),
        Rule::until_ => (5, "`until`"),
        Rule::weight => (5, "`weighted`"),
        Rule::depth => (6, "`depth`"),
        Rule::or_none => (6, "`or none`"),
        Rule::infix | Rule::sum_infix => (6, "an operator"),
        Rule::allow => (7, "`allow`"),
        Rule::cite => (7, "`cite`"),
        Rule::order => (7, "`order`"),
        Rule::status => (7, "`status`"),
        Rule::tail => (7, "a citation"),
        Rule::field => (8, "`.`"),
        Rule::index => (8, "`[`"),
        Rule::p_open => (1, "`{`"),
        Rule::p_close => (1, "`}`"),
        Rule::p_left => (6, "`(`"),
        Rule::p_right => (1, "`)`"),
        Rule::p_bracket => (5, "`[`"),
        Rule::p_unbracket => (1, "`]`"),
        Rule::p_comma => (4, "`,`"),
        Rule::p_colon => (2, "`:`"),
        Rule::p_dot => (8, "`.`"),
        Rule::p_to => (4, "`..`"),
        Rule::p_is => (2, "`=`"),
        Rule::p_plus => (4, "`+`"),
        Rule::p_and => (5, "`&`"),
        Rule::p_arrow => (1, "`=>`"),
        Rule::p_maps => (1, "`->`"),
        Rule::p_bar => (4, "`|`"),
        Rule::EOI
        | Rule::statement_word
        | Rule::is_place
        | Rule::slip_is
        | Rule::prefix
        | Rule::doc
        | Rule::dashed
        | Rule::idc
        | Rule::WHITESPACE
        | Rule::kw => return None,
        _ => {
            return BY_THEIR_NAMES
                .get(&rule)
                .map(|(use_, words)| (*use_, words.as_str()));
        }
    })
}

/// Returns the rules of the grammar in the order in which the reader compares them, each with what it is called where an
/// error says what was expected; none for those that no error can stop at.
pub fn named_rules() -> impl Iterator<Item = (String, Option<&'static str>)> {
    let mut rules = Rule::all_rules().to_vec();
    rules.sort_unstable();
    let named = |rule| (format!("{rule:?}"), spoken(rule).map(|(_, words)| words));
    rules.into_iter().map(named)
}

/// Words without meaning, which are called what they are, items and statements.
static BY_THEIR_NAMES: LazyLock<BTreeMap<Rule, (u8, String)>> = LazyLock::new(|| {
    let kinds = [
        (0, "an item", ["item", "edit"].as_slice()),
        (2, "a statement", &["statement"]),
    ];
    let named = |rule: Rule| {
        let name = format!("{rule:?}");
        if let Some(word) = name.strip_prefix("k_") {
            return Some((3, format!("`{word}`")));
        }
        let is_one = |kind: &&str| named_by(kind).any(|it| it == name);
        let (use_, words, _) = kinds.iter().find(|(_, _, of)| of.iter().any(&is_one))?;
        Some((*use_, String::from(*words)))
    };
    let all = Rule::all_rules().iter();
    all.filter_map(|rule| Some((*rule, named(*rule)?)))
        .collect()
});

/// Returns the rules that a rule of the grammar names, itself among them.
fn named_by(rule: &str) -> impl Iterator<Item = &'static str> {
    let begins = |line: &&str| line.split_once('=').is_some_and(|it| it.0.trim() == rule);
    let n_before = GRAMMAR.lines().take_while(|line| !begins(line)).count();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let lines = GRAMMAR.lines().skip(n_before);
    let n_lines = lines.clone().take_while(|line| !line.contains('}')).count() + 1;
    lines
        .take(n_lines)
        .flat_map(move |line| line.split(move |c| !is_name(c)))
}

/// Returns the words among what a rule is called.
pub(super) fn words(rule: Rule) -> impl Iterator<Item = &'static str> {
    let spoken = spoken(rule).map_or("", |(_, words)| words);
    let quoted = spoken.split('`').skip(1).step_by(2);
    quoted.filter(|word| {
        word.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b' ')
    })
}
