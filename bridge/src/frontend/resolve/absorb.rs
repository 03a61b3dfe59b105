//! Leaves out conditions on inputs that say no more than the regular expressions before them, which generators solve for.
//!
//! Conditions on results stay as written: reports and tests to paste show them. The literals of what is left out stay in the spec, since
//! they are values worth trying.

use target_strategies::logic::ir::{Clause, Refined, Regex, Spec};
use target_strategies::logic::value::Value;

use crate::frontend::elaborate;

/// A spec without such conditions.
pub(super) fn absorbed(mut spec: Spec) -> Spec {
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

fn absorb(clause: &mut Clause, regexes: &[Regex], literals: &mut Vec<Value>) {
    if let Some((shorter, of_clause)) = elaborate::absorbed(&clause.term, regexes) {
        clause.term = shorter;
        literals.extend(of_clause);
    }
}
