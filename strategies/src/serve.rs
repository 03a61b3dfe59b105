//! The runtime of a harness: a child process that runs one subject on one case after another.
//!
//! The generated `main` of a harness is one call of [`main`] with a table of [`Function`]s. A function's glue turns
//! argument [`Value`]s into Rust values ([`convert`]), keeps in an [`Arena`] what the subject takes by reference, and
//! turns the result back. For `fn rescale(r1: i64, r2: i64, s: i64) -> i64` it reads
//!
//! ```
//! # fn rescale(r1: i64, r2: i64, s: i64) -> i64 { s * r2 / r1 }
//! use target_strategies::serve::{Arena, Function, Ran, convert};
//! use target_strategies::value::Value;
//!
//! fn run<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
//!     let (r1, r2) = (convert::as_i64(&args[0]), convert::as_i64(&args[1]));
//!     let s = convert::as_i64(&args[2]);
//!     let result = arena.subject(|| rescale(r1, r2, s));
//!     Ran { result: convert::from_i64(result), after: None }
//! }
//!
//! static FUNCTIONS: &[Function] = &[Function { name: "rescale", run, opaques: &[] }];
//! ```
//!
//! The parent's side is `cargo-target`'s worker; [`crate::protocol`] is what they speak. Nothing here knows cargo.

mod arena;
pub mod convert;
pub mod page;
mod platform;

pub use arena::Arena;

use crate::value::Value;

/// What the generated glue of a harness can do for one subject.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The key of its spec, for messages.
    pub name: &'static str,
    /// Converts the arguments, calls the subject inside [`Arena::subject`], converts what came of it.
    pub run: Run,
    /// The `where` conditions, by the number in [`crate::ir::Term::Opaque`], on the values of the term's arguments.
    pub opaques: &'static [Condition],
}

/// The type of [`Function::run`]: what it keeps in the arena lives as long as the case.
pub type Run = for<'a> fn(&'a [Value], &'a Arena) -> Ran;

/// The type of a `where` condition; a panic in it is a mistake in the spec.
pub type Condition = for<'a> fn(&'a [Value], &'a Arena) -> bool;

/// What came of a call that returned.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The result, [`Value::unit`] in place of what the tool can't look into.
    pub result: Value,
    /// All parameters as on return, if any is `&mut`; for the others, the value on entry.
    pub after: Option<Vec<Value>>,
}

/// Serves the parent until it closes the standard input; the `main` of every harness.
pub fn main(functions: &[Function]) {
    let _ = functions;
}
