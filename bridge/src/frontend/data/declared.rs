//! Turns a type of the user's source into a refined type without refinements, or says why it isn't supported.

use target_strategies::logic::ir::{
    Callback, CallbackId, CallbackKind, CallbackParam, DataId, FloatKind, Pointer, Refined, SeqKind, Sort,
    Step, StrKind,
};

use super::key::TypeConstructor;
use super::{DataTable, Position};
use crate::frontend::catalog::{FunctionType, Length, RustType, TypeId, projection};
use crate::frontend::data::declared_type::{pointer, type_text, unsupported};
use crate::frontend::logic_type::Ty;

impl DataTable<'_> {
    /// A source type as a refined type without refinements, with its type parameters replaced; or why it isn't
    /// supported.
    pub fn declared(
        &mut self,
        ty: &RustType,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        match self.declared_strictly(ty, env, position) {
            Err(_) if position == Position::Output => {
                Ok(Refined::plain(Sort::Opaque(type_text(self.catalog, ty))))
            }
            other => other,
        }
    }

    fn declared_strictly(
        &mut self,
        ty: &RustType,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        let sort = match ty {
            RustType::Bool => Sort::Bool,
            RustType::Char => Sort::Char,
            RustType::Int(kind) => Sort::Int(*kind),
            RustType::Float(32) => Sort::Float(FloatKind::F32),
            RustType::Float(64) => Sort::Float(FloatKind::F64),
            RustType::String => Sort::Str(StrKind::String),
            RustType::Str => Sort::Str(StrKind::Str),
            RustType::Tuple(parts) => {
                let parts: Result<_, _> =
                    parts.iter().map(|part| self.declared(part, env, position)).collect();
                Sort::Tuple(parts?)
            }
            RustType::Array(inner, length) => self.array(ty, (inner, length), env, position)?,
            RustType::Other(text) if ty.constant().is_some() => Sort::Opaque(text.clone()),
            RustType::Slice(inner) => self.sequence(inner, env, position, SeqKind::Slice)?,
            RustType::Vec(inner) => self.sequence(inner, env, position, SeqKind::Vec)?,
            RustType::Deque(inner) => self.sequence(inner, env, position, SeqKind::Deque)?,
            RustType::Set(inner, kind) => {
                let element = self.declared(inner, env, position)?;
                self.can_be_key(&element, ty)?;
                Sort::Set(Box::new(element), *kind)
            }
            RustType::Map(key, value, kind) => {
                let (key, value) = (self.declared(key, env, position)?, self.declared(value, env, position)?);
                self.can_be_key(&key, ty)?;
                Sort::Map(Box::new(key), Box::new(value), *kind)
            }
            RustType::Option(inner) => {
                let inner = self.declared(inner, env, position)?;
                Sort::Data(self.option_of(inner))
            }
            RustType::Result(ok, err) => {
                let (ok, err) = (self.declared(ok, env, position)?, self.declared(err, env, position)?);
                Sort::Data(self.result_of(ok, err))
            }
            RustType::Item(id, args) => self.item(ty, (*id, args), env, position)?,
            RustType::Param(name) => {
                return self.parameter(name, env, position);
            }
            RustType::Box(_)
            | RustType::Rc(_)
            | RustType::Arc(_)
            | RustType::Cow(_)
            | RustType::Ref { .. } => {
                return self.behind_pointer(ty, env, position);
            }
            RustType::Function(function) if position != Position::Output => self.function(function, env)?,
            RustType::Foreign(path, args) => match self.shipped(path, args, env, position) {
                Some(sort) => sort,
                None => return Err(unsupported(self.catalog, ty)),
            },
            RustType::Float(_) | RustType::Function(_) | RustType::Other(_) => {
                return Err(unsupported(self.catalog, ty));
            }
        };
        Ok(Refined::plain(sort))
    }

    /// A type parameter.
    fn parameter(
        &mut self,
        name: &str,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        if let Some((_, refined)) = env.iter().find(|(param, _)| param == name) {
            return Ok(refined.clone());
        }
        match self.projected(name, env) {
            Some(ty) => self.declared(&ty, &[], position),
            None => Err(format!("the spec doesn't say what `{name}` is")),
        }
    }

    /// What a parameter like `S::Item` is, where the argument for `S` is known.
    fn projected(&self, name: &str, env: &[(String, Refined)]) -> Option<RustType> {
        let (param, of_trait, associated) = projection(name)?;
        let (_, of) = env.iter().find(|(known, _)| known == param)?;
        self.catalog.associated_type(&self.rust_of(of), of_trait, associated)
    }

    /// An array. Its length may be a constant parameter.
    fn array(
        &mut self,
        ty: &RustType,
        (inner, length): (&RustType, &Length),
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Sort, String> {
        let argument = |ty: &RustType| match ty {
            RustType::Param(name) => env.iter().find(|(param, _)| param == name),
            _ => None,
        };
        let length = length.replaced(|ty| Some(self.rust_of(&argument(ty)?.1)));
        let length = length.known().ok_or_else(|| unsupported(self.catalog, ty))?;
        self.sequence(inner, env, position, SeqKind::Array(length))
    }

    /// A type of the crate. What a value of a trait is can't be read from a result.
    fn item(
        &mut self,
        ty: &RustType,
        (id, args): (TypeId, &[RustType]),
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Sort, String> {
        if position == Position::Output && self.catalog.item(id).of_trait.is_some() {
            return Err(unsupported(self.catalog, ty));
        }
        let args: Result<_, _> = args.iter().map(|arg| self.declared(arg, env, position)).collect();
        Ok(Sort::Data(self.instance(id, args?)?))
    }

    /// A type of the standard library that has a view.
    fn shipped(
        &mut self,
        path: &str,
        args: &[RustType],
        env: &[(String, Refined)],
        position: Position,
    ) -> Option<Sort> {
        let index = self.declarations.views.of_std(&path.split("::").collect::<Vec<_>>())?;
        let args = args.iter().map(|arg| self.declared(arg, env, position).ok());
        let args = args.collect::<Option<Vec<Refined>>>()?;
        Some(Sort::Data(self.shipped_instance(index, args)?))
    }

    /// A function of which nothing is said.
    fn function(&mut self, function: &FunctionType, env: &[(String, Refined)]) -> Result<Sort, String> {
        let mut params = Vec::new();
        for ty in &function.params {
            let refined = self.declared_strictly(ty, env, Position::Output)?;
            params.push(CallbackParam { name: "_".to_owned(), slot: self.fresh(), refined });
        }
        let result = self.declared(&function.result, env, Position::Input)?;
        let id = CallbackId(self.callbacks.len() as u32);
        let (requires, ensures) = (Vec::new(), Vec::new());
        let is_pointer = function.is_pointer;
        let kind = CallbackKind::Pure;
        self.callbacks.push(Callback { kind, params, requires, ensures, is_pointer, steps: None });
        Ok(Sort::Seq(Box::new(result), SeqKind::Answers(id)))
    }

    fn sequence(
        &mut self,
        inner: &RustType,
        env: &[(String, Refined)],
        position: Position,
        kind: SeqKind,
    ) -> Result<Sort, String> {
        Ok(Sort::Seq(Box::new(self.declared(inner, env, position)?), kind))
    }

    /// Rejects a set or map whose elements or keys have no order or no equality.
    fn can_be_key(&self, key: &Refined, of: &RustType) -> Result<(), String> {
        let why = match self.unordered_part(&self.ty_of(key)) {
            None => return Ok(()),
            Some(Ty::Float(_)) => "floats can be neither ordered nor hashed",
            Some(_) => "the tool can't look into what it holds",
        };
        Err(format!("`{}` is no set or map: {why}", type_text(self.catalog, of)))
    }

    /// A part of a type whose values have no order: a float, or a type that can't be read.
    pub fn unordered_part(&self, ty: &Ty) -> Option<Ty> {
        let (mut open, mut seen) = (vec![ty.clone()], Vec::new());
        while let Some(ty) = open.pop() {
            match ty {
                // A measure's own type parameter isn't known yet.
                Ty::Opaque(parameter) if parameter.starts_with('\'') => {}
                Ty::Float(_) | Ty::Opaque(_) => return Some(ty),
                Ty::Seq(element) | Ty::Set(element) | Ty::Bag(element) => open.push(*element),
                Ty::Map(key, value) => open.extend([*key, *value]),
                Ty::Tuple(parts) => open.extend(parts),
                Ty::Data(id) if !seen.contains(&id) => {
                    seen.push(id);
                    let ctors = 0..self.get(id).ctors.len();
                    ctors.for_each(|ctor| open.extend(self.field_tys(id, ctor as u32)));
                }
                _ => {}
            }
        }
        None
    }

    fn behind_pointer(
        &mut self,
        ty: &RustType,
        env: &[(String, Refined)],
        position: Position,
    ) -> Result<Refined, String> {
        let Some((pointer, inner)) = pointer(ty) else {
            return Err(unsupported(self.catalog, ty));
        };
        if position == Position::Field && matches!(pointer, Pointer::Ref | Pointer::RefMut) {
            return Err("fields that hold references are not supported yet".to_owned());
        }
        let mut refined = self.declared(inner, env, position)?;
        refined.pointers.insert(0, pointer);
        Ok(refined)
    }

    /// The source type of a refined type.
    pub fn rust_of(&self, refined: &Refined) -> RustType {
        let inner = |refined: &Refined| Box::new(self.rust_of(refined));
        let core = match &refined.sort {
            Sort::Bool => RustType::Bool,
            Sort::Char => RustType::Char,
            Sort::Int(kind) => RustType::Int(*kind),
            Sort::Float(FloatKind::F32) => RustType::Float(32),
            Sort::Float(FloatKind::F64) => RustType::Float(64),
            Sort::Str(StrKind::String) => RustType::String,
            Sort::Str(StrKind::Str) => RustType::Str,
            Sort::Seq(result, SeqKind::Answers(id)) => {
                let params = &self.callbacks[id.0 as usize].params;
                let params = params.iter().map(|param| self.rust_of(&param.refined)).collect();
                let result = match self.callbacks[id.0 as usize].steps {
                    Some(steps) => &self.get(steps).ctors[Step::Return as usize].fields[0].refined,
                    None => result,
                };
                let result = self.rust_of(result);
                RustType::Function(Box::new(FunctionType {
                    params,
                    result,
                    is_pointer: self.callbacks[id.0 as usize].is_pointer,
                }))
            }
            Sort::Seq(element, SeqKind::Vec) => RustType::Vec(inner(element)),
            Sort::Seq(element, SeqKind::Slice) => RustType::Slice(inner(element)),
            Sort::Seq(element, SeqKind::Array(n)) => RustType::Array(inner(element), Length::Known(*n)),
            Sort::Seq(element, SeqKind::Deque) => RustType::Deque(inner(element)),
            Sort::Seq(element, SeqKind::Iter) => {
                RustType::Foreign("std::vec::IntoIter".to_owned(), vec![self.rust_of(element)])
            }
            Sort::Set(element, kind) => RustType::Set(inner(element), *kind),
            Sort::Map(key, value, kind) => RustType::Map(inner(key), inner(value), *kind),
            Sort::Tuple(parts) => RustType::Tuple(parts.iter().map(|part| self.rust_of(part)).collect()),
            Sort::Data(id) => self.rust_item(*id),
            Sort::Opaque(text) => RustType::Other(text.clone()),
        };
        refined.pointers.iter().rev().fold(core, |behind, pointer| {
            let inner = Box::new(behind);
            match pointer {
                Pointer::Ref => RustType::Ref { mutable: false, inner },
                Pointer::RefMut => RustType::Ref { mutable: true, inner },
                Pointer::Box => RustType::Box(inner),
                Pointer::Rc => RustType::Rc(inner),
                Pointer::Arc => RustType::Arc(inner),
                Pointer::Cow => RustType::Cow(inner),
            }
        })
    }

    fn rust_item(&self, id: DataId) -> RustType {
        // To Rust, a view is the type that it refines.
        let key = &self.keys[self.bases[id.0 as usize].0 as usize];
        let args: Vec<RustType> = key.args.iter().map(|arg| self.rust_of(arg)).collect();
        match (key.constructor, args.as_slice()) {
            (TypeConstructor::User(ty), _) => RustType::Item(ty, args),
            (TypeConstructor::Rule(_) | TypeConstructor::Group(_), _) => RustType::String,
            (TypeConstructor::Option, [element]) => RustType::Option(Box::new(element.clone())),
            (TypeConstructor::Result, [ok, err]) => {
                RustType::Result(Box::new(ok.clone()), Box::new(err.clone()))
            }
            _ => RustType::Other(self.get(id).rust_type.clone()),
        }
    }
}
