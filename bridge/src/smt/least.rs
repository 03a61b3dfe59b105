//! The least values that satisfy formulas: within the domains if possible, else as near to zero as doubling tells.
//!
//! Both who looks beyond the bound on purpose ([`super::boundary`]) and who asks why nothing lies within it
//! ([`super::vacuous`]) want values that a person can read.

use std::sync::Arc;

use target_strategies::int::Int;
use target_strategies::value::Value;

use super::formula::{F, Formulas, Kind};
use super::split::{Limits, Problem, Search, State, equals, membership};
use super::z3::{Answer, Effort, Model, Solver};

/// The questions that finding values within the domains may take.
const QUESTIONS: usize = 256;

/// Up to this power of two each integer is brought to its very least.
const FINE: usize = 16;

/// What the least solution is sought of. The variables range over their types, not over the domains.
#[derive(Clone, Debug)]
pub struct Seeking {
    /// The conjuncts are among these, and each leaf's preferred values are its domain.
    pub problem: Problem,
    /// For each leaf, further values: floats and chars take no others. Integers may take all that their types hold.
    pub further: Vec<Vec<Value>>,
    /// The leaves that were fixed, and that they have their values.
    pub fixed: Vec<(u32, F)>,
}

impl Seeking {
    /// A value for each leaf; `None` if there are none; an error where Z3 gives up. Needs a Z3 context.
    pub fn least(&self, effort: Effort) -> Result<Option<Vec<Value>>, String> {
        let mut search = Search::new(self.problem.clone(), effort);
        let within = search.next(Limits { solutions: 1, questions: QUESTIONS }).pop();
        match (within, search.state()) {
            (Some(values), _) => Ok(Some(values)),
            (None, State::Finished) => self.beyond(effort),
            (None, State::Unknown(reason)) => Err(reason.clone()),
            (None, State::Open) => Err("the least values take too many questions".to_owned()),
        }
    }

    /// With some leaf outside its domain: within the least power of two.
    fn beyond(&self, effort: Effort) -> Result<Option<Vec<Value>>, String> {
        let mut formulas = self.problem.formulas.clone();
        let leaves: Vec<u32> = (0..self.problem.domains.len() as u32).collect();
        let mut demands = self.problem.conjuncts.clone();
        demands.extend(self.fixed.iter().map(|(_, is_it)| *is_it));
        for (&leaf, (domain, further)) in leaves.iter().zip(self.problem.domains.iter().zip(&self.further)) {
            if let Some(values) = limited_to(&formulas, leaf, domain, further) {
                demands.push(membership(&mut formulas, leaf, &values));
            }
        }
        let is_fixed = |leaf: &u32| self.fixed.iter().any(|(fixed, _)| fixed == leaf);
        let open: Vec<u32> = leaves.iter().copied().filter(|leaf| !is_fixed(leaf)).collect();
        let magnitudes: Vec<F> =
            (0..=128).map(|exponent| within_power(&mut formulas, &open, exponent)).collect();
        let everything: Vec<F> = demands.iter().chain(&magnitudes).copied().collect();
        let mut solver = Solver::new(effort, formulas.is_linear(&everything));
        solver.assert_ranges(&formulas, &leaves);
        for demand in demands {
            solver.assert(&formulas, demand);
        }
        let mut best = match solver.check(&formulas, &leaves) {
            Answer::Unsat => return Ok(None),
            Answer::Unknown(reason) => return Err(reason),
            Answer::Sat(model) => model,
        };
        // The least exponent, by bisection: `high` is known to do.
        let (mut low, mut high) = (0, 128);
        while low < high {
            let middle = (low + high) / 2;
            solver.push();
            solver.assert(&formulas, magnitudes[middle]);
            match solver.check(&formulas, &leaves) {
                Answer::Sat(model) => {
                    best = model;
                    high = middle;
                }
                _ => low = middle + 1,
            }
            solver.pop();
        }
        solver.assert(&formulas, magnitudes[high]);
        // Leaf by leaf, keep what can be in its domain there.
        for &leaf in &open {
            let member = membership(&mut formulas, leaf, &self.problem.domains[leaf as usize]);
            solver.push();
            solver.assert(&formulas, member);
            match solver.check(&formulas, &leaves) {
                Answer::Sat(model) => {
                    best = model;
                    continue;
                }
                _ => solver.pop(),
            }
            if high <= FINE && formulas.variables()[leaf as usize].kind == Kind::Int {
                refine(&mut formulas, &mut solver, leaf, &leaves, &mut best);
            }
        }
        Ok(leaves.iter().map(|leaf| self.read(*leaf, best.get(leaf)?)).collect())
    }

    /// A model's value as the leaf's sort has it.
    fn read(&self, leaf: u32, value: &Value) -> Option<Value> {
        let (domain, further) = (&self.problem.domains[leaf as usize], &self.further[leaf as usize]);
        match (domain.first().or(further.first()), value) {
            (Some(Value::Char(_)), Value::Int(n)) => {
                n.to_u64().and_then(|n| u32::try_from(n).ok()).and_then(char::from_u32).map(Value::Char)
            }
            _ => Some(value.clone()),
        }
    }

    /// The same, with a leaf fixed to a value; `None` if that contradicts on the face of it.
    pub fn with(&self, leaf: u32, value: &Value) -> Option<Seeking> {
        let mut seeking = self.clone();
        let is_it = equals(&mut seeking.problem.formulas, leaf, value);
        let constant = super::split::constant(&mut seeking.problem.formulas, value);
        let fixed = seeking.problem.formulas.assume(&seeking.problem.conjuncts, leaf, constant)?;
        seeking.problem.conjuncts = fixed;
        seeking.fixed.push((leaf, is_it));
        seeking.problem.domains[leaf as usize] = Arc::from([value.clone()]);
        seeking.further[leaf as usize] = Vec::new();
        Some(seeking)
    }
}

/// Brings one integer as near to zero as it goes, from above where both sides are as near.
fn refine(formulas: &mut Formulas, solver: &mut Solver, leaf: u32, leaves: &[u32], best: &mut Model) {
    let variable = formulas.leaf(leaf);
    let magnitude = |best: &Model| match best.get(&leaf) {
        Some(Value::Int(n)) => n.abs().to_i64(),
        _ => None,
    };
    let (mut low, Some(mut high)) = (0, magnitude(best)) else { return };
    let tries = |formulas: &Formulas, solver: &mut Solver, condition: F, best: &mut Model| {
        solver.push();
        solver.assert(formulas, condition);
        let answer = solver.check(formulas, leaves);
        solver.pop();
        match answer {
            Answer::Sat(model) => {
                *best = model;
                true
            }
            _ => false,
        }
    };
    while low < high {
        let middle = low + (high - low) / 2;
        let (above, below) = (Int::from(-middle), Int::from(middle));
        let bounds =
            [formulas.at_least_constant(variable, &above), formulas.at_most_constant(variable, &below)];
        let within = formulas.and(bounds);
        if tries(formulas, solver, within, best) {
            high = magnitude(best).unwrap_or(middle).min(middle);
        } else {
            low = middle + 1;
        }
    }
    let (above, below) = (Int::from(high), Int::from(-high));
    let sides = [formulas.equal_constant(variable, &above), formulas.equal_constant(variable, &below)];
    let side = if tries(formulas, solver, sides[0], best) { sides[0] } else { sides[1] };
    solver.assert(formulas, side);
}

/// The values that a leaf is limited to, unless it is an integer or a bool, which may be anything.
fn limited_to(formulas: &Formulas, leaf: u32, domain: &[Value], further: &[Value]) -> Option<Vec<Value>> {
    let all: Vec<Value> = domain.iter().chain(further).cloned().collect();
    let is_char = matches!(all.first(), Some(Value::Char(_)));
    (is_char || formulas.variables()[leaf as usize].kind == Kind::Float).then_some(all)
}

/// That no integer is further from zero than a power of two. Chars are not numbers to a reader.
fn within_power(formulas: &mut Formulas, leaves: &[u32], exponent: u32) -> F {
    let power = Int::power_of_two(exponent);
    let mut all = Vec::new();
    for &leaf in leaves {
        if formulas.variables()[leaf as usize].kind == Kind::Int {
            let variable = formulas.leaf(leaf);
            all.push(formulas.at_least_constant(variable, &-&power));
            all.push(formulas.at_most_constant(variable, &power));
        }
    }
    formulas.and(all)
}
