//! Finds the fuzz targets of the selected packages: their fuzz packages, and their tests with bolero.

use std::path::PathBuf;

use anyhow::Result;

use super::package::{self, FuzzPackage};
use super::{bolero, package_folder};
use crate::run::checked::Checked;
use crate::run::project::Project;
use crate::system::files::from_here;

/// Fuzz targets, and the packages whose functions they may run.
pub struct Found<'a> {
    /// The targets.
    pub fuzz: FuzzPackage,
    /// The packages; at least one.
    pub packages: Vec<&'a Checked<'a>>,
}

/// The fuzz targets of some packages.
pub fn read_all<'a>(project: &Project, checked: &'a [Checked<'a>]) -> Result<Vec<Found<'a>>> {
    let mut folders: Vec<(PathBuf, Vec<&Checked>)> = Vec::new();
    for package in checked {
        let folder = package_folder::of_package(project, package.package)?;
        match folders.iter_mut().find(|(known, _)| *known == folder) {
            Some((_, packages)) => packages.push(package),
            None => folders.push((folder, vec![package])),
        }
    }
    let mut found = Vec::new();
    for (folder, packages) in folders {
        let Some(fuzz) = package::read(&folder)? else { continue };
        let others = packages.iter().filter(|package| package.package.root().join("fuzz") != folder);
        let names: Vec<String> = others.map(|package| format!("`{}`", package.package.name)).collect();
        if !names.is_empty() {
            let path = from_here(&folder.join("Cargo.toml"));
            errln!("note: the fuzz targets of {} are those of the workspace: {path}", names.join(", "));
        }
        found.push(Found { fuzz, packages });
    }
    for package in checked {
        found.extend(bolero::read(package.package)?.map(|fuzz| Found { fuzz, packages: vec![package] }));
    }
    Ok(found)
}
