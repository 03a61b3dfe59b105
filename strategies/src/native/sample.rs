//! Finds members by number, and samples members. Both walk paths through counted states.

use super::count::state::{Branch, Counted, Part, State, StateForm, States};
use super::enumerate::slot_buffer;
use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::value::Value;

/// The path to the solution of a branch with a number; `None` if there is no such solution, or if the branch isn't
/// counted.
pub fn numbered(states: &mut States, branch: &Branch, number: u128) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    number_branch(states, branch, number, &mut path)?;
    Some(path)
}

fn number_branch(states: &mut States, branch: &Branch, mut number: u128, path: &mut Vec<u32>) -> Option<()> {
    let sizes = branch.parts.iter().map(|part| part.state.total()).collect::<Option<Vec<Int>>>()?;
    for (index, part) in branch.parts.iter().enumerate() {
        // The number of combinations of the later parts; the last part changes first. If it overflows, this part
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
    let branch = counted.branches.get(at)?;
    path.push(at as u32);
    number_branch(states, branch, number - before, path)
}

/// The branch that contains a number, if the sums don't fit into `u128`: they are added up again.
fn past(states: &mut States, counted: &Counted, number: u128) -> Option<(usize, u128)> {
    let mut before = Int::ZERO;
    for (at, branch) in counted.branches.iter().enumerate() {
        let sum = &before + &states.count_branch(branch).ok()?;
        if sum > Int::from(number) {
            return Some((at, before.to_u128()?));
        }
        before = sum;
    }
    None
}

/// A step of a random walk.
enum Step<'a> {
    /// A choice: the index of the branch or value.
    Chosen(u32),
    /// A scalar, and the offset to add to it.
    Scalar(&'a Value, i64),
    /// The end of a branch, and the offset of its keys: all its parts are sampled.
    Whole(&'a Branch, i64),
}

/// A pending step of a random walk. The next one is last.
enum Task<'a> {
    /// Sample a part of a branch whose keys have this offset.
    Part(&'a Part, i64),
    Whole(&'a Branch, i64),
}

/// Initial capacity of the lists of a walk. It suffices for most members.
const ROOM: usize = 32;

/// Samples a solution of a branch uniformly; `None` if a part is uncounted or has no solution. Values are built from
/// the leaves up, and each is written once.
pub fn sampled(branch: &Branch, dice: &mut Dice) -> Option<Vec<Value>> {
    let mut values = Vec::with_capacity(ROOM);
    walk(branch, dice, |step| match step {
        Step::Chosen(_) => {}
        Step::Scalar(value, 0) => values.push(value.clone()),
        Step::Scalar(value, by) => values.push(slot_buffer::with_offset(value, by)),
        Step::Whole(branch, by) => {
            let first = values.len() - branch.n_inner() as usize;
            if let [build] = &*branch.builds {
                let value = slot_buffer::assembled(build, &mut values[first..], by);
                values.truncate(first);
                values.push(value);
            } else {
                let mut inner = values.split_off(first);
                values
                    .extend(branch.builds.iter().map(|build| slot_buffer::assembled(build, &mut inner, by)));
            }
        }
    })?;
    Some(values)
}

/// The path to the solution that [`sampled`] returns for the same dice.
pub fn sampled_path(branch: &Branch, dice: &mut Dice) -> Option<Vec<u32>> {
    let mut path = Vec::new();
    walk(branch, dice, |step| {
        if let Step::Chosen(at) = step {
            path.push(at);
        }
    })?;
    Some(path)
}

fn walk<'a>(branch: &'a Branch, dice: &mut Dice, mut tell: impl FnMut(Step<'a>)) -> Option<()> {
    let mut tasks = Vec::with_capacity(ROOM);
    tasks.push(Task::Whole(branch, 0));
    tasks.extend(branch.parts.iter().rev().map(|part| Task::Part(part, 0)));
    while let Some(task) = tasks.pop() {
        let (part, by) = match task {
            Task::Part(part, by) => (part, by + part.offset),
            Task::Whole(branch, by) => {
                tell(Step::Whole(branch, by));
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
                // If low bits are dropped from the sums, a probability is off by less than one in 2^100.
                let number = dice.below(*counted.sums.last()?)?;
                let at = counted.sums.partition_point(|sum| *sum <= number);
                tell(Step::Chosen(at as u32));
                let branch = &counted.branches[at];
                tasks.push(Task::Whole(branch, by));
                tasks.extend(branch.parts.iter().rev().map(|part| Task::Part(part, by)));
            }
        }
    }
    Some(())
}
