//! The tests of strings without which a condition can't be true, found by following its branches.
//!
//! Each branch that leads to `true` needs the tests on its way. What all such branches need, the condition needs. A name that
//! is bound in the condition stands for its value, so that the constructor which a `match` asks for leads to the test that made it.

use std::cell::Cell;

use target_strategies::logic::ir::{Term, visit};
use target_strategies::logic::value::Value;

use super::is_test;

/// Maximum number of terms that are looked at: names that are used twice may double the work again and again.
const MOST_TERMS: u32 = 10_000;

/// The tests that a condition needs.
pub(super) fn tests(condition: &Term) -> Vec<Term> {
    let search = Search { n_left: Cell::new(MOST_TERMS) };
    // A condition that is never true needs everything. That is found elsewhere.
    search.needed(condition, Wanted::Bool(true), None).unwrap_or_default()
}

/// The value that a term is asked to have.
#[derive(Clone, Copy)]
enum Wanted {
    Bool(bool),
    Ctor(u32),
    OtherThan(u32),
}

/// A name that is bound around a term, and the names around its value.
struct Bound<'t> {
    slot: u32,
    value: &'t Term,
    outer: Option<&'t Bound<'t>>,
}

struct Search {
    n_left: Cell<u32>,
}

/// What a term needs; `None` if it never has the value.
type Needed = Option<Vec<Term>>;

impl Search {
    fn needed(&self, term: &Term, wanted: Wanted, bound: Option<&Bound<'_>>) -> Needed {
        let Some(n_left) = self.n_left.get().checked_sub(1) else { return Some(Vec::new()) };
        self.n_left.set(n_left);
        if let Term::If(test, then, otherwise) = term {
            let branch = |value, term: &Term| {
                let of_test = self.needed(test, Wanted::Bool(value), bound)?;
                Some(with_all(of_test, self.needed(term, wanted, bound)?))
            };
            return either([branch(true, then), branch(false, otherwise)]);
        }
        if let Term::Let { slot, value, body } = term {
            return self.needed(body, wanted, Some(&Bound { slot: *slot, value, outer: bound }));
        }
        if let Term::Var(slot) = term
            && let Some(named) = named(*slot, bound)
        {
            return self.needed(named.value, wanted, named.outer);
        }
        if let Term::Undefined = term {
            return None;
        }
        match wanted {
            Wanted::Bool(wanted) => self.of_bool(term, wanted, bound),
            Wanted::Ctor(ctor) => is_possible(term, |own| own == ctor),
            Wanted::OtherThan(ctor) => is_possible(term, |own| own != ctor),
        }
    }

    fn of_bool(&self, term: &Term, wanted: bool, bound: Option<&Bound<'_>>) -> Needed {
        if let Term::Lit(Value::Bool(value)) = term {
            return (*value == wanted).then(Vec::new);
        }
        if let Term::Not(of) = term {
            return self.needed(of, Wanted::Bool(!wanted), bound);
        }
        if let Term::IsCtor(of, ctor) = term {
            let wanted = if wanted { Wanted::Ctor(*ctor) } else { Wanted::OtherThan(*ctor) };
            return self.needed(of, wanted, bound);
        }
        if let Term::And(parts) | Term::Or(parts) = term {
            let mut of_parts = parts.iter().map(|part| self.needed(part, Wanted::Bool(wanted), bound));
            let has_all = matches!(term, Term::And(_)) == wanted;
            return if has_all {
                of_parts.try_fold(Vec::new(), |known, more| Some(with_all(known, more?)))
            } else {
                either(of_parts)
            };
        }
        if let Term::Equal(a, b) = term
            && wanted
        {
            let of = |of: &Term, other: &Term| match ctor_of(other) {
                Some(ctor) => self.needed(of, Wanted::Ctor(ctor), bound),
                None => Some(Vec::new()),
            };
            return Some(with_all(of(a, b)?, of(b, a)?));
        }
        let is_needed = wanted && is_test(term) && is_outside(term, bound);
        Some(if is_needed { vec![term.clone()] } else { Vec::new() })
    }
}

/// The innermost binding of a slot.
fn named<'b>(slot: u32, mut bound: Option<&'b Bound<'b>>) -> Option<&'b Bound<'b>> {
    while let Some(inner) = bound
        && inner.slot != slot
    {
        bound = inner.outer;
    }
    bound
}

/// Whether a term reads no slot that is bound inside the condition.
fn is_outside(term: &Term, bound: Option<&Bound<'_>>) -> bool {
    let mut is_outside = true;
    visit(term, &mut |part| is_outside &= !matches!(part, Term::Var(slot) if named(*slot, bound).is_some()));
    is_outside
}

/// Nothing, if a term may have such a constructor.
fn is_possible(term: &Term, is_wanted: impl Fn(u32) -> bool) -> Needed {
    ctor_of(term).is_none_or(is_wanted).then(Vec::new)
}

/// The constructor of a term, if it shows.
fn ctor_of(term: &Term) -> Option<u32> {
    match term {
        Term::Construct(_, ctor, _) | Term::Lit(Value::Data(ctor, _)) => Some(*ctor),
        _ => None,
    }
}

/// What is needed if both are.
fn with_all(mut known: Vec<Term>, more: Vec<Term>) -> Vec<Term> {
    for test in more {
        if !known.contains(&test) {
            known.push(test);
        }
    }
    known
}

/// What all of those need that are possible.
fn either(all: impl IntoIterator<Item = Needed>) -> Needed {
    all.into_iter().flatten().reduce(|mut known, other| {
        known.retain(|test| other.contains(test));
        known
    })
}
