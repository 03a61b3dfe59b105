//! Asks for all inputs of a set at once: the members of a space whose inputs are whole sets.
//!
//! One after the other, inputs may be found that no further one differs from all of, although there is a larger set. Asked
//! at once, all of them are open. That takes much more work, so it is only asked where the question is small. An answer
//! that there is no such set shows that the set found before is the greatest.
//!
//! Source: *Iorek*, section 8, which compares asking one at a time, all at once, and with `distinct`.

use std::sync::Arc;

use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{
    Clause, Closure, CompareOp, Data, Function, Param, Refined, Sort, Spec, Term, map_children, visit,
};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::effort::Effort;
use super::key::Key;
use super::set::new_id;
use crate::frontend::subject::Relation;
use crate::generate::members::{Members, Next};
use crate::generate::native::is_fit;
use crate::smt::decode::ShapeSearch;
use crate::smt::solver;
use crate::smt::split::{Limits, State};

/// Maximum number of subterms of the conditions of a question.
const MOST_TERMS: usize = 20_000;

/// Maximum number of skeletons of the sets, for Z3, which is asked about one after the other.
const MOST_SKELETONS: u128 = 32;

/// What Z3 is asked about a skeleton: one set is enough.
const QUESTION: Limits = Limits { solutions: 1, questions: 64 };

/// Steps for a question, of the engine or of what prepares it for Z3.
const MOST_STEPS: u64 = 1_000_000;

/// The answer.
pub(super) enum Answer {
    /// A set of as many members as asked.
    Set(Vec<Vec<Value>>),
    /// There is no such set.
    None,
    /// The question is too large, or has no answer.
    Unknown,
}

/// Asks for a set of so many members.
pub(super) fn ask(
    space: &Space,
    relation: &Relation,
    keys: Option<&[Key]>,
    n: usize,
    effort: Effort,
) -> Answer {
    if least_terms(space.spec(), relation, keys, n) > MOST_TERMS {
        return Answer::Unknown;
    }
    let mut asks_host = false;
    visit(&relation.term, &mut |term| asks_host |= matches!(term, Term::Opaque(..)));
    let Some(sets) = Sets::of(space.spec(), n).filter(|_| !asks_host) else { return Answer::Unknown };
    let conditions = sets.conditions(relation, keys);
    let mut n_terms = 0;
    let known = sets.spec.clauses();
    for clause in conditions.iter().chain(known) {
        visit(&clause.term, &mut |_| n_terms += 1);
    }
    if n_terms > MOST_TERMS {
        return Answer::Unknown;
    }
    let n_params = sets.n_params;
    let space_of_sets = Space::new(Arc::new(sets.spec), space.bounds()).narrowed(conditions);
    match effort.at_most(MOST_STEPS).next(|| first(&space_of_sets)) {
        Next::Member(args) => {
            let members: Vec<Vec<Value>> = args.chunks(n_params).map(<[Value]>::to_vec).collect();
            let is_member = |args: &Vec<Value>| space.contains(args) && admits(space.spec(), args);
            if members.iter().all(is_member) { Answer::Set(members) } else { Answer::Unknown }
        }
        Next::End(reasons) if reasons.is_empty() => Answer::None,
        Next::End(_) => Answer::Unknown,
    }
}

/// A lower bound of the number of subterms of the conditions, which is known before they are built.
fn least_terms(spec: &Spec, relation: &Relation, keys: Option<&[Key]>, n: usize) -> usize {
    let size = |term: &Term| {
        let mut n_terms = 0_usize;
        visit(term, &mut |_| n_terms += 1);
        n_terms
    };
    let n_pairs = n.saturating_mul(n.saturating_sub(1)) / 2;
    let mut of_one: Vec<&Clause> = spec.requires.iter().chain(&spec.explore).collect();
    spec.params.iter().for_each(|param| param.refined.clauses_inside(&mut of_one));
    let of_one: usize = of_one.iter().map(|clause| size(&clause.term)).sum();
    let in_order = if has_order(spec) { n } else { n_pairs };
    let differ = match distinct(keys) {
        Some(keys) => n.saturating_mul(keys.into_iter().map(size).sum()),
        None => n_pairs.saturating_mul(size(&relation.term)),
    };
    n.saturating_mul(of_one).saturating_add(in_order).saturating_add(differ)
}

/// The first set: by Z3 where it has few shapes to look at. If it gives up, by the engine, which sees a condition that relates two
/// inputs only once one of them is chosen.
fn first(space: &Space) -> Next {
    if solver::IS_BUILT_IN && space.n_skeletons().is_some_and(|n| n <= MOST_SKELETONS) {
        let found = solved(space);
        if !matches!(&found, Next::End(reasons) if !reasons.is_empty()) {
            return found;
        }
    }
    if is_fit(space) {
        return Members::new(space).advance();
    }
    Next::End(vec!["the sets have too many shapes".to_owned()])
}

/// The first set that Z3 finds, shape by shape.
fn solved(space: &Space) -> Next {
    let mut reasons = Vec::new();
    for skeleton in space.skeletons() {
        let search = || {
            let mut search = ShapeSearch::new(space, skeleton, solver::Effort::default());
            let found = search.next(QUESTION);
            (found, search.state().clone())
        };
        let ((found, state), _) = solver::in_timed_context(search);
        if let Some(args) = found.into_iter().next() {
            return Next::Member(args);
        }
        match state {
            State::Finished => {}
            State::Open => reasons.push("Z3 was not asked further".to_owned()),
            State::Unknown(reason) => reasons.push(reason),
        }
    }
    Next::End(reasons)
}

/// A spec whose inputs are sets of so many inputs of another one.
struct Sets {
    spec: Spec,
    n: usize,
    n_params: usize,
}

impl Sets {
    /// `None` if the inputs can't be put side by side.
    fn of(one: &Spec, n: usize) -> Option<Sets> {
        let n_params = one.params.len();
        let is_plain = |data: &Data| data.via.is_none() && data.object.is_none() && data.rule.is_none();
        if n_params == 0 || !one.callbacks.is_empty() || !one.data.iter().all(is_plain) {
            return None;
        }
        let mut sets = Sets { spec: Spec::unrefined(&one.name), n, n_params };
        for copy in 0..n {
            let slot_of = |slot| sets.slot_of(slot, copy);
            let params = one.params.iter().map(|param| Param {
                name: format!("{}_{copy}", param.name),
                refined: refined_with(&param.refined, &slot_of),
                mutable: false,
            });
            let params: Vec<Param> = params.collect();
            let requires: Vec<Clause> =
                one.requires.iter().map(|clause| clause_with(clause, &slot_of)).collect();
            let explore: Vec<Clause> =
                one.explore.iter().map(|clause| clause_with(clause, &slot_of)).collect();
            sets.spec.params.extend(params);
            sets.spec.requires.extend(requires);
            sets.spec.explore.extend(explore);
        }
        // What belongs to no input has no slots of parameters.
        let slot_of = |slot| sets.slot_of(slot, 0);
        let mut data = Vec::new();
        for of_one in &one.data {
            data.push(data_with(of_one, n_params, &slot_of)?);
        }
        let functions = one.functions.iter().map(|function| Function {
            params: function.params.iter().map(|slot| slot_of(*slot)).collect(),
            body: with_slots(&function.body, &slot_of),
            decreases: function.decreases.as_ref().map(|term| with_slots(term, &slot_of)),
            ..function.clone()
        });
        let functions = functions.collect();
        sets.spec = Spec { data, functions, regexes: one.regexes.clone(), ..sets.spec };
        Some(sets)
    }

    /// The slot in a term about one of the inputs: parameters are side by side, the value of a refinement comes after them, then
    /// what terms bind.
    fn slot_of(&self, slot: u32, copy: usize) -> u32 {
        let (n_params, n) = (self.n_params as u32, self.n as u32);
        if slot < n_params {
            slot + copy as u32 * n_params
        } else if slot == n_params {
            n * n_params
        } else {
            slot + 2 * n_params * (n - 1)
        }
    }

    /// That every two inputs differ.
    fn conditions(&self, relation: &Relation, keys: Option<&[Key]>) -> Vec<Clause> {
        let id = new_id(&self.spec);
        let clause = |term| Clause { id, text: relation.text.clone(), term };
        let mut terms = self.in_order();
        match distinct(keys) {
            Some(keys) => terms.extend(keys.into_iter().map(|key| {
                let of_copy = |copy| with_slots(key, &|slot| self.slot_of(slot, copy));
                Term::Distinct(Box::new(Term::Seq((0..self.n).map(of_copy).collect())))
            })),
            None => {
                for (a, b) in (0..self.n).flat_map(|b| (0..b).map(move |a| (a, b))) {
                    terms.push(self.pair(relation, a, b));
                    // Keys are the same in both orders.
                    if keys.is_none() {
                        terms.push(self.pair(relation, b, a));
                    }
                }
            }
        }
        terms.into_iter().map(clause).collect()
    }

    fn pair(&self, relation: &Relation, a: usize, b: usize) -> Term {
        let slot_of = |slot| match relation.second.iter().position(|second| *second == slot) {
            Some(param) => self.slot_of(param as u32, b),
            None => self.slot_of(slot, a),
        };
        with_slots(&relation.term, &slot_of)
    }

    /// That no input occurs twice: scalars ascend, since a set has no order.
    fn in_order(&self) -> Vec<Term> {
        let args = |copy: usize| {
            let slots = (0..self.n_params as u32).map(|param| Term::Var(self.slot_of(param, copy)));
            let mut slots: Vec<Term> = slots.collect();
            if slots.len() > 1 { Term::Tuple(slots) } else { slots.remove(0) }
        };
        if has_order(&self.spec) {
            let less = |a| Term::Compare(CompareOp::Lt, Box::new(args(a)), Box::new(args(a + 1)));
            return (0..self.n - 1).map(less).collect();
        }
        let unequal = |(a, b)| Term::Not(Box::new(Term::Equal(Box::new(args(a)), Box::new(args(b)))));
        (0..self.n).flat_map(|b| (0..b).map(move |a| (a, b))).map(unequal).collect()
    }
}

/// Whether inputs have an order in the language: they are scalars.
fn has_order(spec: &Spec) -> bool {
    let is_scalar = |param: &Param| matches!(param.refined.sort, Sort::Bool | Sort::Char | Sort::Int(_));
    spec.params.iter().all(is_scalar)
}

/// The keys that all differ, if a relation says no more than that: then no pairs are needed.
fn distinct(keys: Option<&[Key]>) -> Option<Vec<&Term>> {
    keys?.iter().map(key_that_differs).collect()
}

fn key_that_differs(key: &Key) -> Option<&Term> {
    match key {
        Key::Differs(term) => Some(term),
        Key::Shapes(_) | Key::Apart(..) => None,
    }
}

/// A data type; `None` if the refinement of a field mentions a parameter, of which there are several now.
fn data_with(data: &Data, n_params: usize, slot_of: &dyn Fn(u32) -> u32) -> Option<Data> {
    let mut data = data.clone();
    for field in data.ctors.iter_mut().flat_map(|ctor| &mut ctor.fields) {
        let mut clauses = Vec::new();
        field.refined.clauses_inside(&mut clauses);
        let mut mentions_param = false;
        for clause in clauses {
            visit(&clause.term, &mut |term| {
                mentions_param |= matches!(term, Term::Var(slot) if (*slot as usize) < n_params);
            });
        }
        if mentions_param {
            return None;
        }
        field.refined = refined_with(&field.refined, slot_of);
        field.slot = field.slot.map(slot_of);
    }
    Some(data)
}

fn refined_with(refined: &Refined, slot_of: &dyn Fn(u32) -> u32) -> Refined {
    let sort = refined.sort.map_parts(&mut |part| refined_with(part, slot_of));
    let clauses = refined.clauses.iter().map(|clause| clause_with(clause, slot_of)).collect();
    Refined { pointers: Vec::new(), sort, clauses }
}

fn clause_with(clause: &Clause, slot_of: &dyn Fn(u32) -> u32) -> Clause {
    Clause { term: with_slots(&clause.term, slot_of), ..clause.clone() }
}

/// A term with other slots, also where it binds them.
fn with_slots(term: &Term, slot_of: &dyn Fn(u32) -> u32) -> Term {
    if let Term::Var(slot) = term {
        return Term::Var(slot_of(*slot));
    }
    let mut moved = map_children(term, &mut |child, _| with_slots(child, slot_of));
    let in_closure = |closure: &mut Closure| closure.slot = slot_of(closure.slot);
    if let Term::Let { slot, .. } = &mut moved {
        *slot = slot_of(*slot);
    } else if let Term::Fold { acc, closure, .. } = &mut moved {
        *acc = slot_of(*acc);
        in_closure(closure);
    } else if let Term::All(_, closure)
    | Term::Any(_, closure)
    | Term::Map(_, closure)
    | Term::Filter(_, closure)
    | Term::Position(_, closure, _) = &mut moved
    {
        in_closure(closure);
    }
    moved
}
