use super::*;

/// `ruling ID "Title" answers q { given … when … expect … }`: a disputed case that runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Its id; may hold dashes.
    pub id: Name,
    /// What it says, in words.
    pub title: Text,
    /// The questions it answers.
    pub answers: Vec<Name>,
    /// The position.
    pub given: Option<Given>,
    /// What is chosen then.
    pub whens: Vec<When>,
    /// What must hold then; at least one.
    pub expects: Vec<Expect>,
}

/// `given { from seed N at PATH players N  statements }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// How the position before the statements comes about.
    pub from: Option<FromSeed>,
    /// What is done to it.
    pub body: Block,
}

/// `from seed N [at PATH] [players N]`.
#[derive(Clone, Debug, PartialEq)]
pub struct FromSeed {
    /// The seed of chance.
    pub seed: Number,
    /// The step to play on to.
    pub at: Option<Path>,
    /// How many seats.
    pub players: Option<Number>,
    /// The whole phrase.
    pub span: Span,
}

/// `when SEAT: alt`.
#[derive(Clone, Debug, PartialEq)]
pub struct When {
    /// Who and what.
    pub play: Play,
    /// The whole line.
    pub span: Span,
}

/// `SEAT: alt`.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// Who acts.
    pub who: Expr,
    /// What it does; its arguments may be partial.
    pub alternative: Alternative,
}

/// `expect … under q = r`.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// What must hold.
    pub kind: ExpectKind,
    /// Settings that it holds under; empty means those of the run.
    pub under: Vec<Under>,
    /// Citations and the like.
    pub tail: Tail,
    /// The whole line.
    pub span: Span,
}

/// What an [`Expect`] asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectKind {
    /// `legal SEAT: alt`: some instance is legal.
    Legal(Play),
    /// `illegal SEAT: alt by LABEL`: none is legal, and this clause refuses.
    Illegal {
        /// Who and what.
        play: Play,
        /// The clause.
        by: Option<Path>,
    },
    /// `offers SEAT: exactly { alt, alt }`.
    Offers {
        /// Who chooses.
        who: Expr,
        /// All that is offered.
        exactly: Vec<Alternative>,
    },
    /// `ended`, `ended by ENDING`.
    Ended {
        /// How.
        by: Option<Name>,
    },
    /// `SEAT sees PLACE as "…"`: what the seat is shown of a place or a value.
    Sees {
        /// Who looks.
        who: Expr,
        /// At what.
        what: Expr,
        /// What it is shown.
        text: Text,
    },
    /// `told SEAT "…"`: what the seat is told of the last choice.
    Told {
        /// Who.
        who: Expr,
        /// All that it is told.
        text: Text,
    },
    /// An expression that is true in the position reached.
    Holds(Expr),
}

/// `q = r` behind `under`.
#[derive(Clone, Debug, PartialEq)]
pub struct Under {
    /// A question or an option.
    pub setting: Path,
    /// The reading or the value.
    pub value: Expr,
}
