//! Conditions in the section `# Panics` of a function's docs: the `n == 0` of "Panics if `n == 0`.", and "if `n` is zero".
//!
//! Only code, or a name and what is said of it, that is the whole condition counts. "Panics if `a` and `b` are zero" says nothing here.

use syn::{Attribute, Expr, Lit, Meta};

/// What is said of a name, and the condition on it, where `#len` is the length of what it is an index of. After a phrase that ends in an operator comes the other side.
const PHRASES: [(&str, &str); 20] = [
    ("is zero", " == 0"),
    ("is 0", " == 0"),
    ("equals 0", " == 0"),
    ("is equal to 0", " == 0"),
    ("is not zero", " != 0"),
    ("is negative", " < 0"),
    ("is less than zero", " < 0"),
    ("is empty", ".is_empty()"),
    ("is an empty slice", ".is_empty()"),
    ("is an empty string", ".is_empty()"),
    ("is out of bounds", " >= #len"),
    ("is out of range", " >= #len"),
    ("is greater than or equal to", " >= "),
    ("is less than or equal to", " <= "),
    ("is greater than", " > "),
    ("is larger than", " > "),
    ("exceeds", " > "),
    ("is less than", " < "),
    ("is smaller than", " < "),
    ("is equal to", " == "),
];

/// A piece of the docs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    /// Between backticks.
    Code(String),
    Plain(String),
    /// The end of a part of a sentence.
    Stop,
}

/// The conditions that must hold so that a function doesn't panic.
pub(in super::super) fn documented(attributes: &[Attribute]) -> Vec<String> {
    let words = words(&section(attributes));
    let mut found = Vec::new();
    let mut rest = words.as_slice();
    let mut must_hold = None;
    while let Some((word, after)) = rest.split_first() {
        match word {
            Word::Plain(word) if word == "if" || word == "when" => must_hold = Some(false),
            Word::Plain(word) if word == "unless" => must_hold = Some(true),
            // "if `a` or `b`", also with a comma.
            Word::Plain(word) if word == "or" => {}
            Word::Stop => {}
            Word::Code(_) | Word::Plain(_) => must_hold = None,
        }
        rest = after;
        let is_start =
            matches!(word, Word::Plain(word) if ["if", "when", "unless", "or"].contains(&word.as_str()));
        let Some((must_hold, (condition, after))) = must_hold.filter(|_| is_start).zip(clause(after)) else {
            continue;
        };
        let is_alternative = matches!(word, Word::Plain(word) if word == "or");
        let before = found.pop_if(|_| must_hold && is_alternative);
        found.push(match before {
            // One of them is enough.
            Some(before) => format!("{before} || {condition}"),
            None if must_hold => condition,
            None => negated(&condition),
        });
        rest = after;
    }
    found
}

/// The pieces of a text. Where a sentence or a part of it ends, there is a stop.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        if index % 2 == 1 {
            words.push(Word::Code(piece.to_owned()));
            continue;
        }
        for word in piece.split_whitespace() {
            let bare = word.trim_end_matches(['.', ',', ';', ':']);
            let is_name = !bare.is_empty();
            words.extend(is_name.then(|| Word::Plain(bare.to_owned())));
            words.extend((bare.len() < word.len()).then_some(Word::Stop));
        }
    }
    let lowered = |word: Word| match word {
        Word::Plain(word) if ["If", "When", "Unless"].contains(&word.as_str()) => {
            Word::Plain(word.to_lowercase())
        }
        word => word,
    };
    words.into_iter().map(lowered).collect()
}

/// The condition at the start of some words, if it ends there, and the words after it.
fn clause(words: &[Word]) -> Option<(String, &[Word])> {
    let (subject, rest) = words.split_first()?;
    let (Word::Code(name) | Word::Plain(name)) = subject else { return None };
    let said = || PHRASES.iter().find_map(|(phrase, condition)| said(name, rest, phrase, condition));
    let is_place = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let whole = matches!(subject, Word::Code(_)).then(|| (name.clone(), rest));
    let (condition, rest) = is_place.then(said).flatten().or(whole)?;
    let ends = match rest {
        [] | [Word::Stop, ..] => true,
        [Word::Plain(or), Word::Plain(next), ..] if or == "or" => {
            ["if", "when", "unless"].contains(&next.as_str()) || clause(&rest[1..]).is_some()
        }
        [Word::Plain(or), ..] => or == "or",
        _ => false,
    };
    ends.then_some((condition, rest))
}

/// The condition that a phrase states of a name, and the words after it.
fn said<'w>(name: &str, words: &'w [Word], phrase: &str, condition: &str) -> Option<(String, &'w [Word])> {
    let mut rest = words;
    for part in phrase.split(' ') {
        let (Word::Plain(word), after) = rest.split_first()? else { return None };
        rest = (word == part).then_some(after)?;
    }
    if !condition.ends_with(' ') {
        return Some((format!("{name}{condition}"), rest));
    }
    match rest.split_first()? {
        (Word::Code(other), after) => Some((format!("{name}{condition}{other}"), after)),
        (Word::Plain(number), after) if number.parse::<u64>().is_ok() => {
            Some((format!("{name}{condition}{number}"), after))
        }
        (Word::Plain(_) | Word::Stop, _) => None,
    }
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
            ("# Panics\nPanics unless `a` is zero or `b` is zero.", &["a == 0 || b == 0"]),
            (
                "# Panics\nIf `xs.is_empty()`, when `!ok`, or if `a == b && c`.",
                &["!xs.is_empty()", "ok", "!(a == b && c)"],
            ),
            ("# Panics\nPanics if `n` is zero, or if `a` and `b` are. If `c` or so.", &["n != 0"]),
            ("# Panics\nPanics if `size` is zero or `xs` is empty.", &["size != 0", "!xs.is_empty()"]),
            (
                "# Panics\nThis function panics when n is negative, or if `i` is out of bounds.",
                &["n >= 0", "i < #len"],
            ),
            ("# Panics\nIf `a` is greater than `b` or if `a` exceeds 9.", &["a <= b", "a <= 9"]),
            ("# Panics\nIf it is empty or the list is zero, if `n` is zero and odd, if n is odd.", &[]),
            ("Panics if `n == 0`.", &[]),
        ] {
            let lines: String = docs.lines().map(|line| format!("/// {line}\n")).collect();
            let catalog = catalog(&format!("{lines} pub fn f() {{}}"));
            let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
            assert_eq!(f.panic_free, expected, "{docs}");
        }
    }
}
