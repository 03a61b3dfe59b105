//! Views of data types, at the instances in specs.
//!
//! `Ordered<i64>`, a view of `Tree<i64>`, has the constructors of the tree, in the same order, with the view's
//! refinements of their fields. To the logic it is a `Tree<i64>`: that instance is its base. If the catalog doesn't
//! know the type, the base is the view itself without refinements.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use target_strategies::logic::ir::{Ctor, DataId, Field, Refined, Sort, Term, visit};

use super::viewed_type::ViewedType;
use super::{Expected, Resolver};
use crate::frontend::catalog::{CtorItem, RustType};
use crate::frontend::data::key::TypeConstructor;
use crate::frontend::data::{LARGEST, MAX_INSTANCES, MAX_NESTING, Position, size};
use crate::frontend::diagnostic::counted;
use crate::frontend::diagnostic::{Diagnostic, did_you_mean};
use crate::frontend::elaborate::Forbidden;
use crate::frontend::resolve::closure::type_of_text;
use crate::frontend::resolve::measure::with_resolver;
use crate::frontend::resolve::names::{Env, Name, TypeArg};
use crate::frontend::spec::ast::{CtorView, DataBody, Ident, Param, Type, TypeKind, View, ViewKind};

impl<'a> Resolver<'a> {
    /// A view. Its type arguments may be omitted if the function declares them.
    pub(super) fn view(
        &mut self,
        ty: &'a Type,
        index: usize,
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let declarations = self.data.declarations;
        let view = &declarations.views.all[index];
        let wanted = view.head.generics.len();
        let declared: Vec<Option<RustType>> = view
            .head
            .generics
            .iter()
            .map(|name| declared_argument(&view.body, &name.name, expected.core).cloned())
            .collect();
        let mut args = Vec::with_capacity(wanted);
        if generics.is_empty() && declared.iter().all(Option::is_some) {
            for declared in declared.iter().flatten() {
                match self.as_declared(declared, expected.position) {
                    Ok(arg) => args.push(arg),
                    Err(reason) => return self.fail(Diagnostic::error(ty.span, reason)),
                }
            }
        } else if generics.len() != wanted {
            let name = &view.head.name.name;
            let message =
                format!("`{name}` has {}, not {}", counted(wanted, "type parameter"), generics.len());
            return self.fail(Diagnostic::error(ty.span, message));
        } else {
            for (arg, declared) in generics.iter().zip(&declared) {
                args.push(self.refine(arg, env, declared.as_ref(), expected.position)?);
            }
        }
        let refined = self.closed(args, |this, args| this.view_instance(index, args))?;
        let Sort::Data(id) = refined.sort else { return Some(refined) };
        if let Some(core) = expected.core {
            let own = self.data.rust_of(&Refined::plain(Sort::Data(self.data.bases[id.0 as usize])));
            let built = match &own {
                RustType::Other(text) => type_of_text(text, self.data.catalog),
                _ => None,
            };
            learn(core, &built.unwrap_or(own), &mut self.generics);
        }
        match expected.core {
            // The arguments may have determined the function's own type parameters.
            Some(core) if !self.is_view_of(id, &self.substitute(core)) => {
                self.mismatch(ty, core, expected.position)
            }
            _ => Some(refined),
        }
    }

    /// Whether an instance of a view refines the declared type.
    fn is_view_of(&self, id: DataId, core: &RustType) -> bool {
        let base = self.data.bases[id.0 as usize];
        match self.data.keys[base.0 as usize].constructor {
            TypeConstructor::View(_) | TypeConstructor::Bare(_) => match core {
                RustType::Foreign(path, _) | RustType::Other(path) => {
                    let name = |path: &str| {
                        let path = path.split('<').next().unwrap_or_default();
                        path.rsplit("::").next().unwrap_or_default().trim().to_owned()
                    };
                    let own = &self.data.get(base).rust_type;
                    own == "_" || name(own) == name(path)
                }
                RustType::Item(id, _) => {
                    let item = self.data.catalog.item(*id);
                    let own = &self.data.get(base).rust_type;
                    let path = own.split('<').next().unwrap_or_default().trim();
                    own == "_" || path == self.data.catalog.outside_path(&item.access.path)
                }
                _ => false,
            },
            _ => {
                let plain = Refined::plain(Sort::Data(base));
                self.data.rust_of(&plain) == *core
            }
        }
    }

    /// A view at the given arguments, which contain no open refinements.
    pub fn view_instance(&mut self, index: usize, args: Vec<Refined>) -> Option<DataId> {
        // An instance made for its types alone must not be reused as a complete instance.
        let constructor =
            if self.types_only { TypeConstructor::Bare(index) } else { TypeConstructor::View(index) };
        self.view_or_bare(constructor, index, args)
    }

    pub(super) fn view_or_bare(
        &mut self,
        constructor: TypeConstructor,
        index: usize,
        args: Vec<Refined>,
    ) -> Option<DataId> {
        if let Some(id) = self.data.interned(constructor, &args) {
            return Some(id);
        }
        let declarations = self.data.declarations;
        let view = &declarations.views.all[index];
        let span = view.head.name.span;
        let is_large = args.iter().any(|arg| size(arg) > LARGEST);
        if self.data.data.len() >= MAX_INSTANCES || self.data.nesting >= MAX_NESTING || is_large {
            let message = format!("`{}` contains too many different instances of types", view.head.name.name);
            return self.fail(Diagnostic::error(span, message));
        }
        let names = view.head.generics.iter().map(|name| name.name.clone());
        let generics = names.zip(args.iter().cloned().map(TypeArg::Known)).collect();
        let env = Env { generics, ..Env::default() };
        self.data.nesting += 1;
        let outer = (std::mem::take(&mut self.fields), self.types_only);
        self.types_only |= matches!(constructor, TypeConstructor::Bare(_));
        let made = match &view.body {
            DataBody::View(body) => self.viewed(constructor, index, args, body, env),
            DataBody::Via(via) => self.built(constructor, index, args, via, env),
        };
        (self.fields, self.types_only) = outer;
        self.data.nesting -= 1;
        if made.is_some() && self.data.nesting == 0 {
            self.data.mark_recursion();
        }
        made
    }

    fn viewed(
        &mut self,
        constructor: TypeConstructor,
        index: usize,
        args: Vec<Refined>,
        view: &'a View,
        env: Env<'a>,
    ) -> Option<DataId> {
        let viewed_type = self.viewed_type(view, &env)?;
        let base = match (&viewed_type.base, constructor) {
            (Some((_, base)), _) => Some(*base),
            (None, TypeConstructor::Bare(_)) => None,
            (None, _) => {
                let plain = args.iter().map(|arg| self.data.plain(&self.data.ty_of(arg))).collect();
                Some(self.view_or_bare(TypeConstructor::Bare(index), index, plain)?)
            }
        };
        let id = self.data.reserve(constructor, args, viewed_type.rust_type.clone(), base);
        match self.ctors(view, &viewed_type, &env) {
            Some(ctors) => {
                let object = base.and_then(|base| self.data.get(base).object.clone());
                let data = &mut self.data.data[id.0 as usize];
                (data.ctors, data.object) = (ctors, object);
            }
            None => {
                self.data.forget_from(id);
                return None;
            }
        }
        Some(id)
    }

    fn ctors(&mut self, view: &'a View, viewed_type: &ViewedType<'a>, env: &Env<'a>) -> Option<Vec<Ctor>> {
        let Some((_, base)) = viewed_type.base else {
            let mut ctors = Vec::with_capacity(view.ctors.len());
            for ctor in &view.ctors {
                let path = &viewed_type.path;
                let rust_path = if view.kind == ViewKind::Enum {
                    format!("{path}::{}", ctor.name.name)
                } else {
                    path.clone()
                };
                let fields =
                    self.view_fields(ctor.fields.iter().map(|field| (field, None)).collect(), env)?;
                ctors.push(Ctor { rust_path, fields, named: ctor.named, recursive: false, excluded: false });
            }
            return Some(ctors);
        };
        if view.kind == ViewKind::Trait {
            return self.methods(view, base, viewed_type, env);
        }
        let mut ctors = self.data.get(base).ctors.clone();
        ctors.iter_mut().for_each(|ctor| (ctor.excluded, ctor.recursive) = (true, false));
        for viewed in &view.ctors {
            let found = if view.kind == ViewKind::Enum {
                viewed_type.items.iter().position(|item| item.name == viewed.name.name)
            } else {
                Some(0)
            };
            let Some(at) = found else { return self.no_constructor(viewed, viewed_type) };
            if !ctors[at].excluded {
                let message = format!("`{}` is in the view twice", viewed.name.name);
                return self.fail(Diagnostic::error(viewed.name.span, message));
            }
            let item = &viewed_type.items[at];
            let fields = self.matched(viewed, item)?;
            let fields = fields
                .into_iter()
                .zip(&item.fields)
                .map(|(field, item)| (field, Some(self.at(&item.ty, &viewed_type.generics))));
            let mut fields = self.view_fields(fields.collect(), env)?;
            for (field, item) in fields.iter_mut().zip(&item.fields) {
                field.name.clone_from(&item.name);
            }
            (ctors[at].fields, ctors[at].excluded) = (fields, false);
        }
        Some(ctors)
    }

    fn no_constructor<T>(&mut self, viewed: &CtorView, viewed_type: &ViewedType<'_>) -> Option<T> {
        let name = &viewed.name;
        let message = format!("`{}` has no constructor `{}`", viewed_type.rust_type, name.name);
        let known: Vec<&str> = viewed_type.items.iter().map(|item| item.name.as_str()).collect();
        let help = match did_you_mean(&name.name, known.iter().copied()) {
            Some(guess) => format!("did you mean `{guess}`?"),
            None => format!("it has {}", known.join(", ")),
        };
        self.fail(Diagnostic::error(name.span, message).help(help))
    }

    /// The fields of a view's constructor in the order of their declaration.
    fn matched(&mut self, viewed: &'a CtorView, item: &CtorItem) -> Option<Vec<&'a Param>> {
        let (name, span) = (&viewed.name.name, viewed.name.span);
        if viewed.fields.len() != item.fields.len() {
            let message = format!(
                "`{name}` has {}, the view gives {}",
                counted(item.fields.len(), "field"),
                viewed.fields.len()
            );
            let is_given = |name: &str| viewed.fields.iter().any(|field| field.name.name == name);
            let missing = item.fields.iter().filter(|field| !is_given(&field.name));
            let missing: Vec<String> = missing.map(|field| format!("`{}`", field.name)).collect();
            let help = if item.named && !missing.is_empty() {
                let verb = if missing.len() == 1 { "is" } else { "are" };
                format!("a view names all of them; {} {verb} missing", missing.join(", "))
            } else {
                "a view names all of them".to_owned()
            };
            return self.fail(Diagnostic::error(span, message).help(help));
        }
        if !item.named {
            return Some(viewed.fields.iter().collect());
        }
        let mut fields = Vec::with_capacity(item.fields.len());
        for declared in &item.fields {
            match viewed.fields.iter().find(|field| field.name.name == declared.name) {
                Some(field) => fields.push(field),
                None => {
                    let known = item.fields.iter().map(|field| field.name.as_str());
                    let stray =
                        viewed.fields.iter().find(|field| !known.clone().any(|name| name == field.name.name));
                    let at = stray.map_or(span, |field| field.name.span);
                    let message = format!("the view lacks the field `{}` of `{name}`", declared.name);
                    let guess = stray.and_then(|field| did_you_mean(&field.name.name, known));
                    let diagnostic = Diagnostic::error(at, message);
                    return self.fail(match guess {
                        Some(guess) => diagnostic.help(format!("did you mean `{guess}`?")),
                        None => diagnostic.help("the fields of a struct keep their names"),
                    });
                }
            }
        }
        Some(fields)
    }

    /// Fields with the types of the view, each in scope of all others. Two rounds: first their types, then their
    /// refinements.
    pub(super) fn view_fields(
        &mut self,
        fields: Vec<(&'a Param, Option<RustType>)>,
        env: &Env<'a>,
    ) -> Option<Vec<Field>> {
        let types_only = std::mem::replace(&mut self.types_only, true);
        let plain_env = Rc::new(env.clone());
        let plain: Vec<_> = fields
            .iter()
            .map(|(field, declared)| self.refine(&field.ty, &plain_env, declared.as_ref(), Position::Field))
            .collect();
        self.types_only = types_only;
        let plain: Vec<Refined> = plain.into_iter().collect::<Option<_>>()?;
        let slots: Vec<u32> = fields.iter().map(|_| self.data.fresh()).collect();
        if types_only {
            let named = fields.iter().zip(plain);
            return Some(
                named
                    .map(|((field, _), refined)| Field { name: field.name.name.clone(), refined, slot: None })
                    .collect(),
            );
        }
        let names: Vec<Name> = fields
            .iter()
            .zip(plain.iter().zip(&slots))
            .map(|((field, _), (refined, slot))| Name {
                name: field.name.name.clone(),
                term: Term::Var(*slot),
                ty: self.data.ty_of(refined),
                refined: Some(refined.clone()),
            })
            .collect();
        let mut found = Vec::with_capacity(fields.len());
        for (at, (field, declared)) in fields.iter().enumerate() {
            let mut env = env.clone();
            env.names = names
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, name)| name.clone())
                .collect();
            let own = format!("`{}` has no value yet inside of its own type", field.name.name);
            env.forbidden.push((field.name.name.clone(), Forbidden::Because(own)));
            self.fields = slots.iter().copied().collect();
            let refined = self.refine(&field.ty, &Rc::new(env), declared.as_ref(), Position::Field);
            found.push(refined);
        }
        self.fields = BTreeSet::new();
        let found: Vec<Refined> = found.into_iter().collect::<Option<_>>()?;
        let mentions: Vec<BTreeSet<usize>> = found.iter().map(|refined| mentioned(refined, &slots)).collect();
        self.no_circle(&fields.iter().map(|(field, _)| &field.name).collect::<Vec<_>>(), &mentions)?;
        let fields = fields.iter().zip(found).zip(slots).enumerate();
        Some(
            fields
                .map(|(at, (((field, _), refined), slot))| {
                    let is_mentioned = mentions.iter().any(|mentioned| mentioned.contains(&at));
                    Field { name: field.name.name.clone(), refined, slot: is_mentioned.then_some(slot) }
                })
                .collect(),
        )
    }

    /// Rejects fields that mention each other: they couldn't be chosen one after another.
    fn no_circle(&mut self, names: &[&Ident], mentions: &[BTreeSet<usize>]) -> Option<()> {
        let mut open: BTreeSet<usize> = (0..names.len()).collect();
        while let Some(free) = open.iter().copied().find(|at| mentions[*at].is_disjoint(&open)) {
            open.remove(&free);
        }
        let Some(first) = open.first() else { return Some(()) };
        let circle: Vec<String> = open.iter().map(|at| format!("`{}`", names[*at].name)).collect();
        let message = format!("the fields {} mention each other in a circle", circle.join(", "));
        self.fail(
            Diagnostic::error(names[*first].span, message)
                .help("move the condition to the type of one of them"),
        )
    }

    /// Another instance with the same type constructor.
    pub(super) fn instance_of(&mut self, constructor: TypeConstructor, args: Vec<Refined>) -> Option<DataId> {
        match constructor {
            TypeConstructor::View(index) => self.view_instance(index, args),
            TypeConstructor::Bare(index) => self.view_or_bare(constructor, index, args),
            TypeConstructor::Rule(index) => self.rule_instance(index),
            _ => self.data.plain_instance_of(constructor, args).ok(),
        }
    }
}

impl crate::frontend::data::DataTable<'_> {
    /// Another instance with the same type constructor, or why there is none.
    pub(in crate::frontend::resolve) fn instance_of(
        &mut self,
        constructor: TypeConstructor,
        args: Vec<Refined>,
    ) -> Result<DataId, String> {
        if !matches!(constructor, TypeConstructor::View(_) | TypeConstructor::Bare(_)) {
            return self.plain_instance_of(constructor, args);
        }
        let (made, mistakes) = with_resolver(self, |resolver| resolver.instance_of(constructor, args));
        made.ok_or_else(|| mistakes.into_iter().next().map_or_else(String::new, |mistake| mistake.message))
    }

    /// A view that comes with the tool, of a type in the user's source; `None` if it can't have these arguments.
    pub(in crate::frontend) fn shipped_instance(
        &mut self,
        index: usize,
        args: Vec<Refined>,
    ) -> Option<DataId> {
        let (made, _) = with_resolver(self, |resolver| {
            // Of an argument that can't be looked into, nothing can be said.
            resolver.types_only = args.iter().any(|arg| matches!(arg.sort, Sort::Opaque(_)));
            resolver.view_instance(index, args)
        });
        made
    }

    fn plain_instance_of(
        &mut self,
        constructor: TypeConstructor,
        args: Vec<Refined>,
    ) -> Result<DataId, String> {
        match (constructor, <[Refined; 2]>::try_from(args)) {
            (TypeConstructor::Result, Ok([ok, err])) => Ok(self.result_of(ok, err)),
            (TypeConstructor::User(ty), args) => self.instance(ty, args.map_or_else(|args| args, Vec::from)),
            (TypeConstructor::Option, Err(args)) if args.len() == 1 => {
                let element = args.into_iter().next().expect("there is one");
                Ok(self.option_of(element))
            }
            _ => Err("the type has other arguments".to_owned()),
        }
    }
}

/// Infers a function's type parameters from the type found for a declared type.
fn learn(declared: &RustType, found: &RustType, known: &mut BTreeMap<String, RustType>) {
    match (declared, found) {
        (RustType::Param(name), found) => drop(known.entry(name.clone()).or_insert_with(|| found.clone())),
        (RustType::Item(a, declared), RustType::Item(b, found)) if a == b => {
            declared.iter().zip(found).for_each(|(declared, found)| learn(declared, found, known));
        }
        _ => {}
    }
}

/// The declared type argument for a type parameter of a view.
fn declared_argument<'t>(
    body: &DataBody,
    parameter: &str,
    core: Option<&'t RustType>,
) -> Option<&'t RustType> {
    let DataBody::View(view) = body else { return None };
    let TypeKind::Path { generics, .. } = &view.target.kind else { return None };
    let at = generics.iter().position(|arg| {
        matches!(&arg.kind, TypeKind::Path { path, .. } if matches!(path.as_slice(), [only] if only.name == parameter))
    })?;
    match core? {
        RustType::Item(_, args) | RustType::Foreign(_, args) => args.get(at),
        _ => None,
    }
}

/// The fields, by their slots, in the refinements of a type.
fn mentioned(refined: &Refined, slots: &[u32]) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![refined];
    while let Some(refined) = open.pop() {
        for clause in &refined.clauses {
            visit(&clause.term, &mut |term| {
                if let Term::Var(slot) = term {
                    found.extend(slots.iter().position(|other| other == slot));
                }
            });
        }
        open.extend(refined.inner());
    }
    found
}
