//! The least values that satisfy formulas: within the domains if possible, else as near to zero as powers of two tell.
//!
//! Who looks beyond the bound on purpose ([`super::boundary`]), who asks why nothing lies within it
//! ([`super::vacuous`]), and who mends what shrinking broke ([`super::repair`]): all want values that a person can read.

use std::collections::BTreeSet;
use std::sync::Arc;

use target_strategies::int::Int;
use target_strategies::value::Value;

use super::formula::{F, Formulas, Kind};
use super::split::{Problem, constant, membership, place};
use super::z3::{Answer, Effort, Model, Solver};

/// How far from zero integers outside their domains may be, as powers of two, tried in this order.
const EXPONENTS: [u32; 7] = [3, 5, 8, 16, 32, 64, 128];

/// Up to this power of two each integer is brought to its very least.
const FINE: u32 = 16;

/// With more leaves it is worth a question whether all can have their very least values at once.
const MANY: usize = 16;

/// When Z3 gave up so often on making a solution smaller, it is taken as it is.
const PATIENCE: u64 = 2;

/// Completes some fixed scalars to solutions of a problem whose variables range over their types. The domains are what
/// values are preferred from. It holds a solver, and so lives inside one Z3 context.
#[derive(Debug)]
pub struct Completer {
    problem: Problem,
    /// For each leaf, further values: floats and chars take no others.
    further: Vec<Vec<Value>>,
    solver: Solver,
    /// How often Z3 gave up: in this call, and in all.
    unknowns: (u64, u64),
    questions: u64,
}

impl Completer {
    /// A completer in the thread's Z3 context.
    pub fn new(problem: Problem, further: Vec<Vec<Value>>, effort: Effort) -> Completer {
        let solver = Solver::new(effort, problem.formulas.is_linear(&problem.conjuncts));
        Completer { problem, further, solver, unknowns: (0, 0), questions: 0 }
    }

    /// The least solution with these scalars; `None` if there is none; an error where Z3 gives up.
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

    /// A solution near to the wanted scalars: those at `fixed` are kept; then each of `order` in turn keeps its own if it
    /// still can; the others take the least that is left to them.
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

    /// Keeps what can be kept of the wanted scalars, and makes the others small.
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
            if !self.is_settled(leaf, leaves, &mut model) {
                self.settle(leaf, leaves, &mut model, true);
            }
        }
        Some(model)
    }

    /// Whether a leaf can't be anything else than what it is: most of what depends on others.
    fn is_settled(&mut self, leaf: u32, leaves: &[u32], model: &mut Model) -> bool {
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

    /// Brings a leaf into its domain, and there to its least, if it can be; else, on request, near to zero.
    fn settle(&mut self, leaf: u32, leaves: &[u32], model: &mut Model, fine: bool) {
        let member = self.member(leaf);
        if let Some(found) = self.attempt(member, leaves) {
            *model = found;
            self.solver.assert(&self.problem.formulas, member);
            self.lower(leaf, leaves, model);
        } else if fine && self.problem.formulas.variables()[leaf as usize].kind == Kind::Int {
            self.refine(leaf, leaves, model);
        }
    }

    /// How many questions Z3 was asked so far.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// How often Z3 gave up so far.
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

    /// A model in which a condition holds too.
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

    /// Brings each leaf in turn to the first value of its domain that it can have.
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

    /// Brings a leaf to the first value of its domain that it can have, and keeps it there.
    fn lower(&mut self, leaf: u32, leaves: &[u32], model: &mut Model) {
        let domain = self.problem.domains[leaf as usize].clone();
        let rank = |model: &Model| model.get(&leaf).and_then(|value| place(&domain, value)).unwrap_or(0);
        // Often it is the very first.
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

    /// With some leaf outside its domain: within the least of some powers of two.
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
        // Leaf by leaf, keep what can be in its domain there.
        for &leaf in leaves {
            self.settle(leaf, leaves, &mut best, fine);
        }
        Ok(Some(best))
    }

    /// Brings one integer as near to zero as it goes, from above where both sides are as near.
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

    /// The values that a leaf is limited to, unless it is an integer or a bool, which may be anything.
    fn limited_to(&self, leaf: u32) -> Option<Vec<Value>> {
        let (domain, further) = (&self.problem.domains[leaf as usize], &self.further[leaf as usize]);
        let all: Vec<Value> = domain.iter().chain(further).cloned().collect();
        let is_coded = matches!(all.first(), Some(Value::Char(_) | Value::Data(..)));
        (is_coded || self.problem.formulas.variables()[leaf as usize].kind == Kind::Float).then_some(all)
    }

    /// That no integer is further from zero than a power of two. Chars are not numbers to a reader.
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

    /// A model's value as the leaf's sort has it.
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
            _ => Some(value.clone()),
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
