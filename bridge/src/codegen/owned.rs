//! The inputs of a subject as owned values: `&[i64]` becomes `Vec<i64>`. And their types as Rust text.

use std::collections::BTreeSet;

use target_strategies::logic::ir::{
    CallbackId, CallbackKind, Data, DataId, Field, MapKind, Object, Pointer, Refined, SeqKind, SetKind, Sort,
    Spec, StrKind,
};

use super::convert::{asked_of, is_inline, names_of_params};
use super::glue::{Glue, Owner};

const STRATEGY: &str = "::target_strategies::strategy";

/// The spec without references in its parameters, and without the parts that only concern results.
pub fn owned_spec(spec: &Spec) -> Spec {
    let mut owned = spec.clone();
    for param in &mut owned.params {
        own(&mut param.refined, spec);
        param.mutable = false;
    }
    // All other data types are the user's, and stay unchanged, with all that is in their fields.
    let of_user = spec.data.iter().filter(|data| !is_inline(data)).flat_map(|data| &data.ctors);
    let kept = data_in(of_user.flat_map(|ctor| &ctor.fields).map(|field| &field.refined), spec);
    let inline = (0..).map(DataId).zip(&mut owned.data);
    for (_, data) in inline.filter(|(id, data)| is_inline(data) && !kept.contains(id)) {
        let fields = data.ctors.iter_mut().flat_map(|ctor| &mut ctor.fields);
        fields.for_each(|field| own(&mut field.refined, spec));
    }
    owned.result = Refined::plain(Sort::Tuple(Vec::new()));
    owned.ensures.clear();
    owned.panics_if = None;
    owned
}

fn own(refined: &mut Refined, spec: &Spec) {
    // Functions and values of traits have types of their own, from which the user makes pointers.
    let is_alone = refined.callback().is_some() || refined.object(spec).is_some();
    refined.pointers.retain(|pointer| !is_alone && !matches!(pointer, Pointer::Ref | Pointer::RefMut));
    if refined.pointers.is_empty() {
        match &mut refined.sort {
            Sort::Str(kind) => *kind = StrKind::String,
            Sort::Seq(_, kind @ SeqKind::Slice) => *kind = SeqKind::Vec,
            Sort::Bool
            | Sort::Char
            | Sort::Int(_)
            | Sort::Float(_)
            | Sort::Seq(..)
            | Sort::Set(..)
            | Sort::Map(..)
            | Sort::Tuple(_)
            | Sort::Data(_)
            | Sort::Opaque(_) => {}
        }
    }
    // What a function returns stays as it is.
    if refined.callback().is_none() {
        refined.inner_mut().into_iter().for_each(|part| own(part, spec));
    }
}

/// The Rust type of an owned value, or why there is none.
pub fn type_text(refined: &Refined, spec: Glue<'_>) -> Result<String, String> {
    if !refined.pointers.is_empty() && (refined.callback().is_some() || refined.object(&spec).is_some()) {
        return Err("it holds such a function, or value of a trait, in a type of the crate, too".to_owned());
    }
    behind(&refined.pointers, bare(refined, spec)?)
}

/// The Rust type of a function among the arguments, as a trait object; or why there is none.
fn function_text(id: CallbackId, result: &Refined, spec: Glue<'_>) -> Result<String, String> {
    let callback = spec.callback(id);
    let result = spec.returned(id, result);
    if result.holds_functions(&spec.data) {
        return Err("it takes a function that returns functions, or values of a trait".to_owned());
    }
    let params = callback.params.iter().map(|param| param_text(&param.refined, spec));
    let params = params.collect::<Result<Vec<_>, _>>()?.join(", ");
    let result = type_text(result, spec)?;
    let (of, markers) = match callback.kind {
        CallbackKind::Pure => ("Fn", "Send + Sync"),
        CallbackKind::Stateful => ("FnMut", "Send"),
        CallbackKind::Once => ("FnOnce", "Send"),
    };
    Ok(format!("dyn {of}({params}) -> {result} + {markers}"))
}

/// The Rust type of a parameter of a function, which may be a reference.
fn param_text(refined: &Refined, spec: Glue<'_>) -> Result<String, String> {
    if let (Sort::Seq(result, SeqKind::Answers(id)), Owner::Strategy) = (&refined.sort, spec.owner) {
        // The user passes one on as the function wants it.
        let params = spec.callback(*id).params.iter().map(|param| param_text(&param.refined, spec));
        let params = params.collect::<Result<Vec<_>, _>>()?.join(", ");
        return Ok(format!("&dyn Fn({params}) -> {}", type_text(result, spec)?));
    }
    if let Sort::Seq(result, SeqKind::Answers(id)) = &refined.sort {
        return taken_text(*id, result, &refined.pointers, spec);
    }
    let n_references = refined.pointers.iter().take_while(|pointer| **pointer == Pointer::Ref).count();
    let (references, others) = refined.pointers.split_at(n_references);
    Ok("&".repeat(references.len()) + &behind(others, bare(refined, spec)?)?)
}

/// The type by which a function that the subject makes gets a function, as the source has it: a `fn`, or a trait object.
fn taken_text(
    id: CallbackId,
    result: &Refined,
    pointers: &[Pointer],
    spec: Glue<'_>,
) -> Result<String, String> {
    let callback = spec.callback(id);
    let params = callback.params.iter().map(|param| param_text(&param.refined, spec));
    let params = params.collect::<Result<Vec<_>, _>>()?.join(", ");
    let result = type_text(result, spec)?;
    let of = match (callback.is_pointer, pointers.last(), callback.kind) {
        (true, ..) => return referring(pointers, format!("fn({params}) -> {result}")),
        (false, None, _) => return Err("it takes a function of any type".to_owned()),
        (false, _, CallbackKind::Once) => "FnOnce",
        (false, Some(Pointer::RefMut), _) | (false, _, CallbackKind::Stateful) => "FnMut",
        (false, Some(_), CallbackKind::Pure) => "Fn",
    };
    referring(pointers, format!("dyn {of}({params}) -> {result}"))
}

/// A type behind pointers, some of which may be references at its outside.
fn referring(pointers: &[Pointer], text: String) -> Result<String, String> {
    let is_reference = |pointer: &&Pointer| matches!(pointer, Pointer::Ref | Pointer::RefMut);
    let n_references = pointers.iter().take_while(is_reference).count();
    let (references, others) = pointers.split_at(n_references);
    let mut prefix = String::new();
    for pointer in references {
        prefix.push_str(if *pointer == Pointer::RefMut { "&mut " } else { "&" });
    }
    Ok(prefix + &behind(others, text)?)
}

/// The supertraits that values of a strategy may have.
const OF_STRATEGIES: [&str; 3] = ["Clone", "Debug", "Display"];

/// A supertrait that values of a strategy can't have.
pub fn obstacle(object: &Object) -> Option<&str> {
    object.supertraits.iter().map(String::as_str).find(|name| !OF_STRATEGIES.contains(name))
}

/// The type of a trait's values.
pub fn type_name(id: DataId) -> String {
    format!("Object{}", id.0)
}

/// The Rust type of a trait's values, or why there is none.
fn object_text(id: DataId, of_trait: &Object, spec: Glue<'_>) -> Result<String, String> {
    if let Some(name) = obstacle(of_trait) {
        return Err(format!("it takes a value of a trait whose types must be `{name}`"));
    }
    let takes_function = |method: &&Field| {
        method.refined.callback().is_some_and(|callback| spec.callback(callback).steps.is_some())
    };
    let methods = spec.data(id).ctors.first().map_or(&[][..], |table| &table.fields);
    match methods.iter().find(takes_function) {
        Some(method) => Err(format!("it takes a value whose method `{}` takes a function", method.name)),
        None => Ok(format!("{}{}", spec.path, type_name(id))),
    }
}

/// Why a strategy can't make values of a user's type, which may hold functions or values of a trait.
pub fn data_obstacle(id: DataId, spec: Glue<'_>) -> Option<String> {
    // The methods of a trait's values are judged with the trait.
    let ctors = spec.data(id).ctors.iter().filter(|_| spec.data(id).object.is_none());
    let mut parts: Vec<&Refined> = ctors.flat_map(|ctor| &ctor.fields).map(|field| &field.refined).collect();
    while let Some(part) = parts.pop() {
        let found = match (&part.sort, part.object(&spec)) {
            (Sort::Seq(_, SeqKind::Answers(_)), _)
                if part.pointers.is_empty() && !is_inline(spec.data(id)) =>
            {
                Some("it holds a function pointer".to_owned())
            }
            (Sort::Seq(result, SeqKind::Answers(id)), _) => function_text(*id, result, spec).err(),
            (Sort::Data(id), Some(of_trait)) => object_text(*id, of_trait, spec).err(),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        // What a function returns was looked at with it.
        if part.callback().is_none() {
            parts.extend(part.inner());
        }
    }
    None
}

/// The parameters of a closure with their types, or why there are none.
pub fn typed_params(id: CallbackId, spec: Glue<'_>) -> Result<String, String> {
    let params = spec.callback(id).params.iter().zip(names_of_params(id, spec));
    let params = params.map(|(param, name)| Ok(format!("{name}: {}", param_text(&param.refined, spec)?)));
    Ok(params.collect::<Result<Vec<_>, String>>()?.join(", "))
}

/// The type of a function that a closure returns, where rustc can't infer it; `None` if it isn't known.
pub fn returned_function(refined: &Refined, spec: Glue<'_>) -> Option<String> {
    let Sort::Seq(result, SeqKind::Answers(id)) = &refined.sort else { return None };
    let callback = spec.callback(*id);
    let params = callback.params.iter().map(|param| param_text(&param.refined, spec).ok());
    let params = params.collect::<Option<Vec<_>>>()?.join(", ");
    let inner = || type_text(result, spec).ok().filter(|_| result.callback().is_none());
    let result = returned_function(result, spec).or_else(inner)?;
    let of = match callback.kind {
        CallbackKind::Pure => "Fn",
        CallbackKind::Stateful => "FnMut",
        CallbackKind::Once => "FnOnce",
    };
    behind(&refined.pointers, format!("dyn {of}({params}) -> {result}"))
        .ok()
        .filter(|_| !refined.pointers.is_empty())
}

/// The code that makes a function from the `&Value` in `from`. Its type was checked before.
///
/// # Panics
///
/// Panics if it has no type.
pub fn made_function(id: CallbackId, result: &Refined, spec: Glue<'_>, from: &str) -> String {
    let params = typed_params(id, spec).expect("the type was checked before");
    let of = function_text(id, result, spec).expect("the type was checked before");
    let (body, id) = (asked_of("asked", id, result, spec), id.0);
    format!(
        "{STRATEGY}::Function::<{of}>::new({from}, {id}, |asked| ::std::boxed::Box::new(move |{params}| {{ {body} }}))"
    )
}

/// A type behind pointers that own it.
fn behind(pointers: &[Pointer], mut text: String) -> Result<String, String> {
    for pointer in pointers.iter().rev() {
        text = match pointer {
            Pointer::Ref | Pointer::RefMut => return Err("it holds references".to_owned()),
            Pointer::Box => format!("Box<{text}>"),
            Pointer::Rc => format!("std::rc::Rc<{text}>"),
            Pointer::Arc => format!("std::sync::Arc<{text}>"),
            Pointer::Cow => format!("std::borrow::Cow<'static, {text}>"),
        };
    }
    Ok(text)
}

fn bare(refined: &Refined, spec: Glue<'_>) -> Result<String, String> {
    Ok(match &refined.sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Char => "char".to_owned(),
        Sort::Int(kind) => kind.name().to_owned(),
        Sort::Float(kind) => kind.name().to_owned(),
        Sort::Str(StrKind::String) => "String".to_owned(),
        Sort::Str(StrKind::Str) => "str".to_owned(),
        Sort::Seq(_, SeqKind::Answers(_)) if spec.owner == Owner::Harness => {
            return Err("it holds a function".to_owned());
        }
        Sort::Seq(result, SeqKind::Answers(id)) => {
            format!("{STRATEGY}::Function<{}>", function_text(*id, result, spec)?)
        }
        Sort::Seq(element, kind) => {
            let element = type_text(element, spec)?;
            match kind {
                SeqKind::Vec => format!("Vec<{element}>"),
                SeqKind::Slice => format!("[{element}]"),
                SeqKind::Array(length) => format!("[{element}; {length}]"),
                SeqKind::Answers(_) => return Err("it holds a function".to_owned()),
                SeqKind::Iter => format!("std::vec::IntoIter<{element}>"),
                SeqKind::Deque => format!("std::collections::VecDeque<{element}>"),
            }
        }
        Sort::Set(element, kind) => {
            let name = match kind {
                SetKind::BTree => "BTreeSet",
                SetKind::Hash => "HashSet",
                SetKind::Bag => return Err("it holds a bag, which Rust doesn't have".to_owned()),
            };
            format!("std::collections::{name}<{}>", type_text(element, spec)?)
        }
        Sort::Map(key, value, kind) => {
            let name = if *kind == MapKind::Hash { "HashMap" } else { "BTreeMap" };
            let (key, value) = (type_text(key, spec)?, type_text(value, spec)?);
            format!("std::collections::{name}<{key}, {value}>")
        }
        Sort::Tuple(parts) => {
            let parts: Vec<String> =
                parts.iter().map(|part| type_text(part, spec)).collect::<Result<_, _>>()?;
            if let [part] = parts.as_slice() {
                format!("({part},)")
            } else {
                format!("({})", parts.join(", "))
            }
        }
        Sort::Data(id) => match refined.object(&spec) {
            Some(_) if spec.owner == Owner::Harness => return Err("it holds a value of a trait".to_owned()),
            Some(of_trait) => object_text(*id, of_trait, spec)?,
            None => of_data(spec.data(*id), spec)?,
        },
        Sort::Opaque(text) => return Err(format!("it holds a `{text}`, which can't be made")),
    })
}

fn of_data(data: &Data, spec: Glue<'_>) -> Result<String, String> {
    if data.rust_type == "_" {
        let makes = data.ctors.first().map_or("..", |ctor| ctor.rust_path.trim_start_matches("::"));
        return Err(format!(
            "only rustc knows the type that `{makes}` makes: write its path in the table `data`, `via {makes}(..) -> some::Type`"
        ));
    }
    if !is_inline(data) {
        return if data.rust_type.contains(['&', '\'']) {
            Err(format!("it holds a `{}`, which borrows", data.rust_type))
        } else {
            Ok(data.rust_type.clone())
        };
    }
    let name = data.rust_type.split('<').next().unwrap_or_default();
    let fields = data.ctors.iter().flat_map(|ctor| &ctor.fields);
    let fields: Vec<String> =
        fields.map(|Field { refined, .. }| type_text(refined, spec)).collect::<Result<_, _>>()?;
    Ok(format!("{name}<{}>", fields.join(", ")))
}

/// The data types in some types, at any depth.
pub fn data_in<'r>(types: impl Iterator<Item = &'r Refined>, spec: &'r Spec) -> BTreeSet<DataId> {
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<&Refined> = types.collect();
    while let Some(refined) = waiting.pop() {
        waiting.extend(refined.inner());
        if let Sort::Data(id) = &refined.sort
            && seen.insert(*id)
        {
            let fields = spec.data(*id).ctors.iter().flat_map(|ctor| &ctor.fields);
            waiting.extend(fields.map(|field| &field.refined));
        }
    }
    seen
}
