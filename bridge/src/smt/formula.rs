//! Formulas over the leaves of one skeleton: hash-consed, simplified when built, independent of Z3.
//!
//! Equal formulas have equal numbers, so a search can use the remaining problem as a key. Constructors fold constants,
//! flatten, and use the ranges of the leaves: `0 <= x` over a leaf with range `1..=4` *is* `true`. Therefore a solver
//! must also assert the leaves' ranges. [`super::encode`] maps arguments to leaves and clauses to formulas.

mod float;
mod integer;
mod replace;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use target_strategies::logic::int::Int;

pub use self::float::FloatBinary;

/// The number of a formula in its [`Formulas`]. It is greater than the numbers of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct F(u32);

/// The kind of a formula's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A truth value.
    Bool,
    /// A mathematical integer; also a char, by its code point.
    Int,
    /// An IEEE double.
    Float,
}

/// A variable: an open scalar of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The kind of its values.
    pub kind: Kind,
    /// The least value of an integer, if it has a lower bound.
    pub low: Option<Int>,
    /// The greatest value of an integer, if it has an upper bound.
    pub high: Option<Int>,
    /// All values of a float, if there are few enough to list.
    pub floats: Option<Arc<[f64]>>,
}

/// Bitwise operations on two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOp {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
}

/// The outermost operation of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A float, by its bits.
    Float(u64),
    /// A leaf of the skeleton.
    Leaf(u32),
    /// Negation, not of a negation. A disjunction is a negated conjunction of negations, so that negating is cheap.
    Not(F),
    /// Conjunction of at least two formulas that aren't conjunctions, sorted.
    And(Arc<[F]>),
    /// A choice between two integers or floats.
    If(F, F, F),
    /// A constant plus multiples of integers, sorted by those integers; never a constant alone or a lone `1 * x`.
    Sum(Int, Arc<[(F, Int)]>),
    /// The product of two integers that aren't constants.
    Product(F, F),
    /// Euclidean quotient, SMT-LIB's `div`; the divisor isn't 0 if the result matters.
    Quotient(F, F),
    /// Euclidean remainder, SMT-LIB's `mod`.
    Remainder(F, F),
    /// A bitwise operation at a width that holds both operands in two's complement.
    Bits(BitOp, u32, F, F),
    /// Whether an integer is at most a constant.
    AtMost(F, Int),
    /// Whether an integer is a constant.
    EqualInt(F, Int),
    /// An operation on two floats.
    FloatBinary(FloatBinary, F, F),
    /// `-a`
    FloatNeg(F),
    /// `|a|`
    FloatAbs(F),
    /// `a as f32`, as a double again.
    FloatToF32(F),
    /// Whether a float is not a number.
    FloatIsNan(F),
    /// Whether a float is an infinity.
    FloatIsInfinite(F),
    /// Whether a float other than NaN has its sign bit set.
    FloatIsNegative(F),
}

/// The known properties of a formula.
#[derive(Clone, Debug)]
struct Facts {
    kind: Kind,
    low: Option<Int>,
    high: Option<Int>,
    leaves: Arc<[u32]>,
}

/// All formulas over one list of leaves.
#[derive(Clone, Debug)]
pub struct Formulas {
    variables: Arc<[Variable]>,
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    numbers: HashMap<Node, F>,
    no_leaves: Arc<[u32]>,
}

impl Formulas {
    /// No formulas yet, over the given leaves.
    pub fn new(variables: impl Into<Arc<[Variable]>>) -> Formulas {
        Formulas {
            variables: variables.into(),
            nodes: Vec::new(),
            facts: Vec::new(),
            numbers: HashMap::new(),
            no_leaves: Arc::from([]),
        }
    }

    /// The leaves.
    pub fn variables(&self) -> &Arc<[Variable]> {
        &self.variables
    }

    /// Number of different formulas.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no formulas yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The outermost operation of a formula.
    pub fn node(&self, f: F) -> &Node {
        &self.nodes[f.0 as usize]
    }

    /// The kind of a formula's value.
    pub fn kind(&self, f: F) -> Kind {
        self.facts[f.0 as usize].kind
    }

    /// The leaves that a formula mentions, sorted.
    pub fn leaves(&self, f: F) -> &Arc<[u32]> {
        &self.facts[f.0 as usize].leaves
    }

    /// The least and the greatest value of an integer formula, where known.
    pub fn range(&self, f: F) -> (Option<&Int>, Option<&Int>) {
        let facts = &self.facts[f.0 as usize];
        (facts.low.as_ref(), facts.high.as_ref())
    }

    /// A leaf.
    pub fn leaf(&mut self, number: u32) -> F {
        self.intern(Node::Leaf(number))
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> F {
        self.intern(Node::Bool(value))
    }

    /// The truth value of a constant formula.
    pub fn as_truth(&self, f: F) -> Option<bool> {
        match self.node(f) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// `!a`
    pub fn not(&mut self, a: F) -> F {
        match *self.node(a) {
            Node::Bool(value) => self.truth(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// The conjunction of all.
    pub fn and(&mut self, parts: impl IntoIterator<Item = F>) -> F {
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::Bool(true) => {}
                Node::Bool(false) => return part,
                Node::And(inner) => flat.extend(inner.iter().copied()),
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let contradicts = flat.iter().any(|&part| match self.node(part) {
            Node::Not(inner) => flat.binary_search(inner).is_ok() || self.all_in(*inner, &flat),
            _ => false,
        });
        if contradicts {
            return self.truth(false);
        }
        match flat[..] {
            [] => self.truth(true),
            [only] => only,
            _ => self.intern(Node::And(flat.into())),
        }
    }

    fn all_in(&self, conjunction: F, sorted: &[F]) -> bool {
        match self.node(conjunction) {
            Node::And(parts) => parts.iter().all(|part| sorted.binary_search(part).is_ok()),
            _ => false,
        }
    }

    /// The disjunction of all.
    pub fn or(&mut self, parts: impl IntoIterator<Item = F>) -> F {
        let negated: Vec<F> = parts.into_iter().map(|part| self.not(part)).collect();
        let none = self.and(negated);
        self.not(none)
    }

    /// Whether two truth values are the same.
    pub fn iff(&mut self, a: F, b: F) -> F {
        if a == b {
            return self.truth(true);
        }
        let not_b = self.not(b);
        self.choose(a, b, not_b)
    }

    /// `if condition { a } else { b }`, for any kind.
    pub fn choose(&mut self, condition: F, a: F, b: F) -> F {
        if let Some(value) = self.as_truth(condition) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if self.kind(a) == Kind::Bool {
            let otherwise = self.not(condition);
            let (first, second) = (self.and([condition, a]), self.and([otherwise, b]));
            return self.or([first, second]);
        }
        match *self.node(condition) {
            Node::Not(positive) => self.intern(Node::If(positive, b, a)),
            _ => self.intern(Node::If(condition, a, b)),
        }
    }

    /// The conjuncts of a formula.
    pub fn conjuncts(&self, f: F) -> Vec<F> {
        match self.node(f) {
            Node::Bool(true) => Vec::new(),
            Node::And(parts) => parts.to_vec(),
            _ => vec![f],
        }
    }

    /// The direct parts of a formula.
    pub fn parts(&self, f: F) -> Vec<F> {
        match self.node(f) {
            Node::Bool(_) | Node::Int(_) | Node::Float(_) | Node::Leaf(_) => Vec::new(),
            Node::And(parts) => parts.to_vec(),
            Node::Sum(_, terms) => terms.iter().map(|(part, _)| *part).collect(),
            Node::If(a, b, c) => vec![*a, *b, *c],
            Node::Product(a, b)
            | Node::Quotient(a, b)
            | Node::Remainder(a, b)
            | Node::Bits(_, _, a, b)
            | Node::FloatBinary(_, a, b) => vec![*a, *b],
            Node::Not(a)
            | Node::AtMost(a, _)
            | Node::EqualInt(a, _)
            | Node::FloatNeg(a)
            | Node::FloatAbs(a)
            | Node::FloatToF32(a)
            | Node::FloatIsNan(a)
            | Node::FloatIsInfinite(a)
            | Node::FloatIsNegative(a) => vec![*a],
        }
    }

    /// All formulas reachable from `roots`, each once, parts before wholes.
    pub fn closure(&self, roots: &[F]) -> Vec<F> {
        self.closure_until(roots, |_| false)
    }

    /// Like [`Formulas::closure`], but doesn't descend into `known` formulas.
    pub fn closure_until(&self, roots: &[F], known: impl Fn(F) -> bool) -> Vec<F> {
        let mut seen = HashSet::new();
        let mut todo: Vec<F> = roots.to_vec();
        while let Some(f) = todo.pop() {
            if !known(f) && seen.insert(f) {
                todo.extend(self.parts(f));
            }
        }
        let mut all: Vec<F> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }

    /// Whether the formulas contain no product, quotient, bit operation or float, so that linear arithmetic decides
    /// them.
    pub fn is_linear(&self, roots: &[F]) -> bool {
        self.closure(roots).iter().all(|&f| match self.node(f) {
            Node::Product(..) | Node::Bits(..) => false,
            Node::Quotient(_, b) | Node::Remainder(_, b) => matches!(self.node(*b), Node::Int(_)),
            _ => self.kind(f) != Kind::Float,
        })
    }

    fn intern(&mut self, node: Node) -> F {
        if let Some(&f) = self.numbers.get(&node) {
            return f;
        }
        let facts = self.facts_of(&node);
        let f = F(u32::try_from(self.nodes.len()).expect("the encoder's cap is far below 2^32 formulas"));
        self.numbers.insert(node.clone(), f);
        self.nodes.push(node);
        self.facts.push(facts);
        f
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let kind = match node {
            Node::Int(_)
            | Node::Sum(..)
            | Node::Product(..)
            | Node::Quotient(..)
            | Node::Remainder(..)
            | Node::Bits(..) => Kind::Int,
            Node::Float(_) | Node::FloatNeg(_) | Node::FloatAbs(_) | Node::FloatToF32(_) => Kind::Float,
            Node::FloatBinary(op, ..) => op.kind(),
            Node::Leaf(number) => self.variables[*number as usize].kind,
            Node::If(_, a, _) => self.kind(*a),
            _ => Kind::Bool,
        };
        let (low, high) = if kind == Kind::Int { self.range_of(node) } else { (None, None) };
        Facts { kind, low, high, leaves: self.leaves_of(node) }
    }

    fn leaves_of(&self, node: &Node) -> Arc<[u32]> {
        match node {
            Node::Bool(_) | Node::Int(_) | Node::Float(_) => self.no_leaves.clone(),
            Node::Leaf(number) => Arc::from([*number]),
            Node::Not(a) | Node::AtMost(a, _) | Node::EqualInt(a, _) => self.leaves(*a).clone(),
            Node::And(parts) => self.union(parts.iter().copied()),
            Node::Sum(_, terms) => self.union(terms.iter().map(|(part, _)| *part)),
            Node::If(a, b, c) => self.union([*a, *b, *c]),
            Node::Product(a, b)
            | Node::Quotient(a, b)
            | Node::Remainder(a, b)
            | Node::Bits(_, _, a, b)
            | Node::FloatBinary(_, a, b) => self.union([*a, *b]),
            Node::FloatNeg(a)
            | Node::FloatAbs(a)
            | Node::FloatToF32(a)
            | Node::FloatIsNan(a)
            | Node::FloatIsInfinite(a)
            | Node::FloatIsNegative(a) => self.leaves(*a).clone(),
        }
    }

    fn union(&self, parts: impl IntoIterator<Item = F>) -> Arc<[u32]> {
        let mut sets = parts.into_iter().map(|part| self.leaves(part)).filter(|set| !set.is_empty());
        let Some(first) = sets.next() else { return self.no_leaves.clone() };
        let mut all: Option<Vec<u32>> = None;
        for set in sets {
            if all.is_some() || set != first {
                all.get_or_insert_with(|| first.to_vec()).extend(set.iter().copied());
            }
        }
        let Some(mut all) = all else { return first.clone() };
        all.sort_unstable();
        all.dedup();
        if all.len() == first.len() { first.clone() } else { all.into() }
    }
}
