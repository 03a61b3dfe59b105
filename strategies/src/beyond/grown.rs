//! Larger structures, put together from parts of valid ones.
//!
//! A constructor is applied to parts of earlier inputs, or two lists are joined. Scalars that are in order get new
//! numbers ([`Numbering`]). Other integers, such as stored sizes and heights, are computed from those of the parts as
//! in earlier inputs. The judge decides whether the spec admits the result, which then serves as parts of still larger
//! ones. The engine isn't asked, so a structure costs little, however intricate the spec.

use super::numbering::Numbering;
use super::scalars::size;
use super::source::{LARGEST, Source};
use super::stored::Stored;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::ir::{DataId, SeqKind, Sort, Spec};
use crate::logic::part::{Part, parts, replaced};
use crate::logic::value::Value;
use crate::space::Space;

/// Maximum number of inputs, and of parts of a type, that are kept. Later ones replace earlier ones.
const MOST_KEPT: usize = 48;

/// Number of combinations that are tried for an input.
const ATTEMPTS: usize = 8;

/// Maximum sizes of inputs, in scalars and constructors. Each is as likely.
pub(super) const SIZES: [u64; 8] = [16, 24, 40, 40, 64, 64, 120, 4 * LARGEST];
pub(super) const BOUNDARY_SIZES: [u64; 4] = [8, 16, 24, 40];

/// Number of parts from which one of similar size is picked.
const NEARBY: usize = 6;

/// Percentage of inputs in which data of a recursive type is put together, and not a list beside it.
const DATA: u64 = 75;

/// Maximum number of lists that one of a node is made of.
const MOST_LISTS: usize = 3;

/// Percentage of structures with parts of such a size that their own is near to the maximum.
const AIMED: u64 = 50;

/// Number of inputs that are grown at first.
const WARM_UP: usize = 16;

/// Number of inputs after which it is looked at how many attempts gave one, and the most that may be in vain for each.
const TRIAL: (u32, u32) = (16, 4);

/// Valid inputs that grow.
pub(super) struct Grown {
    space: Space,
    numberings: Vec<Numbering>,
    sizes: &'static [u64],
    inputs: Vec<Vec<Value>>,
    /// The parts of each sort, with their sizes.
    parts: Vec<(Sort, Vec<(Value, u64)>)>,
    stored: Stored,
    n_tried: u32,
    n_grown: u32,
    /// Number of combinations tried, and of scalars in them.
    pub(super) effort: (u64, u64),
}

impl Grown {
    /// Inputs that grow from these; `None` if no type among them is recursive.
    pub(super) fn new(
        space: &Space,
        source: Source,
        numberings: Vec<Numbering>,
        samples: &[Vec<Value>],
        dice: &mut Dice,
    ) -> Option<Grown> {
        let mut grown = Grown {
            space: space.clone(),
            numberings,
            sizes: match source {
                Source::Boundary => &BOUNDARY_SIZES,
                Source::Large => &SIZES,
            },
            inputs: Vec::new(),
            parts: Vec::new(),
            stored: Stored::default(),
            n_tried: 0,
            n_grown: 0,
            effort: (0, 0),
        };
        samples.iter().for_each(|sample| grown.add(sample, dice));
        let spec = space.spec();
        if !grown.parts.iter().any(|(sort, _)| grown.grows(spec, sort)) {
            return None;
        }
        // The first inputs are no smaller than later ones.
        (0..WARM_UP).for_each(|_| _ = grown.next(dice));
        Some(grown)
    }

    /// Adds a valid input, which others may be made of.
    pub(super) fn add(&mut self, input: &[Value], dice: &mut Dice) {
        let spec = self.space.spec().clone();
        for part in parts(&spec, input, false) {
            self.note(&spec, &part, dice);
        }
        put(&mut self.inputs, input.to_vec(), dice);
    }

    /// Whether values of a sort can be put together from others. Lists whose elements have no order are cheap to plan.
    fn grows(&self, spec: &Spec, sort: &Sort) -> bool {
        match sort {
            Sort::Data(data) => is_recursive(spec, *data),
            Sort::Seq(_, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter) => {
                !self.numberings.is_empty()
            }
            Sort::Seq(_, SeqKind::Array(_) | SeqKind::Answers(..)) => false,
            Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) => false,
            Sort::Set(..) | Sort::Map(..) | Sort::Tuple(_) | Sort::Opaque(_) => false,
        }
    }

    /// Whether nothing but lists is put together. Then all their scalars follow each other in one order.
    pub(super) fn is_of_lists(&self) -> bool {
        let spec = self.space.spec();
        let is_data = |sort: &Sort| matches!(sort, Sort::Data(_)) && self.grows(spec, sort);
        !self.parts.iter().any(|(sort, _)| is_data(sort))
    }

    /// Whether there are scalars in order.
    pub(super) fn is_ordered(&self) -> bool {
        !self.numberings.is_empty()
    }

    /// Whether no two scalars that are in order may be equal.
    pub(super) fn is_strict(&self) -> bool {
        self.numberings.first().is_some_and(|numbering| numbering.is_strict)
    }

    /// Whether too few combinations are valid.
    pub(super) fn is_over(&self) -> bool {
        self.n_tried >= TRIAL.0 && self.n_grown * TRIAL.1 < self.n_tried
    }

    /// The largest input so far with at most so many scalars and constructors.
    pub(super) fn largest(&self, most: u64) -> Option<Vec<Value>> {
        let size_of = |args: &Vec<Value>| args.iter().map(size).sum::<u64>();
        self.inputs.iter().filter(|args| size_of(args) <= most).max_by_key(|args| size_of(args)).cloned()
    }

    /// A valid input that is larger than others, if this attempt makes one.
    pub(super) fn next(&mut self, dice: &mut Dice) -> Option<Vec<Value>> {
        self.n_tried += 1;
        let spec = self.space.spec().clone();
        let most = self.sizes[dice.index(self.sizes.len())];
        for _ in 0..ATTEMPTS {
            let Some((args, path)) = self.combined(&spec, most, dice) else { continue };
            let size: u64 = args.iter().map(size).sum();
            if size > most {
                continue;
            }
            self.effort = (self.effort.0 + 1, self.effort.1 + size);
            let Some(args) = self.valid(&args, dice) else { continue };
            self.n_grown += 1;
            for part in parts(&spec, &args, false) {
                // The new part, and what it is in.
                if path.starts_with(&part.path) {
                    self.note(&spec, &part, dice);
                }
            }
            put(&mut self.inputs, args.clone(), dice);
            return Some(args);
        }
        None
    }

    /// The arguments with numbers in the first order that the spec admits.
    fn valid(&mut self, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let spec = self.space.spec();
        if self.numberings.is_empty() {
            return Some(args.to_vec()).filter(|args| admits(spec, args));
        }
        let numbered = self.numberings.iter().map(|numbering| {
            let numbered = numbering.numbered(&self.space, args, dice)?;
            let made =
                if numbering.is_repaired { self.stored.repaired(spec, args, &numbered) } else { numbered };
            admits(spec, &made).then_some(made)
        });
        let (n_before, args) = (0..).zip(numbered).find_map(|(at, args)| Some((at, args?)))?;
        // It is tried first from now on.
        self.numberings[..=n_before].rotate_right(1);
        Some(args)
    }

    /// An input in which a part is a new one, with the path to it.
    fn combined(&self, spec: &Spec, most: u64, dice: &mut Dice) -> Option<(Vec<Value>, Vec<usize>)> {
        let input = self.inputs.get(dice.index(self.inputs.len()))?;
        let all = parts(spec, input, false);
        let places = self.outermost(spec, &all);
        let is_data = |part: &&&Part<'_>| matches!(part.refined.sort, Sort::Data(_));
        let data: Vec<&Part<'_>> = places.iter().filter(is_data).copied().collect();
        let from = if data.is_empty() || !dice.percent(DATA) { &places } else { &data };
        let place = from.get(dice.index(from.len().max(1)))?;
        let made = self.made(spec, &place.refined.sort, most / places.len() as u64, dice)?;
        let mut args = replaced(input, &place.path, made);
        for other in &places {
            let is_data = matches!(other.refined.sort, Sort::Data(_));
            if other.path != place.path && dice.percent(if is_data { DATA } else { 50 }) {
                args = replaced(&args, &other.path, self.picked(&other.refined.sort, None, dice)?.0.clone());
            }
        }
        Some((args, place.path.clone()))
    }

    /// The parts that can grow and are in no other such part.
    fn outermost<'p, 'a>(&self, spec: &Spec, all: &'p [Part<'a>]) -> Vec<&'p Part<'a>> {
        let mut found: Vec<&Part<'_>> = Vec::new();
        for part in all {
            let is_inside = found.iter().any(|outer| part.path.starts_with(&outer.path));
            if !is_inside && self.grows(spec, &part.refined.sort) {
                found.push(part);
            }
        }
        found
    }

    /// A value of a sort, made of two or more parts.
    fn made(&self, spec: &Spec, sort: &Sort, most: u64, dice: &mut Dice) -> Option<Value> {
        if let Sort::Data(data) = sort {
            return self.constructed(spec, *data, most, dice);
        }
        let (Value::Seq(first), _) = self.picked(sort, None, dice)? else { return None };
        let (Value::Seq(second), _) = self.picked(sort, None, dice)? else { return None };
        let is_small = first.len() + second.len() <= LARGEST as usize;
        is_small.then(|| Value::Seq(first.iter().chain(second.iter()).cloned().collect()))
    }

    /// A recursive constructor applied to parts.
    fn constructed(&self, spec: &Spec, data: DataId, most: u64, dice: &mut Dice) -> Option<Value> {
        let ctors = (0..).zip(&spec.data(data).ctors);
        let ctors: Vec<_> = ctors.filter(|(_, ctor)| ctor.recursive && !ctor.excluded).collect();
        let (index, ctor) = ctors.get(dice.index(ctors.len().max(1)))?;
        let mut fields: Vec<Option<Value>> = vec![None; ctor.fields.len()];
        let mut near = Some(most / 2).filter(|_| dice.percent(AIMED));
        let first = dice.index(fields.len());
        for at in (first..fields.len()).chain(0..first) {
            let field = &ctor.fields[at].refined.sort;
            if has_nested(spec, field) {
                fields[at] = Some(self.list(spec, field, near, dice)?);
            }
            if !matches!(field, Sort::Data(_)) {
                continue;
            }
            let (part, size) = self.picked(field, near, dice)?;
            if *size > 1 {
                near = Some(*size);
            }
            fields[at] = Some(part.clone());
        }
        // Integers may say how many elements the other fields have, or follow from another integer.
        let order = |at: usize| match ctor.fields[at].refined.sort {
            Sort::Int(_) if self.stored.follows_field((data, *index, at)) => 2,
            Sort::Int(_) => 1,
            _ => 0,
        };
        for turn in 0..3 {
            for at in 0..fields.len() {
                if fields[at].is_none() && order(at) == turn {
                    fields[at] = Some(self.stored.value((data, *index, at), &fields, dice)?);
                }
            }
        }
        Some(Value::Data(*index, fields.into_iter().collect::<Option<_>>()?))
    }

    /// A list of a node whose elements have parts of the node's type: of one or two lists, with other such parts.
    fn list(&self, spec: &Spec, sort: &Sort, near: Option<u64>, dice: &mut Dice) -> Option<Value> {
        let Sort::Seq(element, _) = sort else { return None };
        let mut all = Vec::new();
        for _ in 0..1 + dice.index(MOST_LISTS) {
            let (Value::Seq(list), _) = self.picked(sort, near, dice)? else { return None };
            all.extend(list.iter().cloned());
        }
        all.truncate(LARGEST as usize);
        let near = near.map(|near| near / (all.len() as u64).max(1));
        let filled = all.iter().map(|value| self.filled(spec, &element.sort, value, near, dice));
        Some(Value::Seq(filled.collect()))
    }

    /// A value in which data of recursive types are other parts, every second time.
    fn filled(&self, spec: &Spec, sort: &Sort, value: &Value, near: Option<u64>, dice: &mut Dice) -> Value {
        match (sort, value) {
            (Sort::Data(data), value) if is_recursive(spec, *data) => {
                let other = if dice.percent(50) { self.picked(sort, near, dice) } else { None };
                other.map_or(value, |(other, _)| other).clone()
            }
            (Sort::Tuple(sorts), Value::Tuple(values)) => {
                let pairs = sorts.iter().zip(values.iter());
                Value::Tuple(
                    pairs.map(|(of, value)| self.filled(spec, &of.sort, value, near, dice)).collect(),
                )
            }
            (_, value) => value.clone(),
        }
    }

    /// A part of a sort, of a size near to another one's or larger than most.
    fn picked(&self, of: &Sort, near: Option<u64>, dice: &mut Dice) -> Option<&(Value, u64)> {
        let (_, parts) = self.parts.iter().find(|(sort, _)| sort == of)?;
        let near = near.map(|near| [near / 2, near, 2 * near][dice.index(3)]);
        let mut some = |n: usize| {
            let at: Vec<usize> = (0..n).map(|_| dice.index(parts.len())).collect();
            at.into_iter().map(|at| &parts[at])
        };
        match near {
            Some(near) => some(NEARBY).min_by_key(|(_, size)| size.abs_diff(near)),
            None => some(2).max_by_key(|(_, size)| *size),
        }
    }

    /// Learns from a part of a valid input.
    fn note(&mut self, spec: &Spec, part: &Part<'_>, dice: &mut Dice) {
        self.keep(part, dice);
        self.stored.note_part(spec, part);
    }

    fn keep(&mut self, part: &Part<'_>, dice: &mut Dice) {
        let sort = &part.refined.sort;
        if !matches!(sort, Sort::Data(_) | Sort::Seq(..)) {
            return;
        }
        let at = self.parts.iter().position(|(other, _)| other == sort).unwrap_or_else(|| {
            self.parts.push((sort.clone(), Vec::new()));
            self.parts.len() - 1
        });
        let kept = &mut self.parts[at].1;
        let part = (part.value.clone(), size(part.value));
        if !kept.contains(&part) {
            put(kept, part, dice);
        }
    }
}

/// Whether a sort is a list whose elements are of recursive types, or tuples with such.
fn has_nested(spec: &Spec, sort: &Sort) -> bool {
    let is_nested = |sort: &Sort| matches!(sort, Sort::Data(data) if is_recursive(spec, *data));
    match sort {
        Sort::Seq(element, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter) => {
            match &element.sort {
                Sort::Tuple(sorts) => sorts.iter().any(|of| is_nested(&of.sort)),
                sort => is_nested(sort),
            }
        }
        Sort::Seq(_, SeqKind::Array(_) | SeqKind::Answers(..)) | Sort::Set(..) | Sort::Map(..) => false,
        Sort::Bool | Sort::Char | Sort::Int(_) | Sort::Float(_) | Sort::Str(_) => false,
        Sort::Tuple(_) | Sort::Data(_) | Sort::Opaque(_) => false,
    }
}

fn is_recursive(spec: &Spec, data: DataId) -> bool {
    spec.data(data).ctors.iter().any(|ctor| ctor.recursive)
}

/// Adds an item, in the place of another one if there are too many.
pub(super) fn put<T>(kept: &mut Vec<T>, item: T, dice: &mut Dice) {
    if kept.len() < MOST_KEPT {
        kept.push(item);
    } else {
        kept[dice.index(MOST_KEPT)] = item;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::ir::{Ctor, Data, Field, IntKind, Param, Refined};
    use crate::space::Bounds;

    /// Chains of nodes `Node(len, items, next)`, of which nothing is required.
    fn chains() -> Space {
        let field =
            |name: &str, sort| Field { name: name.to_owned(), refined: Refined::plain(sort), slot: None };
        let ctor = |path: &str, fields: Vec<Field>, recursive| Ctor {
            rust_path: path.to_owned(),
            fields,
            named: false,
            recursive,
            excluded: false,
        };
        let items = Sort::Seq(Box::new(Refined::plain(Sort::Bool)), SeqKind::Vec);
        let node =
            vec![field("0", Sort::Int(IntKind::U32)), field("1", items), field("2", Sort::Data(DataId(0)))];
        let chain = Data {
            rust_type: "Chain".to_owned(),
            ctors: vec![ctor("End", Vec::new(), false), ctor("Node", node, true)],
            via: None,
            object: None,
            rule: None,
        };
        let refined = Refined::plain(Sort::Data(DataId(0)));
        let params = vec![Param { name: "c".to_owned(), refined, mutable: false }];
        let spec = Spec { params, data: vec![chain], ..Spec::unrefined("") };
        Space::new(Arc::new(spec), Bounds { depth: 3, bound: 3 })
    }

    /// A chain whose nodes have so many items, the first one first, and store how many there are from them on.
    fn chain(items: &[usize]) -> Value {
        let Some((first, rest)) = items.split_first() else { return Value::Data(0, [].into()) };
        let own = Value::seq(vec![Value::Bool(true); *first]);
        Value::Data(1, [Value::int(items.iter().sum::<usize>() as u64), own, chain(rest)].into())
    }

    /// The numbers of items of a chain.
    fn items(chain: &Value) -> Vec<usize> {
        let Value::Data(1, fields) = chain else { return Vec::new() };
        let Value::Seq(own) = &fields[1] else { return Vec::new() };
        std::iter::once(own.len()).chain(items(&fields[2])).collect()
    }

    #[test]
    fn what_a_node_stores_counts_the_items_that_it_gets() {
        let samples = [&[][..], &[0], &[2], &[3, 1], &[1, 0, 2], &[0, 3]].map(|items| vec![chain(items)]);
        let mut dice = Dice::new(0, 0);
        let grown = Grown::new(&chains(), Source::Large, Vec::new(), &samples, &mut dice);
        let mut grown = grown.expect("the type is recursive");
        let made: Vec<Vec<Value>> = (0..50).filter_map(|_| grown.next(&mut dice)).collect();
        assert!(made.iter().any(|args| items(&args[0]).len() > 4), "{made:?}");
        assert!(made.iter().all(|args| args[0] == chain(&items(&args[0]))), "{made:?}");
    }

    #[test]
    fn lists_of_nodes_grow_with_what_is_in_them() {
        let field =
            |name: &str, sort| Field { name: name.to_owned(), refined: Refined::plain(sort), slot: None };
        let child = [Sort::Bool, Sort::Data(DataId(0))].map(Refined::plain).to_vec();
        let children = Sort::Seq(Box::new(Refined::plain(Sort::Tuple(child))), SeqKind::Vec);
        let ctor = Ctor {
            rust_path: "Node".to_owned(),
            fields: vec![field("0", children)],
            named: false,
            recursive: true,
            excluded: false,
        };
        let node =
            Data { rust_type: "Node".to_owned(), ctors: vec![ctor], via: None, object: None, rule: None };
        let params = ["tree", "flags"].map(|name| Param {
            name: name.to_owned(),
            refined: Refined::plain(match name {
                "tree" => Sort::Data(DataId(0)),
                _ => Sort::Seq(Box::new(Refined::plain(Sort::Bool)), SeqKind::Vec),
            }),
            mutable: false,
        });
        let spec = Spec { params: params.into(), data: vec![node], ..Spec::unrefined("") };
        let space = Space::new(Arc::new(spec), Bounds { depth: 3, bound: 3 });
        let tree = |children: &[Value]| {
            let children = children.iter().map(|of| Value::Tuple([Value::Bool(true), of.clone()].into()));
            Value::Data(0, [Value::Seq(children.collect())].into())
        };
        let leaf = tree(&[]);
        let samples = [leaf.clone(), tree(std::slice::from_ref(&leaf))];
        let samples = samples.map(|tree| vec![tree, Value::seq([Value::Bool(true)])]);
        let mut dice = Dice::new(0, 0);
        let grown = Grown::new(&space, Source::Large, Vec::new(), &samples, &mut dice);
        let mut grown = grown.expect("the type is recursive");
        fn depth(value: &Value) -> usize {
            match value {
                Value::Data(_, parts) => 1 + parts.iter().map(depth).max().unwrap_or(0),
                Value::Seq(parts) | Value::Tuple(parts) => parts.iter().map(depth).max().unwrap_or(0),
                _ => 0,
            }
        }
        let made: Vec<Vec<Value>> = (0..50).filter_map(|_| grown.next(&mut dice)).collect();
        let n_deep = made.iter().filter(|args| depth(&args[0]) > 4).count();
        let n_large = made.iter().filter(|args| size(&args[0]) > 40).count();
        assert!(n_deep > 8 && n_large > 4, "{n_deep} {n_large}");
    }
}
