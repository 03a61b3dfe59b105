//! Rust code as text: parentheses and names.

/// Whether Rust code has that name in it.
pub fn mentions(code: &str, name: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// An expression without the parentheses around it.
pub fn bare(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some(inner) = inner.filter(|inner| inner.starts_with("if ") || inner.starts_with("match ")) else {
        return text;
    };
    let (mut depth, mut chars) = (0_i32, inner.chars().peekable());
    let mut is_in_text = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            '"' => is_in_text = !is_in_text,
            // A character in quotes.
            '\'' if !is_in_text => {
                let quoted = chars.next();
                if quoted == Some('\\') {
                    chars.next();
                }
            }
            '(' if !is_in_text => depth += 1,
            ')' if !is_in_text => depth -= 1,
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
        ] {
            assert_eq!(bare(text), shown);
        }
        assert!(mentions("f(x1, y)", "y") && !mentions("f(x1, y)", "x"));
    }
}
