//! Visits or replaces the scalars of arguments, whatever their size. Structures stay as they are.

use std::sync::Arc;

use crate::logic::value::Value;
use crate::space::{NodeId, NodeView, Scalar, Space};

/// The position of a scalar.
pub(super) struct Position<'s> {
    /// Its node.
    pub node: NodeId,
    /// The scalar, with the facts about it.
    pub scalar: &'s Scalar,
    /// Whether it is in a set or map, which is stored in order.
    pub is_in_order: bool,
}

/// Is told a scalar.
type Visit<'r> = dyn FnMut(&Position<'_>, &Value) + 'r;

/// Gives the new value of a scalar.
type Replace<'r> = dyn FnMut(&Position<'_>, &Value) -> Value + 'r;

/// Visits the scalars of some arguments. `None` if the arguments' structure is not one of the spec's types.
pub(super) fn visit_scalars(space: &Space, args: &[Value], visit: &mut Visit<'_>) -> Option<()> {
    visit_all(space, space.arg_nodes(), args, false, visit)
}

/// The arguments with other scalars. `None` if their structure is not one of the spec's types.
pub(super) fn replace_scalars(
    space: &Space,
    args: &[Value],
    replace: &mut Replace<'_>,
) -> Option<Vec<Value>> {
    replace_all(space, space.arg_nodes(), args, false, replace)
}

/// Number of scalars in some arguments.
pub(super) fn n_scalars(space: &Space, args: &[Value]) -> usize {
    let mut n = 0;
    visit_scalars(space, args, &mut |_, _| n += 1);
    n
}

fn visit_all(
    space: &Space,
    nodes: &[NodeId],
    parts: &[Value],
    is_in_order: bool,
    visit: &mut Visit<'_>,
) -> Option<()> {
    if nodes.len() != parts.len() {
        return None;
    }
    nodes.iter().zip(parts).try_for_each(|(node, part)| visit_at(space, *node, part, is_in_order, visit))
}

fn visit_at(
    space: &Space,
    node: NodeId,
    value: &Value,
    is_in_order: bool,
    visit: &mut Visit<'_>,
) -> Option<()> {
    match (space.view(node), value) {
        (NodeView::Leaf(leaf), value) => {
            visit(&Position { node, scalar: &leaf.scalar, is_in_order }, value);
            Some(())
        }
        (NodeView::Str(elements), Value::Str(text)) => {
            let mut chars = (0..).zip(text.chars());
            chars.try_for_each(|(i, c)| {
                visit_at(space, elements.node_at(i), &Value::Char(c), is_in_order, visit)
            })
        }
        (NodeView::Seq(elements), Value::Seq(parts)) => {
            let is_in_order = is_in_order || elements.collection.is_some();
            let mut parts = (0..).zip(parts.iter());
            parts.try_for_each(|(i, part)| visit_at(space, elements.node_at(i), part, is_in_order, visit))
        }
        (NodeView::Tuple(nodes), Value::Tuple(parts)) => visit_all(space, nodes, parts, is_in_order, visit),
        (NodeView::Data(ctors), Value::Data(ctor, fields)) => {
            let nodes = ctors.get(*ctor as usize)?.as_ref()?.fields;
            visit_all(space, nodes, fields, is_in_order, visit)
        }
        (
            NodeView::Empty | NodeView::Str(_) | NodeView::Seq(_) | NodeView::Tuple(_) | NodeView::Data(_),
            _,
        ) => None,
    }
}

fn replace_all(
    space: &Space,
    nodes: &[NodeId],
    parts: &[Value],
    is_in_order: bool,
    replace: &mut Replace<'_>,
) -> Option<Vec<Value>> {
    if nodes.len() != parts.len() {
        return None;
    }
    let pairs = nodes.iter().zip(parts);
    pairs.map(|(node, part)| replace_at(space, *node, part, is_in_order, replace)).collect()
}

fn replace_at(
    space: &Space,
    node: NodeId,
    value: &Value,
    is_in_order: bool,
    replace: &mut Replace<'_>,
) -> Option<Value> {
    match (space.view(node), value) {
        (NodeView::Leaf(leaf), value) => {
            Some(replace(&Position { node, scalar: &leaf.scalar, is_in_order }, value))
        }
        (NodeView::Str(elements), Value::Str(text)) => {
            let mut replaced = String::with_capacity(text.len());
            for (i, c) in (0..).zip(text.chars()) {
                let c = replace_at(space, elements.node_at(i), &Value::Char(c), is_in_order, replace)?;
                let Value::Char(c) = c else { return None };
                replaced.push(c);
            }
            Some(Value::Str(replaced.into()))
        }
        (NodeView::Seq(elements), Value::Seq(parts)) => {
            let is_in_order = is_in_order || elements.collection.is_some();
            let mut replaced = Vec::with_capacity(parts.len());
            for (i, part) in (0..).zip(parts.iter()) {
                replaced.push(replace_at(space, elements.node_at(i), part, is_in_order, replace)?);
            }
            Some(Value::Seq(Arc::from(replaced)))
        }
        (NodeView::Tuple(nodes), Value::Tuple(parts)) => {
            Some(Value::Tuple(replace_all(space, nodes, parts, is_in_order, replace)?.into()))
        }
        (NodeView::Data(ctors), Value::Data(ctor, fields)) => {
            let nodes = ctors.get(*ctor as usize)?.as_ref()?.fields;
            Some(Value::Data(*ctor, replace_all(space, nodes, fields, is_in_order, replace)?.into()))
        }
        (
            NodeView::Empty | NodeView::Str(_) | NodeView::Seq(_) | NodeView::Tuple(_) | NodeView::Data(_),
            _,
        ) => None,
    }
}
