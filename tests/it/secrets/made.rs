//! Rulebooks put together from ways of choosing something, of putting it away, and of telling of it.
//!
//! Who chose hears all of it; who is told of two choices in the same words hears the same of both.

use std::collections::BTreeMap;

use adit::engine::{Dice, Machine, Move, Program, State, Status, Viewer};
use adit::model::text::Form;

use super::generated::seen;
use crate::generated::{Looks, run};
use crate::mutation::Numbers;

const HEAD: &str = r#"game made "Made" { seats anna, bert, carl }
component Card { n: 1..6 }
show Card as "c{n}"
enum Hue { red, blue, green }
zone deck: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
zone face[seat]: one Card hidden
zone out: bag of Card open
zone burnt: bag of Card hidden
supply 2 every Card in deck
track note[seat]: 0..19 = 0 seen by owner
track dark: 0..19 = 0 hidden
track fav[seat]: Hue = red seen by owner
track foe[seat]: seat = anna seen by owner
track shown[seat]: 0..19 = 0
event noted(s: seat, k: 0..19) "{s} notes {k}" { note[s] = k because "it is {k}" }
event burns(s: seat, c: Card) "{s} burns {c}" { move c from hand[s] to burnt }
event lays(s: seat, c: Card) { let k = c.n  move c from hand[s] to out  tell all "{s} lays {c} of {k}" }
"#;

/// A parameter, what is done with it, and what may be told of it.
const WAYS: [(&str, &[&str], &[&str]); 4] = [
    (
        "k in 1..9",
        &[
            "note[me] = k",
            "dark = k",
            "note[next_seat(me)] = k",
            "shown[me] = k",
            "noted(me, k)",
            "note[me] = k  let j = k + 1  dark = j  tell all \"{j}\"",
            "let j = if k > 4 then 1 else 2  note[me] = j  tell all \"{j}\"",
        ],
        &["{k}", "{note[me]}", "{dark}", "{shown[me]}"],
    ),
    (
        "h: Hue",
        &["fav[me] = h", "fav[next_seat(me)] = h"],
        &["{h}", "{fav[me]}", "{fav[next_seat(me)]}"],
    ),
    (
        "s: seat",
        &[
            "foe[me] = s",
            "foe[s] = me",
            "note[s] += 1",
            "foe[me] = s  tell s \"you\"",
        ],
        &["{s}", "{foe[me]}", "{note[foe[me]]}", "{next_seat(s)}"],
    ),
    (
        "c in hand[me]",
        &[
            "move c from hand[me] to burnt",
            "move c from hand[me] to out",
            "move c from hand[me] to hand[next_seat(me)]",
            "let k = c.n  move c from hand[me] to burnt  tell all \"of {k}\"",
            "let k = c.n  move c from hand[me] to out  tell all \"of {k}\"",
            "if empty face[me] { move c from hand[me] to face[me] } else { move c from hand[me] to deck }",
            "burns(me, c)",
            "lays(me, c)",
            "tell all \"{face[me]}\"  move c from hand[me] to burnt  if filled face[me] { move face[me] to out }",
        ],
        &["{c}", "{c.n}", "{face[me]}"],
    ),
];

/// Of what is told, that which follows from what was chosen alone.
const OWN: [&str; 5] = ["{k}", "{h}", "{s}", "{c}", "{c.n}"];

fn rulebook(seed: u64) -> String {
    let mut pick = Numbers::new(seed);
    let mut text = HEAD.to_owned();
    let mut names = Vec::new();
    for at in 0..4 {
        let (param, done, told) = WAYS[(at + pick.below(2)) % 4];
        let (done, told) = (done[pick.below(done.len())], told[pick.below(told.len())]);
        let is_open = done.contains("to out") || done.contains("shown[me]");
        let who = match OWN.contains(&told) {
            true if is_open && !done.contains("face[me]") => "all hear",
            true => "own",
            false => "told",
        };
        let tell = format!("tell all \"{who} {told}\"");
        let body = match pick.below(3) {
            0 => format!("{tell}  {done}"),
            1 => format!("{done}  {tell}"),
            _ => done.to_owned(),
        };
        let hole = param.split([' ', ':']).next().unwrap();
        text += &format!("action a{at}({param}) \"a{at} {{{hole}}}\" {{ do {{ {body} }} }}\n");
        names.push(format!("a{at}"));
    }
    let deal = "for each s in seat, n in 1..2 { move Card(n + 2 * ord(s)) from deck to hand[s] }";
    let turns = format!(
        "turns me from anna once {{ may choose me: {} }}",
        names.join(" | ")
    );
    text + &format!(
        "flow main() {{\n    {deal}\n    repeat 4 {{ {turns} }}\n    end over\n}}\nending over() {{ winner none }}\n"
    )
}

#[derive(Default, Debug)]
struct Made {
    games: u64,
    /// Lines that were heard by who knows all of them.
    heard: usize,
    /// Pairs of choices by which a seat saw the same.
    alike: usize,
    wrong: Vec<String>,
}

/// What a seat read, saw and was told of a move.
fn heard(
    machine: &mut Machine<'_>,
    chosen: Move,
    seat: u32,
    dice: &mut Dice,
) -> Option<[String; 2]> {
    let viewer = Viewer::Seat(seat);
    let line = machine.print_for(&[viewer], chosen, Form::Plain);
    let (_, events) = machine.play_watched(chosen, dice).ok()?;
    let saw = seen(&machine.program().game, seat, &events);
    let told = machine.heard().iter();
    let told: Vec<_> = told.map(|it| it.heard_by(seat, Form::Plain)).collect();
    Some([
        format!("{line} {saw:?} {:?}", machine.view(viewer)),
        format!("{told:?}"),
    ])
}

impl Made {
    /// Who is shown the same of two choices is told the same.
    fn compare(&mut self, program: &Program, state: &State, seed: u64) {
        let mut machine = Machine::new(program);
        machine.listen(true);
        machine.load(state);
        let moves = machine.moves().to_vec();
        for seat in 0..program.game.n_seats {
            let mut known: BTreeMap<String, (Move, String)> = BTreeMap::new();
            for chosen in &moves {
                machine.load(state);
                let heard = heard(&mut machine, *chosen, seat, &mut Dice::new(seed));
                let Some([saw, told]) = heard else { continue };
                let Some((other, before)) = known.get(&saw) else {
                    known.insert(saw, (*chosen, told));
                    continue;
                };
                self.alike += 1;
                if *before != told {
                    let wrong = format!("seed {seed}: by {other:?} {before}, by {chosen:?} {told}");
                    self.wrong.push(format!("{wrong} to {seat}, who saw {saw}"));
                }
            }
        }
    }

    /// Who chose hears what follows from that, and all hear what lies open.
    fn listen(&mut self, machine: &Machine<'_>, chooser: u32, seed: u64) {
        for told in machine.heard() {
            for to in told.to.iter().copied() {
                let line = told.heard_by(to, Form::Plain).unwrap();
                if line.starts_with("all hear") || line.starts_with("own") && to == chooser {
                    self.heard += 1;
                    if line.contains('…') {
                        let wrong = format!("seed {seed}: {to} hears {line} of {chooser}");
                        self.wrong.push(wrong);
                    }
                }
            }
        }
    }
}

impl Looks for Made {
    fn look(&mut self, seed: u64) {
        self.look_at(rulebook(seed), seed);
    }

    fn look_at(&mut self, text: String, seed: u64) {
        self.games += 1;
        let program = super::program(&text).unwrap_or_else(|| panic!("no game:\n{text}"));
        let mut machine = Machine::new(&program);
        let (mut dice, mut pick) = (Dice::new(seed), Numbers::new(seed));
        machine.listen(true);
        machine.start(&mut dice).unwrap();
        while let Status::Choice { seat } = machine.status() {
            self.compare(&program, &machine.save(), seed);
            let chosen = machine.moves()[pick.below(machine.moves().len())];
            if machine.play_watched(chosen, &mut dice).is_err() {
                return;
            }
            self.listen(&machine, seat, seed);
        }
    }

    fn done(&self) -> u64 {
        self.games
    }

    fn wrong(&mut self) -> &mut Vec<String> {
        &mut self.wrong
    }
}

#[test]
fn what_is_told_of_a_choice_is_what_its_move_lets_be_seen() {
    let made = run::<Made>("ADIT_TELLS", 8, 30, 200);
    assert!(made.heard > 0 && made.alike > 0, "{made:?}");
}
