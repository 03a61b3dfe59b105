//! Names whose definitions the scan can't see, for messages: names in function bodies and in macros.

use std::path::PathBuf;

use proc_macro2::{TokenStream, TokenTree};

/// Maximum number of names kept per file.
const MOST: usize = 20_000;

/// A name in text that the scan doesn't read.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// The name.
    pub name: String,
    /// Whether it is in a macro's input, which may define it; otherwise a function's body defines it.
    pub in_macro: bool,
    /// The file and the line, 1-based.
    pub location: (PathBuf, usize),
}

/// Tokens that are left out of a file.
pub(super) struct LeftOut {
    pub tokens: TokenStream,
    pub origin: Origin,
}

/// What omitted tokens are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// The input of a macro.
    Macro,
    /// The body of a function, with the line of its name, 1-based.
    Function { name: String, line: usize },
    /// The value of a constant, likewise.
    Constant { name: String, line: usize },
}

/// The names in the omitted parts of a file: those that a function body defines, and all names in macros.
pub(super) fn names(left_out: Vec<LeftOut>, file: &std::path::Path) -> Vec<Hidden> {
    let mut found = Vec::new();
    let of_names = left_out.into_iter().filter_map(|part| match part.origin {
        Origin::Macro => Some((part.tokens, true)),
        Origin::Function { .. } => Some((part.tokens, false)),
        Origin::Constant { .. } => None,
    });
    let mut waiting: Vec<(TokenStream, bool)> = of_names.collect();
    while let Some((tokens, in_macro)) = waiting.pop() {
        let mut defines = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) => waiting.push((group.stream(), in_macro)),
                TokenTree::Ident(word) => {
                    if (defines || in_macro) && found.len() < MOST {
                        let location = (file.to_path_buf(), word.span().start().line);
                        found.push(Hidden { name: word.to_string(), in_macro, location });
                    }
                    defines = ["fn", "struct", "enum"].iter().any(|keyword| word == keyword);
                    continue;
                }
                _ => {}
            }
            defines = false;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::listing::catalog;

    #[test]
    fn bodies_and_macros_are_searched() {
        let text = "fn f() {\n fn nested() { struct Deep; let local = other(); } }\nmake!(made, Made);\n
            macro_rules! m { () => { fn templated() {} } } impl S { fn g() { enum In {} } }";
        let catalog = catalog(text);
        let location = |name: &str| catalog.hidden(name).map(|hidden| (hidden.in_macro, hidden.location.1));
        for (name, expected) in [
            ("nested", Some((false, 2))),
            ("Deep", Some((false, 2))),
            ("made", Some((true, 3))),
            ("templated", Some((true, 5))),
            ("In", Some((false, 5))),
            ("local", None),
            ("other", None),
            ("f", None),
        ] {
            assert_eq!(location(name), expected, "{name}");
        }
    }
}
