//! Inputs from Z3: the paper's loop of query, decode, check and refute, skeleton by skeleton.
//!
//! A skeleton fixes lengths and constructors. [`mod@encode`] evaluates the precondition over it symbolically, into
//! [`formula`]s over its scalars. [`split`] finds all their solutions through a [`solver`], each once. [`decode`] turns
//! them into argument tuples, in the order of the space, whatever models the solver finds. [`boundary`] looks beyond
//! the bound, [`vacuous`] explains why a spec has no inputs, and [`implied`] shows that a condition follows from others.
//! For shrinking, [`smaller`] lists members smaller than a tuple, and [`repair`] makes smaller invalid tuples valid.

pub mod boundary;
pub mod decode;
pub mod encode;
pub mod formula;
pub mod least;
pub mod print;
pub mod repair;
pub mod smaller;
pub mod split;
pub mod vacuous;
pub mod implied;
pub mod solver;
mod answer;
#[cfg(not(feature = "z3"))]
mod absent;
#[cfg(feature = "z3")]
mod z3;

#[cfg(all(test, feature = "z3"))]
mod tests;
