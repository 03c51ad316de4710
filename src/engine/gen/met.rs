//! Tables of sets met with each other: rows that hold what all of them hold.

use super::Shared;
use super::structure::same;
use super::tables::{Input, MOST_ROWS, MOST_WORDS, Tabled};

impl Shared<'_> {
    /// The tables of each part met with each other, all over the same inputs.
    pub(super) fn met(&mut self, parts: Vec<Vec<Tabled>>, words: u16) -> Option<Vec<Tabled>> {
        let mut inputs: Vec<Input> = Vec::new();
        for input in parts.iter().flatten().flat_map(|table| &table.inputs) {
            match inputs.iter().find(|it| same(&it.expr, &input.expr)) {
                Some(known) if (known.lo, known.n) != (input.lo, input.n) => return None,
                Some(_) => {}
                None => inputs.push(input.clone()),
            }
        }
        let rows = inputs
            .iter()
            .try_fold(1u64, |rows, input| rows.checked_mul(input.n))?;
        let size = rows.checked_mul(u64::from(words))?;
        if rows > MOST_ROWS || size > MOST_WORDS {
            return None;
        }
        if parts.iter().flatten().any(|table| table.words != words) {
            return None;
        }
        let met = parts
            .into_iter()
            .map(|tables| self.met_of(&tables, &inputs, words, rows));
        met.collect()
    }

    fn met_of(
        &mut self,
        tables: &[Tabled],
        inputs: &[Input],
        words: u16,
        rows: u64,
    ) -> Option<Tabled> {
        let alike = |table: &Tabled| {
            let pairs = || table.inputs.iter().zip(inputs);
            table.inputs.len() == inputs.len() && pairs().all(|(a, b)| same(&a.expr, &b.expr))
        };
        if let [table] = tables
            && alike(table)
        {
            return Some(table.clone());
        }
        let faults = tables.iter().any(|table| table.faults);
        // By table, the stride of each input.
        let mut strides = Vec::new();
        for table in tables {
            let mut stride = u64::from(words);
            let mut of = vec![0; inputs.len()];
            for input in table.inputs.iter().rev() {
                let at = inputs.iter().position(|it| same(&it.expr, &input.expr))?;
                *of.get_mut(at)? += stride;
                stride = stride.checked_mul(input.n)?;
            }
            strides.push((table.base, of));
        }
        let sizes: Vec<u64> = inputs.iter().map(|input| input.n).collect();
        let name = format!("met {words} {sizes:?} {strides:?}");
        let base = match self.tables.named(&name) {
            Some(base) => base,
            None => {
                let read = rows.saturating_mul(u64::from(words) * tables.len() as u64);
                if !self.tables.pay_words(read) {
                    return None;
                }
                let mut cells = Vec::new();
                for row in 0..rows {
                    let mut starts: Vec<u64> =
                        strides.iter().map(|(base, _)| u64::from(*base)).collect();
                    let mut rest = row;
                    for (at, size) in sizes.iter().enumerate().rev() {
                        let digit = rest % size;
                        rest /= size;
                        for (start, (_, of)) in starts.iter_mut().zip(&strides) {
                            *start += digit * of.get(at)?;
                        }
                    }
                    for word in 0..u64::from(words) {
                        let cell = |start: &u64| {
                            let at = usize::try_from(start + word).ok()?;
                            self.code.data.get(at).copied()
                        };
                        let mut all = starts.iter().map(cell);
                        cells.push(all.try_fold(-1, |all, it| Some(all & it?))?);
                    }
                }
                self.named_data(&name, &cells)
            }
        };
        Some(Tabled {
            base,
            inputs: inputs.to_vec(),
            words,
            faults,
        })
    }

    /// A table for each value of one of its inputs.
    pub(super) fn split(&mut self, table: &Tabled, at: usize) -> Option<Vec<Tabled>> {
        let mut inputs = table.inputs.clone();
        let input = (at < inputs.len()).then(|| inputs.remove(at))?;
        let product = |of: &[Input]| of.iter().try_fold(1_u64, |all, it| all.checked_mul(it.n));
        let before = product(inputs.get(..at)?)?;
        let after = product(inputs.get(at..)?)?.checked_mul(u64::from(table.words))?;
        let tables = (0..input.n).map(|value| {
            let name = format!("split {} {value} {} {before} {after}", table.base, input.n);
            let base = match self.tables.named(&name) {
                Some(base) => base,
                None => {
                    let rows = (0..before).map(|row| {
                        let from = usize::try_from((row * input.n + value) * after).ok()?;
                        let from = from.checked_add(table.base as usize)?;
                        let to = from.checked_add(usize::try_from(after).ok()?)?;
                        self.code.data.get(from..to)
                    });
                    let rows: Vec<&[i64]> = rows.collect::<Option<_>>()?;
                    let cells = rows.concat();
                    let is_paid = self.tables.pay_words(cells.len() as u64);
                    is_paid.then(|| self.named_data(&name, &cells))?
                }
            };
            Some(Tabled {
                base,
                inputs: inputs.clone(),
                words: table.words,
                faults: false,
            })
        });
        tables.collect()
    }

    /// A table of the sets of all others.
    pub(super) fn complement(&mut self, table: &Tabled) -> Option<Tabled> {
        let name = format!("not {} {}", table.base, table.words);
        let base = match self.tables.named(&name) {
            Some(base) => base,
            None => {
                let cells: Vec<i64> = self.cells(table)?.iter().map(|it| !it).collect();
                let is_paid = self.tables.pay_words(cells.len() as u64);
                is_paid.then(|| self.named_data(&name, &cells))?
            }
        };
        Some(Tabled {
            base,
            ..table.clone()
        })
    }
}
