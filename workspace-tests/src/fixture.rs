//! A fixture crate read once, and specs in its terms as spaces, in memory.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use target_bridge::frontend::catalog::{Catalog, Cfg, scan};
use target_bridge::frontend::diagnostic::{Diagnostic, Sources, render};
use target_bridge::frontend::manifest::{FunctionEntry, Manifest, PartialSettings, SpannedText, read};
use target_bridge::frontend::resolve::resolve;
use target_strategies::logic::ir::Spec;
use target_strategies::space::{Bounds, Space};

/// The types, views and measures of a fixture.
pub struct Fixture {
    sources: Sources,
    manifest: Manifest,
    mistakes: Vec<Diagnostic>,
    catalog: Catalog,
    path: PathBuf,
}

/// A spec to be, as text.
#[derive(Clone, Debug)]
pub struct Signature<'t> {
    /// `fn(x: i64) requires 0 < x`
    pub spec: &'t str,
    /// How many parameters that has.
    pub n_params: usize,
    /// What narrows the space.
    pub explore: Option<&'t str>,
}

impl Fixture {
    /// Reads the manifest and the source of a fixture.
    ///
    /// # Panics
    ///
    /// Panics if there is no such fixture.
    #[must_use]
    pub fn open(name: &str, crate_name: &str) -> Fixture {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        let path = folder.join("Cargo.toml");
        let mut sources = Sources::default();
        let (mut manifest, mistakes) = read(&mut sources, &path, &|path| fs::read_to_string(path));
        assert!(!manifest.functions.is_empty(), "{} has no specs", path.display());
        // Its own subjects would be resolved with every spec.
        manifest.functions.clear();
        let (catalog, _) = scan(&folder.join("src/lib.rs"), crate_name, &Cfg::default());
        Fixture { sources, manifest, mistakes, catalog, path }
    }

    /// The space of a spec about the fixture's types, or the mistakes in it, rendered.
    pub fn space(&self, signature: &Signature<'_>, bounds: Bounds) -> Result<Space, String> {
        let spec = self.specs(std::slice::from_ref(signature)).remove(0)?;
        Ok(Space::new(spec, bounds))
    }

    /// The meanings of specs about the fixture's types, or the mistakes in each, rendered. What the fixture declares is
    /// checked once for all of them, which takes longer than a spec.
    pub fn specs(&self, signatures: &[Signature<'_>]) -> Vec<Result<Arc<Spec>, String>> {
        let mut sources = self.sources.clone();
        let mut text = |text: &str| {
            let file = sources.add(&self.path, text.to_owned());
            SpannedText::verbatim(text, file, 0)
        };
        let entries = signatures.iter().enumerate().map(|(i, signature)| FunctionEntry {
            // Texts that are alike share a file; these have to tell the specs apart.
            key: text(&i.to_string()),
            spec: text(&format!("{} ", signature.spec)),
            call: Some(text(&format!("|{}| ()", vec!["_"; signature.n_params].join(", ")))),
            examples: Vec::new(),
            explore: signature.explore.map(&mut text),
            different: None,
            settings: PartialSettings::default(),
        });
        let manifest = Manifest { functions: entries.collect(), ..self.manifest.clone() };
        let (subjects, mut mistakes) = resolve(&manifest, &self.catalog, &PartialSettings::default());
        mistakes.splice(..0, self.mistakes.iter().cloned());
        let mut specs: HashMap<String, Arc<Spec>> =
            subjects.into_iter().map(|subject| (subject.spec.name.clone(), subject.spec.into())).collect();
        let found = manifest.functions.iter().map(|entry| {
            let texts = [Some(&entry.spec), entry.explore.as_ref()];
            let is_own = |mistake: &&Diagnostic| texts.iter().flatten().any(|t| t.file == mistake.span.file);
            specs.remove(&entry.key.text).ok_or_else(|| {
                let own: Vec<Diagnostic> = mistakes.iter().filter(is_own).cloned().collect();
                render(if own.is_empty() { &mistakes } else { &own }, &sources, false)
            })
        });
        found.collect()
    }
}

/// The space of a spec of one parameter, written with the types, views and measures of a fixture, about the fixture's own types.
///
/// # Panics
///
/// Panics with the mistakes in the spec.
#[must_use]
pub fn space_in(fixture: &str, crate_name: &str, spec: &str, bounds: Bounds) -> Space {
    space_of(fixture, crate_name, 1, spec, bounds)
}

/// Like [`space_in`], of a spec with so many parameters.
///
/// # Panics
///
/// Panics with the mistakes in the spec.
#[must_use]
pub fn space_of(fixture: &str, crate_name: &str, n_params: usize, spec: &str, bounds: Bounds) -> Space {
    let signature = Signature { spec, n_params, explore: None };
    Fixture::open(fixture, crate_name)
        .space(&signature, bounds)
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}
