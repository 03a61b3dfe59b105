//! Shrinks scalars with the structure fixed: one at a time, all equal ones, and two or all by the same distance.

use crate::logic::eval;
use crate::logic::int::Int;
use crate::logic::ir::Spec;
use crate::logic::value::Value;
use crate::space::{FIRST_CHARS, Skeleton, assemble, scalars_of, skeleton_of};

/// Maximum number of scalars that are shifted in pairs. The number of pairs is quadratic.
const MAX_PAIRED: usize = 24;

/// Maximum number of integers tried to find one that the spec admits.
const NEAREST: usize = 64;

/// The magnitude from which on an `f64` has no fraction: 2^52.
const ALL_INTEGERS: f64 = 4_503_599_627_370_496.0;

/// The distance of a scalar from the simplest of its sort, as a natural number.
pub fn magnitude(scalar: &Value) -> Int {
    match scalar {
        Value::Bool(b) => Int::from(i64::from(*b)),
        Value::Int(n) => {
            let twice = &n.abs() + &n.abs();
            if n.is_negative() { &twice + &Int::ONE } else { twice }
        }
        Value::Char(c) => {
            let first = FIRST_CHARS.iter().position(|first| first == c);
            Int::from(first.map_or(i64::from(u32::from(*c)) + FIRST_CHARS.len() as i64, |at| at as i64))
        }
        Value::Float(x) => float_magnitude(*x),
        Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => Int::ZERO,
    }
}

/// Counts the bits of the fraction, then the integral part, then the sign. Infinities and NaN come last.
fn float_magnitude(x: f64) -> Int {
    if !x.is_finite() {
        return &Int::power_of_two(2048) + &Int::from(i64::from(x.is_nan()));
    }
    let whole = if x.abs() < ALL_INTEGERS {
        Int::from(x.abs().trunc() as i64)
    } else {
        // The code of a float grows with the float.
        &Int::from(ALL_INTEGERS as i64) + &Int::from((x.abs().to_bits() - ALL_INTEGERS.to_bits()) as i64)
    };
    let mut fraction = x.abs().fract();
    let mut n_bits = 0i64;
    while fraction != 0.0 {
        fraction = (fraction * 2.0).fract();
        n_bits += 1;
    }
    let whole = &(&whole + &whole) + &Int::from(i64::from(x.is_sign_negative()));
    &(&Int::power_of_two(66) * &Int::from(n_bits)) + &whole
}

/// Simpler scalars to try, boldest first.
fn simpler(scalar: &Value) -> Vec<Value> {
    let candidates: Vec<Value> = match scalar {
        Value::Bool(true) => vec![Value::Bool(false)],
        Value::Int(n) => simpler_ints(n).into_iter().map(Value::Int).collect(),
        Value::Char(c) => simpler_chars(*c).into_iter().map(Value::Char).collect(),
        Value::Float(x) => simpler_floats(*x).into_iter().map(Value::Float).collect(),
        Value::Bool(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) | Value::Data(..) => Vec::new(),
    };
    let own = magnitude(scalar);
    candidates.into_iter().filter(|candidate| magnitude(candidate) < own).collect()
}

/// Zero, the number without its sign, then halving steps towards zero, then fewer or lower decimal digits, which keep remainders by
/// round numbers.
fn simpler_ints(n: &Int) -> Vec<Int> {
    let mut candidates = vec![Int::ZERO, n.abs()];
    candidates.extend(halvings(n).into_iter().map(|step| n - &step));
    let powers = std::iter::successors(Some(Int::from(10)), |power| Some(power * &Int::from(10)));
    let powers: Vec<Int> = powers.take_while(|power| *power <= n.abs()).collect();
    for power in powers.iter().rev() {
        candidates.extend(n.rem_trunc(power));
        let unit = if n.is_negative() { -power } else { power.clone() };
        candidates.extend([5, 2, 1].map(|digit| n - &(&unit * &Int::from(digit))));
    }
    candidates
}

/// `n / 2`, `n / 4`, .., 1 (or -1), and 2 again, for numbers that must stay even or odd.
fn halvings(n: &Int) -> Vec<Int> {
    let two = Int::from(2);
    let mut steps = Vec::new();
    let mut step = n.clone();
    while let Some(half) = step.div_trunc(&two).filter(|half| !half.is_zero()) {
        steps.push(half.clone());
        step = half;
    }
    if !n.is_zero() {
        let unit = if n.is_negative() { Int::from(-1) } else { Int::ONE };
        steps.push(unit.clone());
        steps.push(&unit + &unit);
    }
    steps
}

fn simpler_chars(c: char) -> Vec<char> {
    let mut candidates = FIRST_CHARS.to_vec();
    candidates.extend(c.to_lowercase());
    candidates.push(if c.is_ascii_digit() { '1' } else { 'c' });
    let code = Int::from(i64::from(u32::from(c)));
    let steps = halvings(&code).into_iter().filter_map(|step| (&code - &step).to_i64());
    candidates.extend(steps.filter_map(|code| u32::try_from(code).ok().and_then(char::from_u32)));
    candidates
}

fn simpler_floats(x: f64) -> Vec<f64> {
    let mut candidates = vec![0.0, 1.0];
    if x.is_finite() {
        candidates.extend([x.abs(), x.trunc()]);
        for scale in [1.0, 2.0, 4.0, 16.0, 1024.0] {
            candidates.extend([(x * scale).floor() / scale, (x * scale).ceil() / scale]);
        }
        candidates.push(x / 2.0);
        // Halving steps towards zero, down to the last bit of an integer.
        let steps = std::iter::successors(Some(x / 4.0), |step| Some(step / 2.0));
        candidates.extend(steps.take_while(|step| step.abs() >= 1.0).take(64).map(|step| x - step));
        candidates.push(x - x.signum());
    } else {
        // The judge rejects values that the type doesn't have.
        candidates.extend([f64::from(f32::MAX), f64::from(f32::MIN), f64::MAX, f64::MIN, f64::INFINITY]);
    }
    candidates
}

/// Argument tuples with smaller scalars, boldest first.
pub fn candidates<'s>(spec: &'s Spec, args: &[Value]) -> impl Iterator<Item = Vec<Value>> + use<'s> {
    let (skeleton, scalars) = (skeleton_of(args), scalars_of(args));
    let (singly, pairs, like) = (scalars.clone(), scalars.clone(), skeleton.clone());
    let groups = equal_groups(&scalars).into_iter().flat_map(move |group| {
        let smaller = simpler(&scalars[group[0]]).into_iter();
        let scalars = scalars.clone();
        smaller.map(move |value| {
            let mut scalars = scalars.clone();
            group.iter().for_each(|at| scalars[*at] = value.clone());
            scalars
        })
    });
    let single = (0..singly.len()).flat_map(move |at| {
        let smaller = simpler(&singly[at]).into_iter();
        let (scalars, skeleton) = (singly.clone(), like.clone());
        smaller.map(move |value| {
            let mut scalars = scalars.clone();
            let old = std::mem::replace(&mut scalars[at], value);
            find_admitted(spec, &skeleton, &mut scalars, at, &old);
            scalars
        })
    });
    let shifted = std::iter::once_with(move || shifted_together(pairs)).flatten();
    groups.chain(single).chain(shifted).map(move |scalars| assemble(&skeleton, &scalars))
}

/// Moves a shrunk integer back towards its old value, by single steps, until the spec admits it. So multiples of ten
/// shrink to multiples of ten. If none of the nearest is admitted, it stays.
fn find_admitted(spec: &Spec, skeleton: &Skeleton, scalars: &mut [Value], at: usize, old: &Value) {
    let (Value::Int(shrunk), Value::Int(old)) = (scalars[at].clone(), old) else { return };
    let unit = if *old < shrunk { Int::from(-1) } else { Int::ONE };
    let mut next = shrunk.clone();
    for _ in 0..NEAREST {
        if next == *old {
            break;
        }
        scalars[at] = Value::Int(next.clone());
        if eval::admits(spec, &assemble(skeleton, scalars)) {
            return;
        }
        next = &next + &unit;
    }
    scalars[at] = Value::Int(shrunk);
}

/// The positions of scalars that occur more than once.
fn equal_groups(scalars: &[Value]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut by_value = std::collections::HashMap::new();
    for (at, scalar) in scalars.iter().enumerate() {
        let group = *by_value.entry(scalar).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(at);
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// Shifts integers by the same distance: all of them, then in pairs.
fn shifted_together(scalars: Vec<Value>) -> impl Iterator<Item = Vec<Value>> {
    let ints: Vec<(usize, Int)> = scalars
        .iter()
        .enumerate()
        .filter_map(|(at, scalar)| if let Value::Int(n) = scalar { Some((at, n.clone())) } else { None })
        .collect();
    let least = ints.iter().map(|(_, n)| n).min_by_key(|n| n.abs()).cloned();
    let all: Vec<usize> = ints.iter().map(|(at, _)| *at).collect();
    let mut moves: Vec<(Vec<usize>, Int)> = Vec::new();
    if let Some(least) = least.filter(|_| all.len() > 2) {
        moves.extend(distances(&least).map(|distance| (all.clone(), distance)));
    }
    let n = ints.len().min(MAX_PAIRED);
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    for (one, other) in pairs.map(|(i, j)| (&ints[i], &ints[j])) {
        let nearer = if one.1.abs() <= other.1.abs() { &one.1 } else { &other.1 };
        let farther = if one.1.abs() <= other.1.abs() { &other.1 } else { &one.1 };
        let both = vec![one.0, other.0];
        moves.extend(distances(nearer).map(|distance| (both.clone(), distance)));
        // If they are on both sides of zero, moving the farther one nearer may move the other across.
        moves.extend(halvings(farther).into_iter().map(|distance| (both.clone(), distance)));
    }
    let sums = scalars.clone();
    let shifted = moves.into_iter().map(move |(positions, distance)| {
        let mut scalars = scalars.clone();
        positions.into_iter().for_each(|at| lessen(&mut scalars[at], &distance));
        scalars
    });
    shifted.chain(std::iter::once_with(move || with_same_sum(sums, ints)).flatten())
}

/// Moves one integer towards zero and another one as far away from it: what overflows a sum needs one huge number only.
fn with_same_sum(scalars: Vec<Value>, ints: Vec<(usize, Int)>) -> impl Iterator<Item = Vec<Value>> {
    let n = ints.len().min(MAX_PAIRED);
    let pairs = (0..n).flat_map(move |i| (0..n).filter(move |j| i != *j).map(move |j| (i, j)));
    pairs.flat_map(move |(i, j)| {
        let ((from, shrunk), (to, _)) = (&ints[i], &ints[j]);
        let (from, to, scalars) = (*from, *to, scalars.clone());
        distances(shrunk).map(move |distance| {
            let mut scalars = scalars.clone();
            lessen(&mut scalars[from], &distance);
            lessen(&mut scalars[to], &-&distance);
            scalars
        })
    })
}

fn lessen(scalar: &mut Value, distance: &Int) {
    if let Value::Int(n) = scalar {
        *scalar = Value::Int(&*n - distance);
    }
}

fn distances(n: &Int) -> impl Iterator<Item = Int> + use<> {
    std::iter::once(n.clone()).filter(|n| !n.is_zero()).chain(halvings(n))
}
