//! Conditions that a function's body or its docs state about its parameters: assertions at the start, indices, `# Panics`.
//!
//! They are texts, candidates for a first spec. Names are not looked up here: who uses a condition has to check that it
//! speaks of parameters only, and that a spec can say it.

mod documented;
mod indexed;

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

pub use documented::negated;
pub(super) use documented::{documented, documents_panics};

/// The conditions of one body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// What the assertions at the start of the body say.
    pub asserted: Vec<String>,
    /// What must hold so that the index expressions that are always evaluated don't panic.
    pub indexed: Vec<IndexGuard>,
}

/// What must hold so that an index expression doesn't panic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexGuard {
    /// The condition: `i < xs.len()`.
    pub condition: String,
    /// The first name of the indexed place, if code before may have changed that value: a list may have got longer.
    pub may_be_changed: Option<String>,
}

/// Maximum number of characters of a condition; longer ones are not worth having in a first spec.
const LONGEST: usize = 120;

/// The conditions of a function's body.
pub(super) fn guards(body: &TokenStream) -> Guards {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    let mut asserted = Vec::new();
    let mut lengths = BTreeMap::new();
    let mut rest = tokens.as_slice();
    while let Some(after) = statement(rest, &mut lengths, &mut asserted) {
        rest = after;
    }
    Guards { asserted, indexed: indexed::indexed(&tokens) }
}

/// Reads an assertion, or `let n = xs.len();`; returns the tokens after it.
fn statement<'t>(
    tokens: &'t [TokenTree],
    lengths: &mut BTreeMap<String, String>,
    asserted: &mut Vec<String>,
) -> Option<&'t [TokenTree]> {
    if let [first, TokenTree::Ident(name), equals, place, dot, len, call, end, rest @ ..] = tokens
        && is(first, "let")
        && is(equals, "=")
        && is(dot, ".")
        && is(len, "len")
        && is(end, ";")
        && is_empty_call(call)
    {
        let TokenTree::Ident(place) = place else { return None };
        lengths.insert(name.to_string(), format!("{place}.len()"));
        return Some(rest);
    }
    let [TokenTree::Ident(name), bang, TokenTree::Group(input), rest @ ..] = tokens else { return None };
    if !is(bang, "!") {
        return None;
    }
    let input: Vec<TokenTree> = input.stream().into_iter().collect();
    let parts: Vec<&[TokenTree]> = input.split(|token| is(token, ",")).collect();
    let operand = |part: &[TokenTree]| {
        let is_plain = !part.iter().any(|token| ["&", "|", "=", "<", ">"].iter().any(|sign| is(token, sign)));
        text(part).map(|text| if is_plain { text } else { format!("({text})") })
    };
    let found = match (name.to_string().trim_start_matches("debug_"), parts.as_slice()) {
        ("assert", [condition, ..]) => conjuncts(condition).into_iter().filter_map(text).collect(),
        ("assert_eq", [left, right, ..]) => joined(operand(left), "==", operand(right)),
        ("assert_ne", [left, right, ..]) => joined(operand(left), "!=", operand(right)),
        _ => return None,
    };
    asserted.extend(found.into_iter().map(|condition| with_lengths(&condition, lengths)));
    Some(rest.strip_prefix_if(|token| is(token, ";")))
}

fn joined(left: Option<String>, operator: &str, right: Option<String>) -> Vec<String> {
    left.zip(right).map(|(left, right)| format!("{left} {operator} {right}")).into_iter().collect()
}

/// The parts of `a && b && c`.
fn conjuncts(condition: &[TokenTree]) -> Vec<&[TokenTree]> {
    if condition.iter().any(|token| is(token, "|")) {
        return vec![condition];
    }
    let mut parts = Vec::new();
    let mut start = 0;
    for index in 1..condition.len() {
        // After an operand, `&&` is a conjunction, and not two references.
        let is_operand =
            index >= 2 && index > start + 1 && !matches!(condition[index - 2], TokenTree::Punct(_));
        if is_operand && is(&condition[index - 1], "&") && is(&condition[index], "&") {
            parts.push(&condition[start..index - 1]);
            start = index + 1;
        }
    }
    parts.push(&condition[start..]);
    parts
}

/// The condition with `n` replaced by `xs.len()` after `let n = xs.len()`.
fn with_lengths(condition: &str, lengths: &BTreeMap<String, String>) -> String {
    let mut replaced = String::new();
    for (word, is_name) in words(condition) {
        match lengths.get(word).filter(|_| is_name) {
            Some(length) => replaced.push_str(length),
            None => replaced.push_str(word),
        }
    }
    replaced
}

/// A text in pieces: names, with `true` unless they come after a dot, and the text between them.
fn words(text: &str) -> Vec<(&str, bool)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut is_after_dot = false;
    while let Some(first) = rest.chars().next() {
        let is_word = is_part(first);
        let end = rest.find(|c: char| is_part(c) != is_word).unwrap_or(rest.len());
        pieces.push((&rest[..end], is_word && !is_after_dot));
        is_after_dot = rest[..end].ends_with('.') && !rest[..end].ends_with("..");
        rest = &rest[end..];
    }
    pieces
}

/// The names in a condition that aren't fields or methods.
pub fn names(condition: &str) -> impl Iterator<Item = &str> {
    words(condition).into_iter().filter(|(_, is_name)| *is_name).map(|(word, _)| word)
}

/// Tokens as they are in the source, on one line; `None` if they are long or have comments in them.
fn text(tokens: &[TokenTree]) -> Option<String> {
    let (first, last) = (tokens.first()?.span(), tokens.last()?.span());
    let text = first.join(last)?.source_text()?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_fine = text.chars().count() <= LONGEST && !text.contains("//") && !text.contains("/*");
    is_fine.then_some(text)
}

fn is(token: &TokenTree, text: &str) -> bool {
    match token {
        TokenTree::Punct(punct) => text.len() == 1 && text.starts_with(punct.as_char()),
        TokenTree::Ident(word) => word == text,
        _ => false,
    }
}

fn is_empty_call(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.stream().is_empty())
}

/// Slices without a first element of some kind.
trait StripPrefixIf {
    /// The rest after the first element, if that is as said; otherwise all.
    fn strip_prefix_if(&self, is_it: impl Fn(&TokenTree) -> bool) -> &Self;
}

impl StripPrefixIf for [TokenTree] {
    fn strip_prefix_if(&self, is_it: impl Fn(&TokenTree) -> bool) -> &[TokenTree] {
        match self {
            [first, rest @ ..] if is_it(first) => rest,
            all => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::FnLookup;
    use super::super::listing::catalog;

    /// The conditions of `f`.
    fn check(body: &str, expected: &[&str]) {
        let catalog = catalog(&format!("pub fn f(x: u8) {{ {body} }}"));
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
        let guards = catalog.guards_of(f);
        let changed = |name: &Option<String>| name.as_ref().map(|name| format!(" unless {name} changed"));
        let indexed = guards
            .indexed
            .iter()
            .map(|guard| guard.condition.clone() + &changed(&guard.may_be_changed).unwrap_or_default());
        let found: Vec<String> = guards.asserted.iter().cloned().chain(indexed).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn assertions_at_the_start_are_found() {
        check(
            "assert!(x > 0); debug_assert!( x\n  < y && !xs.is_empty(), \"why {}\", x); g(); assert!(late);",
            &["x > 0", "x < y", "!xs.is_empty()"],
        );
        check(
            "let n = xs.len(); assert_ne!(n, 0); assert!(a.n == n || i < n)",
            &["xs.len() != 0", "a.n == xs.len() || i < xs.len()"],
        );
        check(
            "assert_eq!(a.len(), b.len()); assert_eq!(a == b, c)",
            &["a.len() == b.len()", "(a == b) == c"],
        );
        check("if a { assert!(b) }", &[]);
        check("assert!(a // why\n == b); assert!(c)", &["c"]);
    }

    #[test]
    fn indices_that_are_always_evaluated_are_found() {
        check(
            "let a = xs[i] + self.items[j]; xs.swap(a, i); xs[0]",
            &["i < xs.len()", "j < self.items.len()", "!xs.is_empty() unless xs changed"],
        );
        check(
            "g(&xs[..n], xs[a..b], xs[m..])",
            &["n <= xs.len()", "a <= b", "b <= xs.len()", "m <= xs.len()"],
        );
        check("if xs[i] { xs[j] } else { 0 }", &["i < xs.len()"]);
        check("let i = 3; xs[i]", &[]);
        check("i += 1; xs[i]", &[]);
        check("xs[i] = 1; xs[j] = 2", &["i < xs.len()", "j < xs.len()"]);
        check("let xs = &xs[1..]; xs[i]", &["1 <= xs.len()"]);
        check("g(&mut i); xs[i]", &[]);
        check("xs.chunks(n).len() + xs.windows(3).len()", &["n != 0"]);
        check("for (i, c) in xs.chunks(n).enumerate() { xs[i] }", &["n != 0"]);
        check("s.as_bytes()[0]", &["!s.is_empty()"]);
        check("let b = s.as_bytes(); b[i] == b[0]", &["i < s.len()", "!s.is_empty()"]);
        check("let n = 2; xs.chunks(n)", &[]);
        check("xs[xs.len() / 2] + ys[ys.len() - 1]", &["!xs.is_empty()", "!ys.is_empty()"]);
        check("xs[xs.len() - 2] + xs[ys.len() / 2]", &["2 <= xs.len()"]);
        check("a % m + b / (c % n)", &["m != 0", "n != 0"]);
        check("a /= m; b % c.d / e as u8 % f()", &["m != 0"]);
        // Names that a pattern binds are no parameters, and messages are not made.
        check("let (a, [b, ..]) = (b, a); x % b % m", &["m != 0"]);
        check("(a, b) = (b, a); x % b % m", &["m != 0"]);
        check("assert!(true, \"{}\", a / m); a % n", &["true", "n != 0"]);
        check("let m = 2; a % m", &[]);
        check("o.unwrap() + r.expect(\"why\")", &["o.is_some()", "o.is_ok()", "r.is_some()", "r.is_ok()"]);
        check("o.take(); o.unwrap() + g().unwrap()", &[]);
        for body in
            ["i < n && xs[i]", "let f = |i| xs[i];", "g()?; xs[i]", "return; xs[i]", "m!(xs[i])", "g()[i]"]
        {
            check(body, &[]);
        }
    }
}
