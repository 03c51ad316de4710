//! Pictures.

use unicode_width::UnicodeWidthStr;

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Base, Brush, ClauseId, Colour, DomainKind, Expr, Layer, Picture, Shape, Type};
use crate::syntax::ast;

use super::scope::{Body, Me};
use super::{Checked, Checker, Entity, Reported};

impl<'a> Checker<'a> {
    /// `picture Part(t, s) { … }`.
    pub(super) fn picture(&mut self, it: &'a ast::Picture, clause: ClauseId) -> Checked<()> {
        let space = match self.named(it.space.as_str()) {
            Some(Ok(Entity::Domain(id))) => id,
            Some(Err(reported)) => return Err(reported),
            Some(Ok(_)) => return Err(self.no_picture(&it.space)),
            None => return Err(self.unknown(&it.space, None)),
        };
        let Some(DomainKind::Space {
            axes,
            shape:
                Shape::Parts {
                    zone,
                    meeting: Some(_),
                },
        }) = self.domain(space).map(|it| &it.kind)
        else {
            return Err(self.no_picture(&it.space));
        };
        let slot = axes.get(1).map_or(Type::UNIT, |it| it.ty);
        let component = self.game.zones.get(zone.index()).map(|it| it.component);
        let component = Type::of(Base::Elem(component.ok_or(Reported)?));
        let [t, s] = it.formals.as_slice() else {
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                it.space.span,
                "a picture names two things: what lies there and the slot",
                format!("write `picture {}(t, s) {{ … }}`", it.space),
            ));
        };
        let body = Body {
            me: Me::Nobody("a picture is the same for everybody"),
            clause,
            ..Body::default()
        };
        let picture = self.in_body(body, |this| {
            let (component, slot) = (this.bind(t, component), this.bind(s, slot));
            if t.text == s.text {
                let message = format!("two things are called `{t}`");
                return Err(this.error(codes::DUPLICATE_NAME, s.span, message));
            }
            let mut layers = Vec::new();
            let mut failed = false;
            for layer in &it.layers {
                match this.layer(layer) {
                    Ok(layer) => layers.push(layer),
                    Err(Reported) => failed = true,
                }
            }
            if failed {
                return Err(Reported);
            }
            Ok(Picture {
                space,
                component,
                slot,
                layers,
                clause,
            })
        })?;
        self.game.pictures.push(picture);
        Ok(())
    }

    fn no_picture(&mut self, name: &ast::Name) -> Reported {
        self.complain(
            codes::WRONG_KIND,
            name.span,
            format!("`{name}` cannot be drawn"),
            "a picture is of parts that meet: `space Part: parts(land, Slot) meeting at ports`",
        )
    }

    fn layer(&mut self, it: &'a ast::Layer) -> Checked<Layer> {
        let brush = match it.brush {
            ast::Brush::Ground => Brush::Ground,
            ast::Brush::Line => Brush::Line,
            ast::Brush::Area => Brush::Area,
            ast::Brush::Stop => Brush::Stop,
            ast::Brush::Mark => Brush::Mark,
        };
        let Some(colour) = Colour::named(it.colour.as_str()) else {
            let list: Vec<String> = Colour::ALL
                .iter()
                .map(|(word, _)| (*word).to_owned())
                .collect();
            let message = format!("no colour is called `{}`", it.colour);
            return Err(self.not_among(codes::UNKNOWN_NAME, &it.colour, message, &list));
        };
        let (sign, plain) = self.signs(it, brush)?;
        let cond = match &it.condition {
            Some(cond) => Some(self.condition(cond)?),
            None => None,
        };
        Ok(Layer {
            brush,
            sign,
            plain,
            colour,
            title: it.title.text.clone(),
            cond,
            span: it.span,
        })
    }

    /// The sign of a layer and the one for plain terminals.
    fn signs(&mut self, it: &ast::Layer, brush: Brush) -> Checked<(String, String)> {
        let Some(sign) = &it.sign else {
            if brush == Brush::Line {
                return Ok((String::new(), String::new()));
            }
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                it.span,
                format!("nothing stands for {} in a terminal", it.title.text),
                format!("write a sign: `{} \"#\" {} …`", it.brush.word(), it.colour),
            ));
        };
        if brush == Brush::Line {
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                sign.span,
                "a line is drawn as a line, without a sign",
                "leave the sign out",
            ));
        }
        let plain = it.plain.as_ref().unwrap_or(sign);
        for (text, ascii) in [(sign, false), (plain, true)] {
            let one = text.text.width() == 1 && text.text.chars().count() == 1;
            if !one || ascii && !text.text.is_ascii() {
                let message = match ascii {
                    true if one => format!("`{}` cannot be shown in plain form", text.text),
                    _ => format!("`{}` is not one column wide", text.text),
                };
                return Err(self.complain(
                    codes::WRONG_ARGUMENTS,
                    text.span,
                    message,
                    "write one sign, and a second one of ASCII for plain terminals",
                ));
            }
        }
        Ok((sign.text.clone(), plain.text.clone()))
    }

    /// What a tile looks like never changes.
    pub(super) fn check_pictures(&mut self) {
        let conds = self.game.pictures.iter().flat_map(|it| &it.layers);
        let conds: Vec<Expr> = conds.filter_map(|it| it.cond.clone()).collect();
        for cond in conds {
            if let Some(read) = self.state_read_in(&cond) {
                let message =
                    format!("what a part looks like never changes, but this reads {read}");
                self.report(
                    Diagnostic::at(codes::NOT_CONSTANT, cond.span, message)
                        .help("ask only about the component and the slot; use tables"),
                );
            }
        }
    }
}
