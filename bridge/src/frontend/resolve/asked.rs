//! What must hold of a spec whose conditions ask about functions among the arguments: `monotone(f)`, `calls(fs[0])`, `p.price(2)`.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{
    Asked, CallbackKind, Clause, Law, Param, Question, Refined, Sort, Spec, Term, mentions, visit,
};

use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::resolve::types::Resolver;

/// A law is made to hold, so it can't be one of several possibilities.
pub(super) fn laws_alone(resolver: &mut Resolver<'_>, requires: &[Clause], params: &[Param]) {
    for clause in requires {
        let is_law = |term: &Term| matches!(term, Term::Ask(Question::Obeys(_), ..));
        let mut has_law = false;
        visit(&clause.term, &mut |term| has_law |= is_law(term));
        let span = resolver.data.clause_spans[clause.id as usize];
        if let Term::Ask(Question::Obeys(law), of, _) = &clause.term
            && let Some(id) = of.refined(params, &resolver.data.data).and_then(Refined::callback)
            && let Some(callback) = resolver.data.callbacks.get_mut(id.0 as usize)
            && callback.kind != CallbackKind::Pure
        {
            // Then its results depend on its arguments alone.
            callback.kind = CallbackKind::Pure;
            if *law != Law::Pure {
                let message = format!("`{}` is about an `fn`, whose results don't change", law.name());
                resolver.diagnostics.push(Diagnostic::error(span, message));
            }
        }
        if has_law && !is_law(&clause.term) {
            let message = "a law of a function must be a condition of its own";
            resolver.diagnostics.push(Diagnostic::error(span, message));
        }
    }
}

/// What is behind a `&mut` on return holds closures, of which nobody knows which functions they are.
pub(super) fn known_on_return(resolver: &mut Resolver<'_>, ensures: &[Clause], params: &[Param]) {
    let on_return = params.len() as u32 + 1;
    for (slot, param) in (on_return..).zip(params) {
        if !param.mutable || !param.refined.holds_functions(&resolver.data.data) {
            continue;
        }
        for clause in ensures {
            if asks_inside(&clause.term, slot, params.len()) {
                let span = resolver.data.clause_spans[clause.id as usize];
                let message = format!("the functions in `{}` can't be told apart on return", param.name);
                let help = format!("ask about those on entry: `old({})`", param.name);
                resolver.diagnostics.push(Diagnostic::error(span, message).help(help));
            }
        }
    }
}

/// Whether a condition may ask about a function inside of a parameter: about one that is read from it, or about one that a closure or
/// a pattern names, if the parameter is read for more than its length.
fn asks_inside(term: &Term, slot: u32, n_params: usize) -> bool {
    let first_local = 2 * n_params as u32 + 1;
    let (mut asks, mut asks_local, mut n_read, mut n_measured) = (false, false, 0, 0);
    visit(term, &mut |part| {
        if let Term::Ask(_, Asked::Inside, parts) = part
            && let Some(function) = parts.first()
        {
            asks |= mentions(function, slot);
            let mut note =
                |part: &Term| asks_local |= matches!(part, Term::Var(slot) if *slot >= first_local);
            visit(function, &mut note);
        }
        n_read += u32::from(*part == Term::Var(slot));
        n_measured += u32::from(matches!(part, Term::Len(list) if **list == Term::Var(slot)));
    });
    asks || asks_local && n_read > n_measured
}

/// Of a trait whose methods the conditions ask about, only tables are tried: what a method of an implementor returned
/// is not known.
pub(super) fn tables_alone(mut spec: Spec) -> Spec {
    let mut asked = BTreeSet::new();
    for clause in spec.clauses() {
        visit(&clause.term, &mut |term| {
            if let Term::Ask(_, Asked::Method(slot, _), _) = term {
                asked.insert(*slot);
            }
        });
    }
    for slot in asked {
        if let Some(Sort::Data(id)) = spec.params.get(slot as usize).map(|param| &param.refined.sort) {
            let implementors = spec.data[id.0 as usize].ctors.iter_mut().skip(1);
            implementors.for_each(|ctor| ctor.excluded = true);
        }
    }
    spec
}
