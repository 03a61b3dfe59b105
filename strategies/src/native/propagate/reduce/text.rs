//! Strings with open characters: a string is the text of a sequence.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::logic::{all_of, any_of};
use super::{Reducer, boolean, text_of};
use crate::logic::ir::{RegexId, StrTest, Term, TextOp};
use crate::logic::value::Value;

impl Reducer {
    /// Reduces a term about strings with reduced operands, one of which is open.
    pub(super) fn text(&mut self, term: Term) -> Term {
        match term {
            Term::Text(of) => match *of {
                Term::Seq(parts) => text_of(parts),
                of => Term::Text(Box::new(of)),
            },
            Term::Chars(of) => match *of {
                Term::Text(of) => *of,
                of => Term::Chars(Box::new(of)),
            },
            Term::StrTest(test, of, wanted) => match (chars_of(&of), chars_of(&wanted)) {
                (Some(a), Some(b)) if a.iter().chain(&b).all(|c| self.is_total(c)) => {
                    self.found(test, &a, &b)
                }
                _ => Term::StrTest(test, of, wanted),
            },
            Term::Matches(regex, state, of) => match chars_of(&of) {
                Some(chars) if chars.iter().all(|c| self.is_total(c)) => self.derived(regex, state, chars),
                _ => Term::Matches(regex, state, of),
            },
            Term::TextOp(op @ (TextOp::AsciiLowercase | TextOp::AsciiUppercase), operands) => {
                match operands.first().and_then(chars_of) {
                    Some(chars) => {
                        let changed = |c| self.rebuilt(Term::TextOp(op, vec![c]), false);
                        text_of(chars.into_iter().map(changed).collect())
                    }
                    None => Term::TextOp(op, operands),
                }
            }
            term => term,
        }
    }

    /// Known characters move the automaton to another state, and are removed.
    fn derived(&self, id: RegexId, mut state: u32, chars: Vec<Term>) -> Term {
        let Some(regex) = self.types.regexes.get(id.0 as usize) else { return Term::Undefined };
        let n_known = chars.iter().take_while(|c| matches!(c, Term::Lit(_))).count();
        for c in &chars[..n_known] {
            if let Term::Lit(Value::Char(c)) = c {
                state = regex.next(state, *c);
            }
        }
        if regex.dead == Some(state) {
            return boolean(false);
        }
        let rest = chars[n_known..].to_vec();
        if rest.is_empty() {
            return boolean(regex.accepting[state as usize]);
        }
        Term::Matches(id, state, Box::new(text_of(rest)))
    }

    /// Whether characters occur in others.
    fn found(&mut self, test: StrTest, of: &[Term], wanted: &[Term]) -> Term {
        let Some(last) = of.len().checked_sub(wanted.len()) else { return boolean(false) };
        let offsets = match test {
            StrTest::StartsWith => 0..=0,
            StrTest::EndsWith => last..=last,
            StrTest::Contains => 0..=last,
        };
        let mut branches = Vec::new();
        for offset in offsets {
            let mut same = Vec::new();
            for (a, b) in of[offset..].iter().zip(wanted) {
                let equal = match (a, b) {
                    (Term::Lit(a), Term::Lit(b)) => boolean(a == b),
                    (a, b) => self.equal(a.clone(), b.clone(), false),
                };
                if self.conjoin(&mut same, equal, true) {
                    break;
                }
            }
            if self.disjoin(&mut branches, all_of(same)) {
                break;
            }
        }
        any_of(branches)
    }
}

/// The characters of a string of known length.
pub(super) fn chars_of(term: &Term) -> Option<Vec<Term>> {
    match term {
        Term::Lit(Value::Str(text)) => Some(text.chars().map(|c| Term::Lit(Value::Char(c))).collect()),
        Term::Text(of) => match &**of {
            Term::Seq(parts) => Some(parts.clone()),
            Term::Lit(Value::Seq(parts)) => Some(parts.iter().cloned().map(Term::Lit).collect()),
            _ => None,
        },
        _ => None,
    }
}
