//! The Rust code after `where`: its brackets delimit it, and syn checks only its grammar.
//!
//! syn recurses as deep as the text nests. So the text is limited in length and in nesting, and syn gets a stack large
//! enough for any text within these limits.

use std::ops::Range;
use std::thread;

use super::cursor::{Cursor, Parse};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::spec::ast::RustText;
use crate::frontend::spec::lex::TokenKind;

/// Maximum length of the code, in bytes. Longer code belongs in a function of the crate.
const LONGEST: usize = 4 << 10;

/// Maximum nesting of brackets.
const MOST_BRACKETS: usize = 64;

/// Stack size in bytes. The worst allowed code, a chain of prefix operators, was measured to take a quarter of this,
/// unoptimized.
const STACK: usize = 256 << 20;

impl Cursor<'_> {
    /// `where` and the following code, up to the bracket that closes the refinement, the next clause or the end.
    pub fn opaque(&mut self) -> Parse<RustText> {
        self.eat_word("where");
        self.rust("a Rust expression after `where`", "")
    }

    /// Rust code up to a comma outside brackets, or the bracket that closes the list.
    pub fn rust_until_comma(&mut self, expected: &str) -> Parse<RustText> {
        self.rust(expected, ",")
    }

    /// A Rust type up to a bar outside brackets, or the end.
    pub fn rust_until_bar(&mut self, expected: &str) -> Parse<RustText> {
        let start = self.start();
        self.balanced("|")?;
        if self.end() <= start {
            return Err(self.unexpected(expected));
        }
        Ok(RustText { text: self.text.text[start..self.end()].to_owned(), span: self.since(start) })
    }

    fn rust(&mut self, expected: &str, until: &'static str) -> Parse<RustText> {
        let start = self.start();
        self.balanced(until)?;
        if self.end() <= start {
            return Err(self.unexpected(expected));
        }
        let end = self.end();
        let text = self.text.text[start..end].to_owned();
        if text.len() > LONGEST {
            let help = "write it as a function of the crate, and call that";
            return Err(Diagnostic::error(self.since(start), "this expression is too long").help(help));
        }
        if let Err(mistake) = check_rust(&text) {
            let range = mistake.range.map_or(end..end, |range| start + range.start..start + range.end);
            let message = format!("this is no Rust expression: {}", mistake.message);
            let diagnostic = Diagnostic::error(self.text.span(range.start, range.end), message);
            return Err(if text.contains("==>") {
                diagnostic.help("Rust code follows `where`, and Rust has no `==>`: write `!a || b`")
            } else {
                diagnostic
            });
        }
        Ok(RustText { text, span: self.text.span(start, end) })
    }

    /// Takes tokens up to an unmatched closing bracket, a clause outside brackets, the end, or the sign `until`.
    fn balanced(&mut self, until: &str) -> Parse<()> {
        let mut open: Vec<(&'static str, usize)> = Vec::new();
        loop {
            match *self.peek() {
                TokenKind::End => {
                    return open.last().map_or(Ok(()), |(close, at)| Err(self.unclosed(close, *at)));
                }
                TokenKind::Punct(sign @ ("(" | "[" | "{")) => {
                    if open.len() == MOST_BRACKETS {
                        let message = "this is nested too deeply";
                        return Err(Diagnostic::error(self.here(), message));
                    }
                    let close = match sign {
                        "(" => ")",
                        "[" => "]",
                        _ => "}",
                    };
                    open.push((close, self.start()));
                }
                TokenKind::Punct(sign @ (")" | "]" | "}")) => match open.pop() {
                    None => return Ok(()),
                    Some((close, _)) if close == sign => {}
                    Some((close, _)) => return Err(self.unexpected(&format!("`{close}`"))),
                },
                TokenKind::Punct(sign) if sign == until && open.is_empty() => return Ok(()),
                TokenKind::Ident(_) if open.is_empty() && self.at_clause() => return Ok(()),
                TokenKind::Ident(_) if open.is_empty() && self.at_word("where") => {
                    return Err(self.unexpected("an operator or the end").help("join the two with `&&`"));
                }
                _ => {}
            }
            self.bump();
        }
    }
}

/// A mistake found by syn.
struct Mistake {
    message: String,
    /// Its range of bytes; `None` for the end.
    range: Option<Range<usize>>,
}

/// Whether the code is an expression in Rust's grammar.
fn check_rust(code: &str) -> Result<(), Mistake> {
    let check = || {
        // The result is dropped on the same thread, as dropping may recurse as deep.
        syn::parse_str::<syn::Expr>(code).map(drop).map_err(|error| {
            // Only the thread that parsed knows the spans.
            let range = error.span().byte_range();
            let range =
                Some(range).filter(|range| range.start < range.end && code.get(range.clone()).is_some());
            Mistake { message: error.to_string(), range }
        })
    };
    // Without memory for the stack, only rustc checks the code, which it compiles in any case.
    on_deep_stack(check).unwrap_or(Ok(()))
}

/// Runs a closure that may recurse as deep as 4 KiB of Rust text require, and returns its result; `None` if there is no
/// memory for the stack.
pub fn on_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()?;
        thread.join().ok()
    })
}
