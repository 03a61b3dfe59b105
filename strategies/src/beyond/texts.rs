//! Inputs with whole texts of the spec or of the function's source: `if s == "even:odd"` needs exactly that one.
//!
//! A text replaces a string in an input that is valid, and the judge decides whether it still is.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::logic::collection::ordered;
use crate::logic::eval;
use crate::logic::ir::Spec;
use crate::logic::value::Value;

/// Maximum number of inputs that wait for texts.
const WAITING: usize = 16;

/// One of this many boundary cases has a whole text, until each text was tried, and then.
const FIRST: u64 = 2;
const LATER: u64 = 4;

/// The texts, and the inputs that take them.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    texts: Vec<Arc<str>>,
    bases: VecDeque<Vec<Value>>,
    /// Whether the first of them had all texts.
    is_later: bool,
    /// The string in the first input, and the text that come next.
    next: (usize, usize),
}

impl Texts {
    pub(super) fn new(texts: &[Arc<str>]) -> Texts {
        Texts { texts: texts.to_vec(), ..Texts::default() }
    }

    /// Whether an input with a text is due, at a call with this number. Each text comes early once.
    pub(super) fn is_due(&self, n_calls: u64) -> bool {
        n_calls.is_multiple_of(if self.is_later { LATER } else { FIRST })
    }

    /// Keeps a valid input whose strings are replaced later.
    pub(super) fn keep(&mut self, args: &[Value]) {
        if self.bases.len() < WAITING && !self.texts.is_empty() && n_strings(args) > 0 {
            self.bases.push_back(args.to_vec());
        }
    }

    /// The next input with a text, if the spec admits it.
    pub(super) fn next(&mut self, spec: &Spec) -> Option<Vec<Value>> {
        let (string, text) = self.next;
        let args = self.bases.front()?.clone();
        // The strings of an input one after the other, each with all texts.
        self.next = if text + 1 < self.texts.len() { (string, text + 1) } else { (string + 1, 0) };
        if self.next.0 == n_strings(&args) {
            self.bases.pop_front();
            self.next = (0, 0);
            self.is_later = true;
        }
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
