//! Drafts entries of the table `data` for types whose fields a spec can't describe: a few public functions that make the
//! values, and methods that change them.
//!
//! The resolver has not seen them, and [`Made::without`] leaves out the calls that it rejects.

use crate::frontend::catalog::{Catalog, FnItem, RustType, TypeId, TypeItem};
use crate::frontend::manifest::Manifest;

use super::described::Described;
use super::types::rust_text;
use super::values::{How, Values, Way, escaped, is_callable, is_maker, makes};

/// Maximum number of constants and functions in an entry that make values, and of those that change values.
const MOST: usize = 4;

/// The types that need entries, and their entries.
pub struct Makers<'c> {
    values: Values<'c>,
}

/// An entry of the table `data`.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The type.
    pub ty: RustType,
    /// The name of the entry.
    pub name: String,
    /// The type as the entry writes it after the first call; empty if the call declares it.
    built: String,
    calls: Vec<(String, How)>,
}

impl<'c> Makers<'c> {
    /// The crate's types beyond these tables, which have no mistake.
    pub fn new(catalog: &'c Catalog, tables: &'c Manifest) -> Makers<'c> {
        let mut values = Values::new(catalog);
        values.described = Some(Described::new(catalog, tables));
        Makers { values }
    }

    /// Adds the entries that a parameter of this type needs.
    pub fn add(&mut self, ty: &RustType) {
        let mut inner = ty;
        while let RustType::Ref { inner: behind, .. } = inner {
            inner = behind;
        }
        // A type without a notation is told where its function is tried.
        let _ = self.values.spec_text(inner, &mut Vec::new());
    }

    /// The entries with functions that have all arguments.
    pub fn entries(mut self) -> Vec<Made> {
        let has_values = self.values.settle();
        let catalog = self.values.catalog;
        let had = self.values.entries.into_iter().zip(has_values).filter(|(_, has_values)| *has_values);
        had.map(|(entry, _)| {
            let calls: Vec<(String, How)> = entry.ways.into_iter().map(|way| (way.text, way.how)).collect();
            let is_declared = |(_, how): &(String, How)| *how == How::Call;
            let built = match &entry.ty {
                RustType::Item(id, args) if args.is_empty() && catalog.item(*id).lifetimes == 0 => {
                    let is_clear = calls.first().is_some_and(is_declared);
                    if is_clear { String::new() } else { catalog.item(*id).access.path.clone() }
                }
                ty => rust_text(ty, catalog).map(|text| own(&text, catalog)).unwrap_or_default(),
            };
            Made { ty: entry.ty, name: entry.name, built, calls }
        })
        .collect()
    }
}

/// A type's text without the name of the crate.
fn own(text: &str, catalog: &Catalog) -> String {
    let prefix = format!("{}::", catalog.crate_name);
    text.strip_prefix(&prefix).unwrap_or(text).to_owned()
}

impl Made {
    /// The entry's text: `via Stack::new() | Stack::push(self: &mut Stack, x: u8)`.
    pub fn body(&self) -> String {
        self.parts().concat()
    }

    fn parts(&self) -> Vec<String> {
        let built = if self.built.is_empty() { String::new() } else { format!(" -> {}", self.built) };
        let part = |(index, (call, _)): (usize, &(String, How))| match index {
            0 => format!("via {call}{built}"),
            _ => format!(" | {call}"),
        };
        self.calls.iter().enumerate().map(part).collect()
    }

    /// The entry without the call at a position in its text; `None` if none is left that makes a first value.
    pub fn without(&self, position: usize) -> Option<Made> {
        let mut end = 0;
        let ends = self.parts().into_iter().map(|part| {
            end += part.len();
            end
        });
        let at = ends.into_iter().position(|end| position < end)?;
        let mut left = self.clone();
        left.calls.remove(at);
        left.calls.first().is_some_and(|(_, how)| *how != How::Later).then_some(left)
    }
}

impl Values<'_> {
    /// The name of an entry: that of its type if it is free.
    pub(super) fn free_name(&self, item: &TypeItem, number: usize) -> Result<String, String> {
        let name = item.path.rsplit("::").next().unwrap_or_default();
        let Some(described) = &self.described else { return Ok(format!("{name}_{number}")) };
        let is_free = |candidate: &String| {
            let is_taken = self.entries.iter().any(|entry| entry.name == *candidate);
            let mut others = self.catalog.types.iter().filter(|other| other.path != item.path);
            let is_other = others.any(|other| other.access.path == *candidate);
            !is_taken && !is_other && described.is_free(candidate)
        };
        let numbered = (2..10).map(|number| format!("{name}{number}"));
        let found = std::iter::once(name.to_owned()).chain(numbered).find(is_free);
        found.ok_or_else(|| format!("the name `{name}` is taken"))
    }

    /// The calls that make a value of a type, for an entry that users read.
    pub(super) fn written_calls(&mut self, id: TypeId, args: &[RustType]) -> Vec<Way> {
        let catalog = self.catalog;
        let ty = RustType::Item(id, args.to_vec());
        let constants = catalog.values.iter().filter(|(_, known)| *known == ty);
        let mut firsts: Vec<Way> = constants
            .map(|(path, _)| Way { text: path.clone(), how: How::Undeclared, uses: Vec::new() })
            .collect();
        let (mut of_traits, mut changes) = (Vec::new(), Vec::new());
        for function in catalog.in_source_order() {
            let is_static = function.params.iter().any(|param| param.is_static);
            let path = function.public_path.as_ref().filter(|_| is_callable(function) && !is_static);
            let Some(path) = path else { continue };
            let is_first = function.params.iter().all(|param| !holds(&param.ty, id));
            let is_of_trait = path.starts_with('<');
            if is_first && makes(function, &ty) {
                let made = self.maker(function, path, &ty).filter(|_| is_maker(path));
                if is_of_trait { of_traits.extend(made) } else { firsts.extend(made) }
            } else if function.params.len() > 1 && !is_of_trait && !is_spare(function, catalog) {
                let changed = self.change(function, path, &ty);
                let made = if changed.is_none() && makes(function, &ty) {
                    self.maker(function, path, &ty).map(|way| Way { how: How::Later, ..way })
                } else {
                    None
                };
                changes.extend(changed.or(made));
            }
        }
        if firsts.is_empty() {
            let has_default = catalog.item(id).derives.iter().any(|name| name == "Default");
            let path = rust_text(&ty, catalog).filter(|_| has_default);
            let default = path.map(|path| format!("<{path} as std::default::Default>::default()"));
            firsts.extend(default.map(|text| Way { text, how: How::Undeclared, uses: Vec::new() }));
            firsts.append(&mut of_traits);
        }
        firsts.sort_by_key(|way| way.uses.len());
        changes.sort_by_key(|way| way.uses.len());
        firsts.into_iter().take(MOST).chain(changes.into_iter().take(MOST)).collect()
    }

    /// The type of a text that a function may refuse: put together from numbers and the literals of the function.
    pub(super) fn readable_text(&self, function: &FnItem, name: &str, ty: &str) -> String {
        let may_refuse = matches!(function.result, RustType::Option(_) | RustType::Result(..));
        match self.pieces(function).filter(|_| may_refuse) {
            Some(pieces) => {
                let mut pieces: Vec<String> = pieces.iter().map(|piece| escaped(piece)).collect();
                pieces.sort();
                pieces.dedup();
                format!("{{{name}: {ty} | {name}.matches(r\"({})*\")}}", pieces.join("|"))
            }
            None => ty.to_owned(),
        }
    }
}

/// Whether a type contains one of the crate.
fn holds(ty: &RustType, id: TypeId) -> bool {
    matches!(ty, RustType::Item(other, _) if *other == id)
        || ty.parts().into_iter().any(|part| holds(part, id))
}

/// Whether a method adds nothing to the changes that others make: it only reserves memory, or is the fallible form of
/// another one.
fn is_spare(function: &FnItem, catalog: &Catalog) -> bool {
    let Some((of, name)) = function.path.rsplit_once("::") else { return false };
    let plain = name.strip_prefix("try_").map(|plain| format!("{of}::{plain}"));
    let has_plain = plain.is_some_and(|plain| catalog.functions.iter().any(|other| other.path == plain));
    has_plain || ["reserve", "shrink", "capacity"].iter().any(|word| name.contains(word))
}
