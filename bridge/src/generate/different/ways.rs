//! Inputs that take different ways through a regular expression.
//!
//! A string that is made for a way replaces the string of an input that is known; if that is no member of the space, the way is
//! solved for.
//!
//! A way is a regular expression, so that the inputs that may take it are those with one more condition. An input that
//! matches it takes it, unless it matches an earlier way too: then another one is asked for, whose key differs.

use std::collections::HashSet;
use std::sync::Arc;

use target_strategies::logic::collection::ordered;
use target_strategies::logic::eval::admits;
use target_strategies::logic::ir::{Clause, Regex, RegexId, Term};
use target_strategies::logic::part::{Path, path_of, replaced};
use target_strategies::logic::value::Value;
use target_strategies::space::Space;

use super::effort::Effort;
use super::relation::Related;
use super::set::{Larger, new_id};
use crate::frontend::regex::{automaton, string};
use crate::frontend::subject::{Cover, TextWays};
use crate::generate::members::Next;

/// Maximum number of ways that are looked at.
const MOST_WAYS: u64 = 20_000;

/// Maximum number of inputs that are looked at for one that takes a way: the keys of those before it are excluded.
const MOST_LOOKED_AT: usize = 5;

/// Steps for an input to replace strings of, and for one that takes a way, after the first one takes another.
const MOST_STEPS_AGAIN: u64 = 5_000_000;

/// Adds an input for each way to a set, up to so many inputs.
pub(super) fn add(
    space: &Space,
    (cover, ways): (&Cover, &TextWays),
    (related, effort): (&mut Related<'_>, Effort),
    (set, n_asked): (&mut Vec<Vec<Value>>, usize),
) -> Larger {
    let mut known: HashSet<Value> = HashSet::new();
    for member in set.iter() {
        match related.key(member, &cover.key) {
            Some(key) => _ = known.insert(key),
            None => return Larger::Unknown(vec!["the way of an input is not known".to_owned()]),
        }
    }
    let mut search = Search { cover, related, effort, known, reasons: Vec::new() };
    let n_ways = ways.ways.n();
    let model = Model::new(space, ways, set.first(), effort);
    // Most ways are taken by their first string. Only after that is it worth looking for others.
    'ways: for n_looked_at in [1, MOST_LOOKED_AT] {
        for k in 0..n_ways.min(MOST_WAYS) {
            let taken = ways.ways.groups(k).into_iter().map(Value::Bool);
            let own = Value::Tuple(std::iter::once(Value::Bool(true)).chain(taken).collect());
            if set.len() == n_asked {
                return Larger::Unasked;
            }
            if search.known.contains(&own) {
                continue;
            }
            // Building the automaton of a way takes time, too.
            if effort.is_met() {
                search.reasons.push(effort.reason());
                break 'ways;
            }
            let made = model.as_ref().filter(|_| n_looked_at == 1).and_then(|model| model.with(ways, k));
            if search.take(made, &own, set) {
                continue;
            }
            match through(space, ways, k) {
                Some(space) => search.look((space, n_looked_at), &|key| *key == own, (set, n_asked)),
                None => search.reasons.push(format!("`{}` is too big an expression", ways.ways.nth(k))),
            }
        }
    }
    if set.len() < n_asked {
        search.look_outside(space, ways, (set, n_asked));
    }
    if set.len() == n_asked {
        return Larger::Unasked;
    }
    if n_ways > MOST_WAYS {
        search.reasons.push(format!("beyond {MOST_WAYS} ways, no further ones are solved for"));
    }
    search.larger()
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

/// The search for inputs with keys that are not known.
struct Search<'s, 'r> {
    cover: &'s Cover,
    related: &'s mut Related<'r>,
    effort: Effort,
    known: HashSet<Value>,
    /// Why inputs may be missing.
    reasons: Vec<String>,
}

impl Search<'_, '_> {
    /// Adds an input if it has the wanted key. Returns whether it has.
    fn take(&mut self, input: Option<Vec<Value>>, wanted: &Value, set: &mut Vec<Vec<Value>>) -> bool {
        let Some(input) = input else { return false };
        let is_wanted = self.related.key(&input, &self.cover.key).is_some_and(|key| key == *wanted);
        if is_wanted {
            self.known.insert(wanted.clone());
            set.push(input);
        }
        is_wanted
    }

    /// Adds an input whose string doesn't match: it takes no way.
    fn look_outside(
        &mut self,
        space: &Space,
        ways: &TextWays,
        (set, n_asked): (&mut Vec<Vec<Value>>, usize),
    ) {
        let Some(whole) = ways.whole else { return };
        let matches = Term::Matches(whole, Regex::START, Box::new(ways.of.clone()));
        let outside = space.narrowed([clause(space, Term::Not(Box::new(matches)))]);
        self.look((outside, 1), &|_| true, (set, n_asked));
    }

    /// What is known of larger sets, once all ways were looked at.
    fn larger(mut self) -> Larger {
        self.reasons.sort();
        self.reasons.dedup();
        if self.reasons.is_empty() { Larger::None } else { Larger::Unknown(self.reasons) }
    }

    /// Adds the first input of a space with the wanted key, and those that come before it and have new keys.
    fn look(
        &mut self,
        (mut space, n_looked_at): (Space, usize),
        is_wanted: &dyn Fn(&Value) -> bool,
        (set, n_asked): (&mut Vec<Vec<Value>>, usize),
    ) {
        for at in 0..n_looked_at {
            let effort = if at == 0 { self.effort } else { self.effort.at_most(MOST_STEPS_AGAIN) };
            let member = match effort.first(&space) {
                Next::Member(member) => member,
                Next::End(reasons) => return self.reasons.extend(reasons),
            };
            let Some(key) = self.related.key(&member, &self.cover.key) else {
                return self.reasons.push("the way of an input is not known".to_owned());
            };
            if self.known.insert(key.clone()) {
                set.push(member);
            }
            if is_wanted(&key) || set.len() == n_asked {
                return;
            }
            let is_same = Term::Equal(Box::new(self.cover.key.clone()), Box::new(Term::Lit(key)));
            space = space.narrowed([clause(&space, Term::Not(Box::new(is_same)))]);
        }
        // With one look, there is another one to come.
        if n_looked_at > 1 {
            self.reasons.push("the first strings of a way take others".to_owned());
        }
    }
}

/// An input whose string is replaced.
struct Model<'s> {
    space: &'s Space,
    input: Vec<Value>,
    /// The position of the string.
    path: Path,
    /// The characters that it may have in the space, by index.
    chars: Vec<Vec<char>>,
}

impl<'s> Model<'s> {
    /// The first input of a set or, if it is empty, of the space. `None` if it can't be had, or the string is computed.
    fn new(
        space: &'s Space,
        ways: &TextWays,
        first: Option<&Vec<Value>>,
        effort: Effort,
    ) -> Option<Model<'s>> {
        let path = path_of(&ways.of)?;
        let input = match first {
            Some(input) => input.clone(),
            None => match effort.at_most(MOST_STEPS_AGAIN).first(space) {
                Next::Member(input) => input,
                Next::End(_) => return None,
            },
        };
        let chars = space.characters(&path);
        Some(Model { space, input, path, chars })
    }

    /// The input with a string that is made for a way, if that is a member of the space.
    fn with(&self, ways: &TextWays, k: u64) -> Option<Vec<Value>> {
        let string = string(&ways.ways.nth(k), k, &self.chars)?;
        let spec = self.space.spec();
        let args = replaced(&self.input, &self.path, Value::Str(string.into()));
        let in_order = args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
        let args: Vec<Value> = in_order.collect();
        (self.space.contains(&args) && admits(spec, &args)).then_some(args)
    }
}
