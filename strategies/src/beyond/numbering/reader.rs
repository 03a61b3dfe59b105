//! Reads the scalars of a structure in an order.

use std::collections::{BTreeMap, BTreeSet};

use super::{ARGUMENTS, Kind, Order, Place};
use crate::logic::int::Int;
use crate::logic::value::Value;
use crate::space::{Elements, NodeId, NodeView, Space, code};

/// A scalar: its position in the order in which scalars are stored, and its code.
pub(super) type Read = (usize, Int);

/// Reads the scalars at some nodes.
pub(super) struct Reader<'s> {
    space: &'s Space,
    nodes: &'s BTreeSet<NodeId>,
    order: &'s Order,
    /// Number of scalars so far.
    pub(super) n_read: usize,
    /// The constructors so far with scalars of their own and other parts, and whether one scalar may come between each two parts.
    pub(super) kinds: BTreeMap<Kind, bool>,
}

/// What is read of a field.
enum Field {
    /// A scalar in the order.
    Scalar(Vec<Read>),
    /// A list of such scalars.
    Scalars(Vec<Read>),
    /// Another list, by elements.
    List(Vec<Vec<Read>>),
    /// Anything else.
    Other(Vec<Read>),
}

impl<'s> Reader<'s> {
    pub(super) fn new(space: &'s Space, nodes: &'s BTreeSet<NodeId>, order: &'s Order) -> Reader<'s> {
        Reader { space, nodes, order, n_read: 0, kinds: BTreeMap::new() }
    }

    /// The scalars of all arguments, or of each, the first ones first.
    pub(super) fn sequences(&mut self, args: &[Value], is_one: bool) -> Vec<Vec<Read>> {
        let nodes = self.space.arg_nodes();
        let mut sequences = if is_one {
            vec![self.read_fields(ARGUMENTS, nodes, args)]
        } else {
            nodes.iter().zip(args).map(|(node, arg)| self.read(*node, arg)).collect()
        };
        if self.order.is_descending {
            sequences.iter_mut().for_each(|sequence| sequence.reverse());
        }
        sequences
    }

    pub(super) fn read(&mut self, node: NodeId, value: &Value) -> Vec<Read> {
        match (self.space.view(node), value) {
            (NodeView::Leaf(_), value) if self.nodes.contains(&node) => {
                self.n_read += 1;
                code(value).map(|code| (self.n_read - 1, code)).into_iter().collect()
            }
            (NodeView::Data(ctors), Value::Data(ctor, fields)) => match ctors.get(*ctor as usize) {
                Some(Some(view)) => self.read_fields(*ctor, view.fields, fields),
                Some(None) | None => Vec::new(),
            },
            (NodeView::Tuple(nodes), Value::Tuple(parts)) => {
                nodes.iter().zip(parts.iter()).flat_map(|(node, part)| self.read(*node, part)).collect()
            }
            (NodeView::Seq(elements), Value::Seq(parts)) => {
                self.read_elements(elements, parts).into_iter().flatten().collect()
            }
            (
                NodeView::Empty
                | NodeView::Leaf(_)
                | NodeView::Str(_)
                | NodeView::Seq(_)
                | NodeView::Tuple(_)
                | NodeView::Data(_),
                _,
            ) => Vec::new(),
        }
    }

    fn read_elements(&mut self, elements: &Elements, parts: &[Value]) -> Vec<Vec<Read>> {
        (0..).zip(parts).map(|(i, part)| self.read(elements.node_at(i), part)).collect()
    }

    fn read_field(&mut self, node: NodeId, value: &Value) -> Field {
        if self.nodes.contains(&node) {
            return Field::Scalar(self.read(node, value));
        }
        match (self.space.view(node), value) {
            (NodeView::Seq(elements), Value::Seq(parts)) => {
                let is_of_scalars = self.nodes.contains(&elements.each);
                let read = self.read_elements(elements, parts);
                if is_of_scalars { Field::Scalars(read.concat()) } else { Field::List(read) }
            }
            _ => Field::Other(self.read(node, value)),
        }
    }

    /// Reads the scalars of a constructor where they belong among its parts.
    fn read_fields(&mut self, ctor: u32, nodes: &[NodeId], values: &[Value]) -> Vec<Read> {
        let pairs = nodes.iter().zip(values);
        let fields: Vec<Field> = pairs.map(|(node, value)| self.read_field(*node, value)).collect();
        let has_own = fields.iter().any(|field| matches!(field, Field::Scalar(_)));
        let n_parts = fields.iter().filter(|field| !matches!(field, Field::Scalar(_))).count();
        let may_alternate = may_alternate(&fields);
        if n_parts > 0 && (has_own || may_alternate) {
            *self.kinds.entry((ctor, n_parts)).or_insert(true) &= may_alternate;
        }
        match self.order.places.get(&(ctor, n_parts)) {
            Some(Place::Between) => alternating(fields),
            Some(Place::After(n)) => after(fields, *n),
            None => after(fields, 0),
        }
    }
}

/// Whether one scalar may come between each two parts, and this is no other order.
fn may_alternate(fields: &[Field]) -> bool {
    let n_of = |field: &Field| match field {
        Field::Scalar(_) => (1, 0, false),
        Field::Scalars(read) => (read.len(), 0, true),
        Field::List(parts) => (0, parts.len(), true),
        Field::Other(_) => (0, 1, false),
    };
    let counts = fields.iter().map(n_of);
    let (n_scalars, n_parts, has_lists) =
        counts.fold((0, 0, false), |all, field| (all.0 + field.0, all.1 + field.1, all.2 || field.2));
    (has_lists || n_scalars > 1) && (n_parts == 0 || n_parts == n_scalars + 1)
}

/// The scalars of fields, those of the constructor's own after so many other fields.
fn after(fields: Vec<Field>, n: usize) -> Vec<Read> {
    let (mut own, mut parts) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Scalar(read) => own.extend(read),
            Field::List(read) => parts.push(read.concat()),
            Field::Scalars(read) | Field::Other(read) => parts.push(read),
        }
    }
    let after = parts.split_off(n.min(parts.len()));
    parts.into_iter().flatten().chain(own).chain(after.into_iter().flatten()).collect()
}

/// The scalars of fields, one of the constructor's own after each part.
fn alternating(fields: Vec<Field>) -> Vec<Read> {
    let (mut own, mut parts) = (Vec::new(), Vec::new());
    for field in fields {
        match field {
            Field::Scalar(read) | Field::Scalars(read) => own.extend(read),
            Field::List(read) => parts.extend(read),
            Field::Other(read) => parts.push(read),
        }
    }
    let mut own = own.into_iter();
    let mut all: Vec<Read> = parts.into_iter().flat_map(|part| part.into_iter().chain(own.next())).collect();
    all.extend(own);
    all
}
