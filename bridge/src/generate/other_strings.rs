//! Inputs whose strings take the ways through the regular expressions of the spec, one after the other.
//!
//! A string of a member of the space is replaced by one of another way. The judge decides whether the input is valid; nothing is
//! solved for, so that it is cheap.

use std::collections::{HashMap, VecDeque};

use target_strategies::logic::collection::ordered;
use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::logic::ir::{Regex, RegexId, Sort, Spec, Term};
use target_strategies::logic::part::{Part, parts, replaced};
use target_strategies::logic::value::Value;

use crate::frontend::regex::strings;

/// Maximum number of strings for an expression.
const MOST_STRINGS: u64 = 64;

/// Maximum number of strings that are tried for an input.
const ATTEMPTS: usize = 4;

/// Maximum number of calls in a row without an input, after which there are no more.
const MOST_IN_VAIN: u32 = 32;

/// The strings that are left.
#[derive(Default)]
pub struct OtherStrings {
    /// By the position of a string in the arguments, and expression. They are made when the first of them is due.
    left: HashMap<(Vec<usize>, RegexId), VecDeque<String>>,
    n_calls: usize,
    n_in_vain: u32,
}

impl OtherStrings {
    /// A member of the space with one other string, if the spec admits it. The strings of the member are replaced in turn.
    pub fn next(&mut self, spec: &Spec, member: &[Value]) -> Option<Vec<Value>> {
        if spec.regexes.is_empty() || self.n_in_vain == MOST_IN_VAIN {
            return None;
        }
        let next = self.attempt(spec, member);
        self.n_in_vain = if next.is_some() { 0 } else { self.n_in_vain + 1 };
        next
    }

    fn attempt(&mut self, spec: &Spec, member: &[Value]) -> Option<Vec<Value>> {
        let mut parts = parts(spec, member, false);
        parts.retain(|part| matches!(part.refined.sort, Sort::Str(_)));
        let first = self.n_calls % parts.len().max(1);
        parts.rotate_left(first);
        self.n_calls += 1;
        for _ in 0..ATTEMPTS {
            let (part, string) = parts.iter().find_map(|part| Some((part, self.string(spec, part)?)))?;
            let args = replaced(member, &part.path, Value::Str(string.into()));
            let in_order =
                args.iter().zip(&spec.params).map(|(arg, param)| ordered(arg, &param.refined, spec));
            let args: Vec<Value> = in_order.collect();
            if admits(spec, &args) && Judge::new(None).explored(spec, &args) == Judgement::Holds {
                return Some(args);
            }
        }
        None
    }

    /// The next string of the first expression of a part that has one left.
    fn string(&mut self, spec: &Spec, part: &Part<'_>) -> Option<String> {
        let made =
            |id: &RegexId| spec.regexes.get(id.0 as usize).map(|regex| strings(&regex.text, MOST_STRINGS));
        expressions(spec, part).into_iter().find_map(|id| {
            let left = self.left.entry((part.path.clone(), id));
            left.or_insert_with(|| made(&id).unwrap_or_default().into()).pop_front()
        })
    }
}

/// The expressions that a string must match: by its type or, if it is an argument, by the precondition.
fn expressions(spec: &Spec, part: &Part<'_>) -> Vec<RegexId> {
    let mut found = Vec::new();
    for clause in &part.refined.clauses {
        required(&clause.term, &|_| true, &mut found);
    }
    if let [param] = part.path[..] {
        let is_param = |term: &Term| matches!(term, Term::Var(slot) if *slot as usize == param);
        for clause in &spec.requires {
            required(&clause.term, &is_param, &mut found);
        }
    }
    found
}

/// Collects the expressions that such a string matches wherever a condition holds.
fn required(condition: &Term, is_string: &dyn Fn(&Term) -> bool, found: &mut Vec<RegexId>) {
    match condition {
        Term::And(conditions) => {
            conditions.iter().for_each(|condition| required(condition, is_string, found));
        }
        Term::Matches(id, Regex::START, string) if is_string(string) && !found.contains(id) => {
            found.push(*id)
        }
        _ => {}
    }
}
