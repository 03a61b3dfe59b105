//! All solutions of formulas over leaves with finite domains, each once, by splitting instead of blocking.
//!
//! A blocking clause per model makes every query harder than the last. Here a leaf is fixed to each of its possible
//! values in turn, so that the solutions of different values are disjoint from the start. Two observations avoid
//! needless questions to Z3:
//!
//! * With some leaves fixed, the remaining problem often falls apart: in `a <= b <= c`, once `b` is known, `a` and `c`
//!   are independent. Independent parts are solved separately and multiplied, and unconstrained leaves take their
//!   whole domain without a question.
//! * The remaining problem often repeats: after `[0, 2, ..` and `[1, 2, ..` the remaining sorted list is the same
//!   problem. Problems are hash-consed formulas, so each is solved once.
//!
//! The result is a graph: a choice of a leaf's values, each leading to independent further choices. For each value that
//! a leaf has in a solution, Z3 is asked once (or not at all, if a model of the whole has it), and once more to learn
//! that there are no other values. A walk through the graph, with values in the order of the domain, gives the
//! solutions in an order independent of Z3's models. The graph is built during the walk, and dropped if it grows too
//! large.
//!
//! If Z3 gives up on a choice, all values are tried: fixed leaves make formulas simpler, finally constant. Only after
//! many such answers does the search itself give up.

mod graph;

use std::collections::HashMap;
use std::sync::Arc;

use target_strategies::logic::value::Value;

use self::graph::{Graph, Spent};
pub(super) use self::graph::{constant, index_in, membership};
use super::formula::{F, Formulas};
use super::solver::{Effort, Solver};

/// A search for all solutions that can be interrupted and continued. It holds no solver.
#[derive(Debug)]
pub struct Search {
    problem: Problem,
    effort: Effort,
    graph: Option<Graph>,
    path: Vec<Frame>,
    position: Position,
    state: State,
}

/// The problem to solve.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The arena of the conjuncts.
    pub formulas: Formulas,
    /// The formulas that must hold.
    pub conjuncts: Vec<F>,
    /// The values of each leaf, in the order in which they are tried.
    pub domains: Vec<Arc<[Value]>>,
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// There may be more solutions.
    Open,
    /// All solutions were found.
    Finished,
    /// Some solutions may be missing, for this reason.
    Unknown(String),
}

/// Limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of solutions.
    pub solutions: usize,
    /// Maximum number of questions.
    pub questions: usize,
}

/// A choice on the path to the current solution.
#[derive(Debug)]
struct Frame {
    choice: u32,
    branch: usize,
    /// The choices that remain apart from this choice's own consequences.
    rest: Agenda,
}

/// Where the walk continues.
#[derive(Debug)]
enum Position {
    /// At this branch of this choice, if it exists.
    Choose(u32, usize, Agenda),
    /// At the next branch of the last choice on the path.
    Above,
    /// At the start; or, after the graph was dropped, at the choices that had these values.
    Start(Option<Resume>),
}

/// The values of the choices on a path.
#[derive(Debug)]
struct Resume {
    values: HashMap<u32, Value>,
    /// Whether to continue with the next branch of the last choice.
    above: bool,
}

/// A list of choices still to be made, sharing its tail.
type Agenda = Option<Arc<Item>>;

#[derive(Debug)]
struct Item {
    choice: u32,
    next: Agenda,
}

/// Maximum number of formulas; beyond it the graph is dropped.
const MAX_FORMULAS: usize = 400_000;

impl Search {
    /// A search that has found nothing yet.
    pub fn new(mut problem: Problem, effort: Effort) -> Search {
        // Conjuncts may each be possible and still contradict each other, as `b` and `!b` do.
        let all = problem.formulas.and(problem.conjuncts.iter().copied());
        let impossible = problem.formulas.as_truth(all) == Some(false)
            || problem.domains.iter().any(|domain| domain.is_empty());
        let state = if impossible { State::Finished } else { State::Open };
        Search { problem, effort, graph: None, path: Vec::new(), position: Position::Start(None), state }
    }

    /// The state of the search.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Number of formulas that the search holds, as a measure of its memory.
    pub fn size(&self) -> usize {
        self.graph.as_ref().map_or(0, |graph| graph.formulas.len())
    }

    /// Drops everything except the current position; the rest is found again on demand.
    pub fn forget(&mut self) {
        let Some(graph) = self.graph.take() else { return };
        let mut path = std::mem::take(&mut self.path);
        let above = match std::mem::replace(&mut self.position, Position::Above) {
            Position::Choose(_, 0, _) => false,
            Position::Choose(choice, branch, rest) => {
                path.push(Frame { choice, branch: branch - 1, rest });
                true
            }
            Position::Above => true,
            Position::Start(_) => return,
        };
        let values =
            path.iter().map(|frame| (graph.leaf(frame.choice), self.chosen(&graph, frame))).collect();
        self.position = Position::Start(Some(Resume { values, above }));
    }

    /// The next solutions, each with a value for each leaf. There are fewer than requested if the questions are used up
    /// or there are no more. Needs a Z3 context ([`super::solver::in_context`]).
    pub fn next(&mut self, limits: Limits) -> Vec<Vec<Value>> {
        let mut found = Vec::new();
        let mut solver = None;
        let mut spent = Spent::default();
        while found.len() < limits.solutions
            && spent.questions < limits.questions
            && self.state == State::Open
        {
            if self.size() > MAX_FORMULAS {
                self.forget();
                solver = None;
            }
            let mut graph = match self.graph.take() {
                Some(graph) => graph,
                None => Graph::new(&self.problem, self.effort),
            };
            let returns = matches!(self.position, Position::Start(_));
            let is_solution = self.step(&mut graph, &mut solver, &mut spent);
            if returns {
                // Returning to the last position is no progress. If it counted, there might never be any progress.
                spent.questions = 0;
            }
            if is_solution {
                found.push(self.solution(&graph));
            }
            if let Some(reason) = spent.gave_up.take() {
                self.state = State::Unknown(reason);
            }
            self.graph = Some(graph);
        }
        if self.state != State::Open {
            self.graph = None;
            self.path = Vec::new();
        }
        found
    }

    /// One step of the walk: deeper while choices remain, else up. Returns whether it arrives at a solution.
    fn step(&mut self, graph: &mut Graph, solver: &mut Option<Solver>, spent: &mut Spent) -> bool {
        match std::mem::replace(&mut self.position, Position::Above) {
            Position::Start(resume) => {
                let agenda = push_all(graph.roots(), &None);
                self.start(graph, agenda, resume, solver, spent)
            }
            Position::Above => {
                match self.path.pop() {
                    Some(frame) => {
                        self.position = Position::Choose(frame.choice, frame.branch + 1, frame.rest)
                    }
                    None => self.state = State::Finished,
                }
                false
            }
            Position::Choose(choice, branch, rest) => {
                if !graph.has_branch(choice, branch, solver, spent) {
                    return false;
                }
                let agenda = push_all(graph.consequences(choice, branch), &rest);
                self.path.push(Frame { choice, branch, rest });
                self.choose_from(agenda)
            }
        }
    }

    /// Continues with the first choice of an agenda; if there is none, a solution is complete.
    fn choose_from(&mut self, agenda: Agenda) -> bool {
        match agenda {
            Some(item) => {
                self.position = Position::Choose(item.choice, 0, item.next.clone());
                false
            }
            None => {
                self.position = Position::Above;
                true
            }
        }
    }

    /// Starts the walk, or returns to its last position.
    fn start(
        &mut self,
        graph: &mut Graph,
        mut agenda: Agenda,
        resume: Option<Resume>,
        solver: &mut Option<Solver>,
        spent: &mut Spent,
    ) -> bool {
        let Some(resume) = resume else {
            // A part without a solution must not be detected again for each solution of the parts before it.
            let roots = graph.roots().to_vec();
            if roots.into_iter().all(|root| graph.has_branch(root, 0, solver, spent)) {
                return self.choose_from(agenda);
            }
            self.state = State::Finished;
            return false;
        };
        while let Some(item) = agenda.clone() {
            let Some(value) = resume.values.get(&graph.leaf(item.choice)) else { break };
            let Some(branch) = graph.branch_of(item.choice, value, solver, spent) else { break };
            agenda = push_all(graph.consequences(item.choice, branch), &item.next);
            self.path.push(Frame { choice: item.choice, branch, rest: item.next.clone() });
        }
        if !resume.above {
            self.choose_from(agenda);
        }
        false
    }

    /// The values on a path that leads to a solution.
    fn solution(&self, graph: &Graph) -> Vec<Value> {
        let mut values = vec![Value::Bool(false); self.problem.domains.len()];
        for frame in &self.path {
            values[graph.leaf(frame.choice) as usize] = self.chosen(graph, frame);
        }
        values
    }

    fn chosen(&self, graph: &Graph, frame: &Frame) -> Value {
        let domain = &self.problem.domains[graph.leaf(frame.choice) as usize];
        domain[graph.value(frame.choice, frame.branch)].clone()
    }
}

fn push_all(choices: &[u32], rest: &Agenda) -> Agenda {
    choices.iter().rev().fold(rest.clone(), |next, &choice| Some(Arc::new(Item { choice, next })))
}
