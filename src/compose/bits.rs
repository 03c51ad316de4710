//! Sets of units, for what stands on what.

/// A set of units.
#[derive(Clone)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn new(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    pub(super) fn has(&self, at: usize) -> bool {
        self.0
            .get(at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Adds `from` and all that its own set holds to the set of `to`.
    pub(super) fn inherit(sets: &mut [Bits], to: usize, from: usize) {
        let inherited = sets.get(from).cloned();
        let Some(set) = sets.get_mut(to) else { return };
        if let Some(word) = set.0.get_mut(from / 64) {
            *word |= 1 << (from % 64);
        }
        for (word, more) in set.0.iter_mut().zip(inherited.iter().flat_map(|it| &it.0)) {
            *word |= more;
        }
    }
}
