//! Items that say what there is.

use super::{Lower, Lowered, Pair, Parts};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{
    Aside, Audience, Axis, Brush, Cell, ComponentDecl, EnumDecl, EnumValue, Expr, ExprKind,
    FieldDecl, Intent, Key, Layer, MarkedOn, Meeting, Name, Param, ParamDomain, Picture, Reading,
    RecordDecl, Row, SentenceList, Setting, SettingValues, ShowDecl, SideOf, SpaceDecl, Supply,
    TableDecl, Text, TrackDecl, Type, TypeKind, Visibility, Worded, ZoneDecl, ZoneKind,
};
use crate::syntax::parse::Rule;

impl Lower<'_> {
    pub(super) fn enumeration(&mut self, parts: &mut Parts<'_>) -> Lowered<EnumDecl> {
        Ok(EnumDecl {
            name: self.name_in(parts)?,
            cyclic: parts.flag(Rule::cyclic),
            values: self.enum_values(parts)?,
        })
    }

    pub(super) fn enum_values(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<EnumValue>> {
        let mut values = Vec::new();
        for pair in parts.all(Rule::enum_value) {
            let mut parts = self.open(pair);
            values.push(EnumValue {
                name: self.name_in(&mut parts)?,
                symbol: self.opt_text_in(&mut parts)?,
                plain: self.opt_text_in(&mut parts)?,
                span: parts.span,
            });
        }
        Ok(values)
    }

    pub(super) fn record(&mut self, parts: &mut Parts<'_>) -> Lowered<RecordDecl> {
        Ok(RecordDecl {
            name: self.name_in(parts)?,
            fields: self.fields(parts)?,
        })
    }

    pub(super) fn component(&mut self, parts: &mut Parts<'_>) -> Lowered<ComponentDecl> {
        Ok(ComponentDecl {
            name: self.name_in(parts)?,
            fields: self.fields(parts)?,
        })
    }

    pub(super) fn fields(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<FieldDecl>> {
        let mut fields = self.open_in(parts, Rule::fields)?;
        self.field_decls(&mut fields)
    }

    fn field_decls(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<FieldDecl>> {
        let mut fields = Vec::new();
        for pair in parts.all(Rule::field_decl) {
            let mut parts = self.open(pair);
            fields.push(FieldDecl {
                name: self.name_in(&mut parts)?,
                ty: self.ty_in(&mut parts)?,
                symbol: self.opt_text_in(&mut parts)?,
                plain: self.opt_text_in(&mut parts)?,
                default: self.opt_wrapped(&mut parts, Rule::value)?,
                span: parts.span,
            });
        }
        Ok(fields)
    }

    pub(super) fn supply(&mut self, parts: &mut Parts<'_>) -> Lowered<Supply> {
        Ok(Supply {
            count: self.opt_sum_in(parts)?,
            component: self.name_in(parts)?,
            place: self.postfix_in(parts)?,
            condition: self.opt_wrapped(parts, Rule::where_)?,
        })
    }

    pub(super) fn space(&mut self, parts: &mut Parts<'_>) -> Lowered<SpaceDecl> {
        let name = self.name_in(parts)?;
        if let Some(pair) = parts.opt(Rule::drawn) {
            return self.drawn(name, pair);
        }
        let shape = self.name_in(parts)?;
        let mut axes = Vec::new();
        for pair in parts.all(Rule::axis) {
            let mut parts = self.open(pair);
            axes.push(match self.opt_sum_in(&mut parts)? {
                Some(value) => Axis::Value(value),
                None => Axis::Named {
                    name: self.name_in(&mut parts)?,
                    ty: self.ty_in(&mut parts)?,
                },
            });
        }
        Ok(SpaceDecl {
            name,
            shape,
            axes,
            meeting: self.meeting(parts)?,
            condition: self.opt_wrapped(parts, Rule::where_)?,
        })
    }

    /// `drawn """ … """`.
    fn drawn(&mut self, name: Name, pair: Pair<'_>) -> Lowered<SpaceDecl> {
        let mut parts = self.open(pair);
        let word = parts.span;
        let drawing = self.need(&mut parts, Rule::drawing)?;
        let span = self.span(&drawing);
        let text = drawing.as_str().trim_matches('"').to_owned();
        let shape = Name {
            text: "drawn".to_owned(),
            span: Span {
                end: word.start + 5,
                ..word
            },
        };
        Ok(SpaceDecl {
            name,
            shape,
            axes: vec![Axis::Drawn(Text { text, span })],
            meeting: None,
            condition: None,
        })
    }

    fn meeting(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Meeting>> {
        let Some(pair) = parts.opt(Rule::meeting) else {
            return Ok(None);
        };
        let mut parts = self.open(pair);
        let ports = self.name_in(&mut parts)?;
        let turn = match parts.opt(Rule::turned) {
            Some(pair) => {
                let mut turned = self.open(pair);
                Some(self.name_in(&mut turned)?)
            }
            None => None,
        };
        Ok(Some(Meeting { ports, turn }))
    }

    pub(super) fn setting(&mut self, parts: &mut Parts<'_>) -> Lowered<Setting> {
        let intent = match self.need(parts, Rule::intent)?.as_str() {
            "option" => Intent::Option,
            _ => Intent::Question,
        };
        let name = self.name_in(parts)?;
        let typed = parts.opt(Rule::typed);
        let text = self.text_in(parts)?;
        let under = self.asked(parts)?;
        let formerly = self.formerly(parts);
        let readings = parts.opt(Rule::readings);
        let edits = self.edits(parts)?;
        let values = match (typed, readings) {
            (Some(typed), None) => {
                let mut typed = self.open(typed);
                SettingValues::Typed {
                    ty: self.ty_in(&mut typed)?,
                    default: self.wrapped(&mut typed, Rule::value)?,
                }
            }
            (None, Some(readings)) => SettingValues::Readings(self.readings(readings)?),
            (typed, _) => {
                let what = if typed.is_some() {
                    "both a type and readings"
                } else {
                    "neither a type nor readings"
                };
                let message = format!("`{name}` has {what}");
                return self.lose(
                    Diagnostic::at(codes::SETTING_WITHOUT_VALUES, name.span, message)
                        .help("write either `: 1..10 = 3` behind its name or `{ name \"text\" default … }` at its end"),
                );
            }
        };
        Ok(Setting {
            intent,
            name,
            text,
            under,
            formerly,
            values,
            edits,
        })
    }

    pub(super) fn readings(&mut self, pair: Pair<'_>) -> Lowered<Vec<Reading>> {
        let mut readings = Vec::new();
        for pair in self.open(pair).all(Rule::reading) {
            let mut parts = self.open(pair);
            let docs = self.docs(&mut parts);
            let name = self.need(&mut parts, Rule::reading_name)?;
            readings.push(Reading {
                docs,
                name: self.name(&name),
                text: self.text_in(&mut parts)?,
                default: parts.flag(Rule::is_default),
                formerly: self.formerly(&mut parts),
                tail: self.tail(std::mem::take(&mut parts.tail))?,
                edits: self.edits(&mut parts)?,
                span: parts.span,
            });
        }
        Ok(readings)
    }

    pub(super) fn zone(&mut self, parts: &mut Parts<'_>) -> Lowered<ZoneDecl> {
        let name = self.name_in(parts)?;
        let index = self.index_decl(parts)?;
        let kind = match self.open_in(parts, Rule::zone_kind)?.peek() {
            Some(Rule::one) => ZoneKind::One,
            Some(Rule::bag) => ZoneKind::Bag,
            _ => ZoneKind::Pile,
        };
        let component = self.name_in(parts)?;
        let capacity = match parts.opt(Rule::capacity) {
            Some(pair) => {
                let mut capacity = self.open(pair);
                self.opt_sum_in(&mut capacity)?
            }
            None => None,
        };
        let fields = match parts.opt(Rule::place_fields) {
            Some(pair) => {
                let mut fields = self.open(pair);
                self.field_decls(&mut fields)?
            }
            None => Vec::new(),
        };
        Ok(ZoneDecl {
            name,
            index,
            kind,
            component,
            capacity,
            fields,
            visibility: self.visibility(parts)?,
        })
    }

    fn index_decl(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Type>> {
        let Some(pair) = parts.opt(Rule::index_decl) else {
            return Ok(Vec::new());
        };
        let types = self.open(pair).all(Rule::ty);
        types.into_iter().map(|pair| self.ty(pair)).collect()
    }

    fn visibility(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Visibility>> {
        let Some(pair) = parts.opt(Rule::visibility) else {
            return Ok(None);
        };
        let mut parts = self.open(pair);
        let audience = match parts.peek() {
            Some(Rule::seen) => {
                let mut seen = self.open_in(&mut parts, Rule::seen)?;
                Audience::Seat(self.postfix_in(&mut seen)?)
            }
            Some(Rule::open) => Audience::All,
            _ => Audience::Nobody,
        };
        Ok(Some(Visibility {
            audience,
            span: parts.span,
        }))
    }

    pub(super) fn track(&mut self, parts: &mut Parts<'_>) -> Lowered<TrackDecl> {
        Ok(TrackDecl {
            name: self.name_in(parts)?,
            index: self.index_decl(parts)?,
            ty: self.ty_in(parts)?,
            start: self.opt_wrapped(parts, Rule::value)?,
            visibility: self.visibility(parts)?,
        })
    }

    pub(super) fn table(&mut self, parts: &mut Parts<'_>) -> Lowered<TableDecl> {
        Ok(TableDecl {
            name: self.name_in(parts)?,
            index: self.index_decl(parts)?,
            ty: self.ty_in(parts)?,
            otherwise: self.opt_wrapped(parts, Rule::missing)?,
            rows: self.rows(parts)?,
        })
    }

    pub(super) fn rows(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Row>> {
        let mut rows = Vec::new();
        for pair in parts.all(Rule::row) {
            let mut parts = self.open(pair);
            let mut keys = Vec::new();
            for pair in self.open_in(&mut parts, Rule::keys)?.queue {
                keys.push(match pair.as_rule() {
                    Rule::number => Key::Number(self.number(&pair)),
                    _ => Key::Name(self.name(&pair)),
                });
            }
            let mut cells = Vec::new();
            for pair in parts.all(Rule::cell) {
                let mut parts = self.open(pair);
                let field = parts.opt(Rule::ident);
                cells.push(Cell {
                    field: field.map(|pair| self.name(&pair)),
                    value: self.expr_in(&mut parts)?,
                });
            }
            rows.push(Row {
                keys,
                cells,
                tail: self.tail(std::mem::take(&mut parts.tail))?,
                span: parts.span,
            });
        }
        Ok(rows)
    }

    pub(super) fn shows(&mut self, parts: &mut Parts<'_>) -> Lowered<ShowDecl> {
        Ok(ShowDecl {
            name: self.name_in(parts)?,
            on: self
                .named_behind(parts, Rule::marked_on)?
                .map(|name| MarkedOn { name }),
            template: self.template_in(parts)?,
            chequered: parts.flag(Rule::chequered),
            side: self
                .named_behind(parts, Rule::side_of)?
                .map(|name| SideOf { name }),
        })
    }

    pub(super) fn picture(&mut self, parts: &mut Parts<'_>) -> Lowered<Picture> {
        let space = self.name_in(parts)?;
        let formals = self.formals(parts)?;
        let mut layers = Vec::new();
        for pair in parts.all(Rule::layer) {
            let mut parts = self.open(pair);
            let brush = match self.need(&mut parts, Rule::brush)?.as_str() {
                "ground" => Brush::Ground,
                "line" => Brush::Line,
                "area" => Brush::Area,
                "stop" => Brush::Stop,
                _ => Brush::Mark,
            };
            let (sign, plain) = match parts.opt(Rule::signs) {
                Some(pair) => {
                    let mut signs = self.open(pair);
                    (self.opt_text_in(&mut signs)?, self.opt_text_in(&mut signs)?)
                }
                None => (None, None),
            };
            layers.push(Layer {
                brush,
                sign,
                plain,
                colour: self.name_in(&mut parts)?,
                title: self.text_in(&mut parts)?,
                condition: self.opt_wrapped(&mut parts, Rule::where_)?,
                span: parts.span,
            });
        }
        Ok(Picture {
            space,
            formals,
            layers,
        })
    }

    pub(super) fn aside(&mut self, parts: &mut Parts<'_>) -> Lowered<Aside> {
        let cites = self.cites(parts)?;
        let mut reason = self.open_in(parts, Rule::reason)?;
        Ok(Aside {
            cites,
            reason: self.text_in(&mut reason)?,
        })
    }

    pub(super) fn told(&mut self, parts: &mut Parts<'_>) -> Lowered<SentenceList> {
        let source = self.name_in(parts)?;
        let heading = self.text_in(parts)?;
        let mut sentences = Vec::new();
        for pair in parts.all(Rule::wording) {
            let mut parts = self.open(pair);
            let id = self.need(&mut parts, Rule::sentence)?;
            sentences.push(Worded {
                id: self.sentence(&id),
                text: self.text_in(&mut parts)?,
                span: parts.span,
            });
        }
        Ok(SentenceList {
            source,
            heading,
            sentences,
        })
    }

    // ---------- types and parameters

    pub(super) fn ty_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Type> {
        let pair = self.need(parts, Rule::ty)?;
        self.ty(pair)
    }

    pub(super) fn ty(&mut self, pair: Pair<'_>) -> Lowered<Type> {
        let span = self.span(&pair);
        self.deeper(1, span, |lower| {
            let mut parts = lower.open(pair);
            let atom = lower.some(parts.any(), span)?;
            let ty = lower.type_atom(atom)?;
            if !parts.flag(Rule::or_none) {
                return Ok(ty);
            }
            let kind = TypeKind::OrNone(Box::new(ty));
            Ok(Type { kind, span })
        })
    }

    fn type_atom(&mut self, pair: Pair<'_>) -> Lowered<Type> {
        let rule = pair.as_rule();
        let mut parts = self.open(pair);
        let span = parts.span;
        let kind = match rule {
            Rule::set_of => {
                let of = self.some(parts.any(), span)?;
                let of = self.deeper(1, span, |lower| lower.type_atom(of))?;
                TypeKind::SetOf(Box::new(of))
            }
            Rule::tuple_type => {
                let members = parts.all(Rule::ty);
                let mut members = members
                    .into_iter()
                    .map(|pair| self.ty(pair))
                    .collect::<Lowered<Vec<_>>>()?;
                match members.pop() {
                    // Parentheses around a single type mean nothing.
                    Some(single) if members.is_empty() => return Ok(single),
                    last => TypeKind::Tuple(members.into_iter().chain(last).collect()),
                }
            }
            _ => {
                let from = self.opt_sum_in(&mut parts)?;
                let from = self.some(from, span)?;
                match self.opt_sum_in(&mut parts)? {
                    Some(to) => TypeKind::Range(Box::new(from), Box::new(to)),
                    None => TypeKind::Named(self.type_name(from)?),
                }
            }
        };
        Ok(Type { kind, span })
    }

    fn type_name(&mut self, expr: Expr) -> Lowered<crate::syntax::ast::Name> {
        match expr.kind {
            ExprKind::Name(name) => Ok(name),
            _ => self.lose(
                Diagnostic::at(codes::NOT_A_TYPE, expr.span, "this is not a type")
                    .help("write a name like `Card`, a range like `1..7`, or `set of Card`"),
            ),
        }
    }

    pub(super) fn params(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Param>> {
        let Some(pair) = parts.opt(Rule::params) else {
            return Ok(Vec::new());
        };
        let mut params = Vec::new();
        for pair in self.open(pair).all(Rule::param) {
            let mut parts = self.open(pair);
            let names = self.names_in(&mut parts)?;
            self.older_names(&names);
            let domain = match parts.opt(Rule::ty) {
                Some(pair) => ParamDomain::Type(self.ty(pair)?),
                None => {
                    let first = self.expr_in(&mut parts)?;
                    match parts.opt(Rule::expr) {
                        Some(pair) => ParamDomain::Several {
                            count: first,
                            set: self.flat(pair)?,
                        },
                        None => ParamDomain::Set(first),
                    }
                }
            };
            params.push(Param {
                names,
                domain,
                span: parts.span,
            });
        }
        Ok(params)
    }
}
