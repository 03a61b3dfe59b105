//! Drives cargo-target from outside; the tests are in `tests/it`. Here is what they share with the benches.

pub mod cases;
pub mod options;
pub mod plot;
pub mod structures;

use std::fs;
use std::path::Path;

use target_bridge::catalog::{Cfg, scan};
use target_bridge::diagnostic::{Sources, render};
use target_bridge::manifest::{PartialSettings, read};
use target_bridge::resolve::resolve;
use target_strategies::space::{Bounds, Space};

/// The space of a spec of one parameter, written with the types, views and measures of a fixture, about the fixture's own types.
///
/// # Panics
///
/// Panics with the mistakes in the spec.
#[must_use]
pub fn space_in(fixture: &str, crate_name: &str, spec: &str, bounds: Bounds) -> Space {
    space_of(fixture, crate_name, "|_| ()", spec, bounds)
}

/// Like [`space_in`], of the closure that the spec is about.
///
/// # Panics
///
/// Panics with the mistakes in the spec.
#[must_use]
pub fn space_of(fixture: &str, crate_name: &str, call: &str, spec: &str, bounds: Bounds) -> Space {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(fixture);
    let path = folder.join("Cargo.toml");
    let manifest = fs::read_to_string(&path).expect("the fixture has a manifest");
    let function = "[package.metadata.target.functions.wanted]";
    let text = format!("{manifest}\n{function}\ncall = '{call}'\nspec = '''{spec}'''\n");
    let mut sources = Sources::default();
    let (manifest, mut mistakes) = read(&mut sources, &path, &|_| Ok(text.clone()));
    let (catalog, _) = scan(&folder.join("src/lib.rs"), crate_name, &Cfg::default());
    let (subjects, more) = resolve(&manifest, &catalog, &PartialSettings::default());
    mistakes.extend(more);
    let wanted = subjects.into_iter().find(|subject| subject.spec.name == "wanted");
    let subject = wanted.unwrap_or_else(|| panic!("{}", render(&mistakes, &sources, false)));
    Space::new(subject.spec.into(), bounds)
}
