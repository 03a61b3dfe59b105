//! Symbolic evaluation: turns clauses over a skeleton into formulas over its leaves.
//!
//! This mirrors the judge ([`target_strategies::logic::eval`]), case by case and in the same order, with [`Symbolic`]
//! instead of `Value`. A skeleton fixes lengths and constructors, so `all`, `fold` and `windows` unroll and only
//! scalars remain to solve for. Each term gives a value and the condition under which it is defined; a clause is
//! asserted as defined and true. [`super::decode`] is the inverse.
//!
//! For `Rng(r1)` of the running example: leaves 0, 1, 2 are `r1`, `r2`, `s`, and the clauses are `0 <= x2` (the leaf's
//! range makes it `true`) and `x2 < x0`.
//!
//! A clause that can't be encoded (`where`, or a formula beyond the cap) is left out, with a reason. Models are then
//! candidates, and the judge rejects those that violate the clause. This only costs time.

mod call;
mod collection;
mod compare;
mod integer;
mod machine;
mod regex;
mod search;
mod sequence;
mod stream;
mod symbolic;
mod term;
mod text;

use target_strategies::logic::ir::{Clause, Refined, Sort, Spec};
use target_strategies::logic::value::Value;
use target_strategies::space::{Leaf, LeafSort, Skeleton};

use self::symbolic::Symbolic;
use super::formula::{F, Formulas, Kind, Variable};

/// Why a clause was left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual(pub String);

/// The precondition of a spec over one skeleton.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The formulas of this skeleton, and the variables of its leaves.
    pub formulas: Formulas,
    /// The leaves of sets and maps are in order, so that each argument tuple comes once.
    pub structure: Vec<F>,
    /// The clauses, in the order of parameters, outer before inner, then `requires`, then `explore`.
    pub clauses: Vec<EncodedClause>,
}

/// The condition of a clause.
#[derive(Clone, Debug, PartialEq)]
pub struct EncodedClause {
    /// [`Clause::id`].
    pub id: u32,
    /// The condition, or the reason why there is none.
    pub condition: Result<F, Residual>,
    /// Whether it only narrows the space.
    pub explore: bool,
}

/// Maximum number of new formulas of a clause. A larger clause is left out.
const CAP: usize = 200_000;

/// The values that a leaf may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The leaves' own domains.
    Domain,
    /// All values of the leaves' types.
    Type,
    /// All values of the leaves' types, but characters only from the leaves' domains.
    ListedChars,
}

/// Encodes the precondition of a spec over a skeleton with these leaves.
pub fn encode(spec: &Spec, skeleton: &Skeleton, leaves: &[Leaf], reach: Reach) -> Encoding {
    let variables: Vec<Variable> = leaves.iter().map(|leaf| variable(leaf, reach)).collect();
    let mut formulas = Formulas::new(variables);
    let sorts: Vec<LeafSort> = leaves.iter().map(|leaf| leaf.sort).collect();
    let arguments = Symbolic::arguments(skeleton, &sorts, &mut formulas);
    let mut encoder = Encoder::new(spec, leaves, reach, formulas);
    let params = spec.params.iter().map(|param| &param.refined).zip(arguments);
    let arguments: Vec<Symbolic> =
        params.map(|(refined, argument)| encoder.typed(refined, argument, spec)).collect();
    encoder.slots = arguments.clone();
    for (param, argument) in spec.params.iter().zip(&arguments) {
        encoder.refinements(&param.refined, argument.clone());
    }
    encoder.set(spec.value_slot(), Symbolic::Never);
    for clause in &spec.requires {
        encoder.clause(clause, false);
    }
    for clause in &spec.explore {
        encoder.clause(clause, true);
    }
    Encoding { formulas: encoder.formulas, structure: encoder.structure, clauses: encoder.clauses }
}

fn variable(leaf: &Leaf, reach: Reach) -> Variable {
    let kind = match leaf.sort {
        LeafSort::Bool => Kind::Bool,
        LeafSort::Int(_) | LeafSort::Char | LeafSort::Enum(_) => Kind::Int,
        LeafSort::Float(_) => Kind::Float,
    };
    let (low, high) = match (reach, leaf.sort) {
        (Reach::Type | Reach::ListedChars, LeafSort::Int(kind)) => {
            (Some(kind.min_value()), Some(kind.max_value()))
        }
        (Reach::Type, LeafSort::Char) => {
            (Some(symbolic::code_point('\0')), Some(symbolic::code_point(char::MAX)))
        }
        _ => {
            let numbers = || leaf.domain.iter().filter_map(number);
            (numbers().min(), numbers().max())
        }
    };
    let listed = reach == Reach::Domain && matches!(leaf.sort, LeafSort::Float(_));
    let floats = listed.then(|| leaf.domain.iter().filter_map(float).collect());
    Variable { kind, low, high, floats }
}

fn float(value: &Value) -> Option<f64> {
    if let Value::Float(x) = value { Some(*x) } else { None }
}

/// The integer that represents a scalar in formulas, if there is one.
pub fn number(value: &Value) -> Option<target_strategies::logic::int::Int> {
    match value {
        Value::Int(n) => Some(n.clone()),
        Value::Char(c) => Some(symbolic::code_point(*c)),
        Value::Data(ctor, _) => Some(target_strategies::logic::int::Int::from(*ctor)),
        Value::Bool(_) | Value::Float(_) | Value::Str(_) | Value::Seq(_) | Value::Tuple(_) => None,
    }
}

/// The state of an encoding.
struct Encoder<'a> {
    spec: &'a Spec,
    leaves: &'a [Leaf],
    reach: Reach,
    formulas: Formulas,
    slots: Vec<Symbolic>,
    structure: Vec<F>,
    clauses: Vec<EncodedClause>,
    /// Number of steps that the current clause may still take.
    fuel: usize,
    /// Maximum number of formulas at the end of the current clause.
    cap: usize,
    /// Nesting depth of the terms of the current measures.
    nesting: u32,
}

/// A pending step for the refinements of a value.
enum Todo<'a> {
    /// Check a part of the value.
    Part(&'a Refined, Symbolic),
    /// Restore the slots of fields to these values.
    Leave(Vec<(u32, Symbolic)>),
}

/// The value of a term, and the condition under which the term is defined.
#[derive(Clone, Debug)]
struct Outcome {
    value: Symbolic,
    defined: F,
}

type Encoded<T> = Result<T, Residual>;

impl<'a> Encoder<'a> {
    fn new(spec: &'a Spec, leaves: &'a [Leaf], reach: Reach, formulas: Formulas) -> Encoder<'a> {
        let (slots, structure, clauses) = (Vec::new(), Vec::new(), Vec::new());
        Encoder { spec, leaves, reach, formulas, slots, structure, clauses, fuel: 0, cap: 0, nesting: 0 }
    }

    fn set(&mut self, slot: u32, value: Symbolic) -> Symbolic {
        let slot = slot as usize;
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, Symbolic::Never);
        }
        std::mem::replace(&mut self.slots[slot], value)
    }

    /// The refinements of a type, applied to a value of the type and to the parts of that value.
    fn refinements(&mut self, refined: &'a Refined, value: Symbolic) {
        let mut todo = vec![Todo::Part(refined, value)];
        while let Some(next) = todo.pop() {
            let (refined, value) = match next {
                Todo::Part(refined, value) => (refined, value),
                Todo::Leave(slots) => {
                    slots.into_iter().for_each(|(slot, before)| drop(self.set(slot, before)));
                    continue;
                }
            };
            self.set(self.spec.value_slot(), value.clone());
            for clause in &refined.clauses {
                self.clause(clause, false);
            }
            let inner = todo.len();
            match (&refined.sort, value) {
                (Sort::Seq(element, _), Symbolic::Seq(parts)) => {
                    todo.extend(parts.iter().map(|part| Todo::Part(element, part.clone())));
                }
                (Sort::Set(element, _), Symbolic::Collection(_, items)) => {
                    todo.extend(items.all.iter().map(|(_, item)| Todo::Part(element, item.clone())));
                }
                (Sort::Map(key, value, _), Symbolic::Collection(_, items)) => {
                    for (_, pair) in items.all.iter() {
                        if let Symbolic::Tuple(parts) = pair {
                            let parts = [key, value].into_iter().zip(parts.iter().cloned());
                            todo.extend(parts.map(|(sort, part)| Todo::Part(sort, part)));
                        }
                    }
                }
                (Sort::Tuple(sorts), Symbolic::Tuple(parts)) => {
                    let parts = sorts.iter().zip(parts.iter().cloned());
                    todo.extend(parts.map(|(sort, part)| Todo::Part(sort, part)));
                }
                (Sort::Data(id), Symbolic::Data(ctor, fields)) => {
                    let ctor = &self.spec.data(*id).ctors[ctor as usize];
                    let fields = ctor.fields.iter().zip(fields.iter().cloned());
                    let slots = fields.clone().filter_map(|(field, value)| Some((field.slot?, value)));
                    let before = slots.map(|(slot, value)| (slot, self.set(slot, value))).collect();
                    todo.extend(fields.map(|(field, value)| Todo::Part(&field.refined, value)));
                    todo[inner..].reverse();
                    todo.insert(inner, Todo::Leave(before));
                    continue;
                }
                #[rustfmt::skip]
                (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..)
                | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), _) => {}
            }
            todo[inner..].reverse();
        }
    }

    fn clause(&mut self, clause: &Clause, explore: bool) {
        self.fuel = CAP;
        self.cap = self.formulas.len() + CAP;
        self.nesting = 0;
        let condition = self.term(&clause.term).and_then(|outcome| {
            let holds = self.truth_of(&outcome.value)?;
            Ok(self.formulas.and([outcome.defined, holds]))
        });
        self.clauses.push(EncodedClause { id: clause.id, condition, explore });
    }
}
