//! Conditions that a clause implies, as conjuncts of their own, so that generators see them: on strings, and on
//! [`sizes`].
//!
//! `s.captures("(?<m>\\d\\d)-..").unwrap()["m"] == "07"` is false unless `s` matches: an undefined clause is false. So
//! it becomes `s.matches(..) && ..`, which has the same meaning. So does `match s.captures(..) { Some(c) => .., None => false }`.
//!
//! `s.trim() == "x"` needs `s.matches(r"\s*x\s*")`: a regular expression is put together where the string that is tested was made
//! of another one.

mod case;
mod chars;
mod class;
mod defined;
mod digits;
mod displayed;
mod exact;
mod groups;
mod hir;
mod joined;
mod needed;
mod operations;
mod range;
mod regex_text;
mod replaced;
pub(super) mod sizes;
mod wanted;

use target_strategies::logic::ir::{Regex, Term, for_children, map_children, visit};
use target_strategies::logic::value::Value;

pub use self::joined::with_lists;
use self::needed::Test;
use super::build::{and, is_path};
use crate::frontend::data::DataTable;

/// A condition with the conditions that it implies before it.
pub(super) fn strengthened(term: Term, data: &mut DataTable<'_>) -> Term {
    let mut found = Vec::new();
    collect(&term, &mut Vec::new(), &mut found);
    let own = match &term {
        Term::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let tests = if is_of_each_char(&term) { Vec::new() } else { needed::tests(&term, &data.regexes) };
    for test in tests {
        let test = match test {
            Test::Written(test) => Some(test),
            Test::Char(..) | Test::Len(..) | Test::Unsaid => None,
            Test::Matches(path, _) if own.iter().any(|part| is_constant(&path, part)) => None,
            Test::Matches(path, regex) => {
                data.implied_regex(&regex).map(|regex| Term::Matches(regex, Regex::START, Box::new(path)))
            }
        };
        found.extend(test.filter(|test| !found.contains(test)));
    }
    found.retain(|test| !own.contains(test));
    let mut known: Vec<Term> = found.iter().filter(|test| is_match(test)).cloned().collect();
    let parts = if let Term::And(parts) = term { parts } else { vec![term] };
    for part in parts {
        let part = if known.is_empty() { part } else { where_known(&part, &known) };
        known.extend(is_match(&part).then(|| part.clone()));
        found.push(part);
    }
    and(found)
}

fn is_match(term: &Term) -> bool {
    needed::is_test(term) && matches!(term, Term::Matches(..))
}

/// A term after tests that hold, without the branches that these rule out: the groups of a match are no option.
fn where_known(term: &Term, known: &[Term]) -> Term {
    match term {
        Term::If(test, then, _) if is_match(test) && known.contains(test) => where_known(then, known),
        term => map_children(term, &mut |child, _| where_known(child, known)),
    }
}

/// Leaves out each part of a condition that says the same as the tests of strings before it. Returns what is left, and the literals of
/// what is left out; `None` if no part is.
pub fn absorbed(term: &Term, regexes: &[Regex]) -> Option<(Term, Vec<Value>)> {
    let Term::And(parts) = term else { return None };
    let (mut kept, mut literals) = (Vec::new(), Vec::new());
    for (at, part) in parts.iter().enumerate() {
        // The parts after it may be undefined where it doesn't hold.
        if needed::is_test(part) || !is_said_by(part, &parts[..at], regexes) {
            kept.push(part.clone());
            continue;
        }
        visit(part, &mut |term| match term {
            Term::Lit(literal) if !literals.contains(literal) => literals.push(literal.clone()),
            _ => {}
        });
    }
    (kept.len() < parts.len()).then(|| (and(kept), literals))
}

/// Whether a condition holds exactly if the tests of strings among others do.
fn is_said_by(part: &Term, parts: &[Term], regexes: &[Regex]) -> bool {
    let is_there = |test: &Test| match test {
        Test::Written(test) => parts.contains(test),
        Test::Matches(path, text) => parts.iter().any(|other| match other {
            Term::Matches(id, Regex::START, of) => {
                **of == *path && regexes.get(id.0 as usize).is_some_and(|regex| regex.text == **text)
            }
            _ => false,
        }),
        Test::Char(..) | Test::Len(..) | Test::Unsaid => false,
    };
    needed::exact_tests(part, regexes).is_some_and(|tests| !tests.is_empty() && tests.iter().all(is_there))
}

/// Whether a condition is about each character of a string at a path alone, or their number. The space reads that off the condition.
fn is_of_each_char(condition: &Term) -> bool {
    let is_chars = |term: &Term| matches!(term, Term::Chars(of) | Term::Bytes(of) if is_path(of));
    match condition {
        Term::All(over, _) => matches!(&**over, Term::Chars(of) if is_path(of)),
        Term::Not(of) => {
            matches!(&**of, Term::Any(over, _) if matches!(&**over, Term::Chars(of) if is_path(of)))
        }
        Term::Equal(a, b) | Term::Compare(_, a, b) => {
            [a, b].iter().any(|side| matches!(&***side, Term::Len(of) if is_chars(of)))
        }
        _ => false,
    }
}

/// Whether a condition says which string is at a path.
fn is_constant(path: &Term, condition: &Term) -> bool {
    let Term::Equal(a, b) = condition else { return false };
    let is_text = |term: &Term| matches!(term, Term::Lit(Value::Str(_)));
    **a == *path && is_text(b) || **b == *path && is_text(a)
}

/// Collects the tests of strings without which a term is undefined. `bound` are the slots that are filled inside the
/// clause.
fn collect(term: &Term, bound: &mut Vec<u32>, found: &mut Vec<Term>) {
    if let Term::If(test, then, otherwise) = term {
        collect(test, bound, found);
        if **otherwise == Term::Undefined {
            if needed::is_test(test)
                && needed::is_outside(test, &|slot| bound.contains(&slot))
                && !found.contains(test)
            {
                found.push((**test).clone());
            }
            collect(then, bound, found);
        }
    } else if let Term::Let { slot, value, body } = term {
        collect(value, bound, found);
        bound.push(*slot);
        collect(body, bound, found);
        bound.pop();
    } else if let Term::And(parts) | Term::Or(parts) = term {
        // The other parts may not be evaluated.
        if let Some(first) = parts.first() {
            collect(first, bound, found);
        }
    } else if let Term::All(over, _)
    | Term::Any(over, _)
    | Term::Map(over, _)
    | Term::Filter(over, _)
    | Term::Position(over, ..)
    | Term::Fold { over, .. } = term
    {
        collect(over, bound, found);
    } else if is_strict(term) {
        for_children(term, &mut |child| collect(child, bound, found));
    }
}

/// Whether a term is undefined if one of its parts is.
fn is_strict(term: &Term) -> bool {
    matches!(
        term,
        Term::Not(_)
            | Term::Equal(..)
            | Term::Compare(..)
            | Term::Arith(..)
            | Term::Neg(_)
            | Term::Abs(_)
            | Term::ToInt(_)
            | Term::Tuple(_)
            | Term::Project(..)
            | Term::Field { .. }
            | Term::IsCtor(..)
            | Term::Len(_)
            | Term::Index(..)
            | Term::Chars(_)
            | Term::Text(_)
            | Term::StrTest(..)
            | Term::Matches(..)
            | Term::CharIs(..)
            | Term::TextOp(..)
    )
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{DataId, Regex, RegexId};
    use target_strategies::logic::value::Value;

    use super::*;
    use crate::frontend::elaborate::tests::fixture::{NOTHING_DECLARED, catalog};

    fn strengthened(term: Term) -> Term {
        let catalog = catalog();
        super::strengthened(term, &mut DataTable::new(&catalog, &NOTHING_DECLARED, 0))
    }

    fn matches(slot: u32) -> Term {
        Term::Matches(RegexId(0), Regex::START, Box::new(Term::Var(slot)))
    }

    /// `if s.matches(..) { 1 } else { panic }`
    fn guarded(slot: u32) -> Term {
        Term::If(Box::new(matches(slot)), Box::new(Term::Lit(Value::int(1))), Box::new(Term::Undefined))
    }

    fn is_one(term: Term) -> Term {
        Term::Equal(Box::new(term), Box::new(Term::Lit(Value::int(1))))
    }

    #[test]
    fn what_must_be_defined_is_implied() {
        let term = is_one(guarded(3));
        // What is tested isn't tested again.
        let is_true = is_one(Term::Lit(Value::int(1)));
        assert_eq!(strengthened(term.clone()), Term::And(vec![matches(3), is_true.clone()]));
        let negated = Term::Not(Box::new(term.clone()));
        assert_eq!(strengthened(negated), Term::And(vec![matches(3), Term::Not(Box::new(is_true))]));
    }

    /// `if s.matches(..) { Some(1) } else { None }`
    fn found(slot: u32) -> Term {
        let option = |ctor, parts| Box::new(Term::Construct(DataId(0), ctor, parts));
        Term::If(Box::new(matches(slot)), option(1, vec![Term::Lit(Value::int(1))]), option(0, Vec::new()))
    }

    /// `match found { Some(_) => then, None => otherwise }`
    fn on_found(then: bool, otherwise: bool) -> Term {
        let lit = |value| Box::new(Term::Lit(Value::Bool(value)));
        let is_some = Box::new(Term::IsCtor(Box::new(Term::Var(9)), 1));
        let body = Box::new(Term::If(is_some, lit(then), lit(otherwise)));
        Term::Let { slot: 9, value: Box::new(found(3)), body }
    }

    #[test]
    fn what_the_branch_that_is_true_needs_is_implied() {
        for term in [
            on_found(true, false),
            Term::Not(Box::new(on_found(false, true))),
            Term::Equal(Box::new(found(3)), Box::new(Term::Construct(DataId(0), 1, vec![Term::Var(4)]))),
            Term::Or(vec![
                on_found(true, false),
                Term::And(vec![Term::Lit(Value::Bool(true)), on_found(true, false)]),
            ]),
        ] {
            let known = where_known(&term, &[matches(3)]);
            assert_eq!(strengthened(term), Term::And(vec![matches(3), known]));
        }
        let known = where_known(&on_found(true, false), &[matches(3)]);
        let both = Term::And(vec![matches(3), on_found(true, false)]);
        assert_eq!(strengthened(both), Term::And(vec![matches(3), known]));
    }

    #[test]
    fn what_may_not_be_evaluated_implies_nothing() {
        let is_false = Term::Lit(Value::Bool(false));
        for term in [
            on_found(true, true),
            on_found(false, true),
            on_found(false, false),
            Term::Or(vec![on_found(true, false), matches(4)]),
            Term::Or(vec![matches(4), is_one(guarded(3))]),
            Term::If(Box::new(is_false.clone()), Box::new(is_one(guarded(3))), Box::new(is_false.clone())),
            Term::Let {
                slot: 3,
                value: Box::new(Term::Lit(Value::str("a"))),
                body: Box::new(is_one(guarded(3))),
            },
        ] {
            assert_eq!(strengthened(term.clone()), term);
        }
    }
}
