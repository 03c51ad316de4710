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
        /// `for each x in S { … }`: the same for each member.
        Each = "each" walk [{ binder scenes }] {
            /// The name of the member, the set, the condition.
            binder: Binder as Role::Binds(Binds::Each),
            /// What.
            scenes: Vec<Scene>,
            /// The whole line.
            span: Span,
        },
        /// `under q = r { … }`: what goes otherwise from here on under other readings.
        Under = "under" walk [under given scenes] {
            /// The readings.
            under: Vec<Under>,
            /// What is done to the position besides.
            given: Option<Block>,
            /// What.
            scenes: Vec<Scene>,
            /// The whole scene.
            span: Span,
        },
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

    /// `position NAME "…" { given OTHER  statements }`: a start with a name.
    pub struct Position walk [given] {
        /// Its name.
        name: Name,
        /// What it is, in words.
        title: Text,
        /// How it comes about.
        given: Given,
    }

    /// `given NAME { from seed N at PATH players N  statements }`.
    pub struct Given {
        /// The position that it begins with.
        base: Option<Name> as Role::Uses(Use::Named),
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

    /// `when SEAT: alt then alt`.
    pub struct When {
        /// Who and what.
        play: Play,
        /// What the same seat chooses then, one after the other.
        then: Vec<Alternative> as Role::IfAny,
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
        /// `offers SEAT: exactly { alt, alt }`, `offers SEAT: alt`.
        Offers {
            /// Who chooses.
            who: Expr as Role::Tight,
            /// All that is offered.
            exactly: Vec<Alternative>,
            /// Whether that is all of one action, and others may be offered besides.
            of_one: bool,
        },
        /// `ended`, `ended by ENDING`.
        Ended {
            /// How.
            by: Option<Name> as Role::Uses(Use::Call),
        },
        /// `winner SEATS`: the game is over, and these have won.
        Won(seats: Expr as Role::Kept),
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

/// A line of a ruling that says what must hold.
#[derive(Clone, Debug)]
pub struct Said<'a> {
    /// The line.
    pub line: &'a Expect,
    /// All settings that it holds under, those of the scenes around it too.
    pub under: Vec<&'a Under>,
}

impl Ruling {
    /// What must hold, in the order in which it is written.
    pub fn expects(&self) -> Vec<Said<'_>> {
        fn gather<'a>(scenes: &'a [Scene], outer: &[&'a Under], found: &mut Vec<Said<'a>>) {
            let with = |under: &'a [Under]| outer.iter().copied().chain(under).collect::<Vec<_>>();
            for scene in scenes {
                match scene {
                    Scene::When(_) => {}
                    Scene::Expect(line) => found.push(Said {
                        line,
                        under: with(&line.under),
                    }),
                    Scene::Repeat { scenes, .. } | Scene::Each { scenes, .. } => {
                        gather(scenes, outer, found);
                    }
                    Scene::Under { under, scenes, .. } => gather(scenes, &with(under), found),
                }
            }
        }
        let mut found = Vec::new();
        gather(&self.scenes, &[], &mut found);
        found
    }

    /// What is done to the position under other readings, scene by scene.
    pub fn additions(&self) -> Vec<&Block> {
        fn gather<'a>(scenes: &'a [Scene], found: &mut Vec<&'a Block>) {
            for scene in scenes {
                match scene {
                    Scene::When(_) | Scene::Expect(_) => {}
                    Scene::Repeat { scenes, .. } | Scene::Each { scenes, .. } => {
                        gather(scenes, found);
                    }
                    Scene::Under { given, scenes, .. } => {
                        found.extend(given);
                        gather(scenes, found);
                    }
                }
            }
        }
        let mut found = Vec::new();
        gather(&self.scenes, &mut found);
        found
    }
}
