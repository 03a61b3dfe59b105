//! The spec language: text to [`ast`] and back.

pub mod ast;
