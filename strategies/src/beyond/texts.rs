//! Inputs with whole texts or lists of the spec or of the function's source: `if s == "even:odd"` needs exactly that one, and
//! `s.starts_with(b"PK")` one that continues.
//!
//! One replaces a string or a list of numbers in an input that is valid, and the judge decides whether it still is.

use std::collections::VecDeque;
use std::sync::Arc;

use super::lists::{elements, list_of};
use crate::logic::collection::ordered;
use crate::logic::eval;
use crate::logic::ir::{SeqKind, Sort, Spec};
use crate::logic::part::{Part, Path, parts, replaced};
use crate::logic::value::Value;

/// Maximum number of inputs that wait for texts.
const WAITING: usize = 16;

/// One of this many boundary cases has a whole text, until each text was tried, and then.
const FIRST: u64 = 2;
const LATER: u64 = 4;

/// The texts and lists, and the inputs that take them.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    wholes: Vec<Value>,
    bases: VecDeque<Vec<Value>>,
    /// The input that takes them now, and what is replaced in it next.
    current: (Vec<Value>, VecDeque<(Path, Value)>),
    /// Whether the first input had all of them.
    is_later: bool,
}

impl Texts {
    pub(super) fn new(texts: &[Arc<str>], lists: &[Value]) -> Texts {
        let wholes = texts.iter().cloned().map(Value::Str).chain(lists.iter().cloned()).collect();
        Texts { wholes, ..Texts::default() }
    }

    /// Whether an input with a text is due, at a call with this number. Each text comes early once.
    pub(super) fn is_due(&self, n_calls: u64) -> bool {
        n_calls.is_multiple_of(if self.is_later { LATER } else { FIRST })
    }

    /// Keeps a valid input whose strings and lists are replaced later.
    pub(super) fn keep(&mut self, args: &[Value], spec: &Spec) {
        let takes = |part: Part<'_>| self.wholes.iter().any(|whole| fits(whole, &part));
        if self.bases.len() < WAITING
            && !self.wholes.is_empty()
            && parts(spec, args, false).into_iter().any(takes)
        {
            self.bases.push_back(args.to_vec());
        }
    }

    /// The next input with a text or list, if the spec admits it.
    pub(super) fn next(&mut self, spec: &Spec) -> Option<Vec<Value>> {
        if self.current.1.is_empty() {
            let base = self.bases.pop_front()?;
            let replacements = self.replacements(&base, spec);
            self.current = (base, replacements);
        }
        let (path, whole) = self.current.1.pop_front()?;
        self.is_later |= self.current.1.is_empty();
        let args = replaced(&self.current.0, &path, whole);
        let in_order = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
        let args: Vec<Value> = in_order.collect();
        eval::admits(spec, &args).then_some(args)
    }

    /// What replaces the strings and lists of an input, one after the other. After the first input, that is also a text or list
    /// with the old one after it.
    fn replacements(&self, base: &[Value], spec: &Spec) -> VecDeque<(Path, Value)> {
        let mut found = VecDeque::new();
        for part in parts(spec, base, false) {
            for whole in self.wholes.iter().filter(|whole| fits(whole, &part)) {
                found.push_back((part.path.clone(), whole.clone()));
                let longer = list_of(whole, [elements(whole), elements(part.value)].concat());
                if self.is_later && longer != *whole && fits(&longer, &part) {
                    found.push_back((part.path.clone(), longer));
                }
            }
        }
        found
    }
}

/// Whether a text or a list of numbers may replace a part, as far as Rust's types say.
fn fits(whole: &Value, part: &Part<'_>) -> bool {
    match (&part.refined.sort, whole) {
        (Sort::Str(_), Value::Str(_)) => true,
        (Sort::Seq(element, kind), Value::Seq(numbers)) => {
            let is_length = match kind {
                SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter => true,
                SeqKind::Array(length) => numbers.len() == *length as usize,
                SeqKind::Answers(_) => false,
            };
            let is_number = |value: &Value| match (&element.sort, value) {
                (Sort::Int(kind), Value::Int(n)) => kind.contains(n),
                _ => false,
            };
            is_length && element.pointers.is_empty() && numbers.iter().all(is_number)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{IntKind, Param, Refined, StrKind};

    fn spec(sorts: Vec<Sort>) -> Spec {
        let parts = sorts.into_iter().map(Refined::plain).collect();
        let param =
            Param { name: "p".to_owned(), refined: Refined::plain(Sort::Tuple(parts)), mutable: false };
        Spec { params: vec![param], ..Spec::unrefined("f") }
    }

    fn all(texts: &mut Texts, spec: &Spec) -> Vec<Value> {
        std::iter::from_fn(|| texts.next(spec)).flatten().collect()
    }

    #[test]
    fn each_string_takes_each_text() {
        let string = || Sort::Str(StrKind::String);
        let spec = spec(vec![string(), Sort::Bool, string()]);
        let value = |a: &str, b: &str| Value::Tuple([Value::str(a), Value::Bool(true), Value::str(b)].into());
        let mut texts = Texts::new(&["GET".into(), "PUT".into()], &[]);
        texts.keep(&[value("a", "b")], &spec);
        let found = all(&mut texts, &spec);
        assert_eq!(found, [value("GET", "b"), value("PUT", "b"), value("a", "GET"), value("a", "PUT")]);
        texts.keep(&[value("x", "")], &spec);
        assert!(all(&mut texts, &spec).contains(&value("GETx", "")));
    }

    #[test]
    fn lists_of_numbers_take_lists() {
        let numbers = |kind, sort| Sort::Seq(Box::new(Refined::plain(Sort::Int(kind))), sort);
        let spec = spec(vec![numbers(IntKind::U8, SeqKind::Vec), numbers(IntKind::U8, SeqKind::Array(2))]);
        let list = |all: &[u16]| Value::seq(all.iter().map(|n| Value::int(*n)).collect::<Vec<_>>());
        let value = |a: &[u16], b: &[u16]| Value::Tuple([list(a), list(b)].into());
        let mut texts = Texts::new(&["GET".into()], &[list(&[80, 75]), list(&[1, 2, 3]), list(&[7, 256])]);
        texts.keep(&[value(&[], &[0, 0])], &spec);
        let expected = [value(&[80, 75], &[0, 0]), value(&[1, 2, 3], &[0, 0]), value(&[], &[80, 75])];
        assert_eq!(all(&mut texts, &spec), expected);
        texts.keep(&[value(&[9], &[0, 0])], &spec);
        assert_eq!(all(&mut texts, &spec)[1], value(&[80, 75, 9], &[0, 0]));
    }
}
