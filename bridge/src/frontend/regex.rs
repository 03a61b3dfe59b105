//! Turns the text of a regular expression into its automaton, for `s.matches("[a-z]+")`.
//!
//! `regex-syntax` parses the text, so flags, classes and bounds are those of the crate `regex`. The remaining stages
//! are the textbook's, over classes of characters: [`alphabet`] finds the classes, [`nfa`] builds a nondeterministic
//! automaton, [`determine`] makes it deterministic, and [`minimize`] makes it small. The whole string has to match.
//! Each stage has a limit, so that no text makes the tool hang. Mistakes have spans in bytes of the text.

mod alphabet;
mod determine;
mod limits;
mod minimize;
mod named;
mod near;
mod nfa;
mod program;
mod ways;
mod sample;

use std::ops::Range;

use regex_syntax::ast::{self, AssertionKind, Ast, Visitor};
use regex_syntax::hir::translate::Translator;
use regex_syntax::hir::{Hir, Look};
use target_strategies::logic::ir::{Program, Regex};

use self::limits::{MAX_STATES, TooBig, Work};
pub use self::near::near;
pub use self::ways::Ways;

/// Maximum nesting depth of a regular expression.
const MAX_NESTING: u32 = 100;

/// Maximum number of steps of all stages together; they take well below a second.
const WORK: usize = 20_000_000;

/// Why there is no automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The mistake.
    pub message: String,
    /// A fix, if one can be guessed.
    pub help: Option<String>,
    /// Its range of bytes in the text.
    pub range: Range<usize>,
}

/// The automaton of all strings that match a regular expression from the first to the last character.
pub fn automaton(text: &str) -> Result<Regex, Rejection> {
    let (ast, hir) = read(text)?;
    let built = built(text, &hir).map(|regex| Regex { named: named::named(text, &ast), ..regex });
    built.map_err(|TooBig| too_big(text))
}

/// The program that tells the groups of a match of the whole string.
pub fn program(text: &str) -> Result<Program, Rejection> {
    let (_, hir) = read(text)?;
    program::program_of(&hir, &mut Work(WORK)).map_err(|TooBig| too_big(text))
}

/// A string for each of the first `most` ways through an expression. Those that would be too long are missing.
pub fn strings(text: &str, most: u64) -> Vec<String> {
    let Ok(ways) = Ways::of(text) else { return Vec::new() };
    (0..ways.n().min(most)).filter_map(|k| string(&ways.nth(k), k, &[])).collect()
}

/// A string of an expression that repeats its parts as rarely as may be, with the characters of a seed. `usual` are the
/// characters that are preferred, by index; the last ones are those of all further indexes. `None` if it would be too long.
pub fn string(text: &str, seed: u64, usual: &[Vec<char>]) -> Option<String> {
    sample::string(&read(text).ok()?.1, seed, usual)
}

fn too_big(text: &str) -> Rejection {
    Rejection {
        message: "this regular expression is too big".to_owned(),
        help: Some(format!(
            "its automaton would have more than {MAX_STATES} states, or take too long to build"
        )),
        range: 0..text.len(),
    }
}

fn built(text: &str, hir: &Hir) -> Result<Regex, TooBig> {
    let mut work = Work(WORK);
    let alphabet = alphabet::Alphabet::of(hir, &mut work)?;
    let nfa = nfa::Nfa::of(hir, &alphabet, &mut work)?;
    let automaton = determine::determined(&nfa, &alphabet, &mut work)?;
    let minimal = minimize::minimal(automaton);
    Ok(minimize::numbered(text, &alphabet.intervals, &minimal))
}

/// The parsed text, or the first mistake in it.
fn read(text: &str) -> Result<(Ast, Hir), Rejection> {
    let rejection = |message: String, span: &ast::Span| {
        let (mut start, mut end) = (span.start.offset, span.end.offset);
        if start == end {
            // If something is missing, the span is the next character, or the last.
            let next = text[start..].chars().next().map_or(0, char::len_utf8);
            end += next;
            start = text[..end].char_indices().next_back().map_or(0, |(last, _)| last);
        }
        Rejection { message, help: None, range: start..end }
    };
    let mut parser = ast::parse::ParserBuilder::new().nest_limit(MAX_NESTING).build();
    let ast = parser.parse(text).map_err(|mistake| {
        rejection(format!("this is no regular expression: {}", mistake.kind()), mistake.span())
    })?;
    let hir = Translator::new().translate(text, &ast).map_err(|mistake| {
        rejection(format!("this is no regular expression: {}", mistake.kind()), mistake.span())
    })?;
    if hir.properties().look_set().iter().all(|look| matches!(look, Look::Start | Look::End)) {
        return Ok((ast, hir));
    }
    let span = ast::visit(&ast, Assertions(None)).expect("this visitor never fails");
    let range = span.map_or(0..text.len(), |span| span.start.offset..span.end.offset);
    let message = "word boundaries and the anchors of lines are not supported in `matches`".to_owned();
    let help = Some("the whole string has to match, without `^` and `$`".to_owned());
    Err(Rejection { message, help, range })
}

/// Finds the first assertion that isn't about the start or end of the text, with any flags.
struct Assertions(Option<ast::Span>);

impl Visitor for Assertions {
    type Output = Option<ast::Span>;
    type Err = std::convert::Infallible;

    fn finish(self) -> Result<Option<ast::Span>, Self::Err> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        if let Ast::Assertion(assertion) = ast
            && !matches!(assertion.kind, AssertionKind::StartText | AssertionKind::EndText)
        {
            self.0.get_or_insert(assertion.span);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
