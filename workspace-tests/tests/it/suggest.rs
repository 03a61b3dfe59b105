//! `cargo target suggest`: what it suggests holds, and it says what supports it.

use crate::support::Fixture;

const LIBRARY: &str = "
pub fn at(xs: &[i64], i: usize) -> i64 { xs[i] }
pub fn slice(xs: &[u8], a: usize, b: usize) -> Vec<u8> { xs[a..b].to_vec() }
pub fn first(xs: &[u8]) -> u8 { xs[0] }
pub fn add(a: i32, b: i32) -> i32 { a + b }
pub fn sub(a: u32, b: u32) -> u32 { a - b }
pub fn sorted(xs: &[i16]) -> Vec<i16> { let mut v = xs.to_vec(); v.sort(); v }
pub fn index_of(xs: &[u8], x: u8) -> Option<usize> { xs.iter().position(|y| *y == x) }
pub fn unwrap(o: Option<u8>) -> u8 { o.unwrap() }
pub fn push(xs: &mut Vec<u8>, x: u8) { xs.push(x) }
pub fn odd(n: u8) -> u8 { if n % 2 == 1 && n > 5 { panic!() } n }
/// # Panics
/// If `b` is zero.
pub fn div(a: u8, b: u8) -> u8 { assert!(b != 0, \"by zero\"); a / b }
/// # Panics
/// If the range is not within the list.
pub fn part(xs: &[u8], a: usize, b: usize) -> Vec<u8> { xs[a..b].to_vec() }
/// Panics if `i` is too large.
pub fn get(xs: &[u8], i: usize) -> u8 { xs[i] }
/// # Panics
/// If there is none.
pub fn must(n: u8) -> u8 { if n == 0 { std::process::abort() } n }
pub fn never(n: u8) -> u8 { todo!(\"{n}\") }
pub struct Window { pub len: usize, pub buf: Vec<u8> }
pub fn shown(w: &Window) -> usize { w.buf[..w.len].len() }
pub fn cut(text: &str, from: usize) -> &str { &text[from..] }
pub struct Store { items: Vec<u8> }
pub fn last(store: &Store) -> u8 { *store.items.last().unwrap() }
pub fn is_empty(store: &Store) -> bool { store.items.is_empty() }
";

#[test]
fn conditions_that_separate_failing_inputs_are_found() {
    let fixture = Fixture::of("suggest::found", "", LIBRARY);
    let before = fixture.read("Cargo.toml");
    let printed = fixture.target(&["suggest"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    assert_eq!(fixture.read("Cargo.toml"), before, "nothing is written without being asked");
    for (name, expected) in [
        ("at", "requires i < xs.len() ensures result == xs[i]"),
        ("slice", "requires a <= b && b <= xs.len()"),
        ("first", "requires !xs.is_empty() ensures result == xs[0]"),
        ("add", "requires -2147483648 <= a + b && a + b <= 2147483647 ensures result == a + b"),
        ("sub", "requires b <= a ensures result == a - b"),
        ("sorted", "ensures bag(result) == bag(xs) && result.is_sorted()"),
        ("index_of", "ensures result.is_some() == (xs.contains(x))"),
        ("unwrap", "requires o.is_some()"),
        ("div", "panics if b == 0"),
        ("part", "panics if !(a <= b && b <= xs.len())"),
        ("get", "ensures result == xs[i] panics if i >= xs.len()"),
        ("must", "requires "),
        ("push", "ensures xs.len() == old(xs).len() + 1"),
        ("shown", "requires w.len <= w.buf.len() ensures result == w.len"),
        ("cut", "requires text.is_char_boundary(from)"),
        // Private fields are those of a spec, too; accessors are not.
        ("last", "requires !store.items.is_empty()"),
        ("is_empty", "ensures result == store.items.is_empty()"),
    ] {
        let line = printed.stdout.lines().find(|line| line.starts_with(&format!("{name} = ")));
        let line = line.unwrap_or_else(|| panic!("{name} in {}", printed.stdout));
        assert!(line.contains(expected), "{line}");
        assert!(
            printed.stdout.contains(&format!("# {name}: ")),
            "{name} has no support in {}",
            printed.stdout
        );
    }
    assert!(printed.stdout.contains("no condition that was tried separates them"), "{}", printed.stdout);
    assert!(!printed.stdout.contains("odd = ") && !printed.stdout.contains("never = "), "{}", printed.stdout);
}

#[test]
fn what_is_written_passes() {
    let library: String = LIBRARY
        .split_inclusive("}\n")
        .filter(|function| {
            ["at(", "add(", "sorted(", "div(", "push("].iter().any(|name| function.contains(name))
        })
        .collect();
    let fixture = Fixture::of("suggest::written", "# the end\n", &library);
    let before = fixture.read("Cargo.toml");
    let printed = fixture.target(&["suggest", "--write"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    assert!(fixture.read("Cargo.toml").starts_with(&before));
    let run = fixture.run(&["-g", "auto", "--cases", "20000"]);
    assert_eq!((run.code, run.finished()["passed"].as_u64()), (0, Some(5)), "{:#?}", run.all);
    assert_eq!(fixture.target(&["suggest"]).code, 2, "all have specs");
}

#[test]
fn what_follows_or_says_little_is_left_out_and_the_strongest_comes_first() {
    let library = "
pub fn total(a: u8, b: u8) -> u8 { a + b }
pub fn lesser(a: u32, b: u32, n: u32) -> u32 { assert!(a <= b); a.min(n) }
pub fn sorted(xs: Vec<i16>) -> Vec<i16> { let mut v = xs; v.sort(); v }
pub fn fixed(n: i32) -> i32 { 100 + (n & 7) }
pub fn always(n: u8) -> bool { n < 255 || n == 255 }
";
    let fixture = Fixture::of("suggest::needed", "", library);
    let printed = fixture.target(&["suggest"]);
    assert_eq!(printed.code, 0, "{printed:?}");
    for spec in [
        // `0 <= a + b` follows from the types, and `result <= b` from the precondition and `result <= a`.
        "total = \"fn(a: u8, b: u8) -> u8 requires a + b <= 255 ensures result == a + b\"",
        "lesser = \"fn(a: u32, b: u32, n: u32) -> u32 requires a <= b ensures result <= a && result <= n\"",
        "sorted = \"fn(xs: Vec<i16>) -> Vec<i16> ensures bag(result) == bag(xs) && result.is_sorted()\"",
        // `0 <= result` holds of all results next to the real ones, too.
        "fixed = \"fn(n: i32) -> i32\"",
        "always = \"fn(n: u8) -> bool ensures result\"",
    ] {
        assert!(printed.stdout.lines().any(|line| line == spec), "{spec} in {}", printed.stdout);
    }
    let rejected = |condition: &str| {
        let start = format!("# sorted: `{condition}` held for ");
        let line = printed.stdout.lines().find(|line| line.starts_with(&start));
        let counts =
            line.and_then(|line| line.split(", and rejects ").nth(1)?.strip_suffix(" changed results"));
        let (rejected, all) =
            counts.and_then(|counts| counts.split_once(" of ")).expect("each condition has counts");
        [rejected, all].map(|count| count.parse::<u64>().expect("a count is a number"))
    };
    let ([same, all], [ordered, all_again]) =
        (rejected("bag(result) == bag(xs)"), rejected("result.is_sorted()"));
    assert!(0 < ordered && ordered < same && same < all && all == all_again, "{}", printed.stdout);
}
