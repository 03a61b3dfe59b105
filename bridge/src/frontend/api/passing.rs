//! How a function gets an argument: the value of a type that a spec can describe, and the Rust code around it.

use crate::frontend::catalog::{Catalog, FunctionType, RustType};

use target_strategies::logic::ir::IntKind;

use super::types::{BUILD_HASHER, CURSOR, HASHER, INTO_ITER, is_clone, of_bounds};

/// How a function gets an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// As it is.
    Value,
    /// By `&`.
    Ref,
    /// By `&mut`.
    Mut,
    /// By `&mut`, of a `String` as `str`.
    MutStr,
    /// By `&mut`, of a `Vec` as a slice.
    MutSlice,
    /// By a reference that lives forever.
    Leaked,
    /// By a reference that lives forever, of a `String` as `str`.
    LeakedStr,
    /// In a `Box`.
    Boxed,
    /// As an iterator of the elements of a list.
    Iterated,
    /// As a reference to such an iterator.
    MutIterated,
    /// As a value of the standard library that is made of nothing, or of bytes.
    Std {
        /// What makes it.
        of: StdType,
        /// The pointer around it.
        behind: ClosureBehind,
    },
    /// As a closure.
    Closure {
        /// Its number of parameters.
        n_params: usize,
        /// The pointer around it.
        behind: ClosureBehind,
        /// What it returns.
        returns: Returns,
        /// Whether it must be a `fn` pointer.
        is_pointer: bool,
    },
}

/// A type of the standard library that stands for values of its traits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdType {
    /// A new hasher.
    Hasher,
    /// What makes such hashers.
    BuildHasher,
    /// A cursor over bytes.
    Cursor,
}

/// The pointer around a closure, or a value of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureBehind {
    /// None.
    Nothing,
    /// `Box`
    Box,
    /// `&`
    Ref,
    /// `&mut`
    Mut,
}

/// What a closure returns. It depends on its arguments alone, as a caller may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// The value.
    Constant,
    /// The value is an `Option`: of a constant; without one, the closure returns an argument.
    Argument(Argument),
    /// The value is a `Result`: a constant, or a number; then the closure says whether an argument is above it.
    Above(Argument),
    /// The value is a `bool`: whether the order of the first two arguments is reversed.
    Order(Argument),
}

/// An argument of a closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its position.
    pub index: usize,
    /// Whether it is a reference.
    pub is_ref: bool,
}

/// What a closure is found to return on one input, as Rust code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// A constant.
    Constant(String),
    /// Its argument.
    Argument,
    /// Whether its argument is above this.
    Above(String),
    /// The order of its arguments; whether it is reversed.
    Order(bool),
}

/// The type of the value for a parameter, and how it is passed.
pub(super) fn received(
    ty: RustType,
    is_static: bool,
    catalog: &Catalog,
) -> Result<(RustType, Passing), String> {
    if let Some((of, behind)) = function(&ty) {
        if !is_clone(&of.result, catalog) {
            return Err("functions that return such values are not supported as arguments".to_owned());
        }
        let (ty, returns) = returned(of);
        return Ok((
            ty,
            Passing::Closure { n_params: of.params.len(), behind, returns, is_pointer: of.is_pointer },
        ));
    }
    if let Some((of, behind)) = std_type(&ty) {
        let made_of = match of {
            StdType::Hasher | StdType::BuildHasher => RustType::Tuple(Vec::new()),
            StdType::Cursor => RustType::Vec(Box::new(RustType::Int(IntKind::U8))),
        };
        return Ok((made_of, Passing::Std { of, behind }));
    }
    Ok(match ty {
        RustType::Ref { mutable: false, inner } if is_static => match *inner {
            RustType::Str => (RustType::String, Passing::LeakedStr),
            inner => (inner, Passing::Leaked),
        },
        _ if is_static => return Err("an argument must live forever".to_owned()),
        RustType::Ref { mutable, inner } if of_dyn(&inner).is_some() => {
            let ty = of_dyn(&inner).unwrap_or(*inner);
            match (elements(&ty), mutable) {
                (Some(list), _) => (list, Passing::MutIterated),
                (None, true) => (ty, Passing::Mut),
                (None, false) => (ty, Passing::Ref),
            }
        }
        RustType::Box(inner) if of_dyn(&inner).is_some() => {
            let ty = of_dyn(&inner).unwrap_or(*inner);
            match elements(&ty) {
                Some(_) => return Err("iterators in a `Box` are not made".to_owned()),
                None => (ty, Passing::Boxed),
            }
        }
        RustType::Ref { mutable: true, inner } => match (elements(&inner), *inner) {
            (Some(list), _) => (list, Passing::MutIterated),
            (None, RustType::Str) => (RustType::String, Passing::MutStr),
            (None, RustType::Slice(element)) => (RustType::Vec(element), Passing::MutSlice),
            (None, inner) => (inner, Passing::Mut),
        },
        ty => match elements(&ty) {
            Some(list) => (list, Passing::Iterated),
            None => (ty, Passing::Value),
        },
    })
}

/// The function that a parameter is, and the pointer around it.
fn function(ty: &RustType) -> Option<(&FunctionType, ClosureBehind)> {
    let (inner, behind) = match ty {
        RustType::Box(inner) => (inner.as_ref(), ClosureBehind::Box),
        RustType::Ref { mutable: false, inner } => (inner.as_ref(), ClosureBehind::Ref),
        RustType::Ref { mutable: true, inner } => (inner.as_ref(), ClosureBehind::Mut),
        ty => (ty, ClosureBehind::Nothing),
    };
    Some((inner.function()?, behind))
}

/// The type of the standard library that a parameter has, and the pointer around it.
fn std_type(ty: &RustType) -> Option<(StdType, ClosureBehind)> {
    let (inner, behind) = match ty {
        RustType::Ref { mutable: false, inner } => (inner.as_ref(), ClosureBehind::Ref),
        RustType::Ref { mutable: true, inner } => (inner.as_ref(), ClosureBehind::Mut),
        RustType::Box(inner) => (inner.as_ref(), ClosureBehind::Box),
        ty => (ty, ClosureBehind::Nothing),
    };
    let of_dyn = of_dyn(inner);
    let RustType::Foreign(path, _) = of_dyn.as_ref().unwrap_or(inner) else { return None };
    let of = match path.as_str() {
        HASHER => StdType::Hasher,
        BUILD_HASHER => StdType::BuildHasher,
        CURSOR => StdType::Cursor,
        _ => return None,
    };
    Some((of, behind))
}

/// The list of what an iterator over a list yields.
fn elements(ty: &RustType) -> Option<RustType> {
    let RustType::Foreign(path, args) = ty else { return None };
    let [element] = args.as_slice() else { return None };
    (path == INTO_ITER).then(|| RustType::Vec(Box::new(element.clone())))
}

/// The type that stands for values of a trait of the standard library.
fn of_dyn(ty: &RustType) -> Option<RustType> {
    let (RustType::Other(text) | RustType::Foreign(text, _)) = ty else { return None };
    of_bounds(text.strip_prefix("dyn ")?)
}

/// The type of the value that decides what a closure returns, and how.
fn returned(of: &FunctionType) -> (RustType, Returns) {
    let result = &of.result;
    let behind = |ty: &RustType| match ty {
        RustType::Ref { mutable: false, inner } => (inner.as_ref().clone(), true),
        ty => (ty.clone(), false),
    };
    let params: Vec<(RustType, bool)> = of.params.iter().map(behind).collect();
    let find = |wanted: &dyn Fn(&RustType) -> bool| {
        let index = params.iter().position(|(ty, _)| wanted(ty))?;
        Some(Argument { index, is_ref: params[index].1 })
    };
    if let ([(first, is_ref), (second, _), ..], true) = (params.as_slice(), is_ordering(result))
        && first == second
        && is_ord(first)
    {
        return (RustType::Bool, Returns::Order(Argument { index: 0, is_ref: *is_ref }));
    }
    if let Some(argument) = find(&|ty| ty == result) {
        return (RustType::Option(Box::new(result.clone())), Returns::Argument(argument));
    }
    let number = find(&|ty| matches!(ty, RustType::Int(_) | RustType::Char));
    if let (RustType::Bool, Some(argument)) = (result, number) {
        let above = params[argument.index].0.clone();
        let ty = RustType::Result(Box::new(RustType::Bool), Box::new(above));
        return (ty, Returns::Above(argument));
    }
    (result.clone(), Returns::Constant)
}

fn is_ordering(ty: &RustType) -> bool {
    matches!(ty, RustType::Foreign(path, _) if path.rsplit("::").next() == Some("Ordering"))
}

/// Whether values of a type are ordered, as far as is known.
fn is_ord(ty: &RustType) -> bool {
    let is_scalar =
        matches!(ty, RustType::Bool | RustType::Char | RustType::Int(_) | RustType::String | RustType::Str);
    let is_list = matches!(ty, RustType::Vec(_) | RustType::Slice(_));
    let is_own = is_scalar || is_list || matches!(ty, RustType::Tuple(_) | RustType::Option(_));
    is_own && ty.parts().into_iter().all(is_ord)
}

impl Passing {
    /// The argument, made of the name or the text of a value.
    pub fn of(self, value: &str) -> String {
        match self {
            Passing::Value => value.to_owned(),
            Passing::Ref => format!("&{value}"),
            Passing::Mut => format!("&mut {value}"),
            Passing::MutStr => format!("{value}.as_mut_str()"),
            Passing::MutSlice => format!("&mut {value}[..]"),
            Passing::Leaked => format!("Box::leak(Box::new({value}))"),
            Passing::LeakedStr => format!("String::leak({value})"),
            Passing::Boxed => format!("Box::new({value})"),
            Passing::Iterated => format!("{value}.into_iter()"),
            Passing::MutIterated => format!("&mut {value}.into_iter()"),
            Passing::Std { of, behind } => {
                let made = match of {
                    StdType::Hasher => format!("{HASHER}::new()"),
                    StdType::BuildHasher => {
                        "std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default()".to_owned()
                    }
                    StdType::Cursor => format!("std::io::Cursor::new({value})"),
                };
                match behind {
                    ClosureBehind::Nothing => made,
                    ClosureBehind::Box => format!("Box::new({made})"),
                    ClosureBehind::Ref => format!("&{made}"),
                    ClosureBehind::Mut => format!("&mut {made}"),
                }
            }
            Passing::Closure { n_params, behind, returns, is_pointer: _ } => {
                let argument = |Argument { index, is_ref }: Argument| {
                    format!("p{index}{}", if is_ref { ".clone()" } else { "" })
                };
                let deref = |is_ref: bool| if is_ref { "*" } else { "" };
                let body = match returns {
                    Returns::Constant => format!("{value}.clone()"),
                    Returns::Argument(of) => {
                        format!("match &{value} {{ None => {}, Some(v) => v.clone() }}", argument(of))
                    }
                    Returns::Above(Argument { index, is_ref }) => {
                        let own = format!("{}p{index}", deref(is_ref));
                        format!("match &{value} {{ Ok(v) => *v, Err(least) => {own} > *least }}")
                    }
                    Returns::Order(Argument { is_ref, .. }) => {
                        let (own, reversed) = (order(is_ref, false), order(is_ref, true));
                        format!("if {value} {{ {reversed} }} else {{ {own} }}")
                    }
                };
                closure(n_params, behind, &body)
            }
        }
    }

    /// The closure that returns this, if the argument is one.
    pub fn returning(self, returned: &Returned) -> Option<String> {
        let Passing::Closure { n_params, behind, returns, is_pointer: _ } = self else { return None };
        let body = match (returns, returned) {
            (_, Returned::Constant(value)) => value.clone(),
            (Returns::Argument(Argument { index, is_ref }), Returned::Argument) => {
                format!("p{index}{}", if is_ref { ".clone()" } else { "" })
            }
            (Returns::Above(Argument { index, is_ref }), Returned::Above(least)) => {
                format!("{}p{index} > {least}", if is_ref { "*" } else { "" })
            }
            (Returns::Order(Argument { is_ref, .. }), Returned::Order(is_reversed)) => {
                order(is_ref, *is_reversed)
            }
            (Returns::Constant | Returns::Argument(_) | Returns::Above(_) | Returns::Order(_), _) => {
                return None;
            }
        };
        Some(closure(n_params, behind, &body))
    }

    /// A closure for a `fn` pointer, which captures nothing: the value is kept in a variable, which the statement before the
    /// call sets. It is that of the thread if another thread may not read it. `text` is the value's type.
    pub fn of_kept(self, value: &str, ty: &RustType, text: &str) -> Option<(String, String)> {
        if !matches!(self, Passing::Closure { is_pointer: true, .. }) || text.contains(['&', '\'']) {
            return None;
        }
        let kept = format!("KEPT_{}", value.to_uppercase());
        if is_sent(ty) {
            let statement = format!(
                "static {kept}: ::std::sync::Mutex<::core::option::Option<{text}>> = \
                 ::std::sync::Mutex::new(::core::option::Option::None); *{kept}.lock().unwrap() = Some({value}); "
            );
            let read = format!("{{ let kept = {kept}.lock().unwrap().clone(); kept.unwrap() }}");
            return Some((statement, self.of(&read)));
        }
        let statement = format!(
            "::std::thread_local! {{ static {kept}: ::std::cell::RefCell<::core::option::Option<{text}>> = \
             const {{ ::std::cell::RefCell::new(::core::option::Option::None) }}; }} {kept}.set(Some({value})); "
        );
        Some((statement, self.of(&format!("{kept}.with_borrow(|kept| kept.clone().unwrap())"))))
    }

    /// Whether the function may change the value.
    pub fn is_changed(self) -> bool {
        matches!(self, Passing::Mut | Passing::MutStr | Passing::MutSlice)
    }
}

/// Whether every thread may read a value: scalars, texts, and what is made of them.
fn is_sent(ty: &RustType) -> bool {
    let is_scalar = matches!(ty, RustType::Bool | RustType::Char | RustType::Int(_) | RustType::Float(_));
    let is_list = matches!(ty, RustType::String | RustType::Vec(_) | RustType::Tuple(_));
    let is_own = is_scalar || is_list || matches!(ty, RustType::Option(_) | RustType::Result(..));
    is_own && ty.parts().into_iter().all(is_sent)
}

/// The comparison of the first two parameters.
fn order(is_ref: bool, is_reversed: bool) -> String {
    let (a, b) = if is_reversed { ("p1", "p0") } else { ("p0", "p1") };
    format!("{a}.cmp({}{b})", if is_ref { "" } else { "&" })
}

/// A closure whose parameters have numbers, if it reads them.
fn closure(n_params: usize, behind: ClosureBehind, body: &str) -> String {
    let name = |index: usize| {
        let name = format!("p{index}");
        if body.contains(&name) { name } else { "_".to_owned() }
    };
    let closure = format!("|{}| {body}", (0..n_params).map(name).collect::<Vec<_>>().join(", "));
    match behind {
        ClosureBehind::Nothing => closure,
        ClosureBehind::Box => format!("Box::new(move {closure})"),
        ClosureBehind::Ref => format!("&{closure}"),
        ClosureBehind::Mut => format!("&mut {closure}"),
    }
}
