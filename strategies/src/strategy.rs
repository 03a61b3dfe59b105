//! Members of a spec as a proptest strategy and as iterators: the runtime of the files that `cargo target strategies`
//! writes.
//!
//! [`Members`] samples from the corpus, and from the native engine, which makes only members. It shrinks members to
//! members. A sample is a function of the spec, the corpus and the runner's random numbers, so seeds replay as long
//! as the spec and the corpus stay. A fresh sample doesn't depend on the corpus. This module knows neither Z3 nor the
//! text of specs: a written file holds the meaning of its spec as [`Written::spec`].

#![warn(clippy::wildcard_enum_match_arm)]

mod function;
mod host;
mod mapping;
mod shown;
#[cfg(feature = "rayon")]
pub mod parallel;
mod source;
mod tree;

use std::fmt;
use std::sync::Arc;

use proptest::prelude::Rng;
use proptest::strategy::{NewTree, Strategy};
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestRng, TestRunner};

use crate::child::serve::functions::Functions;
use crate::logic::codec::Codec;
use crate::logic::ir::Spec;
use crate::logic::value::Value;
use crate::native::{Class, Native};
use crate::shrink;
use crate::space::Bounds;
pub use function::{Asked, Function};
pub use host::Condition;
pub use mapping::{FunctionStrategy, Mapping, MappingTree, functions};
pub use shown::{Hidden, Shown};
use source::Source;
pub use tree::Tree;

/// The format of written files. A file with another format fails to compile.
pub const FORMAT: u32 = 1;

/// Fails to compile, in a constant, if a file was written for another version of this crate.
pub const fn written_for(format: u32) {
    assert!(
        format == FORMAT,
        "this file was written by another version of cargo-target: write it again with `cargo target strategies`"
    );
}

/// A strategy in a written file.
#[derive(Debug)]
pub struct Written<T> {
    /// The name in the manifest.
    pub name: &'static str,
    /// The bytes of the [`crate::logic::ir::Spec`]. Its parameters are sampled.
    pub spec: &'static [u8],
    /// Bound of fresh values: the length of lists, and the nesting of constructors.
    pub depth: u32,
    /// Bound of fresh values: the magnitude of integers.
    pub bound: u32,
    /// Whether the bounds are defaults, so that they may be wider if counting is easy.
    pub may_widen: bool,
    /// The path of the corpus file, which may be missing.
    pub corpus: &'static str,
    /// Builds the Rust value.
    pub make: fn(&[Value]) -> T,
    /// The `where` conditions, by their number.
    pub conditions: &'static [Condition],
}

/// The members of a spec within its bounds, as values of a Rust type. Clones share all results.
///
/// It is a [`Strategy`] if `T` is [`fmt::Debug`], because proptest prints failing values. [`Members::all`] and
/// [`Members::sample`] work for any type.
///
/// ```
/// use proptest::test_runner::{Config, TestRunner};
/// use target_strategies::logic::ir::{IntKind, Param, Refined, Sort, Spec};
/// use target_strategies::child::serve::convert::as_i8;
/// use target_strategies::space::Bounds;
/// use target_strategies::strategy::Members;
///
/// let mut spec = Spec::unrefined("small");
/// let refined = Refined::plain(Sort::Int(IntKind::I8));
/// spec.params.push(Param { name: "n".to_owned(), refined, mutable: false });
/// let small = Members::new(spec, Bounds { depth: 1, bound: 1 }, |args| as_i8(&args[0]), &[]);
/// assert_eq!(small.all().collect::<Vec<i8>>(), [0, 1, -1]);
/// assert!(small.sample(0).take(100).all(|n| n.abs() <= 1));
/// assert!(TestRunner::new(Config::default()).run(&small, |_| Ok(())).is_ok());
/// ```
pub struct Members<T> {
    source: Arc<Source>,
    make: fn(&[Value]) -> T,
}

impl<T> Members<T> {
    /// The members of a spec within bounds.
    pub fn new(
        spec: Spec,
        bounds: Bounds,
        make: fn(&[Value]) -> T,
        conditions: &'static [Condition],
    ) -> Members<T> {
        Members { source: Arc::new(Source::new(spec.into(), bounds, conditions)), make }
    }

    /// The members of a written file.
    ///
    /// # Panics
    ///
    /// Panics if the bytes are no spec: the file was changed by hand.
    pub fn written(written: &Written<T>) -> Members<T> {
        let Ok(mut spec) = Spec::from_bytes(written.spec) else {
            panic!(
                "the spec of `{}` can't be read: write its file again with `cargo target strategies`",
                written.name
            )
        };
        let bounds = Bounds { depth: written.depth, bound: written.bound };
        // The manifest's examples are used like a corpus.
        let examples = std::mem::take(&mut spec.examples);
        let source =
            Source::new(spec.into(), bounds, written.conditions).with_corpus(&examples, Some(written.corpus));
        let source = if written.may_widen { source.widened() } else { source };
        Members { source: Arc::new(source), make: written.make }
    }

    /// The members within other bounds: lists of up to `depth` elements, a nesting of constructors of up to `depth`,
    /// and integers of a magnitude of up to `bound`.
    pub fn within(&self, depth: u32, bound: u32) -> Members<T> {
        let source = self.source.within(Bounds { depth, bound });
        Members { source: Arc::new(source), make: self.make }
    }

    /// The members, sampled also from given argument tuples. Tuples that the spec doesn't admit are left out.
    pub fn with_corpus(&self, entries: &[Vec<Value>]) -> Members<T> {
        Members { source: Arc::new(self.source.with_corpus(entries, None)), make: self.make }
    }

    /// All members within the bounds of the manifest, or those of [`Members::within`], small ones first, each once.
    /// After 100 sizes in a row without a member, the others come in the engine's order.
    pub fn all(&self) -> All<T> {
        let native = Native::new(self.source.space());
        let sizes = native.sizes();
        All { members: self.clone(), native, sizes, n_empty: 0, rest: None, cursor: None }
    }

    /// An endless iterator over fresh members, determined by the seed; an empty one if there is no member. It panics,
    /// with the reason, if conditions in Rust or functions that build values reject as many values in a row as
    /// proptest allows.
    pub fn sample(&self, seed: u64) -> Sample<T> {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let config = Config { failure_persistence: None, ..Config::default() };
        Sample { members: self.clone(), rng: TestRng::from_seed(RngAlgorithm::ChaCha, &bytes), config }
    }

    /// The same members, built as another type.
    pub fn made_by<U>(&self, make: fn(&[Value]) -> U) -> Members<U> {
        Members { source: Arc::clone(&self.source), make }
    }

    /// The value of admitted arguments; `None` if a function rejects them.
    fn value(&self, args: &[Value]) -> Option<T> {
        Some(self.value_and_functions(args)?.0)
    }

    /// The value of admitted arguments, and the functions in it, if there may be any.
    fn value_and_functions(&self, args: &[Value]) -> Option<(T, Option<Functions>)> {
        let spec = self.source.space().spec();
        if spec.callbacks.is_empty() {
            return Some((host::unless_rejected(|| (self.make)(args))?, None));
        }
        let functions =
            Functions::new(spec, args, Arc::clone(self.source.results()), self.source.conditions());
        Some((self.value_with(&functions)?, Some(functions)))
    }

    /// The value with these functions.
    fn value_with(&self, functions: &Functions) -> Option<T> {
        let args = functions.args();
        host::unless_rejected(|| function::with_functions(functions, || (self.make)(&args)))
    }

    /// Whether the arguments have a value.
    fn accepts(&self, args: &[Value]) -> bool {
        !self.source.may_reject() || self.value(args).is_some()
    }
}

impl<T> Clone for Members<T> {
    fn clone(&self) -> Members<T> {
        Members { source: Arc::clone(&self.source), make: self.make }
    }
}

impl<T> fmt::Debug for Members<T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "Members({:?})", self.source.space().spec().name)
    }
}

impl<T: fmt::Debug> Strategy for Members<T> {
    type Tree = Tree<T>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        loop {
            let args = self.source.sample(runner)?;
            if self.accepts(&args) {
                return Ok(Tree::new(self.clone(), args));
            }
            self.reject(runner)?;
        }
    }
}

impl<T> Members<T> {
    fn name(&self) -> &str {
        &self.source.space().spec().name
    }

    /// Whether an input that the engine listed is a member. Panics if that can't be judged.
    fn is_listed(&self, args: &[Value], is_undecided: bool) -> bool {
        self.source.is_member(args, is_undecided).unwrap_or_else(|why| {
            panic!("listing all of `{}`: an input can't be judged: {why}; narrow the spec", self.name())
        })
    }

    fn reject(&self, runner: &mut TestRunner) -> Result<(), Reason> {
        runner.reject_local(format!("a function failed to build a value of `{}`", self.name()))
    }
}

/// Maximum number of sizes in a row without a member, before all other sizes are listed at once. Nested types have
/// more sizes than can be tried, and few members if a measure is limited.
const MAX_EMPTY: u32 = 100;

/// All members, in order. Panics if an input can't be judged because a condition takes too much work: without that
/// input, the members would not be *all*.
pub struct All<T> {
    members: Members<T>,
    native: Native,
    /// The remaining sizes.
    sizes: std::ops::RangeInclusive<u64>,
    /// Number of sizes in a row without a member so far.
    n_empty: u32,
    /// The first of the sizes that are listed at once, if they are.
    rest: Option<u64>,
    /// The position of the last member.
    cursor: Option<crate::native::Cursor>,
}

impl<T> Iterator for All<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        loop {
            if let Some(cursor) = &mut self.cursor {
                while self.native.advance(cursor) {
                    self.n_empty = 0;
                    let args = cursor.values();
                    if self.rest.is_none_or(|from| shrink::size(args).structure >= from)
                        && self.members.is_listed(args, self.native.is_undecided(cursor))
                        && let Some(value) = self.members.value(args)
                    {
                        return Some(value);
                    }
                }
                self.cursor = None;
            }
            let class = self.next_class()?;
            self.cursor = self.native.cursor(class);
        }
    }
}

impl<T> All<T> {
    fn next_class(&mut self) -> Option<Class> {
        if self.rest.is_some() {
            return None;
        }
        let size = self.sizes.next()?;
        if self.n_empty == MAX_EMPTY {
            self.rest = Some(size);
            return Some(Class::All);
        }
        self.n_empty += 1;
        Some(Class::Size(size))
    }
}

impl<T> fmt::Debug for All<T> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "All({:?})", self.members.name())
    }
}

/// An endless iterator over samples.
#[derive(Debug)]
pub struct Sample<T> {
    members: Members<T>,
    rng: TestRng,
    config: Config,
}

impl<T> Iterator for Sample<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let source = &self.members.source;
        if source.is_empty() {
            return None;
        }
        // One runner for each value: a runner counts rejections, and those of many values exceed its limit.
        let mut seed = [0; 32];
        seed.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&self.rng.next_u64().to_le_bytes()));
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(self.config.clone(), rng);
        loop {
            let sampled = source.fresh(&mut runner);
            let rejected = match sampled {
                Ok(args) => match self.members.value(&args) {
                    Some(value) => return Some(value),
                    None => self.members.reject(&mut runner).err(),
                },
                Err(reason) => Some(reason),
            };
            if let Some(reason) = rejected {
                panic!("no value of `{}` after many: {reason}\n{runner}", self.members.name());
            }
        }
    }
}
