//! Texts with holes.

use crate::model::{Expr, Template, TemplatePart};
use crate::syntax::ast;

use super::{Checked, Checker, Reported};

impl Checker<'_> {
    pub(super) fn template(&mut self, template: &ast::Template) -> Checked<Template> {
        let mut parts = Vec::new();
        let mut failed = false;
        for part in &template.parts {
            match part {
                ast::TemplatePart::Text(text) => parts.push(TemplatePart::Text(text.clone())),
                ast::TemplatePart::Hole(hole) => match self.members_named(hole) {
                    Some(members) => parts.extend(one_by_one(members)),
                    None => match self.value(hole, None) {
                        Ok(value) => parts.push(TemplatePart::Hole(value)),
                        Err(Reported) => failed = true,
                    },
                },
            }
        }
        if failed {
            Err(Reported)
        } else {
            Ok(Template { parts })
        }
    }
}

/// Members that go by one name, with blanks between.
pub(super) fn one_by_one(members: Vec<Expr>) -> Vec<TemplatePart> {
    let mut parts = Vec::new();
    for member in members {
        if !parts.is_empty() {
            parts.push(TemplatePart::Text(" ".to_owned()));
        }
        parts.push(TemplatePart::Hole(member));
    }
    parts
}
