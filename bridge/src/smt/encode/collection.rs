//! Sets, bags and maps of formulas, whose elements have conditions for being present; mirrors the judge.
//!
//! Unlike in the judge, elements are in any order, and a set may contain an element twice: which of two symbolic
//! elements is smaller depends on scalars. So a union is a concatenation, and terms that depend on order or number
//! compute the ranks of the elements. The elements of an argument are known to be in order.

use std::sync::Arc;

use target_strategies::logic::int::Int;
use target_strategies::logic::ir::{Collection, DataId, Refined, SetOp, Sort, Spec, Term};

use super::stream::{Order, Step};
use super::symbolic::{Items, Symbolic};
use super::term::{ill_typed, unknown_operation};
use super::{Encoded, Encoder, Outcome};
use crate::smt::formula::F;

impl Encoder<'_> {
    fn map_with(&mut self, of: &Term, key: &Term, value: &Term) -> Encoded<Outcome> {
        let (of, key, value) = (self.term(of)?, self.term(key)?, self.term(value)?);
        let mut pairs = self.without(&items(&of.value)?, &key.value)?.all.to_vec();
        let pair = Symbolic::Tuple(Arc::from([key.value.clone(), value.value.clone()]));
        pairs.push((self.formulas.truth(true), pair));
        let defined = self.formulas.and([of.defined, key.defined, value.defined]);
        let sorted = pairs.len() == 1;
        let pairs = Items { all: pairs.into(), sorted };
        Ok(Outcome { value: Symbolic::Collection(Collection::Map, pairs), defined })
    }

    /// The terms about collections.
    pub(super) fn collection(&mut self, term: &Term) -> Encoded<Outcome> {
        match term {
            Term::Collect(kind, of) => {
                let order = if *kind == Collection::Map { Order::Kept } else { Order::AnyRepeated };
                // A bag counts equal elements, so repetition matters.
                let order = if *kind == Collection::Bag { Order::Any } else { order };
                self.each_in(of, order, &mut |encoder, steps| encoder.gathered(*kind, steps))
            }
            Term::SetOp(op, is_bag, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (first, second) = (items(&a.value)?, items(&b.value)?);
                let value = match (op, is_bag) {
                    (SetOp::Union, _) => self.union(kind(*is_bag), &first, &second),
                    (_, false) => self.kept_of_set(*op, &first, &second)?,
                    (_, true) => self.kept_of_bag(*op, &first, &second)?,
                };
                Ok(self.both(&a, &b, value))
            }
            Term::Subset(is_bag, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let (first, second) = (items(&a.value)?, items(&b.value)?);
                let holds = self.is_subset(kind(*is_bag), &first, &second)?;
                Ok(self.both(&a, &b, Symbolic::Bool(holds)))
            }
            Term::Entries(_) => self.each(term, &mut |encoder, steps| encoder.collected(steps)),
            Term::Keys(of) => {
                let of = self.term(of)?;
                let pairs = items(&of.value)?;
                let mut keys = Vec::with_capacity(pairs.all.len());
                for (present, pair) in pairs.all.iter() {
                    keys.push((*present, pair_of(pair)?.0.clone()));
                }
                let keys = Items { all: keys.into(), sorted: pairs.sorted };
                Ok(Outcome { value: Symbolic::Collection(Collection::Set, keys), ..of })
            }
            Term::MapGet(of, key, option) => self.map_get(of, key, *option),
            Term::MapWith(of, key, value) => self.map_with(of, key, value),
            Term::MapWithout(of, key) => {
                let (of, key) = (self.term(of)?, self.term(key)?);
                let pairs = self.without(&items(&of.value)?, &key.value)?;
                Ok(self.both(&of, &key, Symbolic::Collection(Collection::Map, pairs)))
            }
            #[rustfmt::skip]
            Term::Var(_) | Term::Lit(_) | Term::Not(_) | Term::And(_) | Term::Or(_) | Term::If(..)
            | Term::Let { .. } | Term::Equal(..) | Term::Compare(..) | Term::Arith(..) | Term::Neg(_)
            | Term::Abs(_) | Term::FloatArith(..) | Term::FloatUnary(..) | Term::Machine(..)
            | Term::IntToFloat(..) | Term::ToInt(_) | Term::Tuple(_) | Term::Seq(_) | Term::Construct(..)
            | Term::Project(..) | Term::Field { .. } | Term::IsCtor(..) | Term::Len(_) | Term::Index(..)
            | Term::Slice(..) | Term::Concat(_) | Term::Flatten(_) | Term::Reverse(_) | Term::Range(..)
            | Term::Windows(..) | Term::Zip(..) | Term::Chars(_) | Term::Bytes(_) | Term::Text(_)
            | Term::StrTest(..) | Term::Matches(..) | Term::StrFind(..) | Term::TextOp(..) | Term::Contains(..) | Term::All(..)
            | Term::Any(..) | Term::Map(..) | Term::Filter(..) | Term::Fold { .. } | Term::Sum(_)
            | Term::Position(..) | Term::Extreme { .. } | Term::Distinct(_) | Term::IsSorted(_)
            | Term::CharIs(..) | Term::Call(..) | Term::Opaque(..) | Term::Ask(..) | Term::Undefined
            => Err(unknown_operation()),
        }
    }

    /// The elements of the steps, as a collection.
    fn gathered(&mut self, kind: Collection, steps: &[Step]) -> Encoded<Outcome> {
        let mut all: Vec<(F, Symbolic)> = Vec::with_capacity(steps.len());
        for step in steps {
            self.step()?;
            let mut pairs = all;
            if kind == Collection::Map {
                // The last pair with a key wins.
                let key = pair_of(&step.value)?.0.clone();
                for (present, pair) in &mut pairs {
                    let same = self.equal(pair_of(pair)?.0, &key)?;
                    let replaced = self.formulas.and([step.present, same]);
                    let stays = self.formulas.not(replaced);
                    *present = self.formulas.and([*present, stays]);
                }
            }
            all = pairs;
            self.insert(kind, &mut all, (step.present, step.value.clone()));
        }
        let sorted = all.len() <= 1;
        let value = Symbolic::Collection(kind, Items { all: all.into(), sorted });
        Ok(Outcome { value, defined: self.all_defined(steps) })
    }

    /// Adds an element. A set keeps one copy of structurally equal elements.
    fn insert(&mut self, kind: Collection, all: &mut Vec<(F, Symbolic)>, (present, item): (F, Symbolic)) {
        if self.formulas.as_truth(present) == Some(false) {
            return;
        }
        match all.iter_mut().find(|(_, other)| kind == Collection::Set && *other == item) {
            Some((other, _)) => *other = self.formulas.or([*other, present]),
            None => all.push((present, item)),
        }
    }

    fn union(&mut self, kind: Collection, a: &Items, b: &Items) -> Symbolic {
        if a.all.is_empty() || b.all.is_empty() {
            return Symbolic::Collection(kind, if a.all.is_empty() { b.clone() } else { a.clone() });
        }
        let mut all = a.all.to_vec();
        for item in b.all.iter() {
            self.insert(kind, &mut all, item.clone());
        }
        Symbolic::Collection(kind, Items { all: all.into(), sorted: false })
    }

    /// Difference or intersection of sets.
    fn kept_of_set(&mut self, op: SetOp, a: &Items, b: &Items) -> Encoded<Symbolic> {
        let mut all = Vec::with_capacity(a.all.len());
        for (present, item) in a.all.iter() {
            let found = self.is_in(item, b)?;
            let stays = if op == SetOp::Difference { self.formulas.not(found) } else { found };
            let present = self.formulas.and([*present, stays]);
            self.insert(Collection::Set, &mut all, (present, item.clone()));
        }
        Ok(Symbolic::Collection(Collection::Set, Items { all: all.into(), sorted: a.sorted }))
    }

    /// Difference or intersection of bags: of `n` equal elements, those after, or within, their number in the other
    /// bag.
    fn kept_of_bag(&mut self, op: SetOp, a: &Items, b: &Items) -> Encoded<Symbolic> {
        let mut all: Vec<(F, Symbolic)> = Vec::with_capacity(a.all.len());
        for (index, (present, item)) in a.all.iter().enumerate() {
            let before = self.count(item, &a.all[..index])?;
            let other = self.count(item, &b.all)?;
            let within = self.formulas.less(before, other);
            let stays = if op == SetOp::Difference { self.formulas.not(within) } else { within };
            let present = self.formulas.and([*present, stays]);
            self.insert(Collection::Bag, &mut all, (present, item.clone()));
        }
        Ok(Symbolic::Collection(Collection::Bag, Items { all: all.into(), sorted: a.sorted }))
    }

    /// The pairs of a map without the pair of a key.
    fn without(&mut self, pairs: &Items, key: &Symbolic) -> Encoded<Items> {
        let mut all = Vec::with_capacity(pairs.all.len());
        for (present, pair) in pairs.all.iter() {
            let same = self.equal(pair_of(pair)?.0, key)?;
            let stays = self.formulas.not(same);
            let present = self.formulas.and([*present, stays]);
            self.insert(Collection::Map, &mut all, (present, pair.clone()));
        }
        Ok(Items { all: all.into(), sorted: pairs.sorted })
    }

    fn map_get(&mut self, of: &Term, key: &Term, option: DataId) -> Encoded<Outcome> {
        let (of, key) = (self.term(of)?, self.term(key)?);
        let (mut found, some) = self.option(option)?;
        for (present, pair) in items(&of.value)?.all.iter() {
            let (at, value) = pair_of(pair)?;
            let same = self.equal(at, &key.value)?;
            let is_it = self.formulas.and([*present, same]);
            let here = Symbolic::Data(some, Arc::from([value.clone()]));
            found = Symbolic::choose(is_it, &here, &found, &mut self.formulas);
        }
        Ok(self.both(&of, &key, found))
    }

    /// Whether an element is in a set or a bag, or a pair in a map.
    pub(super) fn is_in(&mut self, element: &Symbolic, items: &Items) -> Encoded<F> {
        let mut any = Vec::with_capacity(items.all.len());
        for (present, item) in items.all.iter() {
            let same = self.equal(item, element)?;
            any.push(self.formulas.and([*present, same]));
        }
        Ok(self.formulas.or(any))
    }

    /// Number of times that an element occurs in `items`.
    fn count(&mut self, element: &Symbolic, items: &[(F, Symbolic)]) -> Encoded<F> {
        let mut counts = Vec::with_capacity(items.len());
        for (present, item) in items {
            let same = self.equal(item, element)?;
            let counted = self.formulas.and([*present, same]);
            counts.push(self.one_if(counted));
        }
        Ok(self.formulas.sum(counts))
    }

    pub(super) fn is_subset(&mut self, kind: Collection, a: &Items, b: &Items) -> Encoded<F> {
        let mut all = Vec::with_capacity(a.all.len());
        for (present, item) in a.all.iter() {
            self.step()?;
            let found = match kind {
                Collection::Bag => {
                    let (own, other) = (self.count(item, &a.all)?, self.count(item, &b.all)?);
                    self.formulas.at_most(own, other)
                }
                Collection::Set | Collection::Map => self.is_in(item, b)?,
            };
            let absent = self.formulas.not(*present);
            all.push(self.formulas.or([absent, found]));
        }
        Ok(self.formulas.and(all))
    }

    /// `a == b`: each contains the elements of the other.
    pub(super) fn equal_collections(&mut self, kind: Collection, a: &Items, b: &Items) -> Encoded<F> {
        if self.is_list(a) && self.is_list(b) {
            return self.equal(&as_list(a), &as_list(b));
        }
        let there = self.is_subset(kind, a, b)?;
        let back = self.is_subset(kind, b, a)?;
        Ok(self.formulas.and([there, back]))
    }

    /// Number of elements.
    pub(super) fn size(&mut self, kind: Collection, items: &Items) -> Encoded<F> {
        let present = self.distinct_items(kind, items)?;
        let ones: Vec<F> = present.iter().map(|(present, _)| self.one_if(*present)).collect();
        Ok(self.formulas.sum(ones))
    }

    /// The elements without repetition: of equal elements in a set, the first.
    fn distinct_items(&mut self, kind: Collection, items: &Items) -> Encoded<Vec<(F, Symbolic)>> {
        if kind != Collection::Set || items.sorted {
            return Ok(items.all.to_vec());
        }
        let mut distinct = Vec::with_capacity(items.all.len());
        for (index, (present, item)) in items.all.iter().enumerate() {
            let before = Items { all: items.all[..index].into(), sorted: false };
            let repeated = self.is_in(item, &before)?;
            let first = self.formulas.not(repeated);
            distinct.push((self.formulas.and([*present, first]), item.clone()));
        }
        Ok(distinct)
    }

    /// The elements as an iterator yields them.
    pub(super) fn steps_of(&mut self, kind: Collection, items: &Items, order: Order) -> Encoded<Vec<Step>> {
        let always = self.formulas.truth(true);
        let step = |(present, value): (F, Symbolic)| Step { present, value, defined: always };
        let all = match order {
            Order::AnyRepeated => items.all.to_vec(),
            Order::Any => self.distinct_items(kind, items)?,
            Order::Kept if items.sorted => items.all.to_vec(),
            Order::Kept => self.ranked(kind, items)?,
        };
        Ok(all.into_iter().map(step).collect())
    }

    /// The elements in ascending order. Each position holds the element with that many smaller elements.
    fn ranked(&mut self, kind: Collection, items: &Items) -> Encoded<Vec<(F, Symbolic)>> {
        let items = self.distinct_items(kind, items)?;
        let mut ranks = Vec::with_capacity(items.len());
        for (index, (_, item)) in items.iter().enumerate() {
            let mut before = Vec::with_capacity(items.len());
            for (position, (present, other)) in
                items.iter().enumerate().filter(|(position, _)| *position != index)
            {
                self.step()?;
                let less = self.before(key(kind, other)?, key(kind, item)?, position < index)?;
                let counts = self.formulas.and([*present, less]);
                before.push(self.one_if(counts));
            }
            ranks.push(self.formulas.sum(before));
        }
        let ones: Vec<F> = items.iter().map(|(present, _)| self.one_if(*present)).collect();
        let size = self.formulas.sum(ones);
        let mut positions = Vec::with_capacity(items.len());
        for position in 0..items.len() as i64 {
            let mut guarded = Vec::with_capacity(items.len());
            for ((present, item), rank) in items.iter().zip(&ranks) {
                self.step()?;
                let here = self.formulas.equal_constant(*rank, &Int::from(position));
                guarded.push((self.formulas.and([*present, here]), item.clone()));
            }
            let present = self.formulas.at_least_constant(size, &Int::from(position + 1));
            positions.push((present, Symbolic::union(guarded, &mut self.formulas)));
        }
        Ok(positions)
    }

    /// Whether the elements and their order are known.
    fn is_list(&self, items: &Items) -> bool {
        items.sorted && items.all.iter().all(|(present, _)| self.formulas.as_truth(*present) == Some(true))
    }

    /// A collection as a sequence in ascending order.
    pub(super) fn listed(&mut self, kind: Collection, items: &Items) -> Encoded<Symbolic> {
        if self.is_list(items) {
            return Ok(as_list(items));
        }
        let steps = self.steps_of(kind, items, Order::Kept)?;
        Ok(self.collected(&steps)?.value)
    }

    /// An argument, with its sets and maps marked as sorted; that they are sorted is a separate condition.
    pub(super) fn typed(&mut self, refined: &Refined, value: Symbolic, spec: &Spec) -> Symbolic {
        match (&refined.sort, value) {
            (Sort::Data(id), Symbolic::Data(ctor, fields)) => {
                let sorts = &spec.data(*id).ctors[ctor as usize].fields;
                let pairs = sorts.iter().map(|field| &field.refined).zip(fields.iter().cloned());
                Symbolic::Data(ctor, pairs.map(|(refined, field)| self.typed(refined, field, spec)).collect())
            }
            (Sort::Tuple(sorts), Symbolic::Tuple(parts)) => {
                let pairs = sorts.iter().zip(parts.iter().cloned());
                Symbolic::Tuple(pairs.map(|(refined, part)| self.typed(refined, part, spec)).collect())
            }
            (Sort::Seq(element, _), Symbolic::Seq(parts)) => {
                Symbolic::Seq(parts.iter().map(|part| self.typed(element, part.clone(), spec)).collect())
            }
            (Sort::Set(element, _), Symbolic::Seq(parts)) => {
                let parts = parts.iter().map(|part| self.typed(element, part.clone(), spec)).collect();
                self.in_order(&refined.sort, parts)
            }
            (Sort::Map(key, held, _), Symbolic::Seq(pairs)) => {
                let pair = |pair: &Symbolic| match pair {
                    Symbolic::Tuple(parts) => {
                        let parts = [&**key, &**held].into_iter().zip(parts.iter().cloned());
                        Symbolic::Tuple(
                            parts.map(|(refined, part)| self.typed(refined, part, spec)).collect(),
                        )
                    }
                    other => other.clone(),
                };
                let pairs = pairs.iter().map(pair).collect();
                self.in_order(&refined.sort, pairs)
            }
            #[rustfmt::skip]
            (Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) | Sort::Seq(..)
            | Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_), value)
            => value,
        }
    }

    fn in_order(&mut self, sort: &Sort, parts: Vec<Symbolic>) -> Symbolic {
        let kind = sort.collection().unwrap_or(Collection::Set);
        for pair in parts.windows(2) {
            self.fuel = super::CAP;
            self.cap = self.formulas.len() + super::CAP;
            let ascending = key(kind, &pair[0])
                .and_then(|a| Ok((a, key(kind, &pair[1])?)))
                .and_then(|(a, b)| self.before(a, b, kind == Collection::Bag));
            // If the condition is left out, the judge checks it.
            self.structure.extend(ascending);
        }
        let present = self.formulas.truth(true);
        let all = parts.into_iter().map(|part| (present, part)).collect();
        Symbolic::Collection(kind, Items { all, sorted: true })
    }
}

fn kind(is_bag: bool) -> Collection {
    if is_bag { Collection::Bag } else { Collection::Set }
}

fn as_list(items: &Items) -> Symbolic {
    Symbolic::Seq(items.all.iter().map(|(_, item)| item.clone()).collect())
}

/// The elements of a set or bag, the pairs of a map; empty for a value that is never used.
pub(super) fn items(value: &Symbolic) -> Encoded<Items> {
    match value {
        Symbolic::Collection(_, items) => Ok(items.clone()),
        Symbolic::Never => Ok(Items { all: Arc::from([]), sorted: true }),
        _ => Err(ill_typed("a set or a map")),
    }
}

/// The key that orders an element.
fn key(kind: Collection, item: &Symbolic) -> Encoded<&Symbolic> {
    if kind == Collection::Map { Ok(pair_of(item)?.0) } else { Ok(item) }
}

/// The key and the value of a map's pair.
fn pair_of(pair: &Symbolic) -> Encoded<(&Symbolic, &Symbolic)> {
    match pair {
        Symbolic::Tuple(parts) if parts.len() == 2 => Ok((&parts[0], &parts[1])),
        Symbolic::Never => Ok((&Symbolic::Never, &Symbolic::Never)),
        _ => Err(ill_typed("a pair")),
    }
}
