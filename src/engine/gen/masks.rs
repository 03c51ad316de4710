//! Code for conditions as sets.

use super::Gen;
use super::mask::Plan;
use super::tables::Tabled;
use crate::engine::layout::{Array, Values, words_for};
use crate::engine::op::{Op, PlaneOp, Reg, zone16};
use crate::model::{Base, DomainId, Expr, ExprKind, Type, ZoneId};

/// Most values by which a condition is looked up.
const FEW_VALUES: u64 = 64;

impl Gen<'_, '_> {
    /// Works the set out; `within` may be used where only its members matter.
    pub(super) fn mask(&mut self, plan: &Plan, domain: DomainId, within: Option<Reg>) -> Reg {
        if self.reached.is_some() {
            return self.mask_from(plan, domain, within);
        }
        self.reached = Some(Vec::new());
        let mask = self.mask_from(plan, domain, within);
        self.reached = None;
        mask
    }

    /// Whether a value of this type, where there is one, is an element of the domain.
    pub(super) fn is_within(&self, ty: Type, domain: DomainId) -> bool {
        let Base::Int(from, to) = ty.base else {
            return true;
        };
        let lo = i128::from(self.domain_lo(domain));
        i128::from(from) >= lo && i128::from(to) < lo + i128::from(self.domain_size(domain))
    }

    fn mask_from(&mut self, plan: &Plan, domain: DomainId, within: Option<Reg>) -> Reg {
        let n = words_for(self.domain_size(domain));
        match plan {
            Plan::Member(set) => self.value(set),
            Plan::Filled(zone) => match self.filled_set(*zone) {
                Some(reg) => reg,
                None => self.all_of(domain),
            },
            Plan::Preimage(part, over, table) => {
                let filled = self.mask(part, *over, None);
                self.leading_to(filled, *over, table, domain, within)
            }
            Plan::Kind(zone, value) => self.kind_mask(*zone, value, n, within),
            Plan::Field(zone, field, value) => {
                let Some(values) = self.field_store(*zone, *field) else {
                    return self.all_of(domain);
                };
                self.value_row(&values, value, n, *zone)
            }
            Plan::Row(table) => self.row_mask(table, n),
            Plan::KindIn(zone, table) => self.kinds_mask(*zone, table, n, within),
            Plan::KindAt(zone, table) => self.filter_rows(*zone, table, within),
            Plan::Kept(kept) => {
                let d = self.temps(n);
                self.op(Op::Plane(PlaneOp::Kept { d, kept: *kept, n }));
                d
            }
            Plan::Held(zone, value) => {
                let kind = self.value(value);
                let d = self.temps(n);
                let zone = zone16(*zone);
                self.op(Op::Plane(PlaneOp::Held { d, zone, kind, n }));
                d
            }
            Plan::Is(value) => {
                let e = self.bit(value, self.domain_lo(domain));
                let d = self.temps(n);
                self.op(Op::Clear { d, n });
                self.add_element(d, e, n);
                if !self.is_within(value.ty, domain) {
                    let all = self.all_of(domain);
                    self.and(d, d, all, n);
                }
                d
            }
            Plan::Open(parts) => {
                let (d, parts) = (self.temps(n), *parts);
                self.op(Op::Plane(PlaneOp::Open { d, parts, n }));
                d
            }
            Plan::Related(related) => self.related_mask(related, domain),
            Plan::Flood(flood) => self.flood_mask(flood, domain),
            Plan::Lined(lined) => self.lined_mask(lined, domain, within),
            Plan::Behind(behind) => self.behind_mask(behind, domain),
            Plan::Several(several) => self.several_mask(several, domain, within),
            Plan::Through(through) => self.through_mask(through, domain, within),
            Plan::Holds(holds) => self.holds_mask(holds, domain),
            Plan::Weighed(weighed) => self.weighed_mask(weighed),
            Plan::Lane(track, values) => self.lane_mask(*track, values, domain, within),
            Plan::Choice(parts) => {
                let [which, then, other] = &**parts;
                if let Plan::Fixed(cond) = which {
                    return self.one_of(cond, [then, other], domain, within);
                }
                let which = self.mask(which, domain, within);
                let then = self.mask(then, domain, Some(which));
                let (a, b) = (self.temps(n), self.temps(n));
                self.and(a, then, which, n);
                let other = self.mask(other, domain, within);
                self.and_not(b, other, which, n);
                self.or(a, a, b, n);
                a
            }
            Plan::Any(parts) => {
                if let [(_, plan)] = parts.as_slice() {
                    return self.mask(plan, domain, within);
                }
                let d = self.temps(n);
                self.op(Op::Clear { d, n });
                for (_, plan) in parts {
                    let part = self.mask(plan, domain, within);
                    self.or(d, d, part, n);
                }
                d
            }
            Plan::Said(said) => self.mask(&said.1, domain, within),
            Plan::Fixed(cond) => {
                if let Some(table) = self.all_or_none(cond, domain) {
                    return self.row_mask(&table, n);
                }
                let d = self.temps(n);
                let done = self.label();
                self.op(Op::Clear { d, n });
                self.cond(cond, false, done);
                let all = within.unwrap_or_else(|| self.all_of(domain));
                self.mov_n(d, all, n);
                self.bind(done);
                d
            }
            Plan::Not(part) => {
                let mask = self.mask(part, domain, within);
                let (d, all) = (self.temps(n), self.all_of(domain));
                self.and_not(d, within.unwrap_or(all), mask, n);
                d
            }
            Plan::And(left, right) => {
                // What is the same in every position is where the other is looked for.
                let is_fixed = matches!(&**right, Plan::Row(table) if table.inputs.is_empty());
                let (left, right) = match within {
                    None if is_fixed && self.stays_within(left) => (right, left),
                    _ => (left, right),
                };
                let a = self.mask(left, domain, within);
                self.restricted(a, right, domain, n)
            }
            Plan::Or(left, right) => {
                let a = self.mask(left, domain, within);
                let b = self.mask(right, domain, within);
                let d = self.temps(n);
                self.or(d, a, b, n);
                d
            }
        }
    }

    /// Whether a plan gives all that it is looked for in, or nothing.
    pub(super) fn is_all_or_none(&mut self, plan: &Plan, domain: DomainId) -> bool {
        matches!(plan, Plan::Fixed(cond) if self.all_or_none(cond, domain).is_none())
    }

    /// All elements where a condition holds that hangs on one value, and none where not.
    fn all_or_none(&mut self, cond: &Expr, domain: DomainId) -> Option<Tabled> {
        let ty = Type::of(Base::Set(domain));
        let [all, none] = [ExprKind::All(domain), ExprKind::SetOf(Vec::new())].map(|kind| {
            let span = cond.span;
            Box::new(Expr { kind, ty, span })
        });
        let chosen = Expr {
            kind: ExprKind::If(Box::new(cond.clone()), all, none),
            ty,
            span: cond.span,
        };
        let table = self.shared.tabled(&chosen, &[]).filter(|it| !it.faults)?;
        let is_few = matches!(&*table.inputs, [one] if one.n <= FEW_VALUES);
        (is_few && self.inputs_sure(&table)).then_some(table)
    }

    /// The first where a condition that is the same for all elements holds, else the second.
    fn one_of(
        &mut self,
        cond: &Expr,
        [then, other]: [&Plan; 2],
        domain: DomainId,
        within: Option<Reg>,
    ) -> Reg {
        let n = words_for(self.domain_size(domain));
        let d = self.temps(n);
        let (no, done) = (self.label(), self.label());
        self.cond(cond, false, no);
        // What is worked out on one way is not there on the other.
        let known = self.reached.clone();
        let then = self.mask(then, domain, within);
        self.reached.clone_from(&known);
        self.mov_n(d, then, n);
        self.jump(done);
        self.bind(no);
        let other = self.mask(other, domain, within);
        self.reached = known;
        self.mov_n(d, other, n);
        self.bind(done);
        d
    }

    pub(super) fn row_mask(&mut self, table: &Tabled, n: u16) -> Reg {
        if table.inputs.is_empty() {
            let base = table.base as usize;
            let words: Vec<u64> = self
                .shared
                .code
                .data
                .get(base..base + usize::from(n))
                .unwrap_or_default()
                .iter()
                .map(|word| *word as u64)
                .collect();
            return self.constant_words(&words);
        }
        let i = self.table_row(table, 0);
        let d = self.temps(n);
        if n == 1 {
            self.op(Op::Look {
                d,
                i,
                base: table.base,
            });
        } else {
            self.op(Op::Row {
                d,
                i,
                n,
                base: table.base,
            });
        }
        d
    }

    pub(super) fn kind_mask(
        &mut self,
        zone: ZoneId,
        value: &Expr,
        n: u16,
        within: Option<Reg>,
    ) -> Reg {
        let Some(values) = self.kind_store(zone) else {
            return self.word(0);
        };
        if let Values::Lanes(array) = values {
            let e = self.value(value);
            let row = self.temp();
            self.op(Op::Bit { d: row, e });
            return self.filter(array, row, zone, within, n);
        }
        self.value_row(&values, value, n, zone)
    }

    /// The places with a value, where there is a set for each value.
    pub(super) fn value_row(&mut self, values: &Values, value: &Expr, n: u16, zone: ZoneId) -> Reg {
        match values {
            Values::Single(_) | Values::Lanes(_) => {
                self.filled_set(zone).unwrap_or(crate::engine::op::CONSTS)
            }
            Values::Sets { base, lo, .. } => {
                let e = self.bit(value, *lo);
                let d = self.temps(n);
                if let ExprKind::Value(v) = &value.kind {
                    let at = u16::try_from(v - lo).unwrap_or(0).saturating_mul(n);
                    return base.saturating_add(at);
                }
                if n == 1 {
                    self.op(Op::Load {
                        d,
                        base: *base,
                        i: e,
                    });
                } else {
                    self.op(Op::LoadWide {
                        d,
                        base: *base,
                        i: e,
                        n,
                    });
                }
                d
            }
        }
    }

    pub(super) fn kinds_mask(
        &mut self,
        zone: ZoneId,
        table: &Tabled,
        n: u16,
        within: Option<Reg>,
    ) -> Reg {
        let kind_words = self.shared.layout.zone(zone).map_or(1, |s| s.kind_words);
        let row = self.row_mask(table, kind_words);
        match self.kind_store(zone) {
            Some(Values::Lanes(array)) => self.filter(array, row, zone, within, n),
            Some(Values::Sets { base, .. }) => {
                let set = |v: u32| {
                    let at = u16::try_from(v).unwrap_or(u16::MAX).saturating_mul(n);
                    base.saturating_add(at)
                };
                match self.known_word(table) {
                    Some(0) => self.constant_words(&vec![0; usize::from(n)]),
                    Some(kinds) if kinds.count_ones() == 1 => set(kinds.trailing_zeros()),
                    Some(kinds) if kinds.count_ones() == 2 => {
                        let [one, other] = [kinds.trailing_zeros(), 63 - kinds.leading_zeros()];
                        let d = self.temps(n);
                        self.or(d, set(one), set(other), n);
                        d
                    }
                    _ => {
                        let d = self.temps(n);
                        self.op(Op::UnionOf {
                            d,
                            sets: base,
                            of: row,
                            n: u8::try_from(n).unwrap_or(u8::MAX),
                        });
                        d
                    }
                }
            }
            Some(Values::Single(_)) | None => {
                let d = self.temps(n);
                let (skip, zero) = (self.label(), self.constant(0));
                self.op(Op::Clear { d, n });
                let to = self.to(skip);
                self.op(Op::JumpNotIn {
                    set: row,
                    e: zero,
                    to,
                });
                if let Some(filled) = self.filled_set(zone) {
                    self.mov_n(d, filled, n);
                }
                self.bind(skip);
                d
            }
        }
    }

    /// The elements that a table leads to members of a set.
    pub(super) fn leading_to(
        &mut self,
        filled: Reg,
        over: DomainId,
        table: &Tabled,
        domain: DomainId,
        within: Option<Reg>,
    ) -> Reg {
        let set = within.unwrap_or_else(|| self.all_of(domain));
        let n = words_for(self.domain_size(domain));
        let (base, d) = (table.base, self.temps(n));
        let is_word = words_for(self.domain_size(over)) == 1 && table.inputs.len() == 1;
        let cells = self.domain_size(domain);
        let shift = is_word.then(|| self.shared.shift(base, cells)).flatten();
        if let Some(by) = shift {
            self.op(Op::Before { d, set, filled, by });
            return d;
        }
        let off = self.table_row(table, 1);
        let led = words_for(self.domain_size(over));
        self.shared.code.led.push((base, led));
        self.op(Op::Gather {
            d,
            set,
            n: u8::try_from(n).unwrap_or(u8::MAX),
            off,
            filled,
            base,
        });
        d
    }

    /// The one word of a table without inputs.
    fn known_word(&self, table: &Tabled) -> Option<u64> {
        let is_known = table.inputs.is_empty() && table.words == 1;
        let word = self.shared.code.data.get(table.base as usize);
        word.filter(|_| is_known).map(|word| *word as u64)
    }

    /// The places whose stored component is in a row of kinds.
    pub(super) fn filter(
        &mut self,
        array: Array,
        row: Reg,
        zone: ZoneId,
        within: Option<Reg>,
        n: u16,
    ) -> Reg {
        let filled = self.filled_set(zone);
        let set = within.or(filled);
        // Stored form is one more than the kind: 0 is an empty place.
        self.filter_lanes(array, row, 1, set, n)
    }

    /// Those in a set of so many words whose byte, less a number, is in a row.
    pub(super) fn filter_lanes(
        &mut self,
        array: Array,
        row: Reg,
        less: u8,
        set: Option<Reg>,
        n: u16,
    ) -> Reg {
        let d = self.temps(n);
        for word in 0..n {
            self.op(Op::FilterLanes {
                d: d.saturating_add(word),
                set: set.unwrap_or(d).saturating_add(word),
                // 64 places stand in eight words.
                lanes: array.base.saturating_add(8 * word),
                row,
                less,
            });
        }
        d
    }

    /// The same with a row for each place.
    fn filter_rows(&mut self, zone: ZoneId, table: &Tabled, within: Option<Reg>) -> Reg {
        let Some(Values::Lanes(array)) = self.kind_store(zone) else {
            return self.word(0);
        };
        let n = table.inputs.last().map_or(0, |it| it.n);
        let i = self.table_line(table, table.inputs.len().saturating_sub(1));
        let (d, filled) = (self.temp(), self.filled_set(zone));
        let set = within.or(filled).unwrap_or(d);
        self.op(Op::FilterRows {
            d,
            set,
            lanes: array.base,
            i,
            n: u8::try_from(n).unwrap_or(u8::MAX),
            base: table.base,
        });
        d
    }

    /// Whether the set of a plan never has more members than it is looked for in.
    pub(super) fn stays_within(&self, plan: &Plan) -> bool {
        match plan {
            Plan::Kind(zone, _) | Plan::KindIn(zone, _) => {
                matches!(self.kind_store(*zone), Some(Values::Lanes(_)))
            }
            Plan::KindAt(..)
            | Plan::Lane(..)
            | Plan::Lined(_)
            | Plan::Through(_)
            | Plan::Preimage(..) => true,
            // The second is looked for in what the first leaves.
            Plan::And(one, _) => self.stays_within(one),
            Plan::Or(one, other) => self.stays_within(one) && self.stays_within(other),
            Plan::Any(parts) => parts.iter().all(|(_, it)| self.stays_within(it)),
            Plan::Said(said) => self.stays_within(&said.1),
            _ => false,
        }
    }
}
