//! The lists of strings that become a constant when they are joined: `v.join("-") == "a-b"` holds exactly for `["a-b"]` and `["a", "b"]`.
//!
//! Where these are too many, or infinitely many, as for `v.concat() == "ab"`, a condition says what each string may be.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{Closure, Term, TextOp, map_children};
use target_strategies::logic::value::Value;

use super::super::build::{and, is_path};

/// Maximum number of lists, or of different strings in them, that are written out.
const MOST: usize = 64;

/// A term in which each such condition is one on the list, and the same literals; `None` if there is no such condition. The second result
/// are the literals that it has no longer.
pub fn with_lists(term: &Term, fresh: &mut dyn FnMut() -> u32) -> Option<(Term, Vec<Value>)> {
    let mut literals = Vec::new();
    let changed = changed(term, fresh, &mut literals);
    (!literals.is_empty()).then_some((changed, literals))
}

fn changed(term: &Term, fresh: &mut dyn FnMut() -> u32, literals: &mut Vec<Value>) -> Term {
    if let Some((list, between, text)) = joined(term) {
        let texts = |parts: &[&str]| Value::Seq(parts.iter().map(|part| Value::str(part)).collect());
        if let Some(lists) = lists(text, between) {
            literals.extend([text, between].map(Value::str));
            return one_of(list, lists.iter().map(|list| texts(list)));
        }
        if let Some(parts) = parts(text, between) {
            literals.push(Value::str(between));
            let slot = fresh();
            let is_part = one_of(&Term::Var(slot), parts.into_iter().map(Value::str));
            let each = Closure { slot, body: Box::new(is_part) };
            return and(vec![Term::All(Box::new(list.clone()), each), term.clone()]);
        }
    }
    map_children(term, &mut |child, _| changed(child, fresh, literals))
}

fn one_of(of: &Term, values: impl Iterator<Item = Value>) -> Term {
    let is = |value| Term::Equal(Box::new(of.clone()), Box::new(Term::Lit(value)));
    let mut all: Vec<Term> = values.map(is).collect();
    if all.len() == 1 { all.remove(0) } else { Term::Or(all) }
}

/// The list, the text between its strings, and the text that it is said to become.
fn joined(term: &Term) -> Option<(&Term, &str, &str)> {
    let Term::Equal(a, b) = term else { return None };
    let (of, text) = match (&**a, &**b) {
        (of, Term::Lit(Value::Str(text))) | (Term::Lit(Value::Str(text)), of) => (of, text),
        _ => return None,
    };
    let (list, between): (&Term, &str) = match of {
        Term::TextOp(TextOp::Join, operands) => match operands.as_slice() {
            [list, Term::Lit(Value::Str(between))] => (list, between),
            _ => return None,
        },
        // `concat` takes all their characters.
        Term::Text(all) => match &**all {
            Term::Flatten(lists) => match &**lists {
                Term::Map(list, Closure { slot, body }) => match &**body {
                    Term::Chars(of) if **of == Term::Var(*slot) => (list, ""),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    (is_path(list) && !matches!(list, Term::Lit(_))).then_some((list, between, text))
}

/// All lists that become a text; `None` if they are too many.
fn lists<'t>(text: &'t str, between: &str) -> Option<Vec<Vec<&'t str>>> {
    let starts = starts(text, between);
    if between.is_empty() {
        return None;
    }
    // The lists of which the last string is left out, and where that one begins.
    let mut open = vec![(Vec::new(), 0)];
    let mut found: Vec<Vec<&str>> = if text.is_empty() { vec![Vec::new()] } else { Vec::new() };
    while let Some((before, from)) = open.pop() {
        if found.len() + open.len() >= MOST {
            return None;
        }
        for start in starts.iter().rev().filter(|start| from <= **start) {
            open.push(([&before[..], &[&text[from..*start]]].concat(), start + between.len()));
        }
        found.push([before, vec![&text[from..]]].concat());
    }
    Some(found)
}

/// All strings of such lists; `None` if they are too many.
fn parts<'t>(text: &'t str, between: &str) -> Option<BTreeSet<&'t str>> {
    let starts = starts(text, between);
    let firsts = std::iter::once(0).chain(starts.iter().map(|start| start + between.len()));
    let mut found = BTreeSet::new();
    for first in firsts {
        let ends = starts.iter().copied().chain([text.len()]).filter(|end| first <= *end);
        for end in ends {
            found.insert(&text[first..end]);
            if MOST < found.len() {
                return None;
            }
        }
    }
    Some(found)
}

/// Where a text has another one, also where occurrences overlap.
fn starts(text: &str, of: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).filter(|at| text[*at..].starts_with(of)).collect()
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::eval::Judge;

    use super::*;

    fn is_joined(between: &str, text: &str) -> Term {
        let joined = Term::TextOp(TextOp::Join, vec![Term::Var(0), Term::Lit(Value::str(between))]);
        Term::Equal(Box::new(joined), Box::new(Term::Lit(Value::str(text))))
    }

    /// All lists of up to four strings of up to three characters.
    fn all() -> Vec<Value> {
        let mut texts = vec![String::new()];
        for at in 0..1 + 2 + 4 {
            let longer = ["a", "b"].map(|c| format!("{}{c}", texts[at]));
            texts.extend(longer);
        }
        let mut lists = vec![Vec::new()];
        let mut all = lists.clone();
        for _ in 0..3 {
            let one_more = |list: &Vec<Value>| {
                texts.iter().map(|text| [&list[..], &[Value::str(text)]].concat()).collect::<Vec<_>>()
            };
            lists = lists.iter().flat_map(one_more).collect();
            all.extend(lists.iter().cloned());
        }
        all.into_iter().map(|list| Value::Seq(list.into())).collect()
    }

    #[test]
    fn the_same_lists_are_joined_to_a_text() {
        let all = all();
        for (between, text) in
            [("a", ""), ("a", "bab"), ("b", "abab"), ("aa", "aaa"), ("ab", "b"), ("", "aba"), ("", "")]
        {
            for term in [is_joined(between, text), Term::Not(Box::new(is_joined(between, text)))] {
                let (changed, literals) = with_lists(&term, &mut || 9).expect("it is about a list");
                assert!(literals.contains(&Value::str(between)));
                let mut judge = Judge::new(None);
                for list in &all {
                    judge.set(0, list.clone());
                    assert_eq!(judge.value(&term), judge.value(&changed), "{between:?} {text:?} {list:?}");
                }
            }
        }
    }

    #[test]
    fn too_many_lists_are_not_written_out() {
        assert_eq!(lists("a-b-c", "-").map(|lists| lists.len()), Some(4));
        assert_eq!(lists("a-b-c-d-e-f-g-h", "-"), None);
        assert_eq!(parts("a-b-c-d-e-f-g-h", "-").map(|parts| parts.len()), Some(36));
        let long = "a-".repeat(100_000);
        assert_eq!(with_lists(&is_joined("-", &long), &mut || 9), None);
        assert_eq!(with_lists(&is_joined("", &"ab".repeat(100_000)), &mut || 9), None);
    }
}
