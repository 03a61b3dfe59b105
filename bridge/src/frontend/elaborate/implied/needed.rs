//! The tests of strings without which a condition can't be true, found by following its branches.
//!
//! Each branch that leads to `true` needs the tests on its way. What all such branches need, the condition needs. A name that
//! is bound in the condition stands for its value, so that the constructor which a `match` asks for leads to the test that made it.
//! What is asked of a string that was made of another one (`s.trim() == "x"`) is asked of that one, as a regular expression.

use std::cell::Cell;
use std::rc::Rc;

use regex_syntax::hir::ClassUnicode;
use target_strategies::logic::ir::{ArithOp, CompareOp, Regex, Term, TextOp, visit};
use target_strategies::logic::value::Value;

use super::class;
use super::defined::{if_total, is_defined, others};
use super::digits;
use super::range::Range;
use super::regex_text::{ANY, as_part, ordered, with_part};
use super::wanted::{Parts, Text, Wanted, constant, equal_to, is_said, split_at_each};
use crate::frontend::elaborate::build::is_path;

/// Maximum number of terms that are looked at: names that are used twice may double the work again and again.
const MOST_TERMS: u32 = 10_000;

/// Maximum number of expressions of another branch that each one is joined with.
const MOST_PAIRS: usize = 3;

/// Maximum number of tests that two branches have in common.
const MOST_TESTS: usize = 8;

/// Maximum length of a regular expression that is put together.
const MOST_TEXT: usize = 4_000;

/// A test that a condition needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// A test that is a part of the condition.
    Written(Term),
    /// The string at a path matches a regular expression.
    Matches(Term, Rc<str>),
    /// The character at a path belongs to a class.
    Char(Term, Rc<ClassUnicode>),
    /// The string or the sequence at a path has such a length.
    Len(Term, Range),
    /// Something else that is not said: the other tests may hold although the condition doesn't.
    Unsaid,
}

/// The tests that a condition needs.
pub(super) fn tests(condition: &Term, regexes: &[Regex]) -> Vec<Test> {
    let search = Search { n_left: Cell::new(MOST_TERMS), regexes };
    // A condition that is never true needs everything. That is found elsewhere.
    search.needed(condition, &Wanted::Bool(true), None).unwrap_or_default()
}

/// The tests that hold exactly if a condition does; `None` if there may be none.
pub(super) fn exact_tests(condition: &Term, regexes: &[Regex]) -> Option<Vec<Test>> {
    let search = Search { n_left: Cell::new(MOST_TERMS), regexes };
    let tests = search.needed(condition, &Wanted::Bool(true), None)?;
    (!tests.contains(&Test::Unsaid)).then_some(tests)
}

/// A name that is bound around a term, and the names around its value.
#[derive(Clone, Copy)]
pub(super) struct Bound<'t> {
    slot: u32,
    value: &'t Term,
    outer: Option<&'t Bound<'t>>,
}

pub(super) struct Search<'r> {
    n_left: Cell<u32>,
    pub(super) regexes: &'r [Regex],
}

/// The names around a term.
pub(super) type Names<'b> = Option<&'b Bound<'b>>;

/// What a term needs; `None` if it never has the value.
pub(super) type Needed = Option<Vec<Test>>;

/// What a term needs of which nothing is known.
pub(super) fn unknown() -> Needed {
    Some(vec![Test::Unsaid])
}

impl Search<'_> {
    /// What a term needs to have a value.
    pub(super) fn needed(&self, term: &Term, wanted: &Wanted, names: Names<'_>) -> Needed {
        let Some(n_left) = self.n_left.get().checked_sub(1) else { return unknown() };
        self.n_left.set(n_left);
        match term {
            Term::If(test, then, otherwise) => {
                if let Some((text, regex)) = digits::parsed(test, then, otherwise, wanted) {
                    return match regex {
                        Some(regex) => {
                            let is_exact = regex != ANY;
                            self.expressed(text, regex, is_exact, names)
                        }
                        None => None,
                    };
                }
                let branch = |value, term: &Term| {
                    let of_test = self.needed(test, &Wanted::Bool(value), names)?;
                    Some(with_all(of_test, self.needed(term, wanted, names)?))
                };
                self.either([branch(true, then), branch(false, otherwise)])
            }
            Term::Let { slot, value, body } => {
                self.with_name(*slot, value, names, |names| self.needed(body, wanted, names))
            }
            Term::Undefined => None,
            Term::Lit(value) => of_value(value, wanted),
            term if is_path(term) && is_outside(term, &|slot| named(slot, names).is_some()) => {
                Some(of_path(term, wanted))
            }
            Term::Var(slot) => match value_of(*slot, names) {
                Some((value, outer)) => self.needed(value, wanted, outer),
                None => unknown(),
            },
            _ => self.of_part(term, wanted, names),
        }
    }

    /// What is needed where a name has a value.
    pub(super) fn with_name(
        &self,
        slot: u32,
        value: &Term,
        names: Names<'_>,
        needed: impl FnOnce(Names<'_>) -> Needed,
    ) -> Needed {
        let of_body = needed(Some(&Bound { slot, value, outer: names }));
        self.if_defined([value], of_body, names)
    }

    /// What the parts of a term need.
    fn of_part(&self, term: &Term, wanted: &Wanted, names: Names<'_>) -> Needed {
        let part = |wanted: Wanted, of: &Term| self.needed(of, &wanted, names);
        match (term, wanted) {
            (Term::Project(of, at), _) => part(Wanted::Component(*at, Rc::new(wanted.clone())), of),
            (Term::Field { of, ctor, index }, _) => {
                part(Wanted::Field(*ctor, *index, Rc::new(wanted.clone())), of)
            }
            (Term::Index(of, at), _) => match &**at {
                Term::Lit(Value::Int(at)) => match at.to_usize() {
                    Some(at) => part(Wanted::Element(at, Rc::new(wanted.clone())), of),
                    None => unknown(),
                },
                at if is_last(at, of) => part(Wanted::Last(Rc::new(wanted.clone())), of),
                _ => unknown(),
            },
            (Term::Len(of), Wanted::Number(range)) => match split_at_each(of) {
                // There is one piece more than separators.
                Some(split) => match range.shifted(1) {
                    Some(range) => part(Wanted::Len(range), &split),
                    None => unknown(),
                },
                None => part(Wanted::Len(*range), of),
            },
            (Term::Arith(ArithOp::Add, a, b), Wanted::Number(range)) => self.of_sum(a, b, *range, names),
            (Term::Tuple(parts), Wanted::Component(at, wanted)) => match parts.get(*at as usize) {
                Some(of) => {
                    self.if_defined(others(parts, *at as usize), self.needed(of, wanted, names), names)
                }
                None => unknown(),
            },
            (Term::Construct(_, ctor, fields), Wanted::Field(of, index, wanted)) => {
                match fields.get(*index as usize) {
                    _ if ctor != of => None,
                    Some(of) => {
                        let needed = self.needed(of, wanted, names);
                        self.if_defined(others(fields, *index as usize), needed, names)
                    }
                    None => unknown(),
                }
            }
            (Term::Construct(_, ctor, fields), Wanted::Ctor(wanted)) => {
                self.if_defined(fields, (ctor == wanted).then(Vec::new), names)
            }
            (Term::Construct(_, ctor, fields), Wanted::OtherThan(other)) => {
                self.if_defined(fields, (ctor != other).then(Vec::new), names)
            }
            (Term::Seq(parts), Wanted::Element(at, wanted)) => match parts.get(*at) {
                Some(of) => self.if_defined(others(parts, *at), self.needed(of, wanted, names), names),
                None => None,
            },
            (Term::TextOp(op, operands), _) => self.of_operation(*op, operands, wanted, names),
            (Term::Reverse(of), Wanted::Element(0, wanted)) => part(Wanted::Last(Rc::clone(wanted)), of),
            (_, Wanted::Bool(wanted)) => self.of_bool(term, *wanted, names),
            _ => self.of_made_of_chars(term, wanted, names),
        }
    }

    /// What is needed, if some other terms must have values, too.
    fn if_defined<'t>(
        &self,
        terms: impl IntoIterator<Item = &'t Term>,
        needed: Needed,
        names: Names<'_>,
    ) -> Needed {
        let mut known = needed?;
        for term in terms {
            let more = match term {
                term if is_defined(term) => continue,
                Term::Index(of, at) if is_defined(of) => match &**at {
                    Term::Lit(Value::Int(at)) => match at.to_i128().filter(|at| 0 <= *at) {
                        Some(at) => {
                            let range = Range::at_least(at.saturating_add(1));
                            self.needed(of, &Wanted::Len(range), names)?
                        }
                        None => vec![Test::Unsaid],
                    },
                    at if is_last(at, of) => self.needed(of, &Wanted::Len(Range::at_least(1)), names)?,
                    _ => vec![Test::Unsaid],
                },
                Term::Field { of, ctor, .. } if is_defined(of) => {
                    self.needed(of, &Wanted::Ctor(*ctor), names)?
                }
                Term::Equal(a, b) | Term::Compare(_, a, b) => {
                    self.if_defined([&**a, &**b], Some(Vec::new()), names)?
                }
                // A slice needs its bounds to be there, whatever it is.
                Term::TextOp(TextOp::Slice, _) => self.needed(term, &Wanted::text(ANY.to_owned()), names)?,
                _ => vec![Test::Unsaid],
            };
            known = with_all(known, more);
        }
        Some(known)
    }

    fn of_bool(&self, term: &Term, wanted: bool, names: Names<'_>) -> Needed {
        match term {
            Term::Not(of) => self.needed(of, &Wanted::Bool(!wanted), names),
            Term::IsCtor(of, ctor) => {
                let wanted = if wanted { Wanted::Ctor(*ctor) } else { Wanted::OtherThan(*ctor) };
                self.needed(of, &wanted, names)
            }
            Term::And(parts) | Term::Or(parts) => {
                let mut of_parts = parts.iter().map(|part| self.needed(part, &Wanted::Bool(wanted), names));
                if matches!(term, Term::And(_)) == wanted {
                    of_parts.try_fold(Vec::new(), |known, more| Some(with_all(known, more?)))
                } else {
                    // A part before the last one that is undefined makes the condition undefined.
                    let (first, between) = match parts.as_slice() {
                        [first, between @ .., _] => (Some(first), between),
                        [] | [_] => (None, &[][..]),
                    };
                    // Only the first part is looked at in any case.
                    self.if_defined(first, if_total(between, self.either(of_parts)), names)
                }
            }
            Term::Equal(a, b) if wanted => match (constant(a), constant(b)) {
                (_, Some(_)) => self.equal(a, b, names),
                (Some(_), None) => self.equal(b, a, names),
                (None, None) => Some(with_all(self.equal(a, b, names)?, self.equal(b, a, names)?)),
            },
            Term::Equal(len, zero) if matches!(**len, Term::Len(_)) && **zero == Term::Lit(Value::int(0)) => {
                self.needed(len, &Wanted::Number(Range::at_least(1)), names)
            }
            Term::Compare(op, a, b) => {
                // `!(a < b)` is `b <= a`.
                let (a, b) = if wanted { (a, b) } else { (b, a) };
                let is_strict = (*op == CompareOp::Lt) == wanted;
                match constant(b) {
                    Some(than) => self.compared(a, &than, true, is_strict, names),
                    None => match constant(a) {
                        Some(than) => self.compared(b, &than, false, is_strict, names),
                        None => unknown(),
                    },
                }
            }
            Term::All(over, each) => self.of_pieces(over, each, Parts::all(wanted), names),
            Term::Any(over, each) => self.of_pieces(over, each, Parts::any(wanted), names),
            term if wanted && is_test(term) && is_outside(term, &|slot| named(slot, names).is_some()) => {
                Some(vec![Test::Written(term.clone())])
            }
            Term::Matches(id, Regex::START, of) if wanted => match self.regexes.get(id.0 as usize) {
                Some(regex) => match as_part(&regex.text) {
                    Some(text) => self.needed(of, &Wanted::text(text), names),
                    None => unknown(),
                },
                None => unknown(),
            },
            Term::StrTest(test, of, part) if wanted => self.of_search(*test, of, part, names),
            _ => self.of_char_test(term, wanted, names),
        }
    }

    /// What all of those need that are possible. Of two expressions for a string, a branch needs one.
    fn either(&self, all: impl IntoIterator<Item = Needed>) -> Needed {
        all.into_iter().flatten().reduce(|known, other| {
            let is_in_both = |test: &&Test| **test != Test::Unsaid && other.contains(test);
            let mut both: Vec<Test> = known.iter().filter(is_in_both).cloned().collect();
            let only = |of: &[Test], in_other: &[Test]| -> Vec<Test> {
                let tests = of.iter().filter(|test| **test != Test::Unsaid && !in_other.contains(test));
                tests.cloned().collect()
            };
            let (only_known, only_other) = (only(&known, &other), only(&other, &known));
            let mut is_exact = !known.contains(&Test::Unsaid) && !other.contains(&Test::Unsaid);
            for test in &only_known {
                // `(a && b) || c` is `(a || c) && (b || c)`.
                let n_before = both.len();
                both.extend(
                    only_other.iter().filter_map(|other| self.either_test(test, other)).take(MOST_PAIRS),
                );
                is_exact &= both.len() - n_before == only_other.len();
            }
            is_exact &= both.len() <= MOST_TESTS;
            both.truncate(MOST_TESTS);
            both.extend((!is_exact).then_some(Test::Unsaid));
            both
        })
    }

    /// The test that one of two says; `None` if they aren't about the same value, or that is too long.
    fn either_test(&self, a: &Test, b: &Test) -> Option<Test> {
        if let (Test::Char(path, a), Test::Char(of, b)) = (a, b) {
            return (path == of).then(|| Test::Char(path.clone(), Rc::new(class::with(a, b))));
        }
        let ((path, a), (of, b)) = (self.expression(a)?, self.expression(b)?);
        let is_short = a.len() + b.len() < MOST_TEXT;
        (path == of && is_short).then(|| Test::Matches(path.clone(), format!("(?:{a}|{b})").into()))
    }

    /// What a term needs to match an expression, which says all that is asked of it or not.
    pub(super) fn expressed(&self, of: &Term, regex: String, is_exact: bool, names: Names<'_>) -> Needed {
        if regex.len() > MOST_TEXT {
            return unknown();
        }
        let known = self.needed(of, &Wanted::text(regex), names)?;
        Some(if is_exact { known } else { with_all(known, vec![Test::Unsaid]) })
    }

    /// The path of a string, and what a test asks of it as an expression.
    pub(super) fn expression<'t>(&self, test: &'t Test) -> Option<(&'t Term, Rc<str>)> {
        match test {
            Test::Matches(path, regex) => Some((path, Rc::clone(regex))),
            Test::Written(Term::Matches(id, Regex::START, path)) => {
                let regex = self.regexes.get(id.0 as usize)?;
                Some((path, format!("(?:{})", as_part(&regex.text)?).into()))
            }
            Test::Written(Term::StrTest(test, path, part)) => {
                let Term::Lit(Value::Str(part)) = &**part else { return None };
                Some((path, with_part(*test, part).into()))
            }
            Test::Written(_) | Test::Char(..) | Test::Len(..) | Test::Unsaid => None,
        }
    }

    /// What a term needs to equal another one.
    fn equal(&self, term: &Term, other: &Term, names: Names<'_>) -> Needed {
        let mut known = Vec::new();
        for wanted in equal_to(other) {
            known = with_all(known, self.needed(term, &wanted, names)?);
        }
        let is_exact = constant(other).is_some_and(|value| is_said(&value));
        Some(if is_exact { known } else { with_all(known, vec![Test::Unsaid]) })
    }

    /// What a term needs to be less, or greater, than another one.
    fn compared(
        &self,
        term: &Term,
        than: &Value,
        is_less: bool,
        is_strict: bool,
        names: Names<'_>,
    ) -> Needed {
        let wanted = match than {
            Value::Int(n) => match n.to_i128().and_then(|n| Range::beyond(n, is_less, is_strict)) {
                Some(range) => Wanted::Number(range),
                None => return unknown(),
            },
            Value::Str(text) => Wanted::text(ordered(text, is_less, !is_strict)),
            Value::Char(c) => {
                let all = if is_less { class::between('\0', *c) } else { class::between(*c, char::MAX) };
                let class = if is_strict { class::without(&all, &class::of([*c])) } else { all };
                Wanted::Char(Rc::new(class))
            }
            _ => return unknown(),
        };
        self.needed(term, &wanted, names)
    }
}

/// What a constant needs: nothing, if it has the value.
fn of_value(value: &Value, wanted: &Wanted) -> Needed {
    let has_value = match (wanted, value) {
        (Wanted::Bool(wanted), Value::Bool(value)) => wanted == value,
        (Wanted::Number(range), Value::Int(n)) => match n.to_i128() {
            Some(n) => range.contains(n),
            None => return unknown(),
        },
        (Wanted::Char(class), Value::Char(c)) => class::has(class, *c),
        (Wanted::Ctor(wanted), Value::Data(ctor, _)) => wanted == ctor,
        (Wanted::OtherThan(other), Value::Data(ctor, _)) => other != ctor,
        (Wanted::Text(Text::Exactly(text)), Value::Str(value)) => **text == **value,
        (Wanted::Text(text), Value::Str(value)) if value.is_empty() && !text.may_be_empty() => false,
        (Wanted::Len(range), Value::Str(value)) => range.contains(value.len() as i128),
        _ => return unknown(),
    };
    has_value.then(Vec::new)
}

/// What a string at a path needs.
fn of_path(path: &Term, wanted: &Wanted) -> Vec<Test> {
    match wanted {
        Wanted::Len(range) => vec![Test::Len(path.clone(), *range)],
        Wanted::Char(class) => vec![Test::Char(path.clone(), Rc::clone(class))],
        Wanted::Text(Text::Matching(regex)) if **regex == *ANY => Vec::new(),
        Wanted::Text(text) => {
            let item = text.item();
            let regex = if item.len() <= MOST_TEXT { item } else { return vec![Test::Unsaid] };
            vec![Test::Matches(path.clone(), regex.into())]
        }
        Wanted::Bool(_)
        | Wanted::Ctor(_)
        | Wanted::OtherThan(_)
        | Wanted::Number(_)
        | Wanted::Component(..)
        | Wanted::Field(..)
        | Wanted::Element(..)
        | Wanted::Last(_) => vec![Test::Unsaid],
    }
}

/// Whether a term is the index of the last element of a sequence.
fn is_last(at: &Term, of: &Term) -> bool {
    use target_strategies::logic::ir::ArithOp::Sub;
    let Term::Arith(Sub, len, one) = at else { return false };
    matches!(&**len, Term::Len(counted) if **counted == *of) && **one == Term::Lit(Value::int(1))
}

/// The value of a name that is bound in the condition, and the names around it.
fn value_of<'b>(slot: u32, names: Names<'b>) -> Option<(&'b Term, Names<'b>)> {
    named(slot, names).map(|named| (named.value, named.outer))
}

/// The term that a name stands for, and the names around it.
pub(super) fn resolved<'b>(mut term: &'b Term, mut names: Names<'b>) -> (&'b Term, Names<'b>) {
    while let Term::Var(slot) = term
        && let Some((value, outer)) = value_of(*slot, names)
    {
        (term, names) = (value, outer);
    }
    (term, names)
}

/// The innermost binding of a slot.
fn named<'b>(slot: u32, mut names: Names<'b>) -> Names<'b> {
    while let Some(inner) = names
        && inner.slot != slot
    {
        names = inner.outer;
    }
    names
}

/// Whether a term reads only slots that are filled around the clause, and none that is bound inside it.
pub(super) fn is_outside(term: &Term, is_bound: &dyn Fn(u32) -> bool) -> bool {
    let mut is_outside = true;
    visit(term, &mut |part| is_outside &= !matches!(part, Term::Var(slot) if is_bound(*slot)));
    is_outside
}

/// What is needed if both are.
pub(super) fn with_all(mut known: Vec<Test>, more: Vec<Test>) -> Vec<Test> {
    for test in more {
        if let Test::Char(path, class) = &test
            && let Some(Test::Char(_, before)) =
                known.iter_mut().find(|known| matches!(known, Test::Char(of, _) if of == path))
        {
            *before = Rc::new(class::within(before, class));
        } else if !known.contains(&test) {
            known.push(test);
        }
    }
    known
}

/// Whether a term is a test of a string that generators understand.
pub(super) fn is_test(term: &Term) -> bool {
    match term {
        Term::Matches(_, _, text) | Term::StrTest(_, text, _) => is_path(text),
        _ => false,
    }
}
