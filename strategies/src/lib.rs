//! Values, refinements and generators: what `cargo target`, its harnesses and the tests it writes have in common.
//!
//! [`ir`] says what a spec means, [`value`] what its inputs look like, [`eval`] judges one by the other, [`space`] says
//! which inputs there are. [`enumerative`] and `random` are the baselines. `strategy` is for the user's own tests. Without its default features the crate
//! depends on nothing, and compiles with plain rustc: that is how a harness is built (see [`SOURCES`]).

#![deny(unsafe_code)]

pub mod cancel;
pub mod int;
pub mod ir;
pub mod value;
pub mod collection;
pub mod wire;
pub mod eval;
pub mod rust_code;
pub mod notation;
pub mod space;
pub mod boundary;
pub mod enumerative;
pub mod native;
#[cfg(feature = "proptest")]
pub mod random;
pub mod shrink;
#[cfg(feature = "proptest")]
pub mod strategy;
pub mod corpus;
pub mod protocol;
#[allow(unsafe_code, reason = "it shares memory with its parent, and lends values to subjects")]
pub mod serve;
#[cfg(feature = "fuzz")]
pub mod arbitrary;
#[cfg(feature = "fuzz")]
pub mod fuzz;

/// What written strategies name, so that they fit the version that this crate uses.
#[cfg(feature = "proptest")]
pub use proptest;

macro_rules! sources {
    ($($path:literal,)*) => { &[$(($path, include_str!($path))),*] };
}

/// The source files, by their paths below `src`, of which plain rustc builds this crate without its default features.
pub const SOURCES: &[(&str, &str)] = sources![
    "lib.rs",
    "cancel.rs",
    "int.rs",
    "int/digits.rs",
    "ir.rs",
    "ir/regex.rs",
    "ir/term.rs",
    "ir/walk.rs",
    "value.rs",
    "collection.rs",
    "wire.rs",
    "wire/impls.rs",
    "wire/ir.rs",
    "wire/value.rs",
    "eval.rs",
    "eval/collection.rs",
    "eval/compare.rs",
    "eval/ends.rs",
    "eval/env.rs",
    "eval/member.rs",
    "eval/scalar.rs",
    "eval/sequence.rs",
    "eval/term.rs",
    "eval/text.rs",
    "rust_code.rs",
    "notation.rs",
    "notation/parse.rs",
    "notation/parse/literal.rs",
    "notation/print.rs",
    "space.rs",
    "space/affix.rs",
    "space/constraint.rs",
    "space/constraint/text.rs",
    "space/domain.rs",
    "space/domain/float.rs",
    "space/facts.rs",
    "space/interval.rs",
    "space/judge.rs",
    "space/language.rs",
    "space/language/automaton.rs",
    "space/named.rs",
    "space/node.rs",
    "space/node/text.rs",
    "space/shape.rs",
    "boundary.rs",
    "enumerative.rs",
    "enumerative/grade.rs",
    "native.rs",
    "native/choose.rs",
    "native/clause.rs",
    "native/cursor.rs",
    "native/deal.rs",
    "native/domain.rs",
    "native/expand.rs",
    "native/heads.rs",
    "native/pick.rs",
    "native/plan.rs",
    "native/problem.rs",
    "native/range.rs",
    "native/reduce.rs",
    "native/reduce/functions.rs",
    "native/reduce/linear.rs",
    "native/reduce/logic.rs",
    "native/reduce/order.rs",
    "native/reduce/quantifier.rs",
    "native/reduce/sequence.rs",
    "native/reduce/text.rs",
    "native/reduce/total.rs",
    "native/refined.rs",
    "native/same.rs",
    "native/sheet.rs",
    "native/slots.rs",
    "native/state.rs",
    "native/sums.rs",
    "native/types.rs",
    "native/types/classes.rs",
    "native/types/functions.rs",
    "native/units.rs",
    "native/units/infer.rs",
    "native/work.rs",
    "shrink.rs",
    "shrink/others.rs",
    "shrink/scalar.rs",
    "shrink/structure.rs",
    "corpus.rs",
    "corpus/read.rs",
    "corpus/write.rs",
    "protocol.rs",
    "serve.rs",
    "serve/arena.rs",
    "serve/built.rs",
    "serve/conditions.rs",
    "serve/convert.rs",
    "serve/copies.rs",
    "serve/coverage.rs",
    "serve/guard.rs",
    "serve/memory.rs",
    "serve/page.rs",
    "serve/panics.rs",
    "serve/platform.rs",
    "serve/platform/filter.rs",
    "serve/platform/float.rs",
    "serve/platform/process.rs",
    "serve/session.rs",
    "serve/source.rs",
];

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::{env, fs, process};

    use super::SOURCES;

    #[test]
    fn the_sources_build_with_plain_rustc() {
        let folder = env::temp_dir().join(format!("target-strategies-{}", process::id()));
        for (path, text) in SOURCES {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a file stands in a folder"))
                .expect("a folder can be made in the test's folder");
            fs::write(path, text).expect("the test's folder can be written to");
        }
        let output = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args(["--edition", "2024", "--crate-type", "rlib", "--crate-name", "target_strategies"])
            .args(["--emit", "metadata", "lib.rs"])
            .current_dir(&folder)
            .output()
            .expect("rustc can be started");
        fs::remove_dir_all(&folder).expect("what was written can be removed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
