//! The shortest public path to each definition, for outside code.
//!
//! Modules are visited by the lengths of their paths, then alphabetically, so the first path to an item is the
//! shortest.

use std::collections::BTreeMap;

use super::names::{Def, ModuleId, Names, ROOT, Visibility};

/// The public path of every definition that has one.
pub(super) type PublicPaths = BTreeMap<Def, String>;

/// Walks the public names from the root.
pub(super) fn public_paths(names: &Names) -> PublicPaths {
    let mut paths = PublicPaths::new();
    let mut level: Vec<(Vec<&str>, ModuleId)> = vec![(Vec::new(), ROOT)];
    paths.insert(Def::Module(ROOT), String::new());
    while !level.is_empty() {
        let mut next = Vec::new();
        for (path, module) in level {
            let module = &names.modules[module as usize];
            let names = module.types.iter().map(|named| (named, true));
            for ((name, binding), is_type) in names.chain(module.values.iter().map(|named| (named, false))) {
                // The name of a type's constructor alone doesn't reach the type.
                let is_own = is_type || !matches!(binding.def, Def::Type(_));
                if binding.visibility != Visibility::Public || !is_own || paths.contains_key(&binding.def) {
                    continue;
                }
                let inner: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
                paths.insert(binding.def, inner.join("::"));
                if let Def::Module(module) = binding.def {
                    next.push((inner, module));
                }
            }
        }
        next.sort();
        level = next;
    }
    paths
}
