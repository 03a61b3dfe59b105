//! Checks laws of the standard traits on given values, as the documentation of `std` states them.
//!
//! A law is a function here. It gets values, and the methods of their type as function pointers.
//! [`check_law!`](crate::check_law) finds the methods with a [`Probe`](super::observe::Probe), so it compiles for every
//! type. If the type lacks a trait that the law needs, nothing is checked.

use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::fmt::{self, Debug, Display, Write};

/// The first words of the message of a broken law. The trait's name follows.
pub const LAW: &str = "law of ";

/// Maximum number of characters of a value in a message.
const SHOWN: usize = 200;

/// Maximum number of bytes of a text that is compared or parsed.
const TEXT: usize = 64 << 10;

/// Panics because a law of a trait is broken.
///
/// ```should_panic
/// target_strategies::child::serve::laws::law("Ord", "a < b, b < c, but not a < c");
/// ```
pub fn law(trait_name: &str, what: impl Display) -> ! {
    panic!("{LAW}{trait_name}: {what}")
}

/// Checks the laws of one trait on values of one type. `Iterator` and `ExactSizeIterator` consume them.
///
/// ```
/// use target_strategies::child::serve::check_law;
///
/// let (a, b, c) = (0.5, f64::NAN, -0.0);
/// check_law!(PartialOrd, a, b, c);
/// check_law!(Ord, a, b, c); // `f64` isn't `Ord`: nothing is checked.
/// ```
#[macro_export]
macro_rules! check_law {
    (@ PartialEq $probe:ident $given:ident) => {
        $crate::child::serve::laws::partial_eq(&$given, $probe.find_eq(), $probe.find_ne(), $probe.find_reflexive_eq())
    };
    (@ PartialOrd $probe:ident $given:ident) => {{
        let (partial_cmp, operators) = ($probe.find_partial_cmp(), $probe.find_operators());
        $crate::child::serve::laws::order(&$given, "PartialOrd", partial_cmp, operators)
    }};
    (@ Ord $probe:ident $given:ident) => {{
        let (cmp, partial_cmp) = ($probe.find_cmp(), $probe.find_partial_cmp());
        $crate::child::serve::laws::ord(&$given, cmp, partial_cmp, $probe.find_operators());
        let (max, min, clone) = ($probe.find_max(), $probe.find_min(), $probe.find_clone());
        $crate::child::serve::laws::max_and_min(&$given, cmp, max, min, clone)
    }};
    (@ Hash $probe:ident $given:ident) => {
        $crate::child::serve::laws::hash(&$given, $probe.find_hash(), $probe.find_reflexive_eq())
    };
    (@ Clone $probe:ident $given:ident) => {
        $crate::child::serve::laws::clone(&$given, $probe.find_clone(), $probe.find_eq())
    };
    (@ FromStr $probe:ident $given:ident) => {{
        let (display, from_str) = ($probe.find_display(), $probe.find_from_str());
        $crate::child::serve::laws::from_str(&$given, display, from_str, $probe.find_eq())
    }};
    (Default, $($value:expr),+ $(,)?) => {{}};
    (Deserialize, $writer:literal, $write:expr, $read:expr, $first:expr $(, $value:expr)* $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::child::serve::observe::Otherwise as _;
        let values = [&$first $(, &$value)*];
        let probe = $crate::child::serve::observe::Probe::of(values[0]);
        let given = $crate::child::serve::laws::Given { values: &values, debug: probe.find_debug() };
        let names = ("Deserialize", $writer);
        $crate::child::serve::laws::round_trip(&given, names, $write, $read, probe.find_eq())
    }};
    (Iterator, $($value:expr),+ $(,)?) => {
        $crate::check_law!(@ by value: find_iterator, $($value),+)
    };
    (ExactSizeIterator, $($value:expr),+ $(,)?) => {
        $crate::check_law!(@ by value: find_exact_size_iterator, $($value),+)
    };
    (@ by value: $find:ident, $($value:expr),+) => {{
        #[allow(unused_imports)]
        use $crate::child::serve::observe::Otherwise as _;
        $({
            let value = $value;
            let take = $crate::child::serve::observe::Probe::of(&value).$find();
            $crate::child::serve::observe::iterator(value, take);
        })+
    }};
    ($law:ident, $first:expr $(, $value:expr)* $(,)?) => {{
        #[allow(unused_imports)]
        use $crate::child::serve::observe::Otherwise as _;
        let values = [&$first $(, &$value)*];
        let probe = $crate::child::serve::observe::Probe::of(values[0]);
        let given = $crate::child::serve::laws::Given { values: &values, debug: probe.find_debug() };
        $crate::check_law!(@ $law probe given)
    }};
}

/// A relation of two values.
pub type Relation<T> = fn(&T, &T) -> bool;

/// A comparison of two values that may be incomparable.
pub type PartialCmp<T> = fn(&T, &T) -> Option<Ordering>;

/// The values that a law is checked on.
pub struct Given<'v, T> {
    /// The values.
    pub values: &'v [&'v T],
    /// `Debug` of their type, for messages.
    pub debug: Option<fn(&T) -> &dyn Debug>,
}

/// The position of a value. Messages call the values `a`, `b`, `c`.
#[derive(Clone, Copy, PartialEq)]
struct At(usize);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(('a'..='z').nth(self.0).unwrap_or('?'))
    }
}

impl<T> std::ops::Index<At> for Given<'_, T> {
    type Output = T;

    fn index(&self, At(position): At) -> &T {
        self.values[position]
    }
}

impl<T> Given<'_, T> {
    /// All tuples of positions, also with equal ones.
    fn tuples<const N: usize>(&self) -> impl Iterator<Item = [At; N]> + use<T, N> {
        let n = self.values.len();
        let digit = move |number: usize, index: usize| At(number / n.pow((N - 1 - index) as u32) % n);
        (0..n.pow(N as u32)).map(move |number| std::array::from_fn(|index| digit(number, index)))
    }

    /// Panics because the values at some positions break a law.
    fn broken(&self, trait_name: &str, positions: &[At], what: String) -> ! {
        let Some(debug) = self.debug else { law(trait_name, what) };
        let values = (0..self.values.len()).map(At).filter(|at| positions.contains(at));
        let values: Vec<String> = values.map(|at| format!("{at} = {}", shown(debug(&self[at])))).collect();
        law(trait_name, format_args!("{what}, where {}", values.join(", ")))
    }
}

/// `==` is symmetric and transitive, and reflexive if the type is `Eq`. `!=` is its negation.
pub fn partial_eq<T>(
    given: &Given<T>,
    eq: Option<Relation<T>>,
    ne: Option<Relation<T>>,
    reflexive: Option<Relation<T>>,
) {
    let (Some(eq), Some(ne)) = (eq, ne) else { return };
    let equal = |a, b| eq(&given[a], &given[b]);
    for [a, b] in given.tuples() {
        let (is, is_not) = (equal(a, b), ne(&given[a], &given[b]));
        if is && is_not {
            given.broken("PartialEq", &[a, b], format!("{a} == {b}, but also {a} != {b}"));
        }
        if !is && !is_not {
            given.broken("PartialEq", &[a, b], format!("neither {a} == {b} nor {a} != {b}"));
        }
        if is && !equal(b, a) {
            given.broken("PartialEq", &[a, b], format!("{a} == {b}, but not {b} == {a}"));
        }
        if a == b && !is && reflexive.is_some() {
            given.broken("Eq", &[a], format!("not {a} == {a}"));
        }
    }
    for [a, b, c] in given.tuples() {
        if equal(a, b) && equal(b, c) && !equal(a, c) {
            given.broken("PartialEq", &[a, b, c], format!("{a} == {b}, {b} == {c}, but not {a} == {c}"));
        }
    }
}

/// `cmp` agrees with `partial_cmp`, which has the laws of `PartialOrd`.
pub fn ord<T>(
    given: &Given<T>,
    cmp: Option<fn(&T, &T) -> Ordering>,
    partial_cmp: Option<PartialCmp<T>>,
    operators: Option<[Relation<T>; 5]>,
) {
    let (Some(cmp), Some(partial)) = (cmp, partial_cmp) else { return };
    for [a, b] in given.tuples() {
        let (total, partial) = (cmp(&given[a], &given[b]), partial(&given[a], &given[b]));
        if partial != Some(total) {
            let what = format!("{a}.cmp({b}) is {total:?}, but {a}.partial_cmp({b}) is {partial:?}");
            given.broken("Ord", &[a, b], what);
        }
    }
    order(given, "Ord", partial_cmp, operators);
}

/// The operators agree with `partial_cmp`, which is antisymmetric and transitive.
pub fn order<T>(
    given: &Given<T>,
    trait_name: &str,
    partial_cmp: Option<PartialCmp<T>>,
    operators: Option<[Relation<T>; 5]>,
) {
    let Some(partial_cmp) = partial_cmp else { return };
    let cmp = |a, b| partial_cmp(&given[a], &given[b]);
    let expected = [Ordering::is_eq, Ordering::is_lt, Ordering::is_le, Ordering::is_gt, Ordering::is_ge];
    for [a, b] in given.tuples() {
        let found = cmp(a, b);
        for (index, operator) in operators.iter().flatten().enumerate() {
            let holds = operator(&given[a], &given[b]);
            if holds != found.is_some_and(expected[index]) {
                let (not, sign) = (if holds { "" } else { "not " }, ["==", "<", "<=", ">", ">="][index]);
                let what = format!("{a}.partial_cmp({b}) is {found:?}, but {not}{a} {sign} {b}");
                given.broken(trait_name, &[a, b], what);
            }
        }
        if let Some(found) = found
            && cmp(b, a) != Some(found.reverse())
        {
            let what = format!("{a} {} {b}, but not {b} {} {a}", sign(found), sign(found.reverse()));
            given.broken(trait_name, &[a, b], what);
        }
    }
    for ([a, b, c], order) in given.tuples().flat_map(|triple| [(triple, Less), (triple, Equal)]) {
        if [cmp(a, b), cmp(b, c)] == [Some(order); 2] && cmp(a, c) != Some(order) {
            let sign = sign(order);
            let what = format!("{a} {sign} {b}, {b} {sign} {c}, but not {a} {sign} {c}");
            given.broken(trait_name, &[a, b, c], what);
        }
    }
}

/// `max` and `min` agree with `cmp`. They consume their arguments, so they get clones.
pub fn max_and_min<T>(
    given: &Given<T>,
    cmp: Option<fn(&T, &T) -> Ordering>,
    max: Option<fn(T, T) -> T>,
    min: Option<fn(T, T) -> T>,
    clone: Option<fn(&T) -> T>,
) {
    let (Some(cmp), Some(max), Some(min), Some(clone)) = (cmp, max, min, clone) else { return };
    let is = |value: &T, at| cmp(value, &given[at]).is_eq();
    for [a, b] in given.tuples() {
        let found = cmp(&given[a], &given[b]);
        // Of equal values, `max` returns the second, and `min` the first.
        let (larger, smaller) = if found.is_gt() { (a, b) } else { (b, a) };
        for (method, name, expected) in [(max, "max", larger), (min, "min", smaller)] {
            let (first, second) = (clone(&given[a]), clone(&given[b]));
            // A clone that differs breaks another law.
            if is(&first, a) && is(&second, b) && !is(&method(first, second), expected) {
                let what = format!("{a} {} {b}, but {a}.{name}({b}) is not {expected}", sign(found));
                given.broken("Ord", &[a, b], what);
            }
        }
    }
}

/// Equal values have equal hashes.
pub fn hash<T>(given: &Given<T>, hash: Option<fn(&T) -> u64>, eq: Option<Relation<T>>) {
    let (Some(hash), Some(eq)) = (hash, eq) else { return };
    for [a, b] in given.tuples() {
        if eq(&given[a], &given[b]) && hash(&given[a]) != hash(&given[b]) {
            given.broken("Hash", &[a, b], format!("{a} == {b}, but their hashes differ"));
        }
    }
}

/// A clone equals its original.
pub fn clone<T>(given: &Given<T>, clone: Option<fn(&T) -> T>, eq: Option<Relation<T>>) {
    let (Some(clone), Some(eq)) = (clone, eq) else { return };
    for [a] in given.tuples() {
        let (value, copy) = (&given[a], clone(&given[a]));
        if eq(value, value) && !eq(&copy, value) {
            let copy = given.debug.map_or(String::new(), |debug| format!(" {}", shown(debug(&copy))));
            given.broken("Clone", &[a], format!("the clone{copy} of {a} differs from its original"));
        }
    }
}

/// The text of a value parses as an equal value.
pub fn from_str<T>(
    given: &Given<T>,
    display: Option<fn(&T) -> &dyn Display>,
    from_str: Option<fn(&str) -> Option<T>>,
    eq: Option<Relation<T>>,
) {
    let (Some(display), Some(from_str)) = (display, from_str) else { return };
    let write = |value: &T| match written(format_args!("{}", display(value))) {
        (text, true) => Some(text),
        (_, false) => None,
    };
    round_trip(given, ("FromStr", ".to_string()"), write, from_str, eq);
}

/// What is written of a value is read as an equal value. `names` are the trait's name and the writer's.
pub fn round_trip<T>(
    given: &Given<T>,
    (trait_name, writer): (&str, &str),
    write: impl Fn(&T) -> Option<String>,
    read: impl Fn(&str) -> Option<T>,
    eq: Option<Relation<T>>,
) {
    for [a] in given.tuples() {
        let Some(text) = write(&given[a]) else { continue };
        // A value that is not equal to itself, as NaN, need not come back.
        if eq.is_some_and(|eq| !eq(&given[a], &given[a])) {
            continue;
        }
        let start = format!("{a}{writer} is {}, which", shown(&text));
        let Some(again) = read(&text) else {
            given.broken(trait_name, &[a], format!("{start} does not parse"));
        };
        if eq.is_some_and(|eq| !eq(&again, &given[a])) {
            let again = given.debug.map_or("another value".into(), |debug| shown(debug(&again)));
            given.broken(trait_name, &[a], format!("{start} parses as {again}"));
        }
    }
}

fn sign(order: Ordering) -> &'static str {
    match order {
        Less => "<",
        Equal => "==",
        Greater => ">",
    }
}

/// A text that takes at most [`TEXT`] bytes.
struct Sink(String);

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = TEXT.checked_sub(self.0.len() + text.len());
        room.map(|_| self.0.push_str(text)).ok_or(fmt::Error)
    }
}

/// A text, and whether it is whole.
fn written(text: fmt::Arguments) -> (String, bool) {
    let mut sink = Sink(String::new());
    let is_whole = sink.write_fmt(text).is_ok();
    (sink.0, is_whole)
}

/// The start of a value's text.
fn shown(value: &dyn Debug) -> String {
    let (text, is_whole) = written(format_args!("{value:?}"));
    let start: String = text.chars().take(SHOWN).collect();
    if is_whole && start.len() == text.len() { start } else { start + "..." }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// What a check finds on 1, 2, 3.
    fn found(debug: Option<fn(&i32) -> &dyn Debug>, check: impl FnOnce(&Given<i32>)) -> String {
        let given = Given { values: &[&1, &2, &3], debug };
        let panic = catch_unwind(AssertUnwindSafe(|| check(&given))).err();
        panic.map_or("nothing".into(), |payload| {
            *payload.downcast::<String>().expect("a law panics with a text")
        })
    }

    #[test]
    fn equality_and_hash() {
        let is = |eq: Relation<i32>, ne: Relation<i32>| {
            found(None, |given| partial_eq(given, Some(eq), Some(ne), Some(eq)))
        };
        assert_eq!(is(i32::eq, i32::ne), "nothing");
        assert_eq!(is(|_, _| false, |_, _| true), "law of Eq: not a == a");
        assert_eq!(is(i32::le, i32::gt), "law of PartialEq: a == b, but not b == a");
        let message = is(|a, b| a.abs_diff(*b) < 2, |a, b| a.abs_diff(*b) > 1);
        assert_eq!(message, "law of PartialEq: a == b, b == c, but not a == c");
        assert_eq!(is(i32::eq, i32::eq), "law of PartialEq: a == a, but also a != a");
        assert_eq!(is(i32::eq, |_, _| false), "law of PartialEq: neither a == b nor a != b");
        let is = |eq| found(Some(|n| n), |given| hash(given, Some(|n| *n as u64), Some(eq)));
        assert_eq!(is(i32::eq), "nothing");
        let message = "law of Hash: a == c, but their hashes differ, where a = 1, c = 3";
        assert_eq!(is(|a, b| a % 2 == b % 2), message);
    }

    #[test]
    fn orders() {
        let operators: [Relation<i32>; 5] = [i32::eq, i32::lt, i32::le, i32::gt, i32::ge];
        let is =
            |cmp: PartialCmp<i32>, operators| found(None, |given| order(given, "Ord", Some(cmp), operators));
        assert_eq!(is(i32::partial_cmp, Some(operators)), "nothing");
        let message = is(i32::partial_cmp, Some([i32::eq, i32::lt, i32::lt, i32::gt, i32::ge]));
        assert_eq!(message, "law of Ord: a.partial_cmp(a) is Some(Equal), but not a <= a");
        let message = is(|a, b| Some(if a == b { Equal } else { Less }), None);
        assert_eq!(message, "law of Ord: a < b, but not b > a");
        // Rock, paper, scissors.
        let message = is(|a, b| Some(((b - a + 1).rem_euclid(3) - 1).cmp(&0).reverse()), None);
        assert_eq!(message, "law of Ord: a < b, b < c, but not a < c");
        let message = found(None, |given| ord(given, Some(|a, b| b.cmp(a)), Some(i32::partial_cmp), None));
        assert_eq!(message, "law of Ord: a.cmp(b) is Greater, but a.partial_cmp(b) is Some(Less)");
        let (cmp, max, clone) = (Some(i32::cmp as _), Some(i32::max as _), Some(i32::clone as _));
        let is = |min| found(None, |given| max_and_min(given, cmp, max, Some(min), clone));
        assert_eq!(is(i32::min), "nothing");
        assert_eq!(is(i32::max), "law of Ord: a < b, but a.min(b) is not a");
    }

    #[test]
    fn clones_and_texts() {
        let is = |eq| found(Some(|n| n), |given| clone(given, Some(|n| n + 1), eq));
        let message = "law of Clone: the clone 2 of a differs from its original, where a = 1";
        assert_eq!([is(Some(i32::eq as Relation<i32>)), is(None)], [message, "nothing"]);
        assert_eq!(is(Some(|_, _| false)), "nothing");
        let is = |parse| found(None, |given| from_str(given, Some(|n| n), Some(parse), Some(i32::eq)));
        assert_eq!(is(|text| text.parse().ok()), "nothing");
        assert_eq!(is(|_| None), "law of FromStr: a.to_string() is \"1\", which does not parse");
        assert_eq!(is(|_| Some(1)), "law of FromStr: b.to_string() is \"2\", which parses as another value");
        let long = Some((|_| Box::leak(Box::new("1".repeat(70_000)))) as fn(&i32) -> &dyn Display);
        assert_eq!(found(None, |given| from_str(given, long, Some(|_| None), None)), "nothing");
        assert_eq!(shown(&"x".repeat(300)), format!("\"{}...", "x".repeat(199)));
        assert_eq!(shown(&"x".repeat(100_000)), "\"...");
    }
}
