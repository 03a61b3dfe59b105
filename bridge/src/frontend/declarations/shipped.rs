//! Views of types of the standard library that come with the tool, written as users write theirs.
//!
//! They are named by their whole path, or by its last word where the crate and the manifest have no type of that name.

use std::sync::LazyLock;

use crate::frontend::diagnostic::FileId;
use crate::frontend::manifest::SpannedText;

/// The file of their texts. It is in no list of files, so nothing can point into it.
const FILE: FileId = FileId(u32::MAX);

/// The path of each type, the head of its view, and the body.
const VIEWS: [[&str; 3]; 37] = [
    [
        "std::time::Duration",
        "Duration",
        "via std::time::Duration::new(secs: u64 = self.as_secs(), nanos: {n: u32 | n < 1_000_000_000} = self.subsec_nanos()) -> std::time::Duration",
    ],
    ["std::cmp::Ordering", "Ordering", "enum std::cmp::Ordering { Less, Equal, Greater }"],
    ["std::ops::Range", "Range<T>", "struct std::ops::Range<T> { start: T, end: T }"],
    ["std::ops::RangeFrom", "RangeFrom<T>", "struct std::ops::RangeFrom<T> { start: T }"],
    ["std::ops::RangeTo", "RangeTo<T>", "struct std::ops::RangeTo<T> { end: T }"],
    [
        "std::ops::RangeInclusive",
        "RangeInclusive<T>",
        "via std::ops::RangeInclusive::new(start: T = self.start().clone(), end: T = self.end().clone()) -> std::ops::RangeInclusive<T>",
    ],
    ["std::ops::RangeToInclusive", "RangeToInclusive<T>", "struct std::ops::RangeToInclusive<T> { end: T }"],
    [
        "std::ops::Bound",
        "Bound<T>",
        "enum std::ops::Bound<T> { Included(value: T), Excluded(value: T), Unbounded }",
    ],
    [
        "std::num::Wrapping",
        "Wrapping<T>",
        "via std::num::Wrapping(value: T = self.0.clone()) -> std::num::Wrapping<T>",
    ],
    [
        "std::num::Saturating",
        "Saturating<T>",
        "via std::num::Saturating(value: T = self.0.clone()) -> std::num::Saturating<T>",
    ],
    [
        "std::cmp::Reverse",
        "Reverse<T>",
        "via std::cmp::Reverse(value: T = self.0.clone()) -> std::cmp::Reverse<T>",
    ],
    [
        "std::num::NonZero",
        "NonZero<T>",
        "via std::num::NonZero::new(value: {n: T | n != 0} = self.get()) -> std::num::NonZero<T>",
    ],
    [
        "std::num::NonZeroU8",
        "NonZeroU8",
        "via std::num::NonZeroU8::new(value: {n: u8 | n != 0} = self.get()) -> std::num::NonZeroU8",
    ],
    [
        "std::num::NonZeroU16",
        "NonZeroU16",
        "via std::num::NonZeroU16::new(value: {n: u16 | n != 0} = self.get()) -> std::num::NonZeroU16",
    ],
    [
        "std::num::NonZeroU32",
        "NonZeroU32",
        "via std::num::NonZeroU32::new(value: {n: u32 | n != 0} = self.get()) -> std::num::NonZeroU32",
    ],
    [
        "std::num::NonZeroU64",
        "NonZeroU64",
        "via std::num::NonZeroU64::new(value: {n: u64 | n != 0} = self.get()) -> std::num::NonZeroU64",
    ],
    [
        "std::num::NonZeroU128",
        "NonZeroU128",
        "via std::num::NonZeroU128::new(value: {n: u128 | n != 0} = self.get()) -> std::num::NonZeroU128",
    ],
    [
        "std::num::NonZeroUsize",
        "NonZeroUsize",
        "via std::num::NonZeroUsize::new(value: {n: usize | n != 0} = self.get()) -> std::num::NonZeroUsize",
    ],
    [
        "std::num::NonZeroI8",
        "NonZeroI8",
        "via std::num::NonZeroI8::new(value: {n: i8 | n != 0} = self.get()) -> std::num::NonZeroI8",
    ],
    [
        "std::num::NonZeroI16",
        "NonZeroI16",
        "via std::num::NonZeroI16::new(value: {n: i16 | n != 0} = self.get()) -> std::num::NonZeroI16",
    ],
    [
        "std::num::NonZeroI32",
        "NonZeroI32",
        "via std::num::NonZeroI32::new(value: {n: i32 | n != 0} = self.get()) -> std::num::NonZeroI32",
    ],
    [
        "std::num::NonZeroI64",
        "NonZeroI64",
        "via std::num::NonZeroI64::new(value: {n: i64 | n != 0} = self.get()) -> std::num::NonZeroI64",
    ],
    [
        "std::num::NonZeroI128",
        "NonZeroI128",
        "via std::num::NonZeroI128::new(value: {n: i128 | n != 0} = self.get()) -> std::num::NonZeroI128",
    ],
    [
        "std::num::NonZeroIsize",
        "NonZeroIsize",
        "via std::num::NonZeroIsize::new(value: {n: isize | n != 0} = self.get()) -> std::num::NonZeroIsize",
    ],
    [
        "std::net::Ipv4Addr",
        "Ipv4Addr",
        "via std::net::Ipv4Addr::new(a: u8 = self.octets()[0], b: u8 = self.octets()[1], c: u8 = self.octets()[2], d: u8 = self.octets()[3]) -> std::net::Ipv4Addr",
    ],
    [
        "std::net::Ipv6Addr",
        "Ipv6Addr",
        "via std::net::Ipv6Addr::new(a: u16 = self.segments()[0], b: u16 = self.segments()[1], c: u16 = self.segments()[2], d: u16 = self.segments()[3], e: u16 = self.segments()[4], f: u16 = self.segments()[5], g: u16 = self.segments()[6], h: u16 = self.segments()[7]) -> std::net::Ipv6Addr",
    ],
    [
        "std::net::IpAddr",
        "IpAddr",
        "enum std::net::IpAddr { V4(v4: std::net::Ipv4Addr), V6(v6: std::net::Ipv6Addr) }",
    ],
    [
        "std::net::SocketAddr",
        "SocketAddr",
        "via std::net::SocketAddr::new(ip: std::net::IpAddr = self.ip(), port: u16 = self.port()) -> std::net::SocketAddr",
    ],
    [
        "std::net::SocketAddrV4",
        "SocketAddrV4",
        "via std::net::SocketAddrV4::new(ip: std::net::Ipv4Addr = *self.ip(), port: u16 = self.port()) -> std::net::SocketAddrV4",
    ],
    [
        "std::net::SocketAddrV6",
        "SocketAddrV6",
        "via std::net::SocketAddrV6::new(ip: std::net::Ipv6Addr = *self.ip(), port: u16 = self.port(), flowinfo: u32 = self.flowinfo(), scope_id: u32 = self.scope_id()) -> std::net::SocketAddrV6",
    ],
    // A time of Unix has an `i64` of seconds. One that is not before 1970 starts there; an earlier one is its own start.
    [
        "std::time::SystemTime",
        "SystemTime",
        "via <std::time::SystemTime as std::ops::Add<std::time::Duration>>::add(start: std::time::EpochOrEarlier = std::cmp::min(*self, std::time::UNIX_EPOCH), since: {d: std::time::Duration | d.secs <= 9_223_372_036_854_775_807 && (start.before.secs == 0 && start.before.nanos == 0 || d.secs == 0 && d.nanos == 0)} = self.duration_since(std::time::UNIX_EPOCH).unwrap_or_default()) -> std::time::SystemTime",
    ],
    [
        "std::time::EpochOrEarlier",
        "EpochOrEarlier",
        "via <std::time::SystemTime as std::ops::Sub<std::time::Duration>>::sub(epoch: std::time::UNIX_EPOCH = std::time::UNIX_EPOCH, before: {d: std::time::Duration | d.secs <= 9_223_372_036_854_775_807} = std::time::UNIX_EPOCH.duration_since(*self).unwrap_or_default()) -> std::time::SystemTime",
    ],
    ["std::time::UNIX_EPOCH", "UNIX_EPOCH", "via std::time::UNIX_EPOCH -> std::time::SystemTime"],
    [
        "std::path::PathBuf",
        "PathBuf",
        "via std::path::PathBuf::from(text: String = self.to_string_lossy().into_owned()) -> std::path::PathBuf",
    ],
    [
        "std::path::Path",
        "Path",
        "via std::path::PathBuf::from(text: String = self.to_string_lossy().into_owned())",
    ],
    [
        "std::ffi::OsStr",
        "OsStr",
        "via std::ffi::OsString::from(text: String = self.to_string_lossy().into_owned())",
    ],
    [
        "std::ffi::OsString",
        "OsString",
        "via std::ffi::OsString::from(text: String = self.to_string_lossy().into_owned()) -> std::ffi::OsString",
    ],
];

/// The views' heads and bodies.
pub static ENTRIES: LazyLock<Vec<(SpannedText, SpannedText)>> = LazyLock::new(|| {
    let mut start = 0;
    let mut text = |text: &str| {
        let spanned = SpannedText::verbatim(text, FILE, start);
        start += text.len() as u32 + 1;
        spanned
    };
    VIEWS.iter().map(|[_, head, body]| (text(head), text(body))).collect()
});

/// Whether a type of the standard library, by its path, has a view.
pub fn is_shipped(path: &str) -> bool {
    index(&path.split("::").collect::<Vec<_>>()).is_some()
}

/// Whether a function of the standard library that the views name returns an `Option`; `None` for all other functions.
pub fn may_fail(function: &str) -> Option<bool> {
    let is_named = |[_, _, body]: &[&str; 3]| {
        let named = body.strip_prefix("via ").and_then(|rest| rest.strip_prefix(function));
        named.is_some_and(|rest| rest.starts_with(['(', ' ']))
    };
    VIEWS.iter().any(is_named).then(|| function.starts_with("std::num::NonZero"))
}

/// The index of a type among the views, by its path.
pub fn index(path: &[&str]) -> Option<usize> {
    let ["std" | "core" | "alloc", rest @ ..] = path else { return None };
    let path = format!("std::{}", rest.join("::"));
    VIEWS.iter().position(|[known, ..]| *known == path)
}

#[cfg(test)]
mod tests {
    use super::super::view::Views;
    use super::*;

    #[test]
    fn all_views_are_sound_and_found_by_their_path() {
        let mut diagnostics = Vec::new();
        let views = Views::read(&ENTRIES, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        for (at, [path, ..]) in VIEWS.iter().enumerate() {
            let names: Vec<&str> = path.split("::").collect();
            assert_eq!(index(&names), Some(at), "{path}");
            assert_eq!(views.index(names[2]), Some(at), "{path}");
        }
        assert_eq!(index(&["core", "time", "Duration"]), Some(0));
        assert_eq!(index(&["time", "Duration"]), None);
        assert_eq!(may_fail("std::num::NonZeroU8::new"), Some(true));
        assert_eq!(may_fail("std::time::UNIX_EPOCH"), Some(false));
        assert_eq!(may_fail("std::time::Duration::try_from_secs_f64"), None);
    }
}
