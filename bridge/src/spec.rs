//! The spec language: text to [`ast`] and back.

pub mod ast;
mod lex;
pub mod parse;
pub mod print;
