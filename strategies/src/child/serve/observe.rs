//! Takes the result of a subject apart, as a client would: formats, clones, compares, hashes and iterates it.
//!
//! A panic there is a fault of the subject's crate (Irulan, section 3.3). Only rustc knows the type of a result and its
//! traits. A [`Probe`] finds them: for types with a trait it has an inherent method, which takes precedence over the
//! method of [`Otherwise`] for all types.

use std::cmp::Ordering;
use std::fmt::{self, Debug, Display, Write};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use super::laws::{PartialCmp, Relation, law};
use super::steps::{self, Name, Step};

/// Maximum number of bytes of a formatted result.
const TEXT: usize = 64 << 10;

/// Maximum number of calls of `next`: an iterator may be infinite.
const ITEMS: usize = 64;

/// Does with a result what its traits allow, and consumes it. Its name in printed tests may follow.
///
/// ```
/// use target_strategies::child::serve::observe;
///
/// let result = [1, 2].iter().map(|n| n + 1);
/// observe!(result);
/// ```
#[macro_export]
macro_rules! observe {
    (@ $part:ident, $name:expr) => {{
        let probe = $crate::child::serve::observe::Probe::of_part(&$part);
        let (debug, display) = (probe.find_debug(), probe.find_display());
        let (clone, eq, hash) = (probe.find_clone(), probe.find_eq(), probe.find_hash());
        $crate::child::serve::observe::look($part, $name, debug, display, clone, eq, hash)
    }};
    ($result:expr) => {
        $crate::observe!($result, "")
    };
    ($result:expr, $name:literal) => {{
        #[allow(unused_imports)]
        use $crate::child::serve::observe::Otherwise as _;
        use $crate::child::serve::steps;
        steps::begin(steps::Step::Call, steps::Name { of: $name, part: "" });
        let result = $result;
        let probe = $crate::child::serve::observe::Probe::of(&result);
        let (part, other) = probe.find_parts(&result);
        let (part_name, other_name) = probe.find_names();
        $crate::observe!(@ part, steps::Name { of: $name, part: part_name });
        $crate::observe!(@ other, steps::Name { of: $name, part: other_name });
        let (sized, exact) = (probe.find_iterator(), probe.find_exact_size_iterator());
        let step = if exact.is_some() { steps::Step::ExactItems } else { steps::Step::Items };
        steps::begin(step, steps::Name { of: $name, part: "" });
        $crate::child::serve::observe::iterator(result, exact.or(sized));
        steps::end();
    }};
}

/// A type whose traits are looked up.
pub struct Probe<T>(PhantomData<fn(T) -> T>);

/// The missing part of a result, a type without traits.
pub enum Missing {}

/// Takes items from an iterator, and checks what it says about their number.
pub type Take<T> = fn(T);

impl<T> Probe<T> {
    /// The type of a value.
    pub fn of(_: &T) -> Probe<T> {
        Probe(PhantomData)
    }

    /// The type of a part of a result.
    pub fn of_part(_: &Option<&T>) -> Probe<T> {
        Probe(PhantomData)
    }
}

/// Defines the lookup of methods: for a type with a trait, and otherwise.
macro_rules! lookups {
    ($($name:ident: $bound:path => $methods:expr, $found:ty;)*) => {
        $(
            impl<T: $bound> Probe<T> {
                #[doc = concat!("The methods of `", stringify!($bound), "`.")]
                pub fn $name(&self) -> Option<$found> {
                    Some($methods)
                }
            }
        )*

        /// The answers for types that don't implement a trait.
        pub trait Otherwise<T> {
            $(
                #[doc = concat!("No methods of `", stringify!($bound), "`.")]
                fn $name(&self) -> Option<$found> {
                    None
                }
            )*

            /// The whole result is one part.
            fn find_parts<'v>(&self, result: &'v T) -> (Option<&'v T>, Option<&'v Missing>) {
                (Some(result), None)
            }

            /// How code gets these parts from the result.
            fn find_names(&self) -> (&'static str, &'static str) {
                ("", "")
            }
        }

        impl<T> Otherwise<T> for Probe<T> {}
    };
}

lookups! {
    find_debug: Debug => |value| value, fn(&T) -> &dyn Debug;
    find_display: Display => |value| value, fn(&T) -> &dyn Display;
    find_clone: Clone => T::clone, fn(&T) -> T;
    find_eq: PartialEq => T::eq, Relation<T>;
    find_ne: PartialEq => T::ne, Relation<T>;
    find_reflexive_eq: Eq => T::eq, Relation<T>;
    find_partial_cmp: PartialOrd => T::partial_cmp, PartialCmp<T>;
    find_operators: PartialOrd => [T::eq, T::lt, T::le, T::gt, T::ge], [Relation<T>; 5];
    find_cmp: Ord => T::cmp, fn(&T, &T) -> Ordering;
    find_max: Ord => T::max, fn(T, T) -> T;
    find_min: Ord => T::min, fn(T, T) -> T;
    find_hash: Hash => hash, fn(&T) -> u64;
    find_from_str: FromStr => |text| text.parse().ok(), fn(&str) -> Option<T>;
    find_iterator: Iterator => |iterator| take(iterator, None), Take<T>;
    find_exact_size_iterator: ExactSizeIterator => |iterator| take(iterator, Some(T::len)), Take<T>;
}

impl<T> Probe<Option<T>> {
    /// The value. The traits of an `Option` are those of its value, but for `Display`.
    pub fn find_parts<'v>(&self, result: &'v Option<T>) -> (Option<&'v T>, Option<&'v Missing>) {
        (result.as_ref(), None)
    }

    /// How code gets the value.
    pub fn find_names(&self) -> (&'static str, &'static str) {
        (".as_ref().unwrap()", "")
    }
}

impl<T, E> Probe<Result<T, E>> {
    /// The value or the error, for the same reason.
    pub fn find_parts<'v>(&self, result: &'v Result<T, E>) -> (Option<&'v T>, Option<&'v E>) {
        (result.as_ref().ok(), result.as_ref().err())
    }

    /// How code gets them.
    pub fn find_names(&self) -> (&'static str, &'static str) {
        (".as_ref().ok().unwrap()", ".as_ref().err().unwrap()")
    }
}

impl<T> Probe<&T> {
    /// The value: a clone of the reference says nothing.
    pub fn find_parts<'v>(&self, result: &'v &T) -> (Option<&'v T>, Option<&'v Missing>) {
        (Some(result), None)
    }
}

impl<T> Probe<&mut T> {
    /// The value.
    pub fn find_parts<'v>(&self, result: &'v &mut T) -> (Option<&'v T>, Option<&'v Missing>) {
        (Some(result), None)
    }
}

/// Formats, clones, compares and hashes a part of a result.
pub fn look<T>(
    part: Option<&T>,
    name: Name,
    debug: Option<fn(&T) -> &dyn Debug>,
    display: Option<fn(&T) -> &dyn Display>,
    clone: Option<fn(&T) -> T>,
    eq: Option<Relation<T>>,
    hash: Option<fn(&T) -> u64>,
) {
    let Some(part) = part else { return };
    if let Some(debug) = debug {
        steps::begin(Step::Debug, name);
        format(format_args!("{:?}", debug(part)));
        steps::begin(Step::Pretty, name);
        format(format_args!("{:#?}", debug(part)));
    }
    if let Some(display) = display {
        steps::begin(Step::Display, name);
        format(format_args!("{}", display(part)));
    }
    steps::begin(Step::Eq, name);
    let is_itself = eq.is_some_and(|eq| eq(part, part));
    if let Some(clone) = clone {
        steps::begin(Step::Clone, name);
        let copy = clone(part);
        steps::begin(Step::CloneEq, name);
        if is_itself && eq.is_some_and(|eq| !eq(&copy, part)) {
            law("Clone", "a clone differs from its original");
        }
    }
    if let Some(hash) = hash {
        steps::begin(Step::Hash, name);
        hash(part);
    }
}

/// Takes items from a value if it is an iterator, and drops it.
pub fn iterator<T>(value: T, take: Option<Take<T>>) {
    if let Some(take) = take {
        take(value);
    }
}

/// What an iterator says about the number of its items.
struct Claim {
    size_hint: (usize, Option<usize>),
    len: Option<usize>,
}

/// Takes the first items of an iterator. `len` is that of `ExactSizeIterator`.
fn take<I: Iterator>(mut iterator: I, len: Option<fn(&I) -> usize>) {
    let mut claims = Vec::new();
    let mut has_ended = false;
    while !has_ended && claims.len() < ITEMS {
        let size_hint = iterator.size_hint();
        if len.is_some() && size_hint.1 != Some(size_hint.0) {
            law("ExactSizeIterator", format_args!("size_hint() is {size_hint:?}, which is not exact"));
        }
        claims.push(Claim { size_hint, len: len.map(|len| len(&iterator)) });
        has_ended = iterator.next().is_none();
    }
    check(&claims, has_ended);
}

/// Checks the claims before each call of `next`. Only the last call can have returned `None`.
fn check(claims: &[Claim], has_ended: bool) {
    let n_items = claims.len() - usize::from(has_ended);
    let at_least = if has_ended { "" } else { "at least " };
    for (taken, Claim { size_hint, len }) in claims.iter().enumerate() {
        let rest = n_items - taken;
        // More items may follow than were taken.
        let is_wrong = |lower, upper| upper < rest || has_ended && lower > rest;
        if is_wrong(size_hint.0, size_hint.1.unwrap_or(usize::MAX)) {
            let what =
                format!("after {taken} items, size_hint() is {size_hint:?}, but {at_least}{rest} follow");
            law("Iterator", what);
        }
        if let Some(len) = *len
            && is_wrong(len, len)
        {
            let what = format!("after {taken} items, len() is {len}, but {at_least}{rest} follow");
            law("ExactSizeIterator", what);
        }
    }
}

/// Discards the text of a result. An error of the result's own is no fault.
fn format(text: fmt::Arguments) {
    let _ = Room(TEXT).write_fmt(text);
}

/// The number of bytes that may still be written.
struct Room(usize);

impl Write for Room {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.checked_sub(text.len()).map(|room| self.0 = room).ok_or(fmt::Error)
    }
}

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// The message of the panic in some code.
    fn panic_in(code: impl FnOnce()) -> String {
        let panic = catch_unwind(AssertUnwindSafe(code)).err();
        panic
            .map_or("none".into(), |payload| *payload.downcast::<String>().expect("a law panics with a text"))
    }

    /// A value that records what is done with it. Its clone is the next number.
    struct Noted<'n>(&'n RefCell<Vec<&'static str>>, f32);

    impl Debug for Noted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.borrow_mut().push(if f.alternate() { "{:#?}" } else { "{:?}" });
            Err(fmt::Error)
        }
    }

    impl Display for Noted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.borrow_mut().push("{}");
            while write!(f, "text").is_ok() {}
            Ok(())
        }
    }

    impl Clone for Noted<'_> {
        fn clone(&self) -> Self {
            self.0.borrow_mut().push("clone");
            Noted(self.0, self.1 + 1.0)
        }
    }

    impl PartialEq for Noted<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.1 == other.1
        }
    }

    impl Hash for Noted<'_> {
        fn hash<H: Hasher>(&self, _: &mut H) {
            self.0.borrow_mut().push("hash");
        }
    }

    #[test]
    fn a_result_is_taken_apart() {
        let notes = RefCell::default();
        let lawful = || Noted(&notes, f32::NAN);
        observe!(lawful());
        observe!(Some(lawful()));
        observe!(Err::<Missing, _>(lawful()));
        assert_eq!(notes.take(), [["{:?}", "{:#?}", "{}", "clone", "hash"]; 3].concat());
        let message = "law of Clone: a clone differs from its original";
        let mut value = Noted(&notes, 1.0);
        assert_eq!(panic_in(|| observe!(&value)), message);
        assert_eq!(panic_in(|| observe!(&mut value)), message);
        assert_eq!(panic_in(|| observe!(Some(Box::new(value)))), message);
    }

    #[test]
    fn any_type_compiles() {
        fn evens(numbers: &mut [u32]) -> impl Iterator<Item = &mut u32> + '_ {
            numbers.iter_mut().step_by(2)
        }
        let mut numbers = [1, 2, 3];
        observe!(evens(&mut numbers));
        observe!(Box::new(0..) as Box<dyn Iterator<Item = i32>>);
        observe!(&mut numbers[..]);
        observe!(&numbers[1..]);
        observe!("text");
        observe!(());
        observe!(move || numbers);
        observe!(Ok::<_, Box<dyn std::error::Error>>(None::<Missing>));
        observe!(&1 as &dyn std::any::Any);
    }

    /// Counts down, and lies about it.
    struct Liar {
        n_items: usize,
        size_hint: (usize, Option<usize>),
        len: usize,
    }

    impl Iterator for Liar {
        type Item = ();

        fn next(&mut self) -> Option<()> {
            self.n_items = self.n_items.checked_sub(1)?;
            Some(())
        }

        fn size_hint(&self) -> (usize, Option<usize>) {
            self.size_hint
        }
    }

    impl ExactSizeIterator for Liar {
        fn len(&self) -> usize {
            self.len
        }
    }

    #[test]
    fn iterators_count_their_items() {
        let found = |n_items, size_hint, len| panic_in(|| observe!(Liar { n_items, size_hint, len }));
        let message = "law of ExactSizeIterator: size_hint() is (0, Some(2)), which is not exact";
        assert_eq!(found(2, (0, Some(2)), 2), message);
        let message = "law of Iterator: after 1 items, size_hint() is (2, Some(2)), but 1 follow";
        assert_eq!(found(2, (2, Some(2)), 2), message);
        let message = "law of Iterator: after 0 items, size_hint() is (63, Some(63)), but at least 64 follow";
        assert_eq!(found(100, (63, Some(63)), 2), message);
        assert_eq!(found(100, (99, Some(99)), 99), "none");
        let message = "law of ExactSizeIterator: after 0 items, len() is 1, but 0 follow";
        assert_eq!(found(0, (0, Some(0)), 1), message);
        let liar = Liar { n_items: 1, size_hint: (0, Some(0)), len: 0 };
        let message = "law of Iterator: after 0 items, size_hint() is (0, Some(0)), but 1 follow";
        assert_eq!(panic_in(|| observe!(liar.filter(|_| true))), message);
    }

    #[test]
    fn laws_are_checked_if_the_traits_exist() {
        macro_rules! found {
            ($a:expr, $b:expr; $($law:ident)*) => { [$(panic_in(|| crate::check_law!($law, $a, $b))),*] };
        }
        let found = found!((), (); PartialEq Ord PartialOrd Clone FromStr Hash Default Iterator);
        assert_eq!(found, ["none"; 8]);
        assert_eq!(found!(f32::NAN, 0.0; PartialEq PartialOrd Ord Clone FromStr), ["none"; 5]);

        /// All natural numbers are equal, but not in other respects.
        #[allow(clippy::derived_hash_with_manual_eq, reason = "that is the fault")]
        #[derive(Eq, PartialOrd, Ord, Hash)]
        struct Same(i32);
        impl PartialEq for Same {
            fn eq(&self, _: &Same) -> bool {
                self.0 >= 0
            }
        }
        assert_eq!(found!(Same(-1), Same(1); PartialEq), ["law of Eq: not a == a"]);
        let order = |name| format!("law of {name}: a.partial_cmp(b) is Some(Less), but a == b");
        let hash = "law of Hash: a == b, but their hashes differ".to_owned();
        let found = found!(Same(1), Same(2); PartialOrd Ord Hash);
        assert_eq!(found, [order("PartialOrd"), order("Ord"), hash]);
        let liar = || Liar { n_items: 0, size_hint: (0, Some(0)), len: 1 };
        let [first, second] = found!(liar(), liar(); Iterator ExactSizeIterator);
        assert!(first == "none" && second.starts_with("law of ExactSizeIterator: "), "{second}");
    }
}
