//! Imports resolved: from what modules define to what their names mean.
//!
//! All scopes are computed anew until nothing changes, since an import may lead through any other. A definition goes
//! before an import of its name, and that before a glob, as in Rust.

use super::TypeItem;
use super::declare::{Import, Imported};
use super::names::{Binding, Def, Module, Names, Namespace, Resolved, Scope, Visibility};

/// Imports that don't settle in so many rounds contradict each other.
const MOST_ROUNDS: usize = 200;

/// Adds to each scope what its module imports.
pub(super) fn resolve(names: &mut Names, types: &[TypeItem], imports: &[Import]) {
    let defined: Vec<Module> = names.modules.clone();
    let mut by_module: Vec<Vec<&Import>> = vec![Vec::new(); defined.len()];
    for import in imports {
        by_module[import.module as usize].push(import);
    }
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for (id, imports) in by_module.iter().enumerate().filter(|(_, imports)| !imports.is_empty()) {
            let module = with_imports(names, types, &defined[id], imports);
            changed |= module != names.modules[id];
            names.modules[id] = module;
        }
        if !changed {
            return;
        }
    }
}

/// A module with its imports, as far as the other scopes are known.
fn with_imports(names: &mut Names, types: &[TypeItem], defined: &Module, imports: &[&Import]) -> Module {
    let mut module = defined.clone();
    let mut globs = Module::default();
    for import in imports {
        let (name, both) = match &import.what {
            Imported::Named(name) => (name, true),
            Imported::TypeNamed(name) => (name, false),
            Imported::All => {
                match find(names, types, import, Namespace::Types) {
                    Some(from) => add_glob(names, types, &mut globs, from.def, import),
                    None => add_foreign(&mut globs, &import.path.join("::")),
                }
                continue;
            }
        };
        let as_type = find(names, types, import, Namespace::Types);
        let as_value = find(names, types, import, Namespace::Values).filter(|_| both);
        let as_type = as_type.or_else(|| match &import.path[..] {
            // A lone name that nothing has is a crate's: `use serde;`.
            [name] if as_value.is_none() => {
                let def = Def::Foreign(names.intern(name));
                Some(Binding { def, visibility: import.visibility })
            }
            _ => None,
        });
        for (scope, found) in [(&mut module.types, as_type), (&mut module.values, as_value)] {
            if let Some(found) = found {
                let binding = Binding { visibility: import.visibility, ..found };
                scope.entry(name.clone()).or_insert(binding);
            }
        }
    }
    for (scope, imported) in [(&mut module.types, globs.types), (&mut module.values, globs.values)] {
        for (name, binding) in imported {
            scope.entry(name).or_insert(binding);
        }
    }
    module.foreign_globs = globs.foreign_globs;
    module
}

fn find(names: &mut Names, types: &[TypeItem], import: &Import, namespace: Namespace) -> Option<Binding> {
    Some(match names.resolve(types, import.module, import.absolute, &import.path, namespace)? {
        Resolved::Local(binding) => binding,
        Resolved::Foreign(path) => {
            Binding { def: Def::Foreign(names.intern(&path)), visibility: Visibility::Public }
        }
    })
}

/// Adds the names of a module or an enum that the importing module can see.
fn add_glob(names: &Names, types: &[TypeItem], globs: &mut Module, from: Def, import: &Import) {
    match from {
        Def::Module(from) => {
            let from = &names.modules[from as usize];
            for (into, scope) in [(&mut globs.types, &from.types), (&mut globs.values, &from.values)] {
                let seen = scope.iter().filter(|(_, b)| names.is_visible(b.visibility, import.module));
                for (name, binding) in seen {
                    add(names, into, name, *binding, import.visibility);
                }
            }
            for path in &from.foreign_globs {
                add_foreign(globs, path);
            }
        }
        Def::Type(id) if types[id.0 as usize].is_enum => {
            for (index, ctor) in (0..).zip(&types[id.0 as usize].ctors) {
                let binding = Binding { def: Def::Variant(id, index), visibility: Visibility::Public };
                add(names, &mut globs.types, &ctor.name, binding, import.visibility);
                add(names, &mut globs.values, &ctor.name, binding, import.visibility);
            }
        }
        Def::Foreign(index) => add_foreign(globs, &names.foreign[index as usize]),
        _ => {}
    }
}

/// Adds a name at the narrower of two visibilities; of two globs the first wins, unless the second makes it public.
fn add(names: &Names, scope: &mut Scope, name: &str, binding: Binding, glob: Visibility) {
    let visibility = match (binding.visibility, glob) {
        (Visibility::Public, other) | (other, Visibility::Public) => other,
        // One contains the other, since the glob's module sees the name.
        (Visibility::Within(a), Visibility::Within(b)) if names.is_visible(Visibility::Within(a), b) => {
            Visibility::Within(b)
        }
        (within, _) => within,
    };
    let binding = Binding { visibility, ..binding };
    let known = scope.entry(name.to_string()).or_insert(binding);
    if known.def == binding.def && visibility == Visibility::Public {
        *known = binding;
    }
}

fn add_foreign(globs: &mut Module, path: &str) {
    if !globs.foreign_globs.iter().any(|known| known == path) {
        globs.foreign_globs.push(path.to_string());
    }
}
