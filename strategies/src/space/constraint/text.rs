//! Facts from tests of strings and characters: `s.starts_with("ab")` fixes two characters and the minimum length.

use super::{Binding, Reader};
use crate::logic::eval::chars_of;
use crate::logic::int::Int;
use crate::logic::ir::{CharClass, StrTest, Term};
use crate::logic::value::Value;
use crate::space::facts::{Facts, Step, code};
use crate::space::interval::IntervalSet;

impl Reader<'_> {
    /// A test of a part of a value for a constant string.
    pub(super) fn read_str_test(&mut self, test: StrTest, text: &Term, part: &Term, truth: bool) -> Facts {
        let Some(Value::Str(part)) = self.constant(part) else { return Facts::any() };
        let Some(Binding::Path(path)) = self.resolve(text) else { return Facts::any() };
        let chars: Vec<char> = part.chars().collect();
        let facts = if truth { present(test, &part, &chars) } else { absent(test, &chars) };
        facts.at(&path)
    }
}

/// The facts about a string that contains a part.
fn present(test: StrTest, part: &str, chars: &[char]) -> Facts {
    let at_least = |n: usize| Facts::len(IntervalSet::at_least(Int::from(n as u64)));
    let pinned = |(at, c): (u32, &char)| (Step::At(at), Facts::codes(IntervalSet::point(code_of(*c))));
    let of_chars = match test {
        // Adding all at once is linear in the length of the string.
        StrTest::StartsWith => {
            Facts { parts: (0..).zip(chars).map(pinned).collect(), ..at_least(chars.len()) }
        }
        StrTest::EndsWith | StrTest::Contains => at_least(chars.len()),
    };
    at_least(part.len()).and(of_chars.at(&[Step::Chars]))
}

/// The facts about a string that doesn't contain a part. For a single character, other characters are in its
/// position.
fn absent(test: StrTest, chars: &[char]) -> Facts {
    let others = |c: &char| IntervalSet::point(code_of(*c)).complement();
    match (test, chars) {
        (_, []) => Facts::never(),
        (StrTest::Contains, [c]) => at_char(others(c), Step::Each),
        (StrTest::StartsWith, [c]) => {
            let is_empty = Facts::len(IntervalSet::point(Int::from(0))).at(&[Step::Chars]);
            at_char(others(c), Step::At(0)).or(is_empty)
        }
        _ => Facts::any(),
    }
}

/// The codes of the characters of a class, if all of them have small ones.
pub(super) fn codes_of_class(class: CharClass) -> Option<IntervalSet> {
    let spans = chars_of(class)?.into_iter().map(|c| (Some(code_of(c)), Some(code_of(c))));
    Some(IntervalSet::of_spans(spans.collect()))
}

fn at_char(codes: IntervalSet, step: Step) -> Facts {
    Facts::codes(codes).at(&[Step::Chars, step])
}

fn code_of(c: char) -> Int {
    code(&Value::Char(c)).expect("a character has a code")
}
