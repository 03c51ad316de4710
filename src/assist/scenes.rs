//! The names in rulings, and those that say under which readings something holds.

use super::names::Doing;
use super::walk::Walk;
use crate::syntax::ast::{Condition, Expect, ExpectKind, Given, Scene};

impl<'a> Walk<'a> {
    /// Where the position begins that is looked at.
    pub(super) fn given(&mut self, given: Option<&'a Given>) {
        let from = given.and_then(|it| it.from.as_ref());
        if let Some(step) = from.and_then(|it| it.at.as_ref()) {
            self.path(step, Doing::Reads);
        }
    }

    pub(super) fn conditions(&mut self, conditions: &'a [Condition]) {
        for it in conditions {
            for reading in &it.readings {
                self.below(it.question.as_str(), reading, Doing::Reads);
            }
        }
    }

    pub(super) fn scenes(&mut self, scenes: &'a [Scene]) {
        for scene in scenes {
            match scene {
                Scene::When(it) => {
                    self.alternative(&it.play.alternative);
                    it.then.iter().for_each(|it| self.alternative(it));
                }
                Scene::Expect(it) => self.expected(it),
                Scene::Each { scenes, .. } | Scene::Repeat { scenes, .. } => self.scenes(scenes),
                Scene::Under { under, scenes, .. } => {
                    under
                        .iter()
                        .for_each(|it| self.value_of(&it.setting, &it.value));
                    self.scenes(scenes);
                }
            }
        }
    }

    fn expected(&mut self, line: &'a Expect) {
        for it in &line.under {
            self.value_of(&it.setting, &it.value);
        }
        match &line.kind {
            ExpectKind::Legal(play) => self.alternative(&play.alternative),
            ExpectKind::Offers { exactly, .. } => {
                exactly.iter().for_each(|it| self.alternative(it));
            }
            ExpectKind::Illegal { play, by } => {
                self.alternative(&play.alternative);
                let Some(by) = by else { return };
                let action = play.alternative.name.as_str();
                match self.declared.find(&format!("{action}.{by}")) {
                    Some(target) => self.push(by.span, target, Doing::Reads),
                    None => self.path(by, Doing::Reads),
                }
            }
            _ => {}
        }
    }
}
