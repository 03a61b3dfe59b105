//! Results of functions with which the preconditions hold that ask for them: `requires (0..5).all(|i| f(i) == i * i)`.
//!
//! The arguments of a case are known, and with them those of the calls in its preconditions. The results of these calls are the
//! parameters of a spec whose members are the possible ones. For `f(0) < f(1)`, it is `fn(a: T, b: T) requires a < b`.

use super::case::Case;
use super::solved::{Call, is_about_values, smallest};
use crate::cancel;
use crate::logic::eval::{self, evaluate};
use crate::logic::ir::{
    Asked, CallbackId, Clause, Param, Question, Refined, Spec, Term, map_children, visit,
};
use crate::logic::value::Value;

/// Maximum number of calls in the preconditions of a case.
const MOST_CALLS: usize = 32;

/// Maximum number of members of which one is taken.
const MOST_MEMBERS: usize = 16;

/// Maximum number of steps ([`cancel::steps`]).
const MOST_STEPS: u64 = 50_000;

/// A call in a precondition, and its result.
pub(super) type Required = (Asked, Vec<Value>, Value);

/// Whether a precondition asks for the results of calls.
pub(super) fn asks_for_results(term: &Term) -> bool {
    let mut asks = false;
    visit(term, &mut |term| asks |= matches!(term, Term::Ask(Question::Result, ..)));
    asks
}

/// Results of the calls in the preconditions, with which these hold as far as terms say. `None` if none are found.
///
/// Source: *Relatively Complete Counterexamples for Higher-Order Programs*, section 3: the results of an unknown function are unknown
/// values, which a solver finds.
pub(super) fn required(case: &mut Case) -> Option<Vec<Required>> {
    let spec = case.spec.clone();
    cancel::within_steps(MOST_STEPS, || {
        let mut calls = Calls { case, spec: &spec, known: Vec::new(), calls: Vec::new(), bound: Vec::new() };
        let clauses = calls.clauses()?;
        calls.solved(clauses)
    })?
}

struct Calls<'c> {
    case: &'c mut Case,
    spec: &'c Spec,
    /// Calls inside of the arguments of others. Their results are those of the case.
    known: Vec<Required>,
    /// All other calls.
    calls: Vec<(Asked, Vec<Value>)>,
    /// The elements for which the bodies of quantifiers are written out.
    bound: Vec<(u32, Value)>,
}

impl Calls<'_> {
    /// The preconditions about results, each call replaced by the slot of its result.
    fn clauses(&mut self) -> Option<Vec<Clause>> {
        let of_results = self.spec.requires.iter().filter(|clause| asks_for_results(&clause.term));
        let of_results: Vec<Clause> = of_results.cloned().collect();
        of_results
            .into_iter()
            .map(|clause| Some(Clause { term: self.fixed(&clause.term)?, ..clause }))
            .collect()
    }

    /// A term with the case's values. `None` if it asks in a way that can't be written out.
    fn fixed(&mut self, term: &Term) -> Option<Term> {
        if let Term::Var(slot) = term {
            return self.value(*slot);
        }
        if let Term::Ask(Question::Result, of, args) = term {
            return self.call(*of, args);
        }
        if matches!(term, Term::Ask(..) | Term::Opaque(..)) {
            return None;
        }
        if let Term::All(over, closure) | Term::Any(over, closure) = term
            && asks_for_results(&closure.body)
        {
            let Term::Lit(Value::Seq(elements)) = self.constant(over)? else { return None };
            let mut parts = Vec::new();
            for element in elements.iter() {
                self.bound.push((closure.slot, element.clone()));
                let part = self.fixed(&closure.body);
                self.bound.pop();
                parts.push(part?);
            }
            return Some(if matches!(term, Term::All(..)) { Term::And(parts) } else { Term::Or(parts) });
        }
        let (mut is_possible, mut is_constant) = (true, !matches!(term, Term::Lit(_) | Term::Undefined));
        let fixed = map_children(term, &mut |child, bound| {
            is_possible &= bound.is_empty() || !asks_for_results(child);
            let child = self.fixed(child);
            is_possible &= child.is_some();
            is_constant &= bound.is_empty() && matches!(child, Some(Term::Lit(_)));
            child.unwrap_or(Term::Undefined)
        });
        if !is_possible {
            return None;
        }
        if !is_constant {
            return Some(fixed);
        }
        Some(evaluate(&fixed, &self.spec.functions, &self.spec.regexes).map_or(fixed, Term::Lit))
    }

    fn constant(&mut self, term: &Term) -> Option<Term> {
        self.fixed(term).filter(|term| matches!(term, Term::Lit(_)))
    }

    /// What a slot holds. Those of binders stay.
    fn value(&self, slot: u32) -> Option<Term> {
        if let Some((_, value)) = self.bound.iter().rev().find(|(bound, _)| *bound == slot) {
            return Some(Term::Lit(value.clone()));
        }
        match self.case.args.get(slot as usize) {
            Some(value) => Some(Term::Lit(value.clone())),
            None => (slot >= self.spec.first_local_slot()).then_some(Term::Var(slot)),
        }
    }

    /// The slot of the result of a call, which is its number.
    fn call(&mut self, of: Asked, args: &[Term]) -> Option<Term> {
        let args = args.iter().map(|arg| {
            let arg = self.fixed(arg)?;
            self.known(arg)
        });
        let args: Vec<Value> = args.collect::<Option<_>>()?;
        if let Some((.., result)) = self.known.iter().find(|known| (known.0, &known.1) == (of, &args)) {
            return Some(Term::Lit(result.clone()));
        }
        let call = (of, args);
        let at = self.calls.iter().position(|known| *known == call).unwrap_or_else(|| {
            self.calls.push(call);
            self.calls.len() - 1
        });
        (at < MOST_CALLS).then_some(Term::Var(at as u32))
    }

    /// The value of an argument. Where it depends on the result of another call, that is the one of the case.
    fn known(&mut self, arg: Term) -> Option<Value> {
        let mut asked = Vec::new();
        visit(&arg, &mut |term| {
            if let Term::Var(slot) = term {
                asked.push(*slot);
            }
        });
        let mut arg = arg;
        for slot in asked {
            // The slots of calls that were noted before stay theirs.
            let (of, args) = self.calls.get(slot as usize)?.clone();
            let number = self.case.functions.iter().position(|function| function.of == Some(of))?;
            let result = self.case.result(number, &args, false)?;
            self.known.push((of, args, result.clone()));
            arg = with(&arg, slot, &result);
        }
        if let Term::Lit(value) = arg {
            return Some(value);
        }
        evaluate(&arg, &self.spec.functions, &self.spec.regexes).ok()
    }

    /// Members of the spec whose parameters are the results of the calls.
    fn solved(mut self, clauses: Vec<Clause>) -> Option<Vec<Required>> {
        let spec = self.as_spec(clauses)?;
        let mut found = Vec::new();
        smallest(spec, MOST_MEMBERS, &mut found);
        let turn = self.case.functions.first().map_or(0, |function| function.turn(found.len()));
        let results = found.into_iter().nth(turn)?;
        let calls = std::mem::take(&mut self.calls).into_iter().zip(results);
        Some(calls.map(|((of, args), result)| (of, args, result)).collect())
    }

    fn as_spec(&self, clauses: Vec<Clause>) -> Option<Spec> {
        let n = u32::try_from(self.calls.len()).ok()?;
        let mut params = Vec::new();
        let mut data = self.spec.data.clone();
        for (of, args) in &self.calls {
            let (id, result) = self.function(*of)?;
            let callback = self.spec.callback(id);
            let call = eval::Call { entry: &self.case.args, callback, args, outer: &[] };
            let call = Call { spec: self.spec, call, value_slot: n };
            params.push(Param { name: "result".to_owned(), refined: call.refined(result)?, mutable: false });
            if params.len() == 1 {
                data = call.data();
            }
        }
        // Results that are known are in the case's table before the others, and have to stay.
        let known = self.known.iter().map(|(of, args, result)| {
            let at = self.calls.iter().position(|call| (call.0, &call.1) == (*of, args))?;
            let is_it = Term::Equal(Box::new(Term::Var(at as u32)), Box::new(Term::Lit(result.clone())));
            Some(Clause { id: 0, text: String::new(), term: is_it })
        });
        let requires: Vec<Clause> = clauses.into_iter().chain(known.flatten()).collect();
        let spec = Spec {
            params,
            data,
            requires,
            functions: self.spec.functions.clone(),
            regexes: self.spec.regexes.clone(),
            callbacks: self.spec.callbacks.clone(),
            ..Spec::unrefined(&self.spec.name)
        };
        // The slots of more parameters might be those of binders.
        let is_apart = spec.first_local_slot() <= self.spec.first_local_slot();
        let mut terms = spec.clauses().into_iter().map(|clause| &clause.term);
        (is_apart || terms.all(|term| is_about_values(term) && !has_binders(term))).then_some(spec)
    }

    /// The type of a function's results.
    fn function(&self, of: Asked) -> Option<(CallbackId, &Refined)> {
        self.spec.asked(of).filter(|(id, _)| self.spec.callback(*id).steps.is_none())
    }
}

/// A term with a value for a slot that no binder has.
fn with(term: &Term, slot: u32, value: &Value) -> Term {
    if *term == Term::Var(slot) {
        return Term::Lit(value.clone());
    }
    map_children(term, &mut |child, _| with(child, slot, value))
}

fn has_binders(term: &Term) -> bool {
    let mut has_any = false;
    map_children(term, &mut |child, bound| {
        has_any |= !bound.is_empty() || has_binders(child);
        child.clone()
    });
    has_any
}
