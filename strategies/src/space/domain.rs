//! The finite domain of a scalar, small first, from the facts about it.
//!
//! The rules are those of the contract ("Meaning"): few admitted values are all taken; otherwise the usual values
//! within the bound; otherwise the admitted values nearest to zero. An interval is never enumerated further than
//! needed.

mod float;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::facts::{code, float_code};
use super::interval::{IntervalSet, predecessor, successor};
use super::judge;
use super::language::{Kind, Kinds};
use crate::logic::int::Int;
use crate::logic::ir::{FloatKind, IntKind, Term};
use crate::logic::value::Value;
pub(crate) use float::codes_of_kind;

/// Maximum number of admitted values that are all taken, wherever they are.
const FEW: u64 = 32;

/// Maximum number of characters that are tested to find out whether few of them are admitted. Facts leave fewer
/// wherever a condition admits few, but for conditions that only the judge understands.
const MAX_SCANNED: usize = 1024;

/// The characters that come first, in this order. The others follow by code point.
pub const FIRST_CHARS: [char; 11] = ['a', 'b', '0', 'A', ' ', 'é', '-', '"', '\n', '€', '😀'];

/// The scalar sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of Sort")]
pub enum LeafSort {
    Bool,
    Int(IntKind),
    Char,
    Float(FloatKind),
    /// An enum with this many constructors, none of which has fields.
    Enum(u32),
}

/// A scalar, and the facts about it.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// The sort of the scalar.
    pub sort: LeafSort,
    /// The codes of the sort that comparisons with constants leave.
    pub codes: IntervalSet,
    /// Conditions on it alone, over the slot of the refined value.
    pub tests: Vec<Arc<Term>>,
    /// The characters that the spec names.
    pub named: Arc<BTreeSet<char>>,
    /// For a character of a string that regular expressions test: the possible characters, one list for each length
    /// of the string. Each list adds its own values, so a further length removes none.
    pub kinds: Option<Arc<[Kinds]>>,
}

impl Scalar {
    /// A scalar without tests.
    pub fn plain(sort: LeafSort, codes: IntervalSet) -> Scalar {
        Scalar { sort, codes, tests: Vec::new(), named: Arc::default(), kinds: None }
    }
}

/// Other values for the scalars of a space than the usual ones: see [`crate::beyond`].
pub trait Candidates: fmt::Debug + Send + Sync {
    /// Candidates for a scalar, in any order. The scalar's domain has those that its facts admit. `usual` is the
    /// domain that it would have otherwise.
    fn values(&self, scalar: &Scalar, usual: &[Value]) -> Vec<Value>;
}

/// The codes of a sort.
pub fn all_codes(sort: LeafSort) -> IntervalSet {
    let small = |lo: i64, hi: i64| IntervalSet::between(Int::from(lo), Int::from(hi));
    match sort {
        LeafSort::Bool => small(0, 1),
        LeafSort::Int(kind) => IntervalSet::between(kind.min_value(), kind.max_value()),
        LeafSort::Char => small(0, 0xD7FF).union(&small(0xE000, i64::from(u32::from(char::MAX)))),
        LeafSort::Float(_) => small(float_code(f64::NEG_INFINITY), float_code(f64::INFINITY)),
        LeafSort::Enum(n) => small(0, i64::from(n) - 1),
    }
}

/// The codes of the printable characters of ASCII.
pub fn ascii_codes() -> IntervalSet {
    IntervalSet::between(Int::from(0x20), Int::from(0x7E))
}

/// The domain of a scalar, in the order of [`order`]. Its tests read the slot `own`.
pub fn domain(scalar: &Scalar, bound: u32, own: u32) -> Vec<Value> {
    match scalar.sort {
        LeafSort::Bool => [false, true]
            .into_iter()
            .map(Value::Bool)
            .filter(|b| code(b).is_some_and(|code| scalar.codes.contains(&code)))
            .collect(),
        LeafSort::Enum(n) => (0..n)
            .filter(|ctor| scalar.codes.contains(&Int::from(*ctor)))
            .map(|ctor| Value::Data(ctor, Arc::from([])))
            .collect(),
        LeafSort::Int(_) => ints(&scalar.codes, bound).into_iter().map(Value::Int).collect(),
        LeafSort::Float(kind) => {
            float::floats(kind, &scalar.codes, bound).into_iter().map(Value::Float).collect()
        }
        LeafSort::Char => chars(scalar, bound, own).into_iter().map(Value::Char).collect(),
    }
}

/// The order of the values of a domain: small before big, positive before negative, characters by their order in the
/// domain.
pub fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => int_order(a, b),
        (Value::Float(a), Value::Float(b)) => {
            a.abs().total_cmp(&b.abs()).then(a.is_sign_negative().cmp(&b.is_sign_negative()))
        }
        (Value::Char(a), Value::Char(b)) => char_rank(*a).cmp(&char_rank(*b)),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Data(a, _), Value::Data(b, _)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

fn int_order(a: &Int, b: &Int) -> Ordering {
    a.abs().cmp(&b.abs()).then(b.cmp(a))
}

fn char_rank(c: char) -> (usize, char) {
    (FIRST_CHARS.iter().position(|first| *first == c).unwrap_or(FIRST_CHARS.len()), c)
}

/// The candidates that a scalar's facts admit, in the order of [`order`]. Its tests read the slot `own`.
pub fn admitted(scalar: &Scalar, own: u32, candidates: Vec<Value>) -> Vec<Value> {
    let is_possible = |value: &Value| match (value, &scalar.kinds) {
        (Value::Char(c), Some(kinds)) => kinds.iter().flat_map(|k| k.iter()).any(|kind| is_in(kind, *c)),
        _ => true,
    };
    let admits = |value: &Value| {
        // NaN has no code. The rest of the refinement decides whether it is admitted.
        code(value).is_none_or(|code| scalar.codes.contains(&code))
            && is_possible(value)
            && scalar.tests.iter().all(|test| judge::admits(test, own, value))
    };
    let mut values: Vec<Value> = candidates.into_iter().filter(admits).collect();
    values.sort_by(order);
    values.dedup();
    values
}

fn ints(codes: &IntervalSet, bound: u32) -> Vec<Int> {
    let zero = Int::from(0);
    if codes.count_up_to(FEW).is_some() {
        return nearest(codes, FEW as usize);
    }
    let bound_int = Int::from(i64::from(bound));
    let usual = codes.intersect(&IntervalSet::between(&zero - &bound_int, bound_int));
    let values = nearest(&usual, 2 * bound as usize + 1);
    if values.len() < bound.max(1) as usize { nearest(codes, bound as usize + 1) } else { values }
}

/// The `n` members nearest to zero, in order.
fn nearest(codes: &IntervalSet, n: usize) -> Vec<Int> {
    let mut up = upwards(codes).peekable();
    let mut down = downwards(codes).peekable();
    let mut values = Vec::new();
    while values.len() < n {
        let next = match (up.peek(), down.peek()) {
            (Some(a), Some(b)) if int_order(b, a).is_lt() => down.next(),
            (None, _) => down.next(),
            _ => up.next(),
        };
        let Some(next) = next else { break };
        values.push(next);
    }
    values
}

/// The members from zero on, ascending.
fn upwards(codes: &IntervalSet) -> impl Iterator<Item = Int> {
    let positive = codes.intersect(&IntervalSet::at_least(Int::from(0)));
    positive.spans().to_vec().into_iter().flat_map(|(lo, hi)| {
        std::iter::successors(lo, |n| Some(successor(n)))
            .take_while(move |n| hi.as_ref().is_none_or(|hi| n <= hi))
    })
}

/// The members below zero, descending.
fn downwards(codes: &IntervalSet) -> impl Iterator<Item = Int> {
    let negative = codes.intersect(&IntervalSet::at_most(Int::from(-1)));
    negative.spans().to_vec().into_iter().rev().flat_map(|(lo, hi)| {
        std::iter::successors(hi, |n| Some(predecessor(n)))
            .take_while(move |n| lo.as_ref().is_none_or(|lo| lo <= n))
    })
}

fn chars(scalar: &Scalar, bound: u32, own: u32) -> Vec<char> {
    let admits = |c: &char| {
        let value = Value::Char(*c);
        code(&value).is_some_and(|code| scalar.codes.contains(&code))
            && scalar.tests.iter().all(|test| judge::admits(test, own, &value))
    };
    let mut chars = match &scalar.kinds {
        None => chars_of(&scalar.codes, &scalar.named, bound, admits),
        Some(of_lengths) => {
            let of_length = |kinds: &Kinds| {
                let codes = scalar.codes.intersect(&codes_of(kinds));
                let is_one = |c: &char| kinds.iter().any(|kind| is_in(kind, *c)) && admits(c);
                let mut chars = chars_of(&codes, &scalar.named, bound, is_one);
                // One of each kind that the expressions tell apart without naming it: `\W`.
                for kind in kinds.iter() {
                    if !chars.iter().any(|c| is_in(kind, *c)) {
                        let codes = scalar.codes.intersect(&codes_of(std::slice::from_ref(kind)));
                        chars.extend(first_chars(&codes).find(&admits));
                    }
                }
                chars
            };
            of_lengths.iter().flat_map(of_length).collect()
        }
    };
    chars.sort_by_key(|c| char_rank(*c));
    chars.dedup();
    chars
}

/// All admitted characters with these codes if they are few. Otherwise the first `bound + 1`, and those that the spec
/// names.
fn chars_of(
    codes: &IntervalSet,
    named: &BTreeSet<char>,
    bound: u32,
    admits: impl Fn(&char) -> bool,
) -> Vec<char> {
    let few: Vec<char> =
        first_chars(codes).take(MAX_SCANNED).filter(&admits).take(FEW as usize + 1).collect();
    let is_whole = codes.count_up_to(MAX_SCANNED as u64).is_some();
    if is_whole && few.len() <= FEW as usize {
        return few;
    }
    let usual = first_chars(codes).filter(&admits).take(bound as usize + 1);
    usual.chain(named.iter().copied().filter(&admits)).collect()
}

/// The characters with these codes, in the usual order.
fn first_chars(codes: &IntervalSet) -> impl Iterator<Item = char> {
    let by_code = codes.spans().iter().flat_map(|(lo, hi)| {
        let end = |n: &Option<Int>| n.as_ref().and_then(Int::to_i64).and_then(|n| u32::try_from(n).ok());
        let (lo, hi) = (end(lo).unwrap_or(1), end(hi).unwrap_or(0));
        (lo..=hi).filter_map(char::from_u32).filter(|c| !FIRST_CHARS.contains(c))
    });
    let is_admitted = |c: &char| code(&Value::Char(*c)).is_some_and(|code| codes.contains(&code));
    FIRST_CHARS.into_iter().filter(is_admitted).chain(by_code)
}

/// The codes of the characters of some kinds.
pub fn codes_of(kinds: &[Kind]) -> IntervalSet {
    let spans = kinds.iter().flat_map(|kind| kind.iter());
    let endpoints = spans.map(|(first, last)| (code(&Value::Char(*first)), code(&Value::Char(*last))));
    IntervalSet::of_spans(endpoints.collect())
}

fn is_in(kind: &Kind, c: char) -> bool {
    kind[..kind.partition_point(|(first, _)| *first <= c)].last().is_some_and(|(_, last)| c <= *last)
}

#[cfg(test)]
mod tests;
