//! The random baseline: proptest's own strategies over the sorts and the ranges of a spec.
//!
//! It resembles what a user writes with `any::<T>()`, ranges, `proptest::collection::vec` and a filter: scalars and lengths
//! of the ranges that comparisons with constants leave, lengths up to proptest's default where they leave none,
//! constructors by `prop_oneof`, recursion cut off at the depth. It ignores all other refinements, so the judge rejects
//! some of its cases. [`Reach`] says how large scalars and lengths are. The same seed gives the same cases.

mod scalar;

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use proptest::prelude::Just;
use proptest::strategy::{SBoxedStrategy, Strategy, Union, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::logic::collection::collected;
use crate::logic::ir::{Collection, Ctor, DataId, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;
use crate::space::{Bounds, EMPTY, LeafSort, NodeId, NodeView, Scalar, Space, all_codes};

/// The ranges of scalars and lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The domains of the space: integers and halves within the bound, the first characters, small ranges as a whole.
    /// Sequences up to the depth.
    Bounded,
    /// All values of the machine type, or of the range that the spec leaves of it. Sequences up to the depth.
    Machine,
    /// Ranges with two ends as a whole, and other scalars as in the space. Sequences up to the depth.
    Near,
    /// Scalars as by [`Reach::Machine`], and sequences as long as proptest's own.
    Any,
}

impl Reach {
    /// Whether lengths are proptest's own, and not limited by the depth.
    fn is_long(self) -> bool {
        match self {
            Reach::Bounded | Reach::Machine | Reach::Near => false,
            Reach::Any => true,
        }
    }
}

/// An endless sequence of random argument tuples.
pub struct RandomArgs {
    runner: TestRunner,
    space: Space,
    /// By reach, made at the first sample.
    strategies: HashMap<Reach, Option<SBoxedStrategy<Vec<Value>>>>,
}

impl RandomArgs {
    /// Arguments for the parameters of a space's spec.
    pub fn new(space: &Space, seed: u64) -> RandomArgs {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let runner = TestRunner::new_with_rng(Config::default(), rng);
        RandomArgs { runner, space: space.clone(), strategies: HashMap::new() }
    }

    /// The next tuple; `None` if a parameter's type has no value within the depth.
    pub fn sample(&mut self, reach: Reach) -> Option<Vec<Value>> {
        let strategy =
            self.strategies.entry(reach).or_insert_with(|| args_strategy(&self.space, reach)).as_ref()?;
        // A strategy without filters never rejects.
        strategy.new_tree(&mut self.runner).ok().map(|tree| tree.current())
    }
}

/// The strategy for the arguments of a space; `None` if a parameter's type has no value within the depth.
pub fn args_strategy(space: &Space, reach: Reach) -> Option<SBoxedStrategy<Vec<Value>>> {
    match reach {
        // `explore` limits the space, and not the valid inputs.
        Reach::Machine | Reach::Any if !space.spec().explore.is_empty() => {
            let spec = Spec { explore: Vec::new(), ..Spec::clone(space.spec()) };
            args_of(&Space::new(Arc::new(spec), space.bounds()), reach)
        }
        Reach::Bounded | Reach::Machine | Reach::Near | Reach::Any => args_of(space, reach),
    }
}

fn args_of(space: &Space, reach: Reach) -> Option<SBoxedStrategy<Vec<Value>>> {
    let nesting = space.bounds().depth.min(MAX_NESTING);
    let long = reach.is_long().then(|| {
        let Bounds { depth, bound } = space.bounds();
        Space::new(Arc::clone(space.spec()), Bounds { depth: depth.max(LONGEST), bound })
    });
    let depth = space.bounds().depth;
    let space = long.as_ref().unwrap_or(space);
    let known = HashMap::new();
    let mut sampler = Sampler { space, spec: space.spec(), reach, nesting, depth, n_around: 0, known };
    let params = space.spec().params.iter().zip(space.arg_nodes());
    let args = params.map(|(param, node)| sampler.refined(&param.refined, *node, nesting));
    args.collect::<Option<Vec<_>>>().map(Strategy::sboxed)
}

/// Maximum nesting of strategies, which is that of the values.
const MAX_NESTING: u32 = 64;

/// Maximum number of elements of a sequence beyond the least one, whatever the depth.
const MAX_LEN: u32 = 1024;

/// Maximum number of elements of a sequence of which the spec says no greatest length, beyond the least one: proptest's
/// default is `0..100`.
const DEFAULT_LEN: u32 = 99;

/// The same of a text: proptest's strings have up to 32 characters.
const DEFAULT_TEXT: u32 = 32;

/// Maximum greatest length of a spec, beyond the least one, that is taken for a range.
const LONGEST: u32 = 256;

struct Sampler<'a> {
    /// If lengths are proptest's own, with a greater depth than the user's.
    space: &'a Space,
    spec: &'a Spec,
    reach: Reach,
    /// Maximum nesting of recursive constructors at the root.
    nesting: u32,
    /// The user's depth.
    depth: u32,
    /// Number of sequences around the position.
    n_around: u32,
    /// By node, data type, remaining nesting and sequences around; `None` also while it is being made.
    known: HashMap<(NodeId, DataId, u32, u32), Option<SBoxedStrategy<Value>>>,
}

impl Sampler<'_> {
    /// The strategy for a type at a node. The node without values stands for a position of which nothing is known.
    fn refined(&mut self, refined: &Refined, node: NodeId, rem: u32) -> Option<SBoxedStrategy<Value>> {
        match &refined.sort {
            Sort::Bool => Some(self.scalar(LeafSort::Bool, node)),
            Sort::Char => Some(self.scalar(LeafSort::Char, node)),
            Sort::Int(kind) => Some(self.scalar(LeafSort::Int(*kind), node)),
            Sort::Float(kind) => Some(self.scalar(LeafSort::Float(*kind), node)),
            Sort::Str(_) => {
                let chars = self.scalar(LeafSort::Char, self.element(node));
                let lens = self.lens(node, rem, DEFAULT_TEXT);
                Some(proptest::collection::vec(chars, lens).prop_map(text).sboxed())
            }
            Sort::Seq(element, kind) => {
                let lens = match kind {
                    SeqKind::Array(n) => *n as usize..=*n as usize,
                    SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter | SeqKind::Answers(_) => {
                        self.lens(node, rem, DEFAULT_LEN)
                    }
                };
                match self.inside(element, self.element(node), rem) {
                    Some(element) => {
                        Some(proptest::collection::vec(element, lens).prop_map(Value::seq).sboxed())
                    }
                    None if *lens.start() == 0 => Some(Just(Value::seq([])).sboxed()),
                    None => None,
                }
            }
            Sort::Set(element, _) => {
                let element = self.inside(element, self.element(node), rem);
                Some(self.collection(refined.sort.collection()?, element, self.lens(node, rem, DEFAULT_LEN)))
            }
            Sort::Map(key, value, _) => {
                let pair = self.element(node);
                let key = self.inside(key, self.component(pair, 0), rem);
                let value = self.inside(value, self.component(pair, 1), rem);
                let lens = self.lens(node, rem, DEFAULT_LEN);
                let pair = key.zip(value).map(|pair| pair.prop_map(|(k, v)| Value::Tuple([k, v].into())));
                Some(self.collection(Collection::Map, pair.map(Strategy::sboxed), lens))
            }
            Sort::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(i, part)| self.refined(part, self.component(node, i), rem));
                let parts = parts.collect::<Option<Vec<_>>>()?;
                Some(parts.prop_map(|parts| Value::Tuple(parts.into())).sboxed())
            }
            Sort::Data(id) => self.data(*id, node, rem),
            Sort::Opaque(_) => None,
        }
    }

    /// The strategy for the elements of a sequence.
    fn inside(&mut self, refined: &Refined, node: NodeId, rem: u32) -> Option<SBoxedStrategy<Value>> {
        self.n_around += 1;
        let element = self.refined(refined, node, rem);
        self.n_around -= 1;
        element
    }

    fn scalar(&self, sort: LeafSort, node: NodeId) -> SBoxedStrategy<Value> {
        let bound = self.space.bounds().bound;
        let any = |sort| scalar::strategy(&Scalar::plain(sort, all_codes(sort)), bound, self.reach);
        match self.space.view(node) {
            NodeView::Leaf(leaf) if leaf.scalar.sort == sort && !leaf.scalar.codes.is_empty() => {
                scalar::strategy(&leaf.scalar, bound, self.reach)
            }
            NodeView::Empty | NodeView::Leaf(_) | NodeView::Str(_) | NodeView::Seq(_) => any(sort),
            NodeView::Tuple(_) | NodeView::Data(_) => any(sort),
        }
    }

    /// Elements in any order, then in the collection's order. Equal elements make it smaller.
    fn collection(
        &self,
        kind: Collection,
        element: Option<SBoxedStrategy<Value>>,
        lens: RangeInclusive<usize>,
    ) -> SBoxedStrategy<Value> {
        match element {
            Some(element) => proptest::collection::vec(element, lens)
                .prop_map(move |elements| collected(kind, elements))
                .sboxed(),
            None => Just(Value::seq([])).sboxed(),
        }
    }

    fn data(&mut self, id: DataId, node: NodeId, rem: u32) -> Option<SBoxedStrategy<Value>> {
        let key = (node, id, rem, self.n_around);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.known.insert(key, None);
        let spec = self.spec;
        let included = (0..).zip(&spec.data(id).ctors).filter(|(_, ctor)| !ctor.excluded);
        let ctors = included.filter_map(|(index, ctor)| {
            // Recursive constructors become rarer with depth, so that values stay small.
            let weight = if ctor.recursive { 1 } else { 1 + self.nesting - rem };
            Some((weight, self.ctor(index, ctor, node, rem)?))
        });
        let ctors: Vec<_> = ctors.collect();
        let strategy = (!ctors.is_empty()).then(|| Union::new_weighted(ctors).sboxed());
        self.known.insert(key, strategy.clone());
        strategy
    }

    fn ctor(&mut self, index: u32, ctor: &Ctor, node: NodeId, rem: u32) -> Option<SBoxedStrategy<Value>> {
        let rem = if ctor.recursive { rem.checked_sub(1)? } else { rem };
        let fields = self.fields(node, index);
        let fields = ctor.fields.iter().enumerate().map(|(i, field)| {
            let node = fields.get(i).copied().unwrap_or(EMPTY);
            self.refined(&field.refined, node, rem)
        });
        let fields = fields.collect::<Option<Vec<_>>>()?;
        Some(fields.prop_map(move |fields| Value::Data(index, Arc::from(fields))).sboxed())
    }

    /// The lengths of a sequence that constants of the spec leave, up to a greatest number of elements above the least
    /// length. Sequences inside recursive values get shorter with depth, and those inside others a quarter as long, so that
    /// values stay small.
    fn lens(&self, node: NodeId, rem: u32, default: u32) -> RangeInclusive<usize> {
        let (level, depth) = (self.nesting - rem, self.depth);
        let is_long = self.reach.is_long() && level == 0;
        let further = if is_long {
            default >> (2 * self.n_around).min(31)
        } else {
            (depth.min(MAX_LEN) / (level + 1)).max(depth.min(1))
        };
        let lens = match self.space.view(node) {
            NodeView::Str(elements) | NodeView::Seq(elements) => elements.lens.as_slice(),
            NodeView::Empty | NodeView::Leaf(_) | NodeView::Tuple(_) | NodeView::Data(_) => &[],
        };
        let least = lens.first().copied().unwrap_or(0);
        let greatest = lens.last().copied().unwrap_or(u32::MAX);
        // The spec's own range.
        let is_range = is_long && self.n_around == 0 && greatest < least.saturating_add(LONGEST);
        let most = if is_range { greatest } else { least.saturating_add(further).min(greatest) };
        least as usize..=most as usize
    }

    /// The node of the elements of a sequence.
    fn element(&self, node: NodeId) -> NodeId {
        match self.space.view(node) {
            NodeView::Str(elements) | NodeView::Seq(elements) => elements.each,
            NodeView::Empty | NodeView::Leaf(_) | NodeView::Tuple(_) | NodeView::Data(_) => EMPTY,
        }
    }

    /// The node of a component of a tuple.
    fn component(&self, node: NodeId, index: usize) -> NodeId {
        match self.space.view(node) {
            NodeView::Tuple(parts) => parts.get(index).copied().unwrap_or(EMPTY),
            NodeView::Empty | NodeView::Leaf(_) | NodeView::Str(_) | NodeView::Seq(_) | NodeView::Data(_) => {
                EMPTY
            }
        }
    }

    /// The nodes of the fields of a constructor; none if the spec's constants exclude it.
    fn fields(&self, node: NodeId, ctor: u32) -> Vec<NodeId> {
        match self.space.view(node) {
            NodeView::Data(ctors) => match ctors.get(ctor as usize) {
                Some(Some(ctor)) => ctor.fields.to_vec(),
                Some(None) | None => Vec::new(),
            },
            NodeView::Empty
            | NodeView::Leaf(_)
            | NodeView::Str(_)
            | NodeView::Seq(_)
            | NodeView::Tuple(_) => Vec::new(),
        }
    }
}

/// The string of these characters.
fn text(chars: Vec<Value>) -> Value {
    let char = |value: &Value| if let Value::Char(c) = value { Some(*c) } else { None };
    Value::str(&chars.iter().filter_map(char).collect::<String>())
}

#[cfg(test)]
mod tests;
