//! The catalog itself: what a scan found, and the names for lookups.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::constant::Constant;
use super::hidden::Hidden;
use super::items::{FnItem, Projection, TypeItem};
use super::literals::Body;
use super::names::Names;
use super::open::Opening;
use super::rust_type::RustType;

/// The result of a scan.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The name of the library crate, as in `use`.
    pub crate_name: String,
    /// The structs and enums.
    pub types: Vec<TypeItem>,
    /// The functions, associated functions and methods.
    pub functions: Vec<FnItem>,
    /// The constants, as [`super::names::Def`] numbers them.
    pub constants: Vec<Constant>,
    /// The public constants of the crate's own types, by their paths.
    pub values: Vec<(String, RustType)>,
    /// The associated types in implementations of traits.
    pub projections: Vec<Projection>,
    /// Names in text that the scan doesn't read: bodies of functions, macros.
    pub hidden: Vec<Hidden>,
    /// The bodies of functions and the values of constants, as far as literals are concerned.
    pub bodies: Vec<Body>,
    /// The names in each module, for lookups.
    pub names: Names,
    /// The members of the workspace whose types it has, too: see [`Catalog::with_members`].
    pub members: Vec<String>,
    /// The files of these members that have private items, each with its member.
    pub member_files: BTreeMap<PathBuf, String>,
    /// The functions of these members that outside code can't call, by their paths: what to open for them.
    pub member_functions: BTreeMap<String, Vec<Opening>>,
    /// The names of all crates that it depends on.
    pub dependencies: Vec<String>,
}

impl Catalog {
    /// Whether a path starts at another crate.
    pub fn is_elsewhere(&self, path: &[&str]) -> bool {
        /// Types of the prelude, and primitive types, that have functions of their own.
        const PRELUDE: [&str; 22] = [
            "String", "Vec", "Box", "Option", "Result", "str", "char", "bool", "u8", "u16", "u32", "u64",
            "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64",
        ];
        let [first, _, ..] = path else { return false };
        ["std", "core", "alloc"].contains(first)
            || PRELUDE.contains(first)
            || self.dependencies.iter().any(|name| name == first)
    }

    /// An occurrence of a name whose definition the scan can't see; function bodies come before macros.
    pub fn hidden(&self, name: &str) -> Option<&Hidden> {
        let named = || self.hidden.iter().filter(|hidden| hidden.name == name);
        named().find(|hidden| !hidden.in_macro).or_else(|| named().next())
    }
}
