//! The tests of strings without which a condition can't be true, found by following its branches.
//!
//! Each branch that leads to `true` needs the tests on its way. What all such branches need, the condition needs. A name that
//! is bound in the condition stands for its value, so that the constructor which a `match` asks for leads to the test that made it.
//! What is asked of a string that was made of another one (`s.trim() == "x"`) is asked of that one, as a regular expression.

use std::cell::Cell;
use std::rc::Rc;

use target_strategies::logic::ir::{CompareOp, Regex, Term, TextOp, visit};
use target_strategies::logic::value::Value;

use super::digits;
use super::is_test;
use super::regex_text::{as_part, ordered, with_part};
use super::wanted::{Range, Text, Wanted, constant, equal_to};
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
    /// The string or the sequence at a path has such a length.
    Len(Term, Range),
}

/// The tests that a condition needs.
pub(super) fn tests(condition: &Term, regexes: &[Regex]) -> Vec<Test> {
    let search = Search { n_left: Cell::new(MOST_TERMS), regexes };
    // A condition that is never true needs everything. That is found elsewhere.
    search.needed(condition, &Wanted::Bool(true), None).unwrap_or_default()
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
pub(super) const UNKNOWN: Needed = Some(Vec::new());

impl Search<'_> {
    /// What a term needs to have a value.
    pub(super) fn needed(&self, term: &Term, wanted: &Wanted, names: Names<'_>) -> Needed {
        let Some(n_left) = self.n_left.get().checked_sub(1) else { return UNKNOWN };
        self.n_left.set(n_left);
        match term {
            Term::If(test, then, otherwise) => {
                if let Some((text, regex)) = parsed(test, then, otherwise, wanted) {
                    return match regex {
                        Some(regex) => self.needed(text, &Wanted::text(regex), names),
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
                self.needed(body, wanted, Some(&Bound { slot: *slot, value, outer: names }))
            }
            Term::Undefined => None,
            Term::Lit(value) => of_value(value, wanted),
            term if is_path(term) && is_outside(term, names) => Some(of_path(term, wanted)),
            Term::Var(slot) => match value_of(*slot, names) {
                Some((value, outer)) => self.needed(value, wanted, outer),
                None => UNKNOWN,
            },
            _ => self.of_part(term, wanted, names),
        }
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
                    None => UNKNOWN,
                },
                at if is_last(at, of) => part(Wanted::Last(Rc::new(wanted.clone())), of),
                _ => UNKNOWN,
            },
            (Term::Len(of), Wanted::Number(range)) => part(Wanted::Len(*range), of),
            (Term::Tuple(parts), Wanted::Component(at, wanted)) => match parts.get(*at as usize) {
                Some(of) => self.needed(of, wanted, names),
                None => UNKNOWN,
            },
            (Term::Construct(_, ctor, fields), Wanted::Field(of, index, wanted)) => {
                match fields.get(*index as usize) {
                    _ if ctor != of => None,
                    Some(of) => self.needed(of, wanted, names),
                    None => UNKNOWN,
                }
            }
            (Term::Construct(_, ctor, _), Wanted::Ctor(wanted)) => (ctor == wanted).then(Vec::new),
            (Term::Construct(_, ctor, _), Wanted::OtherThan(other)) => (ctor != other).then(Vec::new),
            (Term::Seq(parts), Wanted::Element(at, wanted)) => match parts.get(*at) {
                Some(of) => self.needed(of, wanted, names),
                None => None,
            },
            (Term::TextOp(op, operands), _) => self.of_operation(*op, operands, wanted, names),
            (_, Wanted::Bool(wanted)) => self.of_bool(term, *wanted, names),
            _ => UNKNOWN,
        }
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
                    self.either(of_parts)
                }
            }
            Term::Equal(a, b) if wanted => Some(with_all(self.equal(a, b, names)?, self.equal(b, a, names)?)),
            Term::Equal(len, zero) if matches!(**len, Term::Len(_)) && **zero == Term::Lit(Value::int(0)) => {
                self.needed(len, &Wanted::Number((1, i128::MAX)), names)
            }
            Term::Compare(op, a, b) => {
                // `!(a < b)` is `b <= a`.
                let (a, b) = if wanted { (a, b) } else { (b, a) };
                let is_strict = (*op == CompareOp::Lt) == wanted;
                let of_less = self.compared(a, b, true, is_strict, names)?;
                Some(with_all(of_less, self.compared(b, a, false, is_strict, names)?))
            }
            Term::All(over, each) if wanted => self.of_pieces(over, each, true, names),
            Term::Any(over, each) if wanted => self.of_pieces(over, each, false, names),
            term if wanted && is_test(term) && is_outside(term, names) => {
                Some(vec![Test::Written(term.clone())])
            }
            Term::Matches(id, Regex::START, of) if wanted => match self.regexes.get(id.0 as usize) {
                Some(regex) => self.needed(of, &Wanted::text(as_part(&regex.text)?), names),
                None => UNKNOWN,
            },
            Term::StrTest(test, of, part) if wanted => self.of_search(*test, of, part, names),
            _ => UNKNOWN,
        }
    }

    /// What all of those need that are possible. Of two expressions for a string, a branch needs one.
    fn either(&self, all: impl IntoIterator<Item = Needed>) -> Needed {
        all.into_iter().flatten().reduce(|known, other| {
            let mut both: Vec<Test> = known.iter().filter(|test| other.contains(test)).cloned().collect();
            for test in known.iter().filter(|test| !other.contains(test)) {
                let Some((path, a)) = self.expression(test) else { continue };
                let others = other.iter().filter(|test| !known.contains(test));
                let of_path = others.filter_map(|test| self.expression(test)).filter(|found| found.0 == path);
                let both_ways = of_path.filter(|(_, b)| a.len() + b.len() < MOST_TEXT).take(MOST_PAIRS);
                both.extend(
                    both_ways.map(|(_, b)| Test::Matches(path.clone(), format!("(?:{a}|{b})").into())),
                );
            }
            both.truncate(MOST_TESTS);
            both
        })
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
            Test::Written(_) | Test::Len(..) => None,
        }
    }

    /// What a term needs to equal another one.
    fn equal(&self, term: &Term, other: &Term, names: Names<'_>) -> Needed {
        let mut known = Vec::new();
        for wanted in equal_to(other) {
            known = with_all(known, self.needed(term, &wanted, names)?);
        }
        Some(known)
    }

    /// What a term needs to be less, or greater, than another one.
    fn compared(&self, term: &Term, than: &Term, is_less: bool, is_strict: bool, names: Names<'_>) -> Needed {
        let wanted = match constant(than) {
            Some(Value::Int(n)) => match n.to_i128() {
                Some(n) => Wanted::Number(beyond(n, is_less, is_strict)),
                None => return UNKNOWN,
            },
            Some(Value::Str(text)) => Wanted::text(ordered(&text, is_less, !is_strict)),
            _ => return UNKNOWN,
        };
        self.needed(term, &wanted, names)
    }
}

/// The text that is a number within bounds, if a branch has the number and the others have none; and an expression of such
/// texts, if there are any: `if text.matches(..) { Ok(text.parse()) } else { Err(..) }`.
fn parsed<'t>(
    test: &'t Term,
    then: &Term,
    otherwise: &Term,
    wanted: &Wanted,
) -> Option<(&'t Term, Option<String>)> {
    let Term::Matches(_, Regex::START, text) = test else { return None };
    let (number, range) = match (then, otherwise, wanted) {
        (Term::Construct(_, 0, fields), Term::Construct(_, 1, _), Wanted::Field(0, 0, wanted)) => {
            let Wanted::Number(range) = &**wanted else { return None };
            (fields.first()?, range)
        }
        (number, Term::Undefined, Wanted::Number(range)) => (number, range),
        _ => return None,
    };
    let Term::TextOp(TextOp::Parse(kind), operands) = number else { return None };
    let [of] = operands.as_slice() else { return None };
    (of == &**text).then(|| (&**text, digits::numbers(*range, *kind)))
}

/// The numbers less, or greater, than one.
fn beyond(n: i128, is_less: bool, is_strict: bool) -> Range {
    let step = i128::from(is_strict);
    if is_less { (i128::MIN, n.saturating_sub(step)) } else { (n.saturating_add(step), i128::MAX) }
}

/// What a constant needs: nothing, if it has the value.
fn of_value(value: &Value, wanted: &Wanted) -> Needed {
    let has_value = match (wanted, value) {
        (Wanted::Bool(wanted), Value::Bool(value)) => wanted == value,
        (Wanted::Number((least, most)), Value::Int(n)) => {
            n.to_i128().is_none_or(|n| *least <= n && n <= *most)
        }
        (Wanted::Ctor(wanted), Value::Data(ctor, _)) => wanted == ctor,
        (Wanted::OtherThan(other), Value::Data(ctor, _)) => other != ctor,
        (Wanted::Text(text), Value::Str(value)) => match text {
            Text::Exactly(text) => **text == **value,
            Text::Matching(_) => !value.is_empty() || text.may_be_empty(),
        },
        (Wanted::Len((least, most)), Value::Str(value)) => {
            *least <= value.len() as i128 && value.len() as i128 <= *most
        }
        _ => true,
    };
    has_value.then(Vec::new)
}

/// What a string at a path needs.
fn of_path(path: &Term, wanted: &Wanted) -> Vec<Test> {
    match wanted {
        Wanted::Len(range) => vec![Test::Len(path.clone(), *range)],
        Wanted::Text(text) => {
            let item = text.item();
            let regex = if item.len() <= MOST_TEXT { item } else { return Vec::new() };
            vec![Test::Matches(path.clone(), regex.into())]
        }
        Wanted::Bool(_)
        | Wanted::Ctor(_)
        | Wanted::OtherThan(_)
        | Wanted::Number(_)
        | Wanted::Component(..)
        | Wanted::Field(..)
        | Wanted::Element(..)
        | Wanted::Last(_) => Vec::new(),
    }
}

/// Whether a term is the index of the last element of a sequence.
fn is_last(at: &Term, of: &Term) -> bool {
    use target_strategies::logic::ir::ArithOp::Sub;
    let Term::Arith(Sub, len, one) = at else { return false };
    matches!(&**len, Term::Len(counted) if **counted == *of) && **one == Term::Lit(Value::int(1))
}

/// The value of a name that is bound in the condition, and the names around it.
pub(super) fn value_of<'b>(slot: u32, names: Names<'b>) -> Option<(&'b Term, Names<'b>)> {
    named(slot, names).map(|named| (named.value, named.outer))
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

/// Whether a term reads no slot that is bound inside the condition.
fn is_outside(term: &Term, names: Names<'_>) -> bool {
    let mut is_outside = true;
    visit(term, &mut |part| is_outside &= !matches!(part, Term::Var(slot) if named(*slot, names).is_some()));
    is_outside
}

/// What is needed if both are.
pub(super) fn with_all(mut known: Vec<Test>, more: Vec<Test>) -> Vec<Test> {
    for test in more {
        if !known.contains(&test) {
            known.push(test);
        }
    }
    known
}
