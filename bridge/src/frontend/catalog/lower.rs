//! Turns types as written into resolved types: looks names up in their module, expands aliases.
//!
//! A type that would become too deep or too large by expansion becomes [`RustType::Other`], so that no reader of a type
//! can overflow its stack.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{GenericArgument, GenericParam, Generics, PathArguments};

use super::bounds::{bound_of, bounds, function_of, parameters};
use super::declare::{Declared, TraitSource, kind_of};
use super::foreign;
use super::names::{Def, ModuleId, Namespace, Resolved};
use super::rust_type::{ConstantKind, FunctionType, RustType};

/// Maximum nesting depth of a type.
const DEEPEST: usize = 64;

/// Maximum number of parts of a type, after expansion.
const LARGEST: usize = 4_096;

/// Maximum length of a chain of aliases.
const LONGEST_CHAIN: usize = 64;

/// The names in scope of a type in addition to its module's.
#[derive(Clone, Default)]
pub(super) struct Scope {
    pub module: ModuleId,
    /// Type parameters in order.
    pub generics: Vec<String>,
    /// Their bounds, as [`super::items::FnItem`] has them.
    pub bounds: Vec<(String, String)>,
    /// Type parameters bounded by `Fn` and the like.
    pub functions: Vec<(String, syn::ParenthesizedGenericArguments)>,
    /// The constant parameters.
    pub constants: Vec<(String, ConstantKind)>,
    /// `Self`
    pub self_type: Option<RustType>,
    /// `Self::Name`
    pub associated: BTreeMap<String, RustType>,
}

impl Scope {
    /// Adds the parameters that an item declares.
    pub fn declare(&mut self, generics: &Generics) {
        for param in &generics.params {
            let param = match param {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Const(param) => {
                    self.generics.push(param.ident.to_string());
                    self.constants.push((param.ident.to_string(), kind_of(&param.ty)));
                    continue;
                }
                GenericParam::Type(param) => param,
            };
            let name = param.ident.to_string();
            let of_clause = || {
                let mut predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
                predicates.find_map(|predicate| bound_of(&param.ident, predicate))
            };
            match function_of(&param.bounds).or_else(of_clause) {
                Some(of) => self.functions.push((name, of.clone())),
                None => self.generics.push(name),
            }
        }
        self.bounds.extend(bounds(generics, &self.generics));
    }
}

/// Resolves the types of a crate.
pub(super) struct Lowering<'a> {
    pub(super) declared: &'a Declared,
    /// The aliases expanded so far; `None` for an alias that is being expanded.
    aliases: RefCell<BTreeMap<u32, Option<RustType>>>,
    /// Number of parts that the current type may still get.
    budget: Cell<usize>,
    /// The `impl Trait`s of the current signature, by their names as parameters.
    anonymous: RefCell<Option<Vec<String>>>,
}

impl<'a> Lowering<'a> {
    pub fn new(declared: &'a Declared) -> Lowering<'a> {
        Lowering {
            declared,
            aliases: RefCell::default(),
            budget: Cell::new(LARGEST),
            anonymous: RefCell::new(None),
        }
    }

    /// The resolved type.
    pub fn lower(&self, ty: &syn::Type, scope: &Scope) -> RustType {
        self.budget.set(LARGEST);
        self.at_depth(ty, scope, 0)
    }

    /// The types of parameters. Each `impl Trait` becomes a type parameter, whose name is also returned.
    pub fn lower_params(&self, types: &[&syn::Type], scope: &Scope) -> (Vec<RustType>, Vec<String>) {
        *self.anonymous.borrow_mut() = Some(Vec::new());
        let lowered = types.iter().map(|ty| self.lower(ty, scope)).collect();
        (lowered, self.anonymous.take().unwrap_or_default())
    }

    /// The type arguments of a trait of another crate.
    pub fn foreign_trait_args(&self, segment: &syn::PathSegment, scope: &Scope) -> Vec<RustType> {
        self.budget.set(LARGEST);
        self.foreign_args(segment, scope, 0)
    }

    /// The type arguments of a trait of the crate, defaults filled in.
    pub fn trait_args(&self, segment: &syn::PathSegment, of: &TraitSource, scope: &Scope) -> Vec<RustType> {
        self.budget.set(LARGEST);
        self.args(segment, &of.item.generics, of.module, scope, 0)
    }

    /// The type of an alias, over its own parameters.
    pub fn alias(&self, index: u32) -> RustType {
        if let Some(known) = self.aliases.borrow().get(&index) {
            // An alias that contains itself is a mistake that rustc reports.
            return known.clone().unwrap_or_else(|| RustType::Other("_".to_string()));
        }
        let source = &self.declared.aliases[index as usize];
        let is_too_long =
            self.aliases.borrow().values().filter(|known| known.is_none()).count() >= LONGEST_CHAIN;
        if is_too_long {
            return other(&source.ty);
        }
        self.aliases.borrow_mut().insert(index, None);
        let mut scope = Scope { module: source.module, ..Scope::default() };
        scope.declare(&source.generics);
        let outer = self.budget.replace(LARGEST);
        let ty = self.at_depth(&source.ty, &scope, 0);
        self.budget.set(outer);
        self.aliases.borrow_mut().insert(index, Some(ty.clone()));
        ty
    }

    fn at_depth(&self, ty: &syn::Type, scope: &Scope, depth: usize) -> RustType {
        let left = self.budget.get();
        if depth == DEEPEST || left == 0 {
            return other(ty);
        }
        self.budget.set(left - 1);
        let inner = |ty: &syn::Type| Box::new(self.at_depth(ty, scope, depth + 1));
        match ty {
            syn::Type::Path(path) => match &path.qself {
                None => self.path(ty, &path.path, scope, depth),
                Some(of) => self.projected(of, &path.path, scope).unwrap_or_else(|| other(ty)),
            },
            syn::Type::Reference(r) => {
                RustType::Ref { mutable: r.mutability.is_some(), inner: inner(&r.elem) }
            }
            syn::Type::Tuple(tuple) => {
                RustType::Tuple(tuple.elems.iter().map(|ty| self.at_depth(ty, scope, depth + 1)).collect())
            }
            syn::Type::Array(array) => {
                RustType::Array(inner(&array.elem), self.array_length(&array.len, scope))
            }
            syn::Type::Slice(slice) => RustType::Slice(inner(&slice.elem)),
            syn::Type::Paren(paren) => *inner(&paren.elem),
            syn::Type::Group(group) => *inner(&group.elem),
            syn::Type::BareFn(function) if function.unsafety.is_some() || function.abi.is_some() => other(ty),
            syn::Type::BareFn(function) => {
                let params: Vec<&syn::Type> = function.inputs.iter().map(|param| &param.ty).collect();
                self.function(&params, &function.output, scope, depth, true)
            }
            syn::Type::TraitObject(object) => match function_of(&object.bounds) {
                Some(of) => self.function_trait(of, scope, depth),
                None => self.trait_object(object, scope, depth).unwrap_or_else(|| other(ty)),
            },
            syn::Type::ImplTrait(bounds) => match function_of(&bounds.bounds) {
                Some(of) => self.function_trait(of, scope, depth),
                None => self.anonymous_param(ty, scope),
            },
            _ => other(ty),
        }
    }

    /// The type of a function that satisfies a bound such as `Fn(A) -> B`.
    fn function_trait(
        &self,
        of: &syn::ParenthesizedGenericArguments,
        scope: &Scope,
        depth: usize,
    ) -> RustType {
        let params: Vec<&syn::Type> = of.inputs.iter().collect();
        self.function(&params, &of.output, scope, depth, false)
    }

    /// `dyn Trait`, for a trait of the crate.
    fn trait_object(&self, object: &syn::TypeTraitObject, scope: &Scope, depth: usize) -> Option<RustType> {
        object.bounds.iter().find_map(|bound| {
            let syn::TypeParamBound::Trait(bound) = bound else { return None };
            let Some(Resolved::Local(binding)) = self.resolve(&bound.path, scope.module, Namespace::Types)
            else {
                return None;
            };
            let Def::Trait(id) = binding.def else { return None };
            let source = &self.declared.type_sources[id.0 as usize];
            let last = bound.path.segments.last()?;
            Some(RustType::Item(id, self.args(last, &source.generics, source.module, scope, depth)))
        })
    }

    fn function(
        &self,
        params: &[&syn::Type],
        output: &syn::ReturnType,
        scope: &Scope,
        depth: usize,
        is_pointer: bool,
    ) -> RustType {
        let params = params.iter().map(|ty| self.at_depth(ty, scope, depth + 1)).collect();
        let result = match output {
            syn::ReturnType::Default => RustType::Tuple(Vec::new()),
            syn::ReturnType::Type(_, ty) => self.at_depth(ty, scope, depth + 1),
        };
        RustType::Function(Box::new(FunctionType { params, result, is_pointer }))
    }

    fn anonymous_param(&self, ty: &syn::Type, scope: &Scope) -> RustType {
        let mut anonymous = self.anonymous.borrow_mut();
        let Some(known) = anonymous.as_mut() else { return other(ty) };
        let text = text_of(ty);
        let numbered = (2..).map(|number| format!("{text} #{number}"));
        let is_free = |name: &String| !known.contains(name) && !scope.generics.contains(name);
        let name = [text.clone()].into_iter().chain(numbered).find(is_free).expect("numbers don't run out");
        known.push(name.clone());
        RustType::Param(name)
    }

    /// The meaning of a path in a module.
    pub fn resolve(&self, path: &syn::Path, module: ModuleId, namespace: Namespace) -> Option<Resolved> {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let declared = self.declared;
        declared.names.resolve(&declared.types, module, path.leading_colon.is_some(), &names, namespace)
    }

    fn path(&self, ty: &syn::Type, path: &syn::Path, scope: &Scope, depth: usize) -> RustType {
        let Some(last) = path.segments.last() else { return other(ty) };
        let first = path.segments[0].ident.to_string();
        if path.leading_colon.is_none() {
            if first == "Self" {
                let known = match path.segments.len() {
                    1 => scope.self_type.as_ref(),
                    2 => scope.associated.get(&last.ident.to_string()),
                    _ => None,
                };
                return known.and_then(|known| self.spend(known.clone())).unwrap_or_else(|| other(ty));
            }
            if scope.generics.contains(&first) {
                return match path.segments.len() {
                    1 => RustType::Param(first),
                    2 => self.associated((&first, None), &last.ident, scope),
                    _ => other(ty),
                };
            }
            if let Some((_, of)) = scope.functions.iter().find(|(name, _)| *name == first)
                && path.segments.len() == 1
            {
                return self.function_trait(of, scope, depth);
            }
        }
        let args = |kinds: &Generics, of: ModuleId| self.args(last, kinds, of, scope, depth);
        let resolved = self.resolve(path, scope.module, Namespace::Types);
        // A module, such as that of `use std::str`, doesn't hide the primitive type of that name.
        let is_module = match &resolved {
            Some(Resolved::Local(binding)) => matches!(binding.def, Def::Module(_)),
            Some(Resolved::Foreign(name)) => {
                ["std", "core", "alloc"].iter().any(|of| *name == format!("{of}::{first}"))
            }
            None => false,
        };
        if is_module
            && path.segments.len() == 1
            && let Some(primitive) = foreign::primitive(&first)
        {
            return primitive;
        }
        match resolved {
            Some(Resolved::Local(binding)) => match binding.def {
                Def::Type(id) => {
                    let source = &self.declared.type_sources[id.0 as usize];
                    RustType::Item(id, args(&source.generics, source.module))
                }
                Def::Alias(index) => {
                    let source = &self.declared.aliases[index as usize];
                    let args = args(&source.generics, source.module);
                    self.expand(index, &args).unwrap_or_else(|| other(ty))
                }
                _ => other(ty),
            },
            Some(Resolved::Foreign(name)) => foreign::applied(&name, self.foreign_args(last, scope, depth)),
            None if path.segments.len() == 1 => self.unimported(ty, last, scope, depth),
            None => other(ty),
        }
    }

    /// A single name that the module neither defines nor imports: a primitive, a prelude name, or a name from a foreign
    /// glob.
    fn unimported(
        &self,
        ty: &syn::Type,
        segment: &syn::PathSegment,
        scope: &Scope,
        depth: usize,
    ) -> RustType {
        let name = segment.ident.to_string();
        if let Some(primitive) = foreign::primitive(&name) {
            return primitive;
        }
        let globs = &self.declared.names.modules[scope.module as usize].foreign_globs;
        // A glob goes before the prelude.
        let known = foreign::imported(globs, &name).or_else(|| foreign::prelude(&name).map(str::to_owned));
        let path = match (known, &globs[..]) {
            (Some(path), _) => path,
            (None, []) => return other(ty),
            (None, [glob]) => format!("{glob}::{name}"),
            (None, _) => name,
        };
        foreign::applied(&path, self.foreign_args(segment, scope, depth))
    }

    fn foreign_args(&self, segment: &syn::PathSegment, scope: &Scope, depth: usize) -> Vec<RustType> {
        let written = match &segment.arguments {
            PathArguments::AngleBracketed(written) => Some(written.args.iter()),
            _ => None,
        };
        let args = written.into_iter().flatten().filter_map(|arg| match arg {
            GenericArgument::Type(ty) if self.is_constant(ty, scope) => {
                Some(self.constant_argument(Some(arg), scope))
            }
            GenericArgument::Type(ty) => Some(self.at_depth(ty, scope, depth + 1)),
            GenericArgument::Const(_) => Some(self.constant_argument(Some(arg), scope)),
            _ => None,
        });
        args.collect()
    }

    /// The type arguments for an item's type parameters, defaults filled in.
    fn args(
        &self,
        segment: &syn::PathSegment,
        generics: &Generics,
        module: ModuleId,
        scope: &Scope,
        depth: usize,
    ) -> Vec<RustType> {
        let mut written = match &segment.arguments {
            PathArguments::AngleBracketed(written) => Some(written.args.iter()),
            _ => None,
        }
        .into_iter()
        .flatten()
        .filter(|arg| matches!(arg, GenericArgument::Type(_) | GenericArgument::Const(_)));
        let mut args = BTreeMap::new();
        let mut ordered = Vec::new();
        for param in &generics.params {
            let param = match param {
                GenericParam::Lifetime(_) => continue,
                GenericParam::Const(param) => {
                    let default =
                        || param.default.as_ref().map(|value| GenericArgument::Const(value.clone()));
                    let arg = match written.next() {
                        Some(written) => self.constant_argument(Some(written), scope),
                        None => self.constant_argument(default().as_ref(), scope),
                    };
                    args.insert(param.ident.to_string(), arg.clone());
                    ordered.push(arg);
                    continue;
                }
                GenericParam::Type(param) => param,
            };
            if let Some(ty) = associated(segment, &param.ident) {
                let arg = self.at_depth(ty, scope, depth + 1);
                args.insert(param.ident.to_string(), arg.clone());
                ordered.push(arg);
                continue;
            }
            let arg = match (written.next(), &param.default) {
                (Some(GenericArgument::Type(ty)), _) => self.at_depth(ty, scope, depth + 1),
                (None, Some(default)) => {
                    let mut scope = Scope { module, ..Scope::default() };
                    scope.declare(generics);
                    let default = self.at_depth(default, &scope, depth + 1);
                    substitute(&default, &args).unwrap_or_else(|| RustType::Other("_".to_string()))
                }
                _ => RustType::Other("_".to_string()),
            };
            args.insert(param.ident.to_string(), arg.clone());
            ordered.push(arg);
        }
        ordered
    }

    /// An alias at type arguments, unless the result is too large.
    fn expand(&self, index: u32, args: &[RustType]) -> Option<RustType> {
        let names = parameters(&self.declared.aliases[index as usize].generics);
        self.spend(substitute(&self.alias(index), &names.zip(args.iter().cloned()).collect())?)
    }

    /// Takes the number of a type's parts from the budget.
    fn spend(&self, ty: RustType) -> Option<RustType> {
        if depth_of(&ty) > DEEPEST {
            return None;
        }
        let left = self.budget.get().checked_sub(size(&ty))?;
        self.budget.set(left);
        Some(ty)
    }
}

/// The type of an associated type in the arguments of a trait: `Item = T`.
fn associated<'s>(segment: &'s syn::PathSegment, name: &syn::Ident) -> Option<&'s syn::Type> {
    let PathArguments::AngleBracketed(written) = &segment.arguments else { return None };
    written.args.iter().find_map(|arg| match arg {
        GenericArgument::AssocType(of) if of.ident == *name => Some(&of.ty),
        _ => None,
    })
}

/// A type with type parameters replaced, unless it becomes too large.
pub fn substitute(ty: &RustType, args: &BTreeMap<String, RustType>) -> Option<RustType> {
    let largest = args.values().map(size).max().unwrap_or(1);
    let deepest = args.values().map(depth_of).max().unwrap_or(0);
    let fits = size(ty).saturating_mul(largest) <= LARGEST && depth_of(ty) + deepest <= 2 * DEEPEST;
    fits.then(|| substituted(ty, args))
}

fn substituted(ty: &RustType, args: &BTreeMap<String, RustType>) -> RustType {
    rebuilt(ty, &|ty| match ty {
        RustType::Param(name) => args.get(name).cloned(),
        _ => None,
    })
}

/// A type with parts replaced, the innermost first.
pub(super) fn rebuilt(ty: &RustType, replace: &dyn Fn(&RustType) -> Option<RustType>) -> RustType {
    let one = |ty: &RustType| Box::new(rebuilt(ty, replace));
    let all = |types: &[RustType]| types.iter().map(|ty| rebuilt(ty, replace)).collect();
    let ty = match ty {
        RustType::Tuple(types) => RustType::Tuple(all(types)),
        RustType::Item(id, types) => RustType::Item(*id, all(types)),
        RustType::Foreign(path, types) => RustType::Foreign(path.clone(), all(types)),
        RustType::Array(inner, length) => RustType::Array(one(inner), length.replaced(replace)),
        RustType::Slice(inner) => RustType::Slice(one(inner)),
        RustType::Vec(inner) => RustType::Vec(one(inner)),
        RustType::Deque(inner) => RustType::Deque(one(inner)),
        RustType::Set(inner, kind) => RustType::Set(one(inner), *kind),
        RustType::Map(key, value, kind) => RustType::Map(one(key), one(value), *kind),
        RustType::Option(inner) => RustType::Option(one(inner)),
        RustType::Box(inner) => RustType::Box(one(inner)),
        RustType::Rc(inner) => RustType::Rc(one(inner)),
        RustType::Arc(inner) => RustType::Arc(one(inner)),
        RustType::Cow(inner) => RustType::Cow(one(inner)),
        RustType::Result(ok, err) => RustType::Result(one(ok), one(err)),
        RustType::Ref { mutable, inner } => RustType::Ref { mutable: *mutable, inner: one(inner) },
        RustType::Function(function) => RustType::Function(Box::new(FunctionType {
            params: all(&function.params),
            result: rebuilt(&function.result, replace),
            is_pointer: function.is_pointer,
        })),
        RustType::Bool
        | RustType::Char
        | RustType::Int(_)
        | RustType::Float(_)
        | RustType::String
        | RustType::Str
        | RustType::Param(_)
        | RustType::Other(_) => ty.clone(),
    };
    replace(&ty).unwrap_or(ty)
}

/// Number of parts of a type.
fn size(ty: &RustType) -> usize {
    1 + ty.parts().into_iter().map(size).sum::<usize>()
}

fn depth_of(ty: &RustType) -> usize {
    1 + ty.parts().into_iter().map(depth_of).max().unwrap_or(0)
}

fn other(ty: &syn::Type) -> RustType {
    RustType::Other(text_of(ty))
}

/// The text of a type, spaced roughly as by rustfmt.
fn text_of(ty: &syn::Type) -> String {
    let spaced = ty.to_token_stream().to_string();
    let tightened = [
        (" :: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        (" ;", ";"),
        ("* ", "*"),
        (" ! ", "!"),
        ("fn (", "fn("),
    ];
    tightened.iter().fold(spaced, |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::listing::listing;

    fn check(text: &str, expected: Expect) {
        expected.assert_eq(&listing(text));
    }

    #[test]
    fn types_are_understood() {
        check(
            "const N: usize = 3; const M: usize = 2 + 1; mod k { pub const K: usize = 1_0; }
             pub struct S<'a, T: 'a + Ord, const C: usize = 2> {
                 pub a: (bool, char, (u8,)), b: [T; 4], pub c: [i128; N], pub d: [f32; M], pub e: [f64; C],
                 pub f: &'a mut [String], pub(crate) g: Vec<Option<Result<T, &'a str>>>, h: Box<Self>,
                 #[cfg(windows)] i: u8, #[cfg(unix)] j: fn(u8) -> u8, k: Box<dyn Fn(u8) -> u8 + Send>, l: Box<dyn Ord>,
                 m: [u8; k::K], n: *const u8, o: <T as Iterator>::Item, p: T::Item, q: !, r: Gone<u8>, s: macro_type!(x),
             }
             pub struct Tuple(pub u8, i16); pub struct Unit;
             pub enum Tree<T> { Leaf, Node(Box<Tree<T>>, T, Option<Box<Self>>), Named { x: Unit }, #[cfg(windows)] Gone }
             pub union U { a: u8, b: i8 }",
            expect![[r#"
                struct S<T, C>: S*{a: (bool, char, (u8,)), -b: [T; 4], c: [i128; 3], d: [f32; 3], e: [f64; C], f: &mut [String], -g: Vec<Option<Result<T, &str>>>, -h: Box<S<T, C>>, -j: fn(u8) -> u8, -k: Box<fn(u8) -> u8>, -l: Box<dyn Ord>, -m: [u8; 10], -n: *const u8, -o: T::Item, -p: T::Item, -q: !, -r: Gone<u8>, -s: macro_type!()}
                struct Tuple: Tuple(0: u8, -1: i16)
                struct Unit: Unit()
                enum Tree<T>: Leaf() Node*(0: Box<Tree<T>>, 1: T, 2: Option<Box<Tree<T>>>) Named{x: Unit}
            "#]],
        );
    }

    #[test]
    fn aliases_are_expanded() {
        check(
            "type Score = i64; type Pair<T, U = Score> = (T, U); type Result<T> = std::result::Result<T, Error>;
             pub struct Error; type A = B; type B = A; mod m { pub type Deep = super::Pair<super::Score>; }
             struct Map<K, V = Vec<K>, const N: usize = 1>(K, V); type Ten<V> = Map<u8, V, 10>;
             fn f(a: Score, b: Pair<u8>, c: Pair<u8, Pair<u8, Option<bool>>>, d: Result<Score>, e: A, f: m::Deep,
                  g: Map<Score>, h: Ten<u16>, i: Map<u8, u8, { 3 }>) {}",
            expect![[r#"
                struct Error: Error()
                struct Map<K, V, N>: Map(-0: K, -1: V) @ private
                f fn(a: i64, b: (u8, i64), c: (u8, (u8, Option<bool>)), d: Result<i64, Error>, e: _, f: (i64, i64), g: Map<i64, Vec<i64>, 1>, h: Map<u8, u16, 10>, i: Map<u8, u8, 3>) @ private
            "#]],
        );
    }

    #[test]
    fn aliases_that_grow_without_end_are_cut_off() {
        let doubling = (1..200).map(|i| format!("type A{i} = (A{0}, A{0});", i - 1)).collect::<String>();
        let chain = (1..200).map(|i| format!("type C{i} = Vec<C{0}>;", i - 1)).collect::<String>();
        let arguments =
            (1..9).map(|i| format!("type D{i}<T> = D{0}<(T, T, T, T, T, T, T)>;", i - 1)).collect::<String>();
        let text = format!(
            "type A0 = u8; type C0 = u8; type D0<T> = T; {doubling}{chain}{arguments}
             struct S(A199, C199, D8<u8>, [A5; 1], C9); impl S {{ fn f(x: {}u8{}, y: ({})) {{}} }}",
            "Vec<".repeat(1000),
            ">".repeat(1000),
            "(u8, u8), ".repeat(5000),
        );
        let listing = listing(&text);
        assert!(
            listing.contains("-4: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>)"),
            "{}",
            &listing[..3000]
        );
    }
}
