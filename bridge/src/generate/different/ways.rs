//! Inputs that take different ways through a regular expression: each way is solved for.
//!
//! A way is a regular expression, so that the inputs that may take it are those with one more condition. An input that
//! matches it takes it, unless it matches an earlier way too: then another one is asked for, whose key differs.

use std::collections::HashSet;
use std::sync::Arc;

use target_strategies::logic::ir::{Clause, Regex, RegexId, Term};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::relation::Related;
use super::set::{Larger, new_id};
use crate::frontend::regex::automaton;
use crate::frontend::subject::{Cover, TextWays};
use crate::generate::members::{Next, first};

/// Maximum number of ways that are solved for.
const MOST_WAYS: u64 = 5_000;

/// Maximum number of keys that are excluded from the search for an input that takes a way.
const MOST_EXCLUDED: usize = 4;

/// Adds an input for each way to a set, up to so many inputs.
pub(super) fn add(
    space: &Space,
    (cover, ways): (&Cover, &TextWays),
    related: &mut Related<'_>,
    (set, n_asked): (&mut Vec<Vec<Value>>, usize),
) -> Larger {
    let mut known: HashSet<Value> = HashSet::new();
    for member in set.iter() {
        match related.key(member, &cover.key) {
            Some(key) => _ = known.insert(key),
            None => return Larger::Unknown(vec!["the way of an input is not known".to_owned()]),
        }
    }
    let mut reasons = Vec::new();
    let n_ways = ways.ways.n();
    for k in 0..n_ways.min(MOST_WAYS) {
        if set.len() == n_asked {
            return Larger::Unasked;
        }
        let Some(space) = through(space, ways, k) else {
            reasons.push(format!("`{}` is too big an expression", ways.ways.nth(k)));
            continue;
        };
        match taking(&space, cover, &known, related) {
            Ok(Some((member, key))) => {
                known.insert(key);
                set.push(member);
            }
            Ok(None) => {}
            Err(why) => reasons.extend(why),
        }
    }
    if set.len() == n_asked {
        return Larger::Unasked;
    }
    // A string that doesn't match takes no way.
    if let Some(whole) = ways.whole {
        let matches = Term::Matches(whole, Regex::START, Box::new(ways.of.clone()));
        let outside = space.narrowed([clause(space, Term::Not(Box::new(matches)))]);
        match taking(&outside, cover, &known, related) {
            Ok(Some((member, _))) => set.push(member),
            Ok(None) => {}
            Err(why) => reasons.extend(why),
        }
    }
    if set.len() == n_asked {
        return Larger::Unasked;
    }
    if n_ways > MOST_WAYS {
        reasons.push(format!("beyond {MOST_WAYS} ways, no further ones are solved for"));
    }
    reasons.sort();
    reasons.dedup();
    if reasons.is_empty() { Larger::None } else { Larger::Unknown(reasons) }
}

/// The inputs whose string matches a way.
fn through(space: &Space, ways: &TextWays, k: u64) -> Option<Space> {
    let mut spec = (**space.spec()).clone();
    let regex = RegexId(spec.regexes.len() as u32);
    spec.regexes.push(automaton(&ways.ways.nth(k)).ok()?);
    let matches = Term::Matches(regex, Regex::START, Box::new(ways.of.clone()));
    spec.requires.push(clause(space, matches));
    Some(Space::new(Arc::new(spec), space.bounds()).with_literals(space.literals().clone()))
}

fn clause(space: &Space, term: Term) -> Clause {
    Clause { id: new_id(space.spec()), text: "cover".to_owned(), term }
}

/// The first input with a key that is not known, and its key; `None` if there is none. Else the reasons for not knowing.
fn taking(
    space: &Space,
    cover: &Cover,
    known: &HashSet<Value>,
    related: &mut Related<'_>,
) -> Result<Option<(Vec<Value>, Value)>, Vec<String>> {
    let mut space = space.clone();
    for _ in 0..=MOST_EXCLUDED {
        match first(&space) {
            Next::Member(member) => {
                let Some(key) = related.key(&member, &cover.key) else {
                    return Err(vec!["the way of an input is not known".to_owned()]);
                };
                if !known.contains(&key) {
                    return Ok(Some((member, key)));
                }
                let is_same = Term::Equal(Box::new(cover.key.clone()), Box::new(Term::Lit(key)));
                space = space.narrowed([clause(&space, Term::Not(Box::new(is_same)))]);
            }
            Next::End(reasons) if reasons.is_empty() => return Ok(None),
            Next::End(reasons) => return Err(reasons),
        }
    }
    Err(vec!["a way is part of several others".to_owned()])
}
