//! Inputs from Z3: the paper's query, decode, check and refute loop, skeleton by skeleton.
//!
//! A skeleton fixes lengths and constructors; [`mod@encode`] evaluates the precondition over it symbolically, into
//! [`formula`]s over its scalars; [`split`] finds all their solutions through [`z3`], each once; [`decode`] makes
//! argument tuples of them. [`boundary`] looks beyond the bound, [`vacuous`] explains why there is nothing. The order of
//! the tuples is the space's own, whatever models the solver came up with. For shrinking, [`smaller`] lists what is
//! smaller than a tuple, and [`repair`] makes a smaller tuple valid that isn't.

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
pub mod z3;

#[cfg(test)]
mod tests;
