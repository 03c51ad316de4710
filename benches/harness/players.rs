//! Who plays which game in the benchmarks.

#![expect(
    clippy::expect_used,
    reason = "a benchmark of a broken rulebook must not go on"
)]

use adit::engine::{Chance, Machine, Program, Status, compile};
use adit::library::{self, Shipped};
use adit::model::StreamId;
use adit::pipeline::{self, Request};
use adit::source::Sources;
use rand_chacha::ChaCha8Rng;

use super::{Contest, Player};
use crate::baseline::breakthrough::Breakthrough;
use crate::baseline::chance::pick;
use crate::baseline::chess::Chess;
use crate::baseline::connect_four::ConnectFour;
use crate::baseline::draughts::Draughts;
use crate::baseline::othello::Othello;
use crate::baseline::{Game, carcassonne, tunnels};

const HAND_WRITTEN: &str = "hand-written";
const TUNNELS: &str = "tunnels";

/// All games; the hand-written one comes first, as the yardstick of the others.
pub fn contests() -> Vec<Contest> {
    vec![
        classic::<ConnectFour>("connect four", HAND_WRITTEN, &[]),
        classic::<Breakthrough>("breakthrough", HAND_WRITTEN, &[]),
        classic::<Othello>("othello", HAND_WRITTEN, &[]),
        classic::<Draughts>("draughts", HAND_WRITTEN, &[]),
        classic::<Chess>("chess", "shakmaty", &[("draws", "automatic".to_owned())]),
        Contest {
            game: "tunnels",
            players: vec![hand_written_tunnels(), engine("engine", &[TUNNELS], &[])],
        },
        channel_tunnel(),
        carcassonne_for_two("carcassonne", 1),
        carcassonne_for_two("carcassonne 3x", 3),
        carcassonne_for_two("carcassonne 10x", 10),
    ]
}

/// One of the classics, whose yardstick is called `by`.
fn classic<G: Game>(game: &'static str, by: &'static str, set: &[(&str, String)]) -> Contest
where
    G::Move: 'static,
{
    let file = game.replace(' ', "_");
    let mut moves = Vec::new();
    Contest {
        game,
        players: vec![
            Player::new(by, move |rng| G::playout(rng, &mut moves)),
            engine("engine", &[&file], set),
        ],
    }
}

fn hand_written_tunnels() -> Player {
    let mut moves = Vec::new();
    Player::new(HAND_WRITTEN, move |rng| tunnels::playout(rng, &mut moves))
}

/// Carcassonne with The Tunnel, each tile so many times.
fn carcassonne_for_two(game: &'static str, sets: usize) -> Contest {
    let files = ["carcassonne", "carcassonne_tunnel"];
    let set = [("tile_sets", sets.to_string())];
    Contest {
        game,
        players: vec![
            hand_written_carcassonne(sets),
            engine("engine", &files, &set),
        ],
    }
}

fn hand_written_carcassonne(sets: usize) -> Player {
    let setup = carcassonne::Setup::with_tunnel(2, sets);
    Player::new(HAND_WRITTEN, move |rng| carcassonne::playout(&setup, rng))
}

/// Takes what nature decides from the generator of the choices, as the hand-written games do.
struct Shared<'a>(&'a mut ChaCha8Rng);

impl Chance for Shared<'_> {
    fn ticket(&mut self, _: StreamId, total: u64) -> u64 {
        pick(self.0, total as usize) as u64
    }
}

/// 1987 Channel Tunnel; nobody has written it by hand, so the yardstick is a move of Tunnels.
fn channel_tunnel() -> Contest {
    let base = "channel_tunnel";
    let agenda = "channel_tunnel_agenda";
    Contest {
        game: "channel tunnel",
        players: vec![
            engine("tunnels", &[TUNNELS], &[]),
            engine("agenda", &[base, agenda], &[]),
            engine("engine", &[base], &[]),
        ],
    }
}

/// Where a playout stops: rules can let two players pass for ever.
const MOST_PLIES: u64 = 20_000;

/// Plays a shipped rulebook and its amendments, with some of the settings changed.
fn engine(name: &'static str, files: &[&str], set: &[(&str, String)]) -> Player {
    // A playout may outlive the function that made it, and a machine borrows its program.
    let program: &'static Program = Box::leak(Box::new(load(files, set)));
    let mut machine = Machine::new(program);
    let mut player = Player::new(name, move |rng| {
        machine.start(&mut Shared(rng)).expect("the rules start");
        let mut plies = 0;
        while machine.status() != Status::Ended && plies < MOST_PLIES {
            let index = pick(rng, machine.moves().len());
            machine
                .play_nth(index, &mut Shared(rng))
                .expect("a legal move is played");
            plies += 1;
        }
        plies
    });
    player.program = Some(program);
    player
}

fn load(files: &[&str], set: &[(&str, String)]) -> Program {
    let shipped = files.iter().map(|it| library::find(it));
    let chain: Option<Vec<Shipped>> = shipped.collect();
    let chain = chain.expect("the rulebook is shipped");
    let parts = chain.iter().flat_map(|it| it.parts()).copied();
    let mut sources = Sources::new();
    let texts = chain.iter().copied().chain(parts);
    let mut ids = texts.map(|it| sources.add(it.path, it.text));
    let base = ids.next().expect("there is a rulebook");
    let amendments = ids.collect();
    let set = set
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    let request = Request {
        base,
        amendments,
        set: set.collect(),
        seats: None,
    };
    let game = pipeline::compile(&sources, &request)
        .game
        .expect("the rulebook checks");
    compile(game).expect("the rulebook fits the engine")
}
