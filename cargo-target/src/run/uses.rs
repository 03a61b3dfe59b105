//! Which functions use a named type or a measure, by the words of their specs.
//!
//! A word may also be a variable of that name. Then the function is taken for a user, too.

use std::collections::BTreeSet;

use target_bridge::frontend::manifest::{FunctionEntry, Manifest, SpannedText};

/// The named types, grammars and measures of a manifest: heads and bodies.
pub fn named(manifest: &Manifest) -> impl Iterator<Item = &(SpannedText, SpannedText)> {
    manifest.types.iter().chain(&manifest.grammars).chain(&manifest.measures)
}

/// The name in a head: `Rng` in `Rng(n: int)`.
pub fn name(head: &SpannedText) -> &str {
    head.text.split(['<', '(']).next().unwrap_or_default().trim()
}

/// The keys of the functions that use one of the names, perhaps through others. `None` if a view does, which concerns also
/// types that have such a field, and so functions that don't mention it.
pub fn users(manifest: &Manifest, mut names: BTreeSet<String>) -> Option<Vec<String>> {
    loop {
        let uses =
            |(head, body): &&(SpannedText, SpannedText)| mentions(body, &names) || mentions(head, &names);
        if manifest.data.iter().any(|view| uses(&view)) {
            return None;
        }
        let users: BTreeSet<String> =
            named(manifest).filter(uses).map(|(head, _)| name(head).to_owned()).collect();
        if users.is_subset(&names) {
            break;
        }
        names.extend(users);
    }
    let uses = |entry: &&FunctionEntry| {
        let texts =
            [Some(&entry.spec), entry.explore.as_ref(), entry.different.as_ref(), entry.call.as_ref()];
        texts.into_iter().flatten().chain(&entry.examples).any(|text| mentions(text, &names))
    };
    Some(manifest.functions.iter().filter(uses).map(|entry| entry.key.text.clone()).collect())
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
    fn users_are_found_through_types_and_measures() {
        let text = r#"[package.metadata.target.types]
Bad = "{v: u8 | v < }"
Pair = "(Bad, u8)"
"Near(n: int)" = "{v: u8 | v < n}"
[package.metadata.target.data]
Date = "struct Date { day: Near(31) }"
[package.metadata.target.measures]
"least(p: Pair) -> int" = "p.1"
[package.metadata.target.functions]
own = "fn(x: Bad) -> u8"
far = "fn(x: {p: (u8, u8) | least(p) == 0}) -> u8"
other = "fn(Badly: Near(3)) -> u8"
"#;
        let mut sources = Sources::default();
        let read = |_: &Path| Ok(text.to_owned());
        let (manifest, _) = manifest::read(&mut sources, Path::new("Cargo.toml"), &read);
        let of = |names: &[&str]| users(&manifest, names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(of(&["Bad"]), Some(vec!["own".to_owned(), "far".to_owned()]));
        assert_eq!(of(&[]), Some(Vec::new()));
        // A view of a type of the crate.
        assert_eq!(of(&["Near"]), None);
    }
}
