//! A value as text that a person reads and diffs, and back, guided by its type.
//!
//! It is as close to Rust as can be without paths and pointers, which the type knows: `-3`, `'a'`, `"text"`,
//! `(1, true)`, `[1, 2]`, sets `{1, 2}`, maps `{1: 2}`, `Node(Black, Leaf, 3, Leaf)`, `Account { id: 1 }`. Data that a
//! function builds is written as its call. Each value has one text, the same with every compiler; what is read may also
//! have other white space, a trailing comma, or a path before a constructor's name.

mod parse;
mod print;

pub use parse::Mistake;

use crate::ir::{Refined, Spec};
use crate::value::Value;

/// The deepest nesting of data and containers that is written, and read. Arguments are never so deep.
const DEEPEST: u32 = 500;

/// The text of a value of a refined type. What is nested deeper than can be read is cut, as `..`.
///
/// ```
/// use target_strategies::ir::{IntKind, Refined, SeqKind, Sort, Spec};
/// use target_strategies::notation::{parse, print};
/// use target_strategies::value::Value;
///
/// let spec = Spec::unrefined("f");
/// let element = Refined::plain(Sort::Int(IntKind::I64));
/// let list = Refined::plain(Sort::Seq(Box::new(element), SeqKind::Vec));
/// let value = Value::seq([Value::int(1), Value::int(-2)]);
/// assert_eq!(print(&value, &list, &spec), "[1, -2]");
/// assert_eq!(parse("[ 1,-2, ]", &list, &spec), Ok(value));
/// ```
pub fn print(value: &Value, refined: &Refined, spec: &Spec) -> String {
    let mut out = String::new();
    print::Printer { spec, out: &mut out }.value(value, refined, 0);
    out
}

/// The text of an argument tuple: `(1, [2])`, and `(1)` for one argument.
pub fn print_args(args: &[Value], spec: &Spec) -> String {
    let mut out = String::new();
    let params = spec.params.iter().map(|param| &param.refined);
    print::Printer { spec, out: &mut out }.list('(', args.iter().zip(params), ')', 0);
    out
}

/// The value of that text, if it is one of the type. Its refinements are not looked at: see [`crate::eval`].
pub fn parse(text: &str, refined: &Refined, spec: &Spec) -> Result<Value, Mistake> {
    let mut parser = parse::Parser::new(text, spec);
    let value = parser.value(refined, 0)?;
    parser.end().map(|()| value)
}

/// The argument tuple of that text.
pub fn parse_args(text: &str, spec: &Spec) -> Result<Vec<Value>, Mistake> {
    let mut parser = parse::Parser::new(text, spec);
    let params: Vec<&Refined> = spec.params.iter().map(|param| &param.refined).collect();
    let args = parser.tuple(&params, "argument", 0)?;
    parser.end().map(|()| args)
}

/// The name by which a constructor is written: the last word of its path.
pub(crate) fn constructor_name(rust_path: &str) -> &str {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    let start = rust_path.char_indices().rev().take_while(|(_, c)| is_of_word(*c)).last();
    start.map_or("_", |(start, _)| &rust_path[start..])
}

#[cfg(test)]
mod tests;
