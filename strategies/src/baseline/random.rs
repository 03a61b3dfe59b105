//! The random baseline: proptest's own strategies over the sorts of a spec, ignoring its refinements.
//!
//! It resembles what a user writes with `any::<T>()`, `proptest::collection::vec` and a filter: integers of a range,
//! sequences up to the depth, constructors by `prop_oneof`, recursion cut off at the depth. [`Reach::Bounded`]
//! samples scalars within the bound, [`Reach::Machine`] from the whole machine type. The same seed gives the same
//! cases.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::{Just, any};
use proptest::strategy::{SBoxedStrategy, Strategy, Union, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::logic::collection::collected;
use crate::logic::int::Int;
use crate::logic::ir::{Collection, Ctor, DataId, FloatKind, IntKind, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;
use crate::space::{Bounds, FIRST_CHARS, Space};

/// The range of scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Integers and halves within the bound, the first characters.
    Bounded,
    /// All values of the machine type.
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
        let [bounded, machine] =
            [Reach::Bounded, Reach::Machine].map(|reach| args_strategy(space.spec(), space.bounds(), reach));
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

/// The strategy for the arguments of a spec; `None` if a parameter's type has no value within the depth.
pub fn args_strategy(spec: &Spec, bounds: Bounds, reach: Reach) -> Option<SBoxedStrategy<Vec<Value>>> {
    let nesting = bounds.depth.min(MAX_NESTING);
    let mut sampler = Sampler { spec, bounds, reach, nesting, known: HashMap::new() };
    let args = spec.params.iter().map(|param| sampler.refined(&param.refined, nesting));
    args.collect::<Option<Vec<_>>>().map(Strategy::sboxed)
}

/// Maximum nesting of strategies, which is that of the values.
const MAX_NESTING: u32 = 64;

/// Maximum number of elements of a sequence, whatever the depth.
const MAX_LEN: u32 = 1024;

struct Sampler<'a> {
    spec: &'a Spec,
    bounds: Bounds,
    reach: Reach,
    /// Maximum nesting of recursive constructors at the root.
    nesting: u32,
    /// By data type and remaining nesting; `None` also while it is being made.
    known: HashMap<(DataId, u32), Option<SBoxedStrategy<Value>>>,
}

impl Sampler<'_> {
    fn refined(&mut self, refined: &Refined, rem: u32) -> Option<SBoxedStrategy<Value>> {
        match &refined.sort {
            Sort::Bool => Some(any::<bool>().prop_map(Value::Bool).sboxed()),
            Sort::Char => Some(self.char().prop_map(Value::Char).sboxed()),
            Sort::Int(kind) => Some(self.int(*kind).prop_map(Value::Int).sboxed()),
            Sort::Float(kind) => Some(self.float(*kind).prop_map(Value::Float).sboxed()),
            Sort::Str(_) => {
                let chars = proptest::collection::vec(self.char(), 0..=self.longest(rem));
                Some(chars.prop_map(|chars| Value::str(&String::from_iter(chars))).sboxed())
            }
            Sort::Seq(element, kind) => {
                let element = self.refined(element, rem);
                let lens = match kind {
                    SeqKind::Array(n) => *n as usize..=*n as usize,
                    SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Answers(_) => {
                        0..=self.longest(rem)
                    }
                };
                match element {
                    Some(element) => {
                        Some(proptest::collection::vec(element, lens).prop_map(Value::seq).sboxed())
                    }
                    None if *lens.start() == 0 => Some(Just(Value::seq([])).sboxed()),
                    None => None,
                }
            }
            Sort::Set(element, _) => {
                let element = self.refined(element, rem);
                Some(self.collection(refined.sort.collection()?, element, rem))
            }
            Sort::Map(key, value, _) => {
                let pair = self.refined(key, rem).zip(self.refined(value, rem));
                let pair = pair.map(|pair| pair.prop_map(|(k, v)| Value::Tuple([k, v].into())).sboxed());
                Some(self.collection(Collection::Map, pair, rem))
            }
            Sort::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.refined(part, rem)).collect::<Option<Vec<_>>>()?;
                Some(parts.prop_map(|parts| Value::Tuple(parts.into())).sboxed())
            }
            Sort::Data(id) => self.data(*id, rem),
            Sort::Opaque(_) => None,
        }
    }

    /// Elements in any order, then in the collection's order. Equal elements make it smaller.
    fn collection(
        &self,
        kind: Collection,
        element: Option<SBoxedStrategy<Value>>,
        rem: u32,
    ) -> SBoxedStrategy<Value> {
        match element {
            Some(element) => proptest::collection::vec(element, 0..=self.longest(rem))
                .prop_map(move |elements| collected(kind, elements))
                .sboxed(),
            None => Just(Value::seq([])).sboxed(),
        }
    }

    fn data(&mut self, id: DataId, rem: u32) -> Option<SBoxedStrategy<Value>> {
        if let Some(known) = self.known.get(&(id, rem)) {
            return known.clone();
        }
        self.known.insert((id, rem), None);
        let spec = self.spec;
        let included = (0..).zip(&spec.data(id).ctors).filter(|(_, ctor)| !ctor.excluded);
        let ctors = included.filter_map(|(index, ctor)| {
            // Recursive constructors become rarer with depth, so that values stay small.
            let weight = if ctor.recursive { 1 } else { 1 + self.nesting - rem };
            Some((weight, self.ctor(index, ctor, rem)?))
        });
        let ctors: Vec<_> = ctors.collect();
        let strategy = (!ctors.is_empty()).then(|| Union::new_weighted(ctors).sboxed());
        self.known.insert((id, rem), strategy.clone());
        strategy
    }

    fn ctor(&mut self, index: u32, ctor: &Ctor, rem: u32) -> Option<SBoxedStrategy<Value>> {
        let rem = if ctor.recursive { rem.checked_sub(1)? } else { rem };
        let fields = ctor.fields.iter().map(|field| self.refined(&field.refined, rem));
        let fields = fields.collect::<Option<Vec<_>>>()?;
        Some(fields.prop_map(move |fields| Value::Data(index, Arc::from(fields))).sboxed())
    }

    /// Sequences inside recursive values get shorter with depth, for the same reason.
    fn longest(&self, rem: u32) -> usize {
        let level = self.nesting - rem;
        (self.bounds.depth.min(MAX_LEN) / (level + 1)).max(self.bounds.depth.min(1)) as usize
    }

    fn int(&self, kind: IntKind) -> SBoxedStrategy<Int> {
        let bound = i128::from(self.bounds.bound);
        match self.reach {
            Reach::Machine if kind == IntKind::U128 => any::<u128>().prop_map(Int::from).sboxed(),
            Reach::Bounded | Reach::Machine => {
                let end = |n: Int, otherwise: i128| n.to_i128().unwrap_or(otherwise);
                let (least, greatest) = (end(kind.min_value(), 0), end(kind.max_value(), i128::MAX));
                let (least, greatest) = match self.reach {
                    Reach::Bounded => (least.max(-bound), greatest.min(bound)),
                    Reach::Machine => (least, greatest),
                };
                (least..=greatest).prop_map(Int::from).sboxed()
            }
        }
    }

    fn float(&self, kind: FloatKind) -> SBoxedStrategy<f64> {
        match (self.reach, kind) {
            (Reach::Machine, FloatKind::F64) => any::<f64>().sboxed(),
            (Reach::Machine, FloatKind::F32) => any::<f32>().prop_map(move |x| kind.round(x.into())).sboxed(),
            (Reach::Bounded, _) => {
                let halves = 2 * i64::from(self.bounds.bound);
                let halves = (-halves..=halves).prop_map(move |n| kind.round(n as f64 / 2.0));
                Union::new_weighted(vec![(9, halves.sboxed()), (1, Just(-0.0).sboxed())]).sboxed()
            }
        }
    }

    fn char(&self) -> SBoxedStrategy<char> {
        match self.reach {
            Reach::Machine => any::<char>().sboxed(),
            Reach::Bounded => {
                let n = FIRST_CHARS.len().min(self.bounds.bound as usize + 1);
                proptest::sample::select(&FIRST_CHARS[..n]).sboxed()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::eval::admits;
    use crate::logic::ir::{Data, Field, Param};

    #[test]
    fn recursive_values_stay_small_and_of_their_sort() {
        let kids = Sort::Seq(Box::new(Refined::plain(Sort::Data(DataId(0)))), SeqKind::Vec);
        let field = |sort| Field { name: String::new(), refined: Refined::plain(sort), slot: None };
        let fields = [
            kids,
            Sort::Int(IntKind::U128),
            Sort::Float(FloatKind::F64),
            Sort::Float(FloatKind::F32),
            Sort::Str(crate::logic::ir::StrKind::String),
        ];
        let rose = Ctor {
            rust_path: String::new(),
            fields: fields.into_iter().map(field).collect(),
            named: false,
            recursive: true,
            excluded: false,
        };
        let spec = Spec {
            callbacks: Vec::new(),
            name: String::new(),
            params: vec![Param {
                name: String::new(),
                refined: Refined::plain(Sort::Data(DataId(0))),
                mutable: false,
            }],
            data: vec![Data {
                rust_type: String::new(),
                ctors: vec![rose],
                via: None,
                object: None,
                rule: None,
            }],
            functions: Vec::new(),
            regexes: Vec::new(),
            requires: Vec::new(),
            explore: Vec::new(),
            result: Refined::plain(Sort::Bool),
            ensures: Vec::new(),
            panics_if: None,
            examples: Vec::new(),
        };
        let space = Space::new(Arc::new(spec), Bounds { depth: 12, bound: 4 });
        let mut args = RandomArgs::new(&space, 7);
        for reach in [Reach::Bounded, Reach::Machine].into_iter().cycle().take(200) {
            let args = args.sample(reach).expect("there are values within the depth");
            assert!(admits(space.spec(), &args));
            assert!(reach == Reach::Machine || space.contains(&args));
        }
    }

    #[test]
    fn sets_and_maps_are_in_order_and_of_all_sizes() {
        let int = || Box::new(Refined::plain(Sort::Int(IntKind::I64)));
        let set = Refined::plain(Sort::Set(int(), crate::logic::ir::SetKind::Hash));
        let map = Refined::plain(Sort::Map(Box::new(set), int(), crate::logic::ir::MapKind::BTree));
        let params = vec![Param { name: String::new(), refined: map, mutable: false }];
        let space =
            Space::new(Arc::new(Spec { params, ..Spec::unrefined("f") }), Bounds { depth: 3, bound: 3 });
        let mut args = RandomArgs::new(&space, 7);
        let mut lens = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let args = args.sample(Reach::Bounded).expect("there are values within the depth");
            assert!(admits(space.spec(), &args) && space.contains(&args), "{args:?}");
            lens.extend(if let [Value::Seq(pairs)] = args.as_slice() { Some(pairs.len()) } else { None });
        }
        assert_eq!(lens.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}
