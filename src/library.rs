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
    ($($name:literal),* $(,)?) => {
        &[$(Shipped {
            name: $name,
            path: concat!("rules/", $name, ".rules"),
            text: include_str!(concat!("../rules/", $name, ".rules")),
        }),*]
    };
}

/// Every file of `rules/`, by name; a test keeps the list whole.
pub const FILES: &[Shipped] = shipped![];

/// Returns the shipped file with this name.
pub fn find(name: &str) -> Option<Shipped> {
    FILES.iter().copied().find(|file| file.name == name)
}
