//! Inputs with whole texts of the spec or of the function's source: `if s == "even:odd"` needs exactly that one.
//!
//! A text replaces a string in an input that is valid, and the judge decides whether it still is.

use std::sync::Arc;

use crate::logic::collection::ordered;
use crate::logic::eval;
use crate::logic::ir::Spec;
use crate::logic::value::Value;

/// Maximum number of inputs whose strings are replaced.
const BASES: usize = 64;

/// The texts, and the inputs that take them.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    texts: Vec<Arc<str>>,
    bases: Vec<Vec<Value>>,
    /// The input, the string in it, and the text that come next.
    next: (usize, usize, usize),
}

impl Texts {
    pub(super) fn new(texts: &[Arc<str>]) -> Texts {
        Texts { texts: texts.to_vec(), ..Texts::default() }
    }

    /// Keeps a valid input whose strings are replaced later.
    pub(super) fn keep(&mut self, args: &[Value]) {
        if self.bases.len() < BASES && !self.texts.is_empty() && n_strings(args) > 0 {
            self.bases.push(args.to_vec());
        }
    }

    /// The next input with a text, if the spec admits it.
    pub(super) fn next(&mut self, spec: &Spec) -> Option<Vec<Value>> {
        let (base, string, text) = self.next;
        let args = self.bases.get(base)?;
        // The strings of an input one after the other, each with all texts.
        self.next = if text + 1 < self.texts.len() {
            (base, string, text + 1)
        } else if string + 1 < n_strings(args) {
            (base, string + 1, 0)
        } else {
            (base + 1, 0, 0)
        };
        let mut n_before = string;
        let replaced = args.iter().map(|arg| with_text(arg, &mut n_before, &self.texts[text]));
        let in_order = replaced.zip(&spec.params).map(|(arg, param)| ordered(&arg, &param.refined, spec));
        let args: Vec<Value> = in_order.collect();
        eval::admits(spec, &args).then_some(args)
    }
}

/// Number of strings in some values.
fn n_strings(values: &[Value]) -> usize {
    let count = |value: &Value| match value {
        Value::Str(_) => 1,
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => n_strings(parts),
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => 0,
    };
    values.iter().map(count).sum()
}

/// A value in which the string after so many others has another text.
fn with_text(value: &Value, n_before: &mut usize, text: &Arc<str>) -> Value {
    let mut all = |parts: &[Value]| parts.iter().map(|part| with_text(part, n_before, text)).collect();
    match value {
        Value::Seq(parts) => Value::Seq(all(parts)),
        Value::Tuple(parts) => Value::Tuple(all(parts)),
        Value::Data(ctor, parts) => Value::Data(*ctor, all(parts)),
        Value::Str(old) => {
            let is_it = *n_before == 0;
            *n_before = n_before.wrapping_sub(1);
            Value::Str(if is_it { text.clone() } else { old.clone() })
        }
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Param, Refined, Sort, StrKind};

    #[test]
    fn each_string_takes_each_text() {
        let string = || Refined::plain(Sort::Str(StrKind::String));
        let pair = Refined::plain(Sort::Tuple(vec![string(), Refined::plain(Sort::Bool), string()]));
        let param = Param { name: "p".to_owned(), refined: pair, mutable: false };
        let spec = Spec { params: vec![param], ..Spec::unrefined("f") };
        let value = |a: &str, b: &str| Value::Tuple([Value::str(a), Value::Bool(true), Value::str(b)].into());
        let mut texts = Texts::new(&["GET".into(), "PUT".into()]);
        texts.keep(&[value("a", "b")]);
        let found: Vec<Value> = std::iter::from_fn(|| texts.next(&spec)).flatten().collect();
        assert_eq!(found, [value("GET", "b"), value("PUT", "b"), value("a", "GET"), value("a", "PUT")]);
    }
}
