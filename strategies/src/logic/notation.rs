//! Values as text that people read and diff, in both directions, guided by the type.
//!
//! The text is as close to Rust as possible without paths and pointers, which the type knows: `-3`, `'a'`, `"text"`,
//! `(1, true)`, `[1, 2]`, sets `{1, 2}`, maps `{1: 2}`, `Node(Black, Leaf, 3, Leaf)`, `Account { id: 1 }`. Data that
//! a function builds is written as its call. Each value has one text, the same with every compiler. The parser also
//! accepts other white space, a trailing comma, or a path before a constructor's name.

mod syntax;
mod parse;
mod print;

pub use parse::Mistake;

use crate::logic::ir::{Refined, Spec};
use crate::logic::value::Value;

/// The text of a value of a refined type. What is nested deeper than can be read is cut, as `..`.
///
/// ```
/// use target_strategies::logic::ir::{IntKind, Refined, SeqKind, Sort, Spec};
/// use target_strategies::logic::notation::{parse, print};
/// use target_strategies::logic::value::Value;
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

/// The text of an argument tuple: `(1, [2])`, or `(1)` for one argument.
pub fn print_args(args: &[Value], spec: &Spec) -> String {
    let mut out = String::new();
    let params = spec.params.iter().map(|param| &param.refined);
    print::Printer { spec, out: &mut out }.list('(', args.iter().zip(params), ')', 0);
    out
}

/// The value of a text, if it is a value of the type. Refinements are not checked: see [`crate::logic::eval`].
pub fn parse(text: &str, refined: &Refined, spec: &Spec) -> Result<Value, Mistake> {
    let mut parser = parse::Parser::new(text, spec);
    let value = parser.value(refined, 0)?;
    parser.end().map(|()| value)
}

/// The value of a text if it is a value that a subject returned: a part that the tool couldn't read is `_`, and an opaque
/// value is the text that it displays, or that its `Debug` gives.
///
/// ```
/// use target_strategies::logic::ir::{Refined, Sort, Spec};
/// use target_strategies::logic::notation::{parse, parse_outcome, print};
/// use target_strategies::logic::value::Value;
///
/// let spec = Spec { displayed: vec!["std::io::Error".to_owned()], ..Spec::unrefined("f") };
/// let error = Refined::plain(Sort::Opaque("std::io::Error".to_owned()));
/// let text = print(&Value::str("oh no"), &error, &spec);
/// assert_eq!(parse_outcome(&text, &error, &spec), Ok(Value::str("oh no")));
/// assert!(parse(&text, &error, &spec).is_err());
/// ```
pub fn parse_outcome(text: &str, refined: &Refined, spec: &Spec) -> Result<Value, Mistake> {
    let mut parser = parse::Parser::of_outcomes(text, spec);
    let value = parser.value(refined, 0)?;
    parser.end().map(|()| value)
}

/// The argument tuple of a text.
pub fn parse_args(text: &str, spec: &Spec) -> Result<Vec<Value>, Mistake> {
    let mut parser = parse::Parser::new(text, spec);
    let params: Vec<&Refined> = spec.params.iter().map(|param| &param.refined).collect();
    let args = parser.tuple(&params, "argument", 0)?;
    parser.end().map(|()| args)
}

#[cfg(all(test, feature = "proptest"))]
mod tests;
