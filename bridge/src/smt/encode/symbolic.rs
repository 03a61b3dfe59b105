//! Symbolic values: like [`target_strategies::logic::value::Value`], but with formulas instead of scalars.
//!
//! If the shape itself depends on scalars (`filter`, `if c { [a] } else { [] }`), a value is a choice of guarded
//! alternatives. Alternatives with the same shape are merged at once, scalar by scalar, so there are never more
//! alternatives than shapes.

use std::sync::Arc;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::Collection;
use target_strategies::logic::value::Value;
use target_strategies::space::{LeafSort, Shape, Skeleton};

use crate::smt::formula::{F, Formulas};

/// A value whose scalars are formulas.
#[derive(Clone, Debug, PartialEq)]
pub enum Symbolic {
    /// No value: the result of an undefined computation.
    Never,
    /// A truth value.
    Bool(F),
    /// An integer.
    Int(F),
    /// A char, by its code point.
    Char(F),
    /// A float.
    Float(F),
    /// A string with a fixed number of characters, by their code points.
    Str(Arc<[F]>),
    /// A sequence.
    Seq(Arc<[Symbolic]>),
    /// A tuple.
    Tuple(Arc<[Symbolic]>),
    /// A constructor and its fields.
    Data(u32, Arc<[Symbolic]>),
    /// A set, a bag or a map.
    Collection(Collection, Items),
    /// The alternative whose guard holds; at most one guard holds. Alternatives differ in shape and aren't choices.
    Choice(Arc<[(F, Symbolic)]>),
}

/// The possible elements of a set, a bag or a map. Pairs of a map that are present have different keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Items {
    /// The elements, each with the condition that it is present.
    pub all: Arc<[(F, Symbolic)]>,
    /// Whether the present elements are in ascending order, without repetition in a set.
    pub sorted: bool,
}

impl Items {
    /// `if condition { a } else { b }`: an element of both is present under either condition.
    fn choose(condition: F, a: &Items, b: &Items, formulas: &mut Formulas) -> Items {
        let otherwise = formulas.not(condition);
        let is_alike =
            a.all.len() == b.all.len() && a.all.iter().zip(b.all.iter()).all(|((_, a), (_, b))| a == b);
        let mut rest: Vec<&(F, Symbolic)> = b.all.iter().collect();
        let mut all = Vec::with_capacity(a.all.len());
        for (present, item) in a.all.iter() {
            let guard = match rest.iter().position(|(_, other)| other == item) {
                Some(at) => formulas.choose(condition, *present, rest.remove(at).0),
                None => formulas.and([condition, *present]),
            };
            all.push((guard, item.clone()));
        }
        all.extend(
            rest.into_iter().map(|(present, item)| (formulas.and([otherwise, *present]), item.clone())),
        );
        all.retain(|(present, _)| formulas.as_truth(*present) != Some(false));
        Items { sorted: a.sorted && b.sorted && is_alike, all: all.into() }
    }
}

impl Symbolic {
    /// A known value.
    pub fn constant(value: &Value, formulas: &mut Formulas) -> Symbolic {
        let mut all = |parts: &[Value]| parts.iter().map(|part| Symbolic::constant(part, formulas)).collect();
        match value {
            Value::Seq(parts) => Symbolic::Seq(all(parts)),
            Value::Tuple(parts) => Symbolic::Tuple(all(parts)),
            Value::Data(ctor, fields) => Symbolic::Data(*ctor, all(fields)),
            Value::Bool(value) => Symbolic::Bool(formulas.truth(*value)),
            Value::Int(value) => Symbolic::Int(formulas.int(value.clone())),
            Value::Char(value) => Symbolic::Char(formulas.int(code_point(*value))),
            Value::Float(value) => Symbolic::Float(formulas.float(*value)),
            Value::Str(text) => Symbolic::Str(text.chars().map(|c| formulas.int(code_point(c))).collect()),
        }
    }

    /// The arguments of a skeleton, with its leaves as variables.
    pub fn arguments(skeleton: &Skeleton, sorts: &[LeafSort], formulas: &mut Formulas) -> Vec<Symbolic> {
        let mut leaves = 0;
        skeleton.args.iter().map(|shape| Symbolic::open(shape, sorts, &mut leaves, formulas)).collect()
    }

    fn open(shape: &Shape, sorts: &[LeafSort], leaves: &mut u32, formulas: &mut Formulas) -> Symbolic {
        let mut next = |formulas: &mut Formulas| {
            *leaves += 1;
            formulas.leaf(*leaves - 1)
        };
        match shape {
            Shape::Leaf => {
                let leaf = next(formulas);
                match sorts[*leaves as usize - 1] {
                    LeafSort::Bool => Symbolic::Bool(leaf),
                    LeafSort::Int(_) => Symbolic::Int(leaf),
                    LeafSort::Char => Symbolic::Char(leaf),
                    LeafSort::Float(_) => Symbolic::Float(leaf),
                    LeafSort::Enum(n_ctors) => Symbolic::of_enum(leaf, n_ctors, formulas),
                }
            }
            Shape::Str(length) => Symbolic::Str((0..*length).map(|_| next(formulas)).collect()),
            Shape::Seq(parts) => Symbolic::Seq(Symbolic::open_all(parts, sorts, leaves, formulas)),
            Shape::Tuple(parts) => Symbolic::Tuple(Symbolic::open_all(parts, sorts, leaves, formulas)),
            Shape::Data(ctor, fields) => {
                Symbolic::Data(*ctor, Symbolic::open_all(fields, sorts, leaves, formulas))
            }
        }
    }

    /// The constructor with this index, for a type whose constructors have no fields.
    fn of_enum(index: F, n_ctors: u32, formulas: &mut Formulas) -> Symbolic {
        let ctors = (0..n_ctors).map(|ctor| {
            let guard = formulas.equal_constant(index, &Int::from(ctor));
            (guard, Symbolic::Data(ctor, Arc::from([])))
        });
        let ctors = ctors.collect();
        Symbolic::union(ctors, formulas)
    }

    fn open_all(
        parts: &[Shape],
        sorts: &[LeafSort],
        leaves: &mut u32,
        formulas: &mut Formulas,
    ) -> Arc<[Symbolic]> {
        parts.iter().map(|part| Symbolic::open(part, sorts, leaves, formulas)).collect()
    }

    /// The alternatives with their guards; a value that is no choice is its only alternative.
    pub fn alternatives(&self, formulas: &mut Formulas) -> Vec<(F, Symbolic)> {
        match self {
            Symbolic::Never => Vec::new(),
            Symbolic::Choice(alternatives) => alternatives.to_vec(),
            _ => vec![(formulas.truth(true), self.clone())],
        }
    }

    /// `if condition { a } else { b }`
    pub fn choose(condition: F, a: &Symbolic, b: &Symbolic, formulas: &mut Formulas) -> Symbolic {
        match formulas.as_truth(condition) {
            Some(true) => return a.clone(),
            Some(false) => return b.clone(),
            None if a == b => return a.clone(),
            None => {}
        }
        if let Some(merged) = Symbolic::merge(condition, a, b, formulas) {
            return merged;
        }
        let otherwise = formulas.not(condition);
        let mut all = Vec::new();
        for (value, side) in [(a, condition), (b, otherwise)] {
            for (guard, alternative) in value.alternatives(formulas) {
                all.push((formulas.and([side, guard]), alternative));
            }
        }
        Symbolic::union(all, formulas)
    }

    /// The value that equals each alternative if its guard holds; the guards exclude each other.
    pub fn union(all: Vec<(F, Symbolic)>, formulas: &mut Formulas) -> Symbolic {
        let mut merged: Vec<(F, Symbolic)> = Vec::new();
        for (guard, value) in all {
            for (inner, alternative) in value.alternatives(formulas) {
                let guard = formulas.and([guard, inner]);
                if formulas.as_truth(guard) == Some(false) {
                    continue;
                }
                match merged.iter_mut().find(|(_, other)| other.same_shape(&alternative)) {
                    None => merged.push((guard, alternative)),
                    Some((other_guard, other)) => {
                        if let Some(both) = Symbolic::merge(guard, &alternative, other, formulas) {
                            *other = both;
                            *other_guard = formulas.or([*other_guard, guard]);
                        }
                    }
                }
            }
        }
        match merged.len() {
            0 => Symbolic::Never,
            // If its guard doesn't hold, nothing is defined. So the guard can be dropped.
            1 => merged.remove(0).1,
            _ => Symbolic::Choice(merged.into()),
        }
    }

    fn same_shape(&self, other: &Symbolic) -> bool {
        match (self, other) {
            (Symbolic::Str(a), Symbolic::Str(b)) => a.len() == b.len(),
            (Symbolic::Seq(a), Symbolic::Seq(b)) | (Symbolic::Tuple(a), Symbolic::Tuple(b)) => {
                a.len() == b.len()
            }
            (Symbolic::Data(c, a), Symbolic::Data(d, b)) => c == d && a.len() == b.len(),
            (Symbolic::Collection(a, _), Symbolic::Collection(b, _)) => a == b,
            (Symbolic::Never, _) | (Symbolic::Choice(_), _) => false,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// `if condition { a } else { b }` if both have the same shape.
    fn merge(condition: F, a: &Symbolic, b: &Symbolic, formulas: &mut Formulas) -> Option<Symbolic> {
        if !a.same_shape(b) {
            return None;
        }
        let mut all = |a: &[Symbolic], b: &[Symbolic]| {
            a.iter().zip(b).map(|(a, b)| Symbolic::choose(condition, a, b, formulas)).collect()
        };
        Some(match (a, b) {
            (Symbolic::Seq(a), Symbolic::Seq(b)) => Symbolic::Seq(all(a, b)),
            (Symbolic::Tuple(a), Symbolic::Tuple(b)) => Symbolic::Tuple(all(a, b)),
            (Symbolic::Data(ctor, a), Symbolic::Data(_, b)) => Symbolic::Data(*ctor, all(a, b)),
            (Symbolic::Str(a), Symbolic::Str(b)) => Symbolic::Str(
                a.iter().zip(b.iter()).map(|(a, b)| formulas.choose(condition, *a, *b)).collect(),
            ),
            (Symbolic::Collection(kind, a), Symbolic::Collection(_, b)) => {
                Symbolic::Collection(*kind, Items::choose(condition, a, b, formulas))
            }
            (Symbolic::Bool(a), Symbolic::Bool(b)) => Symbolic::Bool(formulas.choose(condition, *a, *b)),
            (Symbolic::Int(a), Symbolic::Int(b)) => Symbolic::Int(formulas.choose(condition, *a, *b)),
            (Symbolic::Char(a), Symbolic::Char(b)) => Symbolic::Char(formulas.choose(condition, *a, *b)),
            (Symbolic::Float(a), Symbolic::Float(b)) => Symbolic::Float(formulas.choose(condition, *a, *b)),
            _ => return None,
        })
    }
}

/// The code point of a char.
pub fn code_point(c: char) -> Int {
    Int::from(i64::from(u32::from(c)))
}
