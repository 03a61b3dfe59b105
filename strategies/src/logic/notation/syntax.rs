//! What printing and parsing share: the maximum nesting, and the names of constructors.

/// Maximum nesting of data and containers that is written and read. Arguments are never so deep.
pub(super) const DEEPEST: u32 = 500;

/// The written name of a constructor: the last segment of its path.
pub(super) fn constructor_name(rust_path: &str) -> &str {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    let start = rust_path.char_indices().rev().take_while(|(_, c)| is_of_word(*c)).last();
    start.map_or("_", |(start, _)| &rust_path[start..])
}
