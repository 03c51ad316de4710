//! The rulebooks that come with the program, as text.

/// A shipped rulebook or amendment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The word that asks for it: the name of the file without `.rules`, or a shorter one.
    pub name: &'static str,
    /// How it is shown in messages.
    pub path: &'static str,
    /// The whole text.
    pub text: &'static str,
}

macro_rules! shipped {
    (@name $stem:literal) => { $stem };
    (@name $stem:literal $name:literal) => { $name };
    ($($folder:literal $stem:literal $(as $name:literal)?),* $(,)?) => {
        &[$(Shipped {
            name: shipped!(@name $stem $($name)?),
            path: concat!("rules/", $folder, $stem, ".rules"),
            text: include_str!(concat!("../rules/", $folder, $stem, ".rules")),
        }),*]
    };
}

/// Every file of `rules/` but the parts of others, by path; a test keeps the list whole.
pub const FILES: &[Shipped] = shipped![
    "" "carcassonne",
    "" "carcassonne_abbey_tunnel" as "abbey_tunnel",
    "" "carcassonne_blocking",
    "" "carcassonne_dragon_tunnel" as "dragon_tunnel",
    "" "carcassonne_inns" as "inns",
    "" "carcassonne_king_and_robber" as "king_and_robber",
    "" "carcassonne_tunnel",
    "" "channel_tunnel",
    "" "channel_tunnel_agenda" as "agenda",
    "" "tunnels",
    "classics/" "amazons",
    "classics/" "backgammon",
    "classics/" "breakthrough",
    "classics/" "chess",
    "classics/" "connect_four",
    "classics/" "draughts",
    "classics/" "gomoku",
    "classics/" "hex",
    "classics/" "kuhn_poker" as "kuhn",
    "classics/" "leduc_poker" as "leduc",
    "classics/" "othello",
    "classics/" "tic_tac_toe",
    "classics/" "whist",
    "variants/" "both_at_once",
    "variants/" "breather",
    "variants/" "first_printing",
    "variants/" "magazine",
    "variants/" "no_block",
    "variants/" "no_take_back",
    "variants/" "own_follower",
    "variants/" "steal_second",
];

/// The parts of shipped rulebooks, which are read along with them: `tunnels.readings` is one of `tunnels`.
pub const PARTS: &[Shipped] = shipped![
    "" "carcassonne.readings",
    "" "carcassonne.rulings",
    "" "carcassonne.sentences",
    "" "carcassonne_tunnel.readings",
    "" "carcassonne_tunnel.rulings",
    "" "carcassonne_tunnel.sentences",
    "" "channel_tunnel.data",
    "" "channel_tunnel.looks",
    "" "channel_tunnel.readings",
    "" "channel_tunnel.rulings",
    "" "channel_tunnel.sentences",
    "" "channel_tunnel_agenda.data",
    "" "channel_tunnel_agenda.looks",
    "" "channel_tunnel_agenda.readings",
    "" "channel_tunnel_agenda.rulings",
    "" "tunnels.looks",
    "" "tunnels.readings",
    "" "tunnels.rulings",
    "" "tunnels.sentences",
];

impl Shipped {
    /// Returns its parts.
    pub fn parts(&self) -> impl Iterator<Item = &'static Shipped> {
        let stem = self.stem().to_owned();
        let is_own = move |it: &&Shipped| {
            let rest = it.stem().strip_prefix(stem.as_str());
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        PARTS.iter().filter(is_own)
    }

    /// Returns the name of the file without `.rules`.
    pub fn stem(&self) -> &'static str {
        let file = self.path.rsplit('/').next().unwrap_or(self.path);
        file.trim_end_matches(".rules")
    }
}

/// Returns the shipped file with this name, or whose file has it.
pub fn find(name: &str) -> Option<Shipped> {
    let named = |file: &&Shipped| file.name == name || file.stem() == name;
    FILES.iter().find(named).copied()
}
