//! The type at which a first spec calls a generic function: the first of a few that has what the bounds ask for.

use super::items::FnItem;

/// What a type must implement for most algorithms, and all of the types below do.
const COMMON: [&str; 15] = [
    "Clone",
    "Debug",
    "Default",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Send",
    "Sync",
    "Sized",
    "?Sized",
    "Unpin",
    "'static",
    "Any",
];

/// What only the type implements, besides.
const OWN: [(&str, &[&str]); 4] = [
    (
        "i64",
        &[
            "Copy",
            "Display",
            "ToString",
            "FromStr",
            "Add",
            "Sub",
            "Mul",
            "Div",
            "Rem",
            "Neg",
            "AddAssign",
            "SubAssign",
            "MulAssign",
            "Add<Output=Self>",
            "Sub<Output=Self>",
            "Mul<Output=Self>",
            "Div<Output=Self>",
            "Rem<Output=Self>",
            "Neg<Output=Self>",
            "Sum",
            "Product",
            "From<i32>",
            "From<u8>",
            "From<i64>",
            "Into<i64>",
            "Into<i128>",
        ],
    ),
    (
        "String",
        &[
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
        ],
    ),
    (
        "Vec<u8>",
        &[
            "AsRef<[u8]>",
            "Into<Vec<u8>>",
            "Into<Cow<[u8]>>",
            "Borrow<[u8]>",
            "Deref<Target=[u8]>",
            "IntoIterator<Item=u8>",
        ],
    ),
    ("std::ops::Range<usize>", &["RangeBounds<usize>"]),
];

/// The type for a type parameter; `None` if none of a few is known to satisfy its bounds.
pub fn default_instance(item: &FnItem, parameter: &str) -> Option<&'static str> {
    if item.constant(parameter).is_some() {
        return None;
    }
    let declared = item.bounds.iter().filter(|(name, _)| name == parameter).map(|(_, bound)| bound.as_str());
    let anonymous = anonymous_bounds(parameter).into_iter().flat_map(|text| text.split(" + "));
    let bounds = declared.chain(anonymous).map(|bound| normal(bound, parameter));
    // Two parameters that are compared with each other are both the first type.
    let (twins, bounds): (Vec<String>, Vec<String>) =
        bounds.filter(|bound| !bound.is_empty()).partition(|bound| is_comparison_with_twin(item, bound));
    let satisfies = |own: &[&str]| {
        bounds.iter().all(|bound| own.contains(&bound.as_str()) || COMMON.contains(&bound.as_str()))
    };
    let found = OWN.iter().position(|(_, own)| satisfies(own))?;
    (twins.is_empty() || found == 0).then_some(OWN[found].0)
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
    let is_common = |bound: &str| COMMON.contains(&bound) || bound.starts_with("Partial");
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
    use super::default_instance;

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
            assert_eq!(default_instance(f, "T"), expected, "{generics}");
        }
        let catalog = catalog("pub fn f(x: impl Into<String> + Clone) {}");
        let FnLookup::Found(f) = catalog.function(&["f"]) else { panic!("no function") };
        assert_eq!(default_instance(f, "impl Into<String> + Clone"), Some("String"));
    }
}
