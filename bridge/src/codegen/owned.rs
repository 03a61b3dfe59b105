//! The inputs of a subject as owned values: `&[i64]` becomes `Vec<i64>`. And their types as Rust text.

use target_strategies::logic::ir::{
    Data, Field, MapKind, Pointer, Refined, SeqKind, SetKind, Sort, Spec, StrKind,
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
    let mut text = bare(refined, spec)?;
    for pointer in refined.pointers.iter().rev() {
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
                SeqKind::Answers(_) => return Err("it holds a function".to_owned()),
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
