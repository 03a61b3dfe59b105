//! Strings with open characters: a string is the text of a sequence.

#![allow(clippy::wildcard_enum_match_arm, reason = "a rule rewrites few terms; any other stays as it is")]

use super::logic::{all_of, any_of};
use super::{Reducer, boolean, constructed, text_of};
use crate::logic::ir::{DataId, RegexId, StrTest, Term, TextOp};
use crate::logic::value::Value;
use crate::native::plan::types::Form;

/// Stands for the types of groups and their options: any number does, as the engine asks no such term for its type.
const CAPTURED: DataId = DataId(0);

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
            Term::TextOp(TextOp::Captures(regex), operands) => match self.groups(regex, &operands) {
                Some(groups) => constructed(CAPTURED, 0, groups),
                None => Term::TextOp(TextOp::Captures(regex), operands),
            },
            term => term,
        }
    }

    /// The groups of a match, as options of texts, if they are at the same positions whatever the open characters are.
    fn groups(&mut self, id: RegexId, operands: &[Term]) -> Option<Vec<Term>> {
        let [text] = operands else { return None };
        let chars = chars_of(text)?;
        let choices = chars.iter().map(|c| self.choices(c)).collect::<Option<Vec<_>>>()?;
        let program = self.types.regexes.get(id.0 as usize)?.program.as_ref()?;
        let positions = program.positions(&choices)?;
        let group = |at: Option<(usize, usize)>| match at {
            Some((start, end)) => constructed(CAPTURED, 1, vec![text_of(chars[start..end].to_vec())]),
            None => constructed(CAPTURED, 0, Vec::new()),
        };
        Some(positions.into_iter().map(group).collect())
    }

    /// What a character may be; `None` if it may be undefined, too.
    fn choices(&mut self, c: &Term) -> Option<Vec<char>> {
        let char_of = |value: &Value| if let Value::Char(c) = value { Some(*c) } else { None };
        if let Term::Lit(c) = c {
            return char_of(c).map(|c| vec![c]);
        }
        if !self.is_total(c) {
            return None;
        }
        let Form::Scalar(domain) = &self.types.get(self.type_at(c)?).form else { return None };
        domain.iter().map(char_of).collect()
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
