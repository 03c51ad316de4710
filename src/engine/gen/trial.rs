//! The cells of tables: expressions that run by themselves, for all values of their inputs.

use super::inline::mentions;
use super::tables::{Input, MOST_WORK, WORD_WORK};
use super::{Gen, Shared, Tier, fragment_of};
use crate::engine::chance::Dice;
use crate::engine::layout::{Layout, words_of};
use crate::engine::memory::{Memory, at};
use crate::engine::op::{Code, Reg, word};
use crate::engine::vm::{Bench, fresh_memory, load_consts, run};
use crate::model::{AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NONE, Over};

/// Where expressions are tried out.
pub(super) struct Room {
    memory: Box<Memory>,
    bench: Bench,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            memory: fresh_memory(),
            bench: Bench::default(),
        }
    }
}

/// An expression that runs by itself.
struct Trial {
    code: Code,
    /// Where its value stands afterwards.
    value: Reg,
    words: u16,
}

impl Trial {
    /// Adds its value for these inputs; false where it faults.
    fn run(
        &mut self,
        layout: &Layout,
        room: &mut Room,
        given: &[i64],
        spent: &mut u64,
        cells: &mut Vec<i64>,
    ) -> bool {
        let Room { memory, bench } = room;
        load_consts(memory, &self.code);
        for (input, value) in given.iter().enumerate() {
            memory[at(word::ARGS, input)] = *value as u64;
        }
        bench.most = Some(MOST_WORK.saturating_sub(*spent));
        bench.spent = 0;
        let ran = run::<false>(
            memory,
            &self.code,
            layout,
            0,
            self.code.start,
            bench,
            &mut Dice::new(0),
        );
        *spent += bench.spent + WORD_WORK * u64::from(self.words);
        if ran.is_ok() {
            let words = 0..usize::from(self.words);
            cells.extend(words.map(|w| memory[at(self.value, w)] as i64));
        }
        ran.is_ok()
    }

    /// The set of the last inputs for which it holds: where it faults, it does not.
    fn set(
        &mut self,
        layout: &Layout,
        room: &mut Room,
        given: &[i64],
        (lo, n): (i64, u64),
        words: u16,
        spent: &mut u64,
    ) -> Vec<i64> {
        let mut set = vec![0; usize::from(words)];
        let mut given = given.to_vec();
        given.push(lo);
        let mut holds = Vec::new();
        for element in 0..n {
            if let Some(last) = given.last_mut() {
                *last = lo + element as i64;
            }
            holds.clear();
            self.run(layout, room, &given, spent, &mut holds);
            if let ([1], Some(word)) = (holds.as_slice(), set.get_mut(element as usize / 64)) {
                *word |= 1 << (element % 64);
            }
        }
        set
    }
}

/// The inputs for a row of a table.
fn given_in(row: u64, inputs: &[(LocalId, Input)]) -> Vec<i64> {
    let mut rest = row;
    let mut given = vec![0; inputs.len()];
    for (value, (_, input)) in given.iter_mut().zip(inputs).rev() {
        let digit = rest % input.n;
        rest /= input.n;
        let absent = input.expr.ty.optional && digit == input.n - 1;
        *value = if absent {
            NONE
        } else {
            input.lo + digit as i64
        };
    }
    given
}

impl Shared<'_> {
    /// The cells of a table and the rows that fault.
    pub(super) fn tried(
        &mut self,
        body: &Expr,
        inputs: &[(LocalId, Input)],
        words: u16,
        rows: u64,
        room: &mut Room,
        spent: &mut u64,
    ) -> Option<(Vec<i64>, Vec<u64>)> {
        let locals: Vec<LocalId> = inputs.iter().map(|(local, _)| *local).collect();
        let mut whole = self.trial(body, &locals, words)?;
        let mut by_element: Option<(Trial, i64, u64)> = None;
        let (mut cells, mut faults) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let given = given_in(row, inputs);
            if *spent >= MOST_WORK {
                break;
            }
            if whole.run(self.layout, room, &given, spent, &mut cells) {
                continue;
            }
            faults.push(row);
            if by_element.is_none() {
                by_element = self.by_element(body, &locals);
            }
            // Whoever uses the table makes sure that what faults is never looked up.
            cells.extend(match &mut by_element {
                Some((trial, lo, n)) => {
                    trial.set(self.layout, room, &given, (*lo, *n), words, spent)
                }
                None => vec![0; usize::from(words)],
            });
        }
        Some((cells, faults))
    }

    /// The cells of `{ y in D where e in S(y) }` by `e`: each `S(y)` is worked out once, not once for each `e`.
    /// None where one of them faults.
    pub(super) fn turned(
        &mut self,
        body: &Expr,
        inputs: &[(LocalId, Input)],
        rows: u64,
        room: &mut Room,
        spent: &mut u64,
    ) -> Option<Vec<i64>> {
        let (binder, guard) = filtered(body)?;
        let (one, set) = guard.operands_of(BinaryOp::In)?;
        let (asked, of) = (one.as_local()?, set.ty.base.set_over()?);
        let at = inputs.iter().position(|(local, _)| *local == asked)?;
        if mentions(set, &[asked]) || !mentions(set, &[binder.local]) {
            return None;
        }
        let (ty, least) = (self.local_type(binder.local), self.domain(of)?.lo);
        let (lo, n) = self.values(ty).filter(|_| !ty.optional)?;
        if !matches!(body.ty.base, Base::Set(domain) if self.domain(domain).is_some_and(|it| (it.lo, it.size) == (lo, n)))
        {
            return None;
        }
        let member = Expr::local(binder.local, ty, body.span);
        let mut by = inputs.to_vec();
        by.remove(at);
        by.push((
            binder.local,
            Input {
                expr: member,
                lo,
                n,
            },
        ));
        let locals: Vec<LocalId> = by.iter().map(|(local, _)| *local).collect();
        let words = words_of(self.game, set.ty);
        let mut trial = self.trial(set, &locals, words)?;
        let asked = inputs.get(at).map(|(_, it)| it.n)?;
        let mut sets = Vec::new();
        for row in 0..rows / asked.max(1) * n {
            let given = given_in(row, &by);
            if *spent >= MOST_WORK || !trial.run(self.layout, room, &given, spent, &mut sets) {
                return None;
            }
        }
        let members = usize::try_from(n).ok()?;
        let width = usize::from(words_of(self.game, body.ty));
        let mut cells = vec![0i64; usize::try_from(rows).ok()? * width];
        let behind: u64 = inputs.iter().skip(at + 1).map(|(_, it)| it.n).product();
        for (row, cell) in (0..rows).zip(cells.chunks_exact_mut(width)) {
            *spent += n;
            let element = given_in(row, inputs).get(at)?.checked_sub(least);
            let Some(element) = element.and_then(|it| usize::try_from(it).ok()) else {
                continue;
            };
            let others = row / (behind * asked) * behind + row % behind;
            let first = usize::try_from(others).ok()? * members;
            for member in 0..members {
                let word = (first + member) * usize::from(words) + element / 64;
                let holds = element / 64 < usize::from(words)
                    && sets
                        .get(word)
                        .is_some_and(|it| it >> (element % 64) & 1 == 1);
                if let Some(cell) = cell.get_mut(member / 64).filter(|_| holds) {
                    *cell |= 1 << (member % 64);
                }
            }
        }
        Some(cells)
    }

    /// Of `{ x in D where P }` P for one x, because a condition beside P may keep those out for which
    /// P faults; with the least x and how many there are.
    fn by_element(&mut self, body: &Expr, locals: &[LocalId]) -> Option<(Trial, i64, u64)> {
        let (binder, guard) = filtered(body)?;
        let (lo, n) = self.values(self.local_type(binder.local))?;
        let mut locals = locals.to_vec();
        locals.push(binder.local);
        Some((self.trial(guard, &locals, 1)?, lo, n))
    }

    /// Makes an expression that can be run for values of its inputs.
    fn trial(&mut self, body: &Expr, locals: &[LocalId], words: u16) -> Option<Trial> {
        let mut value: Reg = word::ARGS;
        let shared = Shared::new(self.game, self.layout, &self.graph, Tier::AsWritten);
        let code = fragment_of(shared, &mut |r#gen: &mut Gen<'_, '_>| {
            r#gen.shared.locals.more.clone_from(&self.locals.more);
            for (at, local) in locals.iter().enumerate() {
                // Calls overwrite the argument words.
                let input = r#gen.temp();
                r#gen.mov(input, word::ARGS + u16::try_from(at).unwrap_or(0));
                r#gen.set_local(*local, input);
            }
            value = r#gen.temps(words);
            r#gen.value_to(body, value);
        })
        .ok()?;
        Some(Trial { code, value, words })
    }
}

/// The variable and the condition of `{ x in D where P }`, `D` a whole domain.
fn filtered(body: &Expr) -> Option<(&Binder, &Expr)> {
    let aggregate = body.as_aggregate()?;
    let binder = aggregate.only_binder()?;
    let collects = aggregate.op == AggregateOp::Collect && aggregate.value.is_none();
    let all = matches!(&binder.over, Over::Set(over) if matches!(over.kind, ExprKind::All(_)));
    let guard = binder.guard.as_ref().filter(|_| collects && all)?;
    Some((binder, guard))
}
