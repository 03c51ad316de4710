//! The rulebooks that come with the program, as text.

/// A shipped rulebook or amendment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name: that of the file without `.rules`.
    pub name: &'static str,
    /// How it is shown in messages.
    pub path: &'static str,
    /// The whole text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($folder:literal $name:literal),* $(,)?) => {
        &[$(Shipped {
            name: $name,
            path: concat!("rules/", $folder, $name, ".rules"),
            text: include_str!(concat!("../rules/", $folder, $name, ".rules")),
        }),*]
    };
}

/// Every file of `rules/`, by path; a test keeps the list whole.
pub const FILES: &[Shipped] = shipped![
    "" "channel_tunnel",
    "" "tunnels",
    "variants/" "breather",
    "variants/" "no_take_back",
];

/// Returns the shipped file with this name.
pub fn find(name: &str) -> Option<Shipped> {
    FILES.iter().copied().find(|file| file.name == name)
}
