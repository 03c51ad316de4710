//! The lines of a ruling: what is chosen, and what must hold then.
//!
//! What stands in the braces of `under q = r` is a line of its own: all that was chosen before is chosen again under that
//! reading, and then it goes on as is written there.

use crate::check::constant::Const;
use crate::check::scope::Binding;
use crate::check::{Checked, Checker, Reported};
use crate::diagnostic::codes;
use crate::limits::MOST_SCENES;
use crate::model::{ClauseId, Expect, Expr, ExprKind, Played, ProcId};
use crate::source::Span;
use crate::syntax::ast;

/// What is played and expected, what is repeated written out.
#[derive(Default)]
pub(super) struct Line {
    pub(super) when: Vec<Checked<Played>>,
    pub(super) expects: Vec<Checked<Expect>>,
    /// What sets up its position, if that is another one than that of the ruling.
    pub(super) given: Option<ProcId>,
    /// Behind so many choices it goes on as another line says.
    pub(super) loose: Option<usize>,
}

/// A ruling whose scenes are gone through.
pub(super) struct Scenes<'a> {
    ruling: &'a ast::Ruling,
    clause: ClauseId,
    /// The lines that are finished.
    done: Vec<Line>,
    now: Line,
    /// The settings of the scenes around.
    under: Vec<&'a ast::Under>,
    /// How many rounds may still be written out.
    left: usize,
    /// Whether they were not enough, which has been said.
    is_full: bool,
}

impl<'a> Scenes<'a> {
    pub(super) fn new(ruling: &'a ast::Ruling, clause: ClauseId) -> Self {
        Self {
            ruling,
            clause,
            done: Vec::new(),
            now: Line::default(),
            under: Vec::new(),
            left: MOST_SCENES,
            is_full: false,
        }
    }

    /// All lines, that of the ruling itself first.
    pub(super) fn lines(self) -> Vec<Line> {
        std::iter::once(self.now).chain(self.done).collect()
    }
}

impl<'a> Checker<'a> {
    /// Checks the lines of a ruling; what is repeated is played so often.
    pub(super) fn scenes(&mut self, of: &mut Scenes<'a>, scenes: &'a [ast::Scene]) {
        for scene in scenes {
            match scene {
                ast::Scene::When(line) => {
                    let span = match line.then.is_empty() {
                        true => line.span,
                        false => line.play.alternative.span,
                    };
                    let first = self.played(&line.play, span);
                    let who = first.as_ref().ok().map(|it| it.who.clone());
                    of.now.when.push(first);
                    for next in &line.then {
                        let alt = self.played_alt(next);
                        of.now.when.push(match (&who, alt) {
                            (Some(who), Ok(alt)) => Ok(Played {
                                who: who.clone(),
                                alt,
                                span: next.span,
                            }),
                            _ => Err(Reported),
                        });
                    }
                }
                ast::Scene::Expect(line) => {
                    let after = of.now.when.len();
                    let ruling = (of.ruling, of.clause);
                    let expect = self.expect_or_leave(ruling, &of.under, line, after > 0);
                    let expect = expect.map(|it| it.map(|it| Expect { after, ..it }));
                    of.now.expects.extend(expect);
                }
                ast::Scene::Repeat {
                    times,
                    scenes,
                    span,
                } => {
                    for _ in 0..times.value {
                        if !self.has_room(of, *span) {
                            return;
                        }
                        self.scenes(of, scenes);
                    }
                }
                ast::Scene::Each {
                    binder,
                    scenes,
                    span,
                } => match self.each_played(binder) {
                    Ok(members) => {
                        for member in members {
                            if !self.has_room(of, *span) {
                                return;
                            }
                            let before = self.body.locals.len();
                            self.bind_as(&binder.name, Binding::Alias(member));
                            match self.passes(binder) {
                                Ok(true) => self.scenes(of, scenes),
                                Ok(false) => {}
                                Err(Reported) => of.now.when.push(Err(Reported)),
                            }
                            self.body.locals.truncate(before);
                        }
                    }
                    Err(Reported) => of.now.when.push(Err(Reported)),
                },
                ast::Scene::Under {
                    under,
                    given,
                    scenes,
                    ..
                } => self.supposed(of, under, given.as_ref(), scenes),
            }
        }
    }

    /// A line that goes on under other readings; under those that are chosen here it is played.
    fn supposed(
        &mut self,
        of: &mut Scenes<'a>,
        under: &'a [ast::Under],
        given: Option<&'a ast::Block>,
        scenes: &'a [ast::Scene],
    ) {
        let outside = of.under.len();
        of.under.extend(under);
        let line = Line {
            when: of.now.when.clone(),
            given: match given {
                Some(more) => {
                    let place = (more.span.file, more.span.start);
                    self.additions.get(&place).copied()
                }
                None => of.now.given,
            },
            ..Line::default()
        };
        let outer = std::mem::replace(&mut of.now, line);
        let finished = of.done.len();
        match self.other_reading_of(&of.under) {
            Some(other) => {
                let (id, clause) = (&of.ruling.id.text, of.clause);
                let left = (of.left, of.is_full);
                let checked = self.unless_lapsed(clause, |this| {
                    this.scenes(of, scenes);
                    Ok(())
                });
                if let Ok(None) = checked {
                    (of.left, of.is_full) = left;
                    self.game.heard_under.push(other.clone());
                }
                self.note_other_reading(id, other);
                let failed = self.failed_in(&of.now);
                of.done.truncate(finished);
                of.now = outer;
                // Where it lapsed that says nothing here.
                if let (Ok(Some(())), true) = (checked, failed) {
                    of.now.when.push(Err(Reported));
                }
            }
            None => {
                self.scenes(of, scenes);
                let line = std::mem::replace(&mut of.now, outer);
                of.now.loose = of.now.loose.or(Some(of.now.when.len()));
                of.done.push(line);
            }
        }
        of.under.truncate(outside);
    }

    fn failed_in(&self, line: &Line) -> bool {
        line.when.iter().any(Result::is_err) || line.expects.iter().any(Result::is_err)
    }

    fn has_room(&mut self, of: &mut Scenes<'a>, span: Span) -> bool {
        if of.is_full {
            return false;
        }
        match of.left.checked_sub(1) {
            Some(left) => {
                of.left = left;
                true
            }
            None => {
                of.is_full = true;
                let message = "so much is played in no ruling";
                let help = "let the position begin later: `given { from seed 1 at … }`";
                let reported = self.complain(codes::OUT_OF_RANGE, span, message, help);
                of.now.when.push(Err(reported));
                false
            }
        }
    }

    /// The members that a scene is played for, known before play.
    fn each_played(&mut self, binder: &ast::Binder) -> Checked<Vec<Expr>> {
        let (over, element) = self.as_set(&binder.set)?;
        let known = match over {
            crate::model::Over::Set(set) => self.constant(&set),
            _ => None,
        };
        let Some(Const::Set(members)) = known else {
            return Err(self.complain(
                codes::NOT_CONSTANT,
                binder.set.span,
                "what is played for each must be known before play",
                "name the members: `for each s in { anna, bert }`, or write the lines one by one",
            ));
        };
        let member = |value: i64| Expr::new(ExprKind::Value(value), element, binder.name.span);
        Ok(members.into_iter().map(member).collect())
    }

    fn passes(&mut self, binder: &ast::Binder) -> Checked<bool> {
        let Some(condition) = &binder.condition else {
            return Ok(true);
        };
        let condition = self.condition(condition)?;
        let known = self.constant_or_error(&condition)?;
        Ok(known != Const::Scalar(0))
    }
}
