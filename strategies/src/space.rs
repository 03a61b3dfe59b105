//! The input space of a spec: every argument tuple within the bounds, before refinement.
//!
//! All generators read this one description, so that they differ only in how they find the members that the
//! refinements admit. A space is a list of [`Skeleton`]s, small first: lengths and constructors are fixed, and what
//! is left open are scalar *leaves*, each with a finite domain, small first.
//!
//! For `fn(k: Nat, xs: Vec<Score>)` at depth 2 the skeletons are `(_, [])`, `(_, [_])`, `(_, [_, _])`.

use std::sync::Arc;

use crate::ir::{IntKind, Spec};
use crate::value::Value;

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
    Float,
}

/// The space of one spec.
#[derive(Clone, Debug)]
pub struct Space {
    spec: Arc<Spec>,
    bounds: Bounds,
}
