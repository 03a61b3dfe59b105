//! A crate of three types, and names with types written as text.

use std::sync::LazyLock;

use target_strategies::logic::ir::{FloatKind, IntKind, Refined, Term};
use target_strategies::logic::value::Value;

use crate::frontend::catalog::{Access, Catalog, CtorItem, FieldItem, RustType, TypeId, TypeItem};
use crate::frontend::data::DataTable;
use crate::frontend::declarations::Declarations;
use crate::frontend::diagnostic::{Diagnostic, FileId};
use crate::frontend::elaborate::{Scope, constant, term};
use crate::frontend::logic_type::Ty;
use crate::frontend::manifest::SpannedText;
use crate::frontend::spec::ast::{Expr, Type, TypeKind};
use crate::frontend::spec::parse;

/// Where binders start, so that they show.
pub const N_PARAMS: u32 = 50;

/// No alias, view or measure.
pub static NOTHING_DECLARED: LazyLock<Declarations> = LazyLock::new(Declarations::default);

/// `enum Color { Red, Black }`, `struct Point { x: i64, y: i64 }`, `struct Meters(u32)` and
/// `enum Tree<T> { Leaf, Node(Box<Tree<T>>, T, Box<Tree<T>>) }`.
pub fn catalog() -> Catalog {
    let field =
        |name: &str, ty: RustType| FieldItem { name: name.to_owned(), ty, public: true, is_skipped: false };
    let ctor = |name: &str, fields: Vec<FieldItem>, named: bool| CtorItem {
        name: name.to_owned(),
        fields,
        named,
        is_skipped: false,
    };
    let item = |path: &str, generics: &[&str], ctors: Vec<CtorItem>, is_enum: bool| TypeItem {
        constants: Vec::new(),
        path: path.to_owned(),
        public_path: Some(path.to_owned()),
        access: Access { path: path.to_owned(), openings: Vec::new() },
        inside: Vec::new(),
        generics: generics.iter().map(|&name| name.to_owned()).collect(),
        lifetimes: 0,
        defaults: Vec::new(),
        ctors,
        is_enum,
        of_trait: None,
        derives: Vec::new(),
        own_traits: Vec::new(),
    };
    let t = || RustType::Param("T".to_owned());
    let tree = || RustType::Box(Box::new(RustType::Item(TypeId(3), vec![t()])));
    let i64 = || RustType::Int(IntKind::I64);
    Catalog {
        crate_name: "demo".to_owned(),
        types: vec![
            item("Color", &[], vec![ctor("Red", vec![], false), ctor("Black", vec![], false)], true),
            item("Point", &[], vec![ctor("Point", vec![field("x", i64()), field("y", i64())], true)], false),
            item(
                "Meters",
                &[],
                vec![ctor("Meters", vec![field("0", RustType::Int(IntKind::U32))], false)],
                false,
            ),
            item(
                "tree::Tree",
                &["T"],
                vec![
                    ctor("Leaf", vec![], false),
                    ctor("Node", vec![field("0", tree()), field("1", t()), field("2", tree())], false),
                ],
                true,
            ),
        ],
        ..Catalog::default()
    }
}

/// Text that stands at its own place.
pub fn spanned(text: &str) -> SpannedText {
    SpannedText { text: text.to_owned(), file: FileId(0), offsets: (0..=text.len() as u32).collect() }
}

/// An expression from its text.
pub fn parsed(text: &str) -> Expr {
    parse::expr(&spanned(text)).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

/// A type from its text.
pub fn ty(text: &str, data: &mut DataTable<'_>) -> Ty {
    fn read(ty: &Type, data: &mut DataTable<'_>) -> Ty {
        match &ty.kind {
            TypeKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| read(part, data)).collect()),
            TypeKind::Ref { inner, .. } => read(inner, data),
            TypeKind::Slice(inner) | TypeKind::Array(inner, _) => Ty::Seq(Box::new(read(inner, data))),
            TypeKind::Path { path, generics, .. } => {
                let args: Vec<Ty> = generics.iter().map(|arg| read(arg, data)).collect();
                match (path[0].name.as_str(), args.as_slice()) {
                    ("bool", _) => Ty::Bool,
                    ("char", _) => Ty::Char,
                    ("f32", _) => Ty::Float(FloatKind::F32),
                    ("f64", _) => Ty::Float(FloatKind::F64),
                    ("String" | "str", _) => Ty::Str,
                    ("int", _) => Ty::Int(None),
                    ("Secret", _) => Ty::Opaque("Secret".to_owned()),
                    ("BTreeSet" | "HashSet" | "Set", [element]) => Ty::Set(Box::new(element.clone())),
                    ("Bag", [element]) => Ty::Bag(Box::new(element.clone())),
                    ("BTreeMap" | "HashMap" | "Map", [key, value]) => {
                        Ty::Map(Box::new(key.clone()), Box::new(value.clone()))
                    }
                    ("Vec" | "VecDeque", [element]) => Ty::Seq(Box::new(element.clone())),
                    ("Option", [element]) => Ty::Data(data.option(element)),
                    ("Result", [ok, err]) => Ty::Data(data.result(ok, err)),
                    ("Box", [inner]) => inner.clone(),
                    (name, args) => match IntKind::from_name(name) {
                        Some(kind) => Ty::Int(Some(kind)),
                        None => {
                            let ending = format!("::{name}");
                            let found = |path: &str| path == name || path.ends_with(&ending);
                            let at =
                                data.catalog.types.iter().position(|item| found(&item.path)).expect(name);
                            let args: Vec<Refined> = args.iter().map(|arg| data.plain(arg)).collect();
                            Ty::Data(data.instance(TypeId(at as u32), args).expect("an instance"))
                        }
                    },
                }
            }
            other => panic!("no test type: {other:?}"),
        }
    }
    read(&parse::ty(&spanned(text)).expect("a type"), data)
}

/// Names for slots 0, 1, ..
pub fn scope(names: &[(&str, &str)], data: &mut DataTable<'_>) -> Scope {
    let mut scope = Scope::new();
    for (slot, (name, text)) in names.iter().enumerate() {
        let ty = ty(text, data);
        scope.bind(name, Term::Var(slot as u32), ty.clone());
        scope.bind_old(name, Term::Var(slot as u32 + 10), ty);
    }
    scope
}

/// An expression with names of the given types, elaborated.
pub fn elaborated<'c>(
    catalog: &'c Catalog,
    names: &[(&str, &str)],
    text: &str,
) -> (Result<(Term, Ty), Diagnostic>, DataTable<'c>) {
    let mut data = DataTable::new(catalog, &NOTHING_DECLARED, N_PARAMS);
    let scope = scope(names, &mut data);
    let result = term(&parsed(text), &scope, &mut data, None);
    (result, data)
}

/// The value of a closed expression, at a type.
pub fn constant_of(expected: &str, text: &str) -> Result<Value, Diagnostic> {
    let catalog = catalog();
    let mut data = DataTable::new(&catalog, &NOTHING_DECLARED, N_PARAMS);
    let ty = ty(expected, &mut data);
    let refined = data.plain(&ty);
    constant(&parsed(text), &refined, &mut data)
}
