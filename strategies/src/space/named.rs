//! Collects the characters in the refinements around a position: those in literals, and those of regular expressions.

#![allow(clippy::wildcard_enum_match_arm, reason = "few terms limit a domain; all others say nothing")]

use std::collections::BTreeSet;
use std::sync::Arc;

use super::domain::first_of;
use super::language::kinds_of;
use crate::logic::ir::{Regex, RegexId, Term, visit};
use crate::logic::value::Value;

/// The characters and regular expressions in refinements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    chars: Arc<BTreeSet<char>>,
    /// The regular expressions that strings are tested with.
    regexes: Arc<BTreeSet<RegexId>>,
}

impl Named {
    /// The names in some terms.
    pub fn by<'a>(terms: impl Iterator<Item = &'a Term>) -> Named {
        Named::default().with(terms)
    }

    /// Adds the names in further terms.
    pub fn with<'a>(&self, terms: impl Iterator<Item = &'a Term>) -> Named {
        let (mut chars, mut regexes) = (BTreeSet::new(), BTreeSet::new());
        for term in terms {
            visit(term, &mut |term| match term {
                Term::Lit(value) => collect_chars(value, &mut chars),
                Term::Matches(regex, ..) => drop(regexes.insert(*regex)),
                _ => {}
            });
        }
        Named { chars: union(&self.chars, chars), regexes: union(&self.regexes, regexes) }
    }

    /// Removes a regular expression.
    pub fn forget(&mut self, regex: RegexId) {
        if self.regexes.contains(&regex) {
            Arc::make_mut(&mut self.regexes).remove(&regex);
        }
    }

    /// All characters: those in literals, and the first of each kind that a regular expression distinguishes.
    pub fn chars(&self, regexes: &[Regex]) -> Arc<BTreeSet<char>> {
        if self.regexes.is_empty() {
            return self.chars.clone();
        }
        let mut chars = (*self.chars).clone();
        for regex in self.regexes.iter().filter_map(|regex| regexes.get(regex.0 as usize)) {
            chars.extend(kinds_of(regex).iter().filter_map(|kind| first_of(kind, |_| true)));
        }
        chars.into()
    }
}

fn union<T: Ord + Clone>(known: &Arc<BTreeSet<T>>, mut more: BTreeSet<T>) -> Arc<BTreeSet<T>> {
    if more.is_subset(known) {
        return known.clone();
    }
    more.extend(known.iter().cloned());
    more.into()
}

fn collect_chars(value: &Value, chars: &mut BTreeSet<char>) {
    match value {
        Value::Char(c) => {
            chars.insert(*c);
        }
        Value::Str(text) => chars.extend(text.chars()),
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
            parts.iter().for_each(|part| collect_chars(part, chars));
        }
        _ => {}
    }
}
