//! The definitions and imports of each module: from items to definitions by name, with nothing resolved yet.

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::{Fields, Item, UseTree};

use super::bounds::parameters;
use super::cfg::Cfg;
use super::constant::Constant;
use super::items::{Access, CtorItem, TypeItem};
use super::modules;
use super::names::{Binding, Def, Module, ModuleId, Names, ROOT, Visibility};
use super::open::{FileOpenings, Opening};
use super::rust_type::{ConstantKind, TypeId};

/// The definitions of a crate, with the syntax that is read later.
#[derive(Default)]
pub(super) struct Declared {
    /// The scopes contain definitions, but no imports yet.
    pub names: Names,
    /// Types with the names of their constructors; the fields are added later.
    pub types: Vec<TypeItem>,
    /// The syntax of each type.
    pub type_sources: Vec<TypeSource>,
    pub aliases: Vec<AliasSource>,
    /// The traits, by the types of their values.
    pub traits: BTreeMap<TypeId, TraitSource>,
    pub functions: Vec<(ModuleId, syn::ItemFn)>,
    pub impls: Vec<(ModuleId, syn::ItemImpl)>,
    /// The constants, once [`super::constants`] has evaluated them.
    pub constants: Vec<Constant>,
    /// Their syntax.
    pub constant_sources: Vec<ConstantSource>,
    pub imports: Vec<Import>,
    /// The changes that make private definitions public.
    pub closed: BTreeMap<Def, Opening>,
}

/// A constant as written.
pub(super) struct ConstantSource {
    pub module: ModuleId,
    /// The type whose constant it is.
    pub of: Option<TypeId>,
    pub name: String,
    pub ty: syn::Type,
    pub expr: syn::Expr,
    /// The change that makes a private constant of a type public.
    pub opening: Option<Opening>,
}

/// An expression without a known value.
pub(super) fn unknown() -> syn::Expr {
    syn::parse_quote!(unknown())
}

/// A struct or enum as written.
pub(super) struct TypeSource {
    pub module: ModuleId,
    pub generics: syn::Generics,
    /// The fields of each constructor.
    pub fields: Vec<Fields>,
    /// The changes that make it and its variants exhaustive for other crates.
    pub exhaustive: Vec<Opening>,
}

/// A type alias as written.
pub(super) struct AliasSource {
    pub module: ModuleId,
    pub path: String,
    pub generics: syn::Generics,
    pub ty: syn::Type,
}

/// A trait as written.
pub(super) struct TraitSource {
    pub module: ModuleId,
    pub item: syn::ItemTrait,
}

/// One name of a `use`, or a glob.
pub(super) struct Import {
    pub module: ModuleId,
    /// Whether it starts with `::`.
    pub absolute: bool,
    pub path: Vec<String>,
    pub what: Imported,
    pub visibility: Visibility,
}

/// The kind of an import.
pub(super) enum Imported {
    /// All names of a module or an enum.
    All,
    /// A definition under a name.
    Named(String),
    /// A module or type with a name: `use a::{self as b}`.
    TypeNamed(String),
}

/// Declares everything in the modules that `cfg` keeps.
pub(super) fn declare(modules: &mut [modules::Module], cfg: &Cfg) -> Declared {
    let mut declared = Declared::default();
    for module in modules.iter() {
        let module = Module { path: module.path.clone(), parent: module.parent, ..Module::default() };
        declared.names.modules.push(module);
    }
    for (id, module) in (0..).zip(modules) {
        let items = std::mem::take(&mut module.items);
        let openings = FileOpenings { file: &module.file };
        let mut of_module = OfModule { declared: &mut declared, cfg, id, openings };
        for child in &module.children {
            of_module.define_type(&child.name, Def::Module(child.module), &child.visibility);
            of_module.open(Def::Module(child.module), &child.visibility, child.first);
        }
        for item in items {
            of_module.item(item);
        }
    }
    declared
}

struct OfModule<'a> {
    declared: &'a mut Declared,
    cfg: &'a Cfg,
    id: ModuleId,
    openings: FileOpenings<'a>,
}

impl OfModule<'_> {
    fn item(&mut self, item: Item) {
        let Some(applied) = attributes(&item).map_or(Some(Vec::new()), |a| self.cfg.applied(a)) else {
            return;
        };
        if applied.iter().any(|meta| meta.path().is_ident("test") || meta.path().is_ident("bench")) {
            return;
        }
        match item {
            Item::Fn(item) => {
                let def = Def::Function(self.declared.functions.len() as u32);
                self.define_value(&item.sig.ident.to_string(), def, &item.vis);
                self.declared.closed.extend(self.openings.publish_fn(&item.vis, &item.sig).map(|o| (def, o)));
                self.declared.functions.push((self.id, item));
            }
            Item::Struct(item) => self.structure(item),
            Item::Enum(item) => self.enumeration(item),
            Item::Type(item) => {
                let (name, index) = (item.ident.to_string(), self.declared.aliases.len() as u32);
                self.define_type(&name, Def::Alias(index), &item.vis);
                let (path, ty) = (self.path_of(&name), *item.ty);
                let source = AliasSource { module: self.id, path, generics: item.generics, ty };
                self.declared.aliases.push(source);
            }
            Item::Trait(item) => {
                let id = TypeId(self.declared.types.len() as u32);
                let (def, name) = (Def::Trait(id), item.ident.to_string());
                self.define_type(&name, def, &item.vis);
                let first = item.unsafety.map_or(item.trait_token.span, |word| word.span);
                self.open(def, &item.vis, first);
                let (generics, fields) = (with_associated(&item), Vec::new());
                let source = TypeSource { module: self.id, generics, fields, exhaustive: Vec::new() };
                self.define_data(&name, false, Vec::new(), (source, Vec::new()));
                self.declared.traits.insert(id, TraitSource { module: self.id, item });
            }
            Item::Impl(item) => self.declared.impls.push((self.id, item)),
            Item::Const(item) => {
                let name = item.ident.to_string();
                self.constant(name, (*item.ty, *item.expr), &item.vis, item.const_token.span);
            }
            Item::Static(item) => {
                let name = item.ident.to_string();
                // The value of a `static mut` changes.
                let is_mutable = matches!(item.mutability, syn::StaticMutability::Mut(_));
                let expr = if is_mutable { unknown() } else { *item.expr };
                self.constant(name, (*item.ty, expr), &item.vis, item.static_token.span);
            }
            Item::Union(item) => self.define_type(&item.ident.to_string(), Def::Other, &item.vis),
            Item::Use(item) => {
                let visibility = self.visibility(&item.vis);
                self.imports(item.leading_colon.is_some(), &item.tree, visibility);
            }
            Item::ExternCrate(item) => self.extern_crate(&item),
            _ => {}
        }
    }

    fn constant(
        &mut self,
        name: String,
        (ty, expr): (syn::Type, syn::Expr),
        visibility: &syn::Visibility,
        first: Span,
    ) {
        let def = Def::Const(self.declared.constant_sources.len() as u32);
        self.define_value(&name, def, visibility);
        self.open(def, visibility, first);
        let source = ConstantSource { module: self.id, of: None, name, ty, expr, opening: None };
        self.declared.constant_sources.push(source);
    }

    fn structure(&mut self, item: syn::ItemStruct) {
        let id = TypeId(self.declared.types.len() as u32);
        let name = item.ident.to_string();
        self.define_type(&name, Def::Type(id), &item.vis);
        if !matches!(item.fields, Fields::Named(_)) {
            self.define_value(&name, Def::Type(id), &item.vis);
        }
        self.open(Def::Type(id), &item.vis, item.struct_token.span);
        let ctors = vec![constructor(name.clone(), &item.fields, false)];
        let derives = derives(&item.attrs);
        let exhaustive = self.openings.exhaustive(&item.attrs).into_iter().collect();
        let source =
            TypeSource { module: self.id, generics: item.generics, fields: vec![item.fields], exhaustive };
        self.define_data(&name, false, ctors, (source, derives));
    }

    fn enumeration(&mut self, item: syn::ItemEnum) {
        let id = TypeId(self.declared.types.len() as u32);
        let name = item.ident.to_string();
        self.define_type(&name, Def::Type(id), &item.vis);
        self.open(Def::Type(id), &item.vis, item.enum_token.span);
        let derives = derives(&item.attrs);
        let attributes = [&item.attrs].into_iter().chain(item.variants.iter().map(|variant| &variant.attrs));
        let exhaustive = attributes.filter_map(|attributes| self.openings.exhaustive(attributes)).collect();
        let variants = item.variants.into_iter().filter(|variant| self.cfg.keeps(&variant.attrs));
        let variants = by_discriminant(variants.collect()).into_iter();
        let variants: Vec<_> = variants.collect();
        let of_variant = |variant: &syn::Variant| {
            constructor(variant.ident.to_string(), &variant.fields, is_skipped(&variant.attrs))
        };
        let ctors = variants.iter().map(of_variant).collect();
        let fields = variants.into_iter().map(|variant| variant.fields).collect();
        let source = TypeSource { module: self.id, generics: item.generics, fields, exhaustive };
        self.define_data(&name, true, ctors, (source, derives));
    }

    fn define_data(
        &mut self,
        name: &str,
        is_enum: bool,
        ctors: Vec<CtorItem>,
        (source, derives): (TypeSource, Vec<String>),
    ) {
        let generics = parameters(&source.generics).collect();
        let constants = source.generics.const_params();
        let constants = constants.map(|param| (param.ident.to_string(), kind_of(&param.ty))).collect();
        self.declared.types.push(TypeItem {
            path: self.path_of(name),
            public_path: None,
            access: Access::default(),
            inside: Vec::new(),
            lifetimes: source.generics.lifetimes().count(),
            generics,
            constants,
            defaults: Vec::new(),
            ctors,
            is_enum,
            derives,
            own_traits: Vec::new(),
            of_trait: None,
        });
        self.declared.type_sources.push(source);
    }

    /// Records the change that makes a definition public.
    fn open(&mut self, def: Def, visibility: &syn::Visibility, first: Span) {
        let opening = self.openings.publish(visibility, first);
        self.declared.closed.extend(opening.map(|opening| (def, opening)));
    }

    fn extern_crate(&mut self, item: &syn::ItemExternCrate) {
        let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name).to_string();
        let def = if item.ident == "self" {
            Def::Module(ROOT)
        } else {
            Def::Foreign(self.declared.names.intern(&item.ident.to_string()))
        };
        self.define_type(&name, def, &item.vis);
    }

    fn imports(&mut self, absolute: bool, tree: &UseTree, visibility: Visibility) {
        let mut pending = vec![(Vec::new(), tree)];
        while let Some((mut path, mut tree)) = pending.pop() {
            while let UseTree::Path(step) = tree {
                path.push(step.ident.to_string());
                tree = &step.tree;
            }
            let (last, name) = match tree {
                UseTree::Path(_) => continue,
                UseTree::Group(group) => {
                    pending.extend(group.items.iter().rev().map(|tree| (path.clone(), tree)));
                    continue;
                }
                UseTree::Glob(_) => {
                    let what = Imported::All;
                    self.declared.imports.push(Import { module: self.id, absolute, path, what, visibility });
                    continue;
                }
                UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
                UseTree::Rename(rename) => (rename.ident.to_string(), rename.rename.to_string()),
            };
            let what = if last != "self" {
                path.push(last);
                Imported::Named(name)
            } else if name != "self" {
                Imported::TypeNamed(name)
            } else {
                Imported::TypeNamed(path.last().cloned().unwrap_or_default())
            };
            self.declared.imports.push(Import { module: self.id, absolute, path, what, visibility });
        }
    }

    fn define_type(&mut self, name: &str, def: Def, visibility: &syn::Visibility) {
        let binding = Binding { def, visibility: self.visibility(visibility) };
        let types = &mut self.declared.names.modules[self.id as usize].types;
        types.entry(name.to_string()).or_insert(binding);
    }

    fn define_value(&mut self, name: &str, def: Def, visibility: &syn::Visibility) {
        let binding = Binding { def, visibility: self.visibility(visibility) };
        let values = &mut self.declared.names.modules[self.id as usize].values;
        values.entry(name.to_string()).or_insert(binding);
    }

    fn path_of(&self, name: &str) -> String {
        self.declared.names.modules[self.id as usize].path_of(name)
    }

    fn visibility(&self, visibility: &syn::Visibility) -> Visibility {
        match visibility {
            syn::Visibility::Public(_) => Visibility::Public,
            syn::Visibility::Inherited => Visibility::Within(self.id),
            syn::Visibility::Restricted(restricted) if restricted.path.is_ident("self") => {
                Visibility::Within(self.id)
            }
            syn::Visibility::Restricted(restricted) if restricted.path.is_ident("super") => {
                Visibility::Within(self.declared.names.modules[self.id as usize].parent.unwrap_or(ROOT))
            }
            // `pub(in path)` is treated like `pub(crate)`: neither is public.
            syn::Visibility::Restricted(_) => Visibility::Within(ROOT),
        }
    }
}

fn constructor(name: String, fields: &Fields, is_skipped: bool) -> CtorItem {
    CtorItem { name, fields: Vec::new(), named: matches!(fields, Fields::Named(_)), is_skipped }
}

/// Whether serde is told to leave a field or variant out.
pub(super) fn is_skipped(attributes: &[syn::Attribute]) -> bool {
    let mut is_skipped = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // Other words may have values or lists, and what is no list is rustc's to reject.
        let _ = attribute.parse_nested_meta(|meta| {
            let words = ["skip", "skip_serializing", "skip_deserializing"];
            is_skipped |= words.iter().any(|word| meta.path.is_ident(word));
            if meta.input.peek(syn::token::Paren) {
                meta.input.parse::<proc_macro2::Group>()?;
            } else if let Ok(value) = meta.value() {
                value.parse::<syn::Expr>()?;
            }
            Ok(())
        });
    }
    is_skipped
}

/// The variants in the order that a derived `Ord` gives them: by discriminants, where these are literals.
fn by_discriminant(variants: Vec<syn::Variant>) -> Vec<syn::Variant> {
    let mut next = Some(0_i128);
    let mut numbered = Vec::new();
    for variant in variants {
        if let Some((_, written)) = &variant.discriminant {
            next = discriminant(written);
        }
        numbered.push((next, variant));
        next = next.and_then(|number| number.checked_add(1));
    }
    if numbered.iter().all(|(number, _)| number.is_some()) {
        numbered.sort_by_key(|(number, _)| *number);
    }
    numbered.into_iter().map(|(_, variant)| variant).collect()
}

/// An integer literal, perhaps with a sign.
fn discriminant(written: &syn::Expr) -> Option<i128> {
    match written {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
            discriminant(expr).and_then(i128::checked_neg)
        }
        _ => None,
    }
}

/// The names of the derived traits, without their paths.
fn derives(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut names = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // What is no list of paths derives nothing that is known.
        let _ = attribute.parse_nested_meta(|meta| {
            names.extend(meta.path.segments.last().map(|segment| segment.ident.to_string()));
            Ok(())
        });
    }
    names
}

fn attributes(item: &Item) -> Option<&[syn::Attribute]> {
    Some(match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

/// The kind of a constant parameter of this type; Rust allows no others than `bool`, `char` and integers.
pub(super) fn kind_of(ty: &syn::Type) -> ConstantKind {
    match ty {
        syn::Type::Path(path) if path.path.is_ident("bool") => ConstantKind::Bool,
        syn::Type::Path(path) if path.path.is_ident("char") => ConstantKind::Char,
        _ => ConstantKind::Number,
    }
}

/// The type parameters of a trait, and after them its associated types, which a value of the trait has like parameters.
fn with_associated(item: &syn::ItemTrait) -> syn::Generics {
    let mut generics = item.generics.clone();
    let names: Vec<syn::Ident> = associated(item).cloned().collect();
    generics.params.extend(names.into_iter().map(|name| syn::GenericParam::Type(name.into())));
    generics
}

/// The associated types of a trait, without those that have a default or parameters.
pub(super) fn associated(item: &syn::ItemTrait) -> impl Iterator<Item = &syn::Ident> {
    item.items.iter().filter_map(|inner| match inner {
        syn::TraitItem::Type(ty) if ty.default.is_none() && ty.generics.params.is_empty() => Some(&ty.ident),
        _ => None,
    })
}
