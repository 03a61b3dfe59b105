//! The input space of a spec: all argument tuples within the bounds, before refinement.
//!
//! All generators read this description, so they differ only in how they find the members that the refinements admit.
//! A space is a list of [`Skeleton`]s, small first. A skeleton fixes lengths and constructors. Its scalars are open
//! *leaves*, each with a finite domain, small first.
//!
//! For `fn(k: Nat, xs: Vec<Score>)` at depth 2 the skeletons are `(_, [])`, `(_, [_])`, `(_, [_, _])`.

#![warn(clippy::wildcard_enum_match_arm)]

mod interval;
mod judge;
mod facts;
mod constraint;
mod affix;
mod language;
mod skeleton;
mod named;
mod domain;
mod node;
mod parts;
mod shape;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::logic::collection::in_order;
use crate::logic::ir::{Clause, Regex, Spec};
use crate::logic::table::as_answers;
use crate::logic::value::Value;
use domain::order;
use named::named_chars;
use node::{Graph, ListId, Node, Results};
use shape::{Extents, after};

pub(crate) use facts::{code, float_of_code};
pub(crate) use judge::constant;
pub(crate) use node::{EMPTY, Elements, LeafNode, NodeId};

pub use constraint::facts_of;
pub(crate) use domain::{Candidates, Scalar, ascii_codes, codes_of, codes_of_kind};
pub use domain::{FIRST_CHARS, LeafSort};
#[cfg(feature = "proptest")]
pub(crate) use domain::{all_codes, domain};
pub use facts::{Facts, Step};
pub use interval::IntervalSet;
pub use node::Bounds;
pub use parts::{Allowed, Part, parts};
pub use shape::Skeletons;
pub use skeleton::{Shape, Skeleton, assemble, scalars_of, skeleton_of};

/// An open scalar of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// The sort of the scalar.
    pub sort: LeafSort,
    /// The possible values, small first, without duplicates.
    pub domain: Arc<[Value]>,
}

/// What strings, or lists of scalars, are made of.
#[derive(Clone, Debug)]
pub struct Scalars {
    /// Whether they are strings.
    pub is_text: bool,
    /// The lengths, ascending.
    pub lens: Vec<u32>,
    /// The scalars by index, small first; the last ones are those of all further indexes.
    pub values: Vec<Arc<[Value]>>,
}

impl Scalars {
    /// The string or list with these elements.
    pub fn value(&self, elements: &[Value]) -> Value {
        if !self.is_text {
            return Value::Seq(elements.into());
        }
        let char = |value: &Value| if let Value::Char(c) = value { Some(*c) } else { None };
        Value::Str(elements.iter().filter_map(char).collect::<String>().into())
    }
}

/// The values at a node, as the native engine sees them.
pub(crate) enum NodeView<'s> {
    /// No value.
    Empty,
    /// A scalar.
    Leaf(&'s LeafNode),
    /// A string.
    Str(&'s Elements),
    /// A sequence.
    Seq(&'s Elements),
    /// A tuple.
    Tuple(&'s [NodeId]),
    /// A data value, by its constructors. A constructor that can't occur is `None`.
    Data(Vec<Option<CtorView<'s>>>),
}

/// A constructor that can occur.
pub(crate) struct CtorView<'s> {
    /// The nodes of its fields.
    pub fields: &'s [NodeId],
    /// Whether it counts towards the depth.
    pub recursive: bool,
}

/// The space of one spec. Clones share their data.
#[derive(Clone, Debug)]
pub struct Space {
    inner: Arc<Inner>,
    literals: Arc<[Value]>,
}

#[derive(Debug)]
struct Inner {
    spec: Arc<Spec>,
    bounds: Bounds,
    candidates: Option<Arc<dyn Candidates>>,
    graph: Arc<Graph>,
    extents: Arc<Extents>,
}

/// Maximum nesting of recursive constructors, whatever the depth. Values are trees that are walked recursively.
const MAX_NESTING: u32 = 200;

impl Space {
    /// The space of a spec within bounds. The time doesn't depend on the size of the space.
    pub fn new(spec: Arc<Spec>, bounds: Bounds) -> Space {
        Space::of(spec, (bounds, Results::All), None)
    }

    /// The space of a spec whose scalars have other values than the usual ones.
    pub(crate) fn with_candidates(spec: Arc<Spec>, bounds: Bounds, candidates: Arc<dyn Candidates>) -> Space {
        Space::of(spec, (bounds, Results::All), Some(candidates))
    }

    /// The same space, but its functions have no results.
    pub fn without_results(&self) -> Space {
        let Inner { spec, bounds, candidates, .. } = &*self.inner;
        let space = Space::of(spec.clone(), (*bounds, Results::None), candidates.clone());
        space.with_literals(self.literals.clone())
    }

    /// The characters that the spec names, which are in the space.
    pub fn named_chars(&self) -> BTreeSet<char> {
        named_chars(&self.inner.spec)
    }

    fn of(
        spec: Arc<Spec>,
        (bounds, results): (Bounds, Results),
        candidates: Option<Arc<dyn Candidates>>,
    ) -> Space {
        let conditions: Vec<&Clause> = conditions(&spec, candidates.is_none()).collect();
        let graph = Arc::new(Graph::new(&spec, (bounds, results), &conditions));
        let extents = Arc::new(Extents::new(&graph, bounds.depth.min(MAX_NESTING)));
        let inner = Arc::new(Inner { spec, bounds, candidates, graph, extents });
        Space { inner, literals: Arc::default() }
    }

    /// The members of this space that satisfy further conditions. The conditions change no domain.
    pub fn narrowed(&self, conditions: impl IntoIterator<Item = Clause>) -> Space {
        self.narrowed_by(conditions, [])
    }

    /// The same, by conditions that may need regular expressions: the first of them is the next of the spec.
    pub fn narrowed_by(
        &self,
        conditions: impl IntoIterator<Item = Clause>,
        regexes: impl IntoIterator<Item = Regex>,
    ) -> Space {
        let Inner { spec, bounds, candidates, graph, extents } = &*self.inner;
        let mut spec = Spec::clone(spec);
        spec.requires.extend(conditions);
        spec.regexes.extend(regexes);
        let (candidates, graph, extents) = (candidates.clone(), graph.clone(), extents.clone());
        let inner = Arc::new(Inner { spec: Arc::new(spec), bounds: *bounds, candidates, graph, extents });
        Space { inner, literals: self.literals.clone() }
    }

    /// The same space, with the literals in the source of the function under test. They change no member: only inputs
    /// outside the space are made of them, by [`crate::beyond`].
    pub fn with_literals(self, literals: Arc<[Value]>) -> Space {
        Space { literals, ..self }
    }

    /// The literals in the source of the function under test.
    pub fn literals(&self) -> &Arc<[Value]> {
        &self.literals
    }

    /// The spec of the space.
    pub fn spec(&self) -> &Arc<Spec> {
        &self.inner.spec
    }

    /// The conditions on all parameters.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = &Clause> {
        conditions(&self.inner.spec, self.inner.candidates.is_none())
    }

    /// The bounds of the space.
    pub fn bounds(&self) -> Bounds {
        self.inner.bounds
    }

    /// All skeletons, small first, made on demand.
    pub fn skeletons(&self) -> Skeletons {
        Skeletons::new(self.clone())
    }

    /// Number of skeletons; `None` if there are too many to count.
    pub fn n_skeletons(&self) -> Option<u128> {
        Some(self.inner.extents.n_skeletons(&self.inner.graph)).filter(|n| *n < u128::MAX)
    }

    /// Whether a greater depth has more shapes: the refinements don't limit the lengths or the nesting of some lists,
    /// strings or recursive types.
    pub fn is_cut_by_depth(&self) -> bool {
        self.inner.graph.is_cut_by_depth
    }

    /// The open scalars of a skeleton in depth-first order, including the characters of strings.
    pub fn leaves(&self, skeleton: &Skeleton) -> Vec<Leaf> {
        self.leaf_nodes(skeleton)
            .into_iter()
            .map(|leaf| match leaf {
                Some(leaf) => Leaf { sort: leaf.scalar.sort, domain: self.domain(leaf).clone() },
                None => Leaf { sort: LeafSort::Bool, domain: Arc::from([]) },
            })
            .collect()
    }

    /// The nodes of the scalars of a skeleton; `None` where the types have no scalar.
    pub(crate) fn leaf_nodes(&self, skeleton: &Skeleton) -> Vec<Option<&LeafNode>> {
        let mut nodes = Vec::new();
        let args = self.graph().list(self.graph().args);
        for (i, shape) in skeleton.args.iter().enumerate() {
            self.leaf_nodes_in(args.get(i).copied().unwrap_or(EMPTY), shape, &mut nodes);
        }
        nodes
    }

    fn leaf_nodes_in<'a>(&'a self, id: NodeId, shape: &Shape, nodes: &mut Vec<Option<&'a LeafNode>>) {
        match (self.graph().node(id), shape) {
            (Node::Leaf(leaf), Shape::Leaf) => nodes.push(Some(leaf)),
            (_, Shape::Leaf) => nodes.push(None),
            (node, Shape::Str(len)) => (0..*len).for_each(|i| {
                let id = if let Node::Str(elements) = node { elements.node_at(i) } else { EMPTY };
                self.leaf_nodes_in(id, &Shape::Leaf, nodes);
            }),
            (node, Shape::Seq(shapes)) => (0..).zip(shapes.iter()).for_each(|(i, shape)| {
                let id = if let Node::Seq(elements) = node { elements.node_at(i) } else { EMPTY };
                self.leaf_nodes_in(id, shape, nodes);
            }),
            (node, Shape::Tuple(shapes) | Shape::Data(_, shapes)) => {
                let list = match (node, shape) {
                    (Node::Tuple(list), Shape::Tuple(_)) => self.graph().list(*list),
                    (Node::Data(ctors), Shape::Data(ctor, _)) => match ctors.get(*ctor as usize) {
                        Some(Some(ctor)) => self.graph().list(ctor.fields),
                        _ => &[],
                    },
                    _ => &[],
                };
                for (i, shape) in shapes.iter().enumerate() {
                    self.leaf_nodes_in(list.get(i).copied().unwrap_or(EMPTY), shape, nodes);
                }
            }
        }
    }

    /// For each parameter that is a scalar, its values.
    pub(crate) fn arg_domains(&self) -> Vec<Option<&[Value]>> {
        let domain = |id: &NodeId| match self.graph().node(*id) {
            Node::Leaf(leaf) => Some(&self.domain(leaf)[..]),
            Node::Empty | Node::Str(_) | Node::Seq(_) | Node::Tuple(_) | Node::Data(_) => None,
        };
        self.arg_nodes().iter().map(domain).collect()
    }

    /// The nodes of the parameters.
    pub(crate) fn arg_nodes(&self) -> &[NodeId] {
        self.graph().list(self.graph().args)
    }

    /// The characters of strings at a position of the arguments that is not in a list: an argument, or a field of a first variant.
    /// They differ by index; the last ones are those of all further indexes.
    pub fn characters(&self, path: &[usize]) -> Vec<Vec<char>> {
        let char = |c: &Value| if let Value::Char(c) = c { Some(*c) } else { None };
        let of_index = |values: &Arc<[Value]>| values.iter().filter_map(char).collect();
        self.scalars(path)
            .filter(|scalars| scalars.is_text)
            .map_or_else(Vec::new, |scalars| scalars.values.iter().map(of_index).collect())
    }

    /// What strings and lists of scalars at a position of the arguments are made of, if these are there. The position is not in a
    /// list: an argument, or a field of a first variant.
    pub fn scalars(&self, path: &[usize]) -> Option<Scalars> {
        let mut nodes = self.arg_nodes();
        let mut found = &Node::Empty;
        for index in path {
            found = nodes.get(*index).map_or(&Node::Empty, |id| self.graph().node(*id));
            nodes = match found {
                Node::Tuple(list) => self.graph().list(*list),
                Node::Data(ctors) => match ctors.first() {
                    Some(Some(ctor)) => self.graph().list(ctor.fields),
                    _ => &[],
                },
                Node::Empty | Node::Leaf(_) | Node::Str(_) | Node::Seq(_) => &[],
            };
        }
        let (Node::Str(elements) | Node::Seq(elements)) = found else { return None };
        let n = elements.at.last().map_or(0, |(index, _)| index + 1);
        let of = |index| match self.graph().node(elements.node_at(index)) {
            Node::Leaf(leaf) => Some(Arc::clone(self.domain(leaf))),
            Node::Empty => Some(Arc::default()),
            Node::Str(_) | Node::Seq(_) | Node::Tuple(_) | Node::Data(_) => None,
        };
        let values = (0..=n).map(of).collect::<Option<_>>().filter(|_| elements.collection.is_none())?;
        Some(Scalars { is_text: matches!(found, Node::Str(_)), lens: elements.lens.clone(), values })
    }

    /// The values at a node.
    pub(crate) fn view(&self, id: NodeId) -> NodeView<'_> {
        match self.graph().node(id) {
            Node::Empty => NodeView::Empty,
            Node::Leaf(leaf) => NodeView::Leaf(leaf),
            Node::Str(elements) => NodeView::Str(elements),
            Node::Seq(elements) => NodeView::Seq(elements),
            Node::Tuple(list) => NodeView::Tuple(self.graph().list(*list)),
            Node::Data(ctors) => NodeView::Data(
                ctors
                    .iter()
                    .map(|ctor| {
                        let ctor = ctor.as_ref()?;
                        Some(CtorView { fields: self.graph().list(ctor.fields), recursive: ctor.recursive })
                    })
                    .collect(),
            ),
        }
    }

    /// The least and the greatest size that a skeleton has.
    pub(crate) fn sizes(&self) -> std::ops::RangeInclusive<u64> {
        self.inner.extents.sizes(&self.inner.graph)
    }

    /// Maximum nesting of recursive constructors.
    pub(crate) fn nesting(&self) -> u32 {
        self.depth()
    }

    /// Whether an argument tuple is in the space. Refinements matter only as far as they limit lengths and domains.
    pub fn contains(&self, args: &[Value]) -> bool {
        let answers;
        let args = if self.spec().callbacks.is_empty() {
            args
        } else {
            answers = as_answers(args, self.spec());
            &answers
        };
        let nodes = self.graph().list(self.graph().args);
        nodes.len() == args.len()
            && nodes.iter().zip(args).all(|(id, arg)| self.contains_at(*id, arg, self.depth()))
    }

    fn contains_at(&self, id: NodeId, value: &Value, rem: u32) -> bool {
        match (self.graph().node(id), value) {
            (Node::Leaf(leaf), _) => {
                self.domain(leaf).binary_search_by(|x| order(x, value)).is_ok_and(|at| {
                    // All values of another sort compare as equal.
                    self.domain(leaf).get(at) == Some(value)
                })
            }
            (Node::Str(elements), Value::Str(text)) => {
                let n = text.chars().count();
                elements.lens.iter().any(|len| *len as usize == n)
                    && (0..)
                        .zip(text.chars())
                        .all(|(i, c)| self.contains_at(elements.node_at(i), &Value::Char(c), rem))
            }
            (Node::Seq(elements), Value::Seq(parts)) => {
                elements.lens.iter().any(|len| *len as usize == parts.len())
                    && elements.collection.is_none_or(|kind| in_order(kind, parts))
                    && (0..)
                        .zip(parts.iter())
                        .all(|(i, part)| self.contains_at(elements.node_at(i), part, rem))
            }
            (Node::Tuple(list), Value::Tuple(parts)) => self.contains_all(*list, parts, rem),
            (Node::Data(ctors), Value::Data(ctor, fields)) => match ctors.get(*ctor as usize) {
                Some(Some(ctor)) => {
                    after(ctor, rem).is_some_and(|rem| self.contains_all(ctor.fields, fields, rem))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn contains_all(&self, list: ListId, parts: &[Value], rem: u32) -> bool {
        let nodes = self.graph().list(list);
        nodes.len() == parts.len()
            && nodes.iter().zip(parts).all(|(id, part)| self.contains_at(*id, part, rem))
    }

    pub(crate) fn has_in_domain(&self, leaf: &LeafNode, value: &Value) -> bool {
        let domain = self.domain(leaf);
        // All values of another sort compare as equal.
        domain.binary_search_by(|x| order(x, value)).is_ok_and(|at| domain[at] == *value)
    }

    pub(crate) fn domain<'a>(&self, leaf: &'a LeafNode) -> &'a Arc<[Value]> {
        let own = self.inner.spec.params.len() as u32;
        leaf.domain(self.bounds().bound, own, self.inner.candidates.as_deref())
    }

    fn depth(&self) -> u32 {
        self.bounds().depth.min(MAX_NESTING)
    }

    fn graph(&self) -> &Graph {
        &self.inner.graph
    }

    fn extents(&self) -> &Extents {
        &self.inner.extents
    }
}

/// The conditions on all parameters. `explore` narrows the usual space, and no other.
fn conditions(spec: &Spec, is_usual: bool) -> impl Iterator<Item = &Clause> {
    let explore = if is_usual { &spec.explore[..] } else { &[] };
    spec.requires.iter().chain(explore)
}

#[cfg(test)]
pub(crate) mod tests;
