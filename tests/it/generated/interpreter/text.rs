//! Values and moves as they are printed.

use adit::model::{Base, DomainId, DomainKind, ExprKind, ShowPart, Template, TemplatePart, Type};

use super::expressions::fields_of;
use super::{Found, Interpreter, Value};

impl Interpreter<'_> {
    pub(super) fn template(&mut self, template: &Template) -> Found<String> {
        let mut text = String::new();
        let mut gap = false;
        for part in &template.parts {
            match part {
                TemplatePart::Text(words) if std::mem::take(&mut gap) => {
                    text.push_str(words.trim_start());
                }
                TemplatePart::Text(words) => text.push_str(words),
                TemplatePart::Hole(hole) => {
                    let value = self.value(hole)?;
                    if value == Value::None && matches!(hole.kind, ExprKind::Local(_)) {
                        gap = true;
                        continue;
                    }
                    text.push_str(&self.print(&value, hole.ty));
                }
            }
        }
        if gap {
            text.truncate(text.trim_end().len());
        }
        Ok(text)
    }

    pub(super) fn print(&self, value: &Value, ty: Type) -> String {
        match (value, ty.base) {
            (Value::None, _) => "none".to_owned(),
            (Value::Number(number), Base::Bool) => (*number != 0).to_string(),
            (Value::Number(number), Base::Elem(id)) => self.print_element(id, *number),
            (Value::Number(number), _) => number.to_string(),
            (Value::Set(members), Base::Set(id)) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|it| self.print_element(id, *it))
                    .collect();
                let commas = members.iter().any(|it| it.contains(','));
                format!("{{{}}}", members.join(if commas { "; " } else { ", " }))
            }
            (Value::Set(_), _) => panic!("a set that is none"),
        }
    }

    fn print_element(&self, id: DomainId, element: i128) -> String {
        let domain = &self.game.domains[id.index()];
        let fields = fields_of(&domain.kind);
        let field = |at: usize| self.print(&self.field_of(&fields[at], element), fields[at].ty);
        if let Some(parts) = &domain.show {
            let parts = parts.iter().map(|part| match part {
                ShowPart::Text(text) => text.clone(),
                ShowPart::Field(at) => field(*at),
                ShowPart::Name | ShowPart::OfPlace(_) => panic!("none of these is generated"),
            });
            return parts.collect();
        }
        match &domain.kind {
            DomainKind::Range => element.to_string(),
            DomainKind::Enum { values, .. } => {
                let value = &values[usize::try_from(element).unwrap()];
                value.symbol.as_ref().unwrap_or(&value.name).clone()
            }
            DomainKind::Record { .. } | DomainKind::Space { .. } => {
                let fields: Vec<String> = (0..fields.len()).map(field).collect();
                format!("{}({})", domain.name, fields.join(", "))
            }
        }
    }
}
