//! The solver Z3: formulas in, answers out. No other file names it.
//!
//! A [`Solver`] lives inside [`in_context`], which creates a context for it: its answers never depend on earlier work
//! of the thread. Effort per check is counted in Z3's own resource units, never in time. Models are complete: every
//! requested leaf has a value.

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use target_strategies::cancel;
use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;
use z3::ast;

use super::answer::{Answer, Effort, Model};
use super::formula::{BitOp, F, FloatBinary, Formulas, Kind, Node};

/// Runs a closure with a fresh Z3 context for the thread.
pub fn in_context<R: Send + Sync>(run: impl FnOnce() -> R + Send + Sync) -> R {
    // The z3 crate restores the thread's context only when the closure returns, so no panic or stop may leave it. The
    // mutex is needed because the closure's result must be `Sync`.
    let caught = || catch_unwind(AssertUnwindSafe(run)).map_err(Mutex::new);
    z3::with_z3_config(&z3::Config::new(), caught)
        .unwrap_or_else(|panic| resume_unwind(panic.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

thread_local! {
    /// Time that the thread has waited for answers.
    static WAITED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The same, with the time that answers took. Only reports may depend on it.
pub fn in_timed_context<R: Send + Sync>(run: impl FnOnce() -> R + Send + Sync) -> (R, Duration) {
    let before = WAITED.get();
    let result = in_context(run);
    (result, WAITED.get() - before)
}

/// Measures the time of a question. Before it, the limits of the computation are checked.
fn timed(ask: impl FnOnce() -> z3::SatResult) -> z3::SatResult {
    cancel::look();
    let started = Instant::now();
    let result = ask();
    WAITED.set(WAITED.get() + started.elapsed());
    result
}

/// A stack of assertions over the formulas of one [`Formulas`].
/// Formula numbers are cached: all questions to a solver must use formulas of the same arena.
#[derive(Debug)]
pub struct Solver {
    solver: z3::Solver,
    terms: HashMap<F, Term>,
    /// Maximum time of one check.
    time: Option<Duration>,
}

#[derive(Clone, Debug)]
enum Term {
    Bool(ast::Bool),
    Int(ast::Int),
    Float(ast::Float),
}

impl Solver {
    /// A solver in the thread's context. `linear` promises that [`Formulas::is_linear`] holds for all questions.
    pub fn new(effort: Effort, linear: bool) -> Solver {
        let specialised = if linear { z3::Solver::new_for_logic("QF_LIA") } else { None };
        let solver = specialised.unwrap_or_default();
        let mut params = z3::Params::new();
        params.set_u32("random_seed", effort.seed);
        params.set_u32("rlimit", effort.per_check);
        if let Some(time) = effort.time {
            params.set_u32("timeout", u32::try_from(time.as_millis()).unwrap_or(u32::MAX));
        }
        if !linear {
            // Its work on real polynomials is not counted in resource units, and can take minutes.
            params.set_bool("arith.nl.nra", false);
            params.set_bool("arith.nl.grobner", effort.thorough);
            params.set_bool("arith.nl.horner", effort.thorough);
        }
        solver.set_params(&params);
        // A level at the start selects the incremental core. All other cores take a hundred times as long to set up.
        solver.push();
        Solver { solver, terms: HashMap::new(), time: effort.time }
    }

    /// Opens a level of assertions.
    pub fn push(&mut self) {
        self.solver.push();
    }

    /// Drops the assertions of the last level.
    pub fn pop(&mut self) {
        self.solver.pop(1);
    }

    /// Adds a formula.
    pub fn assert(&mut self, formulas: &Formulas, f: F) {
        let term = self.bool(formulas, f);
        self.solver.assert(&term);
    }

    /// Asserts that leaves are in the ranges that [`Formulas`] assumes.
    pub fn assert_ranges(&mut self, formulas: &Formulas, leaves: &[u32]) {
        for &leaf in leaves {
            let variable = &formulas.variables()[leaf as usize];
            if let Term::Int(term) = constant(formulas, leaf) {
                if let Some(low) = &variable.low {
                    self.solver.assert(term.ge(write_int(low)));
                }
                if let Some(high) = &variable.high {
                    self.solver.assert(term.le(write_int(high)));
                }
            }
        }
    }

    /// Whether the assertions are satisfiable, and if so the values of the given leaves.
    pub fn check(&mut self, formulas: &Formulas, leaves: &[u32]) -> Answer {
        let result = timed(|| self.solver.check());
        self.answer(result, formulas, leaves)
    }

    /// Like [`Solver::check`], under assumptions; if unsatisfiable, the indices of some assumptions that contradict
    /// each other.
    pub fn check_assuming(
        &mut self,
        formulas: &Formulas,
        assumptions: &[F],
        leaves: &[u32],
    ) -> Result<Answer, Vec<usize>> {
        let names: Vec<ast::Bool> =
            (0..assumptions.len()).map(|index| ast::Bool::new_const(format!("assumption!{index}"))).collect();
        self.solver.push();
        for (name, &assumption) in names.iter().zip(assumptions) {
            let term = self.bool(formulas, assumption);
            self.solver.assert(name.implies(&term));
        }
        let result = timed(|| self.solver.check_assumptions(&names));
        let answer = match result {
            z3::SatResult::Unsat => {
                let core = self.solver.get_unsat_core();
                Err((0..names.len()).filter(|&index| core.contains(&names[index])).collect())
            }
            _ => Ok(self.answer(result, formulas, leaves)),
        };
        self.solver.pop(1);
        answer
    }

    fn answer(&mut self, result: z3::SatResult, formulas: &Formulas, leaves: &[u32]) -> Answer {
        match result {
            z3::SatResult::Unsat => Answer::Unsat,
            z3::SatResult::Unknown => {
                let reason = self.solver.get_reason_unknown().unwrap_or_else(|| "no reason given".to_owned());
                Answer::Unknown(match self.time {
                    Some(time) if matches!(reason.as_str(), "canceled" | "timeout") => {
                        format!("Z3 found no answer to a query within {time:?}")
                    }
                    _ => format!("Z3 gave up on a query: {reason}"),
                })
            }
            z3::SatResult::Sat => match self.model(formulas, leaves) {
                Some(model) => Answer::Sat(model),
                None => Answer::Unknown("Z3's model can't be read".to_owned()),
            },
        }
    }

    fn model(&mut self, formulas: &Formulas, leaves: &[u32]) -> Option<Model> {
        let model = self.solver.get_model()?;
        let mut values = Model::with_capacity(leaves.len());
        for &leaf in leaves {
            let value = match constant(formulas, leaf) {
                Term::Bool(term) => Value::Bool(model.eval(&term, true)?.as_bool()?),
                Term::Int(term) => Value::Int(read_int(&model.eval(&term, true)?)?),
                Term::Float(term) => Value::Float(model.eval(&term, true)?.as_f64()),
            };
            values.insert(leaf, value);
        }
        Some(values)
    }

    fn bool(&mut self, formulas: &Formulas, f: F) -> ast::Bool {
        // Parts have smaller numbers than wholes, so translation in order needs no recursion.
        for part in formulas.closure_until(&[f], |part| self.terms.contains_key(&part)) {
            let term = self.translate(formulas, part);
            self.terms.insert(part, term);
        }
        bool_of(&self.terms, f).clone()
    }

    fn translate(&self, formulas: &Formulas, f: F) -> Term {
        let int = |f: &F| int_of(&self.terms, *f);
        let float = |f: &F| float_of(&self.terms, *f);
        match formulas.node(f) {
            Node::Bool(value) => Term::Bool(ast::Bool::from_bool(*value)),
            Node::Int(value) => Term::Int(write_int(value)),
            Node::Float(bits) => Term::Float(write_float(f64::from_bits(*bits))),
            Node::Leaf(number) => constant(formulas, *number),
            Node::Not(a) => Term::Bool(bool_of(&self.terms, *a).not()),
            Node::And(parts) => {
                let parts: Vec<ast::Bool> =
                    parts.iter().map(|part| bool_of(&self.terms, *part).clone()).collect();
                Term::Bool(ast::Bool::and(&parts))
            }
            Node::If(condition, a, b) => self.choose(*condition, *a, *b),
            Node::Sum(offset, terms) => Term::Int(sum(offset, terms, int)),
            Node::Product(a, b) => Term::Int(ast::Int::mul(&[int(a).clone(), int(b).clone()])),
            Node::Quotient(a, b) => Term::Int(int(a).div(int(b))),
            Node::Remainder(a, b) => Term::Int(int(a).modulo(int(b))),
            Node::Bits(op, width, a, b) => Term::Int(bits(*op, *width, int(a), int(b))),
            Node::AtMost(a, limit) => Term::Bool(int(a).le(write_int(limit))),
            Node::EqualInt(a, value) => Term::Bool(int(a).eq(write_int(value))),
            Node::FloatBinary(op, a, b) => float_binary(*op, float(a), float(b)),
            Node::FloatNeg(a) => Term::Float(float(a).unary_neg()),
            Node::FloatAbs(a) => Term::Float(float(a).unary_abs()),
            Node::FloatToF32(a) => Term::Float(to_f32(float(a))),
            Node::FloatIsNan(a) => Term::Bool(float(a).is_nan()),
            Node::FloatIsInfinite(a) => Term::Bool(float(a).is_infinite()),
            Node::FloatIsNegative(a) => Term::Bool(float(a).is_negative()),
        }
    }

    fn choose(&self, condition: F, a: F, b: F) -> Term {
        let condition = bool_of(&self.terms, condition);
        match (&self.terms[&a], &self.terms[&b]) {
            (Term::Float(a), Term::Float(b)) => Term::Float(condition.ite(a, b)),
            (Term::Bool(_) | Term::Int(_) | Term::Float(_), _) => {
                Term::Int(condition.ite(int_of(&self.terms, a), int_of(&self.terms, b)))
            }
        }
    }
}

fn constant(formulas: &Formulas, leaf: u32) -> Term {
    match formulas.variables()[leaf as usize].kind {
        Kind::Bool => Term::Bool(ast::Bool::new_const(leaf)),
        Kind::Int => Term::Int(ast::Int::new_const(leaf)),
        Kind::Float => Term::Float(ast::Float::new_const_double(leaf)),
    }
}

fn bool_of(terms: &HashMap<F, Term>, f: F) -> &ast::Bool {
    match &terms[&f] {
        Term::Bool(term) => term,
        Term::Int(_) | Term::Float(_) => unreachable!("the encoder builds conditions from conditions"),
    }
}

fn int_of(terms: &HashMap<F, Term>, f: F) -> &ast::Int {
    match &terms[&f] {
        Term::Int(term) => term,
        Term::Bool(_) | Term::Float(_) => unreachable!("the encoder builds arithmetic from integers"),
    }
}

fn float_of(terms: &HashMap<F, Term>, f: F) -> &ast::Float {
    match &terms[&f] {
        Term::Float(term) => term,
        Term::Bool(_) | Term::Int(_) => unreachable!("the encoder builds float operations from floats"),
    }
}

fn sum<'a>(offset: &Int, terms: &[(F, Int)], int: impl Fn(&F) -> &'a ast::Int) -> ast::Int {
    let one = Int::from(1);
    let mut parts: Vec<ast::Int> = Vec::with_capacity(terms.len() + 1);
    for (part, coefficient) in terms {
        let part = int(part).clone();
        parts.push(if *coefficient == one { part } else { ast::Int::mul(&[write_int(coefficient), part]) });
    }
    if *offset != Int::from(0) {
        parts.push(write_int(offset));
    }
    ast::Int::add(&parts)
}

fn bits(op: BitOp, width: u32, a: &ast::Int, b: &ast::Int) -> ast::Int {
    let (a, b) = (ast::BV::from_int(a, width), ast::BV::from_int(b, width));
    let result = match op {
        BitOp::And => a.bvand(&b),
        BitOp::Or => a.bvor(&b),
        BitOp::Xor => a.bvxor(&b),
    };
    ast::Int::from_bv(&result, true)
}

fn float_binary(op: FloatBinary, a: &ast::Float, b: &ast::Float) -> Term {
    let nearest = ast::RoundingMode::round_nearest_ties_to_even;
    match op {
        FloatBinary::Add => Term::Float(a.add_with_rounding_mode(b, &nearest())),
        FloatBinary::Sub => Term::Float(a.sub_with_rounding_mode(b, &nearest())),
        FloatBinary::Mul => Term::Float(a.mul_with_rounding_mode(b, &nearest())),
        FloatBinary::Div => Term::Float(a.div_with_rounding_mode(b, &nearest())),
        FloatBinary::Less => Term::Bool(a.lt(b)),
        FloatBinary::AtMost => Term::Bool(a.le(b)),
        FloatBinary::Equal => Term::Bool(a.eq_fpa(b)),
        FloatBinary::Same => Term::Bool(a.eq(b)),
    }
}

fn write_int(value: &Int) -> ast::Int {
    match value.to_i64() {
        Some(small) => ast::Int::from_i64(small),
        None => value.to_string().parse().expect("Z3 reads decimal digits"),
    }
}

/// The nearest 32-bit float, as a double.
fn to_f32(a: &ast::Float) -> ast::Float {
    let nearest = ast::RoundingMode::round_nearest_ties_to_even;
    let narrow = a.to_fp_with_rounding_mode(&nearest(), &z3::Sort::float32());
    narrow.to_fp_with_rounding_mode(&nearest(), &z3::Sort::double())
}

fn write_float(value: f64) -> ast::Float {
    if value.is_nan() { ast::Float::nan64() } else { ast::Float::from_f64(value) }
}

fn read_int(term: &ast::Int) -> Option<Int> {
    match term.as_i64() {
        Some(small) => Some(Int::from(small)),
        // Z3 prints a negative number as `(- 5)`.
        None => {
            let text = term.to_string();
            let digits: String = text.chars().filter(|c| c.is_ascii_digit()).collect();
            let magnitude: Int = digits.parse().ok()?;
            Some(if text.contains('-') { -&magnitude } else { magnitude })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closure_that_unwinds_leaves_no_context_behind() {
        let before = z3::Context::thread_local();
        let stopped = catch_unwind(|| in_context(|| -> () { resume_unwind(Box::new("stop")) }));
        assert_eq!(stopped.expect_err("it unwinds").downcast_ref(), Some(&"stop"));
        assert_eq!(z3::Context::thread_local(), before);
    }
}
