//! Numbers for structures that are put together from parts of others.
//!
//! Search trees, sorted lists and the like hold scalars in an order that can be read off the structure: the scalars of
//! a node lie between those of its parts. So a structure of any shape gets ascending numbers in that order. The order
//! is learned from a few valid inputs. Whether it suffices is not proved: the judge decides on each input.

use std::collections::{BTreeMap, BTreeSet};

use super::replace::replace_scalars;
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::int::Int;
use crate::logic::value::Value;
use crate::space::{IntervalSet, LeafSort, NodeId, NodeView, Space, code};

/// Maximum number of orders that are tried.
const MOST_ORDERS: usize = 256;

/// Maximum number of nodes that are tried alone, too.
const MOST_SINGLE: usize = 6;

/// Number of integers more than scalars, from which the numbers are taken.
const MORE_NUMBERS: usize = 4;

/// How many times as many numbers there may be as scalars.
const GAPS: [usize; 4] = [1, 1, 4, 32];

/// Maximum number of orders that are kept.
const MOST: usize = 8;

/// Number of times that numbers are tried with a sample.
const ATTEMPTS: usize = 6;

/// Stands for a constructor of all arguments.
const ARGUMENTS: u32 = u32::MAX;

/// Maximum number of integers of a range that is used as a whole, negative ones included.
const FEW: u64 = 64;

/// The order of the scalars of a structure.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The nodes of the scalars that get numbers in order.
    nodes: BTreeSet<NodeId>,
    /// The nodes of scalars that get any numbers, so that some are equal to others.
    free: BTreeSet<NodeId>,
    order: Order,
    /// Whether the scalars of all arguments form one sequence. Otherwise there is one for each argument.
    is_one: bool,
    /// Whether no two scalars of a sequence are equal.
    pub(super) is_strict: bool,
    /// The codes that all of the nodes admit.
    codes: IntervalSet,
}

/// In which order the scalars of a value are read.
#[derive(Clone, Debug, Default)]
struct Order {
    /// For the constructors with this index and this number of parts, and for the arguments, how many parts come before
    /// the constructor's own scalars.
    places: BTreeMap<(u32, usize), usize>,
    is_descending: bool,
}

/// The orders in which new numbers are valid in three quarters of the samples. They differ where the samples are small. `nodes`
/// are those of scalars in order, and of free ones; if they aren't known, the integers of each sort are tried.
pub(super) fn learned(
    space: &Space,
    nodes: Option<[BTreeSet<NodeId>; 2]>,
    samples: &[Vec<Value>],
    dice: &mut Dice,
) -> Vec<Numbering> {
    let (sets, free) = match nodes {
        Some([in_order, free]) => {
            // Two orders may be independent, as those of the keys and the priorities of a treap.
            let each: Vec<_> = in_order.iter().map(|node| BTreeSet::from([*node])).collect();
            let each = if (2..=MOST_SINGLE).contains(&each.len()) { each } else { Vec::new() };
            (std::iter::once(in_order).chain(each).collect(), free)
        }
        None => (integers(space, samples), BTreeSet::new()),
    };
    let numberings = sets.into_iter().map(|nodes| {
        let all = Numbering::all(space, nodes, &free, samples);
        let is_valid = all.filter(|numbering| {
            let is_valid = |sample: &&Vec<Value>| {
                let mut numbered = (0..ATTEMPTS).filter_map(|_| numbering.numbered(space, sample, dice));
                numbered.any(|args| admits(space.spec(), &args))
            };
            4 * samples.iter().filter(is_valid).count() > 3 * samples.len()
        });
        is_valid.take(MOST).collect::<Vec<_>>()
    });
    { numberings }.find(|numberings| !numberings.is_empty()).unwrap_or_default()
}

/// The nodes of the integers in some inputs, by their sort.
fn integers(space: &Space, samples: &[Vec<Value>]) -> Vec<BTreeSet<NodeId>> {
    let mut sorts: Vec<(LeafSort, BTreeSet<NodeId>)> = Vec::new();
    for sample in samples {
        replace_scalars(space, sample, &mut |at, value| {
            match sorts.iter_mut().find(|(sort, _)| *sort == at.scalar.sort) {
                Some((_, nodes)) => _ = nodes.insert(at.node),
                None => sorts.push((at.scalar.sort, BTreeSet::from([at.node]))),
            }
            value.clone()
        });
    }
    sorts.into_iter().map(|(_, nodes)| nodes).collect()
}

impl Numbering {
    /// The orders of the scalars at these nodes in some valid inputs.
    fn all(
        space: &Space,
        nodes: BTreeSet<NodeId>,
        free: &BTreeSet<NodeId>,
        samples: &[Vec<Value>],
    ) -> impl Iterator<Item = Numbering> {
        let codes = codes_of(space, &nodes, samples);
        let any = Order::default();
        let mut kinds = BTreeSet::new();
        for sample in samples {
            let mut reader = Reader::new(space, &nodes, &any);
            reader.sequences(sample, true);
            kinds.extend(reader.kinds);
        }
        let orders = orders(&kinds);
        let orders = codes.map(|codes| orders.map(move |order| (order, codes.clone())));
        orders.into_iter().flatten().filter_map(move |(order, codes)| {
            let numbering = |is_one| {
                let mut is_strict = true;
                let mut shows = false;
                for sample in samples {
                    let mut reader = Reader::new(space, &nodes, &order);
                    for sequence in reader.sequences(sample, is_one) {
                        let codes = || sequence.iter().map(|(_, code)| code);
                        if !codes().is_sorted() {
                            return None;
                        }
                        is_strict &= codes().is_sorted_by(|a, b| a < b);
                        shows |= sequence.len() > 1;
                    }
                }
                let (nodes, free) = (nodes.clone(), free.clone());
                let (order, codes) = (order.clone(), codes.clone());
                shows.then_some(Numbering { nodes, free, order, is_one, is_strict, codes })
            };
            numbering(true).or_else(|| numbering(false))
        })
    }

    /// The arguments with numbers for their scalars; `None` if there are too few numbers.
    pub(super) fn numbered(&self, space: &Space, args: &[Value], dice: &mut Dice) -> Option<Vec<Value>> {
        let mut reader = Reader::new(space, &self.nodes, &self.order);
        let sequences = reader.sequences(args, self.is_one);
        let n = reader.n_read;
        // Close to each other, or with gaps.
        let most = n * GAPS[dice.index(GAPS.len())];
        let numbers: Vec<Int> = self.numbers().take(most + MORE_NUMBERS).collect();
        let mut values: BTreeMap<usize, Int> = BTreeMap::new();
        for sequence in sequences {
            let taken = self.taken(sequence.len(), numbers.len(), dice)?;
            let positions = sequence.into_iter().map(|(position, _)| position);
            values.extend(positions.zip(taken.into_iter().map(|at| numbers[at].clone())));
        }
        let mut position = 0;
        replace_scalars(space, args, &mut |at, value| {
            if self.free.contains(&at.node) {
                let number = numbers.get(dice.index(numbers.len().max(1)));
                let number = number
                    .filter(|n| matches!(at.scalar.sort, LeafSort::Int(_)) && at.scalar.codes.contains(n));
                return number.map_or_else(|| value.clone(), |n| Value::Int(n.clone()));
            }
            if !self.nodes.contains(&at.node) {
                return value.clone();
            }
            position += 1;
            values.remove(&(position - 1)).map_or_else(|| value.clone(), Value::Int)
        })
    }

    /// The numbers: from the least natural number on, or from the least integer, if there are few or no natural
    /// numbers.
    fn numbers(&self) -> impl Iterator<Item = Int> {
        let naturals = self.codes.intersect(&IntervalSet::at_least(Int::ZERO));
        let is_all = naturals.is_empty() || self.codes.count_up_to(FEW).is_some();
        let codes = if is_all { &self.codes } else { &naturals };
        let span = codes.spans().first().and_then(|(lo, hi)| Some((lo.clone()?, hi.clone())));
        span.into_iter().flat_map(|(lo, hi)| {
            (0_u64..)
                .map(move |more| &lo + &Int::from(more))
                .take_while(move |n| hi.as_ref().is_none_or(|hi| n <= hi))
        })
    }

    /// Indices of some of `n` numbers, ascending.
    fn taken(&self, len: usize, n: usize, dice: &mut Dice) -> Option<Vec<usize>> {
        if n == 0 {
            return (len == 0).then(Vec::new);
        }
        if !self.is_strict && dice.percent(50) {
            let mut taken: Vec<usize> = (0..len).map(|_| dice.index(n)).collect();
            taken.sort_unstable();
            return Some(taken);
        }
        if len > n {
            return None;
        }
        // Each subset is as likely.
        let mut left = len;
        let is_taken = |at: &usize| {
            let is_taken = dice.index(n - at) < left;
            left -= usize::from(is_taken);
            is_taken
        };
        Some((0..n).filter(is_taken).collect())
    }
}

/// The codes that the scalars at these nodes admit, if all are integers of one sort.
fn codes_of(space: &Space, nodes: &BTreeSet<NodeId>, samples: &[Vec<Value>]) -> Option<IntervalSet> {
    let mut scalars = BTreeMap::new();
    for sample in samples {
        replace_scalars(space, sample, &mut |at, value| {
            if nodes.contains(&at.node) {
                scalars.insert(at.node, (at.scalar.sort, at.scalar.codes.clone()));
            }
            value.clone()
        })?;
    }
    let mut scalars = scalars.into_values();
    let (sort, mut codes) = scalars.next().filter(|(sort, _)| matches!(sort, LeafSort::Int(_)))?;
    for (other, admitted) in scalars {
        if other != sort {
            return None;
        }
        codes = codes.intersect(&admitted);
    }
    Some(codes)
}

/// All orders of the scalars of these constructors, up to [`MOST_ORDERS`].
fn orders(kinds: &BTreeSet<(u32, usize)>) -> impl Iterator<Item = Order> + use<> {
    let n_places: Vec<((u32, usize), usize)> = kinds.iter().map(|kind| (*kind, kind.1 + 1)).collect();
    let n_orders: usize =
        n_places.iter().map(|(_, n)| *n).try_fold(2, usize::checked_mul).unwrap_or(usize::MAX);
    (0..n_orders.min(MOST_ORDERS)).map(move |number| {
        let mut left = number / 2;
        let mut place = |(kind, n): &((u32, usize), usize)| {
            let at = left % n;
            left /= n;
            (*kind, at)
        };
        Order { places: n_places.iter().map(&mut place).collect(), is_descending: number % 2 == 1 }
    })
}

/// A scalar: its position in the order in which scalars are stored, and its code.
type Read = (usize, Int);

/// Reads the scalars at some nodes.
struct Reader<'s> {
    space: &'s Space,
    nodes: &'s BTreeSet<NodeId>,
    order: &'s Order,
    /// Number of scalars so far.
    n_read: usize,
    /// The constructors so far with scalars of their own and other parts: their indices and numbers of parts.
    kinds: BTreeSet<(u32, usize)>,
}

impl<'s> Reader<'s> {
    fn new(space: &'s Space, nodes: &'s BTreeSet<NodeId>, order: &'s Order) -> Reader<'s> {
        Reader { space, nodes, order, n_read: 0, kinds: BTreeSet::new() }
    }

    /// The scalars of all arguments, or of each, the first ones first.
    fn sequences(&mut self, args: &[Value], is_one: bool) -> Vec<Vec<Read>> {
        let nodes = self.space.arg_nodes();
        let mut sequences = if is_one {
            vec![self.read_fields(ARGUMENTS, nodes, args)]
        } else {
            nodes.iter().zip(args).map(|(node, arg)| self.read(*node, arg)).collect()
        };
        if self.order.is_descending {
            sequences.iter_mut().for_each(|sequence| sequence.reverse());
        }
        sequences
    }

    fn read(&mut self, node: NodeId, value: &Value) -> Vec<Read> {
        match (self.space.view(node), value) {
            (NodeView::Leaf(_), value) if self.nodes.contains(&node) => {
                self.n_read += 1;
                code(value).map(|code| (self.n_read - 1, code)).into_iter().collect()
            }
            (NodeView::Data(ctors), Value::Data(ctor, fields)) => match ctors.get(*ctor as usize) {
                Some(Some(view)) => self.read_fields(*ctor, view.fields, fields),
                Some(None) | None => Vec::new(),
            },
            (NodeView::Tuple(nodes), Value::Tuple(parts)) => {
                nodes.iter().zip(parts.iter()).flat_map(|(node, part)| self.read(*node, part)).collect()
            }
            (NodeView::Seq(elements), Value::Seq(parts)) => {
                (0..).zip(parts.iter()).flat_map(|(i, part)| self.read(elements.node_at(i), part)).collect()
            }
            (
                NodeView::Empty
                | NodeView::Leaf(_)
                | NodeView::Str(_)
                | NodeView::Seq(_)
                | NodeView::Tuple(_)
                | NodeView::Data(_),
                _,
            ) => Vec::new(),
        }
    }

    /// Reads the scalars of a constructor where they belong among its parts.
    fn read_fields(&mut self, ctor: u32, nodes: &[NodeId], fields: &[Value]) -> Vec<Read> {
        let (mut own, mut parts) = (Vec::new(), Vec::new());
        for (node, field) in nodes.iter().zip(fields) {
            let read = self.read(*node, field);
            if self.nodes.contains(node) { own.extend(read) } else { parts.push(read) }
        }
        if !parts.is_empty() && nodes.iter().any(|node| self.nodes.contains(node)) {
            self.kinds.insert((ctor, parts.len()));
        }
        let place = self.order.places.get(&(ctor, parts.len())).copied().unwrap_or(0);
        let after = parts.split_off(place.min(parts.len()));
        parts.into_iter().flatten().chain(own).chain(after.into_iter().flatten()).collect()
    }
}
