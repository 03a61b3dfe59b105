//! Leaves out conditions on inputs that say no more than the regular expressions before them, which generators solve for, and says of lists
//! what is said of their joined strings.
//!
//! Conditions on results are as written, without such expressions: nothing is solved for there, and tests to paste show them. The literals
//! of what is left out stay in the spec, since they are values worth trying.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{Clause, Refined, Regex, RegexId, Spec, Term};
use target_strategies::logic::value::Value;

use crate::frontend::data::DataTable;
use crate::frontend::elaborate;

/// A spec without such conditions, and without the `implied` expressions in those on results.
pub(super) fn absorbed(mut spec: Spec, data: &mut DataTable<'_>) -> Spec {
    let implied = &data.implied_regexes;
    spec.result = as_written(&spec.result, implied);
    spec.ensures.iter_mut().for_each(|clause| drop_implied(clause, implied));
    let mut stage = Stage { regexes: &spec.regexes, literals: &mut spec.literals, data };
    // A `&mut` argument must satisfy its type on return, too.
    for param in spec.params.iter_mut().filter(|param| !param.mutable) {
        param.refined = stage.of_type(&param.refined);
    }
    spec.requires.iter_mut().for_each(|clause| stage.absorb(clause));
    spec
}

/// What conditions are read with.
struct Stage<'s, 'd, 'c> {
    regexes: &'s [Regex],
    literals: &'s mut Vec<Value>,
    data: &'d mut DataTable<'c>,
}

impl Stage<'_, '_, '_> {
    fn of_type(&mut self, refined: &Refined) -> Refined {
        let mut found = refined.clone();
        found.sort = refined.sort.map_parts(&mut |part| self.of_type(part));
        found.clauses.iter_mut().for_each(|clause| self.absorb(clause));
        found
    }

    fn absorb(&mut self, clause: &mut Clause) {
        if let Some((shorter, of_clause)) = elaborate::absorbed(&clause.term, self.regexes) {
            clause.term = shorter;
            self.literals.extend(of_clause);
        }
        if let Some((changed, of_clause)) = elaborate::with_lists(&clause.term, &mut || self.data.fresh()) {
            clause.term = changed;
            self.literals.extend(of_clause);
        }
    }
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
