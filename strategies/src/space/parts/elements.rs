//! The limits of lengths that follow from elements and from conditions on strings.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a few terms limit lengths in ways that are not known here"
)]

use super::{Finder, MAX_DEPTH, MAX_VALUES};
use crate::logic::ir::{Refined, Sort, Term, visit};
use crate::space::domain::{LeafSort, all_codes};
use crate::space::facts::Facts;

/// A number of values that no length needs to be compared with.
const MANY: u64 = 1 << 16;

impl Finder<'_> {
    /// The number of values of a type, at most [`MANY`]; `None` if conditions may exclude some of few.
    pub(super) fn number_of_values(&self, refined: &Refined, facts: Facts) -> Option<u64> {
        self.number(refined, facts, MAX_DEPTH)
    }

    fn number(&self, refined: &Refined, facts: Facts, depth: usize) -> Option<u64> {
        let has_conditions = !refined.clauses.is_empty() || facts != Facts::any();
        let facts = self.known(refined, facts);
        let scalars = |sort| {
            let n = facts.codes.intersect(&all_codes(sort)).count_up_to(MANY).unwrap_or(MANY);
            (!has_conditions || n > MAX_VALUES).then_some(n)
        };
        match &refined.sort {
            Sort::Bool => scalars(LeafSort::Bool),
            Sort::Char => scalars(LeafSort::Char),
            Sort::Int(kind) => scalars(LeafSort::Int(*kind)),
            Sort::Float(kind) => scalars(LeafSort::Float(*kind)),
            Sort::Str(_) if !has_conditions => Some(MANY),
            Sort::Tuple(parts) if !has_conditions => self.product(parts.iter(), depth),
            Sort::Data(id) if !has_conditions => {
                let ctors = self.spec.data(*id).ctors.iter().filter(|ctor| !ctor.excluded);
                ctors.map(|ctor| self.product(ctor.fields.iter().map(|field| &field.refined), depth)).sum()
            }
            Sort::Str(_) | Sort::Tuple(_) | Sort::Data(_) => None,
            Sort::Seq(..) | Sort::Set(..) | Sort::Map(..) | Sort::Opaque(_) => None,
        }
    }

    fn product<'r>(&self, parts: impl Iterator<Item = &'r Refined>, depth: usize) -> Option<u64> {
        let mut product = 1_u64;
        for part in parts {
            let n = self.number(part, Facts::any(), depth.checked_sub(1)?)?;
            product = product.saturating_mul(n).min(MANY);
        }
        Some(product)
    }
}

/// Whether the limit that a condition on a string sets to its length, if it does, is known from facts and regular
/// expressions.
pub(super) fn limits_length_plainly(condition: &Term, own: u32) -> bool {
    let is_own = |term: &Term| matches!(term, Term::Var(slot) if *slot == own);
    let mut is_plain = true;
    visit(condition, &mut |term| {
        is_plain &= match term {
            Term::Equal(a, b) => {
                let is_constant = |term: &Term| matches!(term, Term::Lit(_));
                !(is_own(a) || is_own(b)) || is_constant(a) || is_constant(b)
            }
            Term::Call(..) | Term::Opaque(..) | Term::Ask(..) | Term::TextOp(..) => false,
            Term::StrFind(..) | Term::Bytes(_) | Term::Text(_) | Term::Let { .. } => false,
            _ => true,
        };
    });
    is_plain
}
