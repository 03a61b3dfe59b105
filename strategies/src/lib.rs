//! Values, refinements and generators, shared by `cargo target`, its harnesses and the tests that it writes.
//!
//! [`logic`] defines specs and values and judges them, [`space`] describes the inputs of a spec, and [`native`]
//! counts, lists and samples its members. [`baseline`] has the generators for comparison. `strategy` is for the
//! user's own tests. Without its default features the crate has no dependencies and compiles with plain rustc. A
//! harness is built that way (see [`SOURCES`]).

#![deny(unsafe_code)]

pub mod cancel;
pub mod dice;
pub mod logic;
pub mod space;
pub mod native;
pub mod beyond;
pub mod baseline;
pub mod shrink;
pub mod corpus;
pub mod child;
#[cfg(feature = "fuzz")]
pub mod fuzzing;
#[cfg(feature = "proptest")]
pub mod strategy;
#[cfg(feature = "runtime")]
pub mod recipe;
#[cfg(feature = "runtime")]
pub mod prebuilt;

/// The version of proptest that written strategies use.
#[cfg(feature = "proptest")]
pub use proptest;

macro_rules! sources {
    ($($path:literal,)*) => { &[$(($path, include_str!($path))),*] };
}

/// The source files, by their paths below `src`, from which plain rustc builds this crate without default features. Its
/// root is `lib.rs`; `runtime.rs` is the smaller one for harnesses.
pub const SOURCES: &[(&str, &str)] = sources![
    "lib.rs",
    "runtime.rs",
    "cancel.rs",
    "dice.rs",
    "logic.rs",
    "logic/codec.rs",
    "logic/codec/impls.rs",
    "logic/codec/macros.rs",
    "logic/codec/reader.rs",
    "logic/codec/ir.rs",
    "logic/codec/value.rs",
    "logic/collection.rs",
    "logic/eval.rs",
    "logic/eval/collection.rs",
    "logic/eval/compare.rs",
    "logic/eval/decisions.rs",
    "logic/eval/boundaries.rs",
    "logic/eval/env.rs",
    "logic/eval/function.rs",
    "logic/eval/judgement.rs",
    "logic/eval/member.rs",
    "logic/eval/scalar.rs",
    "logic/eval/sequence.rs",
    "logic/eval/term.rs",
    "logic/eval/text.rs",
    "logic/eval/text_op.rs",
    "logic/grammar.rs",
    "logic/grammar/chart.rs",
    "logic/grammar/choose.rs",
    "logic/grammar/symbols.rs",
    "logic/int.rs",
    "logic/int/digits.rs",
    "logic/machine.rs",
    "logic/ir.rs",
    "logic/ir/callback.rs",
    "logic/ir/captures.rs",
    "logic/ir/id.rs",
    "logic/ir/object.rs",
    "logic/ir/relation.rs",
    "logic/ir/question.rs",
    "logic/ir/regex.rs",
    "logic/ir/rule.rs",
    "logic/ir/term.rs",
    "logic/ir/text_op.rs",
    "logic/ir/walk.rs",
    "logic/law.rs",
    "logic/notation.rs",
    "logic/notation/parse.rs",
    "logic/notation/parse/function.rs",
    "logic/notation/parse/literal.rs",
    "logic/notation/print.rs",
    "logic/notation/print/function.rs",
    "logic/notation/syntax.rs",
    "logic/order.rs",
    "logic/part.rs",
    "logic/rust_code.rs",
    "logic/rust_code/function.rs",
    "logic/rust_code/kept.rs",
    "logic/rust_code/object.rs",
    "logic/rust_code/operator.rs",
    "logic/rust_code/outliving.rs",
    "logic/rust_code/settled.rs",
    "logic/rust_code/function/taking.rs",
    "logic/table.rs",
    "logic/value.rs",
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
    "space/parts.rs",
    "space/parts/elements.rs",
    "space/shape.rs",
    "space/skeleton.rs",
    "native.rs",
    "native/count.rs",
    "native/count/choose.rs",
    "native/count/compared.rs",
    "native/count/expand.rs",
    "native/count/shuffle.rs",
    "native/count/state.rs",
    "native/count/ordered.rs",
    "native/count/relaxed.rs",
    "native/count/words.rs",
    "native/describe.rs",
    "native/enumerate.rs",
    "native/enumerate/cursor.rs",
    "native/enumerate/slot_buffer.rs",
    "native/listing.rs",
    "native/plan.rs",
    "native/plan/domain.rs",
    "native/plan/problem.rs",
    "native/plan/types.rs",
    "native/plan/types/classes.rs",
    "native/plan/types/functions.rs",
    "native/propagate.rs",
    "native/propagate/build.rs",
    "native/propagate/clause.rs",
    "native/propagate/constructors.rs",
    "native/propagate/range.rs",
    "native/propagate/reduce.rs",
    "native/propagate/reduce/functions.rs",
    "native/propagate/reduce/linear.rs",
    "native/propagate/reduce/logic.rs",
    "native/propagate/reduce/order.rs",
    "native/propagate/reduce/quantifier.rs",
    "native/propagate/reduce/sequence.rs",
    "native/propagate/reduce/text.rs",
    "native/propagate/reduce/total.rs",
    "native/propagate/measure_bounds.rs",
    "native/propagate/same.rs",
    "native/propagate/slots.rs",
    "native/propagate/sums.rs",
    "native/propagate/translation.rs",
    "native/propagate/translation/infer.rs",
    "native/propagate/tools.rs",
    "native/propagate/work.rs",
    "native/random.rs",
    "native/sample.rs",
    "native/spread.rs",
    "beyond.rs",
    "beyond/block.rs",
    "beyond/boundary.rs",
    "beyond/changes.rs",
    "beyond/compared.rs",
    "beyond/compared/sites.rs",
    "beyond/constants.rs",
    "beyond/duplicate.rs",
    "beyond/edited.rs",
    "beyond/edited/change.rs",
    "beyond/extended.rs",
    "beyond/grown.rs",
    "beyond/kinds.rs",
    "beyond/large.rs",
    "beyond/lists.rs",
    "beyond/mixed.rs",
    "beyond/names.rs",
    "beyond/numbering.rs",
    "beyond/numbering/reader.rs",
    "beyond/palette.rs",
    "beyond/planned.rs",
    "beyond/replace.rs",
    "beyond/relabel.rs",
    "beyond/resized.rs",
    "beyond/runs.rs",
    "beyond/samples.rs",
    "beyond/scalars.rs",
    "beyond/source.rs",
    "beyond/stored.rs",
    "beyond/structures.rs",
    "beyond/texts.rs",
    "beyond/trials.rs",
    "beyond/turns.rs",
    "beyond/words.rs",
    "baseline.rs",
    "baseline/enumerative.rs",
    "baseline/enumerative/grade.rs",
    "shrink.rs",
    "shrink/others.rs",
    "shrink/scalar.rs",
    "shrink/structure.rs",
    "corpus.rs",
    "corpus/entry.rs",
    "corpus/read.rs",
    "corpus/write.rs",
    "child.rs",
    "child/goals.rs",
    "child/protocol.rs",
    "child/serve.rs",
    "child/wire.rs",
    "child/serve/arena.rs",
    "child/serve/built.rs",
    "child/serve/conditions.rs",
    "child/serve/convert.rs",
    "child/serve/copies.rs",
    "child/serve/coverage.rs",
    "child/serve/debugged.rs",
    "child/serve/fork_server.rs",
    "child/serve/function.rs",
    "child/serve/functions.rs",
    "child/serve/functions/case.rs",
    "child/serve/functions/implementor.rs",
    "child/serve/functions/owned.rs",
    "child/serve/functions/required.rs",
    "child/serve/functions/results.rs",
    "child/serve/functions/returned.rs",
    "child/serve/functions/running.rs",
    "child/serve/functions/solved.rs",
    "child/serve/functions/taking.rs",
    "child/serve/functions/words.rs",
    "child/serve/guard.rs",
    "child/serve/laws.rs",
    "child/serve/memory.rs",
    "child/serve/observe.rs",
    "child/serve/page.rs",
    "child/serve/panics.rs",
    "child/serve/platform.rs",
    "child/serve/platform/descriptors.rs",
    "child/serve/platform/filter.rs",
    "child/serve/platform/float.rs",
    "child/serve/platform/process.rs",
    "child/serve/recorder.rs",
    "child/serve/sequences.rs",
    "child/serve/session.rs",
    "child/serve/derivations.rs",
    "child/serve/source.rs",
    "child/serve/steps.rs",
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
        let built = ["lib.rs", "runtime.rs"].map(|root| {
            Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
                .args(["--edition", "2024", "--crate-type", "rlib", "--crate-name", "target_strategies"])
                .args(["--emit", "metadata", root])
                .current_dir(&folder)
                .output()
                .expect("rustc can be started")
        });
        fs::remove_dir_all(&folder).expect("what was written can be removed");
        for output in built {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
