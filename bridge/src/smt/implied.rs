//! Shows that a condition of a function follows from other conditions and from the types, for all inputs and results.
//!
//! The question is about all values of the types, so only scalars take part, and tuples, arrays and variants of them. Of a list
//! or a text only the length takes part. Premises about other parts are left out, and such a conclusion is never shown.

use std::sync::Arc;

use target_strategies::logic::ir::{
    Clause, IntKind, Param, Refined, SeqKind, Sort, Spec, Term, mentions, try_map_children,
};
use target_strategies::space::{Bounds, Skeleton, Space};

use super::encode::{Reach, encode};
use super::solver::{self, Answer, Effort, Solver, in_context};

/// Maximum number of skeletons of a question.
const SKELETONS: usize = 256;

/// Maximum nesting of variants. The bound doesn't matter, as integers range over their types.
const BOUNDS: Bounds = Bounds { depth: 4, bound: 1 };

/// Whether a condition is satisfied wherever the premises are. They read the slots of a postcondition of the spec. `false`
/// means that it isn't shown.
pub fn follows(spec: &Spec, premises: &[&Term], conclusion: &Term) -> bool {
    if !solver::IS_BUILT_IN {
        return false;
    }
    let slots = slots(spec);
    let Some(conclusion) = scalar(spec, &slots, conclusion) else { return false };
    let premises = premises.iter().filter_map(|premise| scalar(spec, &slots, premise));
    let question = question(spec, &slots, premises.chain([conclusion]).collect());
    // Conditions would narrow the domains of the leaves.
    let space = Space::new(Arc::new(Spec { requires: Vec::new(), ..question.clone() }), BOUNDS);
    !space.is_cut_by_depth()
        && in_context(|| {
            let mut skeletons = space.skeletons().enumerate();
            skeletons.all(|(index, skeleton)| index < SKELETONS && holds(&question, &space, &skeleton))
        })
}

/// The types of the slots: parameters on entry, the result, parameters on return.
fn slots(spec: &Spec) -> Vec<&Refined> {
    let params = || spec.params.iter().map(|param| &param.refined);
    params().chain([&spec.result]).chain(params()).collect()
}

/// The term with the slot of each list standing for its length; `None` if it reads more of a list, or what can't be read.
fn scalar(spec: &Spec, slots: &[&Refined], term: &Term) -> Option<Term> {
    match term {
        Term::Len(of) => match &**of {
            Term::Var(slot) if slots.get(*slot as usize).is_some_and(|list| has_length(list)) => {
                Some(Term::Var(*slot))
            }
            _ => try_map_children(term, &mut |part, _| scalar(spec, slots, part)),
        },
        Term::Var(slot) => {
            let refined = slots.get(*slot as usize);
            refined.is_none_or(|refined| is_bounded(spec, refined, &mut Vec::new())).then(|| term.clone())
        }
        Term::Ask(..) | Term::Opaque(..) => None,
        _ => try_map_children(term, &mut |part, _| scalar(spec, slots, part)),
    }
}

fn has_length(refined: &Refined) -> bool {
    matches!(
        refined.sort,
        Sort::Str(_) | Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter)
    )
}

/// Whether a bounded number of scalars makes all values of a type.
fn is_bounded<'s>(spec: &'s Spec, refined: &'s Refined, outer: &mut Vec<&'s Sort>) -> bool {
    match &refined.sort {
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) => true,
        Sort::Seq(element, SeqKind::Array(_)) => is_bounded(spec, element, outer),
        Sort::Tuple(parts) => parts.iter().all(|part| is_bounded(spec, part, outer)),
        Sort::Data(_) if outer.contains(&&refined.sort) => false,
        Sort::Data(id) => {
            let data = spec.data(*id);
            // Not all of their values can be read.
            if data.via.is_some() || data.object.is_some() || data.rule.is_some() {
                return false;
            }
            outer.push(&refined.sort);
            let mut fields = data.ctors.iter().flat_map(|ctor| &ctor.fields);
            let all = fields.all(|field| is_bounded(spec, &field.refined, outer));
            outer.pop();
            all
        }
        Sort::Str(_) | Sort::Set(..) | Sort::Map(..) | Sort::Opaque(_) => false,
        Sort::Seq(
            _,
            SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter | SeqKind::Answers(_),
        ) => false,
    }
}

/// A spec with a parameter for each slot, and the terms as its precondition. Slots that no term reads hold `()`.
fn question(spec: &Spec, slots: &[&Refined], terms: Vec<Term>) -> Spec {
    let params = (0..).zip(slots).map(|(slot, refined)| {
        let sort = if !terms.iter().any(|term| mentions(term, slot)) {
            Sort::Tuple(Vec::new())
        } else if has_length(refined) {
            Sort::Int(IntKind::Usize)
        } else {
            refined.sort.clone()
        };
        let mut refined = Refined::plain(sort);
        without_clauses(&mut refined);
        Param { name: String::new(), refined, mutable: false }
    });
    let params = params.collect();
    let mut data = spec.data.clone();
    let fields = data.iter_mut().flat_map(|data| &mut data.ctors).flat_map(|ctor| &mut ctor.fields);
    fields.for_each(|field| without_clauses(&mut field.refined));
    let clause = |(id, term)| Clause { id, text: String::new(), term };
    let requires = (0..).zip(terms).map(clause).collect();
    let (functions, regexes) = (spec.functions.clone(), spec.regexes.clone());
    Spec { params, data, functions, regexes, requires, ..Spec::unrefined(&spec.name) }
}

/// Clauses of types read other slots than postconditions do.
fn without_clauses(refined: &mut Refined) {
    refined.clauses.clear();
    refined.inner_mut().into_iter().for_each(without_clauses);
}

/// Whether the last clause of a question holds wherever the others do, of all values with a skeleton.
fn holds(question: &Spec, space: &Space, skeleton: &Skeleton) -> bool {
    let mut encoding = encode(question, skeleton, &space.leaves(skeleton), Reach::Type);
    let Some((conclusion, premises)) = encoding.clauses.split_last() else { return false };
    let Ok(conclusion) = conclusion.condition else { return false };
    // A premise that can't be encoded is left out, which proves less.
    let premises: Vec<_> = premises.iter().filter_map(|clause| clause.condition.clone().ok()).collect();
    let opposite = encoding.formulas.not(conclusion);
    let asserted: Vec<_> = encoding.structure.iter().copied().chain(premises).chain([opposite]).collect();
    let formulas = &encoding.formulas;
    let leaves: Vec<u32> = (0..formulas.variables().len() as u32).collect();
    let mut solver =
        Solver::new(Effort { thorough: true, ..Effort::default() }, formulas.is_linear(&asserted));
    solver.assert_ranges(formulas, &leaves);
    asserted.iter().for_each(|&condition| solver.assert(formulas, condition));
    solver.check(formulas, &leaves) == Answer::Unsat
}
