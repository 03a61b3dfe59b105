//! Literals in a row: `[b'P', b'K', ..]`, and `s[0] == b'P' && s[1] == b'K'`. Together they are the start of a list or a text.

use proc_macro2::{Delimiter, TokenTree};
use syn::Lit;
use target_strategies::logic::int::Int;
use target_strategies::logic::value::Value;

/// The values of the rows in one level of brackets.
pub(super) fn rows(delimiter: Delimiter, tokens: &[TokenTree]) -> Vec<Value> {
    let in_brackets = (delimiter == Delimiter::Bracket).then(|| leading(tokens));
    in_brackets.into_iter().chain(compared(tokens)).flat_map(|row| values(&row)).collect()
}

/// The literals before the first element of another form.
fn leading(tokens: &[TokenTree]) -> Vec<Lit> {
    let elements = tokens.split(|token| is(token, ','));
    elements.map_while(|element| if let [only] = element { literal(only) } else { None }).collect()
}

/// The literals that are compared with elements, in comparisons that must all hold.
fn compared(tokens: &[TokenTree]) -> Vec<Vec<Lit>> {
    let mut rows = vec![Vec::new()];
    for (at, token) in tokens.iter().enumerate() {
        let row = rows.last_mut().expect("there is one from the start");
        match (&tokens[..at], token) {
            ([.., TokenTree::Group(element), first, second], _)
                if element.delimiter() == Delimiter::Bracket && is(first, '=') && is(second, '=') =>
            {
                row.extend(literal(token));
            }
            (_, TokenTree::Punct(punct)) if [';', ',', '|'].contains(&punct.as_char()) => {
                rows.push(Vec::new())
            }
            (_, TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => rows.push(Vec::new()),
            _ => {}
        }
    }
    rows
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn literal(token: &TokenTree) -> Option<Lit> {
    match token {
        TokenTree::Literal(literal) => Some(Lit::new(literal.clone())),
        _ => None,
    }
}

/// A row of two or more characters as a text, one of numbers as a list, one of bytes as both.
fn values(row: &[Lit]) -> Vec<Value> {
    if row.len() < 2 {
        return Vec::new();
    }
    let bytes: Option<Vec<u8>> = row
        .iter()
        .map(|literal| if let Lit::Byte(byte) = literal { Some(byte.value()) } else { None })
        .collect();
    if let Some(bytes) = bytes {
        return of_bytes(&bytes);
    }
    let text: Option<String> =
        row.iter().map(|literal| if let Lit::Char(c) = literal { Some(c.value()) } else { None }).collect();
    let numbers = row.iter().map(|literal| match literal {
        Lit::Int(n) => n.base10_parse::<u128>().ok().map(|n| Value::Int(Int::from(n))),
        _ => None,
    });
    let list = || numbers.collect::<Option<Vec<Value>>>().map(Value::seq);
    text.map(|text| Value::Str(text.into())).or_else(list).into_iter().collect()
}

/// Bytes as a list and, if they are one, as a text.
pub(super) fn of_bytes(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).ok().map(Value::str);
    let list = Value::seq(bytes.iter().map(|byte| Value::int(u64::from(*byte))).collect::<Vec<_>>());
    text.into_iter().chain([list]).collect()
}
