//! Members by number, and members drawn: paths through states that were counted.

use super::state::{Counted, State, StateForm, States, Way};
use crate::int::Int;

/// The path to the solution of a way with a number; none if it has not so many, or isn't counted.
pub fn numbered(states: &mut States, way: &Way, number: u128) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    number_way(states, way, number, &mut path)?;
    Some(path)
}

fn number_way(states: &mut States, way: &Way, mut number: u128, path: &mut Vec<u32>) -> Option<()> {
    let sizes = way.parts.iter().map(|part| part.state.total()).collect::<Option<Vec<Int>>>()?;
    for (index, part) in way.parts.iter().enumerate() {
        // What the parts behind come to: the last of them changes first. If that is more than any number, this one
        // doesn't change.
        let product = |product: u128, n: &Int| product.checked_mul(n.to_u128()?);
        let behind = sizes[index + 1..].iter().try_fold(1, product);
        let here = behind.map_or(0, |behind| number / behind.max(1));
        number = behind.map_or(number, |behind| number % behind.max(1));
        number_state(states, &part.state, here, path)?;
    }
    (number == 0).then_some(())
}

fn number_state(states: &mut States, state: &State, number: u128, path: &mut Vec<u32>) -> Option<()> {
    if let StateForm::Leaf(values) = &state.form {
        path.push(u32::try_from(number).ok().filter(|at| (*at as usize) < values.len())?);
        return Some(());
    }
    let counted = state.counted()?.clone();
    let (at, before) = if counted.shift == 0 {
        let at = counted.sums.partition_point(|sum| *sum <= number);
        (at, at.checked_sub(1).map_or(0, |last| counted.sums[last]))
    } else {
        past(states, &counted, number)?
    };
    let way = counted.ways.get(at)?;
    path.push(at as u32);
    number_way(states, way, number - before, path)
}

/// The way that a number falls into, where sums are too long to be kept: they are added up again.
fn past(states: &mut States, counted: &Counted, number: u128) -> Option<(usize, u128)> {
    let mut before = Int::ZERO;
    for (at, way) in counted.ways.iter().enumerate() {
        let sum = &before + &states.count_way(way).ok()?;
        if sum > Int::from(number) {
            return Some((at, before.to_u128()?));
        }
        before = sum;
    }
    None
}

/// The index of the way or value to go on with such that all solutions of a state are equally likely; none if it isn't
/// counted, or has none.
pub fn drawn(state: &State, dice: &mut Dice) -> Option<u32> {
    match &state.form {
        StateForm::Leaf(values) => Some(dice.below(values.len() as u128)? as u32),
        StateForm::Open(_) => {
            let counted = state.counted()?;
            // With bits left out of the sums, the odds are off by less than one in 2^100.
            let number = dice.below(*counted.sums.last()?)?;
            Some(counted.sums.partition_point(|sum| *sum <= number) as u32)
        }
    }
}

/// Random numbers that a seed decides: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of a seed, for one draw of many.
    pub fn new(seed: u64, index: u64) -> Dice {
        let mut dice = Dice(seed);
        let salt = dice.next();
        Dice(salt ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below another, each equally likely; none if there is none.
    fn below(&mut self, n: u128) -> Option<u128> {
        let greatest = n.checked_sub(1)?;
        let bits = u128::BITS - greatest.leading_zeros();
        loop {
            let random = if bits > 64 {
                (u128::from(self.next()) << 64) | u128::from(self.next())
            } else {
                u128::from(self.next())
            };
            let random = if bits == 0 { 0 } else { random & (u128::MAX >> (u128::BITS - bits)) };
            if random <= greatest {
                return Some(random);
            }
        }
    }
}
