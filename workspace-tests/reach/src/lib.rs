//! Calls the functions of `drive` in ten crates with arguments of any source.

use std::panic::{catch_unwind, AssertUnwindSafe};

/// A source of arguments: proptest, a fuzzer's bytes or a log.
pub trait Source {
    /// An argument, or nothing if the source has no more.
    fn argument<T>(&mut self) -> Option<T>
    where
        T: proptest::arbitrary::Arbitrary + for<'a> arbitrary::Arbitrary<'a> + serde::de::DeserializeOwned;
}

/// A function that takes its arguments from a source.
pub struct Driven<S> {
    pub name: &'static str,
    call: fn(&mut S) -> Option<()>,
}

impl<S: Source> Driven<S> {
    /// Calls it, if the source has arguments. A panic ends the call only.
    pub fn call(&self, source: &mut S) {
        let _ = catch_unwind(AssertUnwindSafe(|| (self.call)(source)));
    }
}

macro_rules! functions {
    ($($package:literal $crate_name:ident { $($function:ident($($arg:ident),*))* })*) => {
        /// The driven functions of a crate.
        pub fn functions<S: Source>(package: &str) -> Vec<Driven<S>> {
            match package {
                $($package => vec![$(Driven {
                    name: stringify!($function),
                    call: |source| {
                        $(let $arg = source.argument()?;)*
                        $crate_name::drive::$function($($arg),*);
                        Some(())
                    },
                }),*],)*
                _ => panic!("no functions of {package}"),
            }
        }
    };
}

functions! {
    "bit-vec" bit_vec { from_bytes(a) elem(a, b) pair(a, b) edit(a, b, c) split(a, b) grow(a, b, c) }
    "fastrand" fastrand { byte(a, b, c) wide(a, b, c) character(a, b, c) digit(a, b) shuffle(a, b) choose(a, b, c) letters(a) }
    "heck" heck { snake(a) kebab(a) title(a) train(a) lower_camel(a) upper_camel(a) shouty_snake(a) shouty_kebab(a) }
    "humantime" humantime { duration(a) time(a) weak(a) format(a, b) stamp(a, b) }
    "percent-encoding" percent_encoding { decode(a) strict(a) encode(a) controls(a) byte(a) }
    "semver" semver { version(a) requirement(a) comparator(a) parts(a, b) matches(a, b) order(a, b) }
    "shlex" shlex { split(a) split_bytes(a) quote(a) join(a) }
    "slab" slab { edit(a) get(a, b, c) remove(a, b) keys(a) }
    "strsim" strsim {
        hamming(a, b) jaro(a, b) jaro_winkler(a, b) levenshtein(a, b) normalized_levenshtein(a, b) osa_distance(a, b)
        damerau_levenshtein(a, b) normalized_damerau_levenshtein(a, b) sorensen_dice(a, b)
    }
    "unit-prefix" unit_prefix { decimal(a) binary(a) read(a) }
}
