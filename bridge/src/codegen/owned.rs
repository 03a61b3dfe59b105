//! The inputs of a subject as owned values: `&[i64]` becomes `Vec<i64>`. And their types as Rust text.

use target_strategies::logic::ir::{
    CallbackId, CallbackKind, Data, Field, MapKind, Pointer, Refined, SeqKind, SetKind, Sort, Spec, StrKind,
};

use super::convert::is_inline;

/// The spec without references in its parameters, and without the parts that only concern results.
pub fn owned_spec(spec: &Spec) -> Spec {
    let mut owned = spec.clone();
    for param in &mut owned.params {
        own(&mut param.refined);
        param.mutable = false;
    }
    // All other data types are the user's, and stay unchanged.
    for data in owned.data.iter_mut().filter(|data| is_inline(data)) {
        let fields = data.ctors.iter_mut().flat_map(|ctor| &mut ctor.fields);
        fields.for_each(|field| own(&mut field.refined));
    }
    owned.result = Refined::plain(Sort::Tuple(Vec::new()));
    owned.ensures.clear();
    owned.panics_if = None;
    owned
}

fn own(refined: &mut Refined) {
    refined.pointers.retain(|pointer| !matches!(pointer, Pointer::Ref | Pointer::RefMut));
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
    refined.inner_mut().into_iter().for_each(own);
}

/// The Rust type of an owned value, or why there is none.
pub fn type_text(refined: &Refined, spec: &Spec) -> Result<String, String> {
    behind(&refined.pointers, bare(refined, spec)?)
}

/// The Rust type of a function among the arguments, as a trait object; or why there is none.
pub fn function_text(id: CallbackId, result: &Refined, spec: &Spec) -> Result<String, String> {
    let callback = spec.callback(id);
    if callback.steps.is_some() {
        return Err("it takes a function that takes functions".to_owned());
    }
    if result.callback().is_some() {
        return Err("it takes a function that returns functions".to_owned());
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
pub fn param_text(refined: &Refined, spec: &Spec) -> Result<String, String> {
    let n_references = refined.pointers.iter().take_while(|pointer| **pointer == Pointer::Ref).count();
    let (references, others) = refined.pointers.split_at(n_references);
    Ok("&".repeat(references.len()) + &behind(others, bare(refined, spec)?)?)
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

fn bare(refined: &Refined, spec: &Spec) -> Result<String, String> {
    Ok(match &refined.sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Char => "char".to_owned(),
        Sort::Int(kind) => kind.name().to_owned(),
        Sort::Float(kind) => kind.name().to_owned(),
        Sort::Str(StrKind::String) => "String".to_owned(),
        Sort::Str(StrKind::Str) => "str".to_owned(),
        Sort::Seq(element, kind) => {
            let element = type_text(element, spec)?;
            match kind {
                SeqKind::Vec => format!("Vec<{element}>"),
                SeqKind::Slice => format!("[{element}]"),
                SeqKind::Array(length) => format!("[{element}; {length}]"),
                SeqKind::Answers(_) => return Err("it holds a function inside of another value".to_owned()),
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
        Sort::Data(_) if refined.object(spec).is_some() => {
            return Err("it holds a value of a trait".to_owned());
        }
        Sort::Data(id) => of_data(spec.data(*id), spec)?,
        Sort::Opaque(text) => return Err(format!("it holds a `{text}`, which can't be made")),
    })
}

fn of_data(data: &Data, spec: &Spec) -> Result<String, String> {
    if data.rust_type == "_" {
        return Err("it holds a type that only rustc knows".to_owned());
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
