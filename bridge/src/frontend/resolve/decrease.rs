//! Checks with Z3 that the expression after `decreases` gets smaller at every call.
//!
//! Integers are unbounded. The conditions on the path to a call, and that the number is not negative before and after
//! (a measure with a negative number is undefined), must imply that it is smaller after. Terms outside integer
//! arithmetic may be any integer.

use std::collections::{BTreeMap, BTreeSet};

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{ArithOp, CompareOp, FunctionId, Term, for_children, map_children};
use target_strategies::logic::value::Value;

use crate::frontend::data::DataTable;
use crate::smt::formula::{F, Formulas, Kind, Variable};
use crate::smt::solver::{Answer, Effort, Solver, in_context};

/// Z3's resource units for one question.
const EFFORT: u32 = 2_000_000;

/// A call, and the conditions on the path to it.
struct Step<'t> {
    callee: FunctionId,
    args: &'t [Term],
    path: Vec<(&'t Term, bool)>,
}

/// Whether the `decreases` of a function gets smaller at each of its calls to the functions of a cycle.
pub fn decreases(data: &DataTable<'_>, id: FunctionId, cycle: &BTreeSet<FunctionId>) -> bool {
    is_decreasing(data, id, cycle, &|of| data.functions.all[of.0 as usize].decreases.clone())
}

/// A parameter that gets smaller whenever a function calls itself, by its position: `decreases` with its name would do. It must be on no
/// cycle with others.
pub fn candidate(data: &DataTable<'_>, id: FunctionId) -> Option<usize> {
    let slots = &data.functions.all[id.0 as usize].params;
    let is_right = |slot: u32| {
        data.functions.integers.contains(&slot)
            && is_decreasing(data, id, &BTreeSet::from([id]), &|_| Some(Term::Var(slot)))
    };
    slots.iter().position(|slot| is_right(*slot))
}

/// Whether the number of a function is larger than those of all functions of a cycle that it calls, with their arguments.
fn is_decreasing(
    data: &DataTable<'_>,
    id: FunctionId,
    cycle: &BTreeSet<FunctionId>,
    number_of: &dyn Fn(FunctionId) -> Option<Term>,
) -> bool {
    let function = &data.functions.all[id.0 as usize];
    let Some(before) = number_of(id) else { return false };
    let mut steps = Vec::new();
    collect(&before, cycle, &mut Vec::new(), &mut steps);
    if !steps.is_empty() {
        return false;
    }
    collect(&function.body, cycle, &mut Vec::new(), &mut steps);
    steps.iter().all(|step| {
        let callee = &data.functions.all[step.callee.0 as usize];
        let Some(after) = number_of(step.callee) else { return false };
        let bound: BTreeMap<u32, &Term> = callee.params.iter().copied().zip(step.args).collect();
        let after = replaced(&after, &bound);
        in_context(|| is_smaller(&before, &after, &step.path, &data.functions.integers))
    })
}

/// Collects the calls in a term, also under binders. A binder's slot may be any integer.
fn collect<'t>(
    term: &'t Term,
    cycle: &BTreeSet<FunctionId>,
    path: &mut Vec<(&'t Term, bool)>,
    steps: &mut Vec<Step<'t>>,
) {
    let mut under = |condition: &'t Term, truth: bool, branch: &'t Term, path: &mut Vec<(&'t Term, bool)>| {
        path.push((condition, truth));
        collect(branch, cycle, path, steps);
        path.pop();
    };
    match term {
        Term::If(condition, a, b) => {
            under(condition, true, a, path);
            under(condition, false, b, path);
            collect(condition, cycle, path, steps);
        }
        Term::And(parts) | Term::Or(parts) => {
            let outside = path.len();
            for part in parts {
                collect(part, cycle, path, steps);
                path.push((part, matches!(term, Term::And(_))));
            }
            path.truncate(outside);
        }
        #[rustfmt::skip]
        Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::Let { .. } | Term::Equal(..) | Term::Compare(..)
        | Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..)
        | Term::Machine(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_)
        | Term::Construct(..) | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_)
        | Term::Index(..) | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_)
        | Term::Range(..) | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_)
        | Term::Text(_) | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..)
        | Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
        | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
        | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
        | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
        | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => {
            if let Term::Call(callee, args) = term
                && cycle.contains(callee)
            {
                steps.push(Step { callee: *callee, args, path: path.clone() });
            }
            for_children(term, &mut |child| collect(child, cycle, path, steps));
        }
    }
}

/// A term with slots replaced.
fn replaced(term: &Term, bound: &BTreeMap<u32, &Term>) -> Term {
    if let Term::Var(slot) = term {
        return bound.get(slot).map_or_else(|| term.clone(), |by| (*by).clone());
    }
    map_children(term, &mut |child, _| replaced(child, bound))
}

fn is_smaller(before: &Term, after: &Term, path: &[(&Term, bool)], integers: &BTreeSet<u32>) -> bool {
    let mut unknowns = Vec::new();
    let all = path.iter().map(|(condition, _)| *condition).chain([before, after]);
    all.for_each(|term| find_unknowns(term, &mut unknowns));
    let variables = unknowns.iter().map(|term| {
        let (low, high) = (matches!(term, Term::Len(_)).then_some(Int::ZERO), None);
        Variable { kind: Kind::Int, low, high, floats: None }
    });
    let mut reading = Reading { formulas: Formulas::new(variables.collect::<Vec<_>>()), integers, unknowns };
    let (Some(before), Some(after)) = (reading.number(before), reading.number(after)) else { return false };
    let mut facts: Vec<F> = path
        .iter()
        .filter_map(|(condition, truth)| {
            let condition = reading.truth(condition)?;
            Some(if *truth { condition } else { reading.formulas.not(condition) })
        })
        .collect();
    facts.push(reading.formulas.at_least_constant(before, &Int::ZERO));
    facts.push(reading.formulas.at_least_constant(after, &Int::ZERO));
    facts.push(reading.formulas.at_most(before, after));
    let refuted = reading.formulas.and(facts);
    if let Some(truth) = reading.formulas.as_truth(refuted) {
        return !truth;
    }
    let linear = reading.formulas.is_linear(&[refuted]);
    let effort = Effort { per_check: EFFORT, thorough: true, ..Effort::default() };
    let mut solver = Solver::new(effort, linear);
    let leaves: Vec<u32> = reading.formulas.leaves(refuted).to_vec();
    solver.assert_ranges(&reading.formulas, &leaves);
    solver.assert(&reading.formulas, refuted);
    matches!(solver.check(&reading.formulas, &leaves), Answer::Unsat)
}

/// The integer terms outside arithmetic.
fn find_unknowns(term: &Term, into: &mut Vec<Term>) {
    match term {
        Term::Lit(_) => {}
        Term::Arith(_, a, b) | Term::Compare(_, a, b) | Term::Equal(a, b) => {
            find_unknowns(a, into);
            find_unknowns(b, into);
        }
        Term::Neg(a) | Term::Abs(a) | Term::Not(a) => find_unknowns(a, into),
        Term::And(parts) | Term::Or(parts) => parts.iter().for_each(|part| find_unknowns(part, into)),
        #[rustfmt::skip]
        Term::Var(_) | Term::If(..) | Term::Let { .. } | Term::FloatArith(..) | Term::FloatUnary(..)
        | Term::Machine(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_)
        | Term::Construct(..) | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_)
        | Term::Index(..) | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_)
        | Term::Range(..) | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_)
        | Term::Text(_) | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..)
        | Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
        | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
        | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
        | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
        | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => {
            if !into.contains(term) {
                into.push(term.clone());
            }
        },
    }
}

/// Terms as formulas over their unknowns.
struct Reading<'d> {
    formulas: Formulas,
    /// The parameters that are integers, by their slots.
    integers: &'d BTreeSet<u32>,
    unknowns: Vec<Term>,
}

impl Reading<'_> {
    fn number(&mut self, term: &Term) -> Option<F> {
        Some(match term {
            Term::Lit(Value::Int(n)) => self.formulas.int(n.clone()),
            Term::Lit(_) => return None,
            Term::Neg(a) => {
                let a = self.number(a)?;
                self.formulas.neg(a)
            }
            Term::Arith(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    ArithOp::Add => self.formulas.add(a, b),
                    ArithOp::Sub => self.formulas.sub(a, b),
                    ArithOp::Mul => self.formulas.mul(a, b),
                    ArithOp::Div => self.formulas.truncating(a, b).0,
                    ArithOp::Rem => self.formulas.truncating(a, b).1,
                    _ => return None,
                }
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) | Term::Let { .. }
            | Term::Equal(..) | Term::Compare(..) | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..)
            | Term::Machine(..) | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_)
            | Term::Construct(..) | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_)
            | Term::Index(..) | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_)
            | Term::Range(..) | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_)
            | Term::Text(_) | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..)
            | Term::All(..) | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. }
            | Term::Sum(_) | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
            | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
            | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => {
                let at = self.unknowns.iter().position(|unknown| unknown == term)?;
                self.formulas.leaf(at as u32)
            }
        })
    }

    /// Whether a term is certainly an integer.
    fn is_int(&self, term: &Term) -> bool {
        match term {
            Term::Lit(value) => matches!(value, Value::Int(_)),
            Term::Var(slot) => self.integers.contains(slot),
            Term::Arith(..) | Term::Neg(_) | Term::Abs(_) | Term::Len(_) | Term::Sum(_) | Term::ToInt(_) => {
                true
            }
            #[rustfmt::skip]
            Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..) | Term::Let { .. } | Term::Equal(..)
            | Term::Compare(..) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..) | Term::Project(..)
            | Term::Field { .. } | Term::IsCtor(..) | Term::Index(..) | Term::Slice(..) | Term::Concat(_)
            | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..) | Term::Windows(..) | Term::Zip(..)
            | Term::Chars(_) | Term::Bytes(_) | Term::Text(_) | Term::StrTest(..) | Term::Matches(..)
            | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..) | Term::Any(..) | Term::Map(..)
            | Term::Filter(..) | Term::Fold { .. } | Term::Position(..) | Term::Extreme { .. }
            | Term::Distinct(_) | Term::IsSorted(_) | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..)
            | Term::Entries(_) | Term::Keys(_) | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..)
            | Term::CharIs(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => false,
        }
    }

    fn truth(&mut self, term: &Term) -> Option<F> {
        Some(match term {
            Term::Lit(Value::Bool(truth)) => self.formulas.truth(*truth),
            Term::Not(a) => {
                let a = self.truth(a)?;
                self.formulas.not(a)
            }
            Term::And(parts) | Term::Or(parts) => {
                let parts = parts.iter().map(|part| self.truth(part)).collect::<Option<Vec<_>>>()?;
                if matches!(term, Term::And(_)) { self.formulas.and(parts) } else { self.formulas.or(parts) }
            }
            // The operands may be floats, about which nothing is known.
            Term::Equal(a, b) | Term::Compare(_, a, b) if !self.is_int(a) && !self.is_int(b) => return None,
            Term::Equal(a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                self.formulas.equal_int(a, b)
            }
            Term::Compare(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                if *op == CompareOp::Lt { self.formulas.less(a, b) } else { self.formulas.at_most(a, b) }
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::If(..) | Term::Let { .. } | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
            | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
            | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
            | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..)
            | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
            | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
            | Term::Collect(..) | Term::SetOp(..) | Term::Subset(..) | Term::Entries(_) | Term::Keys(_)
            | Term::MapGet(..) | Term::MapWith(..) | Term::MapWithout(..) | Term::CharIs(..) | Term::Call(..)
            | Term::Opaque(..) | Term::Ask(..) | Term::Undefined => return None,
        })
    }
}
