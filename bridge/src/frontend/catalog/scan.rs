//! The scan from files to a catalog, stage by stage.
//!
//! It runs in its own thread, with a stack large enough for any user's source.

use std::path::Path;

use super::bounds::{bounds, parameters};
use super::cfg::Cfg;
use super::constant::Constant;
use super::constants;
use super::declare::{declare, is_skipped};
use super::functions::{self, Reader};
use super::imports;
use super::items::{FieldItem, TypeItem};
use super::lower::{Lowering, Scope};
use super::modules::{self, ScanProblem};
use super::names::{Alias, Def};
use super::open::FileOpenings;
use super::public::public_paths;
use super::reach::{Companions, Reach};
use super::rust_type::{RustType, TypeId};
use super::scanned::Catalog;
use super::traits::with_methods;

/// Stack size, in bytes, of the scanning thread: syn recurses, and so does dropping its trees.
pub(super) const STACK: usize = 256 << 20;

/// Reads a crate from its root file, which is the `src_path` of its library.
pub fn scan(root: &Path, crate_name: &str, cfg: &Cfg) -> (Catalog, Vec<ScanProblem>) {
    scan_in_thread(root, None, crate_name, cfg)
}

/// Reads a crate that is a single text, for use without files.
pub fn scan_text(text: &str, crate_name: &str, cfg: &Cfg) -> (Catalog, Vec<ScanProblem>) {
    scan_in_thread(Path::new("<text>/lib.rs"), Some(text), crate_name, cfg)
}

fn scan_in_thread(
    root: &Path,
    text: Option<&str>,
    crate_name: &str,
    cfg: &Cfg,
) -> (Catalog, Vec<ScanProblem>) {
    let scanned = std::thread::scope(|threads| {
        let work = || scan_here(root, text, crate_name, cfg);
        let thread = std::thread::Builder::new().name("scan".to_string()).stack_size(STACK);
        match thread.spawn_scoped(threads, work) {
            Ok(handle) => handle.join().map_err(|_| "the scan of the crate's source failed".to_string()),
            Err(error) => Err(format!("could not start a thread to scan the crate's source: {error}")),
        }
    });
    scanned.unwrap_or_else(|message| {
        let catalog = Catalog { crate_name: crate_name.to_string(), ..Catalog::default() };
        (catalog, vec![ScanProblem { file: root.to_path_buf(), line: 1, message }])
    })
}

fn scan_here(root: &Path, text: Option<&str>, crate_name: &str, cfg: &Cfg) -> (Catalog, Vec<ScanProblem>) {
    let mut problems = Vec::new();
    let (mut modules, hidden, bodies) = modules::load(root, text, cfg, &mut problems);
    let mut declared = declare(&mut modules, cfg);
    imports::resolve(&mut declared.names, &declared.types, &declared.imports);
    constants::evaluate(&mut declared, &modules, cfg);
    let public = public_paths(&declared.names);
    let lowering = Lowering::new(&declared);
    let alone = Companions::new();
    let (names, closed) = (&declared.names, &declared.closed);
    let reach = Reach { names, public: &public, closed, companions: &alone };
    let reader = Reader { declared: &declared, lowering: &lowering, reach: &reach, modules: &modules, cfg };
    let companions = functions::companions(&reader);
    let reach = Reach { companions: &companions, ..reach };
    let reader = Reader { reach: &reach, ..reader };
    let functions = functions::read(&reader);
    let values = constants_of_own_types(&reader).chain(functions.values).collect();
    let types = (0..).map(TypeId).zip(&declared.types);
    let mut types: Vec<TypeItem> = types.map(|(id, item)| with_fields(id, item, &reader)).collect();
    for (id, name) in own_traits(&reader) {
        types[id.0 as usize].own_traits.push(name);
    }
    let aliases = (0..).zip(&declared.aliases).map(|(index, source)| Alias {
        path: source.path.clone(),
        generics: parameters(&source.generics).collect(),
        ty: lowering.alias(index),
    });
    let aliases = aliases.collect();
    let accesses = constants::accesses(&reader);
    let mut names = declared.names;
    names.aliases = aliases;
    names.associated = functions.associated;
    names.extensions = functions.extensions;
    let constants = declared.constants.into_iter().zip(accesses);
    let constants = constants.map(|(constant, access)| Constant { access, ..constant }).collect();
    let crate_name = crate_name.to_string();
    let (functions, projections) = (functions.items, functions.projections);
    let found = Catalog {
        crate_name,
        types,
        functions,
        constants,
        values,
        projections,
        hidden,
        bodies,
        names,
        ..Catalog::default()
    };
    (found, problems)
}

/// The types that implement one of [`super::items::OWN_TRAITS`], each with the trait's name.
fn own_traits<'r>(reader: &'r Reader) -> impl Iterator<Item = (TypeId, String)> + 'r {
    reader.declared.impls.iter().filter_map(|(module, block)| {
        let (None, path, _) = block.trait_.as_ref()? else { return None };
        let last = path.segments.last()?;
        let name = last.ident.to_string();
        if !super::items::OWN_TRAITS.contains(&name.as_str()) || !reader.cfg.keeps(&block.attrs) {
            return None;
        }
        let mut scope = Scope { module: *module, ..Scope::default() };
        scope.declare(&block.generics);
        let own = reader.lowering.lower(&block.self_ty, &scope);
        scope.self_type = Some(own.clone());
        let of_other = match &last.arguments {
            syn::PathArguments::AngleBracketed(args) => args.args.iter().any(|arg| match arg {
                syn::GenericArgument::Type(ty) => !is_same_item(&reader.lowering.lower(ty, &scope), &own),
                _ => false,
            }),
            _ => false,
        };
        match own {
            RustType::Item(id, _) if !of_other => Some((id, name)),
            _ => None,
        }
    })
}

/// Whether two types are the same but for their arguments.
fn is_same_item(a: &RustType, b: &RustType) -> bool {
    matches!((a, b), (RustType::Item(a, _), RustType::Item(b, _)) if a == b)
}

/// The public constants of the crate's own types, outside of `impl` blocks.
fn constants_of_own_types<'r>(reader: &'r Reader) -> impl Iterator<Item = (String, RustType)> + 'r {
    let sources = (0..).zip(&reader.declared.constant_sources);
    sources.filter_map(|(index, source)| {
        let path = reader.reach.public.get(&Def::Const(index))?;
        let scope = Scope { module: source.module, ..Scope::default() };
        let ty = reader.lowering.lower(&source.ty, &scope);
        matches!(ty, RustType::Item(..)).then(|| (path.clone(), ty))
    })
}

/// A type with its fields and the path to it.
fn with_fields(id: TypeId, item: &TypeItem, reader: &Reader) -> TypeItem {
    let source = &reader.declared.type_sources[id.0 as usize];
    let access = reader.type_(id);
    let public_path = access.openings.is_empty().then(|| access.path.clone());
    let inside = source.exhaustive.clone();
    let mut item = TypeItem { public_path, access, inside, ..item.clone() };
    if let Some(source) = reader.declared.traits.get(&id) {
        return with_methods(id, source, reader, item);
    }
    let (module, generics) = (source.module, item.generics.clone());
    let mut scope =
        Scope { module, bounds: bounds(&source.generics, &generics), generics, ..Scope::default() };
    let params = item.generics.iter().cloned().map(RustType::Param).collect();
    scope.self_type = Some(RustType::Item(id, params));
    item.defaults = source
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Lifetime(_) => None,
            syn::GenericParam::Const(param) => Some(param.default.clone().map(|value| {
                reader.lowering.constant_argument(Some(&syn::GenericArgument::Const(value)), &scope)
            })),
            syn::GenericParam::Type(param) => {
                Some(param.default.as_ref().map(|ty| reader.lowering.lower(ty, &scope)))
            }
        })
        .collect();
    let openings = FileOpenings { file: &reader.modules[source.module as usize].file };
    for (ctor, fields) in item.ctors.iter_mut().zip(&source.fields) {
        let kept: Vec<_> = fields.iter().filter(|field| reader.cfg.keeps(&field.attrs)).collect();
        if !item.is_enum {
            item.inside.extend(kept.iter().filter_map(|field| openings.publish_field(field)));
        }
        let kept = kept.into_iter().enumerate().map(|(index, field)| FieldItem {
            name: field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string),
            ty: reader.lowering.lower(&field.ty, &scope),
            public: item.is_enum || matches!(field.vis, syn::Visibility::Public(_)),
            is_skipped: is_skipped(&field.attrs),
        });
        ctor.fields = kept.collect();
    }
    item
}

#[cfg(test)]
mod tests {
    use super::super::FnLookup;
    use super::super::listing::{catalog_of_files, listed};
    use super::*;

    #[test]
    fn features_decide_what_there_is() {
        let text = "pub struct S { pub x: u8, #[cfg(feature = \"more\")] pub y: u8 } #[cfg(feature = \"more\")] pub mod m { pub fn f() {} }
            #[cfg(not(feature = \"more\"))] impl S { pub fn g() {} } pub enum E { A, #[cfg(feature = \"more\")] B }";
        let listing =
            |features: &[&str]| listed(&scan_text(text, "me", &Cfg::default().with_features(features)).0);
        assert_eq!(listing(&[]), "struct S: S{x: u8}\nenum E: A()\nS::g fn()\n");
        assert_eq!(listing(&["more"]), "struct S: S{x: u8, y: u8}\nenum E: A() B()\nm::f fn()\n");
    }

    #[test]
    fn pointers_to_functions_in_fields_are_known_by_their_text() {
        let text = "pub struct A { pub f: fn(u8) -> u8, pub g: Box<dyn Fn(u8)>, pub h: Vec<(u8, fn())> } pub fn f(f: fn(u8)) {}";
        expect_test::expect![[r#"
            struct A: A{f: fn(u8) -> u8, g: Box<fn(u8)>, h: Vec<(u8, fn())>}
            f fn(f: fn(u8))
        "#]]
        .assert_eq(&listed(&scan_text(text, "me", &Cfg::default()).0));
    }

    #[test]
    fn a_hostile_file_costs_only_itself() {
        let deep = format!("pub fn f(x: {}u8{}) {{}}", "(".repeat(100_000), ")".repeat(100_000));
        let body = format!("pub fn g() {{ {}{} }}", "{".repeat(100_000), "}".repeat(100_000));
        let (catalog, problems) = catalog_of_files(&[
            ("lib.rs", "pub mod deep; pub mod body;"),
            ("deep.rs", &deep),
            ("body.rs", &body),
        ]);
        assert_eq!(problems, ["deep.rs:1: nested too deeply to be read"]);
        assert!(matches!(catalog.function(&["body", "g"]), FnLookup::Found(_)));
    }

    #[test]
    fn many_renamings_and_types_in_types_end() {
        let renamings = (1..300).map(|i| format!("pub use R{i} as R{};", i - 1)).collect::<String>();
        let nested = (1..20_000).map(|i| format!("pub struct N{i}(pub N{});", i - 1)).collect::<String>();
        let text = format!(
            "{renamings} pub struct R299; mod n {{ pub struct N0; {nested} }} pub fn f(r: R0, n: n::N19999) {{}}"
        );
        let (catalog, problems) = scan_text(&text, "me", &Cfg::default());
        assert_eq!(problems, []);
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!() };
        assert_eq!(catalog.signature(f), "fn(r: R0, n: n::N19999)");
        let RustType::Item(id, _) = f.params[1].ty else { panic!() };
        assert!(
            catalog.can_contain(id, catalog.constructor(&["N0"]).expect("the constructor is declared").0)
        );
    }
}
