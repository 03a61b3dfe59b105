//! Values outside the bounds that are worth trying for a scalar: the limits of machine types, and the boundaries of
//! the spec.
//!
//! These are the extremes of the type, the endpoints of the refinement's range, the constants of the spec and of the
//! function's source, powers of two and of ten, each with its neighbours; awkward characters; and special floats. The
//! caller completes them to arguments that satisfy the spec.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use super::constants::{AWKWARD_CHARS, Constants};
use crate::dice::Dice;
use crate::logic::int::Int;
use crate::logic::ir::{FloatKind, IntKind};
use crate::logic::value::Value;
use crate::space::{
    Candidates, FIRST_CHARS, LeafNode, LeafSort, Scalar, Skeleton, Space, code, codes_of_kind,
};

/// Maximum number of intervals per class of characters.
const INTERVALS: usize = 8;

/// Maximum number of usual values next to the boundary values of a block.
const FEW: usize = 3;

/// Percentages of the boundary values that are constants, and limits of the type or of the range; the others are any.
const CONSTANTS: u64 = 30;
const LIMITS: u64 = 40;

/// One of this many blocks has boundary values alone.
const ALL: u64 = 8;

/// The values of one block: some boundary values, and a few usual ones that complete them.
#[derive(Debug)]
pub(super) struct Extremes {
    pub(super) boundary: Arc<Boundary>,
    /// Position among the blocks. The first blocks have the most extreme values.
    pub(super) block: u64,
    pub(super) dice: Dice,
}

impl Candidates for Extremes {
    fn values(&self, scalar: &Scalar, usual: &[Value]) -> Vec<Value> {
        let extremes = self.boundary.of_scalar(scalar);
        if extremes.is_empty() {
            return usual.to_vec();
        }
        // All scalars of a block use the same random numbers, so that scalars of one type share values.
        let mut dice = self.dice.clone();
        let rank = (self.block / 2) as usize;
        if self.block.is_multiple_of(2) && rank < extremes.len() {
            // A boundary value alone, most extreme first, completed by usual ones.
            return usual.iter().take(FEW).cloned().chain(with_neighbours(&extremes[rank])).collect();
        }
        let rank = (self.block / ALL) as usize;
        if self.block % ALL == 1 && rank < extremes.len() {
            // All scalars at once.
            return with_neighbours(&extremes[rank]);
        }
        let n_usual = if dice.percent(20) { 0 } else { 1 + dice.index(FEW) };
        let n_others = 2 + dice.index(2);
        let others: Vec<Value> =
            (0..n_others).map(|_| self.boundary.random(scalar, &extremes, &mut dice)).collect();
        let small = (0..2).map(|_| small(scalar.sort, &mut dice));
        usual.iter().take(n_usual).cloned().chain(others).chain(small.flatten()).collect()
    }
}

/// A random index into boundary values: each doubling is as likely, so the most extreme ones are drawn most.
pub(super) fn first_index(n: usize, dice: &mut Dice) -> usize {
    let bits = n.max(1).ilog2() as usize + 1;
    let width = 1 << dice.index(bits + 1);
    dice.index(width.min(n).max(1))
}

/// The least or the greatest integer of one of the ranges of a scalar; `None` for other scalars.
pub(super) fn limit(scalar: &Scalar, dice: &mut Dice) -> Option<Value> {
    match scalar.sort {
        LeafSort::Int(_) => {
            let spans = scalar.codes.spans();
            let (lo, hi) = spans.get(dice.index(spans.len().max(1)))?;
            let end = if dice.percent(50) { lo } else { hi };
            end.clone().map(Value::Int)
        }
        LeafSort::Bool | LeafSort::Enum(_) | LeafSort::Char | LeafSort::Float(_) => None,
    }
}

/// A small integer of any magnitude up to 64; `None` for other scalars.
fn small(sort: LeafSort, dice: &mut Dice) -> Option<Value> {
    match sort {
        LeafSort::Int(_) => {
            let bound = 1 << dice.index(7);
            Some(Value::int(dice.index(bound) as u64 + 1))
        }
        LeafSort::Bool | LeafSort::Enum(_) | LeafSort::Char | LeafSort::Float(_) => None,
    }
}

/// A value and its neighbours: another scalar may have to be less than the first, or greater.
fn with_neighbours(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(n) => [n.clone(), n - &Int::ONE, n + &Int::ONE].map(Value::Int).to_vec(),
        other => vec![other.clone()],
    }
}

/// The boundary values of a space's scalars.
#[derive(Clone, Debug)]
pub struct Boundary {
    space: Space,
    constants: Arc<Constants>,
}

/// Number of awkward characters before those that the spec or the function's source names.
const FIRST_AWKWARD: usize = 2;

impl Boundary {
    /// The boundary values of a space.
    pub fn new(space: Space) -> Boundary {
        let constants = Arc::new(Constants::of(&space));
        Boundary { space, constants }
    }

    /// The constants of the spec and of the function's source.
    pub(super) fn constants(&self) -> &Arc<Constants> {
        &self.constants
    }

    /// One of a scalar's boundary values. Constants and limits come often, so that pairs of them do.
    pub(super) fn random(&self, scalar: &Scalar, extremes: &[Value], dice: &mut Dice) -> Value {
        let kind = dice.index(100) as u64;
        let special = if kind < CONSTANTS {
            self.constants.random(scalar, dice)
        } else if kind < CONSTANTS + LIMITS {
            limit(scalar, dice)
        } else {
            None
        };
        special.unwrap_or_else(|| extremes[first_index(extremes.len(), dice)].clone())
    }

    /// For each leaf of a skeleton, its boundary values, most extreme first: distinct, outside the leaf's domain, and
    /// not excluded by its own constants.
    pub fn values(&self, skeleton: &Skeleton) -> Vec<Vec<Value>> {
        let leaves = self.space.leaf_nodes(skeleton);
        let outside = |leaf: &LeafNode| {
            let mut values = self.of_scalar(&leaf.scalar);
            values.retain(|value| !self.space.has_in_domain(leaf, value));
            values
        };
        leaves.into_iter().map(|leaf| leaf.map_or_else(Vec::new, outside)).collect()
    }

    /// The boundary values of a scalar, most extreme first: distinct, and not excluded by its own constants.
    pub(crate) fn of_scalar(&self, scalar: &Scalar) -> Vec<Value> {
        let values: Vec<Value> = match scalar.sort {
            LeafSort::Bool | LeafSort::Enum(_) => Vec::new(),
            LeafSort::Int(kind) => self.ints(kind, scalar).into_iter().map(Value::Int).collect(),
            LeafSort::Float(kind) => self.floats(kind, scalar).into_iter().map(Value::Float).collect(),
            LeafSort::Char => self.chars(scalar).into_iter().map(Value::Char).collect(),
        };
        // NaN has no code. The rest of the refinement decides whether it is admitted.
        let admits = |value: &Value| code(value).is_none_or(|code| scalar.codes.contains(&code));
        let mut seen = HashSet::new();
        values.into_iter().filter(|value| admits(value) && seen.insert(value.clone())).collect()
    }

    fn ints(&self, kind: IntKind, scalar: &Scalar) -> Vec<Int> {
        let mut marks = vec![kind.max_value(), kind.min_value()];
        let endpoints = scalar.codes.spans().iter().flat_map(|(lo, hi)| [hi.clone(), lo.clone()]);
        marks.extend(endpoints.flatten());
        let limits = marks.clone();
        marks.extend(self.constants.ints.iter().cloned());
        let mut powers: Vec<u32> = (0..=kind.bits()).collect();
        // The limits of narrower types come first.
        powers.sort_by_key(|power| (!(power % 8 == 0 || power % 8 == 7), Reverse(*power)));
        for power in powers {
            let power = Int::power_of_two(power);
            marks.push(-&power);
            marks.push(power);
        }
        let mut ten = Int::from(10_u32);
        while kind.contains(&ten) {
            marks.push(-&ten);
            marks.push(ten.clone());
            ten = &ten * &Int::from(10_u32);
        }
        let with_neighbours = marks.into_iter().flat_map(|n| [n.clone(), &n - &Int::ONE, &n + &Int::ONE]);
        limits.into_iter().chain(with_neighbours).filter(|n| kind.contains(n)).collect()
    }

    fn floats(&self, kind: FloatKind, scalar: &Scalar) -> Vec<f64> {
        let mut values = Vec::new();
        if self.constants.has_infinity {
            values.extend([f64::INFINITY, f64::NEG_INFINITY]);
        }
        if self.constants.has_nan {
            values.push(f64::NAN);
        }
        let marks = float_marks(kind);
        values.extend([marks.max, marks.tiny, marks.min_positive].iter().flat_map(|x| [*x, -x]));
        let codes = codes_of_kind(kind, &scalar.codes);
        let endpoints = codes.spans().iter().flat_map(|(lo, hi)| [hi.as_ref(), lo.as_ref()]);
        let endpoints = endpoints.flatten().filter_map(Int::to_i64).map(crate::space::float_of_code);
        for x in endpoints.chain(self.constants.floats.iter().map(|x| kind.round(*x))) {
            let [up, down] = neighbours(kind, x);
            values.extend([x, up, down, x + 1.0, x - 1.0]);
        }
        let (epsilon, exact) = (marks.epsilon, marks.exact);
        values.extend([epsilon, 1.0 - epsilon / 2.0, 1.0 + epsilon, exact, exact + 2.0, 0.1]);
        values.extend([64, 63, 32, 31].map(|power| 2f64.powi(power)).iter().flat_map(|x| [*x, -x]));
        let values = values.into_iter().map(|x| kind.round(x));
        let admitted =
            |x: &f64| x.is_finite() || (x.is_nan() && self.constants.has_nan) || self.constants.has_infinity;
        values.filter(admitted).collect()
    }

    fn chars(&self, scalar: &Scalar) -> Vec<char> {
        let mut values = AWKWARD_CHARS[..FIRST_AWKWARD].to_vec();
        for c in &self.constants.chars {
            let neighbours = [Some(u32::from(*c)), u32::from(*c).checked_sub(1), Some(u32::from(*c) + 1)];
            values.extend(neighbours.into_iter().flatten().filter_map(char::from_u32));
        }
        values.extend(&AWKWARD_CHARS[FIRST_AWKWARD..]);
        // The endpoints of the classes of regular expressions. A big class has hundreds of intervals.
        let kinds = scalar.kinds.iter().flat_map(|kinds| kinds.iter()).flat_map(|kinds| kinds.iter());
        values.extend(
            kinds.flat_map(|kind| kind.iter().take(INTERVALS)).flat_map(|(first, last)| [*last, *first]),
        );
        values.extend(FIRST_CHARS.into_iter().rev());
        values
    }
}

/// The limits of a float type.
struct FloatMarks {
    max: f64,
    /// The least positive number.
    tiny: f64,
    /// The least positive number with full precision.
    min_positive: f64,
    epsilon: f64,
    /// The greatest magnitude up to which all integers are numbers of the type.
    exact: f64,
}

fn float_marks(kind: FloatKind) -> FloatMarks {
    match kind {
        FloatKind::F32 => FloatMarks {
            max: f32::MAX.into(),
            tiny: f32::from_bits(1).into(),
            min_positive: f32::MIN_POSITIVE.into(),
            epsilon: f32::EPSILON.into(),
            exact: 16_777_216.0,
        },
        FloatKind::F64 => FloatMarks {
            max: f64::MAX,
            tiny: f64::from_bits(1),
            min_positive: f64::MIN_POSITIVE,
            epsilon: f64::EPSILON,
            exact: 9_007_199_254_740_992.0,
        },
    }
}

/// The next number of the type, and the previous one.
fn neighbours(kind: FloatKind, x: f64) -> [f64; 2] {
    match kind {
        FloatKind::F32 => [(x as f32).next_up(), (x as f32).next_down()].map(f64::from),
        FloatKind::F64 => [x.next_up(), x.next_down()],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::ir::{Clause, CompareOp, FloatUnary, Param, Refined, Sort, Spec, Term};
    use crate::space::Bounds;

    fn values(sort: Sort, term: Term) -> Vec<Value> {
        let clause = Clause { id: 0, text: String::new(), term };
        let refined = Refined { clauses: vec![clause], ..Refined::plain(sort) };
        let param = Param { name: String::new(), refined, mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 });
        let skeleton = space.skeletons().next().expect("one parameter, one shape");
        Boundary::new(space).values(&skeleton).remove(0)
    }

    fn below(constant: Value) -> Term {
        Term::Compare(CompareOp::Lt, Box::new(Term::Lit(constant)), Box::new(Term::Var(1)))
    }

    #[test]
    fn integers_end_where_types_and_refinements_do() {
        let found = values(Sort::Int(IntKind::I64), below(Value::int(100)));
        assert_eq!(found[..2], [Value::int(i64::MAX), Value::int(i64::MAX - 1)]);
        for n in [128i64, 127, 255, 256, 1 << 31, (1 << 32) - 1] {
            assert!(found.contains(&Value::int(n)), "{n}");
        }
        // Neither rejected by the refinement, nor already in the domain.
        assert!(found.iter().all(|n| matches!(n, Value::Int(n) if *n > Int::from(105))));
        let small = values(Sort::Int(IntKind::U8), below(Value::int(200)));
        assert!(small.contains(&Value::int(255)) && !small.contains(&Value::int(201)));
    }

    #[test]
    fn floats_are_infinite_only_where_the_spec_says_so() {
        let is_infinite = |x: &Value| matches!(x, Value::Float(x) if x.is_infinite());
        let found = values(Sort::Float(FloatKind::F64), below(Value::Float(0.3)));
        assert!(!found.iter().any(is_infinite));
        assert!(found.contains(&Value::Float(f64::MAX)) && found.contains(&Value::Float(0.3f64.next_up())));
        let finite = Term::FloatUnary(FloatUnary::IsFinite, Box::new(Term::Var(1)));
        assert!(values(Sort::Float(FloatKind::F64), finite).iter().any(is_infinite));
    }

    #[test]
    fn an_f32_has_its_own_extremes() {
        let found = values(Sort::Float(FloatKind::F32), below(Value::Float(0.3)));
        let floats: Vec<f64> =
            found.iter().map(|x| if let Value::Float(x) = x { *x } else { panic!("{x:?}") }).collect();
        assert!(floats.iter().all(|x| FloatKind::F32.contains(*x) && *x > 0.3), "{floats:?}");
        let least = if f64::from(0.3f32) > 0.3 { 0.3f32 } else { 0.3f32.next_up() };
        for x in [f32::MAX, least, 16_777_216.0, 1.0 + f32::EPSILON, 9_223_372_036_854_775_808.0] {
            assert!(floats.contains(&f64::from(x)), "{x}");
        }
    }

    #[test]
    fn characters_of_every_length_are_tried() {
        let found = values(Sort::Char, below(Value::Char('y')));
        for c in ['ß', '\u{80}', '\u{800}', '\u{10000}', char::MAX] {
            assert!(found.contains(&Value::Char(c)), "{c:?}");
        }
        assert!(!found.contains(&Value::Char('\0')));
        // The least admitted are in the domain.
        assert!(!found.contains(&Value::Char('é')));
    }
}
