//! Parses spec text into [`crate::frontend::spec::ast`], by recursive descent; parsing stops at the first mistake.
//!
//! The grammar is Rust's own for types, expressions and patterns, with four additions: signatures with clauses
//! (`requires`, `ensures`, `panics if`), refined types (`{v: T | p where q}`), value arguments of aliases (`Rng(n)`),
//! and `==>`. The parser checks syntax only, not the meaning of names.

mod atom;
mod cursor;
mod data;
mod expr;
mod format;
mod opaque;
mod pat;
#[cfg(test)]
mod tests;
mod types;

use self::cursor::{Cursor, Parse};
pub use self::opaque::on_deep_stack;
use super::ast::{Condition, DataBody, DeclarationHead, Expr, Ident, MeasureSignature, Signature, Type};
use super::lex::TokenKind;
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::manifest::SpannedText;

/// The words that may follow a type or a condition.
const CLAUSES: [&str; 4] = ["requires", "ensures", "panics if", "where"];

/// What may follow a clause of a signature.
const CLAUSE_ENDS: &str = "an operator, `requires`, `ensures`, `panics if` or the end";

/// A signature with its clauses: `fn(r1: Pos, r2: Pos, s: Rng(r1)) -> Rng(r2) requires r1 <= r2`.
pub fn signature(text: &SpannedText) -> Result<Signature, Vec<Diagnostic>> {
    whole(text, CLAUSE_ENDS, |cursor| {
        let signature = cursor.signature()?;
        let bare =
            signature.requires.is_empty() && signature.ensures.is_empty() && signature.panics_if.is_none();
        if bare && *cursor.peek() != TokenKind::End {
            let arrow = if signature.result.is_none() { "`->`, " } else { "" };
            let expected = format!("{arrow}`requires`, `ensures`, `panics if` or the end");
            return Err(cursor.unexpected_word(&expected, &CLAUSES));
        }
        if signature.result.is_none() && *cursor.peek() == TokenKind::Punct("->") {
            let help = "the result comes before the clauses: `fn(x: T) -> R requires ..`";
            return Err(cursor.unexpected(CLAUSE_ENDS).help(help));
        }
        Ok(signature)
    })
}

/// A type: the right side of an alias.
pub fn ty(text: &SpannedText) -> Result<Type, Vec<Diagnostic>> {
    whole(text, "the end of the type", |cursor| match of_another_table(cursor) {
        Some(help) => Err(cursor.unexpected("a type").help(help)),
        None => cursor.ty(),
    })
}

/// What to do about a text under `types` that belongs into another table, if it does.
fn of_another_table(cursor: &Cursor<'_>) -> Option<String> {
    // A type may have the name `via`.
    let is_rule = matches!(cursor.peek(), TokenKind::Str(..));
    let (what, table) = if cursor.at_word("via") && *cursor.peek_at(1) != TokenKind::End {
        ("how values of a type are made is said", "data")
    } else if cursor.at_word("trait") {
        ("the methods of a trait are described", "traits")
    } else if is_rule {
        ("the rules of a grammar are written", "grammars")
    } else {
        return None;
    };
    Some(format!("{what} in the table `[package.metadata.target.{table}]`"))
}

/// The left side of an alias: `Pos`, `Rng(n: int)`, `Sorted<T>`.
pub fn declaration_head(text: &SpannedText) -> Result<DeclarationHead, Vec<Diagnostic>> {
    whole(text, "the end, `<` or `(`", |cursor| {
        cursor.declaration_head("the name of an alias, such as `Pos`, `Rng(n: int)` or `Sorted<T>`")
    })
}

/// The right side of an entry of the data table: a view, or `via` and a function.
pub fn data_body(text: &SpannedText) -> Result<DataBody, Vec<Diagnostic>> {
    whole(text, "the end", |cursor| {
        let body = cursor.data_body()?;
        if ["where", "requires", "ensures"].iter().any(|word| cursor.at_word(word)) {
            let help = "write a condition on several fields at the last one, `end: {e: usize | start <= e}`, or in a \
                        refined type under `types`, `Valid = \"{g: Gap | g.start <= g.end}\"`";
            return Err(cursor.unexpected("the end").help(help));
        }
        Ok(body)
    })
}

/// The left side of a measure: `black_height<T>(t: Tree<T>) -> int`.
pub fn measure_signature(text: &SpannedText) -> Result<MeasureSignature, Vec<Diagnostic>> {
    whole(text, "an operator, `decreases` or the end", Cursor::measure_signature)
}

/// `p where q`, for `explore`.
pub fn condition(text: &SpannedText) -> Result<Condition, Vec<Diagnostic>> {
    whole(text, "an operator, `where` or the end", Cursor::condition)
}

/// An expression, for `examples`.
pub fn expr(text: &SpannedText) -> Result<Expr, Vec<Diagnostic>> {
    whole(text, "an operator or the end", Cursor::expr)
}

/// The path of a function: `rescale`, `tree::insert`, `Heap::push`.
pub fn path(text: &SpannedText) -> Result<Vec<Ident>, Vec<Diagnostic>> {
    whole(text, "`::` or the end", |cursor| {
        let mut segments = vec![cursor.ident("the path of a function, such as `tree::insert`")?];
        let generic_arguments = |cursor: &Cursor<'_>, expected: &str| {
            let help = "leave the generic arguments out; the signature's types choose the instance: `self: &Ring<3>`";
            cursor.unexpected(expected).help(help)
        };
        while cursor.eat("::") {
            if cursor.at("<") {
                return Err(generic_arguments(cursor, "a name"));
            }
            segments.push(cursor.ident("a name")?);
        }
        if cursor.at("<") {
            return Err(generic_arguments(cursor, "`::` or the end"));
        }
        if cursor.at(".") {
            let path = text.text.replace('.', "::");
            return Err(cursor.unexpected("`::` or the end").help(format!("write `{path}`")));
        }
        if cursor.at("(") {
            return Err(cursor.unexpected("`::` or the end").help("the parameters belong in the signature"));
        }
        Ok(segments)
    })
}

/// The result of `parse`, which must consume the whole text.
fn whole<'t, T>(
    text: &'t SpannedText,
    expected: &str,
    parse: impl FnOnce(&mut Cursor<'t>) -> Parse<T>,
) -> Result<T, Vec<Diagnostic>> {
    let parsed = Cursor::new(text).and_then(|mut cursor| {
        let parsed = parse(&mut cursor)?;
        if *cursor.peek() == TokenKind::End {
            return Ok(parsed);
        }
        Err(cursor.unexpected_word(expected, &CLAUSES))
    });
    parsed.map_err(|diagnostic| vec![diagnostic])
}
