//! The types of a spec as a graph of [`Node`]s, each with the facts from the clauses around it.
//!
//! Two positions of the same type share a node if the same facts hold for them. A recursive type is a cycle. A node
//! has the possible lengths, constructors and scalars of its position; [`super::shape`] combines them.

mod text;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use super::constraint::facts_of;
use super::domain::{Candidates, LeafSort, Scalar, admitted, all_codes, domain};
use super::facts::{Facts, Step};
use super::interval::IntervalSet;
use super::language::Kinds;
use super::named::named_chars;
use crate::cancel;
use crate::logic::int::Int;
use crate::logic::ir::{CallbackKind, Clause, Collection, Data, Refined, SeqKind, Sort, Spec};
use crate::logic::value::Value;

/// The bounds of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum length of lists, and maximum nesting of recursive constructors.
    pub depth: u32,
    /// Maximum magnitude of integers.
    pub bound: u32,
}

/// The results that functions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// All within the bounds.
    All,
    /// None: nobody knows yet which calls happen.
    None,
}

/// Index into [`Graph::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// Index into [`Graph::lists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ListId(pub u32);

/// The nodes of a spec's parameters.
#[derive(Debug)]
pub struct Graph {
    /// The first node has no values.
    pub nodes: Vec<Node>,
    /// The fields of constructors, the components of tuples.
    pub lists: Vec<Vec<NodeId>>,
    /// The list of the parameters.
    pub args: ListId,
    /// Whether a greater depth admits more shapes.
    pub is_cut_by_depth: bool,
}

/// The values at a position.
#[derive(Debug)]
pub enum Node {
    /// No value.
    Empty,
    /// A scalar.
    Leaf(LeafNode),
    /// A string.
    Str(Elements),
    /// A sequence.
    Seq(Elements),
    /// A tuple.
    Tuple(ListId),
    /// A data value, by its constructors. A constructor that can't occur is `None`.
    Data(Vec<Option<CtorNode>>),
}

/// The node of a scalar.
#[derive(Debug)]
pub struct LeafNode {
    /// The scalar, with the facts about it.
    pub scalar: Scalar,
    /// Its domain, computed on demand.
    pub domain: OnceLock<Arc<[Value]>>,
}

/// The elements of a sequence, the characters of a string.
#[derive(Debug)]
pub struct Elements {
    /// The lengths, ascending.
    pub lens: Vec<u32>,
    /// The node of the elements at indices that are not in `at`.
    pub each: NodeId,
    /// The nodes of elements with facts of their own, by index, ascending.
    pub at: Vec<(u32, NodeId)>,
    /// The kind of collection, if the elements must be in order.
    pub collection: Option<Collection>,
}

/// A constructor.
#[derive(Debug)]
pub struct CtorNode {
    /// Its fields.
    pub fields: ListId,
    /// Whether it counts towards the depth.
    pub recursive: bool,
}

/// Maximum length of a sequence, whatever the refinement requires. It limits memory.
pub const MAX_LEN: u32 = 1 << 16;

/// Maximum number of nodes for which facts are passed on to the parts of a value. It limits memory.
const MAX_NODES: usize = 20_000;

/// The node without values.
pub const EMPTY: NodeId = NodeId(0);

impl Graph {
    /// The graph of the parameters of a spec, under these conditions on them.
    pub fn new(spec: &Spec, (bounds, results): (Bounds, Results), conditions: &[&Clause]) -> Graph {
        let own = spec.params.len() as u32;
        let char = Refined::plain(Sort::Char);
        let mut builder = Builder {
            spec,
            bounds,
            results,
            own,
            char: &char,
            named: named_chars(spec).into(),
            known: HashMap::new(),
            open: VecDeque::new(),
            graph: Graph {
                nodes: vec![Node::Empty],
                lists: Vec::new(),
                args: ListId(0),
                is_cut_by_depth: false,
            },
        };
        builder.args(conditions);
        while let Some((id, refined, context)) = builder.open.pop_front() {
            cancel::step();
            builder.graph.nodes[id.0 as usize] = builder.node(refined, context);
        }
        builder.graph
    }

    /// The node with an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The list with an id.
    pub fn list(&self, id: ListId) -> &[NodeId] {
        &self.lists[id.0 as usize]
    }
}

impl Elements {
    /// The node of the element at an index.
    pub fn node_at(&self, index: u32) -> NodeId {
        match self.at.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(found) => self.at[found].1,
            Err(_) => self.each,
        }
    }
}

impl LeafNode {
    /// The domain of the scalar: the usual one, or what other candidates there are. Both must be the same at every call.
    pub fn domain(&self, bound: u32, own: u32, candidates: Option<&dyn Candidates>) -> &Arc<[Value]> {
        self.domain.get_or_init(|| {
            let usual = domain(&self.scalar, bound, own);
            match candidates {
                None => usual.into(),
                Some(candidates) => {
                    admitted(&self.scalar, own, candidates.values(&self.scalar, &usual)).into()
                }
            }
        })
    }
}

/// The facts from the clauses around a position.
#[derive(Clone, Debug, PartialEq)]
struct Context {
    facts: Facts,
    /// The characters that the regular expressions around a character leave; `None` if there is none.
    kinds: Option<Arc<[Kinds]>>,
}

impl Context {
    fn new(facts: Facts) -> Context {
        Context { facts, kinds: None }
    }
}

struct Builder<'a> {
    spec: &'a Spec,
    bounds: Bounds,
    results: Results,
    own: u32,
    char: &'a Refined,
    /// The characters that the spec names.
    named: Arc<BTreeSet<char>>,
    /// By the address of the type.
    known: HashMap<usize, Vec<(Context, NodeId)>>,
    open: VecDeque<(NodeId, &'a Refined, Context)>,
    graph: Graph,
}

impl<'a> Builder<'a> {
    fn args(&mut self, conditions: &[&Clause]) {
        let spec = self.spec;
        let facts = conditions.iter().fold(Facts::any(), |facts, clause| {
            facts.and(facts_of(&clause.term, 0..self.own, self.own, &spec.functions))
        });
        let mut args = Vec::with_capacity(spec.params.len());
        for (slot, param) in (0..).zip(&spec.params) {
            let facts = if facts.never { Facts::never() } else { facts.part(Step::Project(slot)) };
            args.push(self.node_of(&param.refined, Context::new(facts)));
        }
        self.graph.args = self.list(args);
    }

    /// The node of a type under facts. A new node is filled in later.
    fn node_of(&mut self, refined: &'a Refined, mut context: Context) -> NodeId {
        if self.graph.nodes.len() > MAX_NODES && !context.facts.never {
            context = Context { kinds: context.kinds, ..Context::new(Facts::any()) };
        }
        let known = self.known.entry(std::ptr::from_ref(refined) as usize).or_default();
        if let Some((_, id)) = known.iter().find(|(other, _)| *other == context) {
            return *id;
        }
        let id = NodeId(self.graph.nodes.len() as u32);
        known.push((context.clone(), id));
        self.graph.nodes.push(Node::Empty);
        self.open.push_back((id, refined, context));
        id
    }

    fn list(&mut self, list: Vec<NodeId>) -> ListId {
        self.graph.lists.push(list);
        ListId(self.graph.lists.len() as u32 - 1)
    }

    fn node(&mut self, refined: &'a Refined, context: Context) -> Node {
        let facts = refined.clauses.iter().fold(context.facts, |facts, clause| {
            let own = facts_of(&clause.term, std::iter::once(self.own), self.own, &self.spec.functions);
            if own.never { Facts::never() } else { facts.and(own.part(Step::Project(self.own))) }
        });
        if facts.never {
            return Node::Empty;
        }
        match &refined.sort {
            Sort::Bool => leaf(LeafSort::Bool, facts),
            Sort::Char => self.character(facts, context.kinds),
            Sort::Int(kind) => leaf(LeafSort::Int(*kind), facts),
            Sort::Float(kind) => leaf(LeafSort::Float(*kind), facts),
            Sort::Str(_) => self.string(facts),
            Sort::Seq(element, kind) => self.sequence(element, *kind, facts),
            Sort::Set(element, _) => self.set(element, refined.sort.collection(), facts),
            Sort::Map(key, value, _) => self.map(key, value, facts),
            Sort::Tuple(parts) => {
                let parts = parts
                    .iter()
                    .zip(0..)
                    .map(|(part, i)| self.node_of(part, Context::new(facts.part(Step::Project(i)))));
                let parts = parts.collect();
                Node::Tuple(self.list(parts))
            }
            Sort::Data(id) if is_plain_enum(self.spec.data(*id)) => {
                let ctors = &self.spec.data(*id).ctors;
                let included = (0_u32..).zip(ctors).filter(|(_, ctor)| !ctor.excluded);
                let included = included.fold(IntervalSet::none(), |set, (index, _)| {
                    set.union(&IntervalSet::point(Int::from(index)))
                });
                let facts = facts.and(Facts::codes(included));
                leaf(LeafSort::Enum(ctors.len() as u32), facts)
            }
            Sort::Data(id) => self.data(self.spec.data(*id), facts),
            Sort::Opaque(_) => Node::Empty,
        }
    }

    fn sequence(&mut self, element: &'a Refined, kind: SeqKind, facts: Facts) -> Node {
        let (lens, is_cut) = match kind {
            SeqKind::Array(n) if n <= MAX_LEN && facts.len.contains(&Int::from(i64::from(n))) => {
                (vec![n], false)
            }
            SeqKind::Array(_) => (Vec::new(), false),
            SeqKind::Answers(_) if self.results == Results::None => (vec![0], false),
            // Further results would not be asked for.
            SeqKind::Answers(id) if self.spec.callback(id).kind == CallbackKind::Once => (vec![0, 1], false),
            SeqKind::Vec | SeqKind::Slice | SeqKind::Deque | SeqKind::Iter | SeqKind::Answers(_) => {
                self.lengths_in(&facts.len)
            }
        };
        self.graph.is_cut_by_depth |= is_cut;
        let (each, at) = self.elements(element, &facts, &lens);
        Node::Seq(Elements { lens, each, at, collection: None })
    }

    fn set(&mut self, element: &'a Refined, collection: Option<Collection>, facts: Facts) -> Node {
        let (lens, is_cut) = self.lengths_in(&facts.len);
        self.graph.is_cut_by_depth |= is_cut;
        let (each, at) = self.elements(element, &facts, &lens);
        Node::Seq(Elements { lens, each, at, collection })
    }

    fn map(&mut self, key: &'a Refined, value: &'a Refined, facts: Facts) -> Node {
        let (lens, is_cut) = self.lengths_in(&facts.len);
        self.graph.is_cut_by_depth |= is_cut;
        // Facts about pairs at single indices are left to the judge.
        let pair = facts.part(Step::Each);
        let each = if lens.last().is_none_or(|longest| *longest == 0) || pair.never {
            EMPTY
        } else {
            let part = |i: u32| Context::new(pair.part(Step::Project(i)));
            let parts = vec![self.node_of(key, part(0)), self.node_of(value, part(1))];
            let id = NodeId(self.graph.nodes.len() as u32);
            let list = self.list(parts);
            self.graph.nodes.push(Node::Tuple(list));
            id
        };
        Node::Seq(Elements { lens, each, at: Vec::new(), collection: Some(Collection::Map) })
    }

    fn elements(
        &mut self,
        element: &'a Refined,
        facts: &Facts,
        lens: &[u32],
    ) -> (NodeId, Vec<(u32, NodeId)>) {
        let each = facts.part(Step::Each);
        let longest = lens.last().copied().unwrap_or(0);
        let mut at = Vec::new();
        for (step, part) in &facts.parts {
            if let Step::At(index) = *step
                && index < longest
            {
                let facts = each.clone().and(part.clone());
                at.push((index, self.node_of(element, Context::new(facts))));
            }
        }
        let each = if longest == 0 { EMPTY } else { self.node_of(element, Context::new(each)) };
        (each, at)
    }

    /// The lengths in a set within the depth, and whether a greater depth would admit more.
    fn lengths_in(&self, lens: &IntervalSet) -> (Vec<u32>, bool) {
        self.lengths(longest_in(lens), |n| lens.contains(&Int::from(i64::from(n))), |_| true)
    }

    /// The admitted lengths up to `depth` above the least sufficient one, and whether a greater depth would admit
    /// more. None above `longest` is admitted. Both tests are the same at all bounds, so a greater depth or bound removes no
    /// length.
    fn lengths(
        &self,
        longest: u32,
        is_admitted: impl Fn(u32) -> bool,
        is_enough: impl Fn(u32) -> bool,
    ) -> (Vec<u32>, bool) {
        let mut within = Vec::new();
        let mut most = None;
        for n in (0..=longest.min(MAX_LEN)).filter(|n| is_admitted(*n)) {
            if most.is_some_and(|most| most < n) {
                return (within, true);
            }
            if most.is_none() && is_enough(n) {
                most = Some(n.saturating_add(self.bounds.depth));
            }
            within.push(n);
        }
        (within, false)
    }

    fn data(&mut self, data: &'a Data, facts: Facts) -> Node {
        let mut ctors = Vec::with_capacity(data.ctors.len());
        for (ctor, index) in data.ctors.iter().zip(0..) {
            if ctor.excluded || !facts.codes.contains(&Int::from(i64::from(index))) {
                ctors.push(None);
                continue;
            }
            self.graph.is_cut_by_depth |= ctor.recursive;
            let fields = ctor.fields.iter().zip(0..).map(|(field, i)| {
                let facts = facts.part(Step::Field(index, i));
                self.node_of(&field.refined, Context::new(facts))
            });
            let fields = fields.collect();
            ctors.push(Some(CtorNode { fields: self.list(fields), recursive: ctor.recursive }));
        }
        Node::Data(ctors)
    }
}

/// The greatest length in a set, or one that is too long for the space.
fn longest_in(lens: &IntervalSet) -> u32 {
    let Some((_, high)) = lens.spans().last() else { return 0 };
    high.as_ref().and_then(Int::to_i64).map_or(MAX_LEN, |n| n.clamp(0, i64::from(MAX_LEN)) as u32)
}

/// Whether a type is an enum without fields, which counts as a scalar.
pub fn is_plain_enum(data: &Data) -> bool {
    data.ctors.len() > 1 && data.via.is_none() && data.ctors.iter().all(|ctor| ctor.fields.is_empty())
}

/// The node of a scalar other than a character.
fn leaf(sort: LeafSort, facts: Facts) -> Node {
    let codes = facts.codes.intersect(&all_codes(sort));
    Node::Leaf(LeafNode { scalar: Scalar::plain(sort, codes), domain: OnceLock::new() })
}
