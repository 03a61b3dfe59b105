//! Types of strings that every spec can use by name, such as `Email` and `IsoDate`: aliases and rules that come with the tool.
//!
//! The file `library.toml` has their texts, which users can read: `cargo target types` prints it. An entry of the
//! manifest's table `types` has precedence, and so has a type of the crate.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::alias::{Alias, Aliases};
use super::grammar::{Grammar, Rule};
use crate::frontend::diagnostic::FileId;
use crate::frontend::manifest::SpannedText;

/// The types, each with a line that says what it is.
pub const TEXT: &str = include_str!("library.toml");

/// The file of their texts. It is in no list of files, so nothing can point into it.
const FILE: FileId = FileId(u32::MAX - 1);

/// The names and bodies.
pub(super) static ENTRIES: LazyLock<Vec<(SpannedText, SpannedText)>> = LazyLock::new(|| {
    let mut start = 0;
    let mut entries = Vec::new();
    for line in TEXT.split_inclusive('\n') {
        if let Some((name, body)) = entry(line) {
            let body_start = start + (line.len() - line.trim_start_matches(name).len()) + " = '''".len();
            let spanned = |text, start| SpannedText::verbatim(text, FILE, start as u32);
            entries.push((spanned(name, start), spanned(body, body_start)));
        }
        start += line.len();
    }
    entries
});

/// The aliases.
static ALIASES: LazyLock<Aliases> = LazyLock::new(|| Aliases::read(&entries(false), &mut Vec::new()));

/// The rules of grammars.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| Grammar::read(&entries(true), &mut Vec::new()).rules);

/// The entries of rules, or of aliases, which begin with a bracket.
fn entries(of_rules: bool) -> Vec<(SpannedText, SpannedText)> {
    ENTRIES.iter().filter(|(_, body)| body.text.starts_with('{') != of_rules).cloned().collect()
}

/// The name and the body in a line of the file.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (name, body) = line.trim_end().split_once(" = ")?;
    Some((name, body.strip_prefix("'''")?.strip_suffix("'''")?))
}

/// The alias with a name.
pub fn named(name: &str) -> Option<&'static Alias> {
    ALIASES.sound.get(name)
}

/// The rules.
pub(super) fn rules() -> &'static [Rule] {
    &RULES
}

/// Whether a file is that of the types.
pub fn is_file(file: FileId) -> bool {
    file == FILE
}

/// The names in the order of the alphabet, for suggestions.
pub fn names<'n>() -> impl Iterator<Item = &'n str> {
    let names: BTreeSet<&str> = ENTRIES.iter().map(|(name, _)| name.text.as_str()).collect();
    names.into_iter()
}

/// The comment and the text of the type with a name.
pub fn text_of(name: &str) -> Option<&'static str> {
    TEXT.split("\n\n")
        .map(str::trim_end)
        .find(|block| block.lines().any(|line| entry(line).is_some_and(|(known, _)| known == name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_types_are_read_as_toml_reads_them() {
        let mut diagnostics = Vec::new();
        let aliases = Aliases::read(&entries(false), &mut diagnostics);
        let grammar = Grammar::read(&entries(true), &mut diagnostics);
        assert!(diagnostics.is_empty() && aliases.broken.is_empty(), "{diagnostics:?}");
        let table: toml::Table = TEXT.parse().expect("it is TOML");
        assert_eq!(table.len(), aliases.sound.len() + grammar.rules.len());
        for (name, body) in &*ENTRIES {
            assert_eq!(table[&name.text].as_str(), Some(body.text.as_str()));
            let at = |text: &SpannedText| text.offsets[0] as usize..text.offsets[text.text.len()] as usize;
            assert_eq!((&TEXT[at(name)], &TEXT[at(body)]), (name.text.as_str(), body.text.as_str()));
        }
    }

    #[test]
    fn each_type_has_a_comment_with_an_example() {
        for name in names() {
            let text = text_of(name).expect("it has a text");
            assert!(text.starts_with("# ") && text.contains("Example: "), "{text}");
            assert_eq!(text.lines().count(), 2, "{text}");
        }
        assert_eq!(text_of("Emai"), None);
    }
}
