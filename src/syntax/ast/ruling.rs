use super::table::nodes;
use super::tree::As;
use super::*;

nodes! {
    /// `ruling ID "Title" answers q { given … when … expect … }`: a disputed case that runs.
    pub struct Ruling walk [answers given scenes] {
        /// Its id; may hold dashes.
        id: Name,
        /// What it says, in words.
        title: Text,
        /// The questions it answers.
        answers: Vec<Name> as Role::Uses(Use::Named),
        /// The position.
        given: Option<Given>,
        /// What is chosen then, and what must hold.
        scenes: Vec<Scene>,
    }

    /// A line of a ruling.
    pub enum Scene {
        /// What is chosen.
        When(line: When),
        /// What must hold then.
        Expect(line: Expect),
        /// `repeat 3 { … }`: the same so many times.
        Repeat = "repeat" {
            /// How many times.
            times: Number,
            /// What.
            scenes: Vec<Scene>,
            /// The whole line.
            span: Span,
        },
    }

    /// `given { from seed N at PATH players N  statements }`.
    pub struct Given {
        /// How the position before the statements comes about.
        from: Option<FromSeed>,
        /// What is done to it.
        body: Block as Role::Open,
    }

    /// `from seed N [at PATH] [players N]`.
    pub struct FromSeed {
        /// The seed of chance.
        seed: Number,
        /// The step to play on to.
        at: Option<Path> as Role::Uses(Use::Named),
        /// How many seats.
        players: Option<Number>,
        /// The whole phrase.
        span: Span,
    }

    /// `when SEAT: alt`.
    pub struct When {
        /// Who and what.
        play: Play,
        /// The whole line.
        span: Span,
    }

    /// `SEAT: alt`.
    pub struct Play {
        /// Who acts.
        who: Expr as Role::Tight,
        /// What it does; its arguments may be partial.
        alternative: Alternative,
    }

    /// `expect … under q = r`.
    pub struct Expect walk [tail kind under] {
        /// What must hold.
        kind: ExpectKind,
        /// Settings that it holds under; empty means those of the run.
        under: Vec<Under>,
        /// Citations and the like.
        tail: Tail as Role::Of(*span),
        /// The whole line.
        span: Span,
    }

    /// What an [`Expect`] asks for.
    pub enum ExpectKind {
        /// `legal SEAT: alt`: some instance is legal.
        Legal(play: Play),
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
            who: Expr as Role::Tight,
            /// All that is offered.
            exactly: Vec<Alternative>,
        },
        /// `ended`, `ended by ENDING`.
        Ended {
            /// How.
            by: Option<Name> as Role::Uses(Use::Call),
        },
        /// `SEAT sees PLACE as "…"`: what the seat is shown of a place or a value.
        Sees {
            /// Who looks.
            who: Expr as Role::Tight,
            /// At what.
            what: Expr as Role::Tight,
            /// What it is shown.
            text: Text,
        },
        /// `told SEAT "…"`: what the seat is told of the last choice.
        Told {
            /// Who.
            who: Expr as Role::Tight,
            /// All that it is told.
            text: Text,
        },
        /// An expression that is true in the position reached.
        Holds(condition: Expr as Role::Kept),
    }

    /// `q = r` behind `under`.
    pub struct Under {
        /// A question or an option.
        setting: Path as Role::Uses(Use::Named),
        /// The reading or the value.
        value: Expr as Role::Kept,
    }
}

impl Ruling {
    /// What must hold, in the order in which it is written.
    pub fn expects(&self) -> Vec<&Expect> {
        fn gather<'a>(scenes: &'a [Scene], found: &mut Vec<&'a Expect>) {
            for scene in scenes {
                match scene {
                    Scene::When(_) => {}
                    Scene::Expect(line) => found.push(line),
                    Scene::Repeat { scenes, .. } => gather(scenes, found),
                }
            }
        }
        let mut found = Vec::new();
        gather(&self.scenes, &mut found);
        found
    }
}
