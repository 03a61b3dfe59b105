//! Structures that are counted and measured: a spec of each in the terms of a fixture, and an enumerator of owned values as
//! one would write it by hand.
//!
//! The enumerators know the structure, and nothing of specs: they call back with each value, which they build anew. How
//! what a generator makes of the spec becomes the same owned value is written as the glue of a harness is.

mod arrays;
mod integers;
mod trees;

use std::fmt::Debug;
use std::hash::Hash;

use target_strategies::logic::value::Value;
use target_strategies::space::Space;

pub use arrays::{Heap, Heaps, SortedLists};
pub use integers::RelatedIntegers;
pub use trees::{Color, RedBlack, RedBlackTrees, Search, SearchTrees, n_keys};

/// Values by number: of keys, of cells, of elements, or the greatest.
pub trait Structure {
    /// The Rust type that the enumerator gives.
    type Owned: Clone + Debug + Eq + Hash + Send + Sync;

    /// What it is, for tables.
    const NAME: &'static str;

    /// The space of its spec.
    fn space(n: u32) -> Space;

    /// Calls back with each value, once.
    fn each(n: u32, found: &mut dyn FnMut(Self::Owned));

    /// The owned value of an argument tuple of the space.
    fn owned(args: &[Value]) -> Self::Owned;
}
