//! Index expressions that are evaluated whenever the function is called: `xs[i]` at the start of the body.
//!
//! The search ends where the code may take different branches: at a block, a closure, `?`, `&&`. A name that is bound or
//! assigned before is no longer the parameter.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Group, TokenTree};

use super::{IndexGuard, is, is_empty_call};

/// Methods that leave the length of a list as it is.
const HARMLESS: [&str; 20] = [
    "len",
    "is_empty",
    "iter",
    "get",
    "first",
    "last",
    "contains",
    "as_ref",
    "as_bytes",
    "as_slice",
    "chunks",
    "chunks_exact",
    "rchunks",
    "windows",
    "starts_with",
    "ends_with",
    "is_some",
    "is_ok",
    "unwrap",
    "expect",
];

/// Methods that see the same elements, or bytes, by another type.
const SAME: [&str; 3] = ["as_bytes", "as_slice", "as_ref"];

/// Methods that panic if their argument is zero.
const NONZERO: [&str; 9] = [
    "chunks",
    "chunks_mut",
    "chunks_exact",
    "chunks_exact_mut",
    "rchunks",
    "rchunks_exact",
    "windows",
    "step_by",
    "array_windows",
];

/// Macros whose arguments are all evaluated.
const EVALUATING: [&str; 6] = ["assert", "assert_eq", "assert_ne", "vec", "format", "println"];

/// Maximum nesting depth of brackets that are searched, far below what the stack has room for.
const DEEPEST: usize = 50;

#[derive(Default)]
struct Search {
    depth: usize,
    found: Vec<IndexGuard>,
    /// Names that are no longer the parameters.
    rebound: BTreeSet<String>,
    /// Names that the current `let` binds.
    binding: BTreeSet<String>,
    /// Names whose values may have been changed.
    changed: BTreeSet<String>,
    /// The places of which a name has the elements: `b` after `let b = s.as_bytes();`.
    same: BTreeMap<String, Vec<String>>,
    /// Whether the search ends with the statement.
    is_last: bool,
    is_over: bool,
}

/// Collects the words in brackets, those of brackets inside included.
fn names_in(group: &Group, names: &mut BTreeSet<String>) {
    let mut open = vec![group.stream()];
    while let Some(tokens) = open.pop() {
        for token in tokens {
            match token {
                TokenTree::Ident(word) => _ = names.insert(word.to_string()),
                TokenTree::Group(inner) => open.push(inner.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

/// The conditions of the index expressions that are always evaluated.
pub(super) fn indexed(body: &[TokenTree]) -> Vec<IndexGuard> {
    let mut search = Search::default();
    search.tokens(body, true);
    let mut seen = BTreeSet::new();
    search.found.retain(|guard| seen.insert(guard.condition.clone()));
    search.found
}

impl Search {
    fn tokens(&mut self, tokens: &[TokenTree], is_body: bool) {
        let mut start = 0;
        for (index, token) in tokens.iter().enumerate() {
            let (before, after) = (&tokens[start..index], &tokens[index + 1..]);
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => self.is_over = true,
                TokenTree::Group(group) => self.group(group, before),
                TokenTree::Ident(word) => self.word(&word.to_string(), before, after),
                TokenTree::Punct(punct) => match punct.as_char() {
                    ';' if is_body => {
                        start = index + 1;
                        self.note_same(before);
                        self.rebound.append(&mut self.binding);
                        self.is_over |= self.is_last;
                    }
                    '?' | '|' => self.is_over = true,
                    '&' if after.first().is_some_and(|next| is(next, "&")) => self.is_over = true,
                    '=' => self.assignment(before, after),
                    '/' | '%' => self.divisor(before, after),
                    _ => {}
                },
                TokenTree::Literal(_) => {}
            }
            if self.is_over {
                return;
            }
        }
    }

    fn group(&mut self, group: &Group, before: &[TokenTree]) {
        if before.iter().any(|token| is(token, "let")) && !before.iter().any(|token| is(token, "=")) {
            // The pattern of a `let`.
            names_in(group, &mut self.binding);
            return;
        }
        let mut inner: Vec<TokenTree> = group.stream().into_iter().collect();
        let is_macro = before.last().is_some_and(|token| is(token, "!"));
        if let (true, [.., TokenTree::Ident(name), _]) = (is_macro, before) {
            let name = name.to_string();
            let name = name.trim_start_matches("debug_");
            if !EVALUATING.contains(&name) {
                self.is_over = true;
                return;
            }
            // What follows is the message, which is made only if the assertion fails.
            let n_evaluated = match name {
                "assert" => 1,
                "assert_eq" | "assert_ne" => 2,
                _ => usize::MAX,
            };
            let mut commas = (0..inner.len()).filter(|at| is(&inner[*at], ","));
            if let Some(end) = commas.nth(n_evaluated - 1) {
                inner.truncate(end);
            }
        }
        if group.delimiter() == Delimiter::Bracket
            && let Some(place) = place(before)
        {
            self.index(&self.original(place), &inner);
        }
        if let [.., dot, TokenTree::Ident(method)] = before
            && is(dot, ".")
            && NONZERO.iter().any(|nonzero| method == nonzero)
            && let [TokenTree::Ident(_)] = inner.as_slice()
            && let Some(n) = self.operand(&inner)
        {
            self.found.push(IndexGuard { condition: format!("{n} != 0"), may_be_changed: None });
        }
        self.unwrapped(before);
        if self.depth == DEEPEST {
            self.is_over = true;
            return;
        }
        self.depth += 1;
        self.tokens(&inner, false);
        self.depth -= 1;
    }

    fn word(&mut self, word: &str, before: &[TokenTree], after: &[TokenTree]) {
        if word == "return" {
            self.is_last = true;
        }
        if matches!(word, "move" | "async" | "loop") {
            self.is_over = true;
        }
        // Before the `in` of a loop, names are bound for its body alone.
        let is_of_loop =
            before.iter().any(|token| is(token, "for")) && !before.iter().any(|token| is(token, "in"));
        if is_of_loop || matches!(word, "for" | "in") {
            return;
        }
        let is_field = before.last().is_some_and(|token| is(token, "."));
        let is_bound =
            before.iter().any(|token| is(token, "let")) && !before.iter().any(|token| is(token, "="));
        if is_bound {
            self.binding.insert(word.to_owned());
        } else if !is_field {
            if let [.., reference, word_mut] = before
                && is(reference, "&")
                && is(word_mut, "mut")
            {
                self.rebound.insert(word.to_owned());
            }
            if !is_harmless(after) {
                self.changed.insert(word.to_owned());
            }
        }
    }

    /// `x.unwrap()`, of an `Option` or a `Result`: the types of parameters are not known here.
    fn unwrapped(&mut self, before: &[TokenTree]) {
        let [of @ .., dot, TokenTree::Ident(method)] = before else { return };
        if !is(dot, ".") || !(method == "unwrap" || method == "expect") {
            return;
        }
        let is_other = |name: &String| self.rebound.contains(name) || self.changed.contains(name);
        let Some(place) = place(of).filter(|place| !is_other(&place[0])) else { return };
        let place = place.join(".");
        for method in ["is_some", "is_ok"] {
            self.found.push(IndexGuard { condition: format!("{place}.{method}()"), may_be_changed: None });
        }
    }

    /// A division by a name: `x % m`, `x /= m`.
    fn divisor(&mut self, before: &[TokenTree], after: &[TokenTree]) {
        let after = match after {
            [equals, rest @ ..] if is(equals, "=") => rest,
            after => after,
        };
        let [TokenTree::Ident(name), rest @ ..] = after else { return };
        // A cast may make a number zero.
        let goes_on = match rest.first() {
            Some(TokenTree::Group(_)) => true,
            Some(next) => [".", ":", "as", "!"].iter().any(|sign| is(next, sign)),
            None => false,
        };
        if before.is_empty() || goes_on {
            return;
        }
        if let Some(name) = self.operand(&[TokenTree::Ident(name.clone())]) {
            self.found.push(IndexGuard { condition: format!("{name} != 0"), may_be_changed: None });
        }
    }

    /// `x = ..` and `x += ..`, but not `xs[i] = ..`, nor a comparison.
    fn assignment(&mut self, before: &[TokenTree], after: &[TokenTree]) {
        let is_let = before.iter().any(|token| is(token, "let"));
        let is_comparison =
            before.last().is_some_and(|token| ["=", "<", ">", "!"].iter().any(|sign| is(token, sign)))
                || after.first().is_some_and(|token| is(token, "=") || is(token, ">"));
        if let [TokenTree::Group(pattern)] = before {
            // `(a, b) = ..`
            names_in(pattern, &mut self.rebound);
        }
        let assigned = before.iter().rev().find(|token| !matches!(token, TokenTree::Punct(_)));
        let is_element = matches!(assigned, Some(TokenTree::Group(_)));
        if is_let || is_comparison || is_element {
            return;
        }
        let first = before.iter().find_map(|token| match token {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        });
        self.rebound.extend(first);
    }

    /// Remembers `let b = s.as_bytes()`.
    fn note_same(&mut self, statement: &[TokenTree]) {
        if let [word, TokenTree::Ident(name), equals, of @ .., dot, TokenTree::Ident(method), call] =
            statement
            && is(word, "let")
            && is(equals, "=")
            && is(dot, ".")
            && SAME.iter().any(|same| method == same)
            && is_empty_call(call)
            && let Some(place) = place(of).filter(|place| !self.rebound.contains(&place[0]))
        {
            self.same.insert(name.to_string(), place);
        }
    }

    /// The place whose elements a place has.
    fn original(&self, place: Vec<String>) -> Vec<String> {
        match place.as_slice() {
            [only] => self.same.get(only).cloned().unwrap_or(place),
            _ => place,
        }
    }

    fn index(&mut self, place: &[String], inner: &[TokenTree]) {
        let root = &place[0];
        let range = inner.windows(2).position(|pair| is(&pair[0], ".") && is(&pair[1], "."));
        let list = place.join(".");
        let mut conditions = Vec::new();
        match range {
            None => {
                let Some(condition) = self.one_of(place, &list, inner) else { return };
                conditions.push(condition);
            }
            Some(at) => {
                let (low, high) = (&inner[..at], &inner[at + 2..]);
                let (high, is_closed) = match high {
                    [equals, high @ ..] if is(equals, "=") => (high, true),
                    high => (high, false),
                };
                match (self.operand(low), self.operand(high)) {
                    (Some(low), None) if high.is_empty() => conditions.push(format!("{low} <= {list}.len()")),
                    (None, Some(high)) if is_closed && at == 0 => {
                        conditions.push(format!("{high} < {list}.len()"));
                    }
                    (_, Some(_)) if is_closed => {}
                    (low, Some(high)) => {
                        conditions.extend(low.filter(|low| low != "0").map(|low| format!("{low} <= {high}")));
                        conditions.push(format!("{high} <= {list}.len()"));
                    }
                    _ => {}
                }
            }
        }
        if !self.rebound.contains(root) {
            let may_be_changed = self.changed.contains(root).then(|| root.clone());
            let guard = |condition| IndexGuard { condition, may_be_changed: may_be_changed.clone() };
            self.found.extend(conditions.into_iter().map(guard));
        }
    }

    /// The condition of an index: a number, a name, or a part of the length.
    fn one_of(&self, place: &[String], list: &str, inner: &[TokenTree]) -> Option<String> {
        if let [of @ .., dot, len, call, sign, TokenTree::Literal(n)] = inner
            && is(dot, ".")
            && is(len, "len")
            && is_empty_call(call)
            && self::place(of).is_some_and(|of| self.original(of) == place)
        {
            let n = n.to_string().parse::<u32>().ok()?;
            return match n {
                1 if is(sign, "-") => Some(format!("!{list}.is_empty()")),
                2.. if is(sign, "-") => Some(format!("{n} <= {list}.len()")),
                2.. if is(sign, "/") => Some(format!("!{list}.is_empty()")),
                _ => None,
            };
        }
        match self.operand(inner)?.as_str() {
            "0" => Some(format!("!{list}.is_empty()")),
            i => Some(format!("{i} < {list}.len()")),
        }
    }

    /// A number, or a name that is still the parameter's.
    fn operand(&self, tokens: &[TokenTree]) -> Option<String> {
        match tokens {
            [TokenTree::Ident(word)] => Some(word.to_string()).filter(|word| !self.rebound.contains(word)),
            [TokenTree::Literal(literal)] => {
                Some(literal.to_string()).filter(|text| text.chars().all(|c| c.is_ascii_digit()))
            }
            _ => None,
        }
    }
}

/// The names of `self.items` at the end of tokens.
fn place(before: &[TokenTree]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut rest = before;
    while let [earlier @ .., dot, TokenTree::Ident(method), call] = rest
        && is(dot, ".")
        && SAME.iter().any(|same| method == same)
        && is_empty_call(call)
    {
        rest = earlier;
    }
    loop {
        let [earlier @ .., TokenTree::Ident(name)] = rest else { return None };
        if matches!(name.to_string().as_str(), "return" | "in" | "if" | "match" | "mut" | "let" | "else") {
            return None;
        }
        names.push(name.to_string());
        match earlier {
            [earlier @ .., dot] if is(dot, ".") && !earlier.last().is_some_and(|token| is(token, ".")) => {
                rest = earlier;
            }
            // A path, a reference to a path, or a lifetime.
            [.., sign] if is(sign, ":") || is(sign, "'") => return None,
            _ => break,
        }
    }
    names.reverse();
    Some(names)
}

/// Whether a place is only read, and keeps its length: `.items[..]`, `.len()`.
fn is_harmless(after: &[TokenTree]) -> bool {
    match after {
        [TokenTree::Group(group), ..] => group.delimiter() == Delimiter::Bracket,
        [dot, TokenTree::Ident(method), TokenTree::Group(call), ..]
            if is(dot, ".") && call.delimiter() == Delimiter::Parenthesis =>
        {
            HARMLESS.iter().any(|harmless| method == harmless)
        }
        [dot, TokenTree::Ident(_), rest @ ..] if is(dot, ".") => is_harmless(rest),
        _ => false,
    }
}
