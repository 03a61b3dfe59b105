//! The literals in a function's body, in the functions that it calls, and in the constants that it uses.
//!
//! An author who writes `if n == 4096` treats that number in a special way, so inputs are made of it. Calls are followed
//! by name alone, and only within a file if it has another function of the name. A literal of a function that isn't meant costs a
//! few cases, nothing else.

mod expressions;
mod rows;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use target_strategies::logic::int::Int;
use target_strategies::logic::ir::IntKind;
use target_strategies::logic::value::Value;

use super::constant;
use super::guards::{Guards, guards};
use super::hidden::{LeftOut, Origin};
use super::items::FnItem;
use super::names::Def;
use super::scanned::Catalog;

/// Maximum number of literals of one function; the nearest come first.
const MOST: usize = 64;

/// Maximum number of bodies in which literals are looked for.
const MOST_BODIES: usize = 32;

/// Maximum length, in characters or elements, of a string or list that counts. Longer strings are mostly messages.
const LONGEST: usize = 16;

/// The words after which a sign negates.
const KEYWORDS: [&str; 6] = ["return", "in", "if", "match", "while", "break"];

/// A function's body, or the value of a constant.
#[derive(Clone, Debug, Default)]
pub struct Body {
    name: String,
    /// The file, and the line of the name, 1-based.
    location: (PathBuf, usize),
    literals: Vec<Value>,
    /// The constant expressions in it, as text.
    expressions: Vec<String>,
    /// The identifiers in it.
    mentions: HashSet<String>,
    /// What it states about the parameters.
    guards: Guards,
    /// The lines of the assertions that it starts with, each with the identifiers in it.
    assertions: Vec<(usize, HashSet<String>)>,
    /// Its last line, 1-based.
    last_line: usize,
    /// The fields that it sets to variables, if it is nothing but a struct's literal; a tuple's fields are numbers.
    stored: Vec<(String, String)>,
}

fn is_semicolon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';')
}

/// The bodies in the omitted parts of a file.
pub(super) fn bodies(left_out: &[LeftOut], file: &Path) -> Vec<Body> {
    let body = |part: &LeftOut| match &part.origin {
        Origin::Macro => None,
        Origin::Function { name, line } | Origin::Constant { name, line } => {
            let mut body =
                Body { name: name.clone(), location: (file.to_path_buf(), *line), ..Body::default() };
            body.read(part.tokens.clone());
            if matches!(part.origin, Origin::Function { .. }) {
                body.guards = guards(&part.tokens);
                body.find_assertions(&part.tokens);
                body.stored = stored(&part.tokens).unwrap_or_default();
            }
            Some(body)
        }
    };
    left_out.iter().filter_map(body).collect()
}

impl Body {
    /// Finds the assertions before any other statement but `let n = xs.len();`.
    fn find_assertions(&mut self, tokens: &TokenStream) {
        let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
        self.last_line = tokens.last().map_or(0, |token| token.span().end().line);
        for statement in tokens.split(is_semicolon) {
            match statement {
                [TokenTree::Ident(word), .., TokenTree::Ident(method), TokenTree::Group(_)]
                    if word == "let" && method == "len" => {}
                [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(input), ..]
                    if name.to_string().trim_start_matches("debug_").starts_with("assert") =>
                {
                    let mut inner = Body::default();
                    inner.read(input.stream());
                    self.assertions.push((name.span().start().line, inner.mentions));
                }
                _ => return,
            }
        }
    }

    fn read(&mut self, tokens: TokenStream) {
        let mut waiting = vec![(Delimiter::None, tokens)];
        while let Some((delimiter, tokens)) = waiting.pop() {
            let tokens: Vec<TokenTree> = tokens.into_iter().collect();
            self.expressions.extend(expressions::expressions(&tokens));
            self.literals.extend(rows::rows(delimiter, &tokens).into_iter().filter(is_short));
            // A sign after an operand subtracts.
            let (mut is_negated, mut is_after_operand) = (false, false);
            for token in tokens {
                if let TokenTree::Punct(punct) = &token {
                    is_negated = punct.as_char() == '-' && !is_after_operand;
                    is_after_operand = false;
                    continue;
                }
                is_after_operand = !matches!(&token, TokenTree::Ident(word) if KEYWORDS.iter().any(|keyword| word == keyword));
                match token {
                    TokenTree::Literal(literal) => self.literal(syn::Lit::new(literal), is_negated),
                    TokenTree::Ident(word) if word == "_" => {}
                    TokenTree::Ident(word) => drop(self.mentions.insert(word.to_string())),
                    TokenTree::Group(group) => waiting.push((group.delimiter(), group.stream())),
                    TokenTree::Punct(_) => {}
                }
                is_negated = false;
            }
        }
    }

    fn literal(&mut self, literal: syn::Lit, is_negated: bool) {
        let signed = |n: Int| Value::Int(if is_negated { -&n } else { n });
        match literal {
            syn::Lit::Int(n) => {
                self.literals.extend(n.base10_parse::<u128>().ok().map(|n| signed(Int::from(n))));
            }
            syn::Lit::Float(x) => {
                let x = x.base10_parse::<f64>().ok().filter(|x| x.is_finite());
                self.literals.extend(x.map(|x| Value::Float(if is_negated { -x } else { x })));
            }
            syn::Lit::Char(c) => self.literals.push(Value::Char(c.value())),
            syn::Lit::Byte(byte) => {
                self.literals.extend([Value::int(u64::from(byte.value())), Value::Char(byte.value().into())]);
            }
            syn::Lit::Str(text) => {
                self.literals.extend(Some(Value::Str(text.value().into())).filter(is_short))
            }
            syn::Lit::ByteStr(bytes) => {
                self.literals.extend(rows::of_bytes(&bytes.value()).into_iter().filter(is_short));
            }
            _ => {}
        }
    }
}

/// The fields of a literal with the variables that they are set to, if the body is one, as in `Self { low, high: top }`.
fn stored(tokens: &TokenStream) -> Option<Vec<(String, String)>> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let (TokenTree::Group(fields), [TokenTree::Ident(_)]) = tokens.split_last()? else { return None };
    let inner: Vec<TokenTree> = fields.stream().into_iter().collect();
    let is =
        |token: &TokenTree, sign: char| matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign);
    let set = inner.split(|token| is(token, ',')).filter(|part| !part.is_empty()).enumerate();
    let field = |(index, part): (usize, &[TokenTree])| match (fields.delimiter(), part) {
        (Delimiter::Parenthesis, [TokenTree::Ident(name)]) => Some((index.to_string(), name.to_string())),
        (Delimiter::Brace, [TokenTree::Ident(name)]) => Some((name.to_string(), name.to_string())),
        (Delimiter::Brace, [TokenTree::Ident(field), colon, TokenTree::Ident(name)]) if is(colon, ':') => {
            Some((field.to_string(), name.to_string()))
        }
        _ => None,
    };
    set.map(field).collect()
}

/// Whether a text or a list is short enough to count.
fn is_short(value: &Value) -> bool {
    let length = match value {
        Value::Str(text) => text.chars().count(),
        Value::Seq(elements) => elements.len(),
        _ => 1,
    };
    (1..=LONGEST).contains(&length)
}

impl Catalog {
    /// The literals of a function, nearest first, each once.
    pub fn literals_of(&self, item: &FnItem) -> Vec<Value> {
        self.body_of(item).map_or_else(Vec::new, |body| self.literals_from(body))
    }

    /// Whether a line of a function's file is inside the function.
    pub fn has_line(&self, item: &FnItem, line: usize) -> bool {
        (item.location.1..=self.body_of(item).map_or(0, |body| body.last_line)).contains(&line)
    }

    /// Whether a line of a function's file is an assertion on a parameter at the start of the function.
    pub fn asserts_argument_at(&self, item: &FnItem, line: usize) -> bool {
        let is_param = |name: &String| item.params.iter().any(|param| param.name == *name);
        self.body_of(item).is_some_and(|body| {
            body.assertions.iter().any(|(at, mentions)| *at == line && mentions.iter().any(is_param))
        })
    }

    /// What a function's body states about its parameters.
    pub fn guards_of(&self, item: &FnItem) -> Guards {
        self.body_of(item).map(|body| body.guards.clone()).unwrap_or_default()
    }

    /// The fields that a function sets to its parameters, with these, if it does nothing but return a struct of them.
    pub fn stored_by(&self, item: &FnItem) -> &[(String, String)] {
        self.body_of(item).map_or(&[], |body| &body.stored)
    }

    fn body_of(&self, item: &FnItem) -> Option<&Body> {
        let is_its = |body: &&Body| body.location == item.location && item.path.ends_with(&body.name);
        self.bodies.iter().find(is_its)
    }

    /// The functions in the order of the source: files as modules are found, lines in them.
    pub fn in_source_order(&self) -> Vec<&FnItem> {
        let mut ranks: HashMap<&Path, usize> = HashMap::new();
        for body in &self.bodies {
            let next = ranks.len();
            ranks.entry(&body.location.0).or_insert(next);
        }
        let rank = |item: &&FnItem| (ranks.get(item.location.0.as_path()).copied(), item.location.1);
        let mut items: Vec<&FnItem> = self.functions.iter().collect();
        items.sort_by_key(rank);
        items
    }

    /// The literals of code in the scope of the crate's root.
    pub fn literals_in(&self, code: &str) -> Vec<Value> {
        let mut body = Body::default();
        body.read(code.parse().unwrap_or_default());
        self.literals_from(&body)
    }

    fn literals_from(&self, first: &Body) -> Vec<Value> {
        let mut by_name: HashMap<&str, Vec<&Body>> = HashMap::new();
        self.bodies.iter().for_each(|body| by_name.entry(&body.name).or_default().push(body));
        let (mut known, mut literals) = (HashSet::new(), Vec::new());
        let mut seen: HashSet<*const Body> = HashSet::from([std::ptr::from_ref(first)]);
        let mut waiting = VecDeque::from([first]);
        while let Some(body) = waiting.pop_front() {
            let computed = body.expressions.iter().filter_map(|expression| self.number_of(expression));
            let all = computed.chain(body.literals.iter().cloned());
            literals.extend(all.filter(|literal| known.insert(literal.clone())));
            let mut names: Vec<&String> = body.mentions.iter().collect();
            names.sort();
            let called = names.into_iter().filter_map(|name| by_name.get(name.as_str()));
            let called = called.flat_map(|named| {
                // Many types have a `new`. One in the same file is more likely meant, unless it is the caller itself.
                let is_near =
                    |other: &&Body| other.location.0 == body.location.0 && !std::ptr::eq(*other, body);
                let has_near = named.iter().any(is_near);
                named.iter().filter(move |other| !has_near || is_near(other))
            });
            for body in called {
                if seen.len() < MOST_BODIES && seen.insert(std::ptr::from_ref(*body)) {
                    waiting.push_back(body);
                }
            }
        }
        literals.truncate(MOST);
        literals
    }

    /// The value of a constant expression, if it is a number. A constant is looked up by its path from the root, or by its name alone.
    fn number_of(&self, expression: &str) -> Option<Value> {
        let expression = syn::parse_str(expression).ok()?;
        let named = |path: &syn::Path| {
            let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let value = self.constant(&names).and_then(|constant| constant.value.clone());
            value.or_else(|| self.constant_named(names.last()?))
        };
        let context = constant::Context { named: &named, floats: None, ints: Some(IntKind::I128) };
        constant::value(&expression, context).filter(|value| matches!(value, Value::Int(_)))
    }

    /// The value of a constant with this name, in any module or type.
    fn constant_named(&self, name: &str) -> Option<Value> {
        let of_modules = self.names.modules.iter().filter_map(|module| match module.values.get(name)?.def {
            Def::Const(index) => Some(index),
            _ => None,
        });
        let of_types = self.names.constants.values().filter_map(|constants| constants.get(name).copied());
        of_modules.chain(of_types).find_map(|index| self.constants.get(index as usize)?.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use target_strategies::logic::value::Value;

    use super::super::FnLookup;
    use super::super::listing::catalog;

    #[test]
    fn literals_of_callees_and_constants_count() {
        let text = "const LIMIT: usize = 10 * 100; pub fn f(s: &str) -> bool { s.starts_with('#') && g(-7) || s.len() - 11 > LIMIT }
            fn g(n: i64) -> bool { assert!(n != 4_096, \"a message that is far too long\"); h(b\"GET\") }
            fn h(x: &[u8]) -> bool { 0.5 } fn other() -> u8 { 99 }";
        let catalog = catalog(text);
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
        let found = catalog.literals_of(f);
        let ints = [-7i64, 10, 11, 100, 1000, 4096].map(Value::int);
        let get = [Value::str("GET"), Value::seq([71, 69, 84].map(Value::int))];
        for expected in ints.into_iter().chain([Value::Char('#'), Value::Float(0.5)]).chain(get) {
            assert!(found.contains(&expected), "{expected:?} in {found:?}");
        }
        assert_eq!(found.len(), 10, "{found:?}");
        assert!(catalog.literals_in("|x| other() + 1").contains(&Value::int(99)));
    }

    #[test]
    fn constant_expressions_are_computed() {
        for (code, expected) in [
            ("n == 1 << 12", "4096"),
            ("n > 64 * 1024 && m < 5", "65536"),
            ("n >= m::LIMIT - 1 || n == x", "19"),
            ("n <= (LIMIT + 1) * 2", "42"),
            ("n > u32::MAX as u64 + 1", "4294967296"),
            ("g(u8::MAX - 1, n)", "254"),
            ("n == -3 * 2", "-6"),
            ("n - 3 * 2 == 0", "6"),
            ("n == Self::CAP >> 2", "2"),
            ("let f = |n: u8| -> u8 { n }; x == 10_u64.pow(3)", "1000"),
        ] {
            let text = format!(
                "pub fn f(n: u64) -> bool {{ {code} }} mod m {{ pub const LIMIT: u64 = 20; }} impl S {{ const CAP: u64 = 8; }} struct S;"
            );
            let catalog = catalog(&text);
            let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
            let found = catalog.literals_of(f);
            let number = Value::Int(expected.parse().expect("it is a number"));
            assert_eq!(found.first(), Some(&number), "{code}: {found:?}");
        }
    }

    #[test]
    fn literals_in_a_row_are_one_value() {
        let bytes = |bytes: &[u8]| Value::seq(bytes.iter().map(|byte| Value::int(*byte)).collect::<Vec<_>>());
        for (code, expected) in [
            ("s.len() > 2 && s[0] == b'P' && s[1] == b'K'", vec![Value::str("PK"), bytes(b"PK")]),
            ("matches!(s, [b'P', b'K', ..])", vec![Value::str("PK"), bytes(b"PK")]),
            ("s.starts_with(&[0x1f, 0x8b])", vec![bytes(&[31, 139])]),
            ("c[0] == 'a' && c[1] == 'b' || c[0] == 'c'", vec![Value::str("ab")]),
            ("s.starts_with(b\"\\xff\\xfe\")", vec![bytes(&[255, 254])]),
        ] {
            let catalog = catalog(&format!("pub fn f(s: &[u8]) -> bool {{ {code} }}"));
            let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
            let mut found = catalog.literals_of(f);
            found.retain(|value| matches!(value, Value::Str(_) | Value::Seq(_)));
            assert_eq!(found, expected, "{code}");
        }
    }
}
