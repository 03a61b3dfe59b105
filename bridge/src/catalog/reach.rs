//! How code outside the crate names each definition: by its public path, or else from where it is defined, once the
//! places on the way are opened.

use std::collections::BTreeMap;

use super::names::{Def, ModuleId, Names};
use super::open::Opening;
use super::public::PublicPaths;

/// A path that works outside the crate, and what has to be opened for that.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// The path, without the crate's name; [`super::Catalog::outside_path`] puts it in.
    pub path: String,
    /// What has to be opened; nothing, if the path is public.
    pub openings: Vec<Opening>,
}

/// The definitions of a crate, and what makes those public that aren't.
pub(super) struct Reach<'a> {
    pub names: &'a Names,
    pub public: &'a PublicPaths,
    /// What makes a definition public, if anything has to.
    pub closed: &'a BTreeMap<Def, Opening>,
}

impl Reach<'_> {
    /// The way to a module.
    fn module(&self, id: ModuleId) -> Access {
        let module = &self.names.modules[id as usize];
        let name = module.path.rsplit("::").next().unwrap_or_default();
        match module.parent {
            Some(parent) => self.of(Def::Module(id), parent, name),
            None => Access::default(),
        }
    }

    /// The way to a definition of that name in a module.
    pub fn of(&self, def: Def, module: ModuleId, name: &str) -> Access {
        if let Some(path) = self.public.get(&def) {
            return Access { path: path.clone(), openings: Vec::new() };
        }
        let Access { path, mut openings } = self.module(module);
        openings.extend(self.closed.get(&def).cloned());
        let path = if path.is_empty() { name.to_string() } else { format!("{path}::{name}") };
        Access { path, openings }
    }
}
