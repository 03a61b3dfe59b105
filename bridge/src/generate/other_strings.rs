//! Inputs whose strings take the ways through the regular expressions of the spec, one after the other.
//!
//! A string of a member of the space is replaced by one of another way. The judge decides whether the input is valid; nothing is
//! solved for, so that it is cheap.

use std::collections::{HashMap, VecDeque};

use target_strategies::logic::collection::ordered;
use target_strategies::logic::eval::{Judge, Judgement, admits};
use target_strategies::logic::ir::{Regex, RegexId, Sort, Spec, Term, visit};
use target_strategies::logic::part::{Part, parts, path_of, replaced};
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

/// The expressions that a string must match, by its type or, if it is an argument, by the precondition; then those that
/// postconditions ask of it, which it may match or not.
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
    let mut promised = Vec::new();
    spec.result.clauses_inside(&mut promised);
    for clause in promised.into_iter().chain(&spec.ensures) {
        visit(&clause.term, &mut |term| {
            if let Term::Matches(id, Regex::START, string) = term
                && path_of(string).is_some_and(|path| path == part.path)
                && !found.contains(id)
            {
                found.push(*id);
            }
        });
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

#[cfg(test)]
mod tests {
    use target_strategies::logic::ir::{Clause, Param, Refined, StrKind};

    use super::*;
    use crate::frontend::regex::automaton;

    fn matches(regex: u32, slot: u32) -> Term {
        Term::Matches(RegexId(regex), Regex::START, Box::new(Term::Var(slot)))
    }

    fn clause(term: Term) -> Clause {
        Clause { id: 0, text: String::new(), term }
    }

    /// Two strings, the first with a condition in its type, and a precondition.
    fn spec(in_type: Term, precondition: Term) -> Spec {
        let texts = ["a{9}|b{9}|c{9}", "d{9}|e{9}|f{9}"];
        let param = |clauses| {
            let refined = Refined { clauses, ..Refined::plain(Sort::Str(StrKind::String)) };
            Param { name: "s".to_owned(), refined, mutable: false }
        };
        Spec {
            params: vec![param(vec![clause(in_type)]), param(Vec::new())],
            requires: vec![clause(precondition)],
            regexes: texts.iter().map(|text| automaton(text).expect("an expression")).collect(),
            ..Spec::unrefined("f")
        }
    }

    fn first(spec: &Spec, member: &[&str], n: usize) -> Vec<String> {
        let member: Vec<Value> = member.iter().map(|text| Value::str(text)).collect();
        let mut strings = OtherStrings::default();
        let next = (0..n).filter_map(|_| strings.next(spec, &member));
        next.map(|args| {
            let letter =
                |arg: &Value| if let Value::Str(text) = arg { text[..1].to_owned() } else { String::new() };
            args.iter().map(letter).collect()
        })
        .collect()
    }

    #[test]
    fn the_strings_of_a_member_are_replaced_in_turn() {
        let spec = spec(matches(0, 2), matches(1, 1));
        let made = first(&spec, &["aaaaaaaaa", "ddddddddd"], 9);
        assert_eq!(made, ["ad", "ad", "bd", "ae", "cd", "af"]);
    }

    #[test]
    fn an_expression_in_a_postcondition_has_strings_too() {
        let asked = Term::Or(vec![Term::Not(Box::new(matches(1, 1))), matches(1, 2)]);
        let spec = Spec { ensures: vec![clause(asked)], ..spec(matches(0, 2), Term::Lit(Value::Bool(true))) };
        assert_eq!(first(&spec, &["aaaaaaaaa", "x"], 9), ["ax", "ad", "bx", "ae", "cx", "af"]);
    }

    #[test]
    fn an_expression_that_need_not_match_has_no_strings() {
        let spec = spec(matches(0, 2), Term::Not(Box::new(matches(1, 1))));
        assert_eq!(first(&spec, &["aaaaaaaaa", "x"], 9), ["ax", "bx", "cx"]);
    }
}
