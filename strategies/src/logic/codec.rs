//! Encodes values and specs as bytes, without dependencies: for messages between processes, and as keys of caches.
//!
//! Integers are written in groups of seven bits, lists and texts after their length, enums after the number of their
//! variant. Decoding is safe on any bytes: it may fail, but it doesn't panic, allocates at most as much as the input
//! is long, and limits nesting. It is not a file format: another version may write other bytes.

mod reader;
mod macros;
mod impls;
mod ir;
mod value;

pub(crate) use macros::{codec_enum, codec_struct};
pub use reader::{Codec, DecodeError, Reader};
pub use value::crosses;

#[cfg(test)]
mod tests;
