//! Rust code as text: parentheses and names.

use std::iter::Peekable;
use std::str::Chars;

/// Whether Rust code has that name in it. A raw identifier is found with or without its `r#`.
pub fn mentions(code: &str, name: &str) -> bool {
    let name = name.strip_prefix("r#").unwrap_or(name);
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// An expression as the operand of `&` or `as`: in parentheses if an operator may bind less tightly.
pub fn operand(text: &str) -> String {
    let (mut depth, mut chars) = (0_i32, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => skip_quoted(c, &mut chars),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => return format!("({text})"),
            _ => {}
        }
    }
    text.to_owned()
}

/// Goes on after a text or a character, of which the first quote was read. A lifetime has only one.
fn skip_quoted(quote: char, chars: &mut Peekable<Chars<'_>>) {
    if quote == '\'' && chars.peek() != Some(&'\\') {
        chars.next();
        chars.next_if_eq(&'\'');
        return;
    }
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return;
        }
    }
}

/// An expression without the parentheses around it.
pub fn bare(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let is_one = |inner: &&str| {
        let is_conversion = inner.ends_with(" as i128") && !inner.contains(',');
        inner.starts_with("if ") || inner.starts_with("match ") || is_conversion
    };
    let Some(inner) = inner.filter(is_one) else { return text };
    let (mut depth, mut chars) = (0_i32, inner.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => skip_quoted(c, &mut chars),
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return text;
        }
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_around_a_whole_expression_are_removed() {
        for (text, shown) in [
            ("(if a { b } else { c })", "if a { b } else { c }"),
            ("(match x { _ => f(')', \"(\") })", "match x { _ => f(')', \"(\") }"),
            ("(if a { b } else { c }) + (d)", "(if a { b } else { c }) + (d)"),
            ("(a, b)", "(a, b)"),
            ("(if f('x') { 1 } else { 2 }) + (if f('y') { 1 } else { 2 })", ""),
            ("(if f(')') { 1 } else { 2 })", "if f(')') { 1 } else { 2 }"),
            ("(if f('\\'') { ')' } else { '\\u{301}' })", "if f('\\'') { ')' } else { '\\u{301}' }"),
            ("(if f('\\u{301}') { 1 } else { 2 }) + (if g('(') { 1 } else { 2 })", ""),
            ("(n as i128)", "n as i128"),
            ("(n as i128, m as i128)", ""),
            ("(n as i128) + (m as i128)", ""),
        ] {
            assert_eq!(bare(text), if shown.is_empty() { text } else { shown });
        }
        assert!(mentions("f(x1, y)", "y") && !mentions("f(x1, y)", "x"));
        assert!(mentions("r#type.len()", "r#type"));
    }

    #[test]
    fn an_operand_with_an_operator_is_in_parentheses() {
        for (text, shown) in [
            ("f(a, b)[1 + 2]", ""),
            ("*x", ""),
            ("(if a { b } else { c })", ""),
            ("\"a b\".len()", ""),
            ("' '", ""),
            ("x + 1", "(x + 1)"),
            ("f('(') as i128", "(f('(') as i128)"),
        ] {
            assert_eq!(operand(text), if shown.is_empty() { text } else { shown });
        }
    }
}
