//! The spec language: turns text into [`ast`] and back.

pub mod ast;
mod lex;
pub mod parse;
pub mod print;
