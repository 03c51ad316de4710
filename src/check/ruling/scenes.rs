//! The lines of a ruling: what is chosen, and what must hold then.

use crate::check::{Checked, Checker};
use crate::diagnostic::codes;
use crate::limits::MOST_SCENES;
use crate::model::{ClauseId, Expect, Played};
use crate::syntax::ast;

/// What a ruling plays and expects, what is repeated written out.
pub(super) struct Told {
    pub(super) when: Vec<Checked<Played>>,
    pub(super) expects: Vec<Checked<Expect>>,
    /// How many rounds may still be written out.
    left: usize,
    /// Whether they were not enough, which has been said.
    is_full: bool,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            when: Vec::new(),
            expects: Vec::new(),
            left: MOST_SCENES,
            is_full: false,
        }
    }
}

impl<'a> Checker<'a> {
    /// Checks the lines of a ruling; what is repeated is played so often.
    pub(super) fn scenes(
        &mut self,
        ruling: (&'a ast::Ruling, ClauseId),
        scenes: &'a [ast::Scene],
        told: &mut Told,
    ) {
        for scene in scenes {
            match scene {
                ast::Scene::When(line) => told.when.push(self.played(&line.play, line.span)),
                ast::Scene::Expect(line) => {
                    let after = told.when.len();
                    let expect = self.expect_or_leave(ruling, line, after > 0);
                    let expect = expect.map(|it| it.map(|it| Expect { after, ..it }));
                    told.expects.extend(expect);
                }
                ast::Scene::Repeat {
                    times,
                    scenes,
                    span,
                } => {
                    for _ in 0..times.value {
                        if told.is_full {
                            return;
                        }
                        let Some(left) = told.left.checked_sub(1) else {
                            told.is_full = true;
                            let message = "so much is played in no ruling";
                            let help = "let the position begin later: `given { from seed 1 at … }`";
                            told.when.push(Err(self.complain(
                                codes::OUT_OF_RANGE,
                                *span,
                                message,
                                help,
                            )));
                            return;
                        };
                        told.left = left;
                        self.scenes(ruling, scenes, told);
                    }
                }
            }
        }
    }
}
