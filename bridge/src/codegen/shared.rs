//! The functions that make and show data types, once for all subjects of a harness.
//!
//! Each subject numbers its types on its own. So a type's functions, together with those that they call, are compared with
//! the types numbered in the order in which they are met. A subject imports them by its own numbers:
//!
//! ```text
//! use super::subjects_plain::{make_7 as make_0, show_7 as show_0};
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

use super::convert;
use super::glue::Glue;
use super::harness::{crossing, has_words};
use crate::frontend::subject::Subject;

/// The module of functions without the user's words, and that of those that see the user's crate.
const MODULES: [&str; 2] = ["subjects_plain", "subjects_built"];

/// The start of the line before the functions that a subject imports from a module.
const IMPORT: &str = "::{make_";

/// The functions so far.
#[derive(Debug, Default)]
pub struct Shared {
    /// The numbers of the functions of a type, by whether they see the user's crate and by what they are.
    numbers: BTreeMap<(bool, String), usize>,
    /// The functions, by that number.
    functions: Vec<(bool, String)>,
}

impl Shared {
    /// The line that imports a subject's functions, for a module this deep in the harness; `None` if they are its own.
    pub(super) fn import(&mut self, subject: &Subject, spec: Glue<'_>, depth: usize) -> Option<String> {
        let mut texts = BTreeMap::new();
        for id in crossing(subject) {
            let data = spec.data(id);
            // Types of traits and grammars define more than two functions.
            if data.rule.is_some() || data.object.is_some() {
                return None;
            }
            texts.extend(convert::functions(id, spec).map(|text| (id.0, text)));
        }
        let in_words = has_words(subject);
        let mut numbers = BTreeMap::new();
        for id in texts.keys() {
            let next = self.numbers.len();
            let number = *self.numbers.entry((in_words, canonical(*id, &texts))).or_insert(next);
            numbers.insert(*id, number);
        }
        let known = self.functions.len();
        for (id, number) in numbers.iter().filter(|(_, number)| **number >= known) {
            let text = renamed(&texts[id], |id| numbers.get(&id).map(ToString::to_string));
            let text = text.replace("fn make_", "pub fn make_").replace("\nfn show_", "\npub fn show_");
            self.functions.resize(self.functions.len().max(number + 1), (in_words, String::new()));
            self.functions[*number] = (in_words, text);
        }
        let up = "super::".repeat(depth);
        let names: Vec<String> = numbers
            .iter()
            .map(|(id, number)| format!("make_{number} as make_{id}, show_{number} as show_{id}"))
            .collect();
        let module = MODULES[usize::from(in_words)];
        Some(if names.is_empty() {
            String::new()
        } else {
            format!("use {up}{module}::{{{}}};\n", names.join(", "))
        })
    }

    /// The modules with all functions.
    pub(super) fn modules(&self) -> String {
        let mut text = String::new();
        for (module, in_words) in MODULES.iter().zip([false, true]) {
            let words = "use super::*;\nuse ::target_strategies::child::serve::Unfailing as _;\n";
            let functions = self.functions.iter().filter(|(found, _)| *found == in_words);
            let functions: String = functions.map(|(_, text)| text.as_str()).collect();
            let _ = writeln!(text, "mod {module} {{\n{}{functions}}}\n", if in_words { words } else { "" });
        }
        text
    }
}

/// Whether a position in a harness is in the functions that subjects share.
pub fn is_shared(harness: &str, at: usize) -> bool {
    let modules = MODULES.iter().filter_map(|module| harness.find(&format!("\nmod {module} {{\n")));
    modules.min().is_some_and(|start| start <= at)
        && harness.get(at..).is_some_and(|rest| rest.contains("\nstatic SUBJECTS:"))
}

/// The shared functions around a position: the text of the import by which a subject has them as those of a type of its own.
pub fn imported(harness: &str, at: usize) -> Option<String> {
    let before = harness.get(..at)?;
    let start = ["\npub fn make_", "\npub fn show_"]
        .into_iter()
        .filter_map(|start| Some(before.rfind(start)? + start.len()));
    let number = before[start.max()?..].split(|c: char| !c.is_ascii_digit()).next()?;
    Some(format!("make_{number} as make_"))
}

/// The number that a subject's module, given as text, has for the type of such an import.
pub fn own_number(module: &str, imported: &str) -> Option<usize> {
    let line = module.lines().find(|line| line.starts_with("use super::") && line.contains(IMPORT))?;
    let at = [format!("{{{imported}"), format!(" {imported}")]
        .into_iter()
        .find_map(|start| Some(line.find(&start)? + start.len()))?;
    line[at..].split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The functions of a type and those that they call, with the types numbered in the order in which they are met.
fn canonical(id: u32, texts: &BTreeMap<u32, String>) -> String {
    let mut met = vec![id];
    let mut text = String::new();
    let mut seen = BTreeSet::from([id]);
    let mut next = 0;
    while let Some(id) = met.get(next).copied() {
        let part = texts.get(&id).map_or("", String::as_str);
        for (_, other) in references(part) {
            if seen.insert(other) {
                met.push(other);
            }
        }
        text += &renamed(part, |id| met.iter().position(|found| *found == id).map(|n| format!("#{n}")));
        next += 1;
    }
    text
}

/// The text with other numbers for the types whose functions it names.
fn renamed(text: &str, number: impl Fn(u32) -> Option<String>) -> String {
    let (mut written, mut done) = (String::new(), 0);
    for (at, id) in references(text) {
        if let Some(number) = number(id) {
            written += &text[done..at.start];
            written += &number;
            done = at.end;
        }
    }
    written + &text[done..]
}

/// The numbers of types in a text, `3` in `make_3`, and where they are.
fn references(text: &str) -> impl Iterator<Item = (Range<usize>, u32)> + '_ {
    let starts = text.match_indices("make_").chain(text.match_indices("show_"));
    let mut found: Vec<(Range<usize>, u32)> = starts
        .filter_map(|(start, name)| {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '.';
            let digits = start + name.len();
            let length = text[digits..].find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len() - digits);
            let is_name = !text[..start].ends_with(is_part) && !text[digits + length..].starts_with(is_part);
            let number = text[digits..digits + length].parse().ok()?;
            is_name.then_some((digits..digits + length, number))
        })
        .collect();
    found.sort_by_key(|(at, _)| at.start);
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two recursive types, numbered in other ways, are the same; with another field they are not.
    #[test]
    fn functions_are_compared_without_their_numbers() {
        let texts =
            |texts: &[(u32, &str)]| texts.iter().map(|(id, text)| (*id, (*text).to_owned())).collect();
        let one = texts(&[(0, "fn make_0() { my::make_4(); make_3() }"), (3, "fn make_3() { make_0() }")]);
        let other = texts(&[(5, "fn make_5() { make_1() }"), (1, "fn make_1() { my::make_4(); make_5() }")]);
        assert_eq!(canonical(0, &one), canonical(1, &other));
        assert_eq!(canonical(3, &one), canonical(5, &other));
        assert_ne!(canonical(0, &one), canonical(5, &other));
        assert_eq!(canonical(0, &one), "fn make_#0() { my::make_4(); make_#1() }fn make_#1() { make_#0() }");
    }

    #[test]
    fn a_subject_has_a_shared_type_by_its_own_number() {
        let module = "mod subject_3 {\nuse super::subjects_plain::{make_17 as make_0, show_17 as show_0, make_7 as make_2, show_7 as show_2};\n}";
        let harness =
            "mod subjects_plain {\npub fn make_7() {\n    wrong\n}\npub fn show_7() {}\n}\nstatic SUBJECTS: ";
        let at = harness.find("wrong").expect("it is there");
        let imported = imported(harness, at).expect("it is in a function");
        assert_eq!((imported.as_str(), own_number(module, &imported)), ("make_7 as make_", Some(2)));
        assert_eq!(own_number(module, "make_1 as make_"), None);
    }
}
