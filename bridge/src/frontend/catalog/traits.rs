//! The traits of the crate as types: a value is a table of results for each method without a body, or a value of an
//! implementor.
//!
//! Of the implementors, those count whose values outside code can make, with public fields alone. Other ones may have
//! invariants that are not in their types.

use quote::ToTokens;
use syn::{FnArg, ReturnType, TraitBoundModifier, TraitItem as Item, TypeParamBound};
use target_strategies::logic::ir::Receiver;

use super::declare::{TraitSource, associated};
use super::functions::Reader;
use super::items::{CtorItem, FieldItem, MethodItem, TraitItem, TypeItem};
use super::lower::Scope;
use super::names::{Def, Namespace, Resolved};
use super::rust_type::{FunctionType, RustType, TypeId};

/// Traits of the standard library that the type of a trait's values can have, too.
const DERIVED: [&str; 8] = ["Debug", "Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];

/// What some of them need, each before what it needs in turn.
const NEEDED: [(&str, &str); 5] = [
    ("Ord", "PartialOrd"),
    ("Ord", "Eq"),
    ("PartialOrd", "PartialEq"),
    ("Eq", "PartialEq"),
    ("Copy", "Clone"),
];

/// Traits that every such type has.
const GIVEN: [&str; 7] = ["Send", "Sync", "Sized", "Unpin", "UnwindSafe", "RefUnwindSafe", "Any"];

/// The type of a trait's values, over the trait's own type parameters.
pub(super) fn with_methods(id: TypeId, source: &TraitSource, reader: &Reader, item: TypeItem) -> TypeItem {
    let names: Vec<String> = associated(&source.item).map(ToString::to_string).collect();
    let params: Vec<RustType> = item.generics.iter().cloned().map(RustType::Param).collect();
    let scope = Scope {
        module: source.module,
        generics: item.generics.clone(),
        self_type: Some(RustType::Item(id, params)),
        associated: names.iter().map(|name| (name.clone(), RustType::Param(name.clone()))).collect(),
        ..Scope::default()
    };
    let mut of_trait = TraitItem { obstacle: None, associated: names.clone(), ..TraitItem::default() };
    if source.item.unsafety.is_some() {
        of_trait.obstacle = Some("it is `unsafe`".to_owned());
    } else if source.item.generics.lifetimes().next().is_some() {
        of_trait.obstacle = Some("it has a lifetime".to_owned());
    } else if source.item.generics.where_clause.is_some() {
        of_trait.obstacle = Some("it has a `where` clause".to_owned());
    }
    add_supertraits(&mut of_trait, source, reader, &mut vec![id]);
    for (name, needed) in NEEDED {
        let has = |name: &str| of_trait.supertraits.iter().any(|known| known == name);
        if has(name) && !has(needed) {
            of_trait.supertraits.push(needed.to_owned());
        }
    }
    for base in of_trait.bases.clone() {
        let source = &reader.declared.traits[&base];
        let scope = Scope { module: source.module, ..Scope::default() };
        add_methods(&mut of_trait, source, (&scope, Some(base)), reader);
    }
    add_methods(&mut of_trait, source, (&scope, None), reader);
    let names: Vec<&String> = of_trait.methods.iter().map(|method| &method.name).collect();
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(*name));
    if let Some((_, twice)) = twice {
        of_trait.obstacle = Some(format!("it has two methods `{twice}`"));
    }
    let required = of_trait.methods.iter().filter(|method| method.is_required);
    let fields = required.map(|method| FieldItem {
        name: method.name.clone(),
        ty: RustType::Function(Box::new(method.signature.clone())),
        public: true,
        is_skipped: false,
    });
    let fields = fields.collect();
    let mut ctors =
        vec![CtorItem { name: source.item.ident.to_string(), fields, named: true, is_skipped: false }];
    // Of a generic trait, only the table: an implementor may have it at other types.
    if item.generics.is_empty() && !of_trait.leaves_out {
        ctors.extend(implementors(id, reader));
    }
    TypeItem { ctors, of_trait: Some(of_trait), ..item }
}

/// Adds the supertraits of a trait, and those of these. `known` are the traits that were looked at.
fn add_supertraits(of_trait: &mut TraitItem, source: &TraitSource, reader: &Reader, known: &mut Vec<TypeId>) {
    for bound in &source.item.supertraits {
        match supertrait(bound, source, reader) {
            Ok(Supertrait::Given) => {}
            Ok(Supertrait::Derived(name)) => of_trait.supertraits.push(name),
            Ok(Supertrait::Own(base)) if known.contains(&base) => {}
            Ok(Supertrait::Own(base)) => {
                known.push(base);
                of_trait.bases.push(base);
                if let Some(source) = reader.declared.traits.get(&base) {
                    add_supertraits(of_trait, source, reader, known);
                }
            }
            Err(why) => of_trait.obstacle = Some(why),
        }
    }
}

/// Adds the methods of a trait, or of its base.
fn add_methods(
    of_trait: &mut TraitItem,
    source: &TraitSource,
    (scope, of): (&Scope, Option<TypeId>),
    reader: &Reader,
) {
    let names: Vec<String> = associated(&source.item).map(ToString::to_string).collect();
    for inner in &source.item.items {
        match inner {
            Item::Fn(method) if reader.cfg.keeps(&method.attrs) => {
                match method_of(method, scope, &names, reader) {
                    Ok(method) => of_trait.methods.push(MethodItem { of, ..method }),
                    Err(why) if method.default.is_none() => of_trait.obstacle = Some(why),
                    Err(_) => of_trait.leaves_out = true,
                }
            }
            Item::Type(ty) if !ty.generics.params.is_empty() => {
                of_trait.obstacle = Some(format!("its associated type `{}` has parameters", ty.ident));
            }
            Item::Const(constant) if constant.default.is_none() => {
                of_trait.obstacle = Some(format!("it has an associated constant, `{}`", constant.ident));
            }
            _ => {}
        }
    }
}

/// A trait that the types of another one must have.
enum Supertrait {
    /// Every type has it.
    Given,
    /// The type of the values derives it, or has it in another way.
    Derived(String),
    /// A trait of the crate.
    Own(TypeId),
}

fn supertrait(bound: &TypeParamBound, source: &TraitSource, reader: &Reader) -> Result<Supertrait, String> {
    let TypeParamBound::Trait(bound) = bound else { return Ok(Supertrait::Given) };
    if matches!(bound.modifier, TraitBoundModifier::Maybe(_)) {
        return Ok(Supertrait::Given);
    }
    let name = bound.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let needed = || format!("its types must be `{name}`, too");
    if let Some(Resolved::Local(binding)) =
        reader.lowering.resolve(&bound.path, source.module, Namespace::Types)
        && let Def::Trait(id) = binding.def
    {
        let is_plain =
            |base: &TraitSource| base.item.generics.params.is_empty() && base.item.unsafety.is_none();
        let is_open = reader.type_(id).openings.is_empty();
        let base = reader.declared.traits.get(&id);
        if let Some(ty) = base.and_then(|base| associated(&base.item).next()) {
            return Err(format!("its supertrait `{name}` has an associated type, `{ty}`"));
        }
        return if is_open && base.is_some_and(is_plain) { Ok(Supertrait::Own(id)) } else { Err(needed()) };
    }
    if DERIVED.contains(&name.as_str()) || name == "Error" || name == "Display" {
        Ok(Supertrait::Derived(name))
    } else if GIVEN.contains(&name.as_str()) {
        Ok(Supertrait::Given)
    } else {
        Err(needed())
    }
}

/// A method, or why no type that is not in the source can have it.
fn method_of(
    method: &syn::TraitItemFn,
    scope: &Scope,
    associated: &[String],
    reader: &Reader,
) -> Result<MethodItem, String> {
    let name = method.sig.ident.to_string();
    let fail = |what: &str| Err(format!("its method `{name}` {what}"));
    if method.sig.generics.type_params().next().is_some()
        || method.sig.generics.const_params().next().is_some()
    {
        return fail("is generic");
    }
    if method.sig.asyncness.is_some() || method.sig.unsafety.is_some() {
        return fail("is `async` or `unsafe`");
    }
    let mut inputs = method.sig.inputs.iter();
    let Some(FnArg::Receiver(receiver)) = inputs.next() else { return fail("has no receiver") };
    let receiver = match (&receiver.reference, receiver.mutability, &receiver.colon_token) {
        (_, _, Some(_)) => return fail("has a receiver that is neither `self`, `&self` nor `&mut self`"),
        (Some(_), None, _) => Receiver::Ref,
        (Some(_), Some(_), _) => Receiver::RefMut,
        (None, ..) => Receiver::Owned,
    };
    let types: Vec<&syn::Type> = inputs
        .filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        })
        .collect();
    let (params, anonymous) = reader.lowering.lower_params(&types, scope);
    if !anonymous.is_empty() {
        return fail("is generic");
    }
    let result = match &method.sig.output {
        ReturnType::Default => RustType::Tuple(Vec::new()),
        ReturnType::Type(_, ty) => reader.lowering.lower(ty, scope),
    };
    let texts = inputs_text(method);
    let texts = associated.iter().fold(texts, |texts, name| texts.replace(&format!("Self :: {name}"), "_"));
    if texts.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "Self") {
        return fail("mentions `Self`");
    }
    if texts.contains("'static") {
        return fail("has a `'static` type");
    }
    if params.iter().any(holds_function) {
        return fail("takes a function");
    }
    let borrows = method.sig.output.to_token_stream().to_string().replace("'static", "").contains('\'');
    if borrows && method.sig.generics.lifetimes().next().is_some() {
        return fail("names the lifetime of its result");
    }
    let signature = FunctionType { params, result, is_pointer: false };
    Ok(MethodItem { name, receiver, signature, of: None, is_required: method.default.is_none() })
}

/// The types of the crate that have the trait, and whose values have no private parts: a constructor each.
fn implementors(id: TypeId, reader: &Reader) -> Vec<CtorItem> {
    let mut found: Vec<CtorItem> = Vec::new();
    for (module, block) in &reader.declared.impls {
        let Some((None, path, _)) = &block.trait_ else { continue };
        let resolved = reader.lowering.resolve(path, *module, Namespace::Types);
        let is_it = matches!(resolved, Some(Resolved::Local(binding)) if binding.def == Def::Trait(id));
        if !is_it || !block.generics.params.is_empty() {
            continue;
        }
        let scope = Scope { module: *module, ..Scope::default() };
        let ty = reader.lowering.lower(&block.self_ty, &scope);
        let RustType::Item(of, _) = &ty else { continue };
        let source = &reader.declared.type_sources[of.0 as usize];
        let is_open = |field: &syn::Field| matches!(field.vis, syn::Visibility::Public(_));
        let is_enum = reader.declared.types[of.0 as usize].is_enum;
        let is_plain = source.fields.iter().all(|fields| is_enum || fields.iter().all(is_open));
        if is_plain && reader.type_(*of).openings.is_empty() && source.generics.lifetimes().next().is_none() {
            let name = reader.declared.types[of.0 as usize].path.replace("::", "_");
            let field = FieldItem { name: "0".to_owned(), ty, public: true, is_skipped: false };
            if !found.iter().any(|known| known.name == name) {
                found.push(CtorItem { name, fields: vec![field], named: false, is_skipped: false });
            }
        }
    }
    found
}

/// The types of a method's parameters, without its receiver, and of its result.
fn inputs_text(method: &syn::TraitItemFn) -> String {
    let inputs = method.sig.inputs.iter().skip(1).map(|input| input.to_token_stream().to_string());
    inputs.chain([method.sig.output.to_token_stream().to_string()]).collect::<Vec<_>>().join(" ")
}

fn holds_function(ty: &RustType) -> bool {
    matches!(ty, RustType::Function(_)) || ty.parts().into_iter().any(holds_function)
}
