//! Texts with holes.

use crate::model::{Template, TemplatePart};
use crate::syntax::ast;

use super::{Checked, Checker, Reported};

impl Checker<'_> {
    pub(super) fn template(&mut self, template: &ast::Template) -> Checked<Template> {
        let mut parts = Vec::new();
        let mut failed = false;
        for part in &template.parts {
            match part {
                ast::TemplatePart::Text(text) => parts.push(TemplatePart::Text(text.clone())),
                ast::TemplatePart::Hole(hole) => match self.value(hole, None) {
                    Ok(value) => parts.push(TemplatePart::Hole(value)),
                    Err(Reported) => failed = true,
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
