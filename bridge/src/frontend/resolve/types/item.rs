//! Types of the crate, at the instance in the spec.

use std::collections::BTreeMap;
use std::rc::Rc;

use target_strategies::logic::ir::{Refined, Sort};

use super::{Expected, Resolver, peel, substituted};
use crate::frontend::catalog::{RustType, TypeId, TypeLookup};
use crate::frontend::data::declared_type::type_text;
use crate::frontend::data::{LARGEST, Position, size};
use crate::frontend::diagnostic::Diagnostic;
use crate::frontend::diagnostic::counted;
use crate::frontend::resolve::names::Env;
use crate::frontend::spec::ast::{Ident, Type, TypeKind};

impl<'a> Resolver<'a> {
    /// A struct or an enum. Its type arguments may be omitted if the function declares them.
    pub(super) fn item(
        &mut self,
        ty: &'a Type,
        id: TypeId,
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        let declared = match expected.core {
            None => None,
            Some(RustType::Item(declared, args)) if *declared == id => Some(args.as_slice()),
            Some(other) => return self.mismatch(ty, other, expected.position),
        };
        let args = match declared {
            Some(declared) if generics.is_empty() => {
                let args: Result<Vec<Refined>, String> =
                    declared.iter().map(|arg| self.as_declared(arg, expected.position)).collect();
                match args {
                    Ok(args) => args,
                    Err(reason) => return self.fail(Diagnostic::error(ty.span, reason)),
                }
            }
            _ => self.item_args(ty, id, generics, declared, env, expected)?,
        };
        // Rust code can't name the type of a closure.
        if expected.position != Position::Output && args.iter().any(|arg| arg.callback().is_some()) {
            let name = &self.data.catalog.item(id).path;
            let message = format!("a type argument of `{name}` can't be a function");
            let help = "let a `call` make the value of a function: `call = \"|f: Box<dyn Fn(u8) -> u8>, n: u8| force(Lazy { f, n })\"`, \
                        with `spec = \"fn(f: fn(x: u8) -> u8, n: u8) -> u8\"`";
            return self.fail(Diagnostic::error(ty.span, message).help(help));
        }
        let mut made = Ok(());
        let refined = self.closed(args, |this, args| {
            this.data.instance(id, args).map_err(|reason| made = Err(reason)).ok()
        });
        match made {
            Ok(()) => refined,
            Err(_) if expected.position == Position::Output && declared.is_some() => {
                let text = type_text(self.data.catalog, expected.core?);
                Some(Refined::plain(Sort::Opaque(text)))
            }
            Err(reason) => self.fail(Diagnostic::error(ty.span, reason)),
        }
    }

    fn item_args(
        &mut self,
        ty: &Type,
        id: TypeId,
        generics: &'a [Type],
        declared: Option<&[RustType]>,
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Vec<Refined>> {
        let item = self.data.catalog.item(id);
        let wanted = item.generics.len();
        let n_given = generics.len();
        let is_filled = |at: usize| item.defaults.get(at).is_some_and(Option::is_some);
        let is_complete = n_given <= wanted && (n_given..wanted).all(is_filled);
        if !is_complete || declared.is_some_and(|declared| declared.len() != wanted) {
            // The associated types of a base are none of its own.
            if let Some(reason) = self.data.no_tables(item) {
                return self.fail(Diagnostic::error(ty.span, reason));
            }
            let message =
                format!("`{}` has {}, not {}", item.path, counted(wanted, "type parameter"), generics.len());
            return self.fail(Diagnostic::error(ty.span, message));
        }
        self.are_associated(ty, id, generics)?;
        let args: Vec<_> = generics
            .iter()
            .enumerate()
            .map(|(index, arg)| {
                self.argument(arg, env, declared.map(|declared| &declared[index]), expected.position)
            })
            .collect();
        let mut args: Vec<Refined> = args.into_iter().collect::<Option<_>>()?;
        for (at, default) in item.defaults.iter().enumerate().skip(generics.len()) {
            let env: Vec<(String, Refined)> =
                item.generics.iter().cloned().zip(args.iter().cloned()).collect();
            let arg = match self.data.declared(default.as_ref()?, &env, expected.position) {
                Ok(arg) => arg,
                Err(reason) => return self.fail(Diagnostic::error(ty.span, reason)),
            };
            let written = self.data.rust_of(&arg);
            match declared.map(|declared| self.substitute(&declared[at])) {
                Some(RustType::Param(name)) => drop(self.generics.insert(name, written)),
                Some(other) if other != written => {
                    return self.mismatch(ty, expected.core?, expected.position);
                }
                Some(_) | None => {}
            }
            args.push(arg);
        }
        Some(args)
    }

    /// A type argument, or a constant for a constant parameter.
    pub(super) fn argument(
        &mut self,
        arg: &'a Type,
        env: &Rc<Env<'a>>,
        declared: Option<&RustType>,
        position: Position,
    ) -> Option<Refined> {
        let constant = match &arg.kind {
            TypeKind::Constant(text) => Some(text.clone()),
            TypeKind::Path { path, generics, args } if generics.is_empty() && args.is_empty() => {
                self.named_constant(path)
            }
            _ => None,
        };
        let Some(constant) = constant else { return self.refine(arg, env, declared, position) };
        let written = RustType::Other(constant.clone());
        match declared.map(|declared| self.substitute(declared)) {
            Some(RustType::Param(name)) => drop(self.generics.insert(name, written)),
            Some(declared) if declared.constant().is_some() && declared != written => {
                let declared = type_text(self.data.catalog, &declared);
                let message = format!("the function takes `{declared}` here, the spec says `{constant}`");
                return self.fail(Diagnostic::error(arg.span, message));
            }
            Some(_) | None => {}
        }
        Some(Refined::plain(Sort::Opaque(constant)))
    }

    /// The value of a constant of the crate, where no type has its name.
    fn named_constant(&self, path: &[Ident]) -> Option<String> {
        let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
        let is_type = names.len() == 1 && self.data.declarations.aliases.sound.contains_key(names[0])
            || !matches!(self.data.catalog.type_(&names), TypeLookup::Missing);
        if is_type { None } else { self.data.catalog.constant(&names)?.argument() }
    }

    /// A type alias of the crate, such as `type Pair<T> = (T, T)`.
    pub(super) fn source_alias(
        &mut self,
        ty: &'a Type,
        params: &[String],
        body: &RustType,
        generics: &'a [Type],
        env: &Rc<Env<'a>>,
        expected: Expected<'_>,
    ) -> Option<Refined> {
        if params.len() != generics.len() {
            let wanted = counted(params.len(), "type parameter");
            let message = format!("`{}` has {wanted}, not {}", self.words(ty.span), generics.len());
            return self.fail(Diagnostic::error(ty.span, message));
        }
        let declared = match expected.core.map(|core| (core, parameters_of(body, core))) {
            Some((core, None)) => return self.mismatch(ty, core, expected.position),
            Some((_, Some(declared))) => declared,
            None => BTreeMap::new(),
        };
        let args = generics.iter().zip(params);
        let args: Vec<_> =
            args.map(|(arg, name)| self.refine(arg, env, declared.get(name), expected.position)).collect();
        let args: Option<Vec<Refined>> = args.into_iter().collect();
        if args.iter().flatten().any(|arg| self.has_open(arg)) {
            let message =
                "a refinement that mentions a field can't be handed down through an alias of the crate";
            return self.fail(Diagnostic::error(ty.span, message).help("name the type that it stands for"));
        }
        let args: Vec<(String, Refined)> = params.iter().cloned().zip(args?).collect();
        let refined = match self.data.declared(body, &args, expected.position) {
            Ok(refined) => refined,
            Err(reason) => return self.fail(Diagnostic::error(ty.span, reason)),
        };
        if size(&refined) > LARGEST {
            return self
                .fail(Diagnostic::error(ty.span, "the type is too large when its aliases are expanded"));
        }
        Some(refined)
    }
}

/// The arguments for the type parameters of an alias that make its type, without pointers around it, the declared one;
/// `None` if there are none.
fn parameters_of(body: &RustType, core: &RustType) -> Option<BTreeMap<String, RustType>> {
    let (_, body) = peel(body);
    let (mut known, mut waiting) = (BTreeMap::new(), vec![(body?, core)]);
    while let Some((body, declared)) = waiting.pop() {
        if let RustType::Param(name) = body {
            known.entry(name.clone()).or_insert_with(|| declared.clone());
        } else if let (Some(body), Some(declared)) = (body.function(), declared.function()) {
            waiting.extend(body.params.iter().zip(&declared.params));
            waiting.push((&body.result, &declared.result));
        } else {
            waiting.extend(body.parts().into_iter().zip(declared.parts()));
        }
    }
    (substituted(body?, &|name| known.get(name).cloned()) == *core).then_some(known)
}
