//! Argument tuples without their scalars: the skeleton of a tuple, and the tuple of a skeleton and scalars.

use std::sync::Arc;

use crate::logic::value::Value;

/// An argument tuple with fixed lengths and constructors and open scalars.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Skeleton {
    /// One shape for each parameter.
    pub args: Vec<Shape>,
}

/// The shape of a value: its scalars are open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A scalar: the next leaf in depth-first order.
    Leaf,
    /// A string of this many characters, each a leaf.
    Str(u32),
    /// A sequence.
    Seq(Arc<[Shape]>),
    /// A tuple.
    Tuple(Arc<[Shape]>),
    /// A constructor and its fields.
    Data(u32, Arc<[Shape]>),
}

impl Skeleton {
    /// Number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.args.iter().map(Shape::n_leaves).sum()
    }

    /// Size of the structure: one for each element, each character and each constructor with fields.
    pub fn size(&self) -> u64 {
        self.args.iter().map(Shape::size).sum()
    }
}

/// The argument tuple with this skeleton and these scalars, which are in depth-first order.
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

    /// Number of leaves.
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
                let char_of =
                    |c: &Value| if let Value::Char(c) = c { *c } else { char::REPLACEMENT_CHARACTER };
                let chars = scalars.take(*len as usize).map(char_of);
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

/// The scalars of an argument tuple in depth-first order, including the characters of strings.
pub fn scalars_of(args: &[Value]) -> Vec<Value> {
    fn go(value: &Value, scalars: &mut Vec<Value>) {
        match value {
            Value::Str(text) => scalars.extend(text.chars().map(Value::Char)),
            Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
                parts.iter().for_each(|part| go(part, scalars));
            }
            Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => scalars.push(value.clone()),
        }
    }
    let mut scalars = Vec::new();
    args.iter().for_each(|arg| go(arg, &mut scalars));
    scalars
}
