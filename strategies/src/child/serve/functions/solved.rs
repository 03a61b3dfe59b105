//! Results of a function that the conditions on one call admit, found by the native engine.
//!
//! When a call comes, its arguments are known. With them in place of the parameters, the conditions on the result are
//! those of a spec with one parameter, whose members are the possible results.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::cancel;
use crate::logic::eval::{self, evaluate};
use crate::logic::ir::{CallbackId, Clause, Data, Param, Refined, Sort, Spec, Term, map_children, visit};
use crate::logic::law::Demands;
use crate::logic::value::Value;
use crate::native::{Class, Native};
use crate::space::{Bounds, Space};

/// Number of results that are listed.
const MOST_RESULTS: usize = 16;

/// Maximum number of choices for one result, and of steps for those of one call ([`cancel::steps`]).
const EFFORT: u64 = 500;
const MOST_STEPS: u64 = 50_000;

/// Maximum number of steps in one case, so that a subject that calls often doesn't seem to hang.
pub(super) const STEPS_OF_CASE: u64 = 200_000;

/// How large results are, beyond what the conditions demand: the first bounds within which there are some.
const BOUNDS: [Bounds; 3] =
    [Bounds { depth: 4, bound: 4 }, Bounds { depth: 4, bound: 64 }, Bounds { depth: 4, bound: 2048 }];

/// Maximum number of calls whose results are kept.
const MOST_KEPT: usize = 4096;

/// Results of calls of one spec, for later cases.
struct Kept {
    spec: Arc<Spec>,
    results: HashMap<Key, Arc<[Value]>>,
}

/// The function, the arguments of the call, and the inputs that conditions on results mention.
type Key = (CallbackId, Vec<Value>, Vec<Value>);

thread_local! {
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// The smallest results that the type `of` and the conditions on a call with these arguments admit. There may be others, and
/// conditions that ask for functions or need rustc are not looked at: the caller judges each result. `left` is the number of steps that
/// the case has left.
///
/// Source: *Type Targeted Testing*, section 2.1, where the solver is asked for a result at each call.
pub(super) fn solved(
    spec: &Arc<Spec>,
    id: CallbackId,
    call: eval::Call<'_>,
    (of, left): (&Refined, &Cell<u64>),
    demands: &Demands,
) -> Arc<[Value]> {
    // While a panic goes through the subject, nothing can be cancelled.
    if left.get() == 0 || std::thread::panicking() {
        return Arc::new([]);
    }
    let call = Call { spec, call, value_slot: 1 };
    let outer = call.call.outer.iter().map(|(_, value)| value.clone()).collect();
    let key = (id, call.call.args.to_vec(), [call.mentioned(of), demands.values(), outer].concat());
    KEPT.with_borrow_mut(|kept| {
        let is_of_spec = |kept: &Kept| Arc::ptr_eq(&kept.spec, spec) && kept.results.len() < MOST_KEPT;
        if !kept.as_ref().is_some_and(is_of_spec) {
            *kept = None;
        }
        let kept = kept.get_or_insert_with(|| Kept { spec: spec.clone(), results: HashMap::new() });
        kept.results.entry(key).or_insert_with(|| call.solved(of, left, demands)).clone()
    })
}

/// A call, whose result is sought.
pub(super) struct Call<'c> {
    pub(super) spec: &'c Spec,
    pub(super) call: eval::Call<'c>,
    /// The slot of the value in the spec whose inputs are the results: its number of parameters.
    pub(super) value_slot: u32,
}

impl Call<'_> {
    fn solved(&self, of: &Refined, left: &Cell<u64>, demands: &Demands) -> Arc<[Value]> {
        let mut found: Vec<Vec<Value>> = Vec::new();
        let before = cancel::steps();
        // Without an end, there are those found so far.
        let _ = cancel::within_steps(MOST_STEPS.min(left.get()), || self.results(of, demands, &mut found));
        left.set(left.get().saturating_sub(cancel::steps().saturating_sub(before)));
        found.into_iter().filter_map(|members| members.into_iter().next()).collect()
    }

    /// The inputs that conditions on results mention.
    fn mentioned(&self, of: &Refined) -> Vec<Value> {
        let mut clauses = Vec::new();
        of.clauses_inside(&mut clauses);
        let data = self.spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
        data.for_each(|field| field.refined.clauses_inside(&mut clauses));
        let mut is_mentioned = vec![false; self.call.entry.len()];
        for clause in clauses.into_iter().chain(&self.call.callback.ensures) {
            visit(&clause.term, &mut |term| {
                if let Term::Var(slot) = term
                    && let Some(is_mentioned) = is_mentioned.get_mut(*slot as usize)
                {
                    *is_mentioned = true;
                }
            });
        }
        let entry = self.call.entry;
        entry.iter().zip(is_mentioned).filter(|(_, is_it)| *is_it).map(|(value, _)| value.clone()).collect()
    }

    fn results(&self, of: &Refined, demands: &Demands, found: &mut Vec<Vec<Value>>) {
        let Some(mut spec) = self.as_spec(of) else { return };
        spec.requires.extend(demands.clauses());
        smallest(spec, MOST_RESULTS, found);
    }

    /// The spec whose inputs are the possible results; `None` if a result has functions inside.
    fn as_spec(&self, of: &Refined) -> Option<Spec> {
        let refined = self.refined(of)?;
        let mut spec = Spec { data: self.data(), ..Spec::unrefined(&self.spec.name) };
        spec.functions.clone_from(&self.spec.functions);
        spec.regexes.clone_from(&self.spec.regexes);
        spec.callbacks.clone_from(&self.spec.callbacks);
        spec.params = vec![Param { name: "result".to_owned(), refined, mutable: false }];
        Some(spec)
    }

    /// The type of the possible results; `None` if a result has functions inside.
    pub(super) fn refined(&self, of: &Refined) -> Option<Refined> {
        let mut refined = of.clone();
        refined.clauses.extend(self.call.callback.ensures.iter().cloned());
        self.fix(&mut refined)?;
        Some(refined)
    }

    /// The data types of the spec.
    pub(super) fn data(&self) -> Vec<Data> {
        let mut data = self.spec.data.clone();
        let fields = data.iter_mut().flat_map(|data| &mut data.ctors).flat_map(|ctor| &mut ctor.fields);
        for field in fields {
            // Types that the result doesn't have may have functions inside.
            let _ = self.fix(&mut field.refined);
        }
        data
    }

    /// Writes the values of parameters into the clauses of a type; `None` if it is a function or has one inside.
    fn fix(&self, refined: &mut Refined) -> Option<()> {
        if refined.callback().is_some() {
            return None;
        }
        refined.clauses.retain(|clause| is_about_values(&clause.term));
        for Clause { term, .. } in &mut refined.clauses {
            *term = self.fixed(term);
        }
        // The parts of data types are in the spec.
        if matches!(refined.sort, Sort::Data(_)) {
            return Some(());
        }
        refined.inner_mut().into_iter().try_for_each(|part| self.fix(part))
    }

    /// A term with the values of parameters, and with the values of subterms that have no other slots.
    fn fixed(&self, term: &Term) -> Term {
        if let Term::Var(slot) = term {
            return self.value(*slot);
        }
        let mut is_constant = !matches!(term, Term::Lit(_) | Term::Undefined);
        let fixed = map_children(term, &mut |child, bound| {
            let child = self.fixed(child);
            is_constant &= bound.is_empty() && matches!(child, Term::Lit(_));
            child
        });
        if !is_constant {
            return fixed;
        }
        evaluate(&fixed, &self.spec.functions, &self.spec.regexes).map_or(fixed, Term::Lit)
    }

    /// What a slot holds, which is the result's own slot if it holds the result.
    fn value(&self, slot: u32) -> Term {
        if slot == self.spec.value_slot() {
            return Term::Var(self.value_slot);
        }
        let eval::Call { entry, callback, args, outer } = self.call;
        let param = callback.params.iter().position(|param| param.slot == slot);
        let before = || outer.iter().find(|(known, _)| *known == slot).map(|(_, value)| value);
        let value = param.map_or_else(|| before().or(entry.get(slot as usize)), |at| args.get(at));
        value.map_or(Term::Var(slot), |value| Term::Lit(value.clone()))
    }
}

/// The smallest members of a spec, up to a number. Those found before a limit of steps is reached stay in `found`.
pub(super) fn smallest(spec: Spec, most: usize, found: &mut Vec<Vec<Value>>) {
    let spec = Arc::new(spec);
    for bounds in BOUNDS {
        let mut native = Native::new(&Space::new(spec.clone(), bounds));
        for size in native.sizes() {
            let Some(mut cursor) = native.cursor(Class::Size(size)) else { continue };
            while native.advance_within(&mut cursor, EFFORT) == Ok(true) {
                found.push(cursor.values().to_vec());
                if found.len() == most {
                    return;
                }
            }
        }
        if !found.is_empty() {
            return;
        }
    }
}

/// Whether a condition neither asks for a function nor is Rust code.
pub(super) fn is_about_values(term: &Term) -> bool {
    let mut is_it = true;
    visit(term, &mut |term| is_it &= !matches!(term, Term::Ask(..) | Term::Opaque(..)));
    is_it
}
