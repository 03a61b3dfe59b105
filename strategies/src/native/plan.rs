//! The problem to solve: the types of a spec as a graph, the domains of its scalars, and values to choose under
//! constraints.

pub mod types;
pub mod domain;
pub mod problem;
