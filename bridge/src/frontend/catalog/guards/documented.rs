//! Conditions in the section `# Panics` of a function's docs: the `n == 0` of "Panics if `n == 0`."
//!
//! Only code that is the whole condition counts. "Panics if `n` is zero" says nothing here.

use syn::{Attribute, Expr, Lit, Meta};

/// The conditions that must hold so that a function doesn't panic.
pub(in super::super) fn documented(attributes: &[Attribute]) -> Vec<String> {
    let section = section(attributes);
    let mut found = Vec::new();
    let pieces: Vec<&str> = section.split('`').collect();
    let mut before_or = None;
    for (index, code) in pieces.iter().enumerate().skip(1).step_by(2) {
        let (before, after) = (pieces[index - 1], pieces.get(index + 1).copied());
        let is_whole = after.is_some_and(|after| {
            let after = after.trim_start();
            let mut words = after.split_whitespace();
            after.is_empty()
                || after.starts_with(['.', ',', ';'])
                || (words.next() == Some("or")
                    && matches!(words.next(), None | Some("if" | "when" | "unless")))
        });
        let word = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        let must_hold = match word.as_str() {
            "if" | "when" => Some(false),
            "unless" => Some(true),
            "or" => before_or,
            _ => None,
        };
        before_or = must_hold.filter(|_| is_whole);
        found.extend(before_or.map(|must_hold| if must_hold { (*code).to_owned() } else { negated(code) }));
    }
    found
}

/// Whether the docs of a function say that it panics, under that title or in a sentence.
pub(in super::super) fn documents_panics(attributes: &[Attribute]) -> bool {
    const WORDS: [&str; 7] =
        ["panics if", "panics when", "panics unless", "will panic", "may panic", "panic if", "panic when"];
    let says_so = |text: String| {
        let text = text.to_lowercase();
        let is_said = |words: &&str| text.match_indices(*words).any(|(at, _)| !denies(&text[..at]));
        WORDS.iter().any(is_said)
    };
    !section(attributes).trim().is_empty() || attributes.iter().filter_map(doc).any(says_so)
}

/// Whether a text ends in a word that turns what follows into its opposite.
fn denies(before: &str) -> bool {
    let last = before.split_whitespace().next_back().unwrap_or_default();
    ["never", "not", "no", "doesn't", "won't", "cannot", "can't", "longer"].contains(&last)
}

/// The text of the section, on one line.
fn section(attributes: &[Attribute]) -> String {
    let mut section = String::new();
    let mut is_inside = false;
    for text in attributes.iter().filter_map(doc) {
        for line in text.lines().map(str::trim) {
            if line.starts_with('#') {
                is_inside = line.trim_start_matches('#').trim().eq_ignore_ascii_case("panics");
            } else if is_inside {
                section.push_str(line);
                section.push(' ');
            }
        }
    }
    section
}

fn doc(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The opposite of a condition; a single comparison is turned around.
pub fn negated(code: &str) -> String {
    const OPPOSITES: [(&str, &str); 6] = [
        (" == ", " != "),
        (" != ", " == "),
        (" <= ", " > "),
        (" >= ", " < "),
        (" < ", " >= "),
        (" > ", " <= "),
    ];
    let is_compound = code.contains("&&") || code.contains("||") || code.contains('|') || code.contains('{');
    let there: Vec<_> = OPPOSITES.iter().filter(|(operator, _)| code.contains(operator)).collect();
    match there.as_slice() {
        [(operator, opposite)] if !is_compound && code.matches(operator).count() == 1 => {
            code.replace(operator, opposite)
        }
        _ => match code.strip_prefix('!') {
            Some(rest) if there.is_empty() && !is_compound => rest.to_owned(),
            _ if there.is_empty() && !is_compound => format!("!{code}"),
            _ => format!("!({code})"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::FnLookup;
    use super::super::super::listing::catalog;

    #[test]
    fn code_that_is_the_whole_condition_counts() {
        for (docs, expected) in [
            ("# Panics\n\nPanics if `n == 0`.", &["n != 0"][..]),
            ("# Panics\n- if `a > b` or\n `b > 9`, always\n# Errors\nif `c == 1`.", &["a <= b", "b <= 9"]),
            ("# Panics\nUnless `xs.is_empty()`.", &["xs.is_empty()"]),
            (
                "# Panics\nIf `xs.is_empty()`, when `!ok`, or if `a == b && c`.",
                &["!xs.is_empty()", "ok", "!(a == b && c)"],
            ),
            ("# Panics\nPanics if `n` is zero, or if `a` and `b` are. If `c` or so.", &[]),
            ("Panics if `n == 0`.", &[]),
        ] {
            let lines: String = docs.lines().map(|line| format!("/// {line}\n")).collect();
            let catalog = catalog(&format!("{lines} pub fn f() {{}}"));
            let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
            assert_eq!(f.panic_free, expected, "{docs}");
        }
    }
}
