//! The meaning of a path as a value: a name in scope, a constant of the standard library, or a constructor. Applied
//! constructors also need an instance of their type.

use target_strategies::logic::ir::{DataId, FloatKind, IntKind, Term};
use target_strategies::logic::value::Value;

use super::build::extreme;
use super::mistake::{count, did_you_mean, untyped, with_guess};
use super::pattern::spelled;
use super::scope::Meaning;
use super::{Checked, Elaborator, Typed};
use crate::frontend::catalog::{Constant, RustType, TypeId};
use crate::frontend::data::{Item, Position};
use crate::frontend::diagnostic::{Diagnostic, Span};
use crate::frontend::logic_type::Ty;
use crate::frontend::spec::ast::{Expr, Ident};

impl Elaborator<'_, '_, '_> {
    /// The value of a path.
    pub(super) fn path(&mut self, path: &[Ident], span: Span, hint: Option<&Ty>) -> Checked<Typed> {
        if let [name] = path
            && let Some(found) = self.lookup(&name.name, name.span)?
        {
            return Ok(found);
        }
        if let Some(found) = constant_of_std(path) {
            return Ok(found);
        }
        if is_named(path, "Option", "None") {
            return match hint {
                Some(Ty::Data(id)) if matches!(self.data.item_of(*id), Item::Option(_)) => {
                    Ok((Term::Construct(*id, 0, Vec::new()), Ty::Data(*id)))
                }
                Some(other) => {
                    let message = format!("expected `{}`, found `None`", self.show(other));
                    Err(Diagnostic::error(span, message))
                }
                None => Err(untyped(span, "this `None`")),
            };
        }
        if let Some(found) = self.constant_of_crate(path, span) {
            return found;
        }
        if let Some((item, ctor)) = self.data.constructor(path) {
            let n_fields = self.data.catalog.types[item.0 as usize].ctors[ctor as usize].fields.len();
            if n_fields > 0 {
                let message = format!("`{}` needs its fields", spelled(path));
                return Err(Diagnostic::error(span, message));
            }
            return self.construct((item, ctor), &[], span, hint);
        }
        if let Some(ctor) = self.viewed(path, hint).filter(|_| path.len() > 1) {
            return self.view_value(ctor, &[], path, span);
        }
        Err(self.unknown_name(path, span))
    }

    /// A constant of the crate; `None` if there is none at the path.
    fn constant_of_crate(&mut self, path: &[Ident], span: Span) -> Option<Checked<Typed>> {
        let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
        let Constant { ty, value, .. } = self.data.catalog.constant(&names)?;
        let written = spelled(path);
        let Some(value) = value else {
            let message = format!("the value of the constant `{written}` is not known here");
            let help = format!(
                "known values are made of literals, operators and other constants; write the value itself, or the \
                 condition after `where`, as Rust code: `where x < &{written}`"
            );
            return Some(Err(Diagnostic::error(span, message).help(help)));
        };
        let element = ty.range_element();
        let refined = self.data.declared(element.unwrap_or(ty), &[], Position::Output);
        let refined = refined.map_err(|reason| {
            Diagnostic::error(span, reason).help("write the condition after `where`, as Rust code")
        });
        Some(refined.map(|refined| match (element, value) {
            (Some(_), Value::Tuple(ends)) if ends.len() == 2 => {
                let [start, end] = [0, 1].map(|at: usize| Box::new(Term::Lit(ends[at].clone())));
                (Term::Range(start, end), Ty::Seq(Box::new(self.data.ty_of(&refined))))
            }
            _ => {
                let ty = self.data.ty_of(&refined);
                (self.constant_term(value, &ty), ty)
            }
        }))
    }

    /// A constant as a term: a literal, except where a constructor needs its type.
    fn constant_term(&self, value: &Value, ty: &Ty) -> Term {
        let all = |values: &[Value], types: &[Ty]| {
            values.iter().zip(types).map(|(value, ty)| self.constant_term(value, ty)).collect()
        };
        match (value, ty) {
            (Value::Seq(elements), Ty::Seq(of))
                if matches!(**of, Ty::Seq(_) | Ty::Tuple(_) | Ty::Data(_)) =>
            {
                Term::Seq(all(elements, &vec![(**of).clone(); elements.len()]))
            }
            (Value::Tuple(parts), Ty::Tuple(types)) => Term::Tuple(all(parts, types)),
            (Value::Data(ctor, fields), Ty::Data(id)) => {
                Term::Construct(*id, *ctor, all(fields, &self.data.field_tys(*id, *ctor)))
            }
            _ => Term::Lit(value.clone()),
        }
    }

    /// What is meant by a name that isn't in scope: a variant without its enum, or another language's `None`.
    fn bare_name(&self, name: &str) -> Option<String> {
        if ["null", "nil", "nullptr", "undefined", "NULL"].contains(&name) {
            return Some("a value that is missing is `None`; other types have no such value".to_owned());
        }
        let enums = self.data.catalog.types.iter().filter(|item| item.is_enum);
        let of = { enums }.find(|item| item.ctors.iter().any(|ctor| ctor.name == name))?;
        Some(format!("write `{}::{name}`", of.path))
    }

    fn unknown_name(&self, path: &[Ident], span: Span) -> Diagnostic {
        let written = spelled(path);
        if path.len() == 1 {
            let diagnostic = Diagnostic::error(span, format!("no value `{written}` in scope"));
            if let Some(help) = self.bare_name(&written) {
                return diagnostic.help(help);
            }
            let entries =
                self.scope.entries.iter().filter(|entry| matches!(entry.meaning, Meaning::Term(..)));
            let (nameless, names): (Vec<&str>, Vec<&str>) =
                entries.map(|entry| entry.name.as_str()).partition(|name| *name == "_");
            let names = names.into_iter();
            let locals = self.locals.iter().map(|local| local.name.as_str());
            let constants = self.data.catalog.constants.iter().map(|constant| constant.access.path.as_str());
            let guess = did_you_mean(&written, locals.chain(names.clone()).chain(constants));
            let mut listed: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            listed.sort();
            listed.dedup();
            let mut listed =
                if listed.is_empty() { String::new() } else { format!("in scope: {}", listed.join(", ")) };
            if !nameless.is_empty() {
                let hint = format!(
                    "a parameter of a function type can be mentioned if it has a name: `fn({written}: T)`"
                );
                listed = if listed.is_empty() { hint } else { format!("{listed}; {hint}") };
            }
            return with_guess(diagnostic, guess, &listed);
        }
        let ctors = self.data.catalog.types.iter().flat_map(|item| {
            let name = item.path.rsplit("::").next().unwrap_or_default();
            item.ctors.iter().map(move |ctor| {
                if item.is_enum { format!("{name}::{}", ctor.name) } else { name.to_owned() }
            })
        });
        let ctors: Vec<String> = ctors.collect();
        let guess = did_you_mean(&written, ctors.iter().map(String::as_str));
        let diagnostic = Diagnostic::error(span, format!("no constant or constructor `{written}`"));
        with_guess(diagnostic, guess, "")
    }

    /// A constructor of the crate's types applied to its fields, in order.
    pub(super) fn construct(
        &mut self,
        (item, ctor): (TypeId, u32),
        args: &[&Expr],
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let catalog = self.data.catalog;
        let declared = &catalog.types[item.0 as usize];
        let fields = &declared.ctors[ctor as usize].fields;
        if fields.len() != args.len() {
            let name = format!("`{}`", declared.ctors[ctor as usize].name);
            return Err(count(span, &name, fields.len(), "field", args.len()));
        }
        let mut done: Vec<Option<Typed>> = vec![None; args.len()];
        let id = match hint {
            Some(Ty::Data(id)) if matches!(self.data.item_of(*id), Item::User(found, _) if found == item) => {
                *id
            }
            _ => {
                let mut known = vec![None; declared.generics.len()];
                for (at, field) in fields.iter().enumerate() {
                    // An argument without its own type determines nothing, and is elaborated again below.
                    if known.iter().any(Option::is_none)
                        && let Ok(typed) = self.typed(args[at], None)
                    {
                        self.unify(&declared.generics, &field.ty, &typed.1, &mut known);
                        done[at] = Some(typed);
                    }
                }
                self.instance(item, known, span)?
            }
        };
        let mut terms = Vec::with_capacity(args.len());
        for ((arg, done), ty) in args.iter().zip(done).zip(&self.data.field_tys(id, ctor)) {
            terms.push(match done {
                Some((term, found)) if self.data.compatible(ty, &found) => term,
                Some((_, found)) => return Err(self.mismatch(arg.span, ty, &found)),
                None => self.check(arg, ty)?.0,
            });
        }
        Ok((Term::Construct(id, ctor, terms), Ty::Data(id)))
    }

    fn instance(&mut self, item: TypeId, args: Vec<Option<Ty>>, span: Span) -> Checked<DataId> {
        let name = &self.data.catalog.types[item.0 as usize].path;
        let mut plain = Vec::with_capacity(args.len());
        for arg in args {
            let arg = arg.ok_or_else(|| untyped(span, &format!("this `{name}`")))?;
            plain.push(self.data.plain(&arg));
        }
        let made = self.data.instance(item, plain);
        made.map_err(|reason| Diagnostic::error(span, reason))
    }

    /// Infers type parameters from the type of an argument.
    fn unify(&self, generics: &[String], declared: &RustType, ty: &Ty, known: &mut [Option<Ty>]) {
        match (declared, ty) {
            (RustType::Param(name), ty) => {
                if let Some(at) = generics.iter().position(|generic| generic == name) {
                    known[at].get_or_insert_with(|| ty.clone());
                }
            }
            (
                RustType::Box(inner)
                | RustType::Rc(inner)
                | RustType::Arc(inner)
                | RustType::Cow(inner)
                | RustType::Ref { inner, .. },
                ty,
            ) => self.unify(generics, inner, ty, known),
            (RustType::Vec(inner) | RustType::Slice(inner) | RustType::Array(inner, _), Ty::Seq(element)) => {
                self.unify(generics, inner, element, known);
            }
            (RustType::Deque(inner), Ty::Seq(element)) | (RustType::Set(inner, _), Ty::Set(element)) => {
                self.unify(generics, inner, element, known);
            }
            (RustType::Map(key, value, _), Ty::Map(key_ty, value_ty)) => {
                self.unify(generics, key, key_ty, known);
                self.unify(generics, value, value_ty, known);
            }
            (RustType::Tuple(inner), Ty::Tuple(parts)) => {
                inner.iter().zip(parts).for_each(|(inner, part)| self.unify(generics, inner, part, known));
            }
            (RustType::Option(inner), Ty::Data(id)) => {
                if let Item::Option(element) = self.data.item_of(*id) {
                    self.unify(generics, inner, &element, known);
                }
            }
            (RustType::Item(item, inner), Ty::Data(id)) => {
                if let Item::User(found, args) = self.data.item_of(*id)
                    && found == *item
                {
                    inner.iter().zip(&args).for_each(|(inner, arg)| self.unify(generics, inner, arg, known));
                }
            }
            _ => {}
        }
    }

    /// `Point { x: a, y }`
    pub(super) fn struct_literal(
        &mut self,
        path: &[Ident],
        fields: &[(Ident, Expr)],
        span: Span,
        hint: Option<&Ty>,
    ) -> Checked<Typed> {
        let Some((item, ctor)) = self.data.constructor(path) else {
            if let Some(literal) = self.view_literal(path, fields, span, hint) {
                return literal;
            }
            return Err(self.unknown_name(path, span));
        };
        let names: Vec<String> = self.data.catalog.types[item.0 as usize].ctors[ctor as usize]
            .fields
            .iter()
            .map(|field| field.name.clone())
            .collect();
        for (at, (name, _)) in fields.iter().enumerate() {
            if !names.contains(&name.name) {
                return Err(self.no_field(name, path, &names));
            }
            if fields[..at].iter().any(|(other, _)| other.name == name.name) {
                return Err(Diagnostic::error(
                    name.span,
                    format!("the field `{}` is given twice", name.name),
                ));
            }
        }
        let mut args = Vec::with_capacity(names.len());
        for wanted in &names {
            let Some((_, arg)) = fields.iter().find(|(name, _)| name.name == *wanted) else {
                let message = format!("`{}` lacks its field `{wanted}`", spelled(path));
                return Err(Diagnostic::error(span, message));
            };
            args.push(arg);
        }
        self.construct((item, ctor), &args, span, hint)
    }

    /// The names of a constructor's fields.
    pub(super) fn field_names(&self, id: DataId, ctor: u32) -> Vec<String> {
        let fields = &self.data.get(id).ctors[ctor as usize].fields;
        fields.iter().map(|field| field.name.clone()).collect()
    }

    /// A field that a constructor doesn't have.
    pub(super) fn no_field(&self, name: &Ident, path: &[Ident], known: &[String]) -> Diagnostic {
        let message = format!("no field `{}` in `{}`", name.name, spelled(path));
        let guess = did_you_mean(&name.name, known.iter().map(String::as_str));
        with_guess(Diagnostic::error(name.span, message), guess, "")
    }
}

/// Whether a path is `name`, or `ty::name` with any path to `ty`.
pub(super) fn is_named(path: &[Ident], ty: &str, name: &str) -> bool {
    match path {
        [one] => one.name == name,
        [.., qualifier, last] => qualifier.name == ty && last.name == name,
        [] => false,
    }
}

/// `i64::MAX`, `f64::NAN`, `std::f64::consts::PI`.
fn constant_of_std(path: &[Ident]) -> Option<Typed> {
    let names: Vec<&str> = path.iter().map(|ident| ident.name.as_str()).collect();
    let names = match names.as_slice() {
        ["std" | "core", rest @ ..] => rest,
        all => all,
    };
    let float = |x: f64, kind| Some((Term::Lit(Value::Float(x)), Ty::Float(kind)));
    match names {
        ["f64", name] => float(constant_of_f64(name)?, FloatKind::F64),
        ["f32", name] => float(constant_of_f32(name)?.into(), FloatKind::F32),
        [name @ ("f32" | "f64"), "consts", constant] => {
            let x = match *constant {
                "PI" => std::f64::consts::PI,
                "TAU" => std::f64::consts::TAU,
                "E" => std::f64::consts::E,
                _ => return None,
            };
            let kind = FloatKind::from_name(name)?;
            float(kind.round(x), kind)
        }
        ["char", "MAX"] => Some((Term::Lit(Value::Char(char::MAX)), Ty::Char)),
        [kind, name] => {
            let kind = IntKind::from_name(kind)?;
            match *name {
                "MAX" => Some((extreme(kind, true), Ty::Int(Some(kind)))),
                "MIN" => Some((extreme(kind, false), Ty::Int(Some(kind)))),
                "BITS" => Some((super::build::int(i64::from(kind.bits())), Ty::Int(Some(IntKind::U32)))),
                _ => None,
            }
        }
        _ => None,
    }
}

fn constant_of_f64(name: &str) -> Option<f64> {
    Some(match name {
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        "EPSILON" => f64::EPSILON,
        "MAX" => f64::MAX,
        "MIN" => f64::MIN,
        "MIN_POSITIVE" => f64::MIN_POSITIVE,
        _ => return None,
    })
}

fn constant_of_f32(name: &str) -> Option<f32> {
    Some(match name {
        "EPSILON" => f32::EPSILON,
        "MAX" => f32::MAX,
        "MIN" => f32::MIN,
        "MIN_POSITIVE" => f32::MIN_POSITIVE,
        "INFINITY" | "NEG_INFINITY" | "NAN" => return constant_of_f64(name).map(|x| x as f32),
        _ => return None,
    })
}
