//! How two rule sets differ at a place.

/// How two rule sets differ where both have come by the same choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The second one only forbids.
    Fewer,
    /// The second one only permits.
    More,
    /// Each allows what the other one does not.
    Other,
    /// Another seat is to choose.
    Chooser,
    /// One game is over and the other one goes on.
    Over,
    /// A fault stops one of them, or another one each.
    Fault,
    /// Both are over, with other places or figures, or by another ending.
    End,
    /// Something else is left to chance. Looked for only where all outcomes of chance are followed.
    Chance,
    /// The same seat is to choose, under one of them at the same time as others.
    Together,
    /// The same is left to chance, and not as likely. Looked for only where all outcomes of chance are followed.
    Likelihood,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 10] = [
        Kind::Fewer,
        Kind::More,
        Kind::Other,
        Kind::Chooser,
        Kind::Over,
        Kind::Fault,
        Kind::End,
        Kind::Chance,
        Kind::Together,
        Kind::Likelihood,
    ];
}
