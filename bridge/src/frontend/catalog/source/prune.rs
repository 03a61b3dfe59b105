//! Removes tokens that the scan doesn't need, and measures how deep a parser may recurse in the remaining tokens.
//!
//! Each level of a parser's recursion consumes a token, and ends at the next list element or item. So the number of
//! tokens since then, summed over the surrounding brackets, limits the depth.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use super::super::constant::{METHODS, MOST_ELEMENTS};
use super::super::hidden::{LeftOut, Origin};

/// Maximum number of tokens in one chain of nested constructs.
const DEEPEST: usize = 8_000;

/// Maximum nesting depth of brackets in the remaining tokens.
const DEEPEST_GROUP: usize = 500;

/// Maximum number of tokens of a constant's value that is kept, without its literals in brackets.
const MOST_KEPT: usize = 48;

/// Maximum number of tokens in the brackets of a constant's value, commas and inner brackets included.
const MOST_IN_BRACKETS: usize = 4 * MOST_ELEMENTS;

/// Maximum nesting depth of brackets in a constant's value.
const DEEPEST_KEPT: usize = 4;

/// The words that start an item, and so end an expression before them.
const ITEM_WORDS: [&str; 15] = [
    "pub", "fn", "struct", "enum", "union", "impl", "trait", "mod", "use", "const", "static", "type",
    "unsafe", "extern", "async",
];

/// Tokens, and the maximum depth of a parser's recursion in them.
pub(super) struct Pruned {
    pub tokens: TokenStream,
    /// The function bodies, values of constants and macro inputs that were removed.
    pub left_out: Vec<LeftOut>,
    depth: usize,
}

/// Prunes the tokens of a file or of a group; fails with the span where the nesting is too deep.
pub(super) fn prune(tokens: TokenStream, level: usize) -> Result<Pruned, Span> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut kept: Vec<TokenTree> = Vec::with_capacity(tokens.len());
    let mut left_out = Vec::new();
    let mut chain = Chain::default();
    let mut function = None;
    let mut constant = None;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let (before, after) = (&tokens[..index], &tokens[index + 1..]);
        if is_word(after.first()) && is(Some(token), "fn") {
            function = named(after).map(|(name, line)| Origin::Function { name, line });
        } else if starts_constant(before, token, after) {
            constant = named(after).map(|(name, line)| Origin::Constant { name, line });
        } else if is(Some(token), ";") {
            (function, constant) = (None, None);
        }
        index += 1;
        let depth = match token {
            TokenTree::Group(group) => {
                let body = function.take_if(|_| is_body(group, after));
                let origin = if is_macro(before) { Some(Origin::Macro) } else { body };
                let inner = if let Some(origin) = origin {
                    left_out.push(LeftOut { tokens: group.stream(), origin });
                    Pruned { tokens: TokenStream::new(), left_out: Vec::new(), depth: 0 }
                } else if level == DEEPEST_GROUP {
                    return Err(group.span_open());
                } else {
                    prune(group.stream(), level + 1)?
                };
                left_out.extend(inner.left_out);
                kept.push(regrouped(group, inner.tokens));
                inner.depth
            }
            _ => {
                kept.push(token.clone());
                0
            }
        };
        chain.push(before, token, after, depth);
        if chain.deepest > DEEPEST {
            return Err(token.span());
        }
        if chain.angles == 0
            && is(Some(token), "=")
            && let Some(origin) = constant.take()
        {
            let value = after.iter().take_while(|token| !is(Some(token), ";")).count();
            left_out.push(LeftOut { tokens: after[..value].iter().cloned().collect(), origin });
            index += value;
            kept.push(value_left(&after[..value], token.span()));
        }
    }
    Ok(Pruned { tokens: kept.into_iter().collect(), left_out, depth: chain.deepest })
}

/// The tokens through which a parser may have recursed so far, within one group.
#[derive(Default)]
struct Chain {
    /// Number of tokens since the last point where recursion must have ended.
    running: usize,
    /// Number of open `<`; a comma between them ends nothing.
    angles: usize,
    /// Number of open `|` of closures, whose parameters contain commas too.
    pipes: usize,
    deepest: usize,
}

impl Chain {
    fn push(&mut self, before: &[TokenTree], token: &TokenTree, after: &[TokenTree], inner: usize) {
        if is_attribute(before, token, after) {
            // The parser reads attributes in a loop, however many there are.
            self.deepest = self.deepest.max(inner);
            return;
        }
        let is_arrow = || is(before.last(), "-") || is(before.last(), "=");
        match token {
            TokenTree::Punct(punct) => match punct.as_char() {
                ';' => *self = Chain { deepest: self.deepest, ..Chain::default() },
                ',' if self.angles == 0 => self.running = 0,
                '<' => self.angles += 1,
                '>' if !is_arrow() => self.angles = self.angles.saturating_sub(1),
                '|' => self.pipes += 1,
                _ => {}
            },
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && starts_item(after) => {
                self.deepest = self.deepest.max(self.running + self.angles + self.pipes + inner + 1);
                *self = Chain { deepest: self.deepest, ..Chain::default() };
                return;
            }
            _ => {}
        }
        self.running += 1;
        self.deepest = self.deepest.max(self.running + self.angles + self.pipes + inner);
    }
}

fn is(token: Option<&TokenTree>, text: &str) -> bool {
    match token {
        Some(TokenTree::Punct(punct)) => text.len() == 1 && text.starts_with(punct.as_char()),
        Some(TokenTree::Ident(word)) => word == text,
        _ => false,
    }
}

fn is_word(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Ident(_)))
}

/// Whether the tokens after a brace start something new.
fn starts_item(after: &[TokenTree]) -> bool {
    match after.first() {
        None => true,
        Some(TokenTree::Ident(word)) => {
            ITEM_WORDS.iter().any(|item| word == item) || is(after.get(1), "!") || word == "macro_rules"
        }
        token => is(token, "#"),
    }
}

/// Whether a brace is a function's body, not a constant in its generics: `fn f() -> A<{ N }> { .. }`.
fn is_body(group: &Group, after: &[TokenTree]) -> bool {
    group.delimiter() == Delimiter::Brace && !is(after.first(), ">") && !is(after.first(), ",")
}

/// Whether the next group is a macro's input: `name! { .. }`, `macro_rules! name { .. }`.
fn is_macro(before: &[TokenTree]) -> bool {
    match before {
        [.., name, bang] if is(Some(bang), "!") => is_word(Some(name)),
        [.., word, bang, name] if is_word(Some(name)) => is(Some(word), "macro_rules") && is(Some(bang), "!"),
        _ => false,
    }
}

/// Whether a token belongs to `#[..]` or `#![..]`.
fn is_attribute(before: &[TokenTree], token: &TokenTree, after: &[TokenTree]) -> bool {
    let bracket = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
    let hash = |back: usize| before.len() >= back && is(before.get(before.len() - back), "#");
    match token {
        TokenTree::Group(_) => bracket(Some(token)) && (hash(1) || (hash(2) && is(before.last(), "!"))),
        _ if is(Some(token), "#") => {
            bracket(after.first()) || (is(after.first(), "!") && bracket(after.get(1)))
        }
        _ => is(Some(token), "!") && hash(1) && bracket(after.first()),
    }
}

/// The name after the word that introduces an item, and its line.
fn named(after: &[TokenTree]) -> Option<(String, usize)> {
    let mut words = after.iter().map_while(|token| match token {
        TokenTree::Ident(word) => Some((word.to_string(), word.span().start().line)),
        _ => None,
    });
    words.find(|(word, _)| word != "mut")
}

/// Whether a token is the `const` or `static` of an item with a value.
fn starts_constant(before: &[TokenTree], token: &TokenTree, after: &[TokenTree]) -> bool {
    let introduces = is(Some(token), "const") || is(Some(token), "static");
    let at_start = match before.last() {
        None | Some(TokenTree::Group(_)) => true,
        token => is(token, ";") || is(token, "pub") || is(token, "default"),
    };
    let after = if is(after.first(), "mut") { &after[1..] } else { after };
    introduces && at_start && is_word(after.first()) && is(after.get(1), ":")
}

/// What is kept of a constant's value: a small one, since specs may mention it; otherwise a placeholder.
fn value_left(value: &[TokenTree], at: Span) -> TokenTree {
    if let [literal @ TokenTree::Literal(_)] = value {
        return literal.clone();
    }
    let kept = if is_small(value) { value.iter().cloned().collect() } else { TokenStream::new() };
    let mut group = Group::new(Delimiter::Parenthesis, kept);
    group.set_span(at);
    group.into()
}

/// Whether tokens are few, with little nesting, and without calls but those that constants' values may have.
fn is_small(value: &[TokenTree]) -> bool {
    let (mut n_kept, mut n_in_brackets) = (0, 0);
    let mut waiting = vec![(value.to_vec(), 0)];
    while let Some((tokens, depth)) = waiting.pop() {
        if depth > DEEPEST_KEPT || tokens.windows(2).any(is_call) {
            return false;
        }
        for token in tokens {
            let is_element = matches!(token, TokenTree::Literal(_)) || is(Some(&token), ",");
            match token {
                TokenTree::Group(group) => {
                    // Brackets without operators, as in a table, cost no more than their elements.
                    n_in_brackets += 1;
                    waiting.push((group.stream().into_iter().collect(), depth + 1));
                }
                _ if is_element && depth > 0 => n_in_brackets += 1,
                _ => n_kept += 1,
            }
            if n_kept > MOST_KEPT || n_in_brackets > MOST_IN_BRACKETS {
                return false;
            }
        }
    }
    true
}

/// Whether the second of two tokens are the arguments of a call that no constant's known value has.
fn is_call(pair: &[TokenTree]) -> bool {
    match pair {
        [TokenTree::Ident(name), TokenTree::Group(group)] if group.delimiter() == Delimiter::Parenthesis => {
            !METHODS.iter().chain(&["Some", "if"]).any(|method| name == method)
        }
        _ => false,
    }
}

fn regrouped(group: &Group, tokens: TokenStream) -> TokenTree {
    let mut regrouped = Group::new(group.delimiter(), tokens);
    regrouped.set_span(group.span());
    regrouped.into()
}
