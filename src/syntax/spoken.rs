//! What the rules of the grammar are called when an error says what was expected.

use crate::syntax::parse::Rule;

/// Returns how useful it is to name a rule, the smallest number first, and its name in words; none
/// for rules that nobody needs to hear of.
///
/// Exhaustive, so that a new rule does not compile before it has a name.
pub(super) fn spoken(rule: Rule) -> Option<(u8, &'static str)> {
    Some(match rule {
        Rule::relation_kind => (0, "`excludes` or `needs`"),
        Rule::intent => (0, "`option` or `question`"),
        Rule::flavour => (0, "`variant`"),
        Rule::header => (0, "`{`"),
        Rule::item
        | Rule::lone_item
        | Rule::game
        | Rule::amendment
        | Rule::resolve
        | Rule::enumeration
        | Rule::record
        | Rule::component
        | Rule::supply
        | Rule::space
        | Rule::setting
        | Rule::zone
        | Rule::track
        | Rule::table
        | Rule::define
        | Rule::event
        | Rule::action
        | Rule::flow
        | Rule::ending
        | Rule::invariant
        | Rule::shows
        | Rule::picture
        | Rule::aside
        | Rule::told
        | Rule::edit
        | Rule::set_edit
        | Rule::forbid
        | Rule::permit
        | Rule::except
        | Rule::replace
        | Rule::remove
        | Rule::insert
        | Rule::extend
        | Rule::add
        | Rule::relation
        | Rule::ruling
        | Rule::study => (0, "an item"),
        Rule::base => (0, "the name of a game"),
        Rule::wording => (0, "a sentence, `T-1 \"what it says\"`"),
        Rule::quote => (1, "`\"`"),
        Rule::extend_op => (1, "`+`, `and` or `or`"),
        Rule::typed => (1, "`:`"),
        Rule::value => (1, "`=`"),
        Rule::assign_op => (1, "`=`, `+=` or `-=`"),
        Rule::side => (1, "`before` or `after`"),
        Rule::add_choice => (1, "`choice`"),
        Rule::expect => (1, "`expect`"),
        Rule::add_fields => (1, "`fields`"),
        Rule::given => (1, "`given`"),
        Rule::find => (1, "`find`"),
        Rule::never => (1, "`never`"),
        Rule::within => (1, "`within`"),
        Rule::slot => (1, "`once` or `many`"),
        Rule::layer | Rule::brush => (1, "`ground`, `line`, `area`, `stop` or `mark`"),
        Rule::signs => (2, "a sign in quotes"),
        Rule::zone_kind => (1, "`one`, `bag of` or `pile of`"),
        Rule::add_rows => (1, "`rows`"),
        Rule::add_readings => (1, "`readings`"),
        Rule::seats => (1, "`seats`"),
        Rule::source => (1, "`source`"),
        Rule::version => (3, "`version`"),
        Rule::reading_name => (1, "the name of a reading"),
        Rule::answer_no => (2, "`no`"),
        Rule::k_version => (3, "`version`"),
        Rule::add_values => (1, "`values`"),
        Rule::fields | Rule::readings => (1, "`{`"),
        Rule::edits => (3, "`{`"),
        Rule::asked => (3, "`under`"),
        Rule::block => (1, "a block `{ … }`"),
        Rule::case => (1, "a case"),
        Rule::arm => (1, "a case"),
        Rule::code => (1, "a code"),
        Rule::field_decl => (1, "a field"),
        Rule::field_value => (1, "a field and its value"),
        Rule::head | Rule::each | Rule::named | Rule::word | Rule::ident => (1, "a name"),
        Rule::binders | Rule::binder => (1, "a name and `in`"),
        Rule::heads => (1, "a case"),
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
        Rule::statement
        | Rule::let_
        | Rule::if_
        | Rule::by_statement
        | Rule::while_
        | Rule::repeat
        | Rule::for_each
        | Rule::step
        | Rule::choose
        | Rule::window
        | Rule::turns
        | Rule::move_
        | Rule::draw
        | Rule::exchange
        | Rule::shuffle
        | Rule::show_to
        | Rule::ranking
        | Rule::winner
        | Rule::end_
        | Rule::return_
        | Rule::next
        | Rule::again
        | Rule::effect => (2, "a statement"),
        Rule::text => (2, "text"),
        Rule::tuple_type | Rule::params | Rule::args | Rule::parens => (6, "`(`"),
        Rule::result => (3, "`:`"),
        Rule::all_of => (3, "`all of`"),
        Rule::answers => (3, "`answers`"),
        Rule::at_path => (3, "`at`"),
        Rule::backwards => (3, "`backwards`"),
        Rule::bag => (3, "`bag`"),
        Rule::cyclic => (3, "`cyclic`"),
        Rule::is_default => (3, "`default`"),
        Rule::else_if => (6, "`else if`"),
        Rule::from => (3, "`from`"),
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
        Rule::k_action => (3, "`action`"),
        Rule::k_add => (3, "`add`"),
        Rule::k_after => (3, "`after`"),
        Rule::k_again => (3, "`again`"),
        Rule::k_allow => (3, "`allow`"),
        Rule::k_answers => (3, "`answers`"),
        Rule::k_as => (3, "`as`"),
        Rule::k_aside => (3, "`aside`"),
        Rule::k_at => (3, "`at`"),
        Rule::k_because => (3, "`because`"),
        Rule::k_by => (3, "`by`"),
        Rule::k_can => (3, "`can`"),
        Rule::k_choice => (3, "`choice`"),
        Rule::k_choose => (3, "`choose`"),
        Rule::k_cite => (3, "`cite`"),
        Rule::k_component => (3, "`component`"),
        Rule::k_define => (3, "`define`"),
        Rule::k_depth => (3, "`depth`"),
        Rule::k_do => (3, "`do`"),
        Rule::k_draw => (3, "`draw`"),
        Rule::k_each => (3, "`each`"),
        Rule::k_else => (3, "`else`"),
        Rule::k_end => (3, "`end`"),
        Rule::k_ended => (3, "`ended`"),
        Rule::k_ending => (3, "`ending`"),
        Rule::k_enum => (3, "`enum`"),
        Rule::k_event => (3, "`event`"),
        Rule::k_every => (3, "`every`"),
        Rule::k_exactly => (3, "`exactly`"),
        Rule::k_except => (3, "`except`"),
        Rule::k_exchange => (3, "`exchange`"),
        Rule::k_expect => (3, "`expect`"),
        Rule::k_extend => (3, "`extend`"),
        Rule::k_fields => (3, "`fields`"),
        Rule::k_find => (3, "`find`"),
        Rule::k_flow => (3, "`flow`"),
        Rule::k_for => (3, "`for`"),
        Rule::k_forbid => (3, "`forbid`"),
        Rule::k_from => (3, "`from`"),
        Rule::k_game => (3, "`game`"),
        Rule::k_given => (3, "`given`"),
        Rule::k_groups => (3, "`groups`"),
        Rule::k_history => (3, "`history`"),
        Rule::k_if => (3, "`if`"),
        Rule::k_illegal => (3, "`illegal`"),
        Rule::k_in => (3, "`in`"),
        Rule::k_insert => (3, "`insert`"),
        Rule::k_invariant => (3, "`invariant`"),
        Rule::k_label => (3, "`label`"),
        Rule::k_legal => (3, "`legal`"),
        Rule::k_let => (3, "`let`"),
        Rule::k_meeting => (3, "`meeting`"),
        Rule::k_move => (3, "`move`"),
        Rule::k_never => (3, "`never`"),
        Rule::k_next => (3, "`next`"),
        Rule::k_none => (3, "`none`"),
        Rule::k_of => (3, "`of`"),
        Rule::k_offers => (3, "`offers`"),
        Rule::k_or => (3, "`or`"),
        Rule::k_order => (3, "`order`"),
        Rule::k_otherwise => (3, "`otherwise`"),
        Rule::k_permit => (3, "`permit`"),
        Rule::k_picture => (3, "`picture`"),
        Rule::k_players => (3, "`players`"),
        Rule::k_plies => (3, "`plies`"),
        Rule::k_ranking => (3, "`ranking`"),
        Rule::k_reach => (3, "`reach`"),
        Rule::k_record => (3, "`record`"),
        Rule::k_remove => (3, "`remove`"),
        Rule::k_repeat => (3, "`repeat`"),
        Rule::k_replace => (3, "`replace`"),
        Rule::k_require => (3, "`require`"),
        Rule::k_resolve => (3, "`resolve`"),
        Rule::k_return => (3, "`return`"),
        Rule::k_readings => (3, "`readings`"),
        Rule::k_rows => (3, "`rows`"),
        Rule::k_ruling => (3, "`ruling`"),
        Rule::k_seats => (3, "`seats`"),
        Rule::k_seed => (3, "`seed`"),
        Rule::k_seen => (3, "`seen`"),
        Rule::k_sees => (3, "`sees`"),
        Rule::k_told => (3, "`told`"),
        Rule::k_sentences => (3, "`sentences`"),
        Rule::k_set => (3, "`set`"),
        Rule::k_show => (3, "`show`"),
        Rule::k_shuffle => (3, "`shuffle`"),
        Rule::k_source => (3, "`source`"),
        Rule::k_space => (3, "`space`"),
        Rule::k_status => (3, "`status`"),
        Rule::k_step => (3, "`step`"),
        Rule::k_study => (3, "`study`"),
        Rule::k_supply => (3, "`supply`"),
        Rule::k_table => (3, "`table`"),
        Rule::k_then => (3, "`then`"),
        Rule::k_to => (3, "`to`"),
        Rule::k_track => (3, "`track`"),
        Rule::k_turned => (3, "`turned`"),
        Rule::k_turns => (3, "`turns`"),
        Rule::k_under => (3, "`under`"),
        Rule::k_until => (3, "`until`"),
        Rule::k_up => (3, "`up`"),
        Rule::k_values => (3, "`values`"),
        Rule::k_via => (3, "`via`"),
        Rule::k_walk => (3, "`walk`"),
        Rule::k_weighted => (3, "`weighted`"),
        Rule::k_when => (3, "`when`"),
        Rule::k_where => (3, "`where`"),
        Rule::k_while => (3, "`while`"),
        Rule::k_window => (3, "`window`"),
        Rule::k_winner => (3, "`winner`"),
        Rule::k_within => (3, "`within`"),
        Rule::k_with => (3, "`with`"),
        Rule::k_zone => (3, "`zone`"),
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
        | Rule::idc
        | Rule::WHITESPACE
        | Rule::kw => return None,
    })
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
