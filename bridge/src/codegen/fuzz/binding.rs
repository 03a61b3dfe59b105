//! Finds the parameters of a function in a fuzz target's input: all of them as a tuple or as the fields of the target's
//! own struct, or one of them alone.
//!
//! The target's owned types (`Vec<i64>`) match the function's borrowed types (`&[i64]`). Only the last parts of names
//! are compared, since the file has its own `use`; rustc checks that the types are the same when it builds the decoder.

use syn::{GenericArgument, PathArguments, Type};
use target_strategies::logic::ir::{
    FloatKind, IntKind, Pointer, Refined, SeqKind, SetKind, Sort, Spec, StrKind,
};
use target_strategies::logic::value::Value;

use super::target::{FuzzTarget, Input};

/// The parameters in a target's input.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// Their positions, in the order of the input.
    pub params: Vec<usize>,
    /// Their types in the target.
    pub types: Vec<Refined>,
    /// The form of the input.
    pub form: Form,
}

/// The form of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// It is the bytes of the one parameter, not decoded at all.
    Bytes,
    /// It is the one parameter.
    Whole,
    /// It has fields with these names, one for each parameter.
    Fields(Vec<String>),
}

impl Binding {
    /// The binding of a target's input to a function, if there is one.
    pub fn new(target: &FuzzTarget, spec: &Spec) -> Option<Binding> {
        let types = || spec.params.iter().map(|param| &param.refined);
        match &target.input {
            Input::Own(key) => (*key == spec.name).then(|| {
                let names = (0..spec.params.len()).map(|index| index.to_string()).collect();
                Binding {
                    params: (0..spec.params.len()).collect(),
                    types: types().cloned().collect(),
                    form: Form::Fields(names),
                }
            }),
            Input::Bytes => match spec.params.as_slice() {
                [param] if is_text(&param.refined.sort) => {
                    Some(Binding { params: vec![0], types: vec![param.refined.clone()], form: Form::Bytes })
                }
                _ => None,
            },
            Input::Other(_) => None,
            Input::Typed(ty) => {
                let fields = fields(ty, target);
                let all = fields.and_then(|fields| all_params(&fields, spec));
                all.or_else(|| {
                    let one =
                        types().enumerate().find_map(|(at, refined)| Some((at, held(ty, refined, spec)?)));
                    one.map(|(at, refined)| Binding {
                        params: vec![at],
                        types: vec![refined],
                        form: Form::Whole,
                    })
                })
            }
        }
    }

    /// The input's type.
    pub fn refined(&self) -> Refined {
        match (&self.form, self.types.as_slice()) {
            (Form::Whole | Form::Bytes, [one]) => one.clone(),
            _ => Refined::plain(Sort::Tuple(self.types.clone())),
        }
    }

    /// The input for an argument tuple.
    pub fn input(&self, args: &[Value]) -> Value {
        let parts: Vec<Value> = self.params.iter().filter_map(|at| args.get(*at).cloned()).collect();
        match (&self.form, parts.as_slice()) {
            (Form::Whole | Form::Bytes, [one]) => one.clone(),
            _ => Value::Tuple(parts.into()),
        }
    }

    /// The argument tuple in an input; `None` if some arguments are missing.
    pub fn args(&self, input: &Value, spec: &Spec) -> Option<Vec<Value>> {
        if self.params.len() != spec.params.len() {
            return None;
        }
        let parts = match (&self.form, input) {
            (Form::Whole | Form::Bytes, one) => vec![one.clone()],
            (Form::Fields(_), Value::Tuple(parts)) => parts.to_vec(),
            _ => return None,
        };
        let at = |param: usize| self.params.iter().position(|at| *at == param);
        (0..spec.params.len()).map(|param| parts.get(at(param)?).cloned()).collect()
    }
}

/// Whether a value is text or bytes, which a target may take directly.
fn is_text(sort: &Sort) -> bool {
    let is_byte = |element: &Refined| element.pointers.is_empty() && element.sort == Sort::Int(IntKind::U8);
    match sort {
        Sort::Str(_) => true,
        Sort::Seq(element, SeqKind::Vec | SeqKind::Slice) => is_byte(element),
        Sort::Bool
        | Sort::Char
        | Sort::Int(_)
        | Sort::Float(_)
        | Sort::Seq(..)
        | Sort::Set(..)
        | Sort::Map(..)
        | Sort::Tuple(_)
        | Sort::Data(_)
        | Sort::Opaque(_) => false,
    }
}

/// The fields of a tuple, or of a struct in the target's file.
fn fields(ty: &Type, target: &FuzzTarget) -> Option<Vec<(String, Type)>> {
    match ty {
        Type::Tuple(tuple) => {
            Some(tuple.elems.iter().enumerate().map(|(at, ty)| (at.to_string(), ty.clone())).collect())
        }
        Type::Path(path) => {
            path.path.segments.last().and_then(|last| target.structs.get(&last.ident.to_string()).cloned())
        }
        Type::Paren(inner) => fields(&inner.elem, target),
        _ => None,
    }
}

/// The parameters in an equal number of fields: by name if all names match, in order if none do. If only some match,
/// the other fields may be anything.
fn all_params(fields: &[(String, Type)], spec: &Spec) -> Option<Binding> {
    if fields.len() != spec.params.len() {
        return None;
    }
    let named = |name: &str| spec.params.iter().position(|param| param.name == name);
    let by_name: Vec<usize> = fields.iter().filter_map(|(name, _)| named(name)).collect();
    let params = match by_name.len() {
        0 => (0..fields.len()).collect(),
        n if n == fields.len() => by_name,
        _ => return None,
    };
    let type_of = |((_, ty), at): (&(String, Type), &usize)| held(ty, &spec.params[*at].refined, spec);
    let types = fields.iter().zip(&params).map(type_of).collect::<Option<_>>()?;
    let names = fields.iter().map(|(name, _)| name.clone()).collect();
    Some(Binding { params, types, form: Form::Fields(names) })
}

/// A parameter's type with the pointers of a Rust type, if they match.
fn held(ty: &Type, refined: &Refined, spec: &Spec) -> Option<Refined> {
    match ty {
        Type::Paren(inner) => held(&inner.elem, refined, spec),
        Type::Group(inner) => held(&inner.elem, refined, spec),
        Type::Reference(reference) => behind(Pointer::Ref, &reference.elem, refined, spec),
        Type::Tuple(tuple) => {
            let Sort::Tuple(parts) = &refined.sort else { return None };
            (tuple.elems.len() == parts.len()).then_some(())?;
            let parts = tuple.elems.iter().zip(parts).map(|(ty, part)| held(ty, part, spec));
            Some(of_sort(Sort::Tuple(parts.collect::<Option<_>>()?), refined))
        }
        Type::Array(array) => {
            let Sort::Seq(element, kind @ SeqKind::Array(_)) = &refined.sort else { return None };
            Some(of_sort(Sort::Seq(Box::new(held(&array.elem, element, spec)?), *kind), refined))
        }
        Type::Slice(slice) => sequence(&slice.elem, SeqKind::Slice, refined, spec),
        Type::Path(path) => named(path, refined, spec),
        _ => None,
    }
}

fn behind(pointer: Pointer, inner: &Type, refined: &Refined, spec: &Spec) -> Option<Refined> {
    let mut inside = held(inner, refined, spec)?;
    inside.pointers.insert(0, pointer);
    Some(inside)
}

fn of_sort(sort: Sort, refined: &Refined) -> Refined {
    Refined { pointers: Vec::new(), sort, clauses: refined.clauses.clone() }
}

fn sequence(element: &Type, kind: SeqKind, refined: &Refined, spec: &Spec) -> Option<Refined> {
    let Sort::Seq(inner, SeqKind::Vec | SeqKind::Slice | SeqKind::Deque) = &refined.sort else { return None };
    Some(of_sort(Sort::Seq(Box::new(held(element, inner, spec)?), kind), refined))
}

fn named(path: &syn::TypePath, refined: &Refined, spec: &Spec) -> Option<Refined> {
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    let args: Vec<&Type> = match &last.arguments {
        PathArguments::AngleBracketed(args) => args
            .args
            .iter()
            .filter_map(|arg| if let GenericArgument::Type(ty) = arg { Some(ty) } else { None })
            .collect(),
        _ => Vec::new(),
    };
    let exactly = |sort: Sort| (refined.sort == sort).then(|| of_sort(sort, refined));
    match (name.as_str(), args.as_slice()) {
        ("bool", []) => exactly(Sort::Bool),
        ("char", []) => exactly(Sort::Char),
        ("String", []) => text(StrKind::String, refined),
        ("str", []) => text(StrKind::Str, refined),
        ("Box", [inner]) => behind(Pointer::Box, inner, refined, spec),
        ("Rc", [inner]) => behind(Pointer::Rc, inner, refined, spec),
        ("Arc", [inner]) => behind(Pointer::Arc, inner, refined, spec),
        ("Cow", [inner]) => behind(Pointer::Cow, inner, refined, spec),
        ("Vec", [element]) => sequence(element, SeqKind::Vec, refined, spec),
        ("VecDeque", [element]) => sequence(element, SeqKind::Deque, refined, spec),
        ("BTreeSet" | "HashSet", [element]) => {
            let Sort::Set(inner, _) = &refined.sort else { return None };
            let kind = if name == "HashSet" { SetKind::Hash } else { SetKind::BTree };
            Some(of_sort(Sort::Set(Box::new(held(element, inner, spec)?), kind), refined))
        }
        ("BTreeMap" | "HashMap", [key, value]) => {
            let Sort::Map(k, v, kind) = &refined.sort else { return None };
            Some(of_sort(
                Sort::Map(Box::new(held(key, k, spec)?), Box::new(held(value, v, spec)?), *kind),
                refined,
            ))
        }
        (scalar, []) if IntKind::from_name(scalar).is_some() => {
            exactly(Sort::Int(IntKind::from_name(scalar)?))
        }
        (scalar, []) if FloatKind::from_name(scalar).is_some() => {
            exactly(Sort::Float(FloatKind::from_name(scalar)?))
        }
        _ => data(&name, refined, spec),
    }
}

fn text(kind: StrKind, refined: &Refined) -> Option<Refined> {
    matches!(refined.sort, Sort::Str(_)).then(|| of_sort(Sort::Str(kind), refined))
}

/// A struct or enum with the same name, including `Option` and `Result`.
fn data(name: &str, refined: &Refined, spec: &Spec) -> Option<Refined> {
    let Sort::Data(id) = &refined.sort else { return None };
    let path = spec.data(*id).rust_type.split('<').next()?;
    (path.rsplit("::").next()? == name).then(|| of_sort(refined.sort.clone(), refined))
}
