//! The source of a fuzz target for a function with a spec: it decodes the arguments, judges the precondition, runs the
//! function and judges the outcome.
//!
//! It contains the spec as bytes, and the glue of a harness. So the arguments' types need no `Arbitrary`, and the file
//! only needs `libfuzzer-sys`, `target-strategies` without its default features, and the user's crate.

use std::fmt::Write;

use target_strategies::logic::codec::Codec;

use super::target::{own_key, own_line};
use crate::codegen::harness;
use crate::frontend::subject::Subject;

/// Number of bytes of the spec per line.
const LINE: usize = 32;

/// The line that imports the names of the crate. Packages may share a fuzz package, and have functions with the same
/// name.
fn import(crate_name: &str) -> String {
    format!("use ::{crate_name}::*;")
}

/// Whether a text is the target that the tool wrote for a function of a crate.
pub fn is_for(text: &str, crate_name: &str, key: &str) -> bool {
    own_key(text).as_deref() == Some(key) && text.lines().any(|line| line == import(crate_name))
}

/// The target for a subject of a crate.
///
/// Its root imports all names of the crate, so its own names are long and it imports nothing else.
pub fn source(crate_name: &str, subject: &Subject) -> String {
    let key = &subject.spec.name;
    let (depth, bound) = (subject.settings.depth, subject.settings.bound);
    let (line, import) = (own_line(key), import(crate_name));
    let mut text = format!(
        "//! Fuzzes a function by its spec: what the spec refuses is no input, what breaks it is a crash.\n\
         //!\n\
         {line}\n\
         //! Do so again when the spec has changed.\n\
         #![no_main]\n\n\
         // Conditions of the spec that are Rust code may say `crate::`.\n\
         #[allow(unused_imports)]\n\
         {import}\n\n\
         static FUZZED_BY_SPEC: ::std::sync::LazyLock<::target_strategies::fuzzing::input::Target> =\n    \
         ::std::sync::LazyLock::new(|| {{\n        \
         ::target_strategies::fuzzing::input::Target::new(fuzzed_glue::SPEC, &fuzzed_glue::FUNCTION, {depth}, {bound})\n    \
         }});\n\n\
         ::libfuzzer_sys::fuzz_target!(|data: &[u8]| -> ::libfuzzer_sys::Corpus {{\n    \
         if FUZZED_BY_SPEC.run(data) {{\n        \
         ::libfuzzer_sys::Corpus::Keep\n    \
         }} else {{\n        \
         ::libfuzzer_sys::Corpus::Reject\n    \
         }}\n\
         }});\n\n\
         // Bytes changed at random rarely satisfy a spec: this stays inside it.\n\
         ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {{\n    \
         FUZZED_BY_SPEC.mutate(data, size, max_size, seed, ::libfuzzer_sys::fuzzer_mutate)\n\
         }});\n\n\
         /// The arguments as Rust values, the call, and what comes of it as a value.\n\
         #[rustfmt::skip]\n\
         #[allow(warnings)]\n\
         mod fuzzed_glue {{\n\
         pub use ::{crate_name}::*;\n\n"
    );
    let _ = writeln!(text, "mod subject_0 {{\n{}}}\n", harness::glue(subject));
    let function = harness::function(0, subject);
    let _ =
        writeln!(text, "pub static FUNCTION: ::target_strategies::child::serve::Function = {function};\n");
    text.push_str("/// The spec, for `target-strategies` of the same version.\n");
    let _ = writeln!(text, "pub const SPEC: &[u8] = &[");
    for line in subject.spec.to_bytes().chunks(LINE) {
        let numbers: Vec<String> = line.iter().map(u8::to_string).collect();
        let _ = writeln!(text, "    {},", numbers.join(", "));
    }
    text.push_str("];\n}\n");
    text
}
