//! What the fuzz targets share: a small crate as a catalog, and specs about its types as subjects.

use std::path::Path;
use std::sync::LazyLock;

use target_bridge::frontend::catalog::{Catalog, Cfg, scan_text};
use target_bridge::frontend::diagnostic::{Sources, render};
use target_bridge::frontend::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText, read};
use target_bridge::frontend::resolve::resolve;
use target_bridge::frontend::spec::parse;
use target_bridge::frontend::subject::Subject;

/// The source of a crate, one function or type for each thing that specs can be about.
const SOURCE: &str = include_str!("catalog.rs");

/// Declarations that specs can use.
const DECLARATIONS: &str = include_str!("declarations.toml");

/// The types and functions of the crate.
pub static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let (catalog, problems) = scan_text(SOURCE, "sample", &Cfg::default());
    assert!(problems.is_empty(), "{problems:?}");
    catalog
});

static DECLARED: LazyLock<(Manifest, Sources)> = LazyLock::new(|| {
    let mut sources = Sources::default();
    let (manifest, mistakes) = read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(DECLARATIONS.to_owned()));
    assert!(mistakes.is_empty(), "{mistakes:?}");
    (manifest, sources)
});

/// The subjects of a manifest. What is wrong with it is shown, as it would be to a user.
pub fn of_manifest(text: &str) -> Vec<Subject> {
    let mut sources = Sources::default();
    // A manifest that includes files gets itself.
    let (manifest, mut mistakes) = read(&mut sources, Path::new("Cargo.toml"), &|_| Ok(text.to_owned()));
    let (subjects, more) = resolve(&manifest, &CATALOG, &PartialSettings::default());
    mistakes.extend(more);
    render(&mistakes, &sources, false);
    subjects
}

/// The subject of a spec, if there is no mistake in it. What is wrong with it is shown, as it would be to a user.
pub fn of_spec(text: &str) -> Option<Subject> {
    let (declared, sources) = &*DECLARED;
    let mut sources = sources.clone();
    let mut spanned = |text: &str| {
        let file = sources.add(Path::new("Cargo.toml"), text.to_owned());
        SpannedText::verbatim(text, file, 0)
    };
    let spec = spanned(text);
    let n_params = parse::signature(&spec).ok()?.params.len();
    let entry = FunctionEntry {
        key: spanned("f"),
        spec,
        call: Some(spanned(&format!("|{}| ()", vec!["_"; n_params].join(", ")))),
        examples: Vec::new(),
        explore: None,
        settings: PartialSettings::default(),
    };
    let manifest = Manifest { functions: vec![entry], ..declared.clone() };
    let (mut subjects, mistakes) = resolve(&manifest, &CATALOG, &PartialSettings::default());
    render(&mistakes, &sources, false);
    subjects.pop()
}
