//! The meaning of specs: terms and sorts, values, and the judge that decides whether a value satisfies a term. All
//! other folders use this one, which imports only [`crate::cancel`].

#![warn(clippy::wildcard_enum_match_arm)]

pub mod machine;
pub mod value;
pub mod int;
pub mod order;
pub mod collection;
pub mod ir;
pub mod part;
pub mod table;
pub mod law;
pub mod codec;
pub mod rust_code;
pub mod notation;
pub mod eval;
pub mod grammar;
