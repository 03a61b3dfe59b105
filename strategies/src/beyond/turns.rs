//! The styles of new scalars, in turn, so that each is among the first inputs.

/// How the free scalars of an input relate to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sharing {
    /// They keep their order with all others, so equal ones stay equal.
    InOrder,
    /// Those of a sort have the same few values.
    Values,
    /// The scalars at each node have values of their own.
    Nothing,
}

/// What new values of free scalars are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// Number of new values.
    pub n_labels: usize,
    /// Percentage of scalars that keep their value.
    pub kept: u64,
    /// Percentage of scalars that repeat the one before.
    pub repeated: u64,
}

/// How free scalars relate to others, in turn. The second list is for inputs that also have ordered scalars: a key next to a tree is
/// more interesting if it is in the tree.
const SHARING: [Sharing; 4] = [Sharing::Nothing, Sharing::InOrder, Sharing::Values, Sharing::InOrder];
const SHARING_BESIDE_ORDER: [Sharing; 4] =
    [Sharing::InOrder, Sharing::InOrder, Sharing::Values, Sharing::Nothing];

/// Number of styles.
pub(super) const STYLES: usize = 8;

/// The styles: number of new values, and percentages of kept and repeated ones.
const ALL: [(usize, u64, u64); STYLES] =
    [(24, 0, 0), (1, 0, 0), (4, 10, 0), (2, 50, 0), (24, 0, 80), (2, 0, 0), (1, 80, 0), (24, 10, 0)];

/// Number of styles between those of two sets of values of one input.
const NEXT: usize = 3;

/// What new integers are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Magnitude {
    /// They have any number of bits, and some are constants.
    Any,
    /// They are any that the type admits, so that most are huge.
    Uniform,
    /// The same where there are at most 256, as in bytes. Others have any number of bits.
    UniformIfFew,
    /// Most are the least or greatest ones of the type: what is added up carries or overflows.
    Limits,
}

/// Of so many inputs, the first one has uniform integers, one has limits, and two have uniform bytes.
const INPUTS: usize = 7;
const LIMITS: usize = 5;
const BYTES: [usize; 2] = [3, 6];

/// What comes next.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// Number of inputs.
    n_inputs: usize,
    /// Number of those whose free scalars share nothing, and share values.
    n_free: [usize; 2],
    /// Number of inputs for which it was decided what their integers are like.
    n_decided: usize,
}

impl Turns {
    /// How the free scalars of the next input relate to others; `has_order` says whether it has ordered scalars, too.
    pub fn sharing(&mut self, has_order: bool) -> Sharing {
        // Other changes of inputs take turns, too. So this order moves by one after each eight.
        let turn = self.n_inputs + self.n_inputs / 8;
        self.n_inputs += 1;
        let order = if has_order { SHARING_BESIDE_ORDER } else { SHARING };
        order[turn % order.len()]
    }

    /// The style of the first new values of such an input.
    pub fn first_style(&mut self, sharing: Sharing) -> usize {
        let n = &mut self.n_free[usize::from(sharing == Sharing::Values)];
        *n += 1;
        (*n - 1) % STYLES
    }

    /// What the integers of the next input are like.
    pub fn magnitude(&mut self) -> Magnitude {
        self.n_decided += 1;
        match self.n_decided % INPUTS {
            1 => Magnitude::Uniform,
            LIMITS => Magnitude::Limits,
            n if BYTES.contains(&n) => Magnitude::UniformIfFew,
            _ => Magnitude::Any,
        }
    }
}

/// The style of the set of values with this index in an input whose first set has style `first`.
pub(super) fn style(first: usize, index: usize) -> Style {
    let (n_labels, kept, repeated) = ALL[(first + NEXT * index) % STYLES];
    Style { n_labels, kept, repeated }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn all_combinations_come() {
        for has_order in [false, true] {
            let mut turns = Turns::default();
            let (mut styles, mut magnitudes) = (HashSet::new(), HashSet::new());
            for _ in 0..128 {
                let sharing = turns.sharing(has_order);
                magnitudes.insert((sharing, turns.magnitude()));
                if sharing != Sharing::InOrder {
                    styles.insert((sharing, turns.first_style(sharing)));
                }
            }
            assert_eq!((styles.len(), magnitudes.len()), (2 * STYLES, 12), "{styles:?} {magnitudes:?}");
        }
    }

    #[test]
    fn changes_that_take_turns_of_eight_meet_each_sharing() {
        let mut turns = Turns::default();
        let met: HashSet<(usize, Sharing)> = (0..64).map(|index| (index % 8, turns.sharing(false))).collect();
        assert_eq!(met.len(), 8 * 3);
    }

    #[test]
    fn the_first_input_has_many_values() {
        let mut turns = Turns::default();
        assert_eq!(turns.sharing(false), Sharing::Nothing);
        let first = turns.first_style(Sharing::Nothing);
        assert_eq!(style(first, 0), Style { n_labels: 24, kept: 0, repeated: 0 });
        assert_ne!(style(first, 1), style(first, 0));
    }
}
