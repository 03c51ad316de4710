//! How each thing of a rulebook is laid out.

use adit::format::format;
use adit::source::FileId;

fn formatted(text: &str) -> String {
    let once = format(FileId(0), text).unwrap_or_else(|findings| panic!("{findings:?}"));
    assert_eq!(format(FileId(0), &once).unwrap(), once);
    once
}

fn snapshot(name: &str, text: &str) {
    let both = format!("{text}\n=====>\n{}", formatted(text));
    crate::fixtures::snapshot("format", name, &both);
}

#[test]
fn items_are_written_in_one_way() {
    snapshot(
        "items",
        r#"// A game to show all items.
game g   "G \"x\"" version "2"
{ seats a,b source book "Book" sentences T-1..T-9 ,T-11 history up to 3 }


/// Doc.
enum Suit cyclic{clubs "♣" "c",hearts} cite book T-3   , T-5..T-7, wiki W-7 status literal
enum Long { one,
  two, // the second
  // before three
  three }
component Card {suit:Suit=clubs, n :1..3}
record R{}
show Card as "{suit} {{x}}"
hide hand,v  , all allow(L101,"why")
space Plot:grid(lane:Lane,depth:1..7)
space Line: line( 26 )
option limit :1..10=3 "cards" allow(L101,"why")
question q "Q?" {
 /// A reading.
 yes "yes" cite book T-3
 no "no, never" default }
zone hand[seat]: bag of Card up to limit+1 with f:Suit=clubs,g:bool seen by owner
supply 2 every Card in hand[it.owner] where it.n>1
track t[seat,Suit]:set of Plot or none = none hidden
table v[Suit,1..2]:(Suit,int) else (clubs,1) { clubs,1:(clubs,2)  hearts, 2: (hearts,-1) }
aside book T-8,T-9 "flavour"
invariant all: count hand[a]+count hand[b]==52
invariant each(d:Suit,n in 1..2)where n>1 cite book T-1:v[d,n]!=none else"{d}"
measure  lead:int=count hand[a]-count hand[b]each turn
measure m:bool=some hand[a]  when some hand[b] allow(L101,"why")
measure n : int=1 at end // why
measure o( s :seat ):int=count hand[s]
invariant long_one(design: Suit): sum { count_of_something_long(design, x) for x in Plot } == 12 else "the suit {design} has other numbers of cards than it should"
space Part:parts(land,Slot)meeting  at ports turned by turn
picture Part(t,s){ground"·"  "." green "meadow" line white"road" where kind_of(t,s)==road  // roads
 mark "x" red "castle" }
picture Part(t,s){}
"#,
    );
}

#[test]
fn rows_are_written_in_columns() {
    snapshot(
        "rows",
        r#"game g "G" { seats a, b }
table face[Design]: Face { d: 4,city, road
 long_name: 12 , field,road cite book T-1
// before the last
 x: 1, road, road }
table piece[Design,Slot]: Piece or none else none {
 d, city1: {n}
 d, cloister: {}, ends=crossing, borders={ city1,city2 } // behind
}
table short[Design]: int { d: 1  x: 2 }
table wide[Design]: Text {
 a: count_of_something_long(one_thing, another_thing), count_of_something_long(one_thing, another_thing)
 design_with_a_long_name: 1, count_of_something_long(one_thing, another_thing)
}
"#,
    );
}

#[test]
fn rules_are_written_in_one_way() {
    snapshot(
        "rules",
        r#"game g "G" { seats a, b }
define f(x:Card,y in hand[a]):bool depth 4 cite book T-1 = not (x==y) and (a or b)   // behind
define long: bool = some { p in dug(s) where p in front(rival(s)) } or every { filled field[q] for q in around(p) } or (very_long_name_here and another_long_name)
define cases: 0..3 = by match_values { equal_or_adjacent_cyclic => distance(x.rank, y.rank) <= 1  equal_only => x.rank == y.rank  else => abs(ord(x.rank)) <= 1 }
define chosen: int = if a_rather_long_condition(x) then some_value_that_is_long(y) else if another_condition(x) then b else the_last_one_of_them_all
event e(x & y in S) "{x}   with {y}" { tell all   "so {x}"  tell  { a,b } "{hand[me]}"  points[ me ]+=3   because "a tunnel"  move 2 of x from z to w with turn = n  move all of z to w exchange  all of z  with all of  w move top of z to w  draw 1 of z to w }
action swap(used in hand[me], at in exposed(me)) "swap {used} with {at}" cite book T-27 {
    /// Doc of a clause.
    require eager: must_match == no_until or not can(me, match) else "{me} could match" cite book T-28
    require stalemate: swaps[me] < swap_limit or not can(me, match) or swaps_of_somebody_else[rival(me)] > 3 cite book T-50..T-52
        else "{me} has swapped {swap_limit} times in a row and could match"
    do { exchange used from hand[me] with field[at]  swaps[me] += 1 }
}
action short() { do { x = 1 } }
flow main() {
    // First.
    step deal cite book T-1 status assumed { shuffle stock   for each p in Plot backwards where a, q in b { move top of stock to field[p] } }


    repeat { choose me: match | swap(at: x) | keep "keep {x}" { return }
        otherwise { end finished } } until a
    while a { may choose chance d in 1..6 where d > 1 weighted d { next } }
    by q {
        yes, no => { again }   // an arm
        else => { if a { x = 1 } else if b { x = 2 } else { show z to all } }
    }
    together s in  seat where  a { choose s : lay | pass "pass" { x = 1 } otherwise { x = 2 } }
    window me { once follower: a | b  many c: d cite book T-1 }
    turns me from a once where b { winner none }
    let run = walk d from q while x: empty board[x] and (a + b) * c == -1   // end
    // last
}
ending finished() { ranking seat by points, it == a }
"#,
    );
}

#[test]
fn amendments_and_rulings_are_written_in_one_way() {
    snapshot(
        "amendments",
        r#"variant v "V" for g "1" status house { }
set limit = 4
set q = no
forbid claim(c,o) label needs_own when no followers_on(o, me) because "you may only claim an opening whose road holds one of your followers"
permit swap.stalemate label l when a
except needs_own(c) label x when b and c
replace define f: int = 3
replace f = base(1) + 2
replace swap.eager = true else "never"
replace main.play { fold() }
remove tokens
insert before main.draw { x = 1 }
extend touches(p) + mates(p) cite book S-1
add values to Design { t1 "T1", t2 }
add fields to Piece { x: bool = true }
add rows to copies { t1: 1 t2: 2 }
add choice to main.play.extras { once token: place_token }
add choice to main.play.extras.token: steal|place_pair
excludes other "why"
needs base_of_it
resolve a + b { set limit = 5 }
ruling R-F1 "Title" cite book T-26 status literal answers q, r {
    given { from seed 1 at main.play players 2
        x = 1 }
    when a: match(at: Plot(c, 1))
    expect legal a: swap expect illegal a: match(at: x) by at under q = no, limit = 3
    expect offers a: exactly { swap, match(at: x) }
    expect ended by finished
    expect points[a] == 3
}
"#,
    );
}

#[test]
fn comments_stay_at_their_line() {
    snapshot(
        "comments",
        r#"game g "G" { }
action place(at in { 1, 2 }) "put {at}" cite book T-1 { // { of the body
    // first
    require free: // why
        empty at else "{at}: {{" // last of free

    // second
    do { x = 1 } }
study S-1 "A {{ in a title" { // of the study
    given { x = 1 } // start
    find s in seat // whom
        where won(s)
    never // never what
        three(s)
    within 5
        plies // how far

    // end
}
"#,
    );
}

#[test]
fn readings_with_edits_are_written_in_columns() {
    snapshot(
        "readings",
        r#"
game t "T" { seats a, b }
question exposure "Which cards lie open?" cite "x" status literal { three "three" default
    five "those three and two" { extend opened_by(p, s) + { q in orthogonal(p) where q.depth == p.depth and q in inside and filled field[q] } }
    sides "those that share a side" { replace opened_by = orthogonal(p)   remove rest }
    long "those that share a side with it, and those that share a corner with it, whatever lies there" { replace opened_by = around(p) }
    more "more" { // why
        track x: 0..3 = 0

        replace opened_by = orthogonal(p) }
    none_at_all "nothing" cite "y" { } }
question reset "Does it?" under exposure = five, sides, other = no { yes "yes" default no "no" { replace counted { } } }
option longest: 5..9 = 7 "turns" under exposure = five { track turns: 0..9 = 0 insert after deal { turns = 0 } }
option longer: 5..9 = 7 "turns" {
    track turns: 0..9 = 0 }
resolve exposure = five + reset = no { remove a }
excludes exposure = five "why"
insert after deal order before reset,exposure = five { deal() }
add readings to exposure { again "again" { remove b } }
"#,
    );
}

#[test]
fn what_does_not_fit_on_a_line_is_broken_where_it_reads_well() {
    snapshot(
        "long_lines",
        r#"game g "G" { seats a, b }
enum Rank { ace "A", two "2", three "3", four "4", five "5", six "6", seven "7", eight "8", nine "9", ten "10", jack "J" }
enum Each { one,
    two, // the second
    three }
event score(s: seat) {
    if x == 10 { x += 20 because "penalty cards" }
    else if moon == others_up and x != 12 and x < 90 { x += 5 because "somebody else shot the moon" }
    else if moon == own_down and x > 2 { x -= 2 because "shot the moon" }
    if x == 10 { x += 20 because "penalty cards" } else if x == 11 { x += 5 }
    else { // none of these
        x = 3
    }
    if a { } else if b { x = 2
        y = 2 } else { x = 3 }
    if a_condition_that_is_rather_long(x) and another_one_that_is_long_too(y) or a_third_one_that_is_as_long_as_those(z) { x = 1 }
}
ruling one "One" {
    expect after { score(a) score(b) }
        worth({ Card(ace), Card(two), Card(three), Card(four), Card(five), Card(six), Card(seven), Card(eight) }) == 8
    expect worth({ Card(ace), Card(two), Card(three), Card(four), Card(five), Card(six), Card(seven) }) == 7 and x == 8 under moon = own_down
}
"#,
    );
}
