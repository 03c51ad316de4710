//! Where things start: what `supply` lays, by kind.

use std::rc::Rc;

use rustc_hash::FxHashMap as HashMap;

use crate::diagnostic::codes;
use crate::model::{Base, DomainId, ZoneId, ZoneKind};
use crate::source::Span;

use super::constant::Const;
use super::{Checked, Checker};

/// The places where a kind is laid, with how many, in the order of the rulebook.
type Laid = Vec<(ZoneId, Vec<i64>, i64)>;

/// Where the things of a component lie before play.
#[derive(Debug)]
pub(super) struct Homes {
    /// By kind.
    pub(super) kinds: Vec<Laid>,
    /// The different first homes, each with the kinds that have it.
    pub(super) groups: Vec<(ZoneId, Vec<i64>, Vec<i64>)>,
}

impl Homes {
    pub(super) fn first(&self, kind: i64) -> Option<(ZoneId, &[i64])> {
        let homes = self.kinds.get(usize::try_from(kind).ok()?)?;
        homes
            .first()
            .map(|(zone, index, _)| (*zone, index.as_slice()))
    }

    pub(super) fn copies(&self, kind: i64) -> i64 {
        let homes = usize::try_from(kind).ok().and_then(|it| self.kinds.get(it));
        homes.map_or(0, |it| it.iter().map(|(_, _, n)| n).sum())
    }

    fn new(kinds: Vec<Laid>) -> Homes {
        let mut groups: Vec<(ZoneId, Vec<i64>, Vec<i64>)> = Vec::new();
        for (kind, homes) in (0..).zip(&kinds) {
            let Some((zone, index, _)) = homes.first() else {
                continue;
            };
            match groups.iter_mut().find(|it| it.0 == *zone && it.1 == *index) {
                Some(group) => group.2.push(kind),
                None => groups.push((*zone, index.clone(), vec![kind])),
            }
        }
        Homes { kinds, groups }
    }
}

impl Checker<'_> {
    /// Complains where more is laid in a place for one thing than has room there.
    pub(super) fn supplies_fit(&mut self) {
        let mut seen: Vec<ZoneId> = Vec::new();
        for supply in self.game.supplies.clone() {
            let zone = self.game.zones.get(supply.zone.index());
            let Some((zone, room)) = zone.and_then(|it| match it.kind {
                ZoneKind::One => Some((it, 1)),
                _ => Some((it, i64::from(it.capacity?))),
            }) else {
                continue;
            };
            if seen.contains(&supply.zone) {
                continue;
            }
            seen.push(supply.zone);
            let name = zone.name.clone();
            let Ok(kinds) = self.laid_at_first(supply.component) else {
                continue;
            };
            let mut laid: HashMap<&[i64], i64> = HashMap::default();
            for (there, index, copies) in kinds.iter().flatten() {
                if *there == supply.zone {
                    *laid.entry(index).or_default() += copies;
                }
            }
            let most = laid.values().max().copied().unwrap_or(0);
            if most > room {
                let clause = self.game.clauses.get(supply.clause.index());
                let span = clause.map(|it| it.span).unwrap_or_default();
                let (room, help) = match room {
                    1 => (
                        "one".to_owned(),
                        "lay each in a place of its own, `supply every Card in row[it.value]`, or let it be a `bag` or a `pile`",
                    ),
                    room => (
                        room.to_string(),
                        "lay fewer, or let more lie there: `up to N`",
                    ),
                };
                let message =
                    format!("{most} are laid in one place of `{name}`, which has room for {room}");
                self.complain(codes::OUT_OF_RANGE, span, message, help);
            }
        }
    }

    /// Where the things of a component lie before play.
    pub(super) fn homes(&mut self, component: DomainId, span: Span) -> Checked<Rc<Homes>> {
        if let Some(homes) = self.homes_known.get(&component) {
            return Ok(Rc::clone(homes));
        }
        let kinds = self.laid_at_first(component)?;
        if kinds.iter().all(Vec::is_empty) {
            let of = self
                .domain(component)
                .map_or(String::new(), |it| it.name.clone());
            let message = format!("there are no things of the kind `{of}`");
            let help = format!("say where they start: `supply every {of} in …`");
            return Err(self.complain(codes::OUT_OF_RANGE, span, message, help));
        }
        let homes = Rc::new(Homes::new(kinds));
        self.homes_known.insert(component, Rc::clone(&homes));
        Ok(homes)
    }

    /// By kind: the places where `supply` lays it, with how many.
    fn laid_at_first(&mut self, component: DomainId) -> Checked<Vec<Laid>> {
        let size = i64::try_from(self.size(component)).unwrap_or(0);
        let mut kinds = vec![Vec::new(); usize::try_from(size).unwrap_or(0)];
        for supply in self.game.supplies.clone() {
            if supply.component != component {
                continue;
            }
            for (kind, homes) in (0..size).zip(&mut kinds) {
                let env = [(supply.it, Const::Scalar(kind))];
                if let Some(guard) = &supply.guard
                    && self.constant_with(guard, &env)? == Const::Scalar(0)
                {
                    continue;
                }
                let Const::Scalar(copies) = self.constant_with(&supply.count, &env)? else {
                    continue;
                };
                let mut index = Vec::new();
                let domains = self.index_of(supply.zone);
                for (part, domain) in supply.index.iter().zip(domains) {
                    let low = match self.element(domain).base {
                        Base::Int(low, _) => low,
                        _ => 0,
                    };
                    if let Const::Scalar(value) = self.constant_with(part, &env)? {
                        index.push(value - low);
                    }
                }
                if copies > 0 {
                    homes.push((supply.zone, index, copies));
                }
            }
        }
        Ok(kinds)
    }
}
