//! Parses Rust text into items, without the parts that the scan doesn't need: function bodies, macros, values of
//! constants.
//!
//! syn recurses, and a file may nest arbitrarily deep. So the text is split into tokens first (without recursion), the
//! tokens are pruned, and text that could still overflow the scan's stack is rejected. Nothing here knows modules.

mod prune;

use proc_macro2::{Delimiter, LexError, Span, TokenStream, TokenTree};
use syn::Attribute;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};

use super::hidden::LeftOut;

/// A mistake in a text, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourceError {
    pub line: usize,
    pub message: String,
}

/// A file's items, and its mistakes.
pub(super) struct Parsed {
    pub file: syn::File,
    pub errors: Vec<SourceError>,
    pub left_out: Vec<LeftOut>,
}

/// Maximum number of mistakes reported per file.
const MOST_ERRORS: usize = 20;

/// Parses a file; an item that syn doesn't understand is skipped.
pub(super) fn parse(text: &str) -> Result<Parsed, SourceError> {
    let before = before_text(text);
    // Replaced by as many spaces, so that every token keeps its span.
    let tokens = if before > 0 { (" ".repeat(before) + &text[before..]).parse() } else { text.parse() };
    let tokens: TokenStream =
        tokens.map_err(|error: LexError| failure(error.span(), "an unclosed bracket or quote"))?;
    let pruned = prune::prune(tokens, 0).map_err(|at| SourceError {
        line: at.start().line,
        message: "nested too deeply to be read".to_string(),
    })?;
    let parsed = items.parse2(pruned.tokens).map_err(|error| failure(error.span(), &error.to_string()))?;
    Ok(Parsed { left_out: pruned.left_out, ..parsed })
}

/// The length of a byte order mark and a shebang line.
fn before_text(text: &str) -> usize {
    let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - marked.len();
    match marked.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => mark + marked.find('\n').unwrap_or(marked.len()),
        _ => mark,
    }
}

fn items(input: ParseStream) -> syn::Result<Parsed> {
    let attrs = input.call(Attribute::parse_inner)?;
    let (mut items, mut errors) = (Vec::new(), Vec::new());
    while !input.is_empty() {
        let ahead = input.fork();
        match ahead.parse() {
            Ok(item) => {
                items.push(item);
                input.advance_to(&ahead);
            }
            Err(error) => {
                if errors.len() < MOST_ERRORS {
                    errors.push(failure(error.span(), &error.to_string()));
                }
                skip_item(input)?;
            }
        }
    }
    Ok(Parsed { file: syn::File { shebang: None, attrs, items }, errors, left_out: Vec::new() })
}

/// Skips to after the next semicolon or block.
fn skip_item(input: ParseStream) -> syn::Result<()> {
    while !input.is_empty() {
        match input.parse()? {
            TokenTree::Punct(punct) if punct.as_char() == ';' => break,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
            _ => {}
        }
    }
    Ok(())
}

fn failure(at: Span, reason: &str) -> SourceError {
    SourceError { line: at.start().line, message: format!("not understood as Rust: {reason}") }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn pruned(text: &str) -> String {
        let shown = |error: &SourceError| format!("{}: {}", error.line, error.message);
        match parse(text) {
            Ok(Parsed { file, errors, .. }) if errors.is_empty() => file.into_token_stream().to_string(),
            Ok(Parsed { file, errors, .. }) => format!("{} left; {}", file.items.len(), shown(&errors[0])),
            Err(error) => shown(&error),
        }
    }

    #[test]
    fn what_the_scan_never_looks_at_is_left_out() {
        for (text, left) in [
            (
                "fn f() -> A<{ N + 1 }> where T: U, { (((x))) }",
                "fn f () -> A < { N + 1 } > where T : U , { }",
            ),
            ("const fn f() -> fn() { g }", "const fn f () -> fn () { }"),
            ("impl T for A { fn f(&self) { x } fn g(); }", "impl T for A { fn f (& self) { } fn g () ; }"),
            (
                "pub(crate) const X: A<B = C> = f(1); struct S;",
                "pub (crate) const X : A < B = C > = () ; struct S ;",
            ),
            ("const N: usize = 4;", "const N : usize = 4 ;"),
            ("struct A<const N: usize = 3>([u8; N]);", "struct A < const N : usize = 3 > ([u8 ; N]) ;"),
            ("macro_rules! m { (($x:expr)) => {} } m! { a }", "macro_rules ! m { } m ! { }"),
            ("#!/bin/x\n#![allow(x)] fn f() {}", "# ! [allow (x)] fn f () { }"),
            ("\u{feff}struct A;", "struct A ;"),
        ] {
            assert_eq!(pruned(text), left, "{text}");
        }
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, error) in [
            ("\nstruct", "0 left; 1: not understood as Rust: unexpected end of input, expected identifier"),
            ("\n\nstruct A {", "3: not understood as Rust: an unclosed bracket or quote"),
            (
                "fn f() {}\nfn 3;\n type X = Fn(u8) + Send; fn g() {}",
                "2 left; 2: not understood as Rust: expected identifier",
            ),
        ] {
            assert_eq!(pruned(text), error, "{text}");
        }
    }

    #[test]
    fn hostile_nesting_is_refused_or_harmless() {
        // Far beyond the limits, and as near below them as counts.
        let texts = [20_000, 7_900, 1_900, 490].map(hostile);
        let big = std::thread::Builder::new().stack_size(super::super::scan::STACK);
        let scan = move || texts.iter().flatten().for_each(|text| drop(parse(text)));
        big.spawn(scan).expect("a thread can be started").join().expect("the thread ends without a panic");
    }

    fn hostile(n: usize) -> Vec<String> {
        let many = |s: &str| s.repeat(n);
        vec![
            format!("fn f() {{ {}{} }}", many("("), many(")")),
            format!("fn f() {{ {} }}", many("1 + ")),
            format!("const X: T = {}{};", many("["), many("]")),
            format!("type X = {}u8{};", many("("), many(")")),
            format!("type X = {}u8;", many("&")),
            format!("type X = {}u8{};", many("A<u8, "), many(">")),
            format!("type X = {};", many("A<u8, ")),
            format!("type X = {}u8;", many("fn() -> ")),
            format!("type X = {}u8;", many("for<'a,> fn() -> ")),
            format!("type X = [u8; {}1];", many("!")),
            format!("enum X {{ A = {} }}", many("|a, b| ")),
            format!("enum X {{ A = {}1 }}", many("1 + ")),
            format!("enum X {{ A = {} {{}} }}", many("if a {} else ")),
            format!("use {}a{};", many("a::{"), many("}")),
            format!("use {}a;", many("a::")),
            format!("{}{}", many("mod a {"), many("}")),
            format!("{}", many("#[a] ")),
            format!("#[a{}{}] fn f() {{}}", many("("), many(")")),
            format!("m! {{ {}{} }}", many("("), many(")")),
            many("/*"),
            many("("),
        ]
    }

    #[test]
    fn long_tables_are_not_taken_for_deep_ones() {
        let n = 10_000;
        for text in [
            format!("const X: [u32; 10000] = [{}];", "1 << 3 | 1, ".repeat(n)),
            format!(
                "enum E {{ {} }}",
                (0..n).map(|i| format!("#[doc = \"x\"] A{i}(Vec<u8>), ")).collect::<String>()
            ),
            format!("{} fn f() {{}}", "/// Words.\n".repeat(n)),
            "fn f(x: Vec<u8>, y: fn() -> u8) -> u8 { x < 1 }\n".repeat(n),
            "impl A<u8> for B {}\n".repeat(n),
        ] {
            assert!(parse(&text).is_ok_and(|parsed| parsed.errors.is_empty()), "{}", &text[..60]);
        }
    }
}
