//! Whether views of types use a named type or a measure, by the words of their specs.
//!
//! A word may also be a variable of that name. Then the view is taken for a user, too.

use std::collections::BTreeSet;

use target_bridge::frontend::manifest::{Manifest, SpannedText};

/// The named types, grammars and measures of a manifest: heads and bodies.
pub fn named(manifest: &Manifest) -> impl Iterator<Item = &(SpannedText, SpannedText)> {
    manifest.types.iter().chain(&manifest.grammars).chain(&manifest.measures)
}

/// The name in a head: `Rng` in `Rng(n: int)`.
pub fn name(head: &SpannedText) -> &str {
    head.text.split(['<', '(']).next().unwrap_or_default().trim()
}

/// Whether a view uses one of the names, perhaps through others. It concerns also types that have such a field, and so
/// functions that don't mention it.
pub fn has_view(manifest: &Manifest, mut names: BTreeSet<String>) -> bool {
    loop {
        let uses =
            |(head, body): &&(SpannedText, SpannedText)| mentions(body, &names) || mentions(head, &names);
        if manifest.data.iter().any(|view| uses(&view)) {
            return true;
        }
        let users: BTreeSet<String> =
            named(manifest).filter(uses).map(|(head, _)| name(head).to_owned()).collect();
        if users.is_subset(&names) {
            return false;
        }
        names.extend(users);
    }
}

/// Whether one of the names is a word of a text.
fn mentions(text: &SpannedText, names: &BTreeSet<String>) -> bool {
    text.text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| names.contains(word))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use target_bridge::frontend::diagnostic::Sources;
    use target_bridge::frontend::manifest;

    use super::*;

    #[test]
    fn views_are_found_through_types_and_measures() {
        let text = r#"[package.metadata.target.types]
Bad = "{v: u8 | v < }"
Pair = "(Bad, u8)"
"Near(n: int)" = "{v: u8 | v < n && least(v) == 0}"
[package.metadata.target.data]
Date = "struct Date { day: Near(31) }"
[package.metadata.target.measures]
"least(p: int) -> int" = "p"
"#;
        let mut sources = Sources::default();
        let read = |_: &Path| Ok(text.to_owned());
        let (manifest, _) = manifest::read(&mut sources, Path::new("Cargo.toml"), &read);
        let of = |names: &[&str]| has_view(&manifest, names.iter().map(|name| (*name).to_owned()).collect());
        assert!(!of(&["Bad"]) && !of(&[]));
        assert!(of(&["Near"]) && of(&["least"]));
    }
}
