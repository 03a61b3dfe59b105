//! The content of a TOML string or key, with a mapping from each decoded byte to its byte in the file.
//!
//! The toml crate decodes strings, but drops the offsets, so the escapes are decoded again here. If the results differ,
//! the toml crate's text is used, and all offsets are the start of the string.

use crate::frontend::diagnostic::{FileId, Span};

/// The decoded content of a TOML string or key, with the offset of every byte.
#[derive(Clone, Debug, PartialEq)]
pub struct SpannedText {
    /// The content, with escapes resolved.
    pub text: String,
    /// Its file.
    pub file: FileId,
    /// The byte offset in the file of each byte of `text`, and of the end; so there is one more than bytes in `text`.
    pub offsets: Vec<u32>,
}

impl SpannedText {
    /// Text that is in the file without escapes, from byte `start` on.
    pub fn verbatim(text: impl Into<String>, file: FileId, start: u32) -> SpannedText {
        let text = text.into();
        let offsets = (start..=start.saturating_add(text.len() as u32)).collect();
        SpannedText { text, file, offsets }
    }

    /// The string or key with the source `raw`, at byte `start` of the file; `decoded` is its value.
    pub(super) fn decode(raw: &str, decoded: &str, file: FileId, start: usize) -> SpannedText {
        let (text, mut offsets) = with_offsets(raw);
        if text == decoded && offsets.len() == text.len() + 1 {
            offsets.iter_mut().for_each(|offset| *offset = offset.saturating_add(start as u32));
            return SpannedText { text, file, offsets };
        }
        SpannedText { text: decoded.to_owned(), file, offsets: vec![start as u32; decoded.len() + 1] }
    }

    /// The span of bytes `start..end` of the content.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let last = self.offsets.last().copied().unwrap_or_default();
        let at = |index: usize| self.offsets.get(index).copied().unwrap_or(last);
        Span { file: self.file, start: at(start), end: at(end).max(at(start)) }
    }

    /// The span of the whole content.
    pub fn whole(&self) -> Span {
        self.span(0, self.text.len())
    }
}

/// The content of a TOML string or bare key, and the offset in `raw` of each of its bytes and of its end.
fn with_offsets(raw: &str) -> (String, Vec<u32>) {
    let delimiter = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|delimiter| raw.starts_with(delimiter));
    let Some(delimiter) = delimiter else { return (raw.to_owned(), (0..=raw.len() as u32).collect()) };
    let end = raw.len().saturating_sub(delimiter.len()).max(delimiter.len());
    let mut start = delimiter.len();
    if delimiter.len() == 3 {
        // A newline directly after the opening delimiter is not part of the content.
        start += ["\r\n", "\n"].into_iter().find(|line| raw[start..].starts_with(line)).map_or(0, str::len);
    }
    let content = raw.get(start..end).unwrap_or_default();
    if delimiter.starts_with('\'') {
        let offsets = (start as u32..=(start + content.len()) as u32).collect();
        return (content.to_owned(), offsets);
    }
    unescape(content, start)
}

/// The content of a basic string that starts at `start`.
fn unescape(content: &str, start: usize) -> (String, Vec<u32>) {
    let mut text = String::with_capacity(content.len());
    let mut offsets = Vec::with_capacity(content.len() + 1);
    let mut rest = content;
    while let Some(first) = rest.chars().next() {
        let offset = (start + content.len() - rest.len()) as u32;
        let (decoded, width) = if first == '\\' { escape(rest) } else { (Some(first), first.len_utf8()) };
        if let Some(decoded) = decoded {
            text.push(decoded);
            // Each byte of an unescaped character has its own offset, so that no span splits the character.
            let step = if first == '\\' { 0 } else { 1 };
            offsets.extend((0..decoded.len_utf8() as u32).map(|byte| offset + byte * step));
        }
        rest = rest.get(width..).unwrap_or_default();
    }
    offsets.push((start + content.len()) as u32);
    (text, offsets)
}

/// The character of the escape at the start of `rest`, if any, and its width.
fn escape(rest: &str) -> (Option<char>, usize) {
    let hex = |digits: usize| {
        let code = rest.get(2..2 + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        (code.and_then(char::from_u32), 2 + digits)
    };
    match rest[1..].chars().next() {
        Some('b') => (Some('\u{8}'), 2),
        Some('e') => (Some('\u{1b}'), 2),
        Some('f') => (Some('\u{c}'), 2),
        Some('n') => (Some('\n'), 2),
        Some('r') => (Some('\r'), 2),
        Some('t') => (Some('\t'), 2),
        Some('\\') => (Some('\\'), 2),
        Some('"') => (Some('"'), 2),
        Some('x') => hex(2),
        Some('u') => hex(4),
        Some('U') => hex(8),
        // At the end of a line: the line break and all following white space are skipped.
        _ => {
            let behind = rest[1..].trim_start_matches([' ', '\t', '\r', '\n']);
            (None, rest.len() - behind.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toml::de::DeTable;

    use super::*;

    /// The value of `key` in a TOML text, with its offsets.
    fn value(toml: &str) -> SpannedText {
        let document = DeTable::parse(toml).expect("valid TOML");
        let entry = document.get_ref().values().next().expect("an entry");
        let decoded = entry.get_ref().as_str().expect("a string");
        SpannedText::decode(&toml[entry.span()], decoded, FileId(0), entry.span().start)
    }

    /// The source behind the location of `word` in the decoded content.
    fn source<'a>(toml: &'a str, word: &str) -> &'a str {
        let text = value(toml);
        let start = text.text.find(word).expect("the word is in the content");
        let span = text.span(start, start + word.len());
        &toml[span.start as usize..span.end as usize]
    }

    #[test]
    fn places_lead_back_through_every_kind_of_string() {
        assert_eq!(source(r#"key = "a\tbé\u00e9\"c\" d""#, "d"), "d");
        assert_eq!(source(r#"key = "a\tbé\u00e9\"c\" d""#, "\"c\""), r#"\"c\""#);
        assert_eq!(source(r#"key = "\U0001F600\x41 d""#, "😀A"), r"\U0001F600\x41");
        assert_eq!(source("key = 'a\\t \"b\"'", "\"b\""), "\"b\"");
        assert_eq!(source("key = \"\"\"\r\nfirst\r\n \\\"second\"\"\"", "second"), "second");
        assert_eq!(source("key = \"\"\"one \\\n   two\"\"\"", "two"), "two");
        assert_eq!(source("key = '''\nb\\a'''", "a"), "a");
        assert_eq!(value("key = ''").whole(), Span { file: FileId(0), start: 7, end: 7 });
    }

    proptest! {
        #[test]
        fn the_decoder_agrees_with_the_toml_crate(content in "([a-z \"'é]|\\\\[bnt\\\\\"efr]|\\\\u00e9|\\\\x41|\n|\\\\ *\n  ){0,12}") {
            for toml in [format!("k = \"{content}\""), format!("k = \"\"\"{content}\"\"\""), format!("k = '''{content}'''"), format!("k = '{content}'")] {
                let Ok(document) = DeTable::parse(&toml) else { continue };
                let entry = document.get_ref().values().next().expect("an entry");
                let (text, offsets) = with_offsets(&toml[entry.span()]);
                prop_assert_eq!(&text, entry.get_ref().as_str().expect("a string"));
                prop_assert_eq!(offsets.len(), text.len() + 1);
            }
        }
    }
}
