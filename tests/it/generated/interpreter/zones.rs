//! What lies in zones, and how it moves.

use std::collections::BTreeSet;

use adit::engine::FaultKind;
use adit::model::{
    Base, Binder, Expr, Field, Holder, Holding, Lie, Move, Place, Poured, Stmt, Type, Visibility,
    What, ZoneId, ZoneKind, poured,
};

use super::aggregates::Then;
use super::{Found, Interpreter, Kinds, Stop, Value};

/// What lies in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heap {
    /// A kind and the fields of the place.
    One(Option<(i128, Vec<Value>)>),
    Bag(Kinds),
    /// Those in no order lie below those whose order is known.
    Pile {
        loose: Kinds,
        known: Vec<i128>,
    },
}

impl Heap {
    pub fn new(kind: ZoneKind) -> Heap {
        match kind {
            ZoneKind::One => Heap::One(None),
            ZoneKind::Bag => Heap::Bag(Kinds::new()),
            ZoneKind::Pile => Heap::Pile {
                loose: Kinds::new(),
                known: Vec::new(),
            },
        }
    }

    pub fn kinds(&self) -> Kinds {
        match self {
            Heap::One(None) => Kinds::new(),
            Heap::One(Some((kind, _))) => Kinds::from([(*kind, 1)]),
            Heap::Bag(kinds) => kinds.clone(),
            Heap::Pile { loose, known } => {
                let mut kinds = loose.clone();
                for kind in known {
                    *kinds.entry(*kind).or_insert(0) += 1;
                }
                kinds
            }
        }
    }

    pub fn size(&self) -> u64 {
        self.kinds().values().sum()
    }

    pub fn copies(&self, kind: i128) -> u64 {
        self.kinds().get(&kind).copied().unwrap_or(0)
    }

    pub fn single(&self) -> Option<i128> {
        match self {
            Heap::One(Some((kind, _))) => Some(*kind),
            _ => None,
        }
    }

    pub fn field(&self, field: usize) -> Option<Value> {
        match self {
            Heap::One(Some((_, fields))) => Some(fields[field].clone()),
            _ => None,
        }
    }

    pub fn top(&self) -> Option<i128> {
        self.counted_down(1)
    }

    /// What lies so deep, as far as the order is known.
    pub fn counted_down(&self, deep: i128) -> Option<i128> {
        match self {
            Heap::Pile { known, .. } => {
                let mut counted = (1_i128..).zip(known.iter().rev());
                counted.find(|(at, _)| *at == deep).map(|(_, kind)| *kind)
            }
            _ => None,
        }
    }

    /// Takes what lies so deep out of a pile, or one of those in no order.
    fn take_from(&mut self, deep: i128, kind: i128) {
        let Heap::Pile { loose, known } = self else {
            panic!("a pile")
        };
        let ordered = i128::try_from(known.len()).unwrap();
        if deep <= ordered {
            known.remove(usize::try_from(ordered - deep).unwrap());
        } else {
            take_copy(loose, kind);
        }
    }

    /// What chance may draw.
    fn unordered(&self) -> Kinds {
        match self {
            Heap::One(_) => Kinds::new(),
            Heap::Bag(kinds) | Heap::Pile { loose: kinds, .. } => kinds.clone(),
        }
    }

    fn put(&mut self, kind: i128, fields: Vec<Value>) {
        match self {
            Heap::One(held) => *held = Some((kind, fields)),
            Heap::Bag(kinds) => *kinds.entry(kind).or_insert(0) += 1,
            Heap::Pile { known, .. } => known.push(kind),
        }
    }

    fn take(&mut self, kind: i128) -> bool {
        match self {
            Heap::One(held) => {
                let there = held.as_ref().is_some_and(|(it, _)| *it == kind);
                if there {
                    *held = None;
                }
                there
            }
            Heap::Bag(kinds) => take_copy(kinds, kind),
            Heap::Pile { loose, known } => match known.iter().rposition(|it| *it == kind) {
                Some(at) => {
                    known.remove(at);
                    true
                }
                None => take_copy(loose, kind),
            },
        }
    }

    fn shuffle(&mut self) {
        if let Heap::Pile { loose, known } = self {
            for kind in known.drain(..) {
                *loose.entry(kind).or_insert(0) += 1;
            }
        }
    }
}

fn take_copy(kinds: &mut Kinds, kind: i128) -> bool {
    match kinds.get_mut(&kind) {
        None => false,
        Some(1) => kinds.remove(&kind).is_some(),
        Some(n) => {
            *n -= 1;
            true
        }
    }
}

/// Where something goes, and with which fields.
struct Landing {
    zone: ZoneId,
    at: Option<usize>,
    fields: Vec<Value>,
}

impl Interpreter<'_> {
    pub(super) fn heap(&self, zone: ZoneId, at: usize) -> &Heap {
        &self.table.zones[zone.index()][at]
    }

    fn heap_mut(&mut self, zone: ZoneId, at: usize) -> &mut Heap {
        &mut self.table.zones[zone.index()][at]
    }

    fn put(&mut self, landing: Landing, kind: i128) -> Found<()> {
        let Some(at) = landing.at else {
            return self.fault(FaultKind::Absent);
        };
        let room = self.game.zones[landing.zone.index()].capacity;
        let size = self.heap(landing.zone, at).size();
        if room.is_some_and(|room| size >= u64::from(room)) {
            return self.fault(FaultKind::Full);
        }
        self.heap_mut(landing.zone, at).put(kind, landing.fields);
        Ok(())
    }

    fn take(&mut self, zone: ZoneId, at: Option<usize>, kind: i128) -> Found<()> {
        match at {
            Some(at) if self.heap_mut(zone, at).take(kind) => Ok(()),
            _ => self.fault(FaultKind::Missing),
        }
    }

    /// What a field holds where nothing is said of it.
    fn usual(&mut self, field: &Field) -> Found {
        match &field.default {
            Some(default) => self.value(default),
            None => Ok(least(field.ty)),
        }
    }

    /// Where something goes that lay at a place.
    fn landing(
        &mut self,
        to: &Place,
        with: &[(usize, Expr)],
        from: Option<(ZoneId, usize)>,
    ) -> Found<Landing> {
        let zones = &self.game.zones;
        let goal = &zones[to.zone.index()];
        let mut fields = Vec::new();
        for (at, field) in goal.fields.iter().enumerate() {
            let given = with.iter().find(|(field, _)| *field == at);
            let carried = from.and_then(|(zone, place)| {
                let old = zones[zone.index()].fields.iter();
                let same = old
                    .zip(0..)
                    .find(|(it, _)| it.name == field.name && it.ty == field.ty)?;
                self.heap(zone, place).field(same.1)
            });
            fields.push(match (given, carried) {
                (Some((_, value)), _) => {
                    let value = self.value(value)?;
                    self.fitting(value, field.ty)?
                }
                (None, Some(carried)) => carried,
                (None, None) => self.usual(field)?,
            });
        }
        Ok(Landing {
            zone: to.zone,
            at: self.place(to)?,
            fields,
        })
    }

    pub(super) fn move_things(&mut self, it: &Move) -> Found<()> {
        match &it.what {
            What::At(from) => {
                let at = self.place(from)?;
                let Some(kind) = at.and_then(|at| self.heap(from.zone, at).single()) else {
                    return self.fault(FaultKind::Absent);
                };
                let landing = self.landing(&it.to, &it.with, at.map(|at| (from.zone, at)))?;
                self.take(from.zone, at, kind)?;
                self.put(landing, kind)
            }
            What::All(from) => self.move_all(from, &it.to, it.lie, None),
            What::Top(from, stream) => {
                let at = self.place(from)?;
                let kind = match at.and_then(|at| self.heap(from.zone, at).top()) {
                    Some(kind) => kind,
                    None => self.drawn(from, at, *stream)?,
                };
                let landing = self.landing(&it.to, &it.with, None)?;
                self.take(from.zone, at, kind)?;
                self.put(landing, kind)
            }
            What::Nth(from, deep, stream) => {
                let at = self.place(from)?;
                let deep = self.number(deep)?;
                let there = at.map_or(0, |at| self.heap(from.zone, at).size());
                let (Some(at), true) = (at, deep >= 1 && deep <= i128::from(there)) else {
                    return self.fault(FaultKind::Missing);
                };
                let kind = match self.heap(from.zone, at).counted_down(deep) {
                    Some(kind) => kind,
                    None => self.drawn(from, Some(at), *stream)?,
                };
                let landing = self.landing(&it.to, &it.with, None)?;
                self.heap_mut(from.zone, at).take_from(deep, kind);
                self.put(landing, kind)
            }
            What::Draw(count, from, stream) => {
                for _ in 0..self.how_many(count.as_ref())? {
                    let at = self.place(from)?;
                    let is_pile = self.game.zones[from.zone.index()].kind == ZoneKind::Pile;
                    // What lies in order on top of a pile is what comes first.
                    let top = at.and_then(|at| self.heap(from.zone, at).top());
                    let top = top.filter(|_| is_pile);
                    let kind = match top {
                        Some(kind) => kind,
                        None => self.drawn(from, at, *stream)?,
                    };
                    let landing = self.landing(&it.to, &it.with, None)?;
                    if let (Some(at), None, true) = (at, top, is_pile) {
                        let Heap::Pile { loose, .. } = self.heap_mut(from.zone, at) else {
                            panic!("a pile")
                        };
                        take_copy(loose, kind);
                    } else {
                        self.take(from.zone, at, kind)?;
                    }
                    self.put(landing, kind)?;
                }
                Ok(())
            }
            What::Copies(count, kind, holding) => {
                let kind = self.number(kind)?;
                for _ in 0..self.how_many(count.as_ref())? {
                    self.step()?;
                    let (zone, at) = match holding {
                        Holding::Place(from) => (from.zone, self.place(from)?),
                        Holding::Anywhere(zone) => {
                            let places = &self.table.zones[zone.index()];
                            let at = places.iter().position(|heap| heap.copies(kind) > 0);
                            if at.is_none() {
                                return self.fault(FaultKind::Missing);
                            }
                            (*zone, at)
                        }
                    };
                    let carried = match holding {
                        Holding::Place(_) => at.map(|at| (zone, at)),
                        Holding::Anywhere(_) => None,
                    };
                    let landing = self.landing(&it.to, &it.with, carried)?;
                    self.take(zone, at, kind)?;
                    self.put(landing, kind)?;
                }
                Ok(())
            }
        }
    }

    fn how_many(&mut self, count: Option<&Expr>) -> Found<i128> {
        let Some(count) = count else {
            return Ok(1);
        };
        match self.number(count)? {
            negative if negative < 0 => self.fault(FaultKind::Bounds),
            many => Ok(many),
        }
    }

    fn drawn(
        &mut self,
        from: &Place,
        at: Option<usize>,
        stream: adit::model::StreamId,
    ) -> Found<i128> {
        let Some(at) = at else {
            return self.fault(FaultKind::Absent);
        };
        let held = self.heap(from.zone, at).unordered();
        if held.is_empty() {
            return self.fault(FaultKind::Missing);
        }
        let kind = self.world.outcome(stream)?;
        if !held.contains_key(&kind) {
            let said = format!("chance drew {kind} out of {held:?}");
            return Err(Stop::Disagreed(said));
        }
        Ok(kind)
    }

    /// What lies in no order comes to lie on a pile in one that chance decides: at once where something lies there or
    /// all see it, else when somebody takes it.
    fn move_all(
        &mut self,
        from: &Place,
        to: &Place,
        lie: Lie,
        only: Option<&BTreeSet<i128>>,
    ) -> Found<()> {
        let (place, target) = (self.place(from)?, self.place(to)?);
        let Some(place) = place else {
            return Ok(());
        };
        let (zone, goal) = (from.zone, to.zone);
        if zone == goal && target == Some(place) {
            return Ok(());
        }
        let zones = &self.game.zones;
        let kind_of_zone = zones[zone.index()].kind;
        let fields = match self.heap(zone, place).size() {
            0 => Vec::new(),
            _ => self.landing(to, &[], Some((zone, place)))?.fields,
        };
        let zones = &self.game.zones;
        let goal_zone = &zones[goal.index()];
        let mut stays = Heap::new(kind_of_zone);
        let heap = std::mem::replace(self.heap_mut(zone, place), Heap::new(kind_of_zone));
        let (mut loose, mut known) = match heap {
            Heap::One(held) => (Vec::new(), held.into_iter().map(|(kind, _)| kind).collect()),
            Heap::Bag(kinds) => (each_copy(&kinds), Vec::new()),
            Heap::Pile { loose, known } => (each_copy(&loose), known),
        };
        if let Some(only) = only {
            let (goes, rest): (Vec<i128>, Vec<i128>) =
                loose.into_iter().partition(|it| only.contains(it));
            loose = goes;
            match &mut stays {
                Heap::Bag(kinds) | Heap::Pile { loose: kinds, .. } => {
                    rest.iter()
                        .for_each(|it| *kinds.entry(*it).or_default() += 1);
                }
                Heap::One(_) => {}
            }
            if let Heap::Pile { known: rest, .. } = &mut stays {
                (known, *rest) = known.into_iter().partition(|it| only.contains(it));
            }
            *self.heap_mut(zone, place) = stays;
        }
        let is_settled = goal_zone.visibility == Visibility::Open
            || target.is_some_and(|at| self.heap(goal, at).size() > 0);
        let is_pile =
            goal_zone.kind == ZoneKind::Pile && self.world.keeps_order(goal) && !loose.is_empty();
        let is_mixed = is_pile && (lie == Lie::Mixed || !is_settled || self.inside > 0);
        if is_pile && !is_mixed {
            let stream = self.game.stream_of(goal).expect("a stream");
            let mut rest = std::mem::take(&mut loose);
            while rest.iter().any(|it| *it != rest[0]) {
                let kind = self.world.outcome(stream)?;
                match rest.iter().position(|it| *it == kind) {
                    Some(at) => loose.push(rest.remove(at)),
                    None => {
                        let said = format!("chance laid {kind} out of {rest:?}");
                        return Err(Stop::Disagreed(said));
                    }
                }
            }
            loose.extend(rest);
        }
        self.put_all(goal, target, loose, &fields)?;
        if is_mixed && let Some(at) = target {
            self.heap_mut(goal, at).shuffle();
        }
        self.put_all(goal, target, known, &fields)
    }

    /// Whether loops are a `move all of P where … to Q` onto a pile.
    pub(super) fn pours<'m>(&self, binders: &'m [Binder], body: &'m [Stmt]) -> Option<Poured<'m>> {
        let kind = |it: &Place| self.game.zones[it.zone.index()].kind;
        let it = poured(binders, body)?;
        (kind(it.from) != ZoneKind::One && kind(it.to) == ZoneKind::Pile).then_some(it)
    }

    /// `move all of P where … to Q` onto a pile: what goes is asked before any has gone.
    pub(super) fn move_those(&mut self, it: &Poured<'_>) -> Found<()> {
        self.combinations(it.places, 1, &mut |this: &mut Self, _| {
            let mut only = BTreeSet::new();
            this.combinations(std::slice::from_ref(it.kinds), 1, &mut |this, _| {
                if let Some(Value::Number(kind)) = this.frame.locals.get(&it.kinds.local) {
                    only.insert(*kind);
                }
                Ok(Then::Next)
            })?;
            this.move_all(it.from, it.to, it.lie, Some(&only))?;
            Ok(Then::Next)
        })?;
        Ok(())
    }

    fn put_all(
        &mut self,
        zone: ZoneId,
        at: Option<usize>,
        kinds: Vec<i128>,
        fields: &[Value],
    ) -> Found<()> {
        for kind in kinds {
            let fields = fields.to_vec();
            self.put(Landing { zone, at, fields }, kind)?;
        }
        Ok(())
    }

    fn exchange_all(&mut self, one: &Place, other: &Place) -> Found<()> {
        let (a, b) = (self.place(one)?, self.place(other)?);
        let (Some(a), Some(b)) = (a, b) else {
            return self.fault(FaultKind::Absent);
        };
        if (one.zone, a) == (other.zone, b) {
            return Ok(());
        }
        let (here, there) = (
            self.heap(one.zone, a).clone(),
            self.heap(other.zone, b).clone(),
        );
        for (zone, heap) in [(one.zone, &there), (other.zone, &here)] {
            let most = self.game.zones[zone.index()].capacity;
            if most.is_some_and(|most| heap.size() > u64::from(most)) {
                return self.fault(FaultKind::Full);
            }
        }
        *self.heap_mut(one.zone, a) = there;
        *self.heap_mut(other.zone, b) = here;
        Ok(())
    }

    pub(super) fn exchange(&mut self, one: &Holder, other: &Holder) -> Found<()> {
        if let (Holder::All(one), Holder::All(other)) = (one, other) {
            return self.exchange_all(one, other);
        }
        let (a, b) = (self.held(one)?, self.held(other)?);
        let mut landings = Vec::new();
        for (to, (zone, at, kind)) in [(one, b), (other, a)] {
            let (Holder::At(to) | Holder::All(to) | Holder::Copy(_, to)) = to;
            landings.push((self.landing(to, &[], at.map(|at| (zone, at)))?, kind));
        }
        for (zone, at, kind) in [a, b] {
            self.take(zone, at, kind)?;
        }
        for (landing, kind) in landings {
            self.put(landing, kind)?;
        }
        Ok(())
    }

    fn held(&mut self, holder: &Holder) -> Found<(ZoneId, Option<usize>, i128)> {
        match holder {
            Holder::At(place) => {
                let at = self.place(place)?;
                match at.and_then(|at| self.heap(place.zone, at).single()) {
                    Some(kind) => Ok((place.zone, at, kind)),
                    None => self.fault(FaultKind::Absent),
                }
            }
            Holder::All(_) => panic!("both sides are whole"),
            Holder::Copy(kind, place) => {
                let kind = self.number(kind)?;
                Ok((place.zone, self.place(place)?, kind))
            }
        }
    }

    pub(super) fn shuffle(&mut self, place: &Place) -> Found<()> {
        match self.place(place)? {
            Some(at) => {
                self.heap_mut(place.zone, at).shuffle();
                Ok(())
            }
            None => self.fault(FaultKind::Absent),
        }
    }

    pub(super) fn set_field(&mut self, place: &Place, field: usize, value: Value) -> Found<()> {
        let at = self.place(place)?;
        if let Some(at) = at
            && let Heap::One(Some((_, fields))) = self.heap_mut(place.zone, at)
        {
            fields[field] = value;
            return Ok(());
        }
        self.fault(FaultKind::Absent)
    }

    /// Lays the things out that a game begins with.
    pub(super) fn supply(&mut self) -> Found<()> {
        for supply in &self.game.supplies {
            for kind in self.domain_members(supply.component) {
                self.bind(supply.it, Value::Number(kind));
                if let Some(guard) = &supply.guard
                    && !self.truth(guard)?
                {
                    continue;
                }
                let place = Place {
                    zone: supply.zone,
                    index: supply.index.clone(),
                };
                for _ in 0..self.how_many(Some(&supply.count))? {
                    let landing = self.landing(&place, &[], None)?;
                    self.put(landing, kind)?;
                }
                if self.place(&place)?.is_some() {
                    self.shuffle(&place)?;
                }
            }
        }
        Ok(())
    }
}

fn each_copy(kinds: &Kinds) -> Vec<i128> {
    let copies = kinds
        .iter()
        .map(|(kind, n)| vec![*kind; usize::try_from(*n).unwrap()]);
    copies.flatten().collect()
}

/// The first value of a type; `none` where it may be absent.
fn least(ty: Type) -> Value {
    match ty.base {
        _ if ty.optional => Value::None,
        Base::Int(lo, _) => Value::Number(i128::from(lo)),
        _ => Value::Number(0),
    }
}
