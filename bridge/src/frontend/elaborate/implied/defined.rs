//! Terms that a condition needs to have a value, whatever it is.

use target_strategies::logic::ir::Term;

use super::needed::{Needed, Test, with_all};
use crate::frontend::elaborate::total::{self, Fields};

/// Whether a term has a value; if that isn't easy to see, no.
pub(super) fn is_defined(term: &Term) -> bool {
    total::is_total(term, Fields::Tested)
}

/// What is needed, if some terms are not looked at further: they must have values.
pub(super) fn if_total<'t>(terms: impl IntoIterator<Item = &'t Term>, needed: Needed) -> Needed {
    let known = needed?;
    let all_total = terms.into_iter().all(is_defined);
    Some(if all_total { known } else { with_all(known, vec![Test::Unsaid]) })
}

/// All parts but one.
pub(super) fn others(parts: &[Term], except: usize) -> impl Iterator<Item = &Term> {
    parts.iter().enumerate().filter(move |(at, _)| *at != except).map(|(_, part)| part)
}
