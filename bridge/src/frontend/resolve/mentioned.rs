//! Finds the items to open for the user's own Rust code (`call`, `where`): the private items whose paths it contains.
//!
//! The code is compiled outside the crate, as if at its root. Only paths are examined; rustc resolves method calls.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::frontend::catalog::{Catalog, FnLookup, Opening, TypeLookup};

/// The items to open for some code.
pub fn openings(code: &str, catalog: &Catalog) -> Vec<Opening> {
    let mut openings = Vec::new();
    let mut waiting: Vec<TokenStream> = code.parse().ok().into_iter().collect();
    while let Some(stream) = waiting.pop() {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let is_member = index > 0 && is_punct(tokens.get(index - 1), '.');
            index += 1;
            match token {
                TokenTree::Group(group) => waiting.push(group.stream()),
                TokenTree::Ident(first) if !is_member => {
                    let mut path = vec![first.to_string()];
                    while let Some(name) = next_name(&tokens[index..]) {
                        path.push(name);
                        index += 3;
                    }
                    of_path(&path, tokens.get(index), catalog, &mut openings);
                }
                _ => {}
            }
        }
    }
    openings
}

/// Whether some code reads a field: a name or number after a `.`, and no call.
pub fn has_fields(code: &str) -> bool {
    let mut waiting: Vec<TokenStream> = code.parse().ok().into_iter().collect();
    while let Some(stream) = waiting.pop() {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        for (index, token) in tokens.iter().enumerate() {
            let is_member = index > 0 && is_punct(tokens.get(index - 1), '.');
            let is_range = index > 1 && is_punct(tokens.get(index - 2), '.');
            let is_called = matches!(tokens.get(index + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
                || is_punct(tokens.get(index + 1), ':');
            match token {
                TokenTree::Group(group) => waiting.push(group.stream()),
                TokenTree::Ident(_) | TokenTree::Literal(_) if is_member && !is_range && !is_called => {
                    return true;
                }
                TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }
    false
}

fn is_punct(token: Option<&TokenTree>, c: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c)
}

/// The name after `::`.
fn next_name(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [a, b, TokenTree::Ident(name), ..] if is_punct(Some(a), ':') && is_punct(Some(b), ':') => {
            Some(name.to_string())
        }
        _ => None,
    }
}

fn of_path(path: &[String], next: Option<&TokenTree>, catalog: &Catalog, openings: &mut Vec<Opening>) {
    let names: Vec<&str> = path.iter().map(String::as_str).collect();
    let follows =
        |wanted: Delimiter| matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == wanted);
    let is_applied = follows(Delimiter::Parenthesis) || follows(Delimiter::Brace);
    // Elsewhere a single name is a variable.
    let is_meant = |defined: &str| names.len() > 1 || defined == names[0];
    if let FnLookup::Found(item) | FnLookup::Private(item) = catalog.function(&names)
        && is_meant(&item.path)
    {
        openings.extend(item.access.iter().flat_map(|access| access.openings.iter().cloned()));
    }
    if let Some(of_member) = catalog.member_functions.get(&names.join("::")) {
        openings.extend(of_member.iter().cloned());
    }
    if let TypeLookup::Found(id) = catalog.type_(&names)
        && is_meant(&catalog.item(id).path)
    {
        openings.extend(catalog.item(id).access.openings.iter().cloned());
    }
    if let Some(constant) = catalog.constant(&names)
        && is_meant(&constant.access.path)
    {
        openings.extend(constant.access.openings.iter().cloned());
    }
    let constructed = catalog.constructor(&names).map(|(id, _)| catalog.item(id));
    if let Some(item) = constructed.filter(|item| (item.is_enum || is_applied) && is_meant(&item.path)) {
        openings.extend(item.openings().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::catalog::{Cfg, opened, scan_text};

    #[test]
    fn fields_are_told_from_methods() {
        for (code, has_them) in [
            ("self.year()", false),
            ("self.items().len()", false),
            ("self.parse::<u8>()", false),
            ("month(self)", false),
            ("&self[1..n]", false),
            ("self.year", true),
            ("f(self.0.clone())", true),
        ] {
            assert_eq!(has_fields(code), has_them, "{code}");
        }
    }

    #[test]
    fn paths_are_opened_and_nothing_else() {
        let text = "mod a { fn f() {} pub struct S { x: u8 } fn g() {} impl S { fn m() {} } enum E { V } }
            fn h() {} fn xx() {} pub struct P(u8); pub fn o() {} const C: u8 = 1; mod b { static S: u8 = 1; }
            impl P { const D: u8 = 1; }";
        let (catalog, _) = scan_text(text, "me", &Cfg::default());
        let changed =
            |code: &str| opened(text, &openings(code, &catalog)).expect("the test's own text can be opened");
        for code in ["|z: u8| o(z.h(), y)", "z + 1", "P::default()", "f(", "S { z }", "vec![b::f()]"] {
            assert_eq!(changed(code), text, "{code}");
        }
        for (code, openings) in [
            ("h()", 1),
            // A variable it may be, but better opened than missed.
            ("[1].map(xx)", 1),
            ("crate::h", 1),
            ("me::h", 1),
            ("|z| { vec![(a::f(z), me::a::g())] }", 3),
            ("a::S::m", 2),
            ("a::S { x: 1 }", 2),
            ("|s: a::S| s.x", 1),
            ("a::E::V", 2),
            ("P(1)", 1),
            ("C + 1", 1),
            ("b::S == P::D", 3),
        ] {
            assert_eq!(changed(code).len(), text.len() + 4 * openings, "{code}: {}", changed(code));
        }
    }
}
