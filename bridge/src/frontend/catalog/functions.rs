//! Signatures: free functions, and the functions in `impl` blocks.
//!
//! A method of a trait is catalogued once per type that implements the trait, default methods included.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{Attribute, FnArg, ImplItem, Pat, ReturnType, Signature, TraitItem};

use super::cfg::Cfg;
use super::declare::Declared;
use super::foreign;
use super::guards::{documented, documents_panics};
use super::items::Access;
use super::items::{FnItem, ParamItem, Projection};
use super::lower::{Lowering, Scope, substitute};
use super::modules::Module;
use super::names::{Associated, Def, ModuleId, Namespace, Resolved};
use super::open::{FileOpenings, Opening};
use super::projected::trait_name;
use super::reach::{Companions, Reach};
use super::rust_type::{Length, RustType, TypeId};

/// The functions of a crate, and their types.
#[derive(Default)]
pub(super) struct Functions {
    pub items: Vec<FnItem>,
    pub associated: BTreeMap<TypeId, Vec<Associated>>,
    pub extensions: BTreeMap<String, Vec<Associated>>,
    /// The public constants of the types themselves, by their paths.
    pub values: Vec<(String, RustType)>,
    /// The associated types in implementations of traits.
    pub projections: Vec<Projection>,
}

/// The inputs for reading functions.
pub(super) struct Reader<'a> {
    pub declared: &'a Declared,
    pub lowering: &'a Lowering<'a>,
    pub reach: &'a Reach<'a>,
    pub modules: &'a [Module],
    pub cfg: &'a Cfg,
}

/// Reads all functions: free functions by their indices in [`Def::Function`], all other functions after them.
pub(super) fn read(reader: &Reader) -> Functions {
    let mut functions = Functions::default();
    for (index, (module, item)) in (0..).zip(&reader.declared.functions) {
        let name = item.sig.ident.to_string();
        let path = reader.declared.names.modules[*module as usize].path_of(&name);
        let access = reader.reach.of(Def::Function(index), *module, &name);
        let scope = Scope { module: *module, ..Scope::default() };
        functions.items.push(reader.function((&item.sig, &item.attrs), scope, path, Some(access)));
    }
    for (module, item) in &reader.declared.impls {
        if let Some(block) = Block::of(reader, *module, item) {
            block.read(&mut functions);
        }
    }
    functions
}

/// The associated types in implementations of traits, by the type and the trait.
pub(super) fn companions(reader: &Reader) -> Companions {
    let mut companions = Companions::new();
    for (module, item) in &reader.declared.impls {
        let Some(block) = Block::of(reader, *module, item) else { continue };
        let Some(of_trait) = &block.of_trait else { continue };
        let mut given = Vec::new();
        block.scope.associated.values().for_each(|ty| items(ty, &mut given));
        let of_type = match &block.self_type {
            RustType::Item(id, _) => Some(Def::Type(*id)),
            _ => None,
        };
        for def in of_type.into_iter().chain(of_trait.def) {
            companions.entry(def).or_default().extend(&given);
        }
    }
    companions
}

/// The crate's types in a type.
fn items(ty: &RustType, into: &mut Vec<TypeId>) {
    if let RustType::Item(id, _) = ty {
        into.push(*id);
    }
    ty.parts().into_iter().for_each(|part| items(part, into));
}

impl Reader<'_> {
    fn function(
        &self,
        (sig, attributes): (&Signature, &[Attribute]),
        scope: Scope,
        path: String,
        access: Option<Access>,
    ) -> FnItem {
        let mut scope = scope;
        let module = scope.module;
        scope.declare(&sig.generics);
        let inputs: Vec<(String, &syn::Type)> = sig.inputs.iter().map(param).collect();
        let types: Vec<&syn::Type> = inputs.iter().map(|(_, ty)| *ty).collect();
        let (types, anonymous) = self.lowering.lower_params(&types, &scope);
        let item = |((name, written), ty): ((String, &syn::Type), RustType)| ParamItem {
            name,
            is_static: written.to_token_stream().to_string().contains("'static"),
            ty,
        };
        let params = inputs.into_iter().zip(types).map(item).collect();
        let result = match &sig.output {
            ReturnType::Default => RustType::Tuple(Vec::new()),
            ReturnType::Type(_, ty) => self.lowering.lower(ty, &scope),
        };
        let generics = scope.generics.into_iter().chain(anonymous).collect();
        let location = (self.modules[module as usize].file.clone(), sig.ident.span().start().line);
        let (is_unsafe, is_async) = (sig.unsafety.is_some(), sig.asyncness.is_some());
        let public_path = access.as_ref().filter(|a| a.openings.is_empty()).map(|a| a.path.clone());
        let (bounds, constants, panic_free) = (scope.bounds, scope.constants, documented(attributes));
        let result_borrows = self.borrows(&sig.output, &result);
        FnItem {
            path,
            public_path,
            access,
            generics,
            bounds,
            constants,
            panic_free,
            documents_panics: documents_panics(attributes),
            params,
            result,
            result_borrows,
            is_unsafe,
            is_async,
            location,
        }
    }

    /// Whether a result may borrow: it is written with a lifetime, or is of a type that has one.
    fn borrows(&self, written: &ReturnType, result: &RustType) -> bool {
        let written = written.to_token_stream().to_string();
        let mut ids = Vec::new();
        items(result, &mut ids);
        let has_lifetime = |id: &TypeId| {
            let generics = &self.declared.type_sources[id.0 as usize].generics;
            generics.lifetimes().next().is_some()
        };
        written.replace("'static", "").contains('\'')
            || written.contains("impl ")
            || ids.iter().any(has_lifetime)
    }

    /// How outside code names a type.
    pub fn type_(&self, id: TypeId) -> Access {
        let module = self.declared.type_sources[id.0 as usize].module;
        let path = &self.declared.types[id.0 as usize].path;
        let is_trait = self.declared.traits.contains_key(&id);
        let def = if is_trait { Def::Trait(id) } else { Def::Type(id) };
        self.reach.of(def, module, path.rsplit("::").next().unwrap_or_default())
    }

    /// The items to open so that outside code can write a type.
    fn openings(&self, ty: &RustType, into: &mut Vec<Opening>) {
        let mut ids = Vec::new();
        items(ty, &mut ids);
        into.extend(ids.into_iter().flat_map(|id| self.type_(id).openings));
    }

    /// A type as outside code writes it before a method, with `_` for type parameters; `None` if it can't.
    fn outside(&self, ty: &RustType) -> Option<String> {
        let applied = |path: String, args: &[RustType]| {
            let args = args.iter().map(|arg| self.outside(arg)).collect::<Option<Vec<_>>>()?;
            Some(if args.is_empty() { path } else { format!("{path}<{}>", args.join(", ")) })
        };
        let slice = std::slice::from_ref;
        match ty {
            RustType::Param(_) => Some("_".to_string()),
            RustType::Item(id, args) => {
                let generics = &self.declared.type_sources[id.0 as usize].generics;
                self.applied(&self.type_(*id).path, generics, args)
            }
            RustType::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.outside(part)).collect::<Option<Vec<_>>>()?;
                Some(format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" }))
            }
            RustType::Array(_, Length::Unknown) => None,
            RustType::Array(inner, Length::Param(_)) => Some(format!("[{}; _]", self.outside(inner)?)),
            RustType::Array(inner, Length::Known(n)) => Some(format!("[{}; {n}]", self.outside(inner)?)),
            RustType::Slice(inner) => Some(format!("[{}]", self.outside(inner)?)),
            RustType::Ref { mutable, inner } => {
                Some(format!("&{}{}", if *mutable { "mut " } else { "" }, self.outside(inner)?))
            }
            RustType::Vec(inner) | RustType::Option(inner) | RustType::Box(inner) => {
                applied(ty.name()?.to_string(), slice(inner))
            }
            RustType::Result(ok, err) => {
                Some(format!("Result<{}, {}>", self.outside(ok)?, self.outside(err)?))
            }
            RustType::Deque(inner) => applied("std::collections::VecDeque".to_string(), slice(inner)),
            RustType::Set(inner, _) => applied(format!("std::collections::{}", ty.name()?), slice(inner)),
            RustType::Map(key, value, _) => {
                let args = [key.as_ref().clone(), value.as_ref().clone()];
                applied(format!("std::collections::{}", ty.name()?), &args)
            }
            RustType::Rc(inner) => applied("std::rc::Rc".to_string(), slice(inner)),
            RustType::Arc(inner) => applied("std::sync::Arc".to_string(), slice(inner)),
            RustType::Cow(inner) => applied("std::borrow::Cow".to_string(), slice(inner)),
            RustType::Foreign(path, args) => applied(path.clone(), args),
            RustType::Function(_) | RustType::Other(_) => None,
            _ => ty.name().map(ToString::to_string),
        }
    }

    /// A definition of the crate at type arguments, as outside code writes it.
    fn applied(&self, path: &str, generics: &syn::Generics, args: &[RustType]) -> Option<String> {
        let mut args = args.iter();
        let mut written = Vec::new();
        for param in &generics.params {
            match param {
                syn::GenericParam::Lifetime(_) => {}
                syn::GenericParam::Const(_) => {
                    let constant = args.next()?.constant();
                    written.push(constant.map_or_else(|| "_".to_string(), |(text, _)| text.to_owned()));
                }
                syn::GenericParam::Type(_) => written.push(self.outside(args.next()?)?),
            }
        }
        let written = if written.is_empty() { String::new() } else { format!("<{}>", written.join(", ")) };
        Some(format!("crate::{path}{written}"))
    }
}

/// An `impl` block of a type in the catalog, or of a foreign type with a name.
struct Block<'a> {
    reader: &'a Reader<'a>,
    item: &'a syn::ItemImpl,
    scope: Scope,
    self_type: RustType,
    /// The start of its methods' paths.
    prefix: String,
    of_trait: Option<Implemented<'a>>,
}

/// The trait of an `impl`.
struct Implemented<'a> {
    /// How outside code writes it, if it can.
    outside: Option<String>,
    /// The items to open for that.
    openings: Vec<Opening>,
    /// The trait itself, if it is defined in the crate.
    def: Option<Def>,
    /// Its definition and its type arguments, if it is defined in the crate.
    local: Option<(ModuleId, &'a syn::ItemTrait, Vec<RustType>)>,
}

impl<'a> Block<'a> {
    fn of(reader: &'a Reader<'a>, module: ModuleId, item: &'a syn::ItemImpl) -> Option<Block<'a>> {
        let mut scope = Scope { module, ..Scope::default() };
        scope.declare(&item.generics);
        let self_type = reader.lowering.lower(&item.self_ty, &scope);
        scope.self_type = Some(self_type.clone());
        let prefix = match &self_type {
            RustType::Item(id, _) => reader.declared.types[id.0 as usize].path.clone(),
            ty => ty.name()?.to_string(),
        };
        for inner in &item.items {
            if let ImplItem::Type(ty) = inner {
                let lowered = reader.lowering.lower(&ty.ty, &scope);
                scope.associated.insert(ty.ident.to_string(), lowered);
            }
        }
        let of_trait = match &item.trait_ {
            None => None,
            Some((Some(_), ..)) => return None,
            Some((None, path, _)) => Some(implemented(reader, path, &scope)?),
        };
        Some(Block { reader, item, scope, self_type, prefix, of_trait })
    }

    fn read(&self, functions: &mut Functions) {
        let mut written = Vec::new();
        functions.projections.extend(self.projections());
        functions.values.extend(self.item.items.iter().filter_map(|inner| self.constant(inner)));
        for inner in &self.item.items {
            let ImplItem::Fn(method) = inner else { continue };
            if self.reader.cfg.keeps(&method.attrs) {
                let name = method.sig.ident.to_string();
                let file = &self.reader.modules[self.scope.module as usize].file;
                let own = FileOpenings { file }.publish_fn(&method.vis, &method.sig);
                let (path, access) = (self.path_of(&name), self.access(&name, own));
                let scope = self.scope.clone();
                self.file(functions, self.reader.function((&method.sig, &method.attrs), scope, path, access));
                written.push(name);
            }
        }
        let Some((module, item, args)) = self.of_trait.as_ref().and_then(|t| t.local.as_ref()) else {
            return;
        };
        for inner in &item.items {
            if let TraitItem::Fn(method) = inner {
                let name = method.sig.ident.to_string();
                if method.default.is_some()
                    && !written.contains(&name)
                    && self.reader.cfg.keeps(&method.attrs)
                {
                    let declared = (&method.sig, method.attrs.as_slice());
                    self.file(functions, self.inherited(*module, item, args, declared));
                }
            }
        }
    }

    /// The associated types of the trait, for this type.
    fn projections(&self) -> impl Iterator<Item = Projection> + '_ {
        let last = self.item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        let of_trait = last.map(trait_name).unwrap_or_default();
        self.scope.associated.iter().map(move |(name, ty)| Projection {
            of: self.self_type.clone(),
            of_trait: of_trait.clone(),
            name: name.clone(),
            ty: ty.clone(),
        })
    }

    /// A public constant of the type itself, with its path.
    fn constant(&self, item: &ImplItem) -> Option<(String, RustType)> {
        let ImplItem::Const(constant) = item else { return None };
        let RustType::Item(id, args) = &self.self_type else { return None };
        let ty = self.reader.lowering.lower(&constant.ty, &self.scope);
        let Access { path, openings } = self.reader.type_(*id);
        let is_public = openings.is_empty() && matches!(constant.vis, syn::Visibility::Public(_));
        let is_plain = self.of_trait.is_none() && args.is_empty() && ty == self.self_type;
        let is_kept = self.reader.cfg.keeps(&constant.attrs);
        (is_public && is_plain && is_kept).then(|| (format!("{path}::{}", constant.ident), ty))
    }

    /// A default method of the trait, for this type.
    fn inherited(
        &self,
        module: ModuleId,
        item: &syn::ItemTrait,
        args: &[RustType],
        (sig, attributes): (&Signature, &[Attribute]),
    ) -> FnItem {
        // `Self` and the trait's own names are placeholders first: its parameters may have the names of the block's.
        let mut scope =
            Scope { module, self_type: Some(RustType::Param("Self".to_string())), ..Scope::default() };
        scope.declare(&item.generics);
        let own = scope.generics.clone();
        let mut actual: BTreeMap<String, RustType> = own.iter().cloned().zip(args.iter().cloned()).collect();
        actual.insert("Self".to_string(), self.self_type.clone());
        for (name, ty) in &self.scope.associated {
            let stand_in = format!("Self::{name}");
            scope.associated.insert(name.clone(), RustType::Param(stand_in.clone()));
            actual.insert(stand_in, ty.clone());
        }
        let name = sig.ident.to_string();
        let (path, access) = (self.path_of(&name), self.access(&name, None));
        let mut function = self.reader.function((sig, attributes), scope, path, access);
        let results = std::iter::once(&mut function.result);
        for ty in function.params.iter_mut().map(|param| &mut param.ty).chain(results) {
            *ty = substitute(ty, &actual).unwrap_or_else(|| RustType::Other("_".to_string()));
        }
        let of_method = function.generics.into_iter().filter(|name| !own.contains(name));
        function.generics = self.scope.generics.iter().cloned().chain(of_method).collect();
        function.bounds.extend(self.scope.bounds.iter().cloned());
        function.constants.extend(self.scope.constants.iter().cloned());
        function
    }

    fn path_of(&self, name: &str) -> String {
        format!("{}::{name}", self.prefix)
    }

    /// How outside code calls a method of this block; `own` is the change that makes it public.
    fn access(&self, name: &str, own: Option<Opening>) -> Option<Access> {
        match (&self.of_trait, &self.self_type) {
            (Some(of_trait), ty) => {
                let (written, outside) = (self.reader.outside(ty)?, of_trait.outside.as_ref()?);
                let mut openings = of_trait.openings.clone();
                self.reader.openings(ty, &mut openings);
                Some(Access { path: format!("<{written} as {outside}>::{name}"), openings })
            }
            (None, RustType::Item(id, _)) => {
                let Access { path, mut openings } = self.reader.type_(*id);
                openings.extend(own);
                Some(Access { path: format!("{path}::{name}"), openings })
            }
            _ => None,
        }
    }

    fn file(&self, functions: &mut Functions, item: FnItem) {
        let associated =
            Associated { function: functions.items.len() as u32, of_trait: self.of_trait.is_some() };
        functions.items.push(item);
        let known = match &self.self_type {
            RustType::Item(id, _) => functions.associated.entry(*id).or_default(),
            _ => functions.extensions.entry(self.prefix.clone()).or_default(),
        };
        known.push(associated);
    }
}

fn implemented<'a>(reader: &'a Reader<'a>, path: &syn::Path, scope: &Scope) -> Option<Implemented<'a>> {
    let last = path.segments.last()?;
    let resolved = reader.lowering.resolve(path, scope.module, Namespace::Types);
    let name = match resolved {
        Some(Resolved::Local(binding)) => {
            let Def::Trait(id) = binding.def else { return None };
            let source = reader.declared.traits.get(&id)?;
            let args = reader.lowering.trait_args(last, source, scope);
            let Access { path, mut openings } =
                reader.reach.of(binding.def, source.module, &source.item.ident.to_string());
            let outside = reader.applied(&path, &source.item.generics, &args);
            args.iter().for_each(|arg| reader.openings(arg, &mut openings));
            let def = Some(binding.def);
            return Some(Implemented {
                outside,
                openings,
                def,
                local: Some((source.module, &source.item, args)),
            });
        }
        Some(Resolved::Foreign(path)) => path,
        None => foreign::prelude(&last.ident.to_string())?.to_string(),
    };
    let args = reader.lowering.foreign_trait_args(last, scope);
    let mut openings = Vec::new();
    args.iter().for_each(|arg| reader.openings(arg, &mut openings));
    let args = args.iter().map(|arg| reader.outside(arg)).collect::<Option<Vec<_>>>();
    let outside =
        args.map(|args| if args.is_empty() { name.clone() } else { format!("{name}<{}>", args.join(", ")) });
    Some(Implemented { outside, openings, def: None, local: None })
}

fn param(input: &FnArg) -> (String, &syn::Type) {
    match input {
        FnArg::Receiver(receiver) => ("self".to_string(), &receiver.ty),
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => (name.ident.to_string(), &typed.ty),
            _ => ("_".to_string(), &typed.ty),
        },
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::listing::listing;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&listing(text));
    }

    #[test]
    fn free_functions_are_catalogued() {
        check(
            "pub const fn a(x: u8, (y, z): (u8, u8), mut w: u8, _: u8) {} pub async unsafe extern \"C\" fn b() -> ! {}
             pub fn c<'a, T: Ord, F: Fn(T) -> T, G, const N: usize>(t: &'a T, f: F, g: G) -> Option<&'a T> where G: FnMut() {}
             pub fn d(a: impl Ord, b: &impl Ord, c: impl Fn(u8), d: &mut dyn FnMut(u8), e: fn()) -> impl Iterator<Item = u8> {}
             #[cfg(windows)] pub fn gone() {} #[test] fn tested() {} #[cfg(not(windows))] pub fn kept() {}
             #[cfg(windows)] pub fn twice(x: u8) {} #[cfg(not(windows))] pub fn twice(x: u16) {}",
            expect![[r#"
                a fn(x: u8, _: (u8, u8), w: u8, _: u8)
                async unsafe b fn() -> !
                c<T, N> fn(t: &T, f: fn(T) -> T, g: fn()) -> Option<&T>
                d<impl Ord, impl Ord #2> fn(a: impl Ord, b: &impl Ord #2, c: fn(u8), d: &mut fn(u8), e: fn()) -> impl Iterator<Item = u8>
                kept fn()
                twice fn(x: u16)
            "#]],
        );
    }

    #[test]
    fn inherent_methods_belong_to_their_type_wherever_they_stand() {
        check(
            "mod heap { pub struct Heap<T> { items: Vec<T> } struct Inner; impl Inner { pub fn f() {} }
                 impl<T: Ord> Heap<T> { pub const fn new() -> Self {} pub fn push(&mut self, x: T) {} fn sift(&self) {}
                     pub fn into(self) -> Vec<T> {} pub fn boxed(self: Box<Self>) {} #[cfg(windows)] pub fn gone() {}
                     pub fn map<U>(self, f: impl Fn(T) -> U) -> Heap<U> {} } }
             pub use heap::Heap as Pile; pub type Ints = Pile<i64>;
             mod elsewhere { use super::Ints; impl Ints { pub fn sum(&self) -> i64 {} } }",
            expect![[r#"
                struct heap::Heap<T>: Heap{-items: Vec<T>} @ Pile
                struct heap::Inner: Inner() @ private
                heap::Inner::f fn() @ private
                heap::Heap::new<T> fn() -> Pile<T> @ Pile::new
                heap::Heap::push<T> fn(self: &mut Pile<T>, x: T) @ Pile::push
                heap::Heap::sift<T> fn(self: &Pile<T>) @ private
                heap::Heap::into<T> fn(self: Pile<T>) -> Vec<T> @ Pile::into
                heap::Heap::boxed<T> fn(self: Box<Pile<T>>) @ Pile::boxed
                heap::Heap::map<T, U> fn(self: Pile<T>, f: fn(T) -> U) -> Pile<U> @ Pile::map
                heap::Heap::sum fn(self: &Pile<i64>) -> i64 @ Pile::sum
            "#]],
        );
    }

    #[test]
    fn methods_of_traits_are_called_by_the_trait() {
        check(
            "use std::fmt; use std::str::FromStr;
             pub mod shapes { pub trait Shape<T = u8> { type Unit; fn area(&self) -> Self::Unit; fn twice<U>(&self, t: T, u: U) -> (Self::Unit, Self) {} fn none(); }
                 trait Secret { fn hush(&self) {} } impl Secret for super::Sq {} }
             pub struct Sq(pub u8); pub struct Wrap<'a, T, const N: usize>(&'a T); struct Private; pub trait Ext { fn shout(&self) -> Self; }
             impl shapes::Shape<i64> for Sq { type Unit = f64; fn area(&self) -> Self::Unit {} }
             impl<T> shapes::Shape<Vec<T>> for Wrap<'_, T, 3> { type Unit = T; fn area(&self) -> T {} fn none() {} }
             impl shapes::Shape for Private { type Unit = (); fn area(&self) {} }
             impl FromStr for Sq { type Err = fmt::Error; fn from_str(s: &str) -> Result<Self, Self::Err> {} }
             impl From<Private> for Sq { fn from(p: Private) -> Sq {} } impl From<Sq> for u8 { fn from(s: Sq) -> u8 {} }
             impl Iterator for Sq { type Item = u8; fn next(&mut self) -> Option<Self::Item> {} }
             impl Ext for str { fn shout(&self) -> Self {} } impl Ext for Vec<u8> { fn shout(&self) -> Self {} } impl !Send for Sq {}
             impl<T> Ext for T { fn shout(&self) -> Self {} }",
            expect![[r#"
                struct Sq: Sq(0: u8)
                struct Wrap<T, N>: Wrap(-0: &T)
                struct Private: Private() @ private
                Sq::area fn(self: &Sq) -> f64 @ <crate::Sq as crate::shapes::Shape<i64>>::area
                Sq::twice<U> fn(self: &Sq, t: i64, u: U) -> (f64, Sq) @ <crate::Sq as crate::shapes::Shape<i64>>::twice
                Wrap::area<T> fn(self: &Wrap<T, 3>) -> T @ <crate::Wrap<_, 3> as crate::shapes::Shape<Vec<_>>>::area
                Wrap::none<T> fn() @ <crate::Wrap<_, 3> as crate::shapes::Shape<Vec<_>>>::none
                Wrap::twice<T, U> fn(self: &Wrap<T, 3>, t: Vec<T>, u: U) -> (T, Wrap<T, 3>) @ <crate::Wrap<_, 3> as crate::shapes::Shape<Vec<_>>>::twice
                Private::area fn(self: &Private) @ private
                Private::twice<U> fn(self: &Private, t: u8, u: U) -> ((), Private) @ private
                Sq::from_str fn(s: &str) -> Result<Sq, std::fmt::Error> @ <crate::Sq as std::str::FromStr>::from_str
                Sq::from fn(p: Private) -> Sq @ private
                u8::from fn(s: Sq) -> u8 @ <u8 as std::convert::From<crate::Sq>>::from
                Sq::next fn(self: &mut Sq) -> Option<u8> @ <crate::Sq as std::iter::Iterator>::next
                str::shout fn(self: &str) -> str @ <str as crate::Ext>::shout
                Vec::shout fn(self: &Vec<u8>) -> Vec<u8> @ <Vec<u8> as crate::Ext>::shout
                Sq::hush fn(self: &Sq) @ private
            "#]],
        );
    }
}
