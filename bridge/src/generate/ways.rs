//! Inputs whose strings take the ways through the regular expressions of the spec, one after the other.
//!
//! A string of a way replaces one in a member of the space. The judge decides whether the input is valid: nothing is solved, so that
//! it takes no time.

use std::collections::{HashMap, VecDeque};

use target_strategies::logic::collection::ordered;
use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::logic::ir::{Refined, RegexId, Sort, Spec, Term, visit};
use target_strategies::logic::part::{Part, parts, replaced};
use target_strategies::logic::value::Value;

use crate::frontend::regex::strings;

/// Maximum number of strings for an expression.
const MOST_STRINGS: u64 = 64;

/// Maximum number of strings that are tried for an input.
const ATTEMPTS: usize = 4;

/// The strings that are left, by expression. They are made when the first of them is due.
#[derive(Default)]
pub struct Ways(HashMap<RegexId, VecDeque<String>>);

impl Ways {
    /// A member of the space with one other string, if the spec admits it.
    pub fn next(&mut self, spec: &Spec, member: &[Value]) -> Option<Vec<Value>> {
        if spec.regexes.is_empty() {
            return None;
        }
        let parts = parts(spec, member, false);
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
        expressions(part.refined).into_iter().find_map(|id| {
            self.0.entry(id).or_insert_with(|| made(&id).unwrap_or_default().into()).pop_front()
        })
    }
}

/// The expressions in the conditions on a string.
fn expressions(refined: &Refined) -> Vec<RegexId> {
    let mut found = Vec::new();
    if matches!(refined.sort, Sort::Str(_)) {
        for clause in &refined.clauses {
            visit(&clause.term, &mut |term| {
                if let Term::Matches(id, ..) = term
                    && !found.contains(id)
                {
                    found.push(*id);
                }
            });
        }
    }
    found
}
