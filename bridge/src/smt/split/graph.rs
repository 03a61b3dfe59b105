//! The graph of choices that a search walks: leaves, their values in solutions, and the choices that remain after each.
//!
//! Everything here is deterministic except the models; only their values are kept, sorted.

use std::collections::HashMap;
use std::sync::Arc;

use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;

use super::Problem;
use crate::smt::encode::number;
use crate::smt::formula::{F, FloatBinary, Formulas, Kind};
use crate::smt::solver::{Answer, Effort, Model, Solver};

/// Number of values of a leaf that are tried together, so that the first solution doesn't wait for all values.
const CHUNK: usize = 16;

/// Number of times that Z3 may give up before the search does.
const MAX_GIVING_UP: usize = 4096;

/// Number of questions that a question counts for if Z3 gives up.
const COST_OF_GIVING_UP: usize = 16;

/// The cost of one call.
#[derive(Debug, Default)]
pub struct Spent {
    /// Number of questions to Z3.
    pub questions: usize,
    /// The reason, if the search must be given up.
    pub gave_up: Option<String>,
}

/// All choices found so far.
#[derive(Debug)]
pub struct Graph {
    /// All formulas so far.
    pub formulas: Formulas,
    domains: Vec<Arc<[Value]>>,
    /// For each leaf, that it is in its domain; its range is asserted separately.
    members: Vec<F>,
    effort: Effort,
    linear: bool,
    choices: Vec<Choice>,
    /// Choices by their conjuncts.
    numbers: HashMap<Box<[F]>, u32>,
    /// Choices of unconstrained leaves.
    free: HashMap<u32, u32>,
    roots: Vec<u32>,
    times_given_up: usize,
}

/// A leaf, and the consequences of its values.
#[derive(Debug)]
struct Choice {
    leaf: u32,
    /// The constraints on the leaf and the leaves that depend on it.
    conjuncts: Box<[F]>,
    /// The leaf and the leaves that depend on it.
    leaves: Box<[u32]>,
    /// A solution, if known.
    witness: Option<Arc<Model>>,
    branches: Vec<Branch>,
    /// Number of values of the domain that were tried.
    seen: usize,
}

/// A value of a leaf, and the independent choices that remain then.
#[derive(Debug)]
struct Branch {
    value: usize,
    consequences: Box<[u32]>,
}

impl Graph {
    /// The choices at the beginning.
    pub fn new(problem: &Problem, effort: Effort) -> Graph {
        let mut formulas = problem.formulas.clone();
        let members: Vec<F> = (0..)
            .zip(&problem.domains)
            .map(|(leaf, domain)| membership(&mut formulas, leaf, domain))
            .collect();
        let mut graph = Graph {
            formulas,
            domains: problem.domains.clone(),
            members,
            effort,
            linear: false,
            choices: Vec::new(),
            numbers: HashMap::new(),
            free: HashMap::new(),
            roots: Vec::new(),
            times_given_up: 0,
        };
        let all = graph.formulas.and(problem.conjuncts.iter().copied());
        let conjuncts = graph.formulas.conjuncts(all);
        let everything: Vec<F> = conjuncts.iter().chain(&graph.members).copied().collect();
        graph.linear = graph.formulas.is_linear(&everything);
        let leaves: Vec<u32> = (0..problem.domains.len() as u32).collect();
        graph.roots = graph.parts(&conjuncts, &leaves, None);
        graph
    }

    /// The independent choices that all solutions begin with.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The leaf of a choice.
    pub fn leaf(&self, choice: u32) -> u32 {
        self.choices[choice as usize].leaf
    }

    /// The value of a branch, as an index into the leaf's domain.
    pub fn value(&self, choice: u32, branch: usize) -> usize {
        self.choices[choice as usize].branches[branch].value
    }

    /// The choices that remain after a branch.
    pub fn consequences(&self, choice: u32, branch: usize) -> &[u32] {
        &self.choices[choice as usize].branches[branch].consequences
    }

    /// Whether a choice has this many branches; searches for them if this is unknown.
    pub fn has_branch(
        &mut self,
        choice: u32,
        branch: usize,
        solver: &mut Option<Solver>,
        spent: &mut Spent,
    ) -> bool {
        while self.choices[choice as usize].branches.len() <= branch {
            let seen = self.choices[choice as usize].seen;
            if seen == self.domains[self.leaf(choice) as usize].len() || spent.gave_up.is_some() {
                return false;
            }
            self.expand(choice, solver, spent);
        }
        true
    }

    /// The branch of a choice that has this value.
    pub fn branch_of(
        &mut self,
        choice: u32,
        value: &Value,
        solver: &mut Option<Solver>,
        spent: &mut Spent,
    ) -> Option<usize> {
        let domain = self.domains[self.leaf(choice) as usize].clone();
        let mut branch = 0;
        while self.has_branch(choice, branch, solver, spent) {
            if domain[self.value(choice, branch)] == *value {
                return Some(branch);
            }
            branch += 1;
        }
        None
    }

    /// Tries the next values of a choice's leaf.
    fn expand(&mut self, choice: u32, solver: &mut Option<Solver>, spent: &mut Spent) {
        let this = &self.choices[choice as usize];
        let (leaf, conjuncts, leaves) = (this.leaf, this.conjuncts.clone(), this.leaves.clone());
        let domain = self.domains[leaf as usize].clone();
        let from = this.seen;
        let to = domain.len().min(from + CHUNK);
        let witness = this.witness.clone();
        let mut found: Vec<(usize, Option<Arc<Model>>)> = Vec::new();
        if conjuncts.is_empty() {
            found.extend((from..to).map(|value| (value, None)));
        } else {
            let known = witness.and_then(|model| {
                let value = index_in(&domain[from..to], model.get(&leaf)?)?;
                Some((from + value, Some(model)))
            });
            found.extend(known);
            let solver = solver.get_or_insert_with(|| Solver::new(self.effort, self.linear));
            let query = Query { leaf, conjuncts: &conjuncts, leaves: &leaves, domain: &domain, from, to };
            self.ask(&query, &mut found, solver, spent);
        }
        found.sort_unstable_by_key(|(value, _)| *value);
        for (value, model) in found {
            let constant = constant(&mut self.formulas, &domain[value]);
            // A value without a model from Z3 may turn out to be impossible.
            let Some(remaining) = self.formulas.assume(&conjuncts, leaf, constant) else { continue };
            let others: Vec<u32> = leaves.iter().copied().filter(|&other| other != leaf).collect();
            let consequences = self.parts(&remaining, &others, model).into();
            self.choices[choice as usize].branches.push(Branch { value, consequences });
        }
        self.choices[choice as usize].seen = to;
    }

    /// Asks for the values in solutions: for one value after another, until there are no more.
    fn ask(
        &mut self,
        query: &Query<'_>,
        found: &mut Vec<(usize, Option<Arc<Model>>)>,
        solver: &mut Solver,
        spent: &mut Spent,
    ) {
        if found.len() == query.to - query.from {
            return;
        }
        let chunk = &query.domain[query.from..query.to];
        solver.push();
        solver.assert_ranges(&self.formulas, query.leaves);
        for &leaf in query.leaves {
            solver.assert(&self.formulas, self.members[leaf as usize]);
        }
        for &conjunct in query.conjuncts {
            solver.assert(&self.formulas, conjunct);
        }
        if chunk.len() < query.domain.len() {
            let member = membership(&mut self.formulas, query.leaf, chunk);
            solver.assert(&self.formulas, member);
        }
        for (value, _) in found.iter() {
            self.refute(query, *value, solver);
        }
        while found.len() < chunk.len() {
            spent.questions += 1;
            let reason = match solver.check(&self.formulas, query.leaves) {
                Answer::Unsat => break,
                Answer::Unknown(reason) => reason,
                Answer::Sat(model) => {
                    let value = model.get(&query.leaf).and_then(|value| index_in(chunk, value));
                    match value.map(|value| value + query.from) {
                        Some(value) if found.iter().all(|(other, _)| *other != value) => {
                            found.push((value, Some(Arc::new(model))));
                            self.refute(query, value, solver);
                            continue;
                        }
                        _ => "a model of Z3 does not satisfy what was asked".to_owned(),
                    }
                }
            };
            self.times_given_up += 1;
            spent.questions += COST_OF_GIVING_UP;
            if self.times_given_up > MAX_GIVING_UP {
                spent.gave_up = Some(reason);
            }
            let open: Vec<usize> = (query.from..query.to)
                .filter(|value| found.iter().all(|(other, _)| other != value))
                .collect();
            found.extend(open.into_iter().map(|value| (value, None)));
        }
        solver.pop();
    }

    /// Asserts that a leaf has a different value.
    fn refute(&mut self, query: &Query<'_>, value: usize, solver: &mut Solver) {
        let is_it = equals(&mut self.formulas, query.leaf, &query.domain[value]);
        let other = self.formulas.not(is_it);
        solver.assert(&self.formulas, other);
    }

    /// The independent choices of leaves under some conjuncts, in the order of their first leaves.
    fn parts(&mut self, conjuncts: &[F], leaves: &[u32], witness: Option<Arc<Model>>) -> Vec<u32> {
        let mut group: HashMap<u32, usize> = HashMap::new();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for &conjunct in conjuncts {
            join(self.formulas.leaves(conjunct), &mut group, &mut groups);
        }
        let mut parts: Vec<(Vec<u32>, Vec<F>)> = Vec::new();
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for &leaf in leaves {
            match group.get(&leaf) {
                None => parts.push((vec![leaf], Vec::new())),
                Some(group) => match numbers.get(group) {
                    Some(&part) => parts[part].0.push(leaf),
                    None => {
                        numbers.insert(*group, parts.len());
                        parts.push((vec![leaf], Vec::new()));
                    }
                },
            }
        }
        for &conjunct in conjuncts {
            let part = self.formulas.leaves(conjunct).first().and_then(|leaf| numbers.get(group.get(leaf)?));
            if let Some(&part) = part {
                parts[part].1.push(conjunct);
            }
        }
        parts.into_iter().map(|(leaves, conjuncts)| self.choice(leaves, conjuncts, witness.clone())).collect()
    }

    fn choice(&mut self, leaves: Vec<u32>, conjuncts: Vec<F>, witness: Option<Arc<Model>>) -> u32 {
        let number = self.choices.len() as u32;
        let known = if conjuncts.is_empty() {
            *self.free.entry(leaves[0]).or_insert(number)
        } else {
            *self.numbers.entry(conjuncts.clone().into()).or_insert(number)
        };
        if known == number {
            self.choices.push(Choice {
                leaf: leaves[0],
                conjuncts: conjuncts.into(),
                leaves: leaves.into(),
                witness,
                branches: Vec::new(),
                seen: 0,
            });
        }
        known
    }
}

/// The question about the values `from..to` of a leaf.
struct Query<'a> {
    leaf: u32,
    conjuncts: &'a [F],
    leaves: &'a [u32],
    domain: &'a [Value],
    from: usize,
    to: usize,
}

/// Joins leaves into one group, with all groups that contain any of them.
fn join(leaves: &[u32], group: &mut HashMap<u32, usize>, groups: &mut Vec<Vec<u32>>) {
    let Some(first) = leaves.first() else { return };
    let into = *group.entry(*first).or_insert_with(|| {
        groups.push(vec![*first]);
        groups.len() - 1
    });
    for leaf in &leaves[1..] {
        match group.get(leaf).copied() {
            Some(other) if other == into => {}
            Some(other) => {
                for moved in std::mem::take(&mut groups[other]) {
                    group.insert(moved, into);
                    groups[into].push(moved);
                }
            }
            None => {
                group.insert(*leaf, into);
                groups[into].push(*leaf);
            }
        }
    }
}

/// The index of a model's value in a domain.
pub fn index_in(domain: &[Value], value: &Value) -> Option<usize> {
    domain.iter().position(|candidate| match (candidate, value) {
        (Value::Char(_) | Value::Data(..), Value::Int(n)) => number(candidate).as_ref() == Some(n),
        (Value::Float(a), Value::Float(b)) if a.is_nan() => b.is_nan(),
        #[rustfmt::skip]
        (Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) | Value::Seq(_)
        | Value::Tuple(_) | Value::Data(..), _) => candidate == value,
    })
}

/// A value as a constant.
pub fn constant(formulas: &mut Formulas, value: &Value) -> F {
    match value {
        Value::Bool(value) => formulas.truth(*value),
        Value::Float(value) => formulas.float(*value),
        Value::Int(_)
        | Value::Char(_)
        | Value::Str(_)
        | Value::Seq(_)
        | Value::Tuple(_)
        | Value::Data(..) => {
            let number = number(value).expect("the domains of leaves hold scalars");
            formulas.int(number)
        }
    }
}

/// A leaf has this value.
fn equals(formulas: &mut Formulas, leaf: u32, value: &Value) -> F {
    let (variable, value) = (formulas.leaf(leaf), constant(formulas, value));
    match formulas.kind(variable) {
        Kind::Bool => formulas.iff(variable, value),
        Kind::Int => formulas.equal_int(variable, value),
        Kind::Float => formulas.float_binary(FloatBinary::Same, variable, value),
    }
}

/// A leaf has one of these values; runs of integers become ranges.
pub fn membership(formulas: &mut Formulas, leaf: u32, values: &[Value]) -> F {
    let variable = formulas.leaf(leaf);
    if formulas.kind(variable) != Kind::Int {
        let any: Vec<F> = values.iter().map(|value| equals(formulas, leaf, value)).collect();
        return formulas.or(any);
    }
    let mut numbers: Vec<Int> = values.iter().filter_map(number).collect();
    numbers.sort_unstable();
    let mut runs: Vec<(Int, Int)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if &*last + &Int::ONE == number => *last = number,
            _ => runs.push((number.clone(), number)),
        }
    }
    let mut any = Vec::with_capacity(runs.len());
    for (first, last) in runs {
        let (low, high) =
            (formulas.at_least_constant(variable, &first), formulas.at_most_constant(variable, &last));
        any.push(formulas.and([low, high]));
    }
    formulas.or(any)
}
