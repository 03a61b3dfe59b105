//! The regular expressions of a spec, each text once.

use std::ops::Range;

use target_strategies::logic::ir::{Regex, RegexId};

use super::DataTable;
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::regex::{Rejection, automaton};

/// Maximum number of regular expressions in a spec: each takes up to a second to compile.
const MAX_REGEXES: usize = 64;

/// Maximum number of regular expressions that the conditions of a spec imply.
const MAX_IMPLIED: usize = 32;

/// Maximum number of states of such an expression. Others would say little for their size.
const MAX_IMPLIED_STATES: u32 = 2_000;

impl DataTable<'_> {
    /// The automaton of a regular expression that stands at a span; `part` is the span of a range of its bytes.
    pub fn regex(
        &mut self,
        text: &str,
        span: Span,
        part: impl FnOnce(Range<usize>) -> Span,
    ) -> Result<RegexId, Diagnostic> {
        self.regex_of(text, |rejection| {
            let is_part = !rejection.range.is_empty() && rejection.range != (0..text.len());
            let at = if is_part { part(rejection.range) } else { span };
            Diagnostic { help: rejection.help, ..Diagnostic::error(at, rejection.message) }
        })
    }

    /// The automaton of a regular expression, with the diagnostic of a mistake in it.
    pub fn regex_of(
        &mut self,
        text: &str,
        mistake: impl FnOnce(Rejection) -> Diagnostic,
    ) -> Result<RegexId, Diagnostic> {
        self.added_regex(text).map_err(mistake)
    }

    /// The automaton of an expression that a condition implies; `None` if it says nothing, is too large, or is one too many.
    pub fn implied_regex(&mut self, text: &str) -> Option<RegexId> {
        if let Some(known) = self.regexes.iter().position(|known| known.text == text) {
            return Some(RegexId(known as u32));
        }
        if self.implied_regexes.len() >= MAX_IMPLIED {
            return None;
        }
        // Its characters are named by the condition, or not at all.
        let regex = Regex { named: Vec::new(), ..automaton(text).ok()? };
        let says_something = regex.n_states() <= MAX_IMPLIED_STATES && regex.accepting.contains(&false);
        says_something.then(|| {
            let id = RegexId(self.regexes.len() as u32);
            self.implied_regexes.insert(id);
            self.regexes.push(regex);
            id
        })
    }

    /// The automaton of a regular expression, or what is wrong with it.
    pub fn added_regex(&mut self, text: &str) -> Result<RegexId, Rejection> {
        let known = self.regexes.iter().position(|known| known.text == text);
        let index = match known {
            Some(index) => {
                // Now it is also one of the user's.
                self.implied_regexes.remove(&RegexId(index as u32));
                index
            }
            None if self.regexes.len() - self.implied_regexes.len() >= MAX_REGEXES => {
                let message = format!("a spec may have {MAX_REGEXES} different regular expressions");
                return Err(Rejection { message, help: None, range: 0..text.len() });
            }
            None => {
                self.regexes.push(automaton(text)?);
                self.regexes.len() - 1
            }
        };
        Ok(RegexId(index as u32))
    }
}
