//! The kind of a failure, from its message and from the code at its place.
//!
//! The standard library's messages are its own words, which change rarely. `expect` has the user's words, so the code
//! that panicked is looked at.

use target_strategies::child::protocol::{Failure, FailureKind};
use target_strategies::child::serve::laws::LAW;

use crate::events::FindingKind;

/// Parts of the messages of the standard library, by kind.
const MESSAGES: [(FindingKind, &[&str]); 6] = [
    (FindingKind::Overflow, &["with overflow", "overflow when "]),
    (FindingKind::Division, &["divide by zero", "divisor of zero", "division by zero"]),
    (FindingKind::Unwrap, &["called `Option::unwrap", "called `Result::"]),
    (
        FindingKind::Bounds,
        &[
            "out of bounds",
            "Out of bounds",
            "out of range for slice",
            "slice index starts at",
            "char boundary",
            "is_char_boundary",
            "index (is ",
            "no entry found for key",
            "mid > len",
            "source slice length",
            "begin <= end",
        ],
    ),
    (FindingKind::Assertion, &["assertion failed", "assertion `"]),
    (FindingKind::Memory, &["capacity overflow", "memory allocation of"]),
];

/// The start of the code that panics, by kind.
const CODE: [(FindingKind, &[&str]); 2] =
    [(FindingKind::Unwrap, &["unwrap", "expect"]), (FindingKind::Assertion, &["assert", "debug_assert"])];

/// The kind of a failure; `code` is the code at its place.
pub(super) fn kind(failure: &Failure, code: Option<&str>) -> FindingKind {
    match failure.kind {
        FailureKind::Timeout => return FindingKind::Hang,
        FailureKind::StackOverflow => return FindingKind::StackOverflow,
        FailureKind::Memory => return FindingKind::Memory,
        FailureKind::Abort | FailureKind::Exit | FailureKind::Fork => return FindingKind::Abort,
        FailureKind::Panic
        | FailureKind::NoPanic
        | FailureKind::Argument
        | FailureKind::Result
        | FailureKind::Ensures => {}
    }
    if failure.message.starts_with(LAW) {
        return FindingKind::Law;
    }
    let starts =
        |starts: &[&str]| code.is_some_and(|code| starts.iter().any(|start| code.starts_with(start)));
    if let Some((kind, _)) = CODE.iter().find(|(_, known)| starts(known)) {
        return *kind;
    }
    // What the crate itself says in `panic!` may contain any words.
    if code.is_some_and(|code| {
        ["panic!", "unreachable!", "todo!", "unimplemented!"].iter().any(|own| code.starts_with(own))
    }) {
        return FindingKind::Panic;
    }
    let contains = |parts: &[&str]| parts.iter().any(|part| failure.message.contains(part));
    MESSAGES.iter().find(|(_, known)| contains(known)).map_or(FindingKind::Panic, |(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panic(message: &str) -> Failure {
        Failure {
            kind: FailureKind::Panic,
            message: message.to_owned(),
            location: None,
            within: None,
            clause: None,
            result: None,
            after: None,
            tables: None,
            step: None,
        }
    }

    #[test]
    fn messages_and_code_tell_the_kind() {
        for (message, code, expected) in [
            ("attempt to add with overflow", "a + b", FindingKind::Overflow),
            ("attempt to calculate the remainder with a divisor of zero", "a % b", FindingKind::Division),
            ("index out of bounds: the len is 0 but the index is 0", "xs[0]", FindingKind::Bounds),
            ("byte index 1 is not a char boundary; it is inside 'é'", "&s[1..]", FindingKind::Bounds),
            ("no year", "expect(\"no year\")", FindingKind::Unwrap),
            ("called `Option::unwrap()` on a `None` value", "unwrap()", FindingKind::Unwrap),
            ("too small", "assert!(n > 0, \"too small\")", FindingKind::Assertion),
            ("index out of bounds", "panic!(\"index out of bounds\")", FindingKind::Panic),
            ("internal error: entered unreachable code", "unreachable!()", FindingKind::Panic),
            ("assertion failed: self.is_char_boundary(idx)", "insert(1, c)", FindingKind::Bounds),
            ("overflow when multiplying duration by scalar", "d * 2", FindingKind::Overflow),
            ("law of Ord: a < b, but not b > a", "", FindingKind::Law),
        ] {
            assert_eq!(kind(&panic(message), Some(code)), expected, "{message}");
        }
    }

    #[test]
    fn a_death_has_its_own_kind() {
        let of = |kind| Failure { kind, ..panic("attempt to add with overflow") };
        assert_eq!(kind(&of(FailureKind::Timeout), None), FindingKind::Hang);
        assert_eq!(kind(&of(FailureKind::StackOverflow), None), FindingKind::StackOverflow);
        assert_eq!(kind(&of(FailureKind::Exit), None), FindingKind::Abort);
    }
}
