//! How long lists, sets and maps are whose elements or keys are said to be the same.
//!
//! `elems(order) == values.keys()` implies that `values` is no longer than `order`, and exactly as long where the elements of
//! `order` differ. A generator that knows so chooses one length.

use target_strategies::logic::ir::{Collection, CompareOp, Term};

use super::super::build::{and, is_path};

/// Puts what conditions imply about lengths before them. All of the conditions hold.
pub(in super::super) fn strengthen<'t>(terms: impl Iterator<Item = &'t mut Term>) {
    let mut terms: Vec<&mut Term> = terms.collect();
    let distinct =
        |term: &&mut Term| if let Term::Distinct(of) = &**term { Some((**of).clone()) } else { None };
    let distinct: Vec<Term> = terms.iter().filter_map(distinct).collect();
    for term in &mut terms {
        if let Some(lengths) = lengths(term, &distinct) {
            let own = std::mem::replace(&mut **term, Term::Undefined);
            **term = and(vec![lengths, own]);
        }
    }
}

/// The length of what has the elements of a set.
enum Size {
    Exactly(Term),
    /// Some elements may be equal.
    AtMost(Term),
}

/// What the equality of two sets implies about lengths.
fn lengths(term: &Term, distinct: &[Term]) -> Option<Term> {
    let Term::Equal(a, b) = term else { return None };
    let is_set = |term: &Term| matches!(term, Term::Collect(Collection::Set, _) | Term::Keys(_));
    if !is_set(a) && !is_set(b) {
        return None;
    }
    match (size(a, distinct)?, size(b, distinct)?) {
        (Size::Exactly(a), Size::Exactly(b)) => Some(Term::Equal(Box::new(a), Box::new(b))),
        (Size::Exactly(a), Size::AtMost(b)) | (Size::AtMost(b), Size::Exactly(a)) => {
            Some(Term::Compare(CompareOp::Le, Box::new(a), Box::new(b)))
        }
        (Size::AtMost(_), Size::AtMost(_)) => None,
    }
}

fn size(set: &Term, distinct: &[Term]) -> Option<Size> {
    let (Term::Collect(Collection::Set, of) | Term::Keys(of)) = set else {
        return is_variable(set).then(|| Size::Exactly(len(set)));
    };
    if !is_variable(of) {
        return None;
    }
    let is_exact = matches!(set, Term::Keys(_)) || distinct.contains(of);
    Some(if is_exact { Size::Exactly(len(of)) } else { Size::AtMost(len(of)) })
}

fn is_variable(term: &Term) -> bool {
    is_path(term) && !matches!(term, Term::Lit(_))
}

fn len(of: &Term) -> Term {
    Term::Len(Box::new(of.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(slot: u32) -> Box<Term> {
        Box::new(Term::Var(slot))
    }

    fn elements(slot: u32) -> Term {
        Term::Collect(Collection::Set, var(slot))
    }

    fn strengthened(mut terms: Vec<Term>) -> Vec<Term> {
        strengthen(terms.iter_mut());
        terms
    }

    #[test]
    fn equal_sets_have_equal_sizes() {
        let same = Term::Equal(Box::new(elements(0)), Box::new(Term::Keys(var(1))));
        let lens = || [0, 1].map(|slot| Box::new(len(&Term::Var(slot))));
        let [list, map] = lens();
        let at_most = Term::Compare(CompareOp::Le, map, list);
        assert_eq!(strengthened(vec![same.clone()]), [Term::And(vec![at_most, same.clone()])]);
        let [list, map] = lens();
        let distinct = Term::Distinct(var(0));
        let equal = Term::And(vec![Term::Equal(list, map), same.clone()]);
        assert_eq!(strengthened(vec![distinct.clone(), same]), [distinct, equal]);
    }

    #[test]
    fn lists_and_other_terms_imply_nothing() {
        let same_lists = Term::Equal(var(0), var(1));
        let two_lists = Term::Equal(Box::new(elements(0)), Box::new(elements(1)));
        let of_a_part = Term::Equal(
            Box::new(Term::Collect(Collection::Set, Box::new(Term::Reverse(var(0))))),
            Box::new(Term::Keys(var(1))),
        );
        let all = [same_lists, two_lists, of_a_part, Term::Distinct(var(0))];
        let distinct = all[3].clone();
        assert_eq!(strengthened(all[..3].to_vec()), all[..3]);
        // The second list may still have equal elements.
        let both = strengthened(vec![all[1].clone(), distinct]);
        let len_of = |slot| Box::new(len(&Term::Var(slot)));
        let at_most = Term::Compare(CompareOp::Le, len_of(0), len_of(1));
        assert_eq!(both[0], Term::And(vec![at_most, all[1].clone()]));
    }
}
