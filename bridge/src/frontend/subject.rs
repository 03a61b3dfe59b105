//! A function under test, ready for generating inputs, generating code, and running.

mod returned;

use target_strategies::logic::ir::{Refined, RegexId, Spec, Term};
use target_strategies::logic::value::Value;

use crate::frontend::catalog::Opening;
use crate::frontend::diagnostic::Span;
use crate::frontend::manifest::Settings;
use crate::frontend::regex::Ways;

pub use returned::ReturnedPart;

/// A spec with the data that the IR lacks: how to call the function, and the spans of the words.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The spec of the function.
    pub spec: Spec,
    /// How Rust code calls it.
    pub call: Call,
    /// The calls of functions that it returns, which take the last arguments: what is done with its result, one after the other.
    pub returned: Vec<ReturnedPart>,
    /// What makes its inputs different, if only such ones are wanted.
    pub different: Option<Different>,
    /// The literals in its source, the nearest first.
    pub literals: Vec<Value>,
    /// The `where` conditions, by the number in [`target_strategies::logic::ir::Term::Opaque`].
    pub opaques: Vec<Opaque>,
    /// The types in its parameters whose private fields are set to any values of their types.
    pub unguarded: Vec<String>,
    /// The span of each clause, by [`target_strategies::logic::ir::Clause::id`].
    pub clause_spans: Vec<Span>,
    /// The span of the key in the manifest.
    pub key_span: Span,
    /// Its effective options.
    pub settings: Settings,
    /// The items to open in the user's source so that outside code can call it; sorted, without repetition.
    pub openings: Vec<Opening>,
    /// The other members of the workspace that have some of these items, by the crate's names for them.
    pub opened_members: Vec<String>,
}

/// What makes the inputs of a set worth having together.
#[derive(Clone, Debug, PartialEq)]
pub enum Different {
    /// A relation holds between every two of them.
    Pairs(Relation),
    /// Each has a combination of kinds that no other has.
    Combinations(Combinations),
}

/// A relation that holds between every two inputs of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// The relation. The first input is in the slots of the parameters.
    pub term: Term,
    /// The slots of the second input, by the parameter.
    pub second: Vec<u32>,
    /// The user's words.
    pub text: String,
    /// The uses of `cover` in it.
    pub covers: Vec<Cover>,
}

/// A use of `cover`: a relation that holds if a key differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// The relation.
    pub relation: Term,
    /// The key, of the first input.
    pub key: Term,
    /// If the keys are ways through a regular expression, these.
    pub ways: Option<TextWays>,
    /// An upper bound of the number of different keys.
    pub most_keys: u64,
}

/// The ways of a string through a regular expression.
#[derive(Clone, Debug, PartialEq)]
pub struct TextWays {
    /// The string, of the first input.
    pub of: Term,
    /// The expression, if some strings may not match it.
    pub whole: Option<RegexId>,
    /// The ways.
    pub ways: Ways,
}

/// The combinations of kinds of which an input has some.
#[derive(Clone, Debug, PartialEq)]
pub struct Combinations {
    /// The kinds of the parts of an input.
    pub kinds: Vec<Kind>,
    /// Number of kinds in a combination.
    pub n: usize,
}

/// Maximum number of combinations that an input may have some of.
pub const MOST_COMBINATIONS: u64 = 200_000;

impl Combinations {
    /// The number of combinations: for each choice of parts, the product of the numbers of their kinds.
    pub fn count(&self) -> u64 {
        // By the number of parts chosen so far.
        let mut counts = vec![0_u64; self.n + 1];
        counts[0] = 1;
        for kind in &self.kinds {
            let n_kinds = (kind.greatest - kind.least + 1) as u64;
            for chosen in (1..=self.n).rev() {
                let more = counts[chosen - 1].saturating_mul(n_kinds);
                counts[chosen] = counts[chosen].saturating_add(more);
            }
        }
        counts[self.n]
    }
}

/// The kind of a part of an input, as a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// The number.
    pub term: Term,
    /// The least number; 0 is the kind of a part that isn't there.
    pub least: i64,
    /// The greatest number.
    pub greatest: i64,
}

/// How Rust code calls a subject.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A function or method by a path that works outside the crate: `scores::rescale`, `scores::Heap::push`.
    Path {
        /// The path.
        path: String,
        /// Whether the function is generic, so that literals in a pasted test need a type.
        generic: bool,
    },
    /// A closure expression from the manifest, compiled in the scope of the crate's root.
    Closure {
        /// The code.
        text: String,
        /// Its span.
        span: Span,
    },
}

/// A `where` condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque {
    /// The code, of type `bool`.
    pub text: String,
    /// Its span.
    pub span: Span,
    /// The names in its scope, as references, in the order of the term's arguments.
    pub bindings: Vec<Binding>,
}

/// A name in the scope of a `where` condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The type of the referenced value.
    pub refined: Refined,
}
