//! Larger inputs, from valid ones by small changes.
//!
//! A list gets another element, a run of elements of another list, or equal ones, or a scalar is replaced. The judge decides whether
//! the spec admits the result. Results are changed again later. This is cheap, also for specs that are expensive to
//! plan, such as those of graphs.

use std::collections::HashSet;

use super::grown::{BOUNDARY_SIZES, SIZES, put};
use super::lists::{elements, is_list, list_of};
use super::scalars::{collect, size, with_scalars};
use super::source::{LARGEST, Source};
use super::trials::Trials;
use crate::cancel;
use crate::dice::Dice;
use crate::logic::collection::ordered;
use crate::logic::eval::admits;
use crate::logic::int::Int;
use crate::logic::ir::{SeqKind, Sort};
use crate::logic::part::{Part, parts, replaced};
use crate::logic::value::Value;
use crate::space::Space;

/// Number of changes that are tried for an input.
const ATTEMPTS: u32 = 32;

/// Maximum number of changes in a row that only together make an input valid, such as another node and its parent's count; and
/// percentage of invalid inputs that are changed further.
const MOST_TOGETHER: u32 = 3;
const FURTHER: u64 = 50;

/// Percentage of inputs that one change made invalid which are repaired by another one, as long as that works often enough; number of
/// repairs before that is decided; and number of scalars that are tried for one.
const REPAIRED: u64 = 30;
const FIRST_REPAIRS: u32 = 16;
const REPAIRING: usize = 12;

/// Maximum number of steps for an input, some milliseconds. Some specs take that for a few changes.
const MOST_STEPS: u64 = 30_000;

/// Between two inputs there are 1, 2, 4 or 8 changes: two to the power of a number below this.
const N_EXPONENTS: usize = 4;

/// Number of inputs of which one is changed.
const PICKED: usize = 3;

/// Maximum number of equal elements that are inserted at once.
const MOST_EQUAL: usize = 16;

/// Maximum number of inputs that are made at first, and of steps after which no more are.
const WARM_UP: usize = 16;
const WARM_UP_STEPS: u64 = 40_000;

/// Number of attempts after which it is decided whether inputs grow, and maximum number of attempts for each input that
/// they gave.
const MIN_TRIED: u32 = 16;
const MAX_TRIED_PER_INPUT: u32 = 8;

/// Of so many inputs, one is larger than the first ones, if inputs grow.
const GROWING: u32 = 4;

/// Valid inputs that grow.
pub(super) struct Extended {
    space: Space,
    sizes: &'static [u64],
    inputs: Vec<Vec<Value>>,
    n_tried: u32,
    n_made: u32,
    /// The size of the largest of the first inputs, and number of inputs made that are larger.
    first_size: u64,
    n_larger: u32,
    repairs: Trials,
    /// Number of changes tried, and of scalars in the results.
    pub(super) effort: (u64, u64),
}

impl Extended {
    /// Inputs that grow from these; `None` if they have no list.
    pub(super) fn new(
        space: &Space,
        source: Source,
        samples: &[Vec<Value>],
        dice: &mut Dice,
    ) -> Option<Extended> {
        let spec = space.spec();
        let has_list = |sample: &Vec<Value>| parts(spec, sample, false).iter().any(is_list);
        if !samples.iter().any(has_list) {
            return None;
        }
        let mut extended = Extended {
            space: space.clone(),
            sizes: match source {
                Source::Boundary => &BOUNDARY_SIZES,
                Source::Large => &SIZES,
            },
            inputs: Vec::new(),
            n_tried: 0,
            n_made: 0,
            first_size: samples.iter().map(|sample| sample.iter().map(size).sum()).max().unwrap_or(0),
            n_larger: 0,
            repairs: Trials::default(),
            effort: (0, 0),
        };
        samples.iter().for_each(|sample| extended.add(sample, dice));
        let before = cancel::steps();
        for _ in 0..WARM_UP {
            // With few changes, the first inputs would be smaller than later ones.
            extended.after_changes(1 << (N_EXPONENTS - 1), dice);
            if cancel::steps() - before > WARM_UP_STEPS {
                break;
            }
        }
        Some(extended)
    }

    /// Adds a valid input, which others may be made of.
    pub(super) fn add(&mut self, input: &[Value], dice: &mut Dice) {
        put(&mut self.inputs, input.to_vec(), dice);
    }

    /// Whether too few changes are valid.
    pub(super) fn is_over(&self) -> bool {
        self.n_tried >= MIN_TRIED && self.n_made * MAX_TRIED_PER_INPUT < self.n_tried
    }

    /// Whether inputs become larger than the first ones. Where two lists must grow together, they don't.
    pub(super) fn grows(&self) -> bool {
        self.n_larger * GROWING >= self.n_made
    }

    /// A valid input that differs from an earlier one, if this attempt makes one.
    pub(super) fn next(&mut self, dice: &mut Dice) -> Option<Vec<Value>> {
        let n_changes = 1_u32 << dice.index(N_EXPONENTS);
        self.after_changes(n_changes, dice)
    }

    /// A valid input with at most this many changes.
    fn after_changes(&mut self, n_changes: u32, dice: &mut Dice) -> Option<Vec<Value>> {
        self.n_tried += 1;
        let most = self.sizes[dice.index(self.sizes.len())];
        let mut args = self.picked(most, dice)?.clone();
        let mut n_valid = 0;
        let mut invalid: Option<(Vec<Value>, u32)> = None;
        let before = cancel::steps();
        for _ in 0..ATTEMPTS {
            if n_valid == n_changes || cancel::steps() - before > MOST_STEPS {
                break;
            }
            let (from, n_before) = invalid.take().map_or((None, 0), |(args, n)| (Some(args), n));
            let Some(changed) = self.changed(from.as_ref().unwrap_or(&args), dice) else { continue };
            let n_scalars: u64 = changed.iter().map(size).sum();
            if n_scalars > most {
                continue;
            }
            if changed == args {
                continue;
            }
            self.effort = (self.effort.0 + 1, self.effort.1 + n_scalars);
            if admits(self.space.spec(), &changed) {
                args = changed;
                n_valid += 1;
            } else if n_before == 0
                && dice.percent(REPAIRED)
                && let Some(repaired) =
                    self.repaired(&changed, before, dice).filter(|repaired| *repaired != args)
            {
                args = repaired;
                n_valid += 1;
            } else if n_before + 1 < MOST_TOGETHER && dice.percent(FURTHER) {
                invalid = Some((changed, n_before + 1));
            }
        }
        if n_valid == 0 {
            return None;
        }
        self.n_made += 1;
        self.n_larger += u32::from(args.iter().map(size).sum::<u64>() > self.first_size);
        put(&mut self.inputs, args.clone(), dice);
        Some(args)
    }

    /// The arguments with one integer that is less or greater by one, if the spec then admits them: a stored count follows a change.
    /// The steps count from those `before`.
    fn repaired(&mut self, args: &[Value], before: u64, dice: &mut Dice) -> Option<Vec<Value>> {
        if !self.repairs.are_worth_more(FIRST_REPAIRS) {
            return None;
        }
        let mut scalars = Vec::new();
        args.iter().for_each(|arg| collect(arg, &mut scalars));
        let is_int = |at: &usize| matches!(scalars[*at], Value::Int(_));
        let mut numbers: Vec<usize> = (0..scalars.len()).filter(is_int).collect();
        dice.shuffle(&mut numbers);
        let changes = numbers.into_iter().take(REPAIRING).flat_map(|at| [(at, Int::ONE), (at, -&Int::ONE)]);
        let changes = changes.take_while(|_| cancel::steps() - before <= MOST_STEPS);
        let spec = self.space.spec();
        let repaired = changes.map(|(at, by)| with_greater(args, at, &by)).find(|args| {
            self.effort = (self.effort.0 + 1, self.effort.1 + scalars.len() as u64);
            admits(spec, args)
        });
        self.repairs.note(repaired.is_some());
        repaired
    }

    /// The one of some inputs with the most different scalars, of those with room to grow to a size. Else they would grow by what
    /// is easy to add, as empty cells are.
    fn picked(&self, most: u64, dice: &mut Dice) -> Option<&Vec<Value>> {
        let some = (0..PICKED).filter_map(|_| self.inputs.get(dice.index(self.inputs.len().max(1))));
        some.max_by_key(|input| (input.iter().map(size).sum::<u64>() < most, n_different(input)))
    }

    /// The arguments with a small change, whether the spec admits it or not.
    fn changed(&self, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let spec = self.space.spec();
        let all = parts(spec, args, false);
        let lists: Vec<&Part<'_>> = all.iter().filter(|part| is_list(part)).collect();
        let list = lists.get(dice.index(lists.len().max(1)))?;
        // Percentages of insertions and of replacements with which a number becomes greater.
        let counted = if numbers_outside_lists(args).is_empty() { [30, 40] } else { [50, 60] };
        let changed = match dice.index(8) {
            0 => with_other_scalar(args, dice),
            kind @ 1..=4 => {
                let run =
                    if kind < 3 { self.run(list, dice)? } else { vec![self.element(list, args, dice)?] };
                let n_more = run.len();
                let at = self.place(list, run.first()?, args, dice);
                let made = replaced(args, &list.path, inserted(list.value, run, at)?);
                // A number may say how many elements there are, or are in use.
                if dice.percent(counted[0]) { with_greater_scalar(&made, n_more, dice) } else { made }
            }
            _ => {
                let element = self.element(list, args, dice)?;
                let last = elements(list.value).len().checked_sub(1)?;
                let at = self.place(list, &element, args, dice).min(last);
                let made = replaced(args, &list.path, with_element(list.value, element, at)?);
                if dice.percent(counted[1]) { with_greater_scalar(&made, 1, dice) } else { made }
            }
        };
        let in_order =
            changed.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
        Some(in_order.collect())
    }

    /// Consecutive elements of a list of the same type, or equal ones.
    fn run(&self, list: &Part<'_>, dice: &mut Dice) -> Option<Vec<Value>> {
        let other = self.alike(list, dice)?;
        let from = dice.index(other.len());
        if dice.percent(30) {
            return Some(vec![other[from].clone(); 2 + dice.index(MOST_EQUAL - 1)]);
        }
        let len = 1 + dice.index(other.len() - from);
        Some(other[from..from + len].to_vec())
    }

    /// The elements of a list of the same type that has some.
    fn alike(&self, list: &Part<'_>, dice: &mut Dice) -> Option<Vec<Value>> {
        let input = self.inputs.get(dice.index(self.inputs.len().max(1)))?;
        let all = parts(self.space.spec(), input, false);
        let is_alike = |part: &&Part<'_>| part.refined.sort == list.refined.sort;
        let found: Vec<Vec<Value>> = all
            .iter()
            .filter(is_alike)
            .map(|part| elements(part.value))
            .filter(|all| !all.is_empty())
            .collect();
        found.get(dice.index(found.len().max(1))).cloned()
    }

    /// A position in a list: where an element is in order, where a stored number says, or anywhere.
    fn place(&self, list: &Part<'_>, element: &Value, args: &[Value], dice: &mut Dice) -> usize {
        let all = elements(list.value);
        let stored = numbers_outside_lists(args).into_iter().filter_map(|(_, n)| n.to_usize());
        let within: Vec<usize> = stored.filter(|n| *n <= all.len()).collect();
        let stored = if within.is_empty() { None } else { Some(within[dice.index(within.len())]) };
        match (dice.index(3), stored) {
            (1, Some(at)) => at,
            (2, _) => dice.index(all.len() + 1),
            (1, None) if dice.percent(50) => dice.index(all.len() + 1),
            _ => all.iter().position(|other| is_less(element, other)).unwrap_or(all.len()),
        }
    }

    /// A new element for a list: like another one, with other scalars.
    fn element(&self, list: &Part<'_>, args: &[Value], dice: &mut Dice) -> Option<Value> {
        let own = elements(list.value);
        let others = if own.is_empty() || dice.percent(25) { self.alike(list, dice) } else { None };
        let others = others.unwrap_or(own);
        let like = match others.get(dice.index(others.len().max(1))) {
            Some(like) => like.clone(),
            None => plainest(&list.refined.sort)?,
        };
        let mut scalars = Vec::new();
        args.iter().for_each(|arg| collect(arg, &mut scalars));
        let n = elements(list.value).len() as u64;
        Some(with_scalars(&like, &mut |old| {
            if dice.percent(40) { old.clone() } else { other(old, &scalars, n, dice) }
        }))
    }
}

/// A scalar of a kind: near to one of some others, or at most `n`.
fn other(old: &Value, scalars: &[Value], n: u64, dice: &mut Dice) -> Value {
    let same: Vec<&Value> = scalars
        .iter()
        .filter(|other| std::mem::discriminant(*other) == std::mem::discriminant(old))
        .collect();
    let found = same.get(dice.index(same.len().max(1))).map_or(old, |found| *found);
    match (old, found) {
        (Value::Int(_), Value::Int(found)) => Value::Int(match dice.index(8) {
            0 => found - &Int::ONE,
            1 => found + &Int::ONE,
            2 | 3 => Int::from(dice.index(n as usize + 2) as u64),
            4 => Int::from(dice.index(8 * (n as usize + 2)) as u64),
            _ => found.clone(),
        }),
        (_, found) => found.clone(),
    }
}

/// The arguments with another scalar at one position, as often outside of lists as anywhere.
fn with_other_scalar(args: &[Value], dice: &mut Dice) -> Vec<Value> {
    let mut scalars = Vec::new();
    args.iter().for_each(|arg| collect(arg, &mut scalars));
    let outside = numbers_outside_lists(args);
    let anywhere = dice.index(scalars.len().max(1));
    let at = match outside.get(dice.index(outside.len().max(1))) {
        Some((at, _)) if dice.percent(50) => *at,
        _ => anywhere,
    };
    let (mut place, n) = (0.., scalars.len() as u64);
    let mut replace = |old: &Value| {
        if place.next() == Some(at) { other(old, &scalars, n, dice) } else { old.clone() }
    };
    args.iter().map(|arg| with_scalars(arg, &mut replace)).collect()
}

/// The arguments in which one integer is greater by so many, mostly one outside of lists.
fn with_greater_scalar(args: &[Value], by: usize, dice: &mut Dice) -> Vec<Value> {
    let mut scalars = Vec::new();
    args.iter().for_each(|arg| collect(arg, &mut scalars));
    let outside: Vec<usize> = numbers_outside_lists(args).into_iter().map(|(at, _)| at).collect();
    let anywhere = || (0..scalars.len()).filter(|at| matches!(scalars[*at], Value::Int(_))).collect();
    let numbers: Vec<usize> = if outside.is_empty() || dice.percent(20) { anywhere() } else { outside };
    match numbers.get(dice.index(numbers.len().max(1))) {
        Some(at) => with_greater(args, *at, &Int::from(by as u64)),
        None => args.to_vec(),
    }
}

/// The arguments in which the integer at a position among all scalars is greater.
fn with_greater(args: &[Value], at: usize, by: &Int) -> Vec<Value> {
    let mut place = 0..;
    let mut replace = |old: &Value| match (place.next() == Some(at), old) {
        (true, Value::Int(n)) => Value::Int(n + by),
        _ => old.clone(),
    };
    args.iter().map(|arg| with_scalars(arg, &mut replace)).collect()
}

/// The integers that are in no list, with their positions among all scalars: they may say how many elements there are,
/// or where one is.
fn numbers_outside_lists(args: &[Value]) -> Vec<(usize, Int)> {
    fn add(value: &Value, at: &mut usize, found: &mut Vec<(usize, Int)>) {
        match value {
            Value::Int(n) => {
                found.push((*at, n.clone()));
                *at += 1;
            }
            Value::Bool(_) | Value::Char(_) | Value::Float(_) => *at += 1,
            Value::Str(_) | Value::Seq(_) => {
                let mut scalars = Vec::new();
                collect(value, &mut scalars);
                *at += scalars.len();
            }
            Value::Tuple(parts) | Value::Data(_, parts) => {
                parts.iter().for_each(|part| add(part, at, found));
            }
        }
    }
    let (mut at, mut found) = (0, Vec::new());
    args.iter().for_each(|arg| add(arg, &mut at, &mut found));
    found
}

/// The list with more elements from a position on; `None` if there are too many.
fn inserted(list: &Value, run: Vec<Value>, at: usize) -> Option<Value> {
    let mut all = elements(list);
    if all.len() + run.len() > LARGEST as usize {
        return None;
    }
    all.splice(at..at, run);
    Some(list_of(list, all))
}

/// The list with another element at one position; `None` if it is shorter.
fn with_element(list: &Value, element: Value, at: usize) -> Option<Value> {
    let mut all = elements(list);
    *all.get_mut(at)? = element;
    Some(list_of(list, all))
}

/// Number of different scalars.
fn n_different(args: &[Value]) -> usize {
    let mut scalars = Vec::new();
    args.iter().for_each(|arg| collect(arg, &mut scalars));
    scalars.into_iter().collect::<HashSet<Value>>().len()
}

/// Whether the first of two scalars is less; `false` for others.
fn is_less(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a < b,
        (Value::Char(a), Value::Char(b)) => a < b,
        _ => false,
    }
}

/// A first element for a list of a sort whose elements need no choice.
fn plainest(list: &Sort) -> Option<Value> {
    let element = match list {
        Sort::Seq(element, _) | Sort::Set(element, _) => &element.sort,
        Sort::Str(_) => return Some(Value::Char('a')),
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => return None,
        Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => return None,
    };
    match element {
        Sort::Bool => Some(Value::Bool(false)),
        Sort::Char => Some(Value::Char('a')),
        Sort::Int(_) => Some(Value::int(0)),
        Sort::Float(_) => Some(Value::Float(0.0)),
        Sort::Str(_) => Some(Value::str("")),
        Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter)
        | Sort::Set(..)
        | Sort::Map(..) => Some(Value::Seq([].into())),
        Sort::Seq(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::ir::{Clause, CompareOp, IntKind, Param, Refined, Spec, Term};
    use crate::space::Bounds;

    /// Lists of integers with another integer, which satisfy a condition.
    fn lists(term: Term) -> Space {
        let int = Refined::plain(Sort::Int(IntKind::I64));
        let list = Refined::plain(Sort::Seq(Box::new(int.clone()), SeqKind::Vec));
        let param = |name: &str, refined| Param { name: name.to_owned(), refined, mutable: false };
        let requires = vec![Clause { id: 0, text: String::new(), term }];
        let params = vec![param("xs", list), param("n", int)];
        let spec = Spec { params, requires, ..Spec::unrefined("") };
        Space::new(Arc::new(spec), Bounds { depth: 2, bound: 2 })
    }

    #[test]
    fn valid_inputs_grow_in_length_and_variety() {
        // The integer is at most as great as the list is long.
        let len = Term::Len(Box::new(Term::Var(0)));
        let space = lists(Term::Compare(CompareOp::Le, Box::new(Term::Var(1)), Box::new(len)));
        let mut dice = Dice::new(0, 0);
        let sample = vec![Value::Seq([Value::int(3)].into()), Value::int(1)];
        let mut extended =
            Extended::new(&space, Source::Large, std::slice::from_ref(&sample), &mut dice).expect("a list");
        let made: Vec<Vec<Value>> = (0..100).filter_map(|_| extended.next(&mut dice)).collect();
        assert!(made.len() > 50 && !extended.is_over(), "{}", made.len());
        assert!(made.iter().all(|args| admits(space.spec(), args) && *args != sample));
        let greatest = |of: fn(&[Value]) -> usize| made.iter().map(|args| of(args)).max();
        assert!(greatest(|args| elements(&args[0]).len()) > Some(20));
        assert!(greatest(n_different) > Some(8));
        // The number follows the length.
        let has_grown = |args: &Vec<Value>| matches!(&args[1], Value::Int(n) if *n > Int::from(3));
        assert!(made.iter().any(has_grown));
    }

    #[test]
    fn a_number_outside_of_lists_becomes_greater_more_often_than_an_element() {
        let args = [Value::Seq([3, 3, 3].map(Value::int).into()), Value::int(1)];
        let stays = |seed: &u64| with_greater_scalar(&args, 2, &mut Dice::new(*seed, 0))[0] == args[0];
        let n_outside = (0..100).filter(stays).count();
        assert!((60..100).contains(&n_outside), "{n_outside}");
        assert_eq!(numbers_outside_lists(&args), [(3, Int::ONE)]);
    }

    #[test]
    fn changes_are_often_outside_of_lists_and_runs_often_of_equal_elements() {
        let args = [Value::Seq([3, 4, 5, 6].map(Value::int).into()), Value::int(1)];
        let changes = |seed: &u64| with_other_scalar(&args, &mut Dice::new(*seed, 0))[1] != args[1];
        let n_outside = (0..400).filter(changes).count();
        assert!(n_outside > 120, "{n_outside}");
        let space = lists(Term::Lit(Value::Bool(true)));
        let mut dice = Dice::new(0, 0);
        let mut extended = Extended::new(&space, Source::Large, &[args.to_vec()], &mut dice).expect("a list");
        extended.inputs = vec![args.to_vec()];
        let all = parts(space.spec(), &args, false);
        let list = all.iter().find(|part| is_list(part)).expect("the first argument is a list");
        let runs: Vec<Vec<Value>> = (0..100).filter_map(|_| extended.run(list, &mut dice)).collect();
        let n_equal =
            runs.iter().filter(|run| run.len() > 1 && run.iter().all(|item| *item == run[0])).count();
        assert!((15..50).contains(&n_equal), "{n_equal}");
    }

    #[test]
    fn an_input_that_stays_as_it_is_is_not_another_one() {
        let (list, mut dice) = (Value::Seq([Value::int(3), Value::int(3)].into()), Dice::new(0, 0));
        let is = |slot, value: Value| Term::Equal(Box::new(Term::Var(slot)), Box::new(Term::Lit(value)));
        let space = lists(Term::And(vec![is(0, list.clone()), is(1, Value::int(3))]));
        let sample = [vec![list, Value::int(3)]];
        let mut extended = Extended::new(&space, Source::Large, &sample, &mut dice).expect("a list");
        assert!((0..100).all(|_| extended.next(&mut dice).is_none()));
        assert!(extended.is_over());
    }

    #[test]
    fn a_count_that_a_change_breaks_is_repaired() {
        // The integer says how many elements are there.
        let len = Term::Len(Box::new(Term::Var(0)));
        let space = lists(Term::Equal(Box::new(Term::Var(1)), Box::new(len)));
        let mut dice = Dice::new(0, 0);
        let sample = vec![Value::Seq([Value::int(3)].into()), Value::int(1)];
        let mut extended = Extended::new(&space, Source::Large, &[sample], &mut dice).expect("a list");
        let broken = [Value::Seq([Value::int(3), Value::int(5)].into()), Value::int(1)];
        extended.repairs = Trials::default();
        let repaired = (0..10).find_map(|_| extended.repaired(&broken, cancel::steps(), &mut dice));
        assert_eq!(repaired, Some(vec![broken[0].clone(), Value::int(2)]));
        // What no single step repairs is given up after some attempts.
        let broken = [Value::Seq([3, 5, 7].map(Value::int).into()), Value::int(1)];
        assert!((0..200).all(|_| extended.repaired(&broken, cancel::steps(), &mut dice).is_none()));
        assert!(!extended.repairs.are_worth_more(FIRST_REPAIRS));
    }

    #[test]
    fn without_a_list_nothing_grows() {
        let param = Param { name: String::new(), refined: Refined::plain(Sort::Bool), mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 2, bound: 2 });
        let samples = [vec![Value::Bool(true)]];
        assert!(Extended::new(&space, Source::Large, &samples, &mut Dice::new(0, 0)).is_none());
    }
}
