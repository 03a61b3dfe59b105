//! Functions that a function returns: they are called with arguments of their own.
//!
//! `fn(n: i32) -> fn(x: i32) -> {r: i32 | r == x + n}` is the spec of `|n, x| adder(n)(x)`: its inputs are those of both
//! functions, and its result is that of the last one. So all that is known of inputs and results serves here, too.
//!
//! Functions in a tuple, an `Option`, a list or a map are called, too: `fn(n: i32) -> (u8, Option<fn(x: i32) -> i32>)` is the
//! spec of `|n, x| match f(n) { (f, g) => (f, g.map(|f| f(x))) }`, whose result is a `(u8, Option<i32>)`.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{CallbackKind, Clause, mentions};

use crate::frontend::catalog::{Catalog, FieldItem, FunctionType, RustType};
use crate::frontend::data::declared_type::{pointer, type_text};
use crate::frontend::diagnostic::{Diagnostic, Span, counted};
use crate::frontend::resolve::callee::{Callee, repeated};
use crate::frontend::spec::ast::{Condition, Param, Signature, Type, TypeKind};
use crate::frontend::subject::{ReturnedPart, Subject};

/// A spec in which calls of returned functions are part of the call.
pub struct Flattened {
    /// The signature over the parameters of all calls, with the last result.
    pub signature: Signature,
    /// The names of its parameters in reports. In conditions, a parameter that the user gave no name has none.
    pub names: Vec<String>,
    /// The function with these parameters.
    pub callee: Option<Callee>,
    /// The calls of returned functions.
    pub returned: Vec<ReturnedPart>,
}

/// A spec without functions as results.
pub fn flattened(
    signature: Signature,
    callee: Option<Callee>,
    catalog: &Catalog,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Flattened> {
    flat(signature, callee, catalog).map_err(|mistake| diagnostics.push(mistake)).ok()
}

/// The same, or what is wrong with a function in the result.
fn flat(signature: Signature, callee: Option<Callee>, catalog: &Catalog) -> Result<Flattened, Diagnostic> {
    let n_own = signature.params.len();
    let mut flattening = Flattening { signature, params: Vec::new(), catalog };
    let mut declared = callee.as_ref().and_then(|callee| callee.result.clone());
    let mut returned = Vec::new();
    while let Some(mut ty) = flattening.signature.result.take() {
        let part = if let Some((kind, inner)) = function(&ty) {
            let (inner, span) = (inner.clone(), ty.span);
            let part = flattening.function(kind, &inner, span, &mut declared)?;
            flattening.signature.ensures.extend(inner.ensures);
            flattening.panics_if(inner.panics_if, span)?;
            flattening.signature.result = inner.result;
            part
        } else {
            let part = flattening.part(&mut ty, &mut declared, None)?;
            flattening.signature.result = Some(ty);
            part
        };
        if part == ReturnedPart::Value {
            break;
        }
        returned.push(part);
    }
    let Flattening { signature, params, .. } = flattening;
    let named = signature.params.iter().filter(|param| param.name.name != "_");
    if let Some(twice) = repeated(named).filter(|_| !returned.is_empty()) {
        let help = "the function and those that it returns are called together: give each argument a name of its own";
        let message = format!("two parameters are named `{}`", twice.name.name);
        return Err(Diagnostic::error(twice.name.span, message).help(help));
    }
    let callee = callee.map(|mut callee| {
        callee.params.extend(params);
        callee.result = declared;
        callee
    });
    let names = names(&signature.params, n_own);
    Ok(Flattened { signature, names, callee, returned })
}

/// The names of parameters, with one for each parameter of returned functions that has none. They are after the function's own.
fn names(params: &[Param], n_own: usize) -> Vec<String> {
    let is_known = |name: &String| params.iter().any(|param| param.name.name == *name);
    let name = |(index, param): (usize, &Param)| {
        if index < n_own || param.name.name != "_" {
            return param.name.name.clone();
        }
        let mut name = format!("arg{}", index + 1);
        while is_known(&name) {
            name.push('_');
        }
        name
    };
    params.iter().enumerate().map(name).collect()
}

/// A signature that gets the parameters of the functions in its result.
struct Flattening<'c> {
    signature: Signature,
    /// What the source says of these parameters.
    params: Vec<(String, Option<RustType>)>,
    catalog: &'c Catalog,
}

impl Flattening<'_> {
    /// What a part of the result is, whose functions are replaced by what they return. In `declared` is what the source says of it.
    fn part(
        &mut self,
        ty: &mut Type,
        declared: &mut Option<RustType>,
        shared: Option<Shared>,
    ) -> Result<ReturnedPart, Diagnostic> {
        let span = ty.span;
        if let Some((kind, inner)) = function(ty) {
            let inner = inner.clone();
            may_be_inside(&inner, span, shared)?;
            let part = self.function(kind, &inner, span, declared)?;
            *ty = inner.result.unwrap_or(Type { kind: TypeKind::Tuple(Vec::new()), span });
            return Ok(part);
        }
        match &mut ty.kind {
            // What a condition says of a function itself has no meaning.
            TypeKind::Refined { base, .. } if function(base).is_some() => Ok(ReturnedPart::Value),
            TypeKind::Refined { base, .. } => self.part(base, declared, shared),
            TypeKind::Tuple(parts) => {
                let mut of_parts: Vec<Option<RustType>> = match declared {
                    Some(RustType::Tuple(of_parts)) if of_parts.len() == parts.len() => {
                        of_parts.iter().cloned().map(Some).collect()
                    }
                    _ => vec![None; parts.len()],
                };
                let found = parts.iter_mut().zip(&mut of_parts);
                let found = found.map(|(part, declared)| self.part(part, declared, shared));
                let found: Vec<ReturnedPart> = found.collect::<Result<_, _>>()?;
                if found.iter().all(|part| *part == ReturnedPart::Value) {
                    return Ok(ReturnedPart::Value);
                }
                self.is_declared(
                    declared,
                    span,
                    |ty| matches!(ty, RustType::Tuple(of) if of.len() == found.len()),
                )?;
                *declared = of_parts.into_iter().collect::<Option<_>>().map(RustType::Tuple);
                Ok(ReturnedPart::Tuple(found))
            }
            TypeKind::Array(element, _) => {
                let found = self.inside(element, declared, (span, Some(Shared::Array)), Of::array)?;
                Ok(wrapped(found, ReturnedPart::Array))
            }
            TypeKind::Path { path, generics, .. } => {
                let [name] = path.as_slice() else { return Ok(ReturnedPart::Value) };
                let Some(of) = Of::named(&name.name, generics.len()) else { return Ok(ReturnedPart::Value) };
                let Some(element) = generics.get_mut(of.at) else { return Ok(ReturnedPart::Value) };
                let found = self.inside(element, declared, (span, of.shared.or(shared)), of.element)?;
                Ok(wrapped(found, |found| (of.part)(found)))
            }
            TypeKind::Function(..)
            | TypeKind::Ref { .. }
            | TypeKind::Constant(_)
            | TypeKind::Slice(_)
            | TypeKind::Associated(..) => Ok(ReturnedPart::Value),
        }
    }

    /// What is inside of a container.
    fn inside(
        &mut self,
        element: &mut Type,
        declared: &mut Option<RustType>,
        (span, shared): (Span, Option<Shared>),
        of: fn(&mut RustType) -> Option<&mut RustType>,
    ) -> Result<ReturnedPart, Diagnostic> {
        let mut of_element = declared.clone().and_then(|mut declared| of(&mut declared).cloned());
        let found = self.part(element, &mut of_element, shared)?;
        if found != ReturnedPart::Value {
            self.is_declared(declared, span, |ty| of(&mut ty.clone()).is_some())?;
            match (declared.as_mut().and_then(of), of_element) {
                (Some(place), Some(of_element)) => *place = of_element,
                (Some(_) | None, _) => *declared = None,
            }
        }
        Ok(found)
    }

    /// Whether the source has a type for a container of functions, as far as it is known.
    fn is_declared(
        &self,
        declared: &Option<RustType>,
        span: Span,
        is_it: impl Fn(&RustType) -> bool,
    ) -> Result<(), Diagnostic> {
        match declared {
            None | Some(RustType::Other(_)) => Ok(()),
            Some(ty) if is_it(ty) => Ok(()),
            Some(ty) => {
                let message = format!("the function returns `{}`", type_text(self.catalog, ty));
                Err(Diagnostic::error(span, message))
            }
        }
    }

    /// Adds the parameters of a function in the result.
    fn function(
        &mut self,
        kind: CallbackKind,
        inner: &Signature,
        span: Span,
        declared: &mut Option<RustType>,
    ) -> Result<ReturnedPart, Diagnostic> {
        if kind == CallbackKind::Stateful {
            return Err(depends_on_calls(span));
        }
        let function = declared_function(declared.as_ref(), span, self.catalog)?.cloned();
        if let Some(function) =
            function.as_ref().filter(|function| function.params.len() != inner.params.len())
        {
            let declared = counted(function.params.len(), "parameter");
            let message =
                format!("the returned function has {declared}, the spec has {}", inner.params.len());
            return Err(Diagnostic::error(span, message));
        }
        let declared_param = |index: usize| function.as_ref().map(|function| function.params[index].clone());
        let params = inner.params.iter().enumerate();
        self.params.extend(params.map(|(index, param)| (param.name.name.clone(), declared_param(index))));
        *declared = function.map(|function| function.result);
        self.signature.params.extend(inner.params.iter().cloned());
        self.signature.requires.extend(inner.requires.iter().cloned());
        Ok(ReturnedPart::Function(inner.params.len()))
    }

    /// Only one of the calls may be said to panic.
    fn panics_if(&mut self, inner: Option<Condition>, span: Span) -> Result<(), Diagnostic> {
        if self.signature.panics_if.is_some() && inner.is_some() {
            let message = "`panics if` is in both types, and only one of them may have it";
            return Err(Diagnostic::error(span, message));
        }
        self.signature.panics_if = self.signature.panics_if.take().or(inner);
        Ok(())
    }
}

/// Whether a function may be a part of a result.
fn may_be_inside(inner: &Signature, span: Span, shared: Option<Shared>) -> Result<(), Diagnostic> {
    if !inner.ensures.is_empty() || inner.panics_if.is_some() {
        let message = "`ensures` and `panics if` can't be about a function inside of a result";
        let help = "write a condition on its result as a refinement: `Option<fn(x: u8) -> {r: u8 | r >= x}>`";
        return Err(Diagnostic::error(span, message).help(help));
    }
    let (Some(shared), Some(param)) = (shared, inner.params.iter().find(|param| is_mut(&param.ty))) else {
        return Ok(());
    };
    let message =
        format!("the functions in {} of the result would share this `&mut` argument", shared.named());
    let help = format!("let a `call` call them: `call = \"|n, x| make(n){}\"`", shared.calls());
    Err(Diagnostic::error(param.ty.span, message).help(help))
}

/// A container whose functions are all called with the same arguments.
#[derive(Clone, Copy)]
enum Shared {
    /// An array.
    Array,
    /// A list of a type by its name.
    List(&'static str),
    /// A map of a type by its name.
    Map(&'static str),
}

impl Shared {
    /// In words, with an article.
    fn named(self) -> String {
        match self {
            Shared::Array => "an array".to_owned(),
            Shared::List(name) | Shared::Map(name) => format!("a `{name}`"),
        }
    }

    /// The code that calls its functions with arguments of their own.
    fn calls(self) -> String {
        match self {
            Shared::Array => ".map(|f| f(&mut x.clone()))".to_owned(),
            Shared::List(name) => {
                format!(".into_iter().map(|f| f(&mut x.clone())).collect::<{name}<_>>()")
            }
            Shared::Map(name) => {
                format!(".into_iter().map(|(key, f)| (key, f(&mut x.clone()))).collect::<{name}<_, _>>()")
            }
        }
    }
}

/// A container around what is inside, if there are functions.
fn wrapped(found: ReturnedPart, around: impl Fn(Box<ReturnedPart>) -> ReturnedPart) -> ReturnedPart {
    if found == ReturnedPart::Value { found } else { around(Box::new(found)) }
}

/// A container of the standard library.
struct Of {
    /// The position of the type argument with the functions.
    at: usize,
    /// Set if it may have several functions.
    shared: Option<Shared>,
    /// Their type in the container's type.
    element: fn(&mut RustType) -> Option<&mut RustType>,
    part: fn(Box<ReturnedPart>) -> ReturnedPart,
}

impl Of {
    /// The container of that name with so many type arguments.
    fn named(name: &str, n_generics: usize) -> Option<Of> {
        Some(match (name, n_generics) {
            ("Option", 1) | ("Result", 2) => {
                Of { at: 0, shared: None, element: Of::maybe, part: ReturnedPart::Maybe }
            }
            ("Vec", 1) => Of {
                at: 0,
                shared: Some(Shared::List("Vec")),
                element: Of::list,
                part: |inner| ReturnedPart::List(inner, "Vec"),
            },
            ("VecDeque", 1) => Of {
                at: 0,
                shared: Some(Shared::List("VecDeque")),
                element: Of::list,
                part: |inner| ReturnedPart::List(inner, "std::collections::VecDeque"),
            },
            ("BTreeMap", 2) => Of {
                at: 1,
                shared: Some(Shared::Map("BTreeMap")),
                element: Of::map,
                part: |inner| ReturnedPart::Map(inner, "std::collections::BTreeMap"),
            },
            ("HashMap", 2) => Of {
                at: 1,
                shared: Some(Shared::Map("HashMap")),
                element: Of::map,
                part: |inner| ReturnedPart::Map(inner, "std::collections::HashMap"),
            },
            _ => return None,
        })
    }

    fn maybe(ty: &mut RustType) -> Option<&mut RustType> {
        if let RustType::Option(inner) | RustType::Result(inner, _) = ty { Some(inner) } else { None }
    }

    fn list(ty: &mut RustType) -> Option<&mut RustType> {
        if let RustType::Vec(inner) | RustType::Deque(inner) = ty { Some(inner) } else { None }
    }

    fn array(ty: &mut RustType) -> Option<&mut RustType> {
        if let RustType::Array(inner, _) = ty { Some(inner) } else { None }
    }

    fn map(ty: &mut RustType) -> Option<&mut RustType> {
        if let RustType::Map(_, value, _) = ty { Some(value) } else { None }
    }
}

/// The function that a result is, behind any pointers.
fn function(ty: &Type) -> Option<(CallbackKind, &Signature)> {
    match &ty.kind {
        TypeKind::Function(kind, signature) => Some((*kind, signature)),
        TypeKind::Ref { inner, .. } => function(inner),
        TypeKind::Path { path, generics, .. } => match (path.as_slice(), generics.as_slice()) {
            ([name], [inner]) if ["Box", "Rc", "Arc"].contains(&name.name.as_str()) => function(inner),
            _ => None,
        },
        TypeKind::Tuple(_)
        | TypeKind::Array(..)
        | TypeKind::Constant(_)
        | TypeKind::Slice(_)
        | TypeKind::Associated(..)
        | TypeKind::Refined { .. } => None,
    }
}

/// The function that the source has at a place of the result, as far as it is known.
fn declared_function<'t>(
    mut declared: Option<&'t RustType>,
    span: Span,
    catalog: &Catalog,
) -> Result<Option<&'t FunctionType>, Diagnostic> {
    while let Some((_, inner)) = declared.and_then(pointer) {
        declared = Some(inner);
    }
    match declared {
        None | Some(RustType::Other(_)) => Ok(None),
        Some(RustType::Function(function)) => Ok(Some(function)),
        Some(other) => {
            let message = format!("the function returns `{}`, and no function", type_text(catalog, other));
            Err(Diagnostic::error(span, message))
        }
    }
}

/// Whether no condition relates arguments of functions in a container to other arguments; each that does is a mistake. There may be no
/// such function, and the other calls must be tried all the same, also where these arguments could have no value.
pub fn contained_are_independent(subject: &Subject, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let (spec, contained) = (&subject.spec, subject.contained());
    let (inside, outside): (Vec<u32>, Vec<u32>) =
        (0..spec.params.len() as u32).partition(|slot| contained.contains(&(*slot as usize)));
    let reads = |clause: &Clause, slots: &[u32]| slots.iter().any(|slot| mentions(&clause.term, *slot));
    let mut dependent: Vec<&Clause> = Vec::new();
    for (index, param) in spec.params.iter().enumerate() {
        let mut clauses = Vec::new();
        param.refined.clauses_inside(&mut clauses);
        let others = if contained.contains(&index) { &outside } else { &inside };
        dependent.extend(clauses.into_iter().filter(|clause| reads(clause, others)));
    }
    let required = spec.requires.iter();
    dependent.extend(required.filter(|clause| reads(clause, &inside) && reads(clause, &outside)));
    for clause in &dependent {
        let message = "the arguments of a function inside of a result can't depend on those of other calls";
        let help = "there may be no such function; let a `call` call it: `call = \"|n, x| make(n).map(|f| f(x % n))\"`";
        diagnostics.push(Diagnostic::error(subject.clause_spans[clause.id as usize], message).help(help));
    }
    dependent.is_empty()
}

/// The warning that a function in the result isn't called: one in a field of the crate's types, in an error, or behind a
/// reference.
pub fn uncalled(callee: &Callee, signature: &Signature, catalog: &Catalog) -> Option<Diagnostic> {
    let result = callee.result.as_ref()?;
    let span = signature.result.as_ref().map_or(signature.span, |result| result.span);
    let mut seen = BTreeSet::new();
    let mut waiting = vec![(result, true, format!("the function in `{}`", type_text(catalog, result)))];
    while let Some((ty, is_open, whose)) = waiting.pop() {
        if ty.function().is_some() {
            let message = format!("{whose} of the result isn't called, so nothing is said of what it gives");
            let by_method = "a `call` can call a method that calls it, so that its result is the result: `call = \"|n, x| make(n).run(x)\"`";
            let by_field = "a `call` can call it, so that its result is the result: `call = \"|n, x| (make(n).run)(x)\"`";
            let help = if is_open { by_field } else { by_method };
            return Some(Diagnostic::warning(span, message).help(help));
        }
        waiting.extend(ty.parts().into_iter().map(|part| (part, is_open, whose.clone())));
        if let RustType::Item(id, _) = ty
            && seen.insert(*id)
            && catalog.item(*id).of_trait.is_none()
        {
            let item = catalog.item(*id);
            let fields = item.ctors.iter().flat_map(|ctor| &ctor.fields);
            let named = |field: &FieldItem| {
                let private = if field.public { "" } else { "private " };
                format!("the function in the {private}field `{}` of `{}`", field.name, item.path)
            };
            waiting.extend(fields.map(|field| (&field.ty, is_open && field.public, named(field))));
        }
    }
    None
}

/// Whether a type is a mutable reference.
fn is_mut(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Ref { mutable, .. } => *mutable,
        TypeKind::Refined { base, .. } => is_mut(base),
        TypeKind::Path { .. } | TypeKind::Function(..) | TypeKind::Tuple(_) | TypeKind::Array(..) => false,
        TypeKind::Constant(_) | TypeKind::Slice(_) | TypeKind::Associated(..) => false,
    }
}

fn depends_on_calls(span: Span) -> Diagnostic {
    Diagnostic::error(span, "the results of a returned `FnMut` depend on the calls before").help(
        "let a `call` make these calls, so that the result is a list: \
         `call = \"|n: u8, xs: Vec<u8>| { let mut f = make(n); xs.into_iter().map(|x| f(x)).collect::<Vec<_>>() }\"`",
    )
}
