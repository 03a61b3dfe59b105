//! The spec language: turns text into [`ast`] and back.

pub mod ast;
pub mod grammar;
mod lex;
pub mod parse;
pub mod print;
