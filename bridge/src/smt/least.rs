//! The least values that satisfy formulas: within the domains if possible, else near zero, by powers of two.
//!
//! Its users need values that a person can read: [`super::boundary`] for cases beyond the bound, [`super::vacuous`] to
//! explain an empty space, and [`super::repair`] for shrinking.

use std::collections::BTreeSet;
use std::sync::Arc;

use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;

use super::formula::{F, Formulas, Kind};
use super::solver::{Answer, Effort, Model, Solver};
use super::split::{Problem, constant, index_in, membership};

/// Maximum distances from zero of integers outside their domains, as powers of two, tried in this order.
const EXPONENTS: [u32; 7] = [3, 5, 8, 16, 32, 64, 128];

/// Power of two up to which each integer is minimized exactly.
const FINE: u32 = 16;

/// Minimum number of leaves for first asking whether all can have their least values at once.
const MANY: usize = 16;

/// Number of times that Z3 may give up on minimizing a solution before it is taken as it is.
const PATIENCE: u64 = 2;

/// Completes some fixed scalars to solutions of a problem whose variables range over their types, with values from the
/// domains if possible. It holds a solver, so it lives inside one Z3 context.
#[derive(Debug)]
pub struct Completer {
    problem: Problem,
    /// Further values for each leaf; floats and chars take no values except these and their domains.
    further: Vec<Vec<Value>>,
    solver: Solver,
    /// Number of times that Z3 gave up: in this call, and in all calls.
    unknowns: (u64, u64),
    questions: u64,
}

impl Completer {
    /// A completer in the thread's Z3 context.
    pub fn new(problem: Problem, further: Vec<Vec<Value>>, effort: Effort) -> Completer {
        let solver = Solver::new(effort, problem.formulas.is_linear(&problem.conjuncts));
        Completer { problem, further, solver, unknowns: (0, 0), questions: 0 }
    }

    /// The least solution with these scalars; `None` if there is none; an error if Z3 gives up.
    pub fn complete(&mut self, fixed: &[(u32, Value)]) -> Result<Option<Vec<Value>>, String> {
        self.unknowns.0 = 0;
        let mut conjuncts = self.problem.conjuncts.clone();
        for (leaf, value) in fixed {
            let value = constant(&mut self.problem.formulas, value);
            match self.problem.formulas.assume(&conjuncts, *leaf, value) {
                Some(remaining) => conjuncts = remaining,
                None => return Ok(None),
            }
        }
        let formulas = &self.problem.formulas;
        let bound: BTreeSet<u32> =
            conjuncts.iter().flat_map(|&f| formulas.leaves(f).iter().copied()).collect();
        let mut values: Vec<Option<Value>> = (0..)
            .zip(&self.problem.domains)
            .map(|(leaf, domain)| match fixed.iter().find(|(other, _)| *other == leaf) {
                Some((_, value)) => Some(value.clone()),
                None => domain.first().or(self.further[leaf as usize].first()).cloned(),
            })
            .collect();
        if !conjuncts.is_empty() {
            let leaves: Vec<u32> = bound.into_iter().collect();
            let Some(model) = self.solve(&conjuncts, &leaves)? else { return Ok(None) };
            for leaf in leaves {
                values[leaf as usize] = model.get(&leaf).and_then(|value| self.read(leaf, value));
            }
        }
        Ok(values.into_iter().collect())
    }

    /// A solution near the wanted scalars. The scalars at `fixed` are kept, then each leaf of `order` keeps its scalar
    /// if it still can, and all other leaves take their least possible values.
    pub fn nearest(&mut self, wanted: &[Value], fixed: &[u32], order: &[u32]) -> Option<Vec<Value>> {
        self.unknowns.0 = 0;
        let formulas = &self.problem.formulas;
        let leaves: BTreeSet<u32> =
            self.problem.conjuncts.iter().flat_map(|&f| formulas.leaves(f).iter().copied()).collect();
        let leaves: Vec<u32> = leaves.into_iter().collect();
        self.solver.push();
        self.solver.assert_ranges(&self.problem.formulas, &leaves);
        for index in 0..self.problem.conjuncts.len() {
            self.solver.assert(&self.problem.formulas, self.problem.conjuncts[index]);
        }
        for &leaf in &leaves {
            let limited = self.limited_to(leaf);
            let kept = fixed.contains(&leaf).then(|| vec![wanted[leaf as usize].clone()]);
            if let Some(values) = kept.or(limited) {
                let member = membership(&mut self.problem.formulas, leaf, &values);
                self.solver.assert(&self.problem.formulas, member);
            }
        }
        let model = self.keep(wanted, fixed, order, &leaves);
        self.solver.pop();
        let model = model?;
        let solution = (0..).zip(wanted).map(|(leaf, value)| match model.get(&leaf) {
            Some(found) => self.read(leaf, found),
            None => Some(value.clone()),
        });
        solution.collect()
    }

    /// Keeps as many wanted scalars as possible, and makes all others small.
    fn keep(&mut self, wanted: &[Value], fixed: &[u32], order: &[u32], leaves: &[u32]) -> Option<Model> {
        let truth = self.problem.formulas.truth(true);
        let mut model = self.attempt(truth, leaves)?;
        let mut loose: Vec<u32> =
            leaves.iter().copied().filter(|leaf| !fixed.contains(leaf) && !order.contains(leaf)).collect();
        for &leaf in order.iter().filter(|leaf| leaves.contains(leaf) && !fixed.contains(leaf)) {
            let own = std::slice::from_ref(&wanted[leaf as usize]);
            let is_own = membership(&mut self.problem.formulas, leaf, own);
            match self.attempt(is_own, leaves) {
                Some(found) => {
                    model = found;
                    self.solver.assert(&self.problem.formulas, is_own);
                }
                None => loose.push(leaf),
            }
        }
        for leaf in loose {
            if !self.is_determined(leaf, leaves, &mut model) {
                self.bring_down(leaf, leaves, &mut model, true);
            }
        }
        Some(model)
    }

    /// Whether a leaf has only one possible value, as most dependent leaves do.
    fn is_determined(&mut self, leaf: u32, leaves: &[u32], model: &mut Model) -> bool {
        let Some(value) = model.get(&leaf).and_then(|value| self.read(leaf, value)) else { return true };
        let is_it = membership(&mut self.problem.formulas, leaf, &[value]);
        let differs = self.problem.formulas.not(is_it);
        match self.attempt(differs, leaves) {
            Some(found) => {
                *model = found;
                false
            }
            None => {
                self.solver.assert(&self.problem.formulas, is_it);
                true
            }
        }
    }

    /// Brings a leaf to the least possible value in its domain; if there is none and `fine` is set, near zero.
    fn bring_down(&mut self, leaf: u32, leaves: &[u32], model: &mut Model, fine: bool) {
        let member = self.member(leaf);
        if let Some(found) = self.attempt(member, leaves) {
            *model = found;
            self.solver.assert(&self.problem.formulas, member);
            self.lower(leaf, leaves, model);
        } else if fine && self.problem.formulas.variables()[leaf as usize].kind == Kind::Int {
            self.refine(leaf, leaves, model);
        }
    }

    /// Number of questions to Z3 so far.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// Number of times that Z3 gave up so far.
    pub fn unknowns(&self) -> u64 {
        self.unknowns.1
    }

    fn solve(&mut self, conjuncts: &[F], leaves: &[u32]) -> Result<Option<Model>, String> {
        self.solver.push();
        self.solver.assert_ranges(&self.problem.formulas, leaves);
        for &conjunct in conjuncts {
            self.solver.assert(&self.problem.formulas, conjunct);
        }
        let members: Vec<F> = leaves.iter().map(|&leaf| self.member(leaf)).collect();
        let within = self.problem.formulas.and(members);
        let model = match self.attempt(within, leaves) {
            Some(mut model) => {
                self.solver.assert(&self.problem.formulas, within);
                self.lower_all(leaves, &mut model);
                Ok(Some(model))
            }
            None => self.beyond(leaves),
        };
        self.solver.pop();
        model
    }

    fn member(&mut self, leaf: u32) -> F {
        membership(&mut self.problem.formulas, leaf, &self.problem.domains[leaf as usize])
    }

    /// A model that also satisfies a condition.
    fn attempt(&mut self, condition: F, leaves: &[u32]) -> Option<Model> {
        if self.problem.formulas.as_truth(condition) == Some(false) || self.unknowns.0 >= PATIENCE {
            return None;
        }
        self.questions += 1;
        self.solver.push();
        self.solver.assert(&self.problem.formulas, condition);
        let answer = self.solver.check(&self.problem.formulas, leaves);
        self.solver.pop();
        match answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat => None,
            Answer::Unknown(_) => {
                self.unknowns = (self.unknowns.0 + 1, self.unknowns.1 + 1);
                None
            }
        }
    }

    /// Brings each leaf in turn to its first possible value in its domain.
    fn lower_all(&mut self, leaves: &[u32], model: &mut Model) {
        if leaves.len() > MANY {
            let first = |leaf: &u32| {
                let domain = Arc::clone(&self.problem.domains[*leaf as usize]);
                membership(&mut self.problem.formulas, *leaf, &domain[..1])
            };
            let firsts: Vec<F> = leaves.iter().map(first).collect();
            let all_first = self.problem.formulas.and(firsts);
            if let Some(found) = self.attempt(all_first, leaves) {
                *model = found;
                return;
            }
        }
        leaves.iter().for_each(|&leaf| self.lower(leaf, leaves, model));
    }

    /// Brings a leaf to its first possible value in its domain, and keeps it there.
    fn lower(&mut self, leaf: u32, leaves: &[u32], model: &mut Model) {
        let domain = self.problem.domains[leaf as usize].clone();
        let rank = |model: &Model| model.get(&leaf).and_then(|value| index_in(&domain, value)).unwrap_or(0);
        // The first value is often possible.
        let mut tried = 1;
        let mut low = 0;
        while low < rank(model) {
            let end = low + tried.min(rank(model) - low);
            let earlier = membership(&mut self.problem.formulas, leaf, &domain[low..end]);
            match self.attempt(earlier, leaves) {
                Some(earlier) => {
                    *model = earlier;
                    tried = ((rank(model) - low) / 2).max(1);
                }
                None => {
                    low = end;
                    tried = ((rank(model) - low) / 2).max(1);
                }
            }
        }
        let is_it = membership(&mut self.problem.formulas, leaf, &domain[low..=low]);
        self.solver.assert(&self.problem.formulas, is_it);
    }

    /// A solution with some leaf outside its domain, within the least possible power of two.
    fn beyond(&mut self, leaves: &[u32]) -> Result<Option<Model>, String> {
        for &leaf in leaves {
            if let Some(values) = self.limited_to(leaf) {
                let member = membership(&mut self.problem.formulas, leaf, &values);
                self.solver.assert(&self.problem.formulas, member);
            }
        }
        let mut best = match self.solver.check(&self.problem.formulas, leaves) {
            Answer::Unsat => return Ok(None),
            Answer::Unknown(reason) => {
                self.unknowns.1 += 1;
                return Err(reason);
            }
            Answer::Sat(model) => model,
        };
        let mut fine = false;
        for exponent in EXPONENTS {
            let within = self.within_power(leaves, exponent);
            if let Some(model) = self.attempt(within, leaves) {
                best = model;
                fine = exponent <= FINE;
                self.solver.assert(&self.problem.formulas, within);
                break;
            }
        }
        // Keep each leaf in its domain if possible.
        for &leaf in leaves {
            self.bring_down(leaf, leaves, &mut best, fine);
        }
        Ok(Some(best))
    }

    /// Brings one integer as near to zero as possible; of two equally near values, the positive one.
    fn refine(&mut self, leaf: u32, leaves: &[u32], best: &mut Model) {
        let variable = self.problem.formulas.leaf(leaf);
        let magnitude = |best: &Model| match best.get(&leaf) {
            Some(Value::Int(n)) => n.abs().to_i64(),
            _ => None,
        };
        let (mut low, Some(mut high)) = (0, magnitude(best)) else { return };
        while low < high {
            let middle = low + (high - low) / 2;
            let within = between(&mut self.problem.formulas, variable, -middle, middle);
            match self.attempt(within, leaves) {
                Some(model) => {
                    *best = model;
                    high = magnitude(best).unwrap_or(middle).min(middle);
                }
                None => low = middle + 1,
            }
        }
        let above = between(&mut self.problem.formulas, variable, high, high);
        let side = match self.attempt(above, leaves) {
            Some(model) => {
                *best = model;
                above
            }
            None => between(&mut self.problem.formulas, variable, -high, -high),
        };
        self.solver.assert(&self.problem.formulas, side);
    }

    /// The values allowed for a leaf; `None` for integers and bools, which may have any value.
    fn limited_to(&self, leaf: u32) -> Option<Vec<Value>> {
        let (domain, further) = (&self.problem.domains[leaf as usize], &self.further[leaf as usize]);
        let all: Vec<Value> = domain.iter().chain(further).cloned().collect();
        let is_coded = matches!(all.first(), Some(Value::Char(_) | Value::Data(..)));
        (is_coded || self.problem.formulas.variables()[leaf as usize].kind == Kind::Float).then_some(all)
    }

    /// No integer is further from zero than a power of two. Chars are excluded: readers don't see them as numbers.
    fn within_power(&mut self, leaves: &[u32], exponent: u32) -> F {
        let power = Int::power_of_two(exponent);
        let mut all = Vec::new();
        for &leaf in leaves {
            let is_int = self.problem.formulas.variables()[leaf as usize].kind == Kind::Int;
            if is_int && self.limited_to(leaf).is_none() {
                let variable = self.problem.formulas.leaf(leaf);
                all.push(self.problem.formulas.at_least_constant(variable, &-&power));
                all.push(self.problem.formulas.at_most_constant(variable, &power));
            }
        }
        self.problem.formulas.and(all)
    }

    /// A model's value as a value of the leaf's sort.
    fn read(&self, leaf: u32, value: &Value) -> Option<Value> {
        let (domain, further) = (&self.problem.domains[leaf as usize], &self.further[leaf as usize]);
        match (domain.first().or(further.first()), value) {
            (Some(Value::Char(_)), Value::Int(n)) => {
                n.to_u64().and_then(|n| u32::try_from(n).ok()).and_then(char::from_u32).map(Value::Char)
            }
            (Some(Value::Data(..)), Value::Int(n)) => {
                let ctor = n.to_u64().and_then(|n| u32::try_from(n).ok());
                ctor.map(|ctor| Value::Data(ctor, Arc::from([])))
            }
            #[rustfmt::skip]
            (None | Some(Value::Bool(_)) | Some(Value::Int(_)) | Some(Value::Char(_))
            | Some(Value::Float(_)) | Some(Value::Str(_)) | Some(Value::Seq(_)) | Some(Value::Tuple(_))
            | Some(Value::Data(..)), _) => Some(value.clone()),
        }
    }
}

fn between(formulas: &mut Formulas, variable: F, low: i64, high: i64) -> F {
    let bounds = [
        formulas.at_least_constant(variable, &Int::from(low)),
        formulas.at_most_constant(variable, &Int::from(high)),
    ];
    formulas.and(bounds)
}
