//! From a place in the generated functions of a data type to the entry of the table `data` that they come from.
//!
//! Several entries may have the same Rust type. They differ by the functions that build the values.

use std::ops::Range;

use target_bridge::frontend::diagnostic::Span;
use target_bridge::frontend::manifest::SpannedText;
use target_strategies::logic::ir::Data;

/// The position of a builder in an entry's body, and the last segment of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Built<'t> {
    text: Range<usize>,
    name: &'t str,
}

/// The place of a word in the entry of a type: inside the builder with this number if the type has builders. It is the whole
/// builder, or else the whole entry, if the word isn't there exactly once. `None` if no entry is the type's, or several may be.
pub fn place(
    entries: &[(SpannedText, SpannedText)],
    data: &Data,
    builder: Option<usize>,
    word: &str,
) -> Option<Span> {
    let body = entry(entries, data)?;
    let builders = builders(&body.text);
    let part = builder.and_then(|index| builders.get(index)).map(|built| built.text.clone());
    let part = part.filter(|_| data.via.is_some()).unwrap_or(0..body.text.len());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let text = &body.text[part.clone()];
    let mut places = text.match_indices(word).map(|(start, _)| start).filter(|start| {
        !text[..*start].ends_with(is_part) && !text[start + word.len()..].starts_with(is_part)
    });
    Some(match (places.next(), places.next()) {
        (Some(start), None) if !word.is_empty() => {
            body.span(part.start + start, part.start + start + word.len())
        }
        _ if part == (0..body.text.len()) => body.whole(),
        _ => body.span(part.start, part.end),
    })
}

/// The body of the entry of a type.
fn entry<'e>(entries: &'e [(SpannedText, SpannedText)], data: &Data) -> Option<&'e SpannedText> {
    let is_built_so = |body: &&SpannedText| {
        let builders = builders(&body.text);
        builders.len() == data.ctors.len()
            && builders.iter().zip(&data.ctors).all(|(built, ctor)| built.name == last(&ctor.rust_path))
    };
    let path = data.rust_type.split('<').next()?;
    let is_named = |head: &SpannedText| {
        let head = head.text.split(['<', '(']).next().unwrap_or_default().trim();
        path == head || path.ends_with(&format!("::{}", head.trim_start_matches("crate::")))
    };
    let found: Vec<&SpannedText> = if data.via.is_some() {
        entries.iter().map(|(_, body)| body).filter(is_built_so).collect()
    } else {
        entries.iter().filter(|(head, _)| is_named(head)).map(|(_, body)| body).collect()
    };
    match found.as_slice() {
        [body] => Some(body),
        _ => None,
    }
}

/// The functions in an entry that build values; none if it isn't one of `via`.
fn builders(body: &str) -> Vec<Built<'_>> {
    let Some(rest) = body.trim_start().strip_prefix("via ") else { return Vec::new() };
    let first = body.len() - rest.len();
    let (mut depth, mut start, mut found) = (0_usize, first, Vec::new());
    for (at, c) in body.char_indices().skip_while(|(at, _)| *at < first).chain([(body.len(), '|')]) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => {
                let text = &body[start..at];
                let begin = start + text.len() - text.trim_start().len();
                let name = last(text.trim().split(['(', '{']).next().unwrap_or_default());
                found.push(Built { text: begin..start + text.trim_end().len(), name });
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// The last segment of a path, without type arguments and what follows the path.
fn last(path: &str) -> &str {
    let path = path.split(" -> ").next().unwrap_or_default().trim();
    let path = path.split("::<").next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builders_are_between_bars_outside_of_brackets() {
        let body = "via Map::new() -> Map<u8> | <Map as Default>::default() | Map::cut(self: &mut Map, n: {n: u8 | n < 9})";
        let found = builders(body);
        let names: Vec<&str> = found.iter().map(|built| built.name).collect();
        assert_eq!(names, ["new", "default", "cut"]);
        assert_eq!(&body[found[1].text.clone()], "<Map as Default>::default()");
        assert_eq!(builders("struct Map { n: u8 }"), []);
    }
}
