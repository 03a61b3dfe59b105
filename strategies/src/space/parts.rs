//! The parts that every input of a spec has, and the values or lengths that the spec allows for them.
//!
//! For `fn(year: i32, d: Day, xs: Vec<u8>)` with `Day = "{v: u8 | 1 <= v && v <= 31}"` these are `d`, which has 31
//! values, and `xs`, whose length has no limit. `year` has too many values to list. Parts of lists, and of enums whose
//! variants have fields, are not listed: an input may have none of them, or many.

use std::collections::BTreeSet;

use super::constraint::facts_of;
use super::domain::{LeafSort, all_codes};
use super::facts::{Facts, Step, float_of_code};
use super::interval::IntervalSet;
use super::judge;
use super::node::is_plain_enum;
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, Ctor, Refined, SeqKind, Sort, Spec, Term, visit};
use crate::logic::value::Value;

/// Maximum number of values of a part that are listed.
pub const MAX_VALUES: u64 = 256;

/// Maximum distance between the greatest and the least of these values.
const MAX_SPAN: i64 = 1024;

/// Maximum number of parts. They are read in every case of a run.
const MAX_PARTS: usize = 64;

/// Maximum nesting of a part.
const MAX_DEPTH: usize = 4;

/// A part that every input has.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name: a parameter's, and those of the fields on the way.
    pub name: String,
    /// The index of the parameter, and those of the fields on the way.
    pub path: Vec<u32>,
    /// What the spec allows.
    pub allowed: Allowed,
}

/// What a spec allows for a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Allowed {
    /// A scalar with one of these values, ascending: at least two. See [`super::code`].
    Values {
        /// Their codes.
        codes: Vec<i64>,
        /// Whether each of them occurs in some valid input. Otherwise, other conditions may exclude some.
        is_exact: bool,
    },
    /// A list, string or collection.
    Lengths {
        /// Number of elements (of a string: bytes) that the conditions on it alone allow, if they limit it.
        most: Option<u64>,
        /// Whether it is a string.
        is_text: bool,
    },
}

/// The parts of a spec's inputs, in order. Parts with more than 256 values are missing, and so are parts beyond the
/// 64th.
pub fn parts(spec: &Spec) -> Vec<Part> {
    let own = spec.value_slot();
    let required = spec
        .requires
        .iter()
        .fold(Facts::any(), |facts, clause| facts.and(facts_of(&clause.term, 0..own, own, &spec.functions)));
    let mut finder = Finder { spec, own, related: related(spec), found: Vec::new() };
    for (slot, param) in (0..own).zip(&spec.params) {
        let place = Place {
            name: param.name.clone(),
            path: vec![slot],
            facts: required.part(Step::Project(slot)),
            is_free: !finder.related.contains(&slot),
        };
        finder.walk(&param.refined, place);
    }
    finder.found.truncate(MAX_PARTS);
    finder.found
}

/// The slots of parameters and fields that conditions on other values, or on several values, read.
fn related(spec: &Spec) -> BTreeSet<u32> {
    let mut clauses = Vec::new();
    spec.params.iter().for_each(|param| param.refined.clauses_inside(&mut clauses));
    let fields = spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
    fields.for_each(|field| field.refined.clauses_inside(&mut clauses));
    clauses.extend(&spec.requires);
    let mut slots = BTreeSet::new();
    for clause in clauses {
        visit(&clause.term, &mut |term| {
            if let Term::Var(slot) = term {
                slots.insert(*slot);
            }
        });
    }
    slots.remove(&spec.value_slot());
    slots
}

/// A part on the way.
struct Place {
    name: String,
    path: Vec<u32>,
    facts: Facts,
    /// Whether no condition but its own reads it.
    is_free: bool,
}

struct Finder<'s> {
    spec: &'s Spec,
    own: u32,
    related: BTreeSet<u32>,
    found: Vec<Part>,
}

impl Finder<'_> {
    fn walk(&mut self, refined: &Refined, place: Place) {
        if self.found.len() >= MAX_PARTS || place.path.len() > MAX_DEPTH {
            return;
        }
        let facts = refined.clauses.iter().fold(place.facts, |facts, clause| {
            let own = facts_of(&clause.term, std::iter::once(self.own), self.own, &self.spec.functions);
            if own.never { Facts::never() } else { facts.and(own.part(Step::Project(self.own))) }
        });
        if facts.never {
            return;
        }
        let place = Place { facts, ..place };
        match &refined.sort {
            Sort::Bool => self.scalar(refined, LeafSort::Bool, place),
            Sort::Char => self.scalar(refined, LeafSort::Char, place),
            Sort::Int(kind) => self.scalar(refined, LeafSort::Int(*kind), place),
            // Other conditions on a string may limit its length, too.
            Sort::Str(_) if refined.clauses.is_empty() => self.list(place, true),
            Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque) => self.list(place, false),
            // The number of possible elements limits the size.
            Sort::Str(_) | Sort::Seq(_, SeqKind::Array(_)) | Sort::Set(..) | Sort::Map(..) => {}
            // A run may ask for few of the results.
            Sort::Seq(_, SeqKind::Answers(_)) => {}
            Sort::Tuple(parts) => {
                for (index, part) in (0..).zip(parts) {
                    let is_free = place.is_free && refined.clauses.is_empty();
                    self.walk(part, place.part(&index.to_string(), (index, Step::Project(index)), is_free));
                }
            }
            Sort::Data(id) if is_plain_enum(self.spec.data(*id)) => {
                let ctors = &self.spec.data(*id).ctors;
                let included = |set: IntervalSet, (index, _): (u32, &Ctor)| {
                    set.union(&IntervalSet::point(Int::from(index)))
                };
                let codes = (0_u32..).zip(ctors).filter(|(_, ctor)| !ctor.excluded);
                let codes = Facts::codes(codes.fold(IntervalSet::none(), included));
                let facts = place.facts.clone().and(codes);
                self.scalar(refined, LeafSort::Enum(ctors.len() as u32), Place { facts, ..place });
            }
            Sort::Data(id) => {
                let data = self.spec.data(*id);
                let [ctor] = &data.ctors[..] else { return };
                for (index, field) in (0..).zip(&ctor.fields) {
                    let is_read = field.slot.is_some_and(|slot| self.related.contains(&slot));
                    // The function that builds a value may reject its arguments.
                    let is_free =
                        place.is_free && refined.clauses.is_empty() && !is_read && data.via.is_none();
                    let place = place.part(&field.name, (index, Step::Field(0, index)), is_free);
                    self.walk(&field.refined, place);
                }
            }
            Sort::Float(_) | Sort::Opaque(_) => {}
        }
    }

    fn scalar(&mut self, refined: &Refined, sort: LeafSort, place: Place) {
        let possible = place.facts.codes.intersect(&all_codes(sort));
        if possible.count_up_to(MAX_VALUES).is_none() {
            return;
        }
        let ends = |(low, high): &(Option<Int>, Option<Int>)| {
            Some((low.as_ref()?.to_i64()?, high.as_ref()?.to_i64()?))
        };
        let Some(spans) = possible.spans().iter().map(ends).collect::<Option<Vec<_>>>() else { return };
        // Conditions that take long to judge are left out.
        let (judged, left): (Vec<_>, Vec<_>) =
            refined.clauses.iter().partition(|clause| self.is_alone(&clause.term) && is_cheap(&clause.term));
        let admits = |code: &i64| {
            let value = value_of(sort, *code);
            judged.iter().all(|clause| judge::admits(&clause.term, self.own, &value))
        };
        let codes: Vec<i64> = spans.into_iter().flat_map(|(low, high)| low..=high).filter(admits).collect();
        if let [first, .., last] = codes[..]
            && last.checked_sub(first).is_some_and(|span| span < MAX_SPAN)
        {
            let is_exact = place.is_free && left.is_empty();
            let allowed = Allowed::Values { codes, is_exact };
            self.found.push(Part { name: place.name, path: place.path, allowed });
        }
    }

    fn list(&mut self, place: Place, is_text: bool) {
        let most = place.facts.len.spans().last().and_then(|(_, high)| high.as_ref()?.to_u64());
        let allowed = Allowed::Lengths { most, is_text };
        self.found.push(Part { name: place.name, path: place.path, allowed });
    }

    /// Whether a condition reads no other value of the input.
    fn is_alone(&self, term: &Term) -> bool {
        let fields = self.spec.data.iter().flat_map(|data| &data.ctors).flat_map(|ctor| &ctor.fields);
        let fields: BTreeSet<u32> = fields.filter_map(|field| field.slot).collect();
        let mut is_alone = true;
        visit(term, &mut |term| {
            if let Term::Var(slot) = term {
                is_alone &=
                    *slot == self.own || *slot >= self.spec.first_local_slot() && !fields.contains(slot);
            }
        });
        is_alone
    }
}

impl Place {
    fn part(&self, name: &str, (index, step): (u32, Step), is_free: bool) -> Place {
        let mut path = self.path.clone();
        path.push(index);
        Place { name: format!("{}.{name}", self.name), path, facts: self.facts.part(step), is_free }
    }
}

/// Whether judging a condition on a scalar takes few steps.
fn is_cheap(term: &Term) -> bool {
    let mut is_cheap = true;
    visit(term, &mut |term| {
        is_cheap &= !matches!(
            term,
            Term::Call(..)
                | Term::Opaque(..)
                | Term::Ask(..)
                | Term::Range(..)
                | Term::Arith(ArithOp::Pow, ..)
        );
    });
    is_cheap
}

fn value_of(sort: LeafSort, code: i64) -> Value {
    match sort {
        LeafSort::Bool => Value::Bool(code != 0),
        LeafSort::Int(_) => Value::int(code),
        LeafSort::Char => {
            let c = u32::try_from(code).ok().and_then(char::from_u32);
            Value::Char(c.expect("the codes of characters are code points"))
        }
        LeafSort::Enum(_) => Value::Data(code as u32, [].into()),
        LeafSort::Float(_) => Value::Float(float_of_code(code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Clause, CompareOp, IntKind, Param};

    fn at_most(a: Term, b: Term) -> Clause {
        let term = Term::Compare(CompareOp::Le, Box::new(a), Box::new(b));
        Clause { id: 0, text: String::new(), term }
    }

    fn int(n: i64) -> Term {
        Term::Lit(Value::int(n))
    }

    fn param(name: &str, sort: Sort, clauses: Vec<Clause>) -> Param {
        let refined = Refined { clauses, ..Refined::plain(sort) };
        Param { name: name.to_owned(), refined, mutable: false }
    }

    /// `fn(n: i64, d: {v: u8 | 1 <= v && v <= 31}, xs: Vec<bool>)`
    fn spec() -> Spec {
        let day = vec![at_most(int(1), Term::Var(3)), at_most(Term::Var(3), int(31))];
        let list = Sort::Seq(Box::new(Refined::plain(Sort::Bool)), SeqKind::Vec);
        let params = vec![
            param("n", Sort::Int(IntKind::I64), Vec::new()),
            param("d", Sort::Int(IntKind::U8), day),
            param("xs", list, Vec::new()),
        ];
        Spec { params, ..Spec::unrefined("f") }
    }

    #[test]
    fn a_scalar_with_few_values_and_a_list_are_parts() {
        let days = Allowed::Values { codes: (1..=31).collect(), is_exact: true };
        let lengths = Allowed::Lengths { most: None, is_text: false };
        let expected = [
            Part { name: "d".to_owned(), path: vec![1], allowed: days },
            Part { name: "xs".to_owned(), path: vec![2], allowed: lengths },
        ];
        assert_eq!(parts(&spec()), expected);
    }

    #[test]
    fn a_condition_that_relates_two_parts_makes_the_number_a_limit() {
        let spec = Spec { requires: vec![at_most(Term::Var(1), Term::Var(0))], ..spec() };
        let days = Allowed::Values { codes: (1..=31).collect(), is_exact: false };
        assert_eq!(parts(&spec)[0].allowed, days);
    }

    #[test]
    fn conditions_on_the_value_leave_fewer_values() {
        let odd = Term::Arith(ArithOp::Rem, Box::new(Term::Var(3)), Box::new(int(2)));
        let odd = Term::Equal(Box::new(odd), Box::new(int(1)));
        let mut spec = spec();
        spec.params[1].refined.clauses.push(Clause { id: 0, text: String::new(), term: odd });
        let days = Allowed::Values { codes: (1..=31).step_by(2).collect(), is_exact: true };
        assert_eq!(parts(&spec)[0].allowed, days);
    }

    #[test]
    fn a_limit_on_the_length_is_known() {
        let mut spec = spec();
        spec.params[2].refined.clauses.push(at_most(Term::Len(Box::new(Term::Var(3))), int(5)));
        assert_eq!(parts(&spec)[1].allowed, Allowed::Lengths { most: Some(5), is_text: false });
    }
}
