//! Enumerates the skeletons of a space by size, holding one at a time.
//!
//! The size of a skeleton is one for each element of a sequence, each constructor with fields and each character;
//! scalars count nothing. The skeletons of each size have numbers. Each constructor, each length, and each division
//! of the size among fields has a number of skeletons, and dividing the index by these numbers leads to the skeleton
//! (as in Duregård, Jansson and Wang's *FEAT*). The numbers are computed on demand and cached. They saturate, which
//! is harmless: no enumeration gets that far.

use std::collections::HashMap;

use super::Space;
use super::node::{CtorNode, Elements, Graph, ListId, Node, NodeId};
use super::skeleton::{Shape, Skeleton};
use crate::cancel;

/// Number of shapes at a node, and their least and greatest size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    n: u128,
    min: u64,
    max: u64,
}

const NOTHING: Extent = Extent { n: 0, min: u64::MAX, max: 0 };
const UNIT: Extent = Extent { n: 1, min: 0, max: 0 };

impl Extent {
    fn or(self, other: Extent) -> Extent {
        match (self.n, other.n) {
            (0, _) => other,
            (_, 0) => self,
            (a, b) => {
                Extent { n: a.saturating_add(b), min: self.min.min(other.min), max: self.max.max(other.max) }
            }
        }
    }

    fn and(self, other: Extent) -> Extent {
        if self.n == 0 || other.n == 0 {
            return NOTHING;
        }
        Extent {
            n: self.n.saturating_mul(other.n),
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    fn times(self, n: u32) -> Extent {
        match (self.n, n) {
            (_, 0) => UNIT,
            (0, _) => NOTHING,
            _ => Extent {
                n: self.n.saturating_pow(n),
                min: self.min.saturating_mul(n.into()),
                max: self.max.saturating_mul(n.into()),
            },
        }
    }

    fn plus(self, size: u64) -> Extent {
        if self.n == 0 {
            return NOTHING;
        }
        Extent { n: self.n, min: self.min.saturating_add(size), max: self.max.saturating_add(size) }
    }
}

/// The extents of all nodes, by remaining nesting of recursive constructors.
#[derive(Debug)]
pub struct Extents {
    /// By remaining nesting, then by node.
    by_depth: Vec<Vec<Extent>>,
}

impl Extents {
    /// Computes the extents, starting with no recursive constructor.
    pub fn new(graph: &Graph, depth: u32) -> Extents {
        let order = inner_first(graph);
        let mut extents = Extents { by_depth: Vec::with_capacity(depth as usize + 1) };
        for rem in 0..=depth {
            extents.by_depth.push(vec![NOTHING; graph.nodes.len()]);
            for &id in &order {
                cancel::step();
                let extent = extents.of_node(graph, id, rem);
                extents.by_depth[rem as usize][id.0 as usize] = extent;
            }
        }
        extents
    }

    /// Number of skeletons, saturated.
    pub fn n_skeletons(&self, graph: &Graph) -> u128 {
        self.of_list(graph, graph.args, self.by_depth.len() as u32 - 1).n
    }

    /// The range of sizes; empty if there is no skeleton.
    pub fn sizes(&self, graph: &Graph) -> std::ops::RangeInclusive<u64> {
        let extent = self.of_list(graph, graph.args, self.by_depth.len() as u32 - 1);
        extent.min..=extent.max
    }

    fn get(&self, id: NodeId, rem: u32) -> Extent {
        self.by_depth[rem as usize][id.0 as usize]
    }

    fn of_list(&self, graph: &Graph, list: ListId, rem: u32) -> Extent {
        graph.list(list).iter().fold(UNIT, |extent, id| extent.and(self.get(*id, rem)))
    }

    fn of_node(&self, graph: &Graph, id: NodeId, rem: u32) -> Extent {
        match graph.node(id) {
            Node::Empty => NOTHING,
            Node::Leaf(leaf) if leaf.scalar.codes.is_empty() => NOTHING,
            Node::Leaf(_) => UNIT,
            Node::Str(elements) => self.of_lengths(elements, rem),
            Node::Seq(elements) => self.of_lengths(elements, rem),
            Node::Tuple(list) => self.of_list(graph, *list, rem),
            Node::Data(ctors) => ctors.iter().flatten().fold(NOTHING, |extent, ctor| {
                extent.or(match after(ctor, rem) {
                    Some(rem) => self.of_list(graph, ctor.fields, rem).plus(cost(graph, ctor)),
                    None => NOTHING,
                })
            }),
        }
    }

    fn of_lengths(&self, elements: &Elements, rem: u32) -> Extent {
        let (mut before, mut first, mut all) = (0, UNIT, NOTHING);
        // The lengths ascend, so that each goes on where the one before it ended.
        for &len in &elements.lens {
            first = first.and(self.of_elements(elements, before, len, rem));
            before = len;
            all = all.or(first.plus(len.into()));
        }
        all
    }

    fn of_elements(&self, elements: &Elements, from: u32, to: u32, rem: u32) -> Extent {
        let special = elements.at.iter().filter(|(index, _)| (from..to).contains(index));
        let (n, extent) =
            special.fold((0, UNIT), |(n, extent), (_, id)| (n + 1, extent.and(self.get(*id, rem))));
        extent.and(self.get(elements.each, rem).times(to - from - n))
    }
}

/// The remaining nesting inside a constructor.
pub fn after(ctor: &CtorNode, rem: u32) -> Option<u32> {
    if ctor.recursive { rem.checked_sub(1) } else { Some(rem) }
}

fn cost(graph: &Graph, ctor: &CtorNode) -> u64 {
    u64::from(!graph.list(ctor.fields).is_empty())
}

/// The nodes, each after those that it contains directly. Recursive constructors lead to the next round.
fn inner_first(graph: &Graph) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(graph.nodes.len());
    let mut seen = vec![false; graph.nodes.len()];
    for start in 0..graph.nodes.len() as u32 {
        let mut stack = vec![(NodeId(start), false)];
        while let Some((id, is_done)) = stack.pop() {
            if is_done {
                order.push(id);
                continue;
            }
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            stack.push((id, true));
            stack.extend(direct_parts(graph, id).into_iter().map(|id| (id, false)));
        }
    }
    order
}

fn direct_parts(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    match graph.node(id) {
        Node::Empty | Node::Leaf(_) => Vec::new(),
        Node::Str(elements) | Node::Seq(elements) => {
            elements.at.iter().map(|(_, id)| *id).chain([elements.each]).collect()
        }
        Node::Tuple(list) => graph.list(*list).to_vec(),
        Node::Data(ctors) => ctors
            .iter()
            .flatten()
            .filter(|ctor| !ctor.recursive)
            .flat_map(|ctor| graph.list(ctor.fields).iter().copied())
            .collect(),
    }
}

/// Neighbouring nodes that share a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Row {
    /// A part of a list.
    List(ListId, u32, u32),
    /// This many equal nodes.
    Equal(NodeId, u32),
    /// The elements of a sequence with these indices, if some of them have nodes of their own.
    Elements(NodeId, u32, u32),
}

/// The key of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    One(NodeId),
    Row(Row),
}

/// The skeletons of a space, small first.
#[derive(Clone, Debug)]
pub struct Skeletons {
    space: Space,
    /// Number of shapes, by item, remaining nesting and size.
    counts: HashMap<(Item, u32, u64), u128>,
    /// The next skeleton has number `index` among the `n` of this size.
    size: u64,
    index: u128,
    n: u128,
    /// The greatest size; `None` if there is no skeleton.
    last_size: Option<u64>,
}

impl Skeletons {
    pub(super) fn new(space: Space) -> Skeletons {
        let extent = space.extents().of_list(space.graph(), space.graph().args, space.depth());
        let last_size = (extent.n > 0).then_some(extent.max);
        let mut skeletons =
            Skeletons { space, counts: HashMap::new(), size: extent.min, index: 0, n: 0, last_size };
        if last_size.is_some() {
            skeletons.n = skeletons.count_of(skeletons.root(), skeletons.space.depth(), extent.min);
        }
        skeletons
    }

    fn root(&self) -> Item {
        let args = self.space.graph().args;
        Item::Row(Row::List(args, 0, self.space.graph().list(args).len() as u32))
    }

    fn extent(&self, item: Item, rem: u32) -> Extent {
        let (graph, extents) = (self.space.graph(), self.space.extents());
        match item {
            Item::One(id) => extents.get(id, rem),
            Item::Row(Row::Equal(id, n)) => extents.get(id, rem).times(n),
            Item::Row(Row::List(list, from, to)) => {
                let parts = &graph.list(list)[from as usize..to as usize];
                parts.iter().fold(UNIT, |extent, id| extent.and(extents.get(*id, rem)))
            }
            Item::Row(Row::Elements(id, from, to)) => match graph.node(id) {
                Node::Str(elements) | Node::Seq(elements) => extents.of_elements(elements, from, to, rem),
                Node::Empty | Node::Leaf(_) | Node::Tuple(_) | Node::Data(_) => NOTHING,
            },
        }
    }

    /// Number of shapes of an item with exactly this size.
    fn count_of(&mut self, item: Item, rem: u32, size: u64) -> u128 {
        let extent = self.extent(item, rem);
        if extent.n == 0 || size < extent.min || extent.max < size {
            return 0;
        }
        if extent.min == extent.max {
            return extent.n;
        }
        if let Some(n) = self.counts.get(&(item, rem, size)) {
            return *n;
        }
        let n = match item {
            Item::One(id) => self.choices(id, rem, size).into_iter().fold(0, |n: u128, choice| {
                n.saturating_add(self.count_of(choice.row, choice.rem, choice.size))
            }),
            Item::Row(row) => match self.halves(row) {
                Halves::None => u128::from(size == 0),
                Halves::One(id) => self.count_of(Item::One(id), rem, size),
                Halves::Two(left, right) => {
                    self.divisions(left, right, rem, size).fold(0, |n: u128, first| {
                        let (a, b) =
                            (self.count_of(left, rem, first), self.count_of(right, rem, size - first));
                        n.saturating_add(a.saturating_mul(b))
                    })
                }
            },
        };
        self.counts.insert((item, rem, size), n);
        n
    }

    /// The lengths or head constructors of a node.
    fn choices(&self, id: NodeId, rem: u32, size: u64) -> Vec<Choice> {
        let graph = self.space.graph();
        match graph.node(id) {
            Node::Empty | Node::Leaf(_) => Vec::new(),
            Node::Tuple(list) => vec![Choice { tag: 0, row: whole(graph, *list), rem, size }],
            Node::Str(elements) | Node::Seq(elements) => {
                let lens = elements.lens.iter().filter(|len| u64::from(**len) <= size);
                lens.map(|&len| Choice {
                    tag: len,
                    row: Item::Row(row_of(elements, id, 0, len)),
                    rem,
                    size: size - u64::from(len),
                })
                .collect()
            }
            Node::Data(ctors) => (0..)
                .zip(ctors)
                .filter_map(|(tag, ctor)| {
                    let ctor = ctor.as_ref()?;
                    let size = size.checked_sub(cost(graph, ctor))?;
                    Some(Choice { tag, row: whole(graph, ctor.fields), rem: after(ctor, rem)?, size })
                })
                .collect(),
        }
    }

    fn halves(&self, row: Row) -> Halves {
        let graph = self.space.graph();
        let middle = |from: u32, to: u32| from + (to - from) / 2;
        match row {
            Row::List(_, from, to) | Row::Elements(_, from, to) if from == to => Halves::None,
            Row::Equal(_, 0) => Halves::None,
            Row::Equal(id, 1) => Halves::One(id),
            Row::Equal(id, n) => Halves::Two(
                Item::Row(Row::Equal(id, middle(0, n))),
                Item::Row(Row::Equal(id, n - middle(0, n))),
            ),
            Row::List(list, from, to) if from + 1 == to => Halves::One(graph.list(list)[from as usize]),
            Row::List(list, from, to) => {
                let at = middle(from, to);
                Halves::Two(Item::Row(Row::List(list, from, at)), Item::Row(Row::List(list, at, to)))
            }
            Row::Elements(id, from, to) => match graph.node(id) {
                Node::Str(elements) | Node::Seq(elements) if from + 1 == to => {
                    Halves::One(elements.node_at(from))
                }
                Node::Str(elements) | Node::Seq(elements) => {
                    let at = middle(from, to);
                    Halves::Two(
                        Item::Row(row_of(elements, id, from, at)),
                        Item::Row(row_of(elements, id, at, to)),
                    )
                }
                Node::Empty | Node::Leaf(_) | Node::Tuple(_) | Node::Data(_) => Halves::None,
            },
        }
    }

    /// The possible sizes of the left part of a row whose total size is `size`.
    fn divisions(&self, left: Item, right: Item, rem: u32, size: u64) -> impl Iterator<Item = u64> + use<> {
        let (left, right) = (self.extent(left, rem), self.extent(right, rem));
        let from = left.min.max(size.saturating_sub(right.max));
        let to = size.checked_sub(right.min).map(|most| most.min(left.max));
        to.into_iter().flat_map(move |to| from..=to)
    }

    /// Appends the shapes of an item with this size and number.
    fn unrank(&mut self, item: Item, rem: u32, size: u64, mut index: u128, shapes: &mut Vec<Shape>) {
        match item {
            Item::One(id) => {
                let shape = self.unrank_one(id, rem, size, index);
                shapes.push(shape);
            }
            Item::Row(row) => match self.halves(row) {
                Halves::None => {}
                Halves::One(id) => self.unrank(Item::One(id), rem, size, index, shapes),
                Halves::Two(left, right) => {
                    for first in self.divisions(left, right, rem, size) {
                        cancel::step();
                        let (a, b) =
                            (self.count_of(left, rem, first), self.count_of(right, rem, size - first));
                        let n = a.saturating_mul(b);
                        if index < n {
                            self.unrank(left, rem, first, index / b, shapes);
                            return self.unrank(right, rem, size - first, index % b, shapes);
                        }
                        index -= n;
                    }
                }
            },
        }
    }

    fn unrank_one(&mut self, id: NodeId, rem: u32, size: u64, mut index: u128) -> Shape {
        for choice in self.choices(id, rem, size) {
            let n = self.count_of(choice.row, choice.rem, choice.size);
            if index >= n {
                index -= n;
                continue;
            }
            if matches!(self.space.graph().node(id), Node::Str(_)) {
                return Shape::Str(choice.tag);
            }
            let mut parts = Vec::new();
            self.unrank(choice.row, choice.rem, choice.size, index, &mut parts);
            return match self.space.graph().node(id) {
                Node::Tuple(_) => Shape::Tuple(parts.into()),
                Node::Data(_) => Shape::Data(choice.tag, parts.into()),
                Node::Empty | Node::Leaf(_) | Node::Str(_) | Node::Seq(_) => Shape::Seq(parts.into()),
            };
        }
        Shape::Leaf
    }
}

/// A length or head constructor.
struct Choice {
    /// The length, or the index of the constructor.
    tag: u32,
    row: Item,
    rem: u32,
    size: u64,
}

enum Halves {
    None,
    One(NodeId),
    Two(Item, Item),
}

fn whole(graph: &Graph, list: ListId) -> Item {
    Item::Row(Row::List(list, 0, graph.list(list).len() as u32))
}

fn row_of(elements: &Elements, id: NodeId, from: u32, to: u32) -> Row {
    let is_special = elements.at.iter().any(|(index, _)| (from..to).contains(index));
    if is_special { Row::Elements(id, from, to) } else { Row::Equal(elements.each, to - from) }
}

impl Iterator for Skeletons {
    type Item = Skeleton;

    fn next(&mut self) -> Option<Skeleton> {
        let last_size = self.last_size?;
        let (root, depth) = (self.root(), self.space.depth());
        while self.index == self.n {
            cancel::step();
            if self.size == last_size {
                self.last_size = None;
                return None;
            }
            self.size += 1;
            self.index = 0;
            self.n = self.count_of(root, depth, self.size);
        }
        let mut args = Vec::new();
        self.unrank(root, depth, self.size, self.index, &mut args);
        self.index += 1;
        Some(Skeleton { args })
    }
}
