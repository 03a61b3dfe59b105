//! The domains of open scalars. Each domain is stored once, and is narrowed by conditions on the scalar alone.

use std::collections::HashMap;
use std::sync::Arc;

use super::types::{TypeId, Types};
use crate::logic::codec::Codec;
use crate::logic::eval::{Truth, holds_of};
use crate::logic::ir::{CompareOp, Term};
use crate::logic::value::Value;

/// Index into [`Domains`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainId(pub u32);

/// All domains seen so far.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    all: Vec<Domain>,
    known: HashMap<Arc<[Value]>, DomainId>,
    /// The full domains of types.
    full: HashMap<TypeId, DomainId>,
    narrowed: HashMap<(DomainId, Condition), DomainId>,
    /// Filtered domains with undecided values, by domain, slot and condition.
    undecided: HashMap<Vec<u8>, DomainId>,
}

#[derive(Clone, Debug)]
struct Domain {
    values: Arc<[Value]>,
    /// The least and the greatest value, if all values are integers.
    bounds: Option<(i128, i128)>,
}

/// A domain filtered by a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The values that satisfy the condition, and undecided values.
    pub left: DomainId,
    /// Whether the judge left some of the values undecided.
    pub has_undecided: bool,
}

/// A condition on a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// The scalar is at least this.
    AtLeast(i128),
    /// The scalar is at most this.
    AtMost(i128),
    /// The scalar equals this.
    Is(Value),
    /// The scalar differs from this.
    IsNot(Value),
}

impl Condition {
    /// The condition on a slot that a term states, if it has one of these forms.
    pub fn of(term: &Term, slot: u32) -> Option<Condition> {
        let is_it = |term: &Term| *term == Term::Var(slot);
        Some(match term {
            Term::Compare(op, a, b) => {
                let strict = i128::from(*op == CompareOp::Lt);
                match (&**a, &**b) {
                    (a, Term::Lit(Value::Int(n))) if is_it(a) => {
                        Condition::AtMost(n.to_i128()?.checked_sub(strict)?)
                    }
                    (Term::Lit(Value::Int(n)), b) if is_it(b) => {
                        Condition::AtLeast(n.to_i128()?.checked_add(strict)?)
                    }
                    _ => return None,
                }
            }
            Term::Equal(a, b) => match (&**a, &**b) {
                (a, Term::Lit(value)) | (Term::Lit(value), a) if is_it(a) && !is_float(value) => {
                    Condition::Is(value.clone())
                }
                _ => return None,
            },
            Term::Not(inner) => match Condition::of(inner, slot)? {
                Condition::Is(value) => Condition::IsNot(value),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn admits(&self, value: &Value) -> bool {
        let Value::Int(number) = value else {
            return match self {
                Condition::AtLeast(_) | Condition::AtMost(_) => false,
                Condition::Is(other) => value == other,
                Condition::IsNot(other) => value != other,
            };
        };
        // Outside the range of `i128`, the sign decides.
        match self {
            Condition::AtLeast(least) => number.to_i128().map_or(!number.is_negative(), |n| n >= *least),
            Condition::AtMost(most) => number.to_i128().map_or(number.is_negative(), |n| n <= *most),
            Condition::Is(other) => value == other,
            Condition::IsNot(other) => value != other,
        }
    }
}

fn is_float(value: &Value) -> bool {
    matches!(value, Value::Float(_))
}

impl Domains {
    /// The id of the domain with these values, in this order.
    pub fn id(&mut self, values: Arc<[Value]>) -> DomainId {
        if let Some(known) = self.known.get(&values) {
            return *known;
        }
        let id = DomainId(self.all.len() as u32);
        let integer = |value: &Value| if let Value::Int(n) = value { n.to_i128() } else { None };
        let bounds = values.iter().map(integer).try_fold(None, |bounds: Option<(i128, i128)>, n| {
            let n = n?;
            Some(Some(bounds.map_or((n, n), |(lo, hi)| (lo.min(n), hi.max(n)))))
        });
        self.known.insert(values.clone(), id);
        self.all.push(Domain { values, bounds: bounds.flatten() });
        id
    }

    /// The id of a type's full domain.
    pub fn full(&mut self, of: TypeId, values: &Arc<[Value]>) -> DomainId {
        if let Some(known) = self.full.get(&of) {
            return *known;
        }
        let id = self.id(values.clone());
        self.full.insert(of, id);
        id
    }

    /// Whether the judge left a condition on a scalar undecided.
    pub fn has_undecided(&self) -> bool {
        !self.undecided.is_empty()
    }

    /// The values of a domain.
    pub fn values(&self, id: DomainId) -> &Arc<[Value]> {
        &self.all[id.0 as usize].values
    }

    /// The least and the greatest value of a domain of integers.
    pub fn bounds(&self, id: DomainId) -> Option<(i128, i128)> {
        self.all[id.0 as usize].bounds
    }

    /// The values of a domain that satisfy a condition.
    pub fn narrowed(&mut self, id: DomainId, condition: Condition) -> DomainId {
        if let (Some((lo, hi)), Condition::AtLeast(n) | Condition::AtMost(n)) = (self.bounds(id), &condition)
        {
            let all = if matches!(condition, Condition::AtLeast(_)) { *n <= lo } else { *n >= hi };
            if all {
                return id;
            }
        }
        if let Some(known) = self.narrowed.get(&(id, condition.clone())) {
            return *known;
        }
        let kept = self.values(id).iter().filter(|value| condition.admits(value)).cloned().collect();
        let narrowed = self.id(kept);
        self.narrowed.insert((id, condition), narrowed);
        narrowed
    }

    /// The values of a slot's domain that a term about the slot admits.
    pub fn filtered(&mut self, id: DomainId, term: &Term, slot: u32, types: &Types) -> Filtered {
        if let Some(condition) = Condition::of(term, slot) {
            return Filtered { left: self.narrowed(id, condition), has_undecided: false };
        }
        let key = |id: DomainId| {
            let mut key = id.0.to_le_bytes().to_vec();
            slot.write(&mut key);
            term.write(&mut key);
            key
        };
        // A second call of the judge would take as long.
        if !self.undecided.is_empty()
            && let Some(left) = self.undecided.get(&key(id))
        {
            return Filtered { left: *left, has_undecided: true };
        }
        let (mut kept, mut has_undecided) = (Vec::new(), false);
        for value in self.values(id).iter() {
            let truth = holds_of(term, slot, value, &types.functions, &types.regexes);
            has_undecided |= truth == Truth::Undecided;
            if truth != Truth::Fails {
                kept.push(value.clone());
            }
        }
        let left = self.id(kept.into());
        if has_undecided {
            self.undecided.insert(key(id), left);
            self.undecided.insert(key(left), left);
        }
        Filtered { left, has_undecided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::int::Int;

    fn below(a: Term, b: Term) -> Term {
        Term::Compare(CompareOp::Lt, Box::new(a), Box::new(b))
    }

    #[test]
    fn numbers_beyond_128_bits_are_told_apart_by_their_sign() {
        let greatest = Value::int(u128::MAX);
        assert!(Condition::AtLeast(i128::MAX).admits(&greatest));
        assert!(!Condition::AtMost(i128::MAX).admits(&greatest));
        let least = Value::Int(-&Int::from(u128::MAX));
        assert!(Condition::AtMost(i128::MIN).admits(&least));
        assert!(!Condition::AtLeast(i128::MIN).admits(&least));
    }

    #[test]
    fn a_bound_that_does_not_fit_is_left_to_the_judge() {
        let literal = |n: i128| Term::Lit(Value::int(n));
        assert_eq!(Condition::of(&below(literal(i128::MAX), Term::Var(0)), 0), None);
        assert_eq!(Condition::of(&below(Term::Var(0), literal(i128::MIN)), 0), None);
        assert_eq!(Condition::of(&below(literal(2), Term::Var(0)), 0), Some(Condition::AtLeast(3)));
    }
}
