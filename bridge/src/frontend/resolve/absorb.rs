//! Leaves out conditions on inputs that say no more than the regular expressions before them, which generators solve for.
//!
//! Conditions on results are as written, without such expressions: nothing is solved for there, and tests to paste show them. The literals of what is left out stay in the spec, since
//! they are values worth trying.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{Clause, Refined, Regex, RegexId, Spec, Term};
use target_strategies::logic::value::Value;

use crate::frontend::elaborate;

/// A spec without such conditions, and without the `implied` expressions in those on results.
pub(super) fn absorbed(mut spec: Spec, implied: &BTreeSet<RegexId>) -> Spec {
    spec.result = as_written(&spec.result, implied);
    spec.ensures.iter_mut().for_each(|clause| drop_implied(clause, implied));
    let (regexes, literals) = (&spec.regexes, &mut spec.literals);
    // A `&mut` argument must satisfy its type on return, too.
    for param in spec.params.iter_mut().filter(|param| !param.mutable) {
        param.refined = of_type(&param.refined, regexes, literals);
    }
    spec.requires.iter_mut().for_each(|clause| absorb(clause, regexes, literals));
    spec
}

fn of_type(refined: &Refined, regexes: &[Regex], literals: &mut Vec<Value>) -> Refined {
    let mut found = refined.clone();
    found.sort = refined.sort.map_parts(&mut |part| of_type(part, regexes, literals));
    found.clauses.iter_mut().for_each(|clause| absorb(clause, regexes, literals));
    found
}

fn as_written(refined: &Refined, implied: &BTreeSet<RegexId>) -> Refined {
    let mut found = refined.clone();
    found.sort = refined.sort.map_parts(&mut |part| as_written(part, implied));
    found.clauses.iter_mut().for_each(|clause| drop_implied(clause, implied));
    found
}

/// Leaves out implied expressions, which stand before the conditions that imply them.
fn drop_implied(clause: &mut Clause, implied: &BTreeSet<RegexId>) {
    if let Term::And(parts) = &mut clause.term {
        parts.retain(|part| !matches!(part, Term::Matches(id, ..) if implied.contains(id)));
        if let [_] = parts.as_slice()
            && let Some(only) = parts.pop()
        {
            clause.term = only;
        }
    }
}

fn absorb(clause: &mut Clause, regexes: &[Regex], literals: &mut Vec<Value>) {
    if let Some((shorter, of_clause)) = elaborate::absorbed(&clause.term, regexes) {
        clause.term = shorter;
        literals.extend(of_clause);
    }
}
