//! Finds and replaces words in Rust text, except in string literals.
//!
//! It is used for `where` conditions and for clauses in reports; it knows only the necessary Rust tokens.

/// A piece of Rust text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// An identifier or keyword.
    Word(&'t str),
    /// A string, byte string or char literal.
    Quoted(&'t str),
    /// White space.
    Space(&'t str),
    /// Anything else: digits with their suffix, or one character.
    Other(&'t str),
}

impl<'t> Piece<'t> {
    /// The text of the piece.
    pub fn text(self) -> &'t str {
        match self {
            Piece::Word(text) | Piece::Quoted(text) | Piece::Space(text) | Piece::Other(text) => text,
        }
    }
}

/// Splits Rust text into pieces, which together are the text.
pub fn pieces<'t>(text: &'t str) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let run = |test: &dyn Fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
        let (len, make): (usize, fn(&'t str) -> Piece<'t>) = if let Some(len) = quoted(rest) {
            (len, |piece| Piece::Quoted(piece))
        } else if first.is_alphabetic() || first == '_' {
            (run(&word), |piece| Piece::Word(piece))
        } else if first.is_whitespace() {
            (run(&char::is_whitespace), |piece| Piece::Space(piece))
        } else if first.is_ascii_digit() {
            (run(&word), |piece| Piece::Other(piece))
        } else {
            (first.len_utf8(), |piece| Piece::Other(piece))
        };
        let (piece, after) = rest.split_at(len);
        pieces.push(make(piece));
        rest = after;
    }
    pieces
}

/// The length of the quoted literal at the start of `text`.
fn quoted(text: &str) -> Option<usize> {
    let unprefixed = text.trim_start_matches(['b', 'c', 'r']);
    let prefix = text.len() - unprefixed.len();
    if prefix > 2 {
        return None;
    }
    let hashes = unprefixed.len() - unprefixed.trim_start_matches('#').len();
    if text[..prefix].contains('r') && unprefixed[hashes..].starts_with('"') {
        let close = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(text[start..].find(&close).map_or(text.len(), |at| start + at + close.len()));
    }
    match unprefixed.chars().next() {
        Some('"') => Some(prefix + until_close(unprefixed, '"')),
        Some('\'') if is_char_literal(unprefixed) => Some(prefix + until_close(unprefixed, '\'')),
        _ => None,
    }
}

/// Whether a quote starts a char literal and not a lifetime or label.
fn is_char_literal(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    match chars.next() {
        Some('\\') => true,
        Some(_) => chars.next() == Some('\''),
        None => false,
    }
}

fn until_close(text: &str, close: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == close {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// Whether a word occurs in the text, even in a string, which may be a format string.
pub fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// Whether a word occurs in the text, except as a field or method.
pub fn uses(text: &str, name: &str) -> bool {
    let found = std::cell::Cell::new(false);
    replace(text, |word| {
        found.set(found.get() || word == name);
        None
    });
    found.get()
}

/// Replaces each run of white space by one space.
pub fn squeeze(text: &str) -> String {
    pieces(text.trim())
        .into_iter()
        .map(|piece| if let Piece::Space(_) = piece { " " } else { piece.text() })
        .collect()
}

/// Replaces words that are not fields or methods.
pub fn replace(text: &str, replacement: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_dot = false;
    for piece in pieces(text) {
        match piece {
            Piece::Word(word) if after_dot => out.push_str(word),
            Piece::Word(word) => out.push_str(&replacement(word).unwrap_or_else(|| word.to_owned())),
            other => out.push_str(other.text()),
        }
        // `..` is a range, and its bounds are no fields.
        after_dot = match piece {
            Piece::Other(".") => !after_dot,
            Piece::Space(_) => after_dot,
            _ => false,
        };
    }
    out
}

/// Replaces each `old(name)` by the word that `replacement` gives for the name, and nothing else.
pub fn replace_old(text: &str, replacement: impl Fn(&str) -> Option<String>) -> String {
    let pieces = pieces(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < pieces.len() {
        let solid: Vec<usize> =
            (at..pieces.len()).filter(|&index| !matches!(pieces[index], Piece::Space(_))).take(4).collect();
        let called = match solid.as_slice() {
            [a, b, c, d]
                if *a == at
                    && pieces[*a] == Piece::Word("old")
                    && pieces[*b] == Piece::Other("(")
                    && pieces[*d] == Piece::Other(")") =>
            {
                match pieces[*c] {
                    Piece::Word(name) => replacement(name).map(|new| (new, *d)),
                    _ => None,
                }
            }
            _ => None,
        };
        match called {
            Some((new, last)) => {
                out.push_str(&new);
                at = last + 1;
            }
            None => {
                out.push_str(pieces[at].text());
                at += 1;
            }
        }
    }
    out
}

/// The text in parentheses, unless it needs none.
pub fn atomic(text: &str) -> String {
    let holds = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':'))
        || (text.starts_with(['"', '\'']) && quoted(text) == Some(text.len()));
    if holds { text.to_owned() } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_text() {
        for text in ["a.b(r#\"x\"y\"#) 'a' + 'life \"q\\\"q\" b'\\'' 1..=2u8", "\"open", "'", "r#", "é€"] {
            assert_eq!(pieces(text).iter().map(|piece| piece.text()).collect::<String>(), text);
        }
    }

    #[test]
    fn only_names_are_replaced() {
        let new = |word: &str| (word == "n").then(|| "(a + b)".to_owned());
        assert_eq!(
            squeeze(&replace("n <  v.n && \"n\" != 'n' &&\n v[0..n]", new)),
            "(a + b) < v.n && \"n\" != 'n' && v[0..(a + b)]"
        );
    }

    #[test]
    fn old_values_get_names_of_their_own() {
        let new = |name: &str| Some(format!("old_{name}"));
        assert_eq!(
            replace_old("x.len() == old( x ).len() && old(f(x))", new),
            "x.len() == old_x.len() && old(f(x))"
        );
    }
}
