//! `format!("{a}-{b:02}")`: the literal's pieces, and the values in its braces.
//!
//! It becomes a call of [`FORMAT`] with string literals and values, so that all later stages find the names in it.

use std::ops::Range;

use super::cursor::{Cursor, Parse};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::spec::ast::{Expr, ExprKind, FORMAT, Ident, Offsets};

/// Maximum width of a value.
const MAX_WIDTH: u32 = 1000;

/// The supported placeholders.
const SUPPORTED: &str = "supported are `{}`, `{0}` and `{name}`, each with a width and zeros: `{:5}`, `{x:02}`; any \
                         Rust expression may follow `where`";

/// A value after the literal: its name, if it has one, and how often it was used.
struct Argument {
    name: Option<Ident>,
    value: Expr,
    uses: u32,
}

/// A piece of the literal, with its bytes.
enum Piece {
    Text(String, Range<usize>),
    /// The words before and after the colon.
    Value(String, String, Range<usize>),
}

impl Cursor<'_> {
    /// The arguments of `format!`, after the bracket at `open`.
    pub(super) fn format_macro(&mut self, close: &str, open: usize, path: &[Ident]) -> Parse<ExprKind> {
        let span = self.here();
        let Some(ExprKind::Str(text, offsets)) = self.literal() else {
            return Err(self.unexpected("a string literal").help("as in `format!(\"{a}-{b}\")`"));
        };
        self.bump();
        let mut arguments = if self.eat(",") {
            self.list(close, open, Cursor::format_argument)?.0
        } else {
            self.expect_close(close, open, &format!("`,` or `{close}`"))?;
            Vec::new()
        };
        let place = |range: Range<usize>| offsets.of(range, span.file);
        let pieces = pieces(&text).map_err(|(message, range)| {
            Diagnostic::error(place(range), message).help("a brace as such is written twice: `{{`, `}}`")
        })?;
        let mut next = 0;
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            parts.push(match piece {
                Piece::Text(text, range) => {
                    Expr { kind: ExprKind::Str(text, Offsets::default()), span: place(range) }
                }
                Piece::Value(name, layout, range) => {
                    let at = place(range);
                    check_layout(&layout, at)?;
                    let value = value_of(&name, &mut next, &mut arguments, at)?;
                    let ident = Ident { name: format!("{{{layout}}}"), span: at };
                    Expr { kind: ExprKind::MethodCall(Box::new(value), ident, Vec::new()), span: at }
                }
            });
        }
        if let Some(unused) = arguments.iter().find(|argument| argument.uses == 0) {
            return Err(Diagnostic::error(unused.value.span, "this value is in no braces of the string"));
        }
        let name = Ident { name: FORMAT.to_owned(), span: path.first().map_or(span, |name| name.span) };
        let callee = Expr { span: name.span, kind: ExprKind::Path(vec![name]) };
        Ok(ExprKind::Call(Box::new(callee), parts))
    }

    /// `value`, or `name = value`.
    fn format_argument(&mut self) -> Parse<Argument> {
        let is_named = matches!(self.peek_at(1), crate::frontend::spec::lex::TokenKind::Punct("="));
        let name = if is_named { Some(self.ident("a name")?) } else { None };
        if is_named {
            self.bump();
        }
        Ok(Argument { name, value: self.expr()?, uses: 0 })
    }
}

/// The pieces of a literal, or a mistake and its bytes.
fn pieces(text: &str) -> Result<Vec<Piece>, (String, Range<usize>)> {
    let mut pieces = Vec::new();
    let (mut plain, mut start) = (String::new(), 0);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at + c.len_utf8()..];
        if matches!(c, '{' | '}') && rest.starts_with(c) {
            plain.push(c);
            at += 2;
        } else if c == '}' {
            return Err(("this `}` closes nothing".to_owned(), at..at + 1));
        } else if c == '{' {
            let Some(length) = rest.find('}') else {
                return Err(("this `{` is never closed".to_owned(), at..at + 1));
            };
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain), start..at));
            }
            let (name, layout) = rest[..length].split_once(':').map_or((&rest[..length], ""), |both| both);
            let end = at + length + 2;
            pieces.push(Piece::Value(name.trim().to_owned(), layout.trim_end().to_owned(), at..end));
            (at, start) = (end, end);
        } else {
            plain.push(c);
            at += c.len_utf8();
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain, start..text.len()));
    }
    Ok(pieces)
}

/// Fails unless a layout is empty or a width, perhaps with zeros.
fn check_layout(layout: &str, at: Span) -> Parse<()> {
    if layout.chars().any(|c| !c.is_ascii_digit()) {
        let message = format!("the layout `{layout}` is not supported yet");
        return Err(Diagnostic::error(at, message).help(SUPPORTED));
    }
    let is_small = layout.is_empty() || layout.parse::<u32>().is_ok_and(|width| width <= MAX_WIDTH);
    if is_small {
        return Ok(());
    }
    Err(Diagnostic::error(at, format!("a value is at most {MAX_WIDTH} characters wide here")))
}

/// The value that a placeholder names.
fn value_of(name: &str, next: &mut usize, arguments: &mut [Argument], at: Span) -> Parse<Expr> {
    let is_named = |argument: &Argument| argument.name.as_ref().is_some_and(|ident| ident.name == name);
    let index = if name.is_empty() {
        *next += 1;
        *next - 1
    } else if let Some(index) = arguments.iter().position(is_named) {
        index
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.parse().unwrap_or(usize::MAX)
    } else if name.chars().all(|c| c == '_' || c.is_alphanumeric()) {
        let ident = Ident { name: name.to_owned(), span: at };
        return Ok(Expr { kind: ExprKind::Path(vec![ident]), span: at });
    } else {
        let message = format!("`{name}` is no name");
        return Err(
            Diagnostic::error(at, message).help("braces hold a name or nothing; write `{}` and the value")
        );
    };
    let Some(argument) = arguments.get_mut(index) else {
        return Err(Diagnostic::error(at, "there is no value for this").help("values follow the string"));
    };
    argument.uses += 1;
    if argument.uses > 1 && !matches!(argument.value.kind, ExprKind::Path(_)) {
        let message = "this value is used twice";
        return Err(Diagnostic::error(at, message).help("give it a name by `let`, and use the name"));
    }
    Ok(argument.value.clone())
}
