//! The user's packages, as `cargo metadata` lists them. Only this file asks cargo and rustc about the project;
//! [`crate::run::harness`] builds it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cargo_metadata::{CrateType, DependencyKind, Metadata, MetadataCommand, TargetKind};

use target_bridge::frontend::manifest;

use crate::options::config::CargoConfig;
use crate::system::exit_code::usage;

/// The selected packages and their folders.
#[derive(Debug)]
pub struct Project {
    /// The selected packages, in cargo's order.
    pub packages: Vec<Package>,
    /// The libraries of all members of the workspace.
    pub members: Vec<Member>,
    /// The manifest at the root of the workspace.
    pub workspace_manifest: PathBuf,
    /// Whether files that `include` names outside of the workspace are read.
    pub include_outside: bool,
    /// The folder of all files that the tool writes: `target/cargo-target`.
    pub output: PathBuf,
    /// Cargo's target directory for the tested crates, below `output`. Each workspace has its own, since cargo gives
    /// the files of two checkouts the same names.
    pub build: PathBuf,
    /// The records of runs, below `output`, separate for each workspace like `build`.
    pub runs: PathBuf,
}

/// A member of the workspace that others can depend on.
#[derive(Debug)]
pub struct Member {
    /// The id of its package.
    pub id: String,
    /// The folder of its manifest.
    pub root: PathBuf,
    /// The root file of its library.
    pub src_path: PathBuf,
    /// The name of its library.
    pub crate_name: String,
    /// The active features.
    pub features: Vec<String>,
    /// Its dependencies.
    pub dependencies: Vec<Dependency>,
}

/// A package that another one depends on.
#[derive(Debug)]
pub struct Dependency {
    /// The name of its library in the other one's code.
    pub name: String,
    /// Its id.
    pub id: String,
    /// Whether the other one's library uses it, and not only its tests or its build script.
    pub is_linked: bool,
}

/// The dependencies of a library.
pub fn linked(dependencies: &[Dependency]) -> impl Iterator<Item = &Dependency> {
    dependencies.iter().filter(|dependency| dependency.is_linked)
}

/// One package.
#[derive(Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its id, as `cargo build -p` takes it.
    pub id: String,
    /// Its manifest.
    pub manifest_path: PathBuf,
    /// Its library, which other Rust code can link.
    pub library: Result<Library, NoLibrary>,
    /// Its integration tests: crate names and root files.
    pub tests: Vec<(String, PathBuf)>,
    /// Whether its manifest has a `[package.metadata.target]` table, or one that is probably meant to be it.
    pub has_table: bool,
    /// The active features.
    pub features: Vec<String>,
    /// Its dependencies.
    pub dependencies: Vec<Dependency>,
}

/// Why other Rust code can't link a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLibrary {
    /// It has programs only.
    None,
    /// It is a library for other languages.
    Foreign,
    /// It extends the compiler.
    ProcMacro,
}

/// A library target.
#[derive(Debug)]
pub struct Library {
    /// The name of the crate, as in `use`.
    pub crate_name: String,
    /// Its root file.
    pub src_path: PathBuf,
    /// The edition of the user's expressions: the library's own, but at least 2018.
    pub edition: String,
}

impl NoLibrary {
    /// What the package has instead, and how to get a library.
    pub fn explained(&self) -> (&'static str, &'static str) {
        match self {
            NoLibrary::None => {
                ("has no library", "move the functions to test into src/lib.rs, which the binary then uses")
            }
            NoLibrary::Foreign => {
                ("has a library for other languages alone", "add \"lib\" to `crate-type` in [lib]")
            }
            NoLibrary::ProcMacro => (
                "is a procedural macro, which only the compiler can call",
                "move the functions to test into a library that it depends on",
            ),
        }
    }
}

impl Package {
    /// The folder of the manifest.
    pub fn root(&self) -> &Path {
        self.manifest_path.parent().expect("a manifest is a file in a folder")
    }

    /// Its library, or a message that says how to get one.
    pub fn library(&self) -> Result<&Library> {
        let name = &self.name;
        self.library.as_ref().map_err(|why| {
            let (what, help) = why.explained();
            usage(format!("package `{name}` {what}: {help}"))
        })
    }

    /// A name for its own folders below `output`. Packages of the same name may share it.
    pub fn folder_name(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.manifest_path.hash(&mut hasher);
        format!("{}-{:08x}", self.name, hasher.finish() as u32)
    }
}

/// Asks cargo for the packages that the options select.
pub fn load(config: &CargoConfig) -> Result<Project> {
    let mut command = MetadataCommand::new();
    if let Some(path) = &config.manifest_path {
        command.manifest_path(path);
    }
    command.other_options([config.lock_flags.clone(), config.feature_flags.clone()].concat());
    let metadata = command.exec().map_err(|error| match error {
        cargo_metadata::Error::CargoMetadata { stderr } => {
            let help = manifest_help(config).map(|help| format!("\n  = help: {help}")).unwrap_or_default();
            usage(format!("{}{help}", strip_error(&stderr)))
        }
        other => anyhow::Error::new(other).context("run `cargo metadata`"),
    })?;
    let packages =
        select(config, &metadata)?.into_iter().map(|package| describe(package, &metadata)).collect();
    let members = metadata.workspace_packages();
    let members = members.into_iter().filter_map(|package| member(describe(package, &metadata))).collect();
    let target_directory = match &config.target_dir {
        Some(dir) => std::path::absolute(dir).context("find the target directory")?,
        None => metadata.target_directory.clone().into_std_path_buf(),
    };
    let output = target_directory.join("cargo-target");
    let root = metadata.workspace_root.as_std_path();
    let own = |name: &str| {
        if target_directory.starts_with(root) {
            output.join(name)
        } else {
            let mut hasher = DefaultHasher::new();
            root.hash(&mut hasher);
            output.join(format!("{name}-{:016x}", hasher.finish()))
        }
    };
    let (build, runs) = (own("build"), own("runs"));
    let (workspace_manifest, include_outside) = (root.join("Cargo.toml"), config.include_outside);
    Ok(Project { packages, members, workspace_manifest, include_outside, output, build, runs })
}

/// How to mend the manifest that cargo reads, if it isn't TOML.
fn manifest_help(config: &CargoConfig) -> Option<&'static str> {
    let path = match &config.manifest_path {
        Some(path) => path.clone(),
        None => {
            let here = std::env::current_dir().ok()?;
            here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file())?
        }
    };
    manifest::syntax_help(&std::fs::read_to_string(path).ok()?)
}

fn strip_error(stderr: &str) -> &str {
    let text = stderr.trim();
    text.strip_prefix("error: ").unwrap_or(text)
}

fn select<'m>(config: &CargoConfig, metadata: &'m Metadata) -> Result<Vec<&'m cargo_metadata::Package>> {
    let members = metadata.workspace_packages();
    let matches = |package: &cargo_metadata::Package, spec: &str| {
        spec == package.name.as_str()
            || spec == format!("{}@{}", package.name, package.version)
            || spec == package.id.repr
    };
    for spec in config.packages.iter().chain(&config.exclude) {
        if !members.iter().any(|package| matches(package, spec)) {
            return Err(usage(format!(
                "no package `{spec}` in the workspace; there are {}",
                names(&members)
            )));
        }
    }
    let mut selected = if !config.packages.is_empty() {
        let wanted =
            |package: &&&cargo_metadata::Package| config.packages.iter().any(|spec| matches(package, spec));
        members.iter().filter(wanted).copied().collect()
    } else if config.workspace {
        members
    } else if let Some(root) = root_package(config, metadata) {
        vec![root]
    } else {
        metadata.workspace_default_packages()
    };
    selected.retain(|package| !config.exclude.iter().any(|spec| matches(package, spec)));
    Ok(selected)
}

/// The package whose manifest cargo found from the current folder, unless that is a virtual manifest.
fn root_package<'m>(config: &CargoConfig, metadata: &'m Metadata) -> Option<&'m cargo_metadata::Package> {
    if config.manifest_path.is_none() {
        let here = std::env::current_dir().ok()?.canonicalize().ok()?;
        let inside = |package: &&&cargo_metadata::Package| {
            let root = package.manifest_path.parent().and_then(|root| root.as_std_path().canonicalize().ok());
            root.is_some_and(|root| here.starts_with(root))
        };
        let members = metadata.workspace_packages();
        return members
            .iter()
            .filter(inside)
            .max_by_key(|package| package.manifest_path.as_str().len())
            .copied();
    }
    metadata.root_package()
}

fn names(packages: &[&cargo_metadata::Package]) -> String {
    let names: Vec<String> = packages.iter().map(|package| format!("`{}`", package.name)).collect();
    names.join(", ")
}

fn describe(package: &cargo_metadata::Package, metadata: &Metadata) -> Package {
    let linkable = |target: &&cargo_metadata::Target| {
        target.kind.iter().any(|kind| matches!(kind, TargetKind::Lib | TargetKind::RLib))
            || target.crate_types.iter().any(|kind| matches!(kind, CrateType::Lib | CrateType::RLib))
                && target.kind.iter().any(|kind| matches!(kind, TargetKind::CDyLib | TargetKind::StaticLib))
    };
    let library = package.targets.iter().find(linkable).map(|target| Library {
        crate_name: target.name.replace('-', "_"),
        src_path: target.src_path.clone().into_std_path_buf(),
        edition: target.edition.to_string().replace("2015", "2018"),
    });
    let is_test = |target: &&cargo_metadata::Target| target.kind.contains(&TargetKind::Test);
    let test = |target: &cargo_metadata::Target| {
        (target.name.replace('-', "_"), target.src_path.clone().into_std_path_buf())
    };
    let node =
        metadata.resolve.as_ref().and_then(|graph| graph.nodes.iter().find(|node| node.id == package.id));
    let dependency = |dep: &cargo_metadata::NodeDep| Dependency {
        name: dep.name.clone(),
        id: dep.pkg.repr.clone(),
        is_linked: dep.dep_kinds.iter().any(|info| info.kind == DependencyKind::Normal),
    };
    Package {
        dependencies: node.map_or_else(Vec::new, |node| node.deps.iter().map(dependency).collect()),
        name: package.name.to_string(),
        id: package.id.repr.clone(),
        manifest_path: package.manifest_path.clone().into_std_path_buf(),
        library: library.ok_or_else(|| without_library(package)),
        tests: package.targets.iter().filter(is_test).map(test).collect(),
        has_table: package.metadata.get("target").is_some()
            || is_misnamed(package.manifest_path.as_std_path()),
        features: node
            .map_or_else(Vec::new, |node| node.features.iter().map(|name| name.to_string()).collect()),
    }
}

/// Whether a manifest has only a table that is probably meant to be `[package.metadata.target]`.
fn is_misnamed(manifest_path: &Path) -> bool {
    std::fs::read_to_string(manifest_path).is_ok_and(|text| manifest::has_misnamed_table(&text))
}

fn member(package: Package) -> Option<Member> {
    let root = package.root().to_owned();
    let Package { library, id, features, dependencies, .. } = package;
    let Library { crate_name, src_path, edition: _ } = library.ok()?;
    Some(Member { id, root, src_path, crate_name, features, dependencies })
}

fn without_library(package: &cargo_metadata::Package) -> NoLibrary {
    let has = |wanted: &[TargetKind]| {
        package.targets.iter().any(|target| target.kind.iter().any(|kind| wanted.contains(kind)))
    };
    if has(&[TargetKind::ProcMacro]) {
        NoLibrary::ProcMacro
    } else if has(&[TargetKind::CDyLib, TargetKind::StaticLib, TargetKind::DyLib]) {
        NoLibrary::Foreign
    } else {
        NoLibrary::None
    }
}

/// The rustc that cargo would use.
pub fn rustc() -> PathBuf {
    std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from)
}

/// The output of `rustc --print cfg` in a package's folder, where a toolchain file may choose another rustc.
pub fn rustc_cfg(package: &Package) -> Result<String> {
    let output = Command::new(rustc())
        .args(["--print", "cfg"])
        .current_dir(package.root())
        .output()
        .context("run `rustc --print cfg`")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(usage(format!("`rustc --print cfg` fails: {}", strip_error(&said))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
