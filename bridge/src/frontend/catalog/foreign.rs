//! The types of the standard library that the catalog understands, by path.
//!
//! All other types of the standard library and of other crates are only named.

use target_strategies::logic::ir::{IntKind, MapKind, SetKind};

use super::rust_type::RustType;

/// The integer types and their names.
const INTS: [(&str, IntKind); 12] = [
    ("i8", IntKind::I8),
    ("i16", IntKind::I16),
    ("i32", IntKind::I32),
    ("i64", IntKind::I64),
    ("i128", IntKind::I128),
    ("isize", IntKind::Isize),
    ("u8", IntKind::U8),
    ("u16", IntKind::U16),
    ("u32", IntKind::U32),
    ("u64", IntKind::U64),
    ("u128", IntKind::U128),
    ("usize", IntKind::Usize),
];

/// Rust's name of an integer type.
pub(super) fn int_name(kind: IntKind) -> &'static str {
    let (name, _) = INTS.iter().find(|(_, k)| *k == kind).expect("the table has every kind");
    name
}

/// A type that needs no import: `i64`, `str`.
pub(super) fn primitive(name: &str) -> Option<RustType> {
    Some(match name {
        "bool" => RustType::Bool,
        "char" => RustType::Char,
        "f32" => RustType::Float(32),
        "f64" => RustType::Float(64),
        "str" => RustType::Str,
        _ => RustType::Int(INTS.iter().find(|(n, _)| *n == name)?.1),
    })
}

/// The path of a name in the prelude: `Vec`, and the traits that crates implement.
pub(super) fn prelude(name: &str) -> Option<&'static str> {
    Some(match name {
        "Vec" => "std::vec::Vec",
        "String" => "std::string::String",
        "Option" => "std::option::Option",
        "Result" => "std::result::Result",
        "Box" => "std::boxed::Box",
        "Iterator" => "std::iter::Iterator",
        "IntoIterator" => "std::iter::IntoIterator",
        "DoubleEndedIterator" => "std::iter::DoubleEndedIterator",
        "ExactSizeIterator" => "std::iter::ExactSizeIterator",
        "Extend" => "std::iter::Extend",
        "FromIterator" => "std::iter::FromIterator",
        "AsRef" => "std::convert::AsRef",
        "AsMut" => "std::convert::AsMut",
        "From" => "std::convert::From",
        "Into" => "std::convert::Into",
        "TryFrom" => "std::convert::TryFrom",
        "TryInto" => "std::convert::TryInto",
        "Clone" => "std::clone::Clone",
        "Default" => "std::default::Default",
        "Drop" => "std::ops::Drop",
        "ToOwned" => "std::borrow::ToOwned",
        "ToString" => "std::string::ToString",
        "PartialEq" => "std::cmp::PartialEq",
        "Eq" => "std::cmp::Eq",
        "PartialOrd" => "std::cmp::PartialOrd",
        "Ord" => "std::cmp::Ord",
        "Fn" => "std::ops::Fn",
        "FnMut" => "std::ops::FnMut",
        "FnOnce" => "std::ops::FnOnce",
        "Send" => "std::marker::Send",
        "Sync" => "std::marker::Sync",
        "Copy" => "std::marker::Copy",
        "Sized" => "std::marker::Sized",
        "Unpin" => "std::marker::Unpin",
        _ => return None,
    })
}

/// The types of modules of the standard library that are imported as a whole, as in `use std::collections::*`.
const MODULES: [(&str, &[&str]); 15] = [
    ("std::borrow", &["Cow"]),
    ("std::cell", &["Cell", "OnceCell", "Ref", "RefCell", "RefMut"]),
    ("std::cmp", &["Ordering", "Reverse"]),
    (
        "std::collections",
        &["BTreeMap", "BTreeSet", "BinaryHeap", "HashMap", "HashSet", "LinkedList", "VecDeque"],
    ),
    ("std::ffi", &["CStr", "CString", "OsStr", "OsString"]),
    ("std::fmt", &["Arguments", "Error", "Formatter", "Result"]),
    ("std::io", &["Cursor", "Error", "ErrorKind", "Result", "Stdin", "Stdout"]),
    (
        "std::net",
        &[
            "IpAddr",
            "Ipv4Addr",
            "Ipv6Addr",
            "SocketAddr",
            "SocketAddrV4",
            "SocketAddrV6",
            "TcpStream",
            "UdpSocket",
        ],
    ),
    (
        "std::num",
        &[
            "NonZero",
            "NonZeroI128",
            "NonZeroI16",
            "NonZeroI32",
            "NonZeroI64",
            "NonZeroI8",
            "NonZeroIsize",
            "NonZeroU128",
            "NonZeroU16",
            "NonZeroU32",
            "NonZeroU64",
            "NonZeroU8",
            "NonZeroUsize",
            "ParseFloatError",
            "ParseIntError",
            "Saturating",
            "TryFromIntError",
            "Wrapping",
        ],
    ),
    (
        "std::ops",
        &["Bound", "ControlFlow", "Range", "RangeFrom", "RangeInclusive", "RangeTo", "RangeToInclusive"],
    ),
    ("std::path", &["Path", "PathBuf"]),
    ("std::rc", &["Rc", "Weak"]),
    ("std::sync", &["Arc", "Mutex", "Once", "OnceLock", "RwLock", "Weak"]),
    ("std::time", &["Duration", "Instant", "SystemTime"]),
    ("std::vec", &["Vec"]),
];

/// The path of a name that a module imports by one of its globs, as far as these are known to have it.
pub(super) fn imported(globs: &[String], name: &str) -> Option<String> {
    let mut globs = globs.iter().map(|glob| of_std(glob));
    let glob =
        globs.find(|glob| MODULES.iter().any(|(module, names)| module == glob && names.contains(&name)));
    glob.map(|glob| format!("{glob}::{name}"))
}

/// A path as it starts in the standard library: `core` and `alloc` are parts of `std`.
pub(super) fn of_std(path: &str) -> String {
    match path.split_once("::") {
        Some(("core" | "alloc", rest)) => format!("std::{rest}"),
        _ => path.to_owned(),
    }
}

/// An alias of the standard library, by its path: its type parameters, and the type.
pub fn alias(path: &str) -> Option<(Vec<String>, RustType)> {
    let params = match path {
        "std::io::Result" => vec!["T".to_owned()],
        "std::fmt::Result" => Vec::new(),
        _ => return None,
    };
    let ty = applied(path, params.iter().cloned().map(RustType::Param).collect());
    Some((params, ty))
}

/// A collection of the standard library, by its path in `std::collections`; with a custom hasher it is a different
/// type.
pub fn collection(path: &str, args: &[RustType]) -> Option<RustType> {
    let boxed = |ty: &RustType| Box::new(ty.clone());
    let name = path.rsplit("::").next()?;
    Some(match (name, args) {
        ("VecDeque", [element]) => RustType::Deque(boxed(element)),
        ("BTreeSet", [element]) => RustType::Set(boxed(element), SetKind::BTree),
        ("HashSet", [element]) => RustType::Set(boxed(element), SetKind::Hash),
        ("BTreeMap", [key, value]) => RustType::Map(boxed(key), boxed(value), MapKind::BTree),
        ("HashMap", [key, value]) => RustType::Map(boxed(key), boxed(value), MapKind::Hash),
        _ => return None,
    })
}

/// A type of another crate at its arguments; paths in `core` and `alloc` become paths in `std`.
pub(super) fn applied(path: &str, args: Vec<RustType>) -> RustType {
    let path = of_std(path);
    if let Some(collection) = path.strip_prefix("std::collections::").and_then(|path| collection(path, &args))
    {
        return collection;
    }
    let mut rest = args.iter().cloned();
    let mut arg = || Box::new(rest.next().unwrap_or_else(|| RustType::Other("_".to_string())));
    match path.as_str() {
        "std::string::String" => RustType::String,
        "std::vec::Vec" => RustType::Vec(arg()),
        "std::option::Option" => RustType::Option(arg()),
        "std::boxed::Box" => RustType::Box(arg()),
        "std::rc::Rc" => RustType::Rc(arg()),
        "std::sync::Arc" => RustType::Arc(arg()),
        "std::borrow::Cow" => RustType::Cow(arg()),
        "std::result::Result" => RustType::Result(arg(), arg()),
        "std::io::Result" => {
            RustType::Result(arg(), Box::new(RustType::Foreign("std::io::Error".to_string(), Vec::new())))
        }
        "std::fmt::Result" => RustType::Result(
            Box::new(RustType::Tuple(Vec::new())),
            Box::new(RustType::Foreign("std::fmt::Error".to_string(), Vec::new())),
        ),
        _ => match path.strip_prefix("std::primitive::").and_then(primitive) {
            Some(primitive) => primitive,
            None => RustType::Foreign(path, args),
        },
    }
}
