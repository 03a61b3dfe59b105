//! Values, refinements and generators: what `cargo target`, its harnesses and the tests it writes have in common.
//!
//! [`ir`] says what a spec means, [`value`] what its inputs look like, [`eval`] judges one by the other, [`space`] says
//! which inputs there are. [`enumerative`] and `random` are the baselines. Without its default features the crate
//! depends on nothing, and compiles with plain rustc: that is how a harness is built (see [`SOURCES`]).

pub mod int;
pub mod ir;
pub mod value;
pub mod wire;
pub mod eval;
pub mod rust_code;
pub mod space;
pub mod enumerative;
#[cfg(feature = "proptest")]
pub mod random;
pub mod boundary;
pub mod shrink;
pub mod protocol;
