//! The glue of one subject, as a generated harness declares it.

use super::arena::Arena;
use crate::logic::value::Value;

/// The generated glue of one subject.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its number in its package. A harness need not have all functions.
    pub number: u32,
    /// The key of its spec, for messages.
    pub name: &'static str,
    /// Converts the arguments, calls the subject inside [`Arena::subject`], and converts the outcome.
    pub run: Run,
    /// The `where` conditions, by the number in [`crate::logic::ir::Term::Opaque`], on the values of the term's arguments.
    pub opaques: &'static [Condition],
    /// For data types that a function builds, by [`crate::logic::ir::DataId`]: whether it may reject values.
    pub builders: &'static [(u32, MayFail)],
}

/// The type of [`Function::run`]. Values in the arena live as long as the case.
pub type Run = for<'a> fn(&'a [Value], &'a Arena) -> Ran;

/// The type of a `where` condition. A panic in it is a mistake in the spec.
pub type Condition = for<'a> fn(&'a [Value], &'a Arena) -> bool;

/// Whether a function that builds values may reject them.
pub type MayFail = fn() -> bool;

/// The outcome of a call that returned.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The result, with [`Value::unit`] for parts that the tool can't read.
    pub result: Value,
    /// All parameters on return, if any is `&mut`. For the others, the value on entry.
    pub after: Option<Vec<Value>>,
}
