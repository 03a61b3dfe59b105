//! Members by number, and members drawn: paths through states that were counted.

use super::sheet;
use super::state::{Counted, Part, State, StateForm, States, Way};
use crate::int::Int;
use crate::value::Value;

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

/// What a draw comes by.
enum Step<'a> {
    /// A choice: the index of the way or value.
    Chosen(u32),
    /// A scalar, moved by so much.
    Scalar(&'a Value, i64),
    /// The end of a way, the keys of which are moved by so much: all its parts were drawn.
    Whole(&'a Way, i64),
}

/// What is left of a draw; the next comes last.
enum Task<'a> {
    /// To draw a part of a way whose keys are moved by so much.
    Part(&'a Part, i64),
    Whole(&'a Way, i64),
}

/// Draws mostly get along with so much room.
const ROOM: usize = 32;

/// The values of a solution of a way, drawn such that each is equally likely; none if not all of it is counted, or there is
/// none. They are put together from the leaves up, each written once.
pub fn drawn(way: &Way, dice: &mut Dice) -> Option<Vec<Value>> {
    let mut values = Vec::with_capacity(ROOM);
    draw(way, dice, |step| match step {
        Step::Chosen(_) => {}
        Step::Scalar(value, 0) => values.push(value.clone()),
        Step::Scalar(value, by) => values.push(sheet::moved(value, by)),
        Step::Whole(way, by) => {
            let first = values.len() - way.n_inner() as usize;
            if let [build] = &*way.builds {
                let value = sheet::assembled(build, &mut values[first..], by);
                values.truncate(first);
                values.push(value);
            } else {
                let mut inner = values.split_off(first);
                values.extend(way.builds.iter().map(|build| sheet::assembled(build, &mut inner, by)));
            }
        }
    })?;
    Some(values)
}

/// The path to the same solution.
pub fn drawn_path(way: &Way, dice: &mut Dice) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    draw(way, dice, |step| {
        if let Step::Chosen(at) = step {
            path.push(at);
        }
    })?;
    Some(path)
}

fn draw<'a>(way: &'a Way, dice: &mut Dice, mut tell: impl FnMut(Step<'a>)) -> Option<()> {
    let mut tasks = Vec::with_capacity(ROOM);
    tasks.push(Task::Whole(way, 0));
    tasks.extend(way.parts.iter().rev().map(|part| Task::Part(part, 0)));
    while let Some(task) = tasks.pop() {
        let (part, by) = match task {
            Task::Part(part, by) => (part, by + part.moved),
            Task::Whole(way, by) => {
                tell(Step::Whole(way, by));
                continue;
            }
        };
        match &part.state.form {
            StateForm::Leaf(values) => {
                let at = dice.below(values.len() as u128)?;
                tell(Step::Chosen(at as u32));
                tell(Step::Scalar(&values[at as usize], if part.is_key { by } else { 0 }));
            }
            StateForm::Open(_) => {
                let counted = part.state.counted()?;
                // With bits left out of the sums, the odds are off by less than one in 2^100.
                let number = dice.below(*counted.sums.last()?)?;
                let at = counted.sums.partition_point(|sum| *sum <= number);
                tell(Step::Chosen(at as u32));
                let way = &counted.ways[at];
                tasks.push(Task::Whole(way, by));
                tasks.extend(way.parts.iter().rev().map(|part| Task::Part(part, by)));
            }
        }
    }
    Some(())
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
        match u64::try_from(n) {
            Ok(0) => None,
            Ok(n) => Some(self.below_u64(n).into()),
            Err(_) => Some(self.below_u128(n)),
        }
    }

    /// By multiplication, which hardly ever has to be tried again (Lemire 2019).
    fn below_u64(&mut self, n: u64) -> u64 {
        loop {
            let product = u128::from(self.next()) * u128::from(n);
            let rest = product as u64;
            if rest >= n || rest >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// By trying again, which happens every second time at most.
    fn below_u128(&mut self, n: u128) -> u128 {
        let greatest = n - 1;
        let bits = u128::BITS - greatest.leading_zeros();
        loop {
            let random = (u128::from(self.next()) << 64) | u128::from(self.next());
            let random = random & (u128::MAX >> (u128::BITS - bits));
            if random <= greatest {
                return random;
            }
        }
    }
}
