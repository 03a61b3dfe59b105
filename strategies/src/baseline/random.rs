//! The random baseline: proptest's own strategies over the sorts and the ranges of a spec.
//!
//! It resembles what a user writes with `any::<T>()`, ranges, `proptest::collection::vec` and a filter: scalars and lengths
//! of the ranges that comparisons with constants leave, sequences up to the depth, constructors by `prop_oneof`,
//! recursion cut off at the depth. It ignores all other refinements, so the judge rejects some of its cases.
//! [`Reach::Bounded`] samples scalars within the bound, [`Reach::Machine`] from the whole range. The same seed gives the
//! same cases.

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
use crate::space::{EMPTY, LeafSort, NodeId, NodeView, Scalar, Space, all_codes};

/// The range of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The domains of the space: integers and halves within the bound, the first characters, small ranges as a whole.
    Bounded,
    /// All values of the machine type, or of the range that the spec leaves of it.
    Machine,
}

/// An endless sequence of random argument tuples.
pub struct RandomArgs {
    runner: TestRunner,
    bounded: Option<SBoxedStrategy<Vec<Value>>>,
    machine: Option<SBoxedStrategy<Vec<Value>>>,
}

impl RandomArgs {
    /// Arguments for the parameters of a space's spec.
    pub fn new(space: &Space, seed: u64) -> RandomArgs {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let runner = TestRunner::new_with_rng(Config::default(), rng);
        let [bounded, machine] = [Reach::Bounded, Reach::Machine].map(|reach| args_strategy(space, reach));
        RandomArgs { runner, bounded, machine }
    }

    /// The next tuple; `None` if a parameter's type has no value within the depth.
    pub fn sample(&mut self, reach: Reach) -> Option<Vec<Value>> {
        let strategy = match reach {
            Reach::Bounded => self.bounded.as_ref()?,
            Reach::Machine => self.machine.as_ref()?,
        };
        // A strategy without filters never rejects.
        strategy.new_tree(&mut self.runner).ok().map(|tree| tree.current())
    }
}

/// The strategy for the arguments of a space; `None` if a parameter's type has no value within the depth.
pub fn args_strategy(space: &Space, reach: Reach) -> Option<SBoxedStrategy<Vec<Value>>> {
    match reach {
        // `explore` limits the space, and not the valid inputs.
        Reach::Machine if !space.spec().explore.is_empty() => {
            let spec = Spec { explore: Vec::new(), ..Spec::clone(space.spec()) };
            args_of(&Space::new(Arc::new(spec), space.bounds()), reach)
        }
        Reach::Bounded | Reach::Machine => args_of(space, reach),
    }
}

fn args_of(space: &Space, reach: Reach) -> Option<SBoxedStrategy<Vec<Value>>> {
    let nesting = space.bounds().depth.min(MAX_NESTING);
    let mut sampler = Sampler { space, spec: space.spec(), reach, nesting, known: HashMap::new() };
    let params = space.spec().params.iter().zip(space.arg_nodes());
    let args = params.map(|(param, node)| sampler.refined(&param.refined, *node, nesting));
    args.collect::<Option<Vec<_>>>().map(Strategy::sboxed)
}

/// Maximum nesting of strategies, which is that of the values.
const MAX_NESTING: u32 = 64;

/// Maximum number of elements of a sequence beyond the least one, whatever the depth.
const MAX_LEN: u32 = 1024;

struct Sampler<'a> {
    space: &'a Space,
    spec: &'a Spec,
    reach: Reach,
    /// Maximum nesting of recursive constructors at the root.
    nesting: u32,
    /// By node, data type and remaining nesting; `None` also while it is being made.
    known: HashMap<(NodeId, DataId, u32), Option<SBoxedStrategy<Value>>>,
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
                Some(proptest::collection::vec(chars, self.lens(node, rem)).prop_map(text).sboxed())
            }
            Sort::Seq(element, kind) => {
                let lens = match kind {
                    SeqKind::Array(n) => *n as usize..=*n as usize,
                    SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Answers(_) => {
                        self.lens(node, rem)
                    }
                };
                match self.refined(element, self.element(node), rem) {
                    Some(element) => {
                        Some(proptest::collection::vec(element, lens).prop_map(Value::seq).sboxed())
                    }
                    None if *lens.start() == 0 => Some(Just(Value::seq([])).sboxed()),
                    None => None,
                }
            }
            Sort::Set(element, _) => {
                let element = self.refined(element, self.element(node), rem);
                Some(self.collection(refined.sort.collection()?, element, self.lens(node, rem)))
            }
            Sort::Map(key, value, _) => {
                let pair = self.element(node);
                let key = self.refined(key, self.component(pair, 0), rem);
                let value = self.refined(value, self.component(pair, 1), rem);
                let pair = key.zip(value).map(|pair| pair.prop_map(|(k, v)| Value::Tuple([k, v].into())));
                Some(self.collection(Collection::Map, pair.map(Strategy::sboxed), self.lens(node, rem)))
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
        if let Some(known) = self.known.get(&(node, id, rem)) {
            return known.clone();
        }
        self.known.insert((node, id, rem), None);
        let spec = self.spec;
        let included = (0..).zip(&spec.data(id).ctors).filter(|(_, ctor)| !ctor.excluded);
        let ctors = included.filter_map(|(index, ctor)| {
            // Recursive constructors become rarer with depth, so that values stay small.
            let weight = if ctor.recursive { 1 } else { 1 + self.nesting - rem };
            Some((weight, self.ctor(index, ctor, node, rem)?))
        });
        let ctors: Vec<_> = ctors.collect();
        let strategy = (!ctors.is_empty()).then(|| Union::new_weighted(ctors).sboxed());
        self.known.insert((node, id, rem), strategy.clone());
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
    /// length. Sequences inside recursive values get shorter with depth, so that values stay small.
    fn lens(&self, node: NodeId, rem: u32) -> RangeInclusive<usize> {
        let (level, depth) = (self.nesting - rem, self.space.bounds().depth);
        let further = (depth.min(MAX_LEN) / (level + 1)).max(depth.min(1));
        let lens = match self.space.view(node) {
            NodeView::Str(elements) | NodeView::Seq(elements) => elements.lens.as_slice(),
            NodeView::Empty | NodeView::Leaf(_) | NodeView::Tuple(_) | NodeView::Data(_) => &[],
        };
        let least = lens.first().copied().unwrap_or(0);
        let most = least.saturating_add(further).min(lens.last().copied().unwrap_or(u32::MAX));
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
