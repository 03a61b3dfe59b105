//! The rest of a program that judges arguments by specs written in Rust: reading arguments, and the loop. The specs follow it, as
//! functions in a table `SPECS`.
//!
//! A line of the input is the number of a spec, how many argument tuples follow, and these as numbers. For each tuple the
//! program prints `1` or `0`, or `?` where `i128` is too narrow, or the answer too far away.

use std::cell::Cell;
use std::io::Read as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

struct Tokens<'t>(std::str::SplitAsciiWhitespace<'t>);

impl Tokens<'_> {
    fn next<T: std::str::FromStr>(&mut self) -> T {
        self.0.next().and_then(|token| token.parse().ok()).unwrap_or_else(|| {
            eprintln!("the input is not what the specs read");
            std::process::abort()
        })
    }
}

trait Read: Sized {
    fn read(t: &mut Tokens<'_>) -> Self;
}

impl Read for i128 {
    fn read(t: &mut Tokens<'_>) -> i128 {
        t.next()
    }
}

impl Read for bool {
    fn read(t: &mut Tokens<'_>) -> bool {
        t.next::<u8>() == 1
    }
}

impl Read for char {
    fn read(t: &mut Tokens<'_>) -> char {
        char::from_u32(t.next()).expect("a character")
    }
}

impl Read for f64 {
    fn read(t: &mut Tokens<'_>) -> f64 {
        f64::from_bits(t.next())
    }
}

impl Read for f32 {
    fn read(t: &mut Tokens<'_>) -> f32 {
        f64::read(t) as f32
    }
}

impl Read for String {
    fn read(t: &mut Tokens<'_>) -> String {
        (0..t.next::<usize>()).map(|_| char::read(t)).collect()
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(t: &mut Tokens<'_>) -> Vec<T> {
        (0..t.next::<usize>()).map(|_| T::read(t)).collect()
    }
}

impl<T: Read + Ord> Read for BTreeSet<T> {
    fn read(t: &mut Tokens<'_>) -> BTreeSet<T> {
        Vec::read(t).into_iter().collect()
    }
}

impl<K: Read + Ord, V: Read> Read for BTreeMap<K, V> {
    fn read(t: &mut Tokens<'_>) -> BTreeMap<K, V> {
        Vec::read(t).into_iter().collect()
    }
}

impl<A: Read, B: Read> Read for (A, B) {
    fn read(t: &mut Tokens<'_>) -> (A, B) {
        (A::read(t), B::read(t))
    }
}

impl<T: Read> Read for Box<T> {
    fn read(t: &mut Tokens<'_>) -> Box<T> {
        Box::new(T::read(t))
    }
}

impl<T: Read> Read for Option<T> {
    fn read(t: &mut Tokens<'_>) -> Option<T> {
        (t.next::<u8>() == 1).then(|| T::read(t))
    }
}

impl<T: Read, E: Read> Read for Result<T, E> {
    fn read(t: &mut Tokens<'_>) -> Result<T, E> {
        if t.next::<u8>() == 0 { Ok(T::read(t)) } else { Err(E::read(t)) }
    }
}

impl Read for Color {
    fn read(t: &mut Tokens<'_>) -> Color {
        [Color::Red, Color::Green, Color::Black][t.next::<usize>()]
    }
}

impl Read for Point {
    fn read(t: &mut Tokens<'_>) -> Point {
        let _: u8 = t.next();
        Point { x: Read::read(t), y: Read::read(t) }
    }
}

impl Read for Clock {
    fn read(t: &mut Tokens<'_>) -> Clock {
        let _: u8 = t.next();
        Clock { h: Read::read(t), m: Read::read(t) }
    }
}

impl Read for Row {
    fn read(t: &mut Tokens<'_>) -> Row {
        let _: u8 = t.next();
        Row { key: Read::read(t), note: Read::read(t), next: Read::read(t) }
    }
}

impl Read for Term {
    fn read(t: &mut Tokens<'_>) -> Term {
        match t.next::<u8>() {
            0 => Term::Var(Read::read(t)),
            1 => Term::Lam(Read::read(t)),
            _ => Term::App(Read::read(t), Read::read(t)),
        }
    }
}

impl<T: Read> Read for List<T> {
    fn read(t: &mut Tokens<'_>) -> List<T> {
        if t.next::<u8>() == 0 { List::Nil } else { List::Cons(Read::read(t), Read::read(t)) }
    }
}

impl<T: Read> Read for Tree<T> {
    fn read(t: &mut Tokens<'_>) -> Tree<T> {
        if t.next::<u8>() == 0 {
            return Tree::Leaf;
        }
        Tree::Node(Read::read(t), Read::read(t), Read::read(t), Read::read(t))
    }
}

thread_local! {
    /// Whether the last panic says nothing of the spec.
    static IS_FAR: Cell<bool> = const { Cell::new(false) };
}

fn main() {
    std::panic::set_hook(Box::new(|panic| {
        let payload = panic.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        IS_FAR.set(message.is_some_and(|message| message.contains("overflow")));
    }));
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("the input is text");
    for line in text.lines() {
        let mut tokens = Tokens(line.split_ascii_whitespace());
        let spec = SPECS[tokens.next::<usize>()];
        let verdicts: String = (0..tokens.next::<usize>())
            .map(|_| match catch_unwind(AssertUnwindSafe(|| spec(&mut tokens))) {
                Ok(true) => '1',
                Ok(false) => '0',
                Err(_) if IS_FAR.get() => '?',
                Err(_) => '0',
            })
            .collect();
        println!("{verdicts}");
    }
}
