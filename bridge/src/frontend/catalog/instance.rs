//! The types at which generic functions are called: a first one, the first of a few that has what the bounds ask for, and
//! further ones that behave differently.

use super::items::FnItem;

/// A type that stands for a type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instance {
    /// `i64`.
    I64,
    /// `f64`.
    F64,
    /// `u8`.
    U8,
    /// `()`.
    Unit,
    /// `String`.
    Text,
    /// `Vec<u8>`.
    Bytes,
    /// A range from a number to another.
    Range,
    /// Pairs of bounds, which are all kinds of ranges.
    Bounds,
}

impl Instance {
    /// The type as Rust code.
    pub fn text(self) -> &'static str {
        match self {
            Instance::I64 => "i64",
            Instance::F64 => "f64",
            Instance::U8 => "u8",
            Instance::Unit => "()",
            Instance::Text => "String",
            Instance::Bytes => "Vec<u8>",
            Instance::Range => "std::ops::Range<usize>",
            Instance::Bounds => "(std::ops::Bound<usize>, std::ops::Bound<usize>)",
        }
    }

    /// The bounds that the type is known to satisfy, in lists.
    fn traits(self) -> impl Iterator<Item = &'static [&'static str]> {
        const F64: &[&str] = &["Clone", "Debug", "Default", "PartialEq", "PartialOrd"];
        let (common, own): (&[&[&str]], &[&[&str]]) = match self {
            Instance::I64 => {
                (COMMON, &[NUMBER, ARITHMETIC, SIGNED, &["From<i64>", "Into<i64>", "Into<i128>"]])
            }
            Instance::F64 => (&[ANY, F64], &[NUMBER, ARITHMETIC, SIGNED]),
            Instance::U8 => (COMMON, &[NUMBER, ARITHMETIC, &["Into<i64>", "Into<i128>"]]),
            Instance::Unit => (COMMON, &[&["Copy"]]),
            Instance::Text => (COMMON, &[TEXT]),
            Instance::Bytes => (COMMON, &[BYTES]),
            // Ranges have no order, and pairs of bounds no default either.
            Instance::Range => (&[ANY, &["Clone", "Debug", "Default"], EQUAL], &[RANGE]),
            Instance::Bounds => (&[ANY, &["Clone", "Debug", "Copy"], EQUAL], &[RANGE]),
        };
        common.iter().chain(own).copied()
    }

    fn has(self, bound: &str) -> bool {
        self.traits().any(|list| list.contains(&bound))
    }
}

/// What all types below are.
const ANY: &[&str] = &["Send", "Sync", "Sized", "?Sized", "Unpin", "'static", "Any"];

const EQUAL: &[&str] = &["PartialEq", "Eq", "Hash"];

const ORDERED: &[&str] = &["PartialOrd", "Ord"];

/// What a type has that is as common as possible.
const COMMON: &[&[&str]] = &[ANY, &["Clone", "Debug", "Default"], EQUAL, ORDERED];

/// What computes with two values.
const ARITHMETIC: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "Add<Output=Self>",
    "Sub<Output=Self>",
    "Mul<Output=Self>",
    "Div<Output=Self>",
    "Rem<Output=Self>",
];

/// What all numbers implement.
const NUMBER: &[&str] = &[
    "Copy",
    "Display",
    "ToString",
    "FromStr",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "Sum",
    "Product",
    "From<u8>",
];

/// What numbers with a sign implement.
const SIGNED: &[&str] = &["Neg", "Neg<Output=Self>", "From<i32>"];

/// What texts implement.
const TEXT: &[&str] = &[
    "Display",
    "ToString",
    "FromStr",
    "AsRef<str>",
    "AsRef<[u8]>",
    "AsRef<OsStr>",
    "AsRef<Path>",
    "Into<String>",
    "Into<Cow<str>>",
    "Into<Vec<u8>>",
    "Into<PathBuf>",
    "Into<OsString>",
    "Borrow<str>",
    "Deref<Target=str>",
    "From<&'staticstr>",
];

/// What lists of bytes implement.
const BYTES: &[&str] = &[
    "AsRef<[u8]>",
    "Into<Vec<u8>>",
    "Into<Cow<[u8]>>",
    "Borrow<[u8]>",
    "Deref<Target=[u8]>",
    "IntoIterator<Item=u8>",
    "From<&'staticstr>",
];

/// What ranges of numbers implement.
const RANGE: &[&str] = &["RangeBounds<usize>"];

/// The first types, in the order in which they are tried.
const FIRST: [Instance; 4] = [Instance::I64, Instance::Text, Instance::Bytes, Instance::Range];

/// Further types, those that show most first: numbers without a total order, values on the heap, bytes that are no text,
/// numbers that overflow soon, ranges with all kinds of bounds, and values without a size. Each is worth trying only where one of
/// some traits is asked for; always, if there are none.
const FURTHER: [(Instance, &[&[&str]]); 6] = [
    (Instance::F64, &[ARITHMETIC, &["PartialEq", "PartialOrd"]]),
    (Instance::Text, &[]),
    (Instance::Bytes, &[BYTES]),
    (Instance::U8, &[ARITHMETIC]),
    (Instance::Bounds, &[RANGE]),
    (Instance::Unit, &[]),
];

/// The type for a type parameter; `None` if none of a few is known to satisfy its bounds.
pub fn default_instance(item: &FnItem, parameter: &str) -> Option<Instance> {
    if item.constant(parameter).is_some() {
        return None;
    }
    let (twins, bounds) = bounds(item, parameter);
    let found = FIRST.into_iter().find(|first| bounds.iter().all(|bound| first.has(bound)))?;
    (twins.is_empty() || found == Instance::I64).then_some(found)
}

/// Further types that satisfy the bounds of a type parameter, those that show most first; none if the type can't be chosen
/// freely, since another parameter's bounds depend on it. The first type may be among them.
pub fn further_instances(item: &FnItem, parameter: &str) -> Vec<Instance> {
    if item.constant(parameter).is_some() || is_in_bounds_of_others(item, parameter) {
        return Vec::new();
    }
    let (twins, bounds) = bounds(item, parameter);
    if !twins.is_empty() {
        return Vec::new();
    }
    let is_worth =
        |only_for: &[&[&str]]| only_for.is_empty() || bounds.iter().any(|bound| is_among(only_for, bound));
    let fits = |(further, only_for): &(Instance, &[&[&str]])| {
        is_worth(only_for) && bounds.iter().all(|bound| further.has(bound))
    };
    FURTHER.into_iter().filter(fits).map(|(further, _)| further).collect()
}

/// Whether a type, as Rust code, is known not to satisfy the bounds of a type parameter.
pub fn lacks_bounds(item: &FnItem, parameter: &str, ty: &str) -> bool {
    let all = || FIRST.into_iter().chain(FURTHER.map(|(further, _)| further));
    let Some(instance) = all().find(|known| known.text() == ty) else { return false };
    let (_, bounds) = bounds(item, parameter);
    bounds.iter().any(|bound| !instance.has(bound) && all().any(|known| known.has(bound)))
}

fn is_among(lists: &[&[&str]], bound: &str) -> bool {
    lists.iter().any(|list| list.contains(&bound))
}

/// Whether the bounds of another type parameter name this one, but for the items of a list.
pub fn is_in_bounds_of_others(item: &FnItem, parameter: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let named = |bound: &str| {
        let bound: String = bound.chars().filter(|c| !c.is_whitespace()).collect();
        let without_items = bound.replace(&format!("Item={parameter}>"), "");
        without_items.split(|c: char| !is_part(c)).any(|word| word == parameter)
    };
    let anonymous =
        item.generics.iter().filter(|name| *name != parameter).filter_map(|name| anonymous_bounds(name));
    let declared = item.bounds.iter().filter(|(name, _)| name != parameter).map(|(_, bound)| bound.as_str());
    declared.chain(anonymous).any(named)
}

/// The bounds of a type parameter, apart from those that compare it with another parameter, which come first: two
/// parameters that are compared with each other are both the first type.
fn bounds(item: &FnItem, parameter: &str) -> (Vec<String>, Vec<String>) {
    let declared = item.bounds.iter().filter(|(name, _)| name == parameter).map(|(_, bound)| bound.as_str());
    let anonymous = anonymous_bounds(parameter).into_iter().flat_map(|text| text.split(" + "));
    let bounds = declared.chain(anonymous).map(|bound| normal(bound, parameter));
    bounds.filter(|bound| !bound.is_empty()).partition(|bound| is_comparison_with_twin(item, bound))
}

/// The bounds in the name of a type parameter without a name of its own: `Read + Seek` of `impl Read + Seek #2`.
pub fn anonymous_bounds(parameter: &str) -> Option<&str> {
    let bounds = parameter.strip_prefix("impl ")?;
    Some(bounds.split_once(" #").map_or(bounds, |(bounds, _)| bounds))
}

/// Whether a bound compares with another type parameter of which nothing uncommon is asked: `PartialEq<B>`.
fn is_comparison_with_twin(item: &FnItem, bound: &str) -> bool {
    let of = ["PartialEq<", "PartialOrd<"].into_iter().find_map(|of| bound.strip_prefix(of));
    let Some(twin) = of.and_then(|of| of.strip_suffix('>')) else { return false };
    let is_common = |bound: &str| is_among(COMMON, bound) || bound.starts_with("Partial");
    let mut of_twin = item.bounds.iter().filter(|(name, _)| name == twin);
    item.generics.iter().any(|name| name == twin) && of_twin.all(|(_, bound)| is_common(&normal(bound, twin)))
}

/// A bound without spaces, without the paths of its names, and without the lifetime of a `Cow`; the parameter is `Self`.
fn normal(bound: &str, parameter: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let bound: String = bound.chars().filter(|c| !c.is_whitespace()).collect();
    let mut text = String::new();
    for piece in bound.split("::") {
        // The path before is left out.
        let kept = text.trim_end_matches(is_part).len();
        if !text.is_empty() {
            text.truncate(kept);
        }
        text.push_str(piece);
    }
    if let Some((before, of_cow)) = text.split_once("Cow<'")
        && let Some((_, borrowed)) = of_cow.split_once(',')
    {
        text = format!("{before}Cow<{borrowed}");
    }
    let of_self = [
        format!("<Output={parameter}>"),
        format!("<{parameter},Output={parameter}>"),
        format!("<{parameter}>"),
    ];
    match of_self.iter().position(|args| text.ends_with(args.as_str())) {
        Some(2) => text.replace(&of_self[2], ""),
        Some(index) => text.replace(&of_self[index], "<Output=Self>"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::FnLookup;
    use super::super::listing::catalog;
    use std::any::Any;
    use std::borrow::{Borrow, Cow};
    use std::ffi::{OsStr, OsString};
    use std::fmt::{Debug, Display};
    use std::hash::Hash;
    use std::iter::{Product, Sum};
    use std::marker::PhantomData;
    use std::ops::{
        Add, AddAssign, Bound, Deref, Div, Mul, MulAssign, Neg, Range, RangeBounds, Rem, Sub, SubAssign,
    };
    use std::path::{Path, PathBuf};
    use std::str::FromStr;

    use super::{Instance, default_instance, further_instances, lacks_bounds};

    /// Whether the types of all instances have a trait, as rustc sees it: an associated constant of the type itself comes before that
    /// of a trait.
    macro_rules! implementors {
        ($($bound:tt)+) => {{
            struct Probe<T: ?Sized>(PhantomData<T>);
            #[allow(dead_code, reason = "some traits are had by all types")]
            trait Otherwise {
                const HAS: bool = false;
            }
            impl<T: ?Sized> Otherwise for Probe<T> {}
            #[allow(dead_code, reason = "some traits are had by few types")]
            impl<T: $($bound)+> Probe<T> {
                const HAS: bool = true;
            }
            [
                (Instance::I64, <Probe<i64>>::HAS),
                (Instance::F64, <Probe<f64>>::HAS),
                (Instance::U8, <Probe<u8>>::HAS),
                (Instance::Unit, <Probe<()>>::HAS),
                (Instance::Text, <Probe<String>>::HAS),
                (Instance::Bytes, <Probe<Vec<u8>>>::HAS),
                (Instance::Range, <Probe<Range<usize>>>::HAS),
                (Instance::Bounds, <Probe<(Bound<usize>, Bound<usize>)>>::HAS),
            ]
        }};
    }

    /// The bounds of these names, and whether each instance satisfies them.
    macro_rules! rows {
        ($($name:literal: ($($bound:tt)+),)+) => { vec![$(($name, implementors!($($bound)+))),+] };
    }

    #[test]
    fn what_is_known_of_the_types_is_what_rustc_knows() {
        let rows = rows![
            "Send": (Send), "Sync": (Sync), "Sized": (Sized), "?Sized": (?Sized), "Unpin": (Unpin),
            "'static": ('static), "Any": (Any), "Clone": (Clone), "Debug": (Debug), "Default": (Default),
            "PartialEq": (PartialEq), "Eq": (Eq), "Hash": (Hash), "PartialOrd": (PartialOrd), "Ord": (Ord),
            "Copy": (Copy), "Add": (Add), "Sub": (Sub), "Mul": (Mul), "Div": (Div), "Rem": (Rem),
            "Add<Output=Self>": (Add<Output = T>), "Sub<Output=Self>": (Sub<Output = T>),
            "Mul<Output=Self>": (Mul<Output = T>), "Div<Output=Self>": (Div<Output = T>),
            "Rem<Output=Self>": (Rem<Output = T>), "Neg": (Neg), "Neg<Output=Self>": (Neg<Output = T>),
            "AddAssign": (AddAssign), "SubAssign": (SubAssign), "MulAssign": (MulAssign), "Sum": (Sum),
            "Product": (Product), "From<u8>": (From<u8>), "From<i32>": (From<i32>), "From<i64>": (From<i64>),
            "Into<i64>": (Into<i64>), "Into<i128>": (Into<i128>), "Display": (Display),
            "ToString": (ToString), "FromStr": (FromStr), "AsRef<str>": (AsRef<str>),
            "AsRef<[u8]>": (AsRef<[u8]>), "AsRef<OsStr>": (AsRef<OsStr>), "AsRef<Path>": (AsRef<Path>),
            "Into<String>": (Into<String>), "Into<Cow<str>>": (Into<Cow<'static, str>>),
            "Into<Vec<u8>>": (Into<Vec<u8>>), "Into<PathBuf>": (Into<PathBuf>),
            "Into<OsString>": (Into<OsString>), "Borrow<str>": (Borrow<str>),
            "Deref<Target=str>": (Deref<Target = str>), "From<&'staticstr>": (From<&'static str>),
            "Into<Cow<[u8]>>": (Into<Cow<'static, [u8]>>), "Borrow<[u8]>": (Borrow<[u8]>),
            "Deref<Target=[u8]>": (Deref<Target = [u8]>), "IntoIterator<Item=u8>": (IntoIterator<Item = u8>),
            "RangeBounds<usize>": (RangeBounds<usize>),
        ];
        let mut known = 0;
        for (bound, has) in &rows {
            for (instance, has) in has {
                known += usize::from(instance.has(bound));
                assert!(*has || !instance.has(bound), "{} has no {bound}", instance.text());
                let is_common = super::is_among(super::COMMON, bound) || *bound == "Copy";
                assert!(!is_common || *has == instance.has(bound), "{} has {bound}", instance.text());
            }
        }
        let all = rows[0].1.map(|(instance, _)| instance.traits().map(<[&str]>::len).sum::<usize>());
        assert_eq!(known, all.iter().sum(), "each bound of the lists is in a row");
    }

    #[test]
    fn further_types_satisfy_the_bounds_and_behave_differently() {
        for (generics, expected) in [
            ("<T>", &["String", "()"][..]),
            ("<T: Ord + std::fmt::Debug>", &["String", "()"]),
            ("<T: PartialOrd + Copy>", &["f64", "()"]),
            ("<T: PartialOrd>", &["f64", "String", "()"]),
            ("<T> where T: std::ops::Sub<Output = T> + Copy", &["f64", "u8"]),
            ("<T: AsRef<[u8]>>", &["String", "Vec<u8>"]),
            ("<T: From<&'static str>>", &["String", "Vec<u8>"]),
            (
                "<T: std::ops::RangeBounds<usize> + Copy>",
                &["(std::ops::Bound<usize>, std::ops::Bound<usize>)"],
            ),
            ("<T: Clone + Mine>", &[]),
            ("<T, U: From<T>>", &[]),
            ("<T, I: IntoIterator<Item = T>>", &["String", "()"]),
        ] {
            let (params, bounds) = generics.split_once(" where ").unwrap_or((generics, ""));
            let bounds = if bounds.is_empty() { String::new() } else { format!("where {bounds}") };
            let catalog = catalog(&format!("pub trait Mine {{}} pub fn f{params}(x: T) {bounds} {{}}"));
            let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
            let further = further_instances(f, "T").into_iter().map(Instance::text).collect::<Vec<_>>();
            assert_eq!(further, expected, "{generics}");
            assert!(expected.iter().all(|ty| !lacks_bounds(f, "T", ty)), "{generics}");
            let is_lacking =
                [": Ord", "AsRef", "From<&", "RangeBounds"].iter().any(|of| generics.contains(of));
            assert_eq!(lacks_bounds(f, "T", "f64"), is_lacking, "{generics}");
        }
    }

    #[test]
    fn bounds_decide_the_type() {
        for (generics, expected) in [
            ("<T>", Some("i64")),
            ("<T: Ord + Copy + std::fmt::Debug>", Some("i64")),
            ("<T> where T: std::ops::Add<Output = T> + Copy", Some("i64")),
            ("<T: AsRef<str>>", Some("String")),
            ("<T: AsRef<[u8]> + ?Sized>", Some("String")),
            ("<'a, T: Into<std::borrow::Cow<'a, str>>>", Some("String")),
            ("<T: Into<Cow<'static, [u8]>>>", Some("Vec<u8>")),
            ("<T: IntoIterator<Item = u8>>", Some("Vec<u8>")),
            ("<T: RangeBounds<usize>>", Some("std::ops::Range<usize>")),
            ("<T: PartialEq<B>, B: Clone>", Some("i64")),
            ("<T: PartialEq<B>, B: AsRef<str>>", None),
            ("<T: PartialEq<B> + AsRef<str>, B>", None),
            ("<T: Clone + Mine>", None),
            ("<T> where Vec<T>: Mine", None),
        ] {
            let (params, bounds) = generics.split_once(" where ").unwrap_or((generics, ""));
            let bounds = if bounds.is_empty() { String::new() } else { format!("where {bounds}") };
            let catalog = catalog(&format!("pub trait Mine {{}} pub fn f{params}(x: T) {bounds} {{}}"));
            let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
            assert_eq!(default_instance(f, "T").map(Instance::text), expected, "{generics}");
        }
        let catalog = catalog("pub fn f(x: impl Into<String> + Clone) {}");
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
        assert_eq!(default_instance(f, "impl Into<String> + Clone"), Some(Instance::Text));
    }
}
