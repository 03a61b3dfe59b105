//! The parts of a spec's inputs, and the values, variants or lengths that the spec allows for them.
//!
//! For `fn(year: i32, d: Day, xs: Vec<Option<u8>>)` with `Day = "{v: u8 | 1 <= v && v <= 31}"` these are `d`, which has
//! 31 values, `xs`, whose length has no limit, and the elements of `xs`, which have two variants. `year` has too many
//! values to list. Of elements, only variants are listed. Fields of enums are not, but for the values in `Option` and
//! `Result`: few inputs may have them.

mod elements;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::constraint::facts_of;
use super::domain::{LeafSort, all_codes};
use super::facts::{Facts, Step, float_of_code};
use super::judge;
use super::language::Language;
use crate::logic::int::Int;
use crate::logic::ir::{ArithOp, Ctor, DataId, Refined, SeqKind, SetKind, Sort, Spec, Term, visit};
use crate::logic::value::Value;

/// Maximum number of values of a part that are listed.
pub const MAX_VALUES: u64 = 256;

/// Maximum distance between the greatest and the least of these values.
const MAX_SPAN: i64 = 1024;

/// Maximum number of parts. They are read in every case of a run.
const MAX_PARTS: usize = 64;

/// Maximum nesting of a part.
const MAX_DEPTH: usize = 4;

/// Maximum number of variants of a part.
const MAX_VARIANTS: usize = 64;

/// A part of inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name in Rust: `xs[_].owner.unwrap()`.
    pub name: String,
    /// The parameter, and the steps from there.
    pub path: Vec<Step>,
    /// What the spec allows.
    pub allowed: Allowed,
}

/// What a spec allows for a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Allowed {
    /// A number or character with one of these values, ascending: at least two. See [`super::code`].
    Values {
        /// Their codes.
        codes: Vec<i64>,
        /// Whether each of them occurs in some valid input. Otherwise, other conditions may exclude some.
        is_exact: bool,
    },
    /// A `bool` or an enum with one of these variants, ascending: at least two.
    Variants {
        /// The enum; `None` for a `bool`, whose variants are 0 and 1.
        data: Option<DataId>,
        /// The variants that the conditions on it alone allow.
        variants: Vec<u32>,
    },
    /// A list, string or collection.
    Lengths {
        /// Number of elements (of a string: bytes or characters) that the conditions on it alone allow, if they limit it.
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
            path: vec![Step::Project(slot)],
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
    path: Vec<Step>,
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
        let facts = self.known(refined, place.facts);
        if facts.never {
            return;
        }
        let place = Place { facts, ..place };
        match &refined.sort {
            Sort::Bool => self.variants(refined, None, place),
            Sort::Char => self.scalar(refined, LeafSort::Char, place),
            Sort::Int(kind) => self.scalar(refined, LeafSort::Int(*kind), place),
            Sort::Str(_) => self.text(refined, place),
            Sort::Seq(element, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter) => {
                self.lengths(place.facts.longest(), false, &place);
                self.elements(element, place);
            }
            Sort::Seq(element, SeqKind::Array(_)) => self.elements(element, place),
            Sort::Set(element, SetKind::BTree | SetKind::Hash) => {
                let facts = place.facts.part(Step::Each);
                self.collection(element, facts, place);
            }
            Sort::Map(key, ..) => self.collection(key, Facts::any(), place),
            Sort::Tuple(parts) => {
                let is_free = place.is_free && refined.clauses.is_empty();
                for (index, part) in (0..).zip(parts) {
                    let name = format!("{}.{index}", place.name);
                    self.walk(part, place.part(name, Step::Project(index), is_free));
                }
            }
            Sort::Data(id) => self.data(refined, *id, place),
            // Of the results of a function, a run may ask for few.
            Sort::Seq(_, SeqKind::Answers(_)) => {}
            Sort::Set(_, SetKind::Bag) | Sort::Float(_) | Sort::Opaque(_) => {}
        }
    }

    /// What is known of a value by its own conditions, too.
    fn known(&self, refined: &Refined, facts: Facts) -> Facts {
        refined.clauses.iter().fold(facts, |facts, clause| {
            let own = facts_of(&clause.term, std::iter::once(self.own), self.own, &self.spec.functions);
            if own.never { Facts::never() } else { facts.and(own.part(Step::Project(self.own))) }
        })
    }

    /// The fields of a struct; the variants of an enum, and the values in an `Option` or a `Result`.
    fn data(&mut self, refined: &Refined, id: DataId, place: Place) {
        let data = self.spec.data(id);
        let is_free = place.is_free && refined.clauses.is_empty();
        if let [ctor] = &data.ctors[..] {
            for (index, field) in (0..).zip(&ctor.fields) {
                let is_read = field.slot.is_some_and(|slot| self.related.contains(&slot));
                // The function that builds a value may reject its arguments.
                let is_free = is_free && !is_read && data.via.is_none();
                let name = format!("{}.{}", place.name, field.name);
                self.walk(&field.refined, place.part(name, Step::Field(0, index), is_free));
            }
            return;
        }
        // These have variants that the user's types don't have.
        if data.via.is_some() || data.object.is_some() || data.rule.is_some() {
            return;
        }
        for (index, ctor) in (0..).zip(&data.ctors) {
            if let (Some(method), [field], false) = (unwrapping(ctor), &ctor.fields[..], ctor.recursive) {
                let name = format!("{}.{method}()", place.name);
                self.walk(&field.refined, place.part(name, Step::Field(index, 0), is_free));
            }
        }
        self.variants(refined, Some(id), place);
    }

    /// The variants that conditions on them alone allow. Fields are unread, so that a condition on them excludes nothing.
    fn variants(&mut self, refined: &Refined, data: Option<DataId>, place: Place) {
        let possible: Vec<(u32, Value)> = match data {
            None => [false, true].map(|truth| (u32::from(truth), Value::Bool(truth))).into(),
            Some(id) => {
                let fields = |ctor: &Ctor| vec![Value::unread(); ctor.fields.len()];
                let ctors = (0..).zip(&self.spec.data(id).ctors).filter(|(_, ctor)| !ctor.excluded);
                ctors.map(|(index, ctor)| (index, Value::Data(index, fields(ctor).into()))).collect()
            }
        };
        let judged: Vec<_> = refined
            .clauses
            .iter()
            .filter(|clause| self.is_alone(&clause.term) && is_cheap(&clause.term))
            .collect();
        let admitted = possible.into_iter().filter(|(index, value)| {
            place.facts.codes.contains(&Int::from(*index))
                && judged.iter().all(|clause| judge::admits(&clause.term, self.own, value))
        });
        let variants: Vec<u32> = admitted.map(|(index, _)| index).collect();
        if (2..=MAX_VARIANTS).contains(&variants.len()) {
            let allowed = Allowed::Variants { data, variants };
            self.found.push(Part { name: place.name, path: place.path, allowed });
        }
    }

    /// The variants of elements, and of their fields.
    fn elements(&mut self, element: &Refined, place: Place) {
        let known = self.found.len();
        let name = format!("{}[_]", place.name);
        self.walk(element, place.part(name, Step::Each, false));
        let mut index = 0;
        self.found.retain(|part| {
            index += 1;
            index <= known || matches!(part.allowed, Allowed::Variants { .. })
        });
    }

    /// A string. Nothing is said of one whose conditions limit the length in a way that is not known here.
    fn text(&mut self, refined: &Refined, place: Place) {
        if refined.clauses.iter().all(|clause| elements::limits_length_plainly(&clause.term, self.own)) {
            let tests = refined.clauses.iter().map(|clause| &clause.term);
            let language = Language::of_tests(tests, self.own, &self.spec.regexes);
            let n_chars = language.and_then(|language| language.longest()).map(u64::from);
            let most = [place.facts.longest(), n_chars].into_iter().flatten().min();
            self.lengths(most, true, &place);
        }
    }

    /// A set or map. Its elements or keys are different, so their number is a limit.
    fn collection(&mut self, element: &Refined, facts: Facts, place: Place) {
        if let Some(n_possible) = self.number_of_values(element, facts) {
            let most = place.facts.longest().unwrap_or(n_possible).min(n_possible);
            self.lengths(Some(most), false, &place);
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

    fn lengths(&mut self, most: Option<u64>, is_text: bool, place: &Place) {
        let allowed = Allowed::Lengths { most, is_text };
        self.found.push(Part { name: place.name.clone(), path: place.path.clone(), allowed });
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
    fn part(&self, name: String, step: Step, is_free: bool) -> Place {
        let mut path = self.path.clone();
        path.push(step);
        Place { name, path, facts: self.facts.part(step), is_free }
    }
}

/// The method that takes the value out of a variant of `Option` and `Result`.
fn unwrapping(ctor: &Ctor) -> Option<&'static str> {
    match &*ctor.rust_path {
        "Some" | "Ok" => Some("unwrap"),
        "Err" => Some("unwrap_err"),
        _ => None,
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
