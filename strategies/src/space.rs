//! The input space of a spec: every argument tuple within the bounds, before refinement.
//!
//! All generators read this one description, so that they differ only in how they find the members that the
//! refinements admit. A space is a list of [`Skeleton`]s, small first: lengths and constructors are fixed, and what
//! is left open are scalar *leaves*, each with a finite domain, small first.
//!
//! For `fn(k: Nat, xs: Vec<Score>)` at depth 2 the skeletons are `(_, [])`, `(_, [_])`, `(_, [_, _])`.

mod interval;
mod judge;
mod facts;
mod constraint;
mod affix;
mod language;
mod named;
mod domain;
mod node;
mod shape;

use std::sync::Arc;

use crate::collection::in_order;
use crate::ir::{FloatKind, IntKind, Spec};
use crate::value::Value;
use domain::order;
use node::{EMPTY, Graph, ListId, Node, NodeId};
use shape::{Extents, after};

pub(crate) use facts::{code, float_of_code};
pub(crate) use judge::constant;
pub(crate) use node::{Elements, NodeId as PlaceId, Place};

pub use domain::FIRST_CHARS;
pub(crate) use domain::drawn_in;
pub use shape::Skeletons;

/// How far the space reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The length of lists, the nesting of recursive constructors.
    pub depth: u32,
    /// The magnitude of integers.
    pub bound: u32,
}

/// An argument tuple with its lengths and constructors fixed and its scalars open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Skeleton {
    /// One shape for each parameter.
    pub args: Vec<Shape>,
}

/// A value with its scalars open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A scalar: the next leaf in depth-first order.
    Leaf,
    /// A string of so many characters, each a leaf.
    Str(u32),
    /// A sequence.
    Seq(Arc<[Shape]>),
    /// A tuple.
    Tuple(Arc<[Shape]>),
    /// A constructor and its fields.
    Data(u32, Arc<[Shape]>),
}

/// An open scalar of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Leaf {
    /// What it is.
    pub sort: LeafSort,
    /// The values that it takes, small first, without duplicates.
    pub domain: Arc<[Value]>,
}

/// The scalar sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of Sort")]
pub enum LeafSort {
    Bool,
    Int(IntKind),
    Char,
    Float(FloatKind),
    /// An enum of so many constructors without fields.
    Enum(u32),
}

/// What can stand at a place, for the native engine.
pub(crate) enum NodeView<'s> {
    /// Nothing.
    Empty,
    /// A scalar of this domain.
    Leaf(&'s Arc<[Value]>),
    /// A string.
    Str(&'s Elements),
    /// A sequence.
    Seq(&'s Elements),
    /// A tuple.
    Tuple(&'s [PlaceId]),
    /// A data value, by its constructors.
    Data(Vec<Option<CtorPlace<'s>>>),
}

/// A constructor that can stand at a place.
pub(crate) struct CtorPlace<'s> {
    /// The places of its fields.
    pub fields: &'s [PlaceId],
    /// Whether it counts towards the depth.
    pub recursive: bool,
}

/// The space of one spec. Clones share.
#[derive(Clone, Debug)]
pub struct Space {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    spec: Arc<Spec>,
    bounds: Bounds,
    graph: Graph,
    extents: Extents,
}

/// A greater nesting of recursive constructors is taken for this one: values are trees, and walked as such.
const MAX_NESTING: u32 = 200;

impl Space {
    /// The space of a spec within bounds. Takes no longer for a big space than for a small one.
    pub fn new(spec: Arc<Spec>, bounds: Bounds) -> Space {
        let graph = Graph::new(&spec, bounds);
        let extents = Extents::new(&graph, bounds.depth.min(MAX_NESTING));
        Space { inner: Arc::new(Inner { spec, bounds, graph, extents }) }
    }

    /// The spec that it is the space of.
    pub fn spec(&self) -> &Arc<Spec> {
        &self.inner.spec
    }

    /// How far it reaches.
    pub fn bounds(&self) -> Bounds {
        self.inner.bounds
    }

    /// All skeletons, small first, each made when asked for.
    pub fn skeletons(&self) -> Skeletons {
        Skeletons::new(self.clone())
    }

    /// How many skeletons there are, unless they are too many to count.
    pub fn n_skeletons(&self) -> Option<u128> {
        Some(self.inner.extents.n_skeletons(&self.inner.graph)).filter(|n| *n < u128::MAX)
    }

    /// Whether a greater depth has more shapes: there are lists, strings or recursive types whose lengths or nesting
    /// the refinements don't limit.
    pub fn is_cut_by_depth(&self) -> bool {
        self.inner.graph.is_cut_by_depth
    }

    /// The open scalars of a skeleton in depth-first order, the characters of strings among them.
    pub fn leaves(&self, skeleton: &Skeleton) -> Vec<Leaf> {
        self.places(skeleton)
            .into_iter()
            .map(|place| match place {
                Some(place) => Leaf { sort: place.scalar.sort, domain: self.domain(place).clone() },
                None => Leaf { sort: LeafSort::Bool, domain: Arc::from([]) },
            })
            .collect()
    }

    /// The places of the scalars of a skeleton; `None` for those where the types have no scalar.
    pub(crate) fn places(&self, skeleton: &Skeleton) -> Vec<Option<&Place>> {
        let mut places = Vec::new();
        let args = self.graph().list(self.graph().args);
        for (i, shape) in skeleton.args.iter().enumerate() {
            self.places_in(args.get(i).copied().unwrap_or(EMPTY), shape, &mut places);
        }
        places
    }

    fn places_in<'a>(&'a self, id: NodeId, shape: &Shape, places: &mut Vec<Option<&'a Place>>) {
        match (self.graph().node(id), shape) {
            (Node::Leaf(place), Shape::Leaf) => places.push(Some(place)),
            (_, Shape::Leaf) => places.push(None),
            (node, Shape::Str(len)) => (0..*len).for_each(|i| {
                let id = if let Node::Str(elements) = node { elements.node_at(i) } else { EMPTY };
                self.places_in(id, &Shape::Leaf, places);
            }),
            (node, Shape::Seq(shapes)) => (0..).zip(shapes.iter()).for_each(|(i, shape)| {
                let id = if let Node::Seq(elements) = node { elements.node_at(i) } else { EMPTY };
                self.places_in(id, shape, places);
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
                    self.places_in(list.get(i).copied().unwrap_or(EMPTY), shape, places);
                }
            }
        }
    }

    /// The places of the parameters.
    pub(crate) fn arg_places(&self) -> &[PlaceId] {
        self.graph().list(self.graph().args)
    }

    /// What can stand at a place.
    pub(crate) fn view(&self, place: PlaceId) -> NodeView<'_> {
        match self.graph().node(place) {
            Node::Empty => NodeView::Empty,
            Node::Leaf(place) => NodeView::Leaf(self.domain(place)),
            Node::Str(elements) => NodeView::Str(elements),
            Node::Seq(elements) => NodeView::Seq(elements),
            Node::Tuple(list) => NodeView::Tuple(self.graph().list(*list)),
            Node::Data(ctors) => NodeView::Data(
                ctors
                    .iter()
                    .map(|ctor| {
                        let ctor = ctor.as_ref()?;
                        Some(CtorPlace { fields: self.graph().list(ctor.fields), recursive: ctor.recursive })
                    })
                    .collect(),
            ),
        }
    }

    /// The least and the greatest size that a skeleton has.
    pub(crate) fn sizes(&self) -> std::ops::RangeInclusive<u64> {
        self.inner.extents.sizes(&self.inner.graph)
    }

    /// How many recursive constructors may stand inside each other.
    pub(crate) fn nesting(&self) -> u32 {
        self.depth()
    }

    /// Whether an argument tuple lies in the space, whatever the refinements say beyond lengths and domains.
    pub fn contains(&self, args: &[Value]) -> bool {
        let places = self.graph().list(self.graph().args);
        places.len() == args.len()
            && places.iter().zip(args).all(|(place, arg)| self.contains_at(*place, arg, self.depth()))
    }

    fn contains_at(&self, id: NodeId, value: &Value, rem: u32) -> bool {
        match (self.graph().node(id), value) {
            (Node::Leaf(place), _) => {
                self.domain(place).binary_search_by(|x| order(x, value)).is_ok_and(|at| {
                    // Of another sort, everything is of the same order.
                    self.domain(place).get(at) == Some(value)
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
        let places = self.graph().list(list);
        places.len() == parts.len()
            && places.iter().zip(parts).all(|(place, part)| self.contains_at(*place, part, rem))
    }

    pub(crate) fn has_in_domain(&self, place: &Place, value: &Value) -> bool {
        let domain = self.domain(place);
        // Of another sort, everything is of the same order.
        domain.binary_search_by(|x| order(x, value)).is_ok_and(|at| domain[at] == *value)
    }

    pub(crate) fn domain<'a>(&self, place: &'a Place) -> &'a Arc<[Value]> {
        place.domain(self.bounds().bound, self.inner.spec.params.len() as u32)
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

impl Skeleton {
    /// How many leaves it has.
    pub fn n_leaves(&self) -> usize {
        self.args.iter().map(Shape::n_leaves).sum()
    }

    /// How big its structure is: one for each element, each character and each constructor with fields.
    pub fn size(&self) -> u64 {
        self.args.iter().map(Shape::size).sum()
    }
}

/// The argument tuple with this skeleton and these scalars, one for each leaf in depth-first order.
pub fn assemble(skeleton: &Skeleton, scalars: &[Value]) -> Vec<Value> {
    let mut scalars = scalars.iter();
    skeleton.args.iter().map(|shape| shape.assemble(&mut scalars)).collect()
}

/// The skeleton of an argument tuple.
pub fn skeleton_of(args: &[Value]) -> Skeleton {
    Skeleton { args: args.iter().map(Shape::of).collect() }
}

impl Shape {
    /// The shape of a value.
    pub fn of(value: &Value) -> Shape {
        let all = |parts: &Arc<[Value]>| parts.iter().map(Shape::of).collect();
        match value {
            Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => Shape::Leaf,
            Value::Str(text) => Shape::Str(text.chars().count() as u32),
            Value::Seq(parts) => Shape::Seq(all(parts)),
            Value::Tuple(parts) => Shape::Tuple(all(parts)),
            Value::Data(ctor, fields) => Shape::Data(*ctor, all(fields)),
        }
    }

    /// How many leaves it has.
    pub fn n_leaves(&self) -> usize {
        match self {
            Shape::Leaf => 1,
            Shape::Str(len) => *len as usize,
            Shape::Seq(parts) | Shape::Tuple(parts) | Shape::Data(_, parts) => {
                parts.iter().map(Shape::n_leaves).sum()
            }
        }
    }

    fn size(&self) -> u64 {
        let inside = |parts: &[Shape]| parts.iter().map(Shape::size).sum::<u64>();
        match self {
            Shape::Leaf => 0,
            Shape::Str(len) => u64::from(*len),
            Shape::Seq(parts) => parts.len() as u64 + inside(parts),
            Shape::Tuple(parts) => inside(parts),
            Shape::Data(_, parts) => u64::from(!parts.is_empty()) + inside(parts),
        }
    }

    fn assemble(&self, scalars: &mut std::slice::Iter<Value>) -> Value {
        match self {
            Shape::Leaf => scalars.next().expect("there is a scalar for each leaf").clone(),
            Shape::Str(len) => {
                let chars = scalars.take(*len as usize).map(|c| match c {
                    Value::Char(c) => *c,
                    _ => char::REPLACEMENT_CHARACTER,
                });
                Value::Str(chars.collect::<String>().into())
            }
            Shape::Seq(parts) => Value::Seq(parts.iter().map(|part| part.assemble(scalars)).collect()),
            Shape::Tuple(parts) => Value::Tuple(parts.iter().map(|part| part.assemble(scalars)).collect()),
            Shape::Data(ctor, parts) => {
                Value::Data(*ctor, parts.iter().map(|part| part.assemble(scalars)).collect())
            }
        }
    }
}

/// The scalars of an argument tuple in depth-first order, the characters of strings among them.
pub fn scalars_of(args: &[Value]) -> Vec<Value> {
    fn go(value: &Value, scalars: &mut Vec<Value>) {
        match value {
            Value::Str(text) => scalars.extend(text.chars().map(Value::Char)),
            Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
                parts.iter().for_each(|part| go(part, scalars));
            }
            scalar => scalars.push(scalar.clone()),
        }
    }
    let mut scalars = Vec::new();
    args.iter().for_each(|arg| go(arg, &mut scalars));
    scalars
}

#[cfg(test)]
mod tests;
