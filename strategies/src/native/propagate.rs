//! The consequences of the choices so far: terms are reduced, domains narrowed, contradictions found.

pub mod slots;
pub mod reduce;
pub mod translation;
pub mod clause;
pub mod tools;
pub mod build;
pub mod range;
pub mod sums;
pub mod measure_bounds;
pub mod constructors;
pub mod same;
pub mod work;
