//! The domains of open scalars, each kept once, and narrowed by conditions on the scalar alone.

use std::collections::HashMap;
use std::sync::Arc;

use super::types::Types;
use crate::eval::{Truth, holds_of};
use crate::ir::{CompareOp, Term};
use crate::value::Value;
use crate::wire::Wire;

/// Index into [`Domains`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainId(pub u32);

/// All domains that came up.
#[derive(Debug, Default)]
pub struct Domains {
    all: Vec<Domain>,
    known: HashMap<Arc<[Value]>, DomainId>,
    narrowed: HashMap<(DomainId, Condition), DomainId>,
    /// By domain, slot and condition: those of which the judge gave up on a value.
    undecided: HashMap<Vec<u8>, DomainId>,
}

#[derive(Debug)]
struct Domain {
    values: Arc<[Value]>,
    /// The least and the greatest, if they are integers.
    ends: Option<(i128, i128)>,
}

/// What a condition leaves of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The values of which it holds, or may hold.
    pub left: DomainId,
    /// Whether the judge gave up on some of them.
    pub has_unknown: bool,
}

/// A condition on a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// It is at least that.
    AtLeast(i128),
    /// It is at most that.
    AtMost(i128),
    /// It is that.
    Is(Value),
    /// It isn't that.
    IsNot(Value),
}

impl Condition {
    /// The condition that a term says of a slot, if it is one.
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
        // Beyond what an `i128` holds, the sign decides.
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
    /// The domain of these values, in this order.
    pub fn id(&mut self, values: Arc<[Value]>) -> DomainId {
        if let Some(known) = self.known.get(&values) {
            return *known;
        }
        let id = DomainId(self.all.len() as u32);
        let integer = |value: &Value| if let Value::Int(n) = value { n.to_i128() } else { None };
        let ends = values.iter().map(integer).try_fold(None, |ends: Option<(i128, i128)>, n| {
            let n = n?;
            Some(Some(ends.map_or((n, n), |(lo, hi)| (lo.min(n), hi.max(n)))))
        });
        self.known.insert(values.clone(), id);
        self.all.push(Domain { values, ends: ends.flatten() });
        id
    }

    /// Whether the judge gave up on a condition on a scalar.
    pub fn has_unknown(&self) -> bool {
        !self.undecided.is_empty()
    }

    /// The values of a domain.
    pub fn values(&self, id: DomainId) -> &Arc<[Value]> {
        &self.all[id.0 as usize].values
    }

    /// The least and the greatest of a domain of integers.
    pub fn ends(&self, id: DomainId) -> Option<(i128, i128)> {
        self.all[id.0 as usize].ends
    }

    /// What a condition leaves of a domain.
    pub fn narrowed(&mut self, id: DomainId, condition: Condition) -> DomainId {
        if let (Some((lo, hi)), Condition::AtLeast(n) | Condition::AtMost(n)) = (self.ends(id), &condition) {
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

    /// What a term about a slot leaves of the slot's domain.
    pub fn filtered(&mut self, id: DomainId, term: &Term, slot: u32, types: &Types) -> Filtered {
        if let Some(condition) = Condition::of(term, slot) {
            return Filtered { left: self.narrowed(id, condition), has_unknown: false };
        }
        let key = |id: DomainId| {
            let mut key = id.0.to_le_bytes().to_vec();
            slot.write(&mut key);
            term.write(&mut key);
            key
        };
        // Asking the judge again would take as long again.
        if !self.undecided.is_empty()
            && let Some(left) = self.undecided.get(&key(id))
        {
            return Filtered { left: *left, has_unknown: true };
        }
        let (mut kept, mut has_unknown) = (Vec::new(), false);
        for value in self.values(id).iter() {
            let truth = holds_of(term, slot, value, &types.functions, &types.regexes);
            has_unknown |= truth == Truth::Unknown;
            if truth != Truth::Fails {
                kept.push(value.clone());
            }
        }
        let left = self.id(kept.into());
        if has_unknown {
            self.undecided.insert(key(id), left);
            self.undecided.insert(key(left), left);
        }
        Filtered { left, has_unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int::Int;

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
