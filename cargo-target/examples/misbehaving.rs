//! A harness as `cargo target` generates it, of subjects that do what subjects shouldn't. The tests of the worker and
//! the runner drive it. All take and give an `i64`; most misbehave on 3 and only there.

#![allow(clippy::disallowed_macros, reason = "a subject prints as it likes")]

use std::io::{Read, Write};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use std::{hint, process, thread};

use target_strategies::child::serve::{Arena, Function, Ran, convert};
use target_strategies::logic::value::Value;

fn panics(n: i64) -> i64 {
    assert!(n != 3, "three is {}", "bad");
    n
}

fn panics_from_seven(n: i64) -> i64 {
    assert!(n < 7, "too large");
    n
}

fn aborts(n: i64) -> i64 {
    if n == 3 {
        eprintln!("going down");
        process::abort();
    }
    n
}

fn overflows_the_stack(n: i64) -> i64 {
    fn descend(n: i64, above: &[u8; 512]) -> i64 {
        let here = [above[0].wrapping_add(1); 512];
        if n < 0 { 0 } else { descend(hint::black_box(n + 1), &here) + 1 }
    }
    if n == 3 { descend(n, &[0; 512]) } else { n }
}

fn loops(n: i64) -> i64 {
    if n == 3 {
        loop {
            hint::spin_loop();
        }
    }
    n
}

fn allocates_without_end(n: i64) -> i64 {
    let mut hoard = vec![1_u8; 1 << 20];
    if n == 3 {
        loop {
            hoard.extend_from_within(..);
        }
    }
    n + i64::from(hoard[0]) - 1
}

fn exits_happily(n: i64) -> i64 {
    if n == 3 { process::exit(0) } else { n }
}

fn exits(n: i64) -> i64 {
    if n == 3 { process::exit(3) } else { n }
}

/// Uses what should be the protocol's pipes.
fn chats(n: i64) -> i64 {
    println!("stdout {n}");
    eprintln!("stderr {n}");
    print!("no newline");
    // Any answer will do: what matters is that neither blocks nor reaches the parent.
    let _ = std::io::stdout().flush();
    let mut input = String::new();
    let n_read = std::io::stdin().read_to_string(&mut input).unwrap_or(0);
    n + n_read as i64
}

/// Threads that are joined, that panic, and that outlive the case.
fn spawns_threads(n: i64) -> i64 {
    let sum: i64 = (0..4).map(|k| thread::spawn(move || n * k)).map(|t| t.join().unwrap_or(0)).sum();
    let panicked = thread::spawn(|| panic!("in a thread")).join().is_err();
    thread::spawn(|| thread::sleep(Duration::from_secs(60)));
    if panicked { sum / 6 } else { -1 }
}

/// Replaces the panic hook some cases before the one that panics.
fn replaces_the_panic_hook(n: i64) -> i64 {
    if n == -2 {
        std::panic::set_hook(Box::new(|_| process::exit(99)));
    }
    panics(n)
}

/// Catches a panic of its own, and dies of another one.
fn panics_twice(n: i64) -> i64 {
    let _ = std::panic::catch_unwind(|| panic!("the first"));
    if n == 3 {
        std::panic::resume_unwind(Box::new("the second"));
    }
    n
}

unsafe extern "C" {
    fn fork() -> i32;
}

/// Comes back in two processes.
fn forks(n: i64) -> i64 {
    if n == 3 {
        // SAFETY: the process has one thread.
        unsafe { fork() };
    }
    n
}

static CALLS: AtomicI64 = AtomicI64::new(0);

/// Fails in its fourth call, whatever with.
fn depends_on_earlier_calls(n: i64) -> i64 {
    let n_calls = CALLS.fetch_add(1, Ordering::Relaxed) + 1;
    assert!(n_calls != 4, "called too often");
    n
}

/// Leaks more over all cases than one case may take.
fn leaks(n: i64) -> i64 {
    let leaked: &[u8] = vec![1_u8; 64 << 10].leak();
    n + i64::from(leaked[0]) - 1
}

/// A destructor that panics, of a value that the glue keeps.
struct Grenade(i64);

impl Drop for Grenade {
    fn drop(&mut self) {
        assert!(self.0 != 3, "boom");
    }
}

/// Aborts by panicking while unwinding.
fn panics_while_unwinding(n: i64) -> i64 {
    let _grenade = Grenade(n);
    panics(n)
}

fn negates(n: i64) -> i64 {
    -n
}

fn never<'a>(_: &'a [Value], _: &'a Arena) -> bool {
    panic!("never judges")
}

fn endless<'a>(args: &'a [Value], _: &'a Arena) -> bool {
    loops(convert::as_i64(&args[0])) > -9
}

/// The glue of a subject.
macro_rules! function {
    ($name:ident) => {
        function!($name, &[])
    };
    ($name:ident, $opaques:expr) => {{
        fn run<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
            let n = convert::as_i64(&args[0]);
            let result = arena.subject(|| $name(n));
            Ran { result: convert::from_i64(result), after: None }
        }
        Function { number: 0, name: stringify!($name), run, opaques: $opaques, builders: &[] }
    }};
}

/// Glue that keeps a value, whose destructor runs when the case is over.
fn keeps_a_grenade<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
    let grenade = arena.keep(Grenade(convert::as_i64(&args[0])));
    let result = arena.subject(|| grenade.0);
    Ran { result: convert::from_i64(result), after: None }
}

/// Glue that fails before the subject is called.
fn is_broken<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
    let flag = convert::as_bool(&args[0]);
    let result = arena.subject(|| i64::from(flag));
    Ran { result: convert::from_i64(result), after: None }
}

/// Glue of `fn(&mut i64)`, which adds one.
fn increments<'a>(args: &'a [Value], arena: &'a Arena) -> Ran {
    let n = arena.keep(convert::as_i64(&args[0]));
    arena.subject(|| *n += 1);
    Ran { result: convert::from_i64(0), after: Some(vec![convert::from_i64(*n)]) }
}

fn main() {
    let mut functions = [
        function!(panics),
        function!(aborts),
        function!(overflows_the_stack),
        function!(loops),
        function!(allocates_without_end),
        function!(exits_happily),
        function!(exits),
        function!(chats),
        function!(spawns_threads),
        function!(replaces_the_panic_hook),
        function!(panics_twice),
        function!(depends_on_earlier_calls),
        function!(leaks),
        function!(panics_while_unwinding),
        function!(negates, &[never, endless]),
        Function { number: 0, name: "keeps_a_grenade", run: keeps_a_grenade, opaques: &[], builders: &[] },
        Function { number: 0, name: "is_broken", run: is_broken, opaques: &[], builders: &[] },
        Function { number: 0, name: "increments", run: increments, opaques: &[], builders: &[] },
        function!(panics_from_seven),
        function!(forks),
    ];
    for (number, function) in (0..).zip(&mut functions) {
        function.number = number;
    }
    target_strategies::child::serve::main(&functions);
}
