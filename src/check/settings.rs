//! Seats, options and questions: what is fixed before play.

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::limits::MOST_SEATS;
use crate::model::{
    Base, ClauseId, ClauseKind, Domain, DomainKind, EnumValue, Setting, SettingId, Type,
};
use crate::source::Span;
use crate::syntax::ast::{self, Intent, ItemKind, SettingValues};

use super::clause::docs;
use super::constant::Const;
use super::domains::{enum_value, plain_value};
use super::scope::{did_you_mean, there_is};
use super::types::INT;
use super::{Checked, Checker};

/// The most names of settings that do not exist of which each is told.
const MOST_UNKNOWN: usize = 30;

impl<'a> Checker<'a> {
    /// Makes the domains that the language brings: the seats and the directions.
    pub(super) fn seats(&mut self, wanted: Option<u32>) {
        let header = &self.composed.header;
        let seats: Vec<EnumValue> = match &header.seats {
            None => {
                self.complain(
                    codes::NO_SEATS,
                    header.name.span,
                    "the game has no seats",
                    "write `seats first, second` or `seats 2..4, player` in its braces",
                );
                vec![plain_value("player1")]
            }
            Some(ast::Seats::Named(seats)) => {
                for (at, seat) in seats.iter().enumerate() {
                    let name = &seat.name;
                    let mut earlier = seats[..at].iter().map(|it| &it.name);
                    if let Some(earlier) = earlier.find(|it| it.text == name.text) {
                        let message = format!("the seat `{name}` is named twice");
                        self.report(
                            Diagnostic::new(codes::DUPLICATE_NAME, message)
                                .label(name.span, "here")
                                .label(earlier.span, "and here"),
                        );
                    }
                }
                if i64::try_from(seats.len()).unwrap_or(i64::MAX) > i64::from(MOST_SEATS) {
                    self.complain(
                        codes::NO_SEATS,
                        header.span,
                        format!(
                            "a game has at most {MOST_SEATS} seats, and {} are named",
                            seats.len()
                        ),
                        "leave some out",
                    );
                }
                let count = u32::try_from(seats.len()).unwrap_or(1);
                self.seat_count((count, count), wanted, header.span);
                seats.iter().map(enum_value).collect()
            }
            Some(ast::Seats::Numbered { least, most, stem }) => {
                let span = least.span.to(stem.span);
                if least.value < 1 || most.value > MOST_SEATS || least.value > most.value {
                    self.complain(
                        codes::NO_SEATS,
                        span,
                        "the number of seats makes no sense",
                        "the least number comes first, from 1 to 64",
                    );
                }
                let positive = |n: i32| u32::try_from(n.clamp(1, MOST_SEATS)).unwrap_or(1);
                let (least, most) = (positive(least.value), positive(most.value));
                let count = self.seat_count((least, most.max(least)), wanted, span);
                let names = (1..=count).map(|n| format!("{stem}{n}"));
                names.map(|name| plain_value(&name)).collect()
            }
        };
        self.game.n_seats = u32::try_from(seats.len()).unwrap_or(1);
        self.game.seat = self.built_in("seat", seats, header.span);
        let ways = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
        let ways = ways.into_iter().map(plain_value).collect();
        self.direction = self.built_in("Direction", ways, header.span);
    }

    fn seat_count(&mut self, range: (u32, u32), wanted: Option<u32>, span: Span) -> u32 {
        self.game.seat_range = range;
        let count = wanted.unwrap_or(range.0);
        if (range.0..=range.1).contains(&count) {
            return count;
        }
        self.seats_refused(count, span);
        range.0
    }

    /// Says that the game has not so many seats.
    pub(super) fn seats_refused(&mut self, count: u32, span: Span) {
        let has = match self.game.seat_range {
            (1, 1) => "1 seat".to_owned(),
            (least, most) if least == most => format!("{least} seats"),
            (least, most) => format!("{least} to {most} seats"),
        };
        self.complain(
            codes::WRONG_SEATS,
            span,
            format!("the game has {has}, not {count}"),
            "ask for a number of seats that the header allows",
        );
    }

    pub(super) fn built_in(
        &mut self,
        name: &str,
        values: Vec<EnumValue>,
        span: Span,
    ) -> crate::model::DomainId {
        self.add_domain(Domain {
            name: name.to_owned(),
            lo: 0,
            size: values.len() as u64,
            kind: DomainKind::Enum {
                values,
                cyclic: true,
            },
            show: None,
            span,
        })
    }

    /// Reports what the user set that does not exist.
    pub(super) fn unknown_settings(&mut self) {
        let mut known = Vec::new();
        for composite in &self.composed.items {
            if let ItemKind::Setting(setting) = &composite.item.kind {
                known.push(setting.name.text.clone());
            }
        }
        let declared: HashSet<&str> = known.iter().map(String::as_str).collect();
        let unknown = self.chosen.iter().map(|(name, _)| name.as_str());
        let unknown = unknown.filter(|it| !declared.contains(it));
        for name in unknown.take(MOST_UNKNOWN) {
            let message = format!("no option or question is called `{name}`");
            let mut diagnostic = Diagnostic::new(codes::UNKNOWN_NAME, message);
            diagnostic = match closest(name, declared.iter().copied()) {
                Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                None if known.is_empty() => diagnostic.help("this rulebook has none"),
                None => diagnostic.help(there_is(&known)),
            };
            self.report(diagnostic);
        }
    }

    pub(super) fn setting(
        &mut self,
        setting: &'a ast::Setting,
        item: &'a ast::Item,
        clause: ClauseId,
    ) -> Checked<SettingId> {
        let (ty, readings, default) = match &setting.values {
            SettingValues::Typed { ty, default } => {
                let written = self.ty(ty)?;
                if let Base::Elem(id) = written.base
                    && let Some(DomainKind::Record { .. }) = self.domain(id).map(|it| &it.kind)
                {
                    let of = self.type_name(written);
                    let message = format!("an option cannot be {of}");
                    let help = "it is a number, `bool`, a seat or a value of an `enum`";
                    return Err(self.complain(codes::WRONG_TYPE, ty.span, message, help));
                }
                let value = self.typed(default, written)?;
                let Const::Scalar(value) = self.constant_or_error(&value)? else {
                    return Err(self.error(codes::WRONG_TYPE, ty.span, "an option is no set"));
                };
                if let Base::Int(lo, hi) = written.base
                    && !(lo..=hi).contains(&value)
                {
                    let message = format!("the default {value} is not within {lo}..{hi}");
                    return Err(self.error(codes::OUT_OF_RANGE, default.span, message));
                }
                (written, Vec::new(), value)
            }
            SettingValues::Readings(readings) => self.readings(setting, readings, item, clause)?,
        };
        let question = setting.intent == Intent::Question;
        let value = self.chosen_value(&setting.name, ty, default);
        let id = SettingId(u32::try_from(self.game.settings.len()).unwrap_or(u32::MAX));
        self.game.settings.push(Setting {
            name: setting.name.text.clone(),
            title: setting.text.text.clone(),
            question,
            ty,
            readings,
            value,
            default,
            under: setting.condition(),
            asked: !self.composed.unasked.contains(&setting.name.text),
            clause,
        });
        Ok(id)
    }

    fn readings(
        &mut self,
        setting: &'a ast::Setting,
        readings: &'a [ast::Reading],
        item: &'a ast::Item,
        clause: ClauseId,
    ) -> Checked<(Type, Vec<String>, i64)> {
        let mut values: Vec<EnumValue> = Vec::new();
        let mut defaults = Vec::new();
        let origin = self
            .game
            .clauses
            .get(clause.index())
            .and_then(|it| it.origin.clone());
        for reading in readings {
            if values.iter().any(|it| it.name == reading.name.text) {
                let message = format!("the reading `{}` is listed twice", reading.name);
                self.error(codes::DUPLICATE_NAME, reading.name.span, message);
                continue;
            }
            if reading.default {
                defaults.push((values.len(), reading.name.span));
            }
            values.push(plain_value(reading.name.as_str()));
            self.clause(super::clause::NewClause {
                path: format!("{}.{}", setting.name, reading.name),
                kind: ClauseKind::Reading,
                span: reading.name.span,
                tail: &reading.tail,
                parent: Some(clause),
                text: match docs(&reading.docs) {
                    it if it.is_empty() => reading.text.text.clone(),
                    it => it,
                },
                origin: origin.clone(),
            });
        }
        let default = match defaults.as_slice() {
            [(at, _)] => *at,
            [] => {
                return Err(self.complain(
                    codes::NO_DEFAULT,
                    setting.name.span,
                    format!("no reading of `{}` is the default", setting.name),
                    "write `default` behind the reading that holds if nobody chooses",
                ));
            }
            [(_, first), (_, second), ..] => {
                return Err(self.report(
                    Diagnostic::new(
                        codes::NO_DEFAULT,
                        format!("`{}` has several defaults", setting.name),
                    )
                    .label(*second, "here")
                    .label(*first, "and here")
                    .help("leave `default` at one of them"),
                ));
            }
        };
        let titles = readings.iter().map(|it| it.text.text.clone()).collect();
        let domain = self.add_domain(Domain {
            name: setting.name.text.clone(),
            lo: 0,
            size: values.len() as u64,
            kind: DomainKind::Enum {
                values,
                cyclic: false,
            },
            show: None,
            span: item.span,
        });
        let default = i64::try_from(default).unwrap_or(0);
        Ok((Type::of(Base::Elem(domain)), titles, default))
    }

    /// Returns what the user chose, or the default.
    fn chosen_value(&mut self, name: &ast::Name, ty: Type, default: i64) -> i64 {
        // The last word counts, as on a command line.
        let chosen = self.chosen.iter().rev().find(|(it, _)| *it == name.text);
        let Some((_, text)) = chosen else {
            return default;
        };
        match self.read_value(name, ty, text) {
            Ok(value) => value,
            Err(_) => default,
        }
    }

    fn read_value(&mut self, name: &ast::Name, ty: Type, text: &str) -> Checked<i64> {
        let wrong = format!("`{name}` cannot be `{text}`");
        let diagnostic = Diagnostic::new(codes::NO_SUCH_VALUE, wrong).label(name.span, "");
        match ty.base {
            Base::Int(lo, hi) => match text.parse::<i64>() {
                Ok(value) if (lo..=hi).contains(&value) => Ok(value),
                _ if (lo, hi) == INT => Err(self.report(diagnostic.help("it is a number"))),
                _ => Err(self.report(diagnostic.help(format!("it is a number from {lo} to {hi}")))),
            },
            Base::Bool => match text {
                "true" => Ok(1),
                "false" => Ok(0),
                _ => Err(self.report(diagnostic.help("it is `true` or `false`"))),
            },
            Base::Elem(domain) => match self.value_of(domain, text) {
                Some(value) => Ok(value),
                None => {
                    let names = self.value_names(domain);
                    let near = closest(text, names.iter().map(String::as_str));
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => there_is(&names),
                    };
                    Err(self.report(diagnostic.help(help)))
                }
            },
            Base::Set(_) | Base::Unit => Err(self.report(diagnostic)),
        }
    }

    /// Reads a constant for a setting that an expression names, as behind `under`.
    pub(super) fn setting_named(&mut self, name: &ast::Name) -> Checked<SettingId> {
        match self.named(name.as_str()) {
            Some(Ok(super::Entity::Setting(id))) => Ok(id),
            Some(Ok(_)) => {
                let message = format!("`{name}` is no option or question");
                Err(self.error(codes::WRONG_KIND, name.span, message))
            }
            Some(Err(reported)) => Err(reported),
            None => {
                let known: Vec<String> = self
                    .game
                    .settings
                    .iter()
                    .map(|it| it.name.clone())
                    .collect();
                let near = closest(&name.text, known.iter().map(String::as_str));
                let near = near.map(str::to_owned);
                let message = format!("no option or question is called `{name}`");
                let diagnostic = Diagnostic::at(codes::UNKNOWN_NAME, name.span, message);
                Err(self.report(did_you_mean(diagnostic, name.span, near)))
            }
        }
    }
}
