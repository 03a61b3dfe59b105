//! Turns types as written into refined types: walks the spec's type and the function's declared type together.
//!
//! `Rng(r1)` for a declared `i64` becomes `Int(I64)` with the two clauses of `Rng`'s body, in which `n` is `r1`'s slot.
//! Aliases are expanded on the walk, pointers come from the declared type, and the function's type parameters are bound
//! to the spec's types in their positions.

mod advice;
mod builtin;
mod collection;
mod expand;
mod function;
mod elements;
mod item;
mod methods;
mod of_trait;
mod open;
mod rule;
mod view;
mod viewed_type;
mod via;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use target_strategies::logic::ir::{Clause, IntKind, Pointer, Refined, SeqKind, Sort, StrKind};

use self::advice::advice;
use crate::frontend::catalog::{Constant, ConstantKind, FunctionType, Length, RustType};
use crate::frontend::data::declared_type::{pointer, type_text, unsupported};
use crate::frontend::data::{DataTable, Position};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::{Expr, ExprKind, Type, TypeKind};

/// Maximum number of types in one spec after its aliases are expanded.
const MAX_NODES: u32 = 4_000;
/// Maximum nesting depth of types and aliases.
const MAX_DEPTH: u32 = 100;

/// The state of resolving one spec.
pub struct Resolver<'a> {
    /// The instances of data types.
    pub data: DataTable<'a>,
    /// The mistakes so far.
    pub diagnostics: Vec<Diagnostic>,
    /// The function's type parameters that the spec has determined so far.
    pub generics: BTreeMap<String, RustType>,
    /// The slots of the fields of the surrounding view.
    pub(super) fields: BTreeSet<u32>,
    /// Whether `int` is allowed, as in an alias's parameters.
    pub logical: bool,
    /// Whether conditions and value arguments are skipped.
    pub types_only: bool,
    /// Number of functions whose parameters are being resolved.
    n_taking: u32,
    /// The slots of the parameters of the functions whose results are being resolved.
    returned_by: Vec<u32>,
    used_at: Option<Span>,
    depth: u32,
}

/// The function's declared type at the position of a type.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'e> {
    /// The declared type without pointers around it; `None` if the spec decides.
    pub core: Option<&'e RustType>,
    /// Whether it is in a parameter or a result.
    pub position: Position,
}

impl<'a> Resolver<'a> {
    /// A resolver with nothing resolved yet, on the tables of a spec.
    pub fn new(data: DataTable<'a>) -> Resolver<'a> {
        Resolver {
            data,
            diagnostics: Vec::new(),
            generics: BTreeMap::new(),
            fields: BTreeSet::new(),
            logical: false,
            types_only: false,
            n_taking: 0,
            returned_by: Vec::new(),
            used_at: None,
            depth: 0,
        }
    }

    /// Reports a mistake; always returns `None`, for callers without a result.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.diagnostics.push(diagnostic);
        None
    }

    /// A type as written, compared with the declared type if that is known.
    pub fn refine(
        &mut self,
        ty: &'a Type,
        env: &Rc<Env<'a>>,
        declared: Option<&RustType>,
        position: Position,
    ) -> Option<Refined> {
        let declared = declared.map(|declared| self.substitute(declared));
        let (pointers, core) = match &declared {
            Some(declared) => peel(declared),
            None => (Vec::new(), None),
        };
        let parameter = match core {
            Some(RustType::Param(name)) => Some(name.clone()),
            _ => None,
        };
        // Rust converts a value to a trait of another crate, if its type has that trait.
        let is_converted = core.is_some_and(|core| is_foreign_trait(core, position)) && !names_trait(ty);
        let core = core.filter(|_| !is_converted);
        let expected = Expected { core: core.filter(|_| parameter.is_none()), position };
        let mut refined = self.layer(ty, env, expected)?;
        if self.data.is_rule(&refined)
            && let Some(declared) = &declared
            && !Self::is_held_as_text(&pointers, core)
        {
            let declared = type_text(self.data.catalog, declared);
            let message = format!("a rule of a grammar can't be a `{declared}`");
            return self.fail(Diagnostic::error(ty.span, message).help("take a `String` or a `&str`"));
        }
        if declared.is_none() {
            own_unsized(&mut refined);
        } else if let Some(parameter) = parameter {
            let behind = match refined.pointers.strip_prefix(pointers.as_slice()) {
                Some(rest) => rest.to_vec(),
                None => refined.pointers.clone(),
            };
            if pointers.is_empty() {
                own_unsized(&mut refined);
            }
            let bound = self.data.rust_of(&Refined { pointers: behind.clone(), ..refined.clone() });
            self.generics.insert(parameter, bound);
            refined.pointers = pointers.into_iter().chain(behind).collect();
        } else if is_subsequence(&refined.pointers, &pointers) {
            refined.pointers = pointers;
        } else {
            let outside = std::mem::replace(&mut self.used_at, env.used_at);
            self.mismatch::<()>(ty, declared.as_ref()?, position);
            self.used_at = outside;
            return None;
        }
        Some(refined)
    }

    /// A type with its written pointers; [`Self::refine`] handles those of the declared type.
    pub(super) fn layer(
        &mut self,
        ty: &'a Type,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        self.data.nodes += 1;
        if self.data.nodes > MAX_NODES || self.depth >= MAX_DEPTH {
            let already = self.data.nodes > MAX_NODES + 1;
            if already {
                return None;
            }
            let what = if self.depth >= MAX_DEPTH { "nests too deeply" } else { "is too large" };
            return self
                .fail(Diagnostic::error(ty.span, format!("the type {what} when its aliases are expanded")));
        }
        self.depth += 1;
        let outside = std::mem::replace(&mut self.used_at, env.used_at);
        let refined = self.form(ty, env, expected);
        self.used_at = outside;
        self.depth -= 1;
        refined
    }

    fn form(&mut self, ty: &'a Type, env: &Rc<Env<'a>>, expected: Expected<'_>) -> Option<Refined> {
        match &ty.kind {
            TypeKind::Ref { mutable, inner } => {
                let pointer = if *mutable { Pointer::RefMut } else { Pointer::Ref };
                self.pointed(pointer, inner, env, expected)
            }
            TypeKind::Refined { binder, base, condition } => {
                let mut refined = self.layer(base, env, expected)?;
                if let Sort::Opaque(text) = &refined.sort
                    && !self.types_only
                    && self.data.as_text.is_empty()
                {
                    let message =
                        format!("a refinement of `{text}`, which can't be looked into, is not supported yet");
                    return self.fail(Diagnostic::error(ty.span, message));
                }
                let clauses = self.refinement(binder, condition, &refined, env);
                // Repeated at each level of a recursive view, it is still one condition.
                for clause in clauses {
                    let same = |other: &Clause| other.text == clause.text && other.term == clause.term;
                    if !refined.clauses.iter().any(same) {
                        refined.clauses.push(clause);
                    }
                }
                Some(refined)
            }
            TypeKind::Path { path, generics, args } => self.path(ty, path, generics, args, env, expected),
            TypeKind::Tuple(parts) => self.tuple(ty, parts, env, expected),
            TypeKind::Array(inner, len) => self.array(ty, inner, len, env, expected),
            TypeKind::Slice(inner) => self.slice(ty, inner, env, expected),
            TypeKind::Constant(text) => {
                let what = ConstantKind::of(text).map_or("a constant", ConstantKind::described);
                let message = format!("`{}` is {what}, not a type", self.words(ty.span));
                self.fail(Diagnostic::error(ty.span, message))
            }
            TypeKind::Associated(_, inner) => self.layer(inner, env, expected),
            TypeKind::Function(kind, signature) => self.callback(ty, *kind, signature, env, expected),
        }
    }

    fn pointed(
        &mut self,
        pointer: Pointer,
        inner: &'a Type,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let mut refined = self.layer(inner, env, expected)?;
        refined.pointers.insert(0, pointer);
        Some(refined)
    }

    fn tuple(
        &mut self,
        ty: &Type,
        parts: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let declared = match expected.core {
            None => None,
            Some(RustType::Tuple(declared)) if declared.len() == parts.len() => Some(declared),
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let parts: Vec<_> = parts
            .iter()
            .enumerate()
            .map(|(index, part)| {
                self.refine(part, env, declared.map(|declared| &declared[index]), expected.position)
            })
            .collect();
        let parts: Option<Vec<Refined>> = parts.into_iter().collect();
        Some(Refined::plain(Sort::Tuple(parts?)))
    }

    fn array(
        &mut self,
        ty: &Type,
        inner: &'a Type,
        len: &Expr,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let written = match &len.kind {
            ExprKind::Int(n, _) => n.to_string().parse::<u32>().ok(),
            ExprKind::Path(path) => {
                let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
                self.data.catalog.constant(&names).and_then(Constant::length)
            }
            _ => None,
        };
        let Some(written) = written else {
            let message =
                "the length of an array must be a literal, or a constant of the crate whose value is known";
            return self
                .fail(Diagnostic::error(len.span, message).help("for a list of any length write `Vec<..>`"));
        };
        let element = match expected.core {
            None => None,
            Some(RustType::Array(element, Length::Param(name))) => {
                self.generics.entry(name.clone()).or_insert_with(|| Length::Known(written).argument());
                Some(element.as_ref())
            }
            // A length that isn't a literal in the source can't be compared; rustc checks it.
            Some(RustType::Array(element, declared))
                if declared.known().is_none_or(|declared| declared == written) =>
            {
                Some(element.as_ref())
            }
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let inner = self.refine(inner, env, element, expected.position)?;
        Some(Refined::plain(Sort::Seq(Box::new(inner), SeqKind::Array(written))))
    }

    fn slice(
        &mut self,
        ty: &Type,
        inner: &'a Type,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        self.sequence(ty, inner, SeqKind::Slice, env, expected)
    }

    /// A sequence, of the declared kind if there is one.
    pub(super) fn sequence(
        &mut self,
        ty: &Type,
        inner: &'a Type,
        written: SeqKind,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let (kind, element) = match expected.core {
            None => (written, None),
            Some(RustType::Vec(element)) => (SeqKind::Vec, Some(element.as_ref())),
            Some(RustType::Slice(element)) => (SeqKind::Slice, Some(element.as_ref())),
            Some(RustType::Array(element, Length::Known(n))) => (SeqKind::Array(*n), Some(element.as_ref())),
            Some(RustType::Deque(element)) => (SeqKind::Deque, Some(element.as_ref())),
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let inner = self.refine(inner, env, element, expected.position)?;
        Some(Refined::plain(Sort::Seq(Box::new(inner), kind)))
    }

    /// A declared type, without refinements.
    pub fn as_declared(&mut self, declared: &RustType, position: Position) -> Result<Refined, String> {
        let declared = self.substitute(declared);
        self.data.declared(&declared, &[], position)
    }

    /// Reports that the spec's type isn't the declared type; in an alias's body, at the use of the alias.
    pub(super) fn mismatch<T>(&mut self, ty: &Type, declared: &RustType, position: Position) -> Option<T> {
        let catalog = self.data.catalog;
        let label = self.used_at.map(|used| format!("`{}` stands for that", self.words(used)));
        let at = self.used_at.unwrap_or(ty.span);
        let written = self.words(ty.span);
        match declared {
            RustType::Foreign(..) | RustType::Other(_) if position == Position::Input => {
                let reason = unsupported(catalog, declared);
                let diagnostic = Diagnostic::error(at, reason).label("the function takes that here");
                let name = declared.name().and_then(|path| path.rsplit("::").next());
                return self.fail(match name.and_then(advice) {
                    Some(advice) => diagnostic.help(advice),
                    None => diagnostic,
                });
            }
            _ => {}
        }
        let of_int = matches!(declared, RustType::Int(_)) && IntKind::from_name(&written).is_some();
        let declared = type_text(catalog, declared);
        let message = match position {
            Position::Input => format!("the function takes `{declared}`, the spec says `{written}`"),
            Position::Output => format!("the function returns `{declared}`, the spec says `{written}`"),
            Position::Field => format!("the field is declared as `{declared}`, not `{written}`"),
        };
        let diagnostic = Diagnostic::error(at, message).label(label.unwrap_or_default());
        let in_alias = self.used_at.is_some() && of_int;
        self.fail(if in_alias {
            diagnostic.help("in an alias, `int` takes whichever integer type the function has")
        } else {
            diagnostic
        })
    }

    /// The type with known type parameters replaced.
    pub fn substitute(&self, ty: &RustType) -> RustType {
        self.at(ty, &self.generics)
    }

    /// A type of the source at arguments for type parameters, with the associated types of these.
    fn at(&self, ty: &RustType, args: &BTreeMap<String, RustType>) -> RustType {
        let projected = |name: &str| self.data.catalog.projected(name, args);
        substituted(ty, &|name| args.get(name).cloned().or_else(|| projected(name)))
    }
}

/// A type of the source with type parameters replaced.
fn substituted(ty: &RustType, known: &dyn Fn(&str) -> Option<RustType>) -> RustType {
    let inner = |ty: &RustType| Box::new(substituted(ty, known));
    let all = |types: &[RustType]| types.iter().map(|ty| substituted(ty, known)).collect();
    match ty {
        RustType::Param(name) => known(name).unwrap_or_else(|| ty.clone()),
        RustType::Tuple(parts) => RustType::Tuple(all(parts)),
        RustType::Array(element, length) => {
            RustType::Array(inner(element), length.replaced(|ty| Some(substituted(ty, known))))
        }
        RustType::Slice(element) => RustType::Slice(inner(element)),
        RustType::Vec(element) => RustType::Vec(inner(element)),
        RustType::Deque(element) => RustType::Deque(inner(element)),
        RustType::Set(element, kind) => RustType::Set(inner(element), *kind),
        RustType::Map(key, value, kind) => RustType::Map(inner(key), inner(value), *kind),
        RustType::Option(element) => RustType::Option(inner(element)),
        RustType::Result(ok, err) => RustType::Result(inner(ok), inner(err)),
        RustType::Box(element) => RustType::Box(inner(element)),
        RustType::Rc(element) => RustType::Rc(inner(element)),
        RustType::Arc(element) => RustType::Arc(inner(element)),
        RustType::Cow(element) => RustType::Cow(inner(element)),
        RustType::Ref { mutable, inner: element } => {
            RustType::Ref { mutable: *mutable, inner: inner(element) }
        }
        RustType::Function(function) => RustType::Function(Box::new(FunctionType {
            params: all(&function.params),
            result: substituted(&function.result, known),
            is_pointer: function.is_pointer,
        })),
        RustType::Item(id, args) => RustType::Item(*id, all(args)),
        RustType::Foreign(name, args) => RustType::Foreign(name.clone(), all(args)),
        other => other.clone(),
    }
}

/// The pointers around a type, outermost first, and the type inside.
fn peel(mut ty: &RustType) -> (Vec<Pointer>, Option<&RustType>) {
    let mut pointers = Vec::new();
    while let Some((outermost, inner)) = pointer(ty) {
        pointers.push(outermost);
        ty = inner;
    }
    (pointers, Some(ty))
}

/// Whether a parameter is a `dyn` of another crate's trait.
fn is_foreign_trait(declared: &RustType, position: Position) -> bool {
    position != Position::Output && matches!(declared, RustType::Other(text) if text.starts_with("dyn "))
}

/// Whether a type names a trait: `&mut dyn Write`.
fn names_trait(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Path { path, generics, .. } => match (path.as_slice(), generics.as_slice()) {
            ([first, _, ..], _) if first.name == "dyn" || first.name == "impl" => true,
            ([_], [inner]) => names_trait(inner),
            _ => false,
        },
        TypeKind::Ref { inner, .. } | TypeKind::Associated(_, inner) => names_trait(inner),
        TypeKind::Refined { base, .. } => names_trait(base),
        TypeKind::Tuple(_)
        | TypeKind::Array(..)
        | TypeKind::Constant(_)
        | TypeKind::Slice(_)
        | TypeKind::Function(..) => false,
    }
}

fn is_subsequence(written: &[Pointer], declared: &[Pointer]) -> bool {
    let mut declared = declared.iter();
    written.iter().all(|pointer| declared.any(|other| other == pointer))
}

/// Turns a slice into a `Vec` and a `str` into a `String` if there is no pointer around it.
fn own_unsized(refined: &mut Refined) {
    if !refined.pointers.is_empty() {
        return;
    }
    match &mut refined.sort {
        Sort::Seq(_, kind @ SeqKind::Slice) => *kind = SeqKind::Vec,
        Sort::Str(kind @ StrKind::Str) => *kind = StrKind::String,
        Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Str(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_)
        | Sort::Data(_)
        | Sort::Opaque(_) => {}
    }
}
