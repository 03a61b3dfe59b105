//! Numbers for structures that are put together from parts of others.
//!
//! Search trees, sorted lists and the like hold scalars in an order that can be read off the structure: the scalars of
//! a node lie between those of its parts. So a structure of any shape gets ascending numbers in that order. The order
//! is learned from a few valid inputs. Whether it suffices is not proved: the judge decides on each input.

mod reader;

use std::collections::{BTreeMap, BTreeSet};

use self::reader::Reader;
use super::lists::elements;
use super::replace::{replace_scalars, visit_scalars};
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::int::Int;
use crate::logic::part::{Path, replaced};
use crate::logic::value::Value;
use crate::space::{IntervalSet, LeafSort, NodeId, NodeView, Space};

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

/// Maximum number of levels of an element that is no structure, such as a pair of numbers.
const FLAT: u32 = 1;

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
    /// Whether what depends on the numbers is changed, too.
    pub(super) is_repaired: bool,
}

/// Changes what depends on numbers: it is given arguments with the old ones, and with the new ones.
pub(super) type Repair<'r> = dyn Fn(&[Value], &[Value]) -> Vec<Value> + 'r;

/// In which order the scalars of a value are read.
#[derive(Clone, Debug, Default)]
struct Order {
    /// Where the own scalars of these constructors come.
    places: BTreeMap<Kind, Place>,
    is_descending: bool,
}

/// The index of a constructor, or [`ARGUMENTS`], and its number of parts.
type Kind = (u32, usize);

/// Where a constructor's own scalars come among its parts.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// All of them, after so many parts.
    After(usize),
    /// One between each two parts, as the keys in a node of a B-tree. The elements of a list are parts of their own, or scalars of
    /// the constructor.
    Between,
}

/// The orders in which new numbers are valid in three quarters of the samples. They differ where the samples are small. `nodes`
/// are those of scalars in order, and of free ones; if they aren't known, the integers of each sort are tried. With a `repair`, the
/// numbers are also tried with it.
pub(super) fn learned(
    space: &Space,
    nodes: Option<[BTreeSet<NodeId>; 2]>,
    samples: &[Vec<Value>],
    repair: Option<&Repair<'_>>,
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
    let sets = sets.into_iter().filter(|nodes| !have_free_lists(space, nodes, samples));
    let numberings = sets.map(|nodes| {
        let fitting = Numbering::fitting(space, nodes, &free, samples);
        let valid = fitting.filter_map(|numbering| {
            let mut is_valid = |is_repaired: bool| {
                let is_invalid = |sample: &&Vec<Value>| {
                    let numbered = (0..ATTEMPTS).filter_map(|_| numbering.numbered(space, sample, dice));
                    let mut made = numbered.map(|numbered| match repair.filter(|_| is_repaired) {
                        Some(repair) => repair(sample, &numbered),
                        None => numbered,
                    });
                    !made.any(|args| admits(space.spec(), &args))
                };
                // It ends with the first invalid one that is too many.
                samples.iter().filter(is_invalid).nth(samples.len().saturating_sub(1) / 4).is_none()
            };
            let is_repaired = repair.is_some() && is_valid(true);
            let is_valid = is_repaired || is_valid(false);
            is_valid.then_some(Numbering { is_repaired, ..numbering })
        });
        valid.take(MOST).collect::<Vec<_>>()
    });
    { numberings }.find(|numberings| !numberings.is_empty()).unwrap_or_default()
}

/// Whether lists with scalars at these nodes may be reversed. Then their elements are in no order, even if they are in the samples,
/// which are few and small. Lists of structures don't count: the scalars of each may well be in order.
fn have_free_lists(space: &Space, nodes: &BTreeSet<NodeId>, samples: &[Vec<Value>]) -> bool {
    let order = Order::default();
    let mut n_reversed = 0;
    for sample in samples {
        let mut lists = Vec::new();
        let args = space.arg_nodes().iter().zip(sample).enumerate();
        args.for_each(|(at, (node, arg))| find_lists(space, *node, arg, vec![at], &mut lists));
        for (node, list, path) in lists {
            let n_scalars = Reader::new(space, nodes, &order).read(node, list).len();
            let reversed = Value::Seq(elements(list).into_iter().rev().collect());
            if n_scalars < 2 || reversed == *list || elements(list).iter().any(|of| depth(of) > FLAT) {
                continue;
            }
            if !admits(space.spec(), &replaced(sample, &path, reversed)) {
                return false;
            }
            n_reversed += 1;
        }
    }
    n_reversed > 1
}

/// Number of levels of a value: 0 for a scalar.
fn depth(value: &Value) -> u32 {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) | Value::Str(_) => 0,
        Value::Seq(parts) | Value::Tuple(parts) | Value::Data(_, parts) => {
            1 + parts.iter().map(depth).max().unwrap_or(0)
        }
    }
}

/// Finds the lists in a value that are in no other list, and in no recursive structure.
fn find_lists<'v>(
    space: &Space,
    node: NodeId,
    value: &'v Value,
    path: Path,
    found: &mut Vec<(NodeId, &'v Value, Path)>,
) {
    let (nodes, parts) = match (space.view(node), value) {
        (NodeView::Seq(elements), Value::Seq(_)) => {
            if elements.collection.is_none() {
                found.push((node, value, path));
            }
            return;
        }
        (NodeView::Tuple(nodes), Value::Tuple(parts)) => (nodes, &**parts),
        (NodeView::Data(ctors), Value::Data(ctor, fields)) => match ctors.get(*ctor as usize) {
            Some(Some(view)) if !view.recursive => (view.fields, &**fields),
            _ => return,
        },
        _ => return,
    };
    for (at, (node, part)) in nodes.iter().zip(parts.iter()).enumerate() {
        find_lists(space, *node, part, [&path[..], &[at]].concat(), found);
    }
}

/// The nodes of the integers in some inputs, by their sort.
fn integers(space: &Space, samples: &[Vec<Value>]) -> Vec<BTreeSet<NodeId>> {
    let mut sorts: Vec<(LeafSort, BTreeSet<NodeId>)> = Vec::new();
    for sample in samples {
        visit_scalars(space, sample, &mut |at, _| match sorts
            .iter_mut()
            .find(|(sort, _)| *sort == at.scalar.sort)
        {
            Some((_, nodes)) => _ = nodes.insert(at.node),
            None => sorts.push((at.scalar.sort, BTreeSet::from([at.node]))),
        });
    }
    sorts.into_iter().map(|(_, nodes)| nodes).collect()
}

impl Numbering {
    /// The orders of the scalars at these nodes in some valid inputs.
    fn fitting(
        space: &Space,
        nodes: BTreeSet<NodeId>,
        free: &BTreeSet<NodeId>,
        samples: &[Vec<Value>],
    ) -> impl Iterator<Item = Numbering> {
        let codes = codes_of(space, &nodes, samples);
        let any = Order::default();
        let mut kinds = BTreeMap::new();
        for sample in samples {
            let mut reader = Reader::new(space, &nodes, &any);
            reader.sequences(sample, true);
            for (kind, may_alternate) in reader.kinds {
                *kinds.entry(kind).or_insert(true) &= may_alternate;
            }
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
                let is_repaired = false;
                shows.then_some(Numbering { nodes, free, order, is_one, is_strict, codes, is_repaired })
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
        visit_scalars(space, sample, &mut |at, _| {
            if nodes.contains(&at.node) {
                scalars.entry(at.node).or_insert_with(|| (at.scalar.sort, at.scalar.codes.clone()));
            }
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

/// All orders of the scalars of these constructors, up to [`MOST_ORDERS`]. For each, it is given whether one scalar may come
/// between each two parts.
fn orders(kinds: &BTreeMap<Kind, bool>) -> impl Iterator<Item = Order> + use<> {
    let places = |(kind, may_alternate): (&Kind, &bool)| {
        let after = (0..=kind.1).map(Place::After);
        (*kind, after.chain(may_alternate.then_some(Place::Between)).collect())
    };
    let places: Vec<(Kind, Vec<Place>)> = kinds.iter().map(places).collect();
    let n_orders =
        places.iter().map(|(_, places)| places.len()).try_fold(2, usize::checked_mul).unwrap_or(usize::MAX);
    (0..n_orders.min(MOST_ORDERS)).map(move |number| {
        let mut left = number / 2;
        let mut place = |(kind, places): &(Kind, Vec<Place>)| {
            let at = left % places.len();
            left /= places.len();
            (*kind, places[at])
        };
        Order { places: places.iter().map(&mut place).collect(), is_descending: number % 2 == 1 }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::logic::ir::{
        Clause, Ctor, Data, DataId, Field, IntKind, Param, Refined, SeqKind, Sort, Spec, Term,
    };
    use crate::space::{Bounds, code};

    /// Nodes with lists of keys and of children, and 2-3 trees: `Leaf`, `Two(l, a, r)`, `Three(l, a, m, b, r)`.
    fn space(is_of_lists: bool) -> Space {
        let field = |sort| Field { name: String::new(), refined: Refined::plain(sort), slot: None };
        let tree = || field(Sort::Data(DataId(0)));
        let key = || field(Sort::Int(IntKind::I64));
        let list = |of: Field| field(Sort::Seq(Box::new(of.refined), SeqKind::Vec));
        let ctor = |fields: Vec<Field>, recursive| Ctor {
            rust_path: String::new(),
            fields,
            named: false,
            recursive,
            excluded: false,
        };
        let ctors = if is_of_lists {
            vec![ctor(vec![list(key()), list(tree())], true)]
        } else {
            let three = vec![tree(), key(), tree(), key(), tree()];
            vec![ctor(vec![], false), ctor(vec![tree(), key(), tree()], true), ctor(three, true)]
        };
        let data = vec![Data { rust_type: "Tree".to_owned(), ctors, via: None, object: None, rule: None }];
        let refined = Refined::plain(Sort::Data(DataId(0)));
        let params = vec![Param { name: "t".to_owned(), refined, mutable: false }];
        Space::new(Arc::new(Spec { params, data, ..Spec::unrefined("") }), Bounds { depth: 3, bound: 8 })
    }

    /// A tree with consecutive keys from `next` on.
    fn tree(is_of_lists: bool, shape: &[usize], next: &mut i64) -> Value {
        let Some((n_keys, inner)) = shape.split_first() else {
            return if is_of_lists { node(Vec::new(), Vec::new()) } else { Value::Data(0, [].into()) };
        };
        let (mut keys, mut children) = (Vec::new(), vec![tree(is_of_lists, inner, next)]);
        for _ in 0..*n_keys {
            keys.push(Value::int(*next));
            *next += 1;
            children.push(tree(is_of_lists, inner, next));
        }
        if is_of_lists {
            return node(keys, if inner.is_empty() { Vec::new() } else { children });
        }
        let (mut keys, mut children) = (keys.into_iter(), children.into_iter());
        let fields = std::iter::from_fn(|| children.next()).flat_map(|child| [Some(child), keys.next()]);
        Value::Data(*n_keys as u32, fields.flatten().collect())
    }

    fn node(keys: Vec<Value>, children: Vec<Value>) -> Value {
        Value::Data(0, [Value::seq(keys), Value::seq(children)].into())
    }

    #[test]
    fn keys_come_between_parts() {
        for is_of_lists in [false, true] {
            let space = space(is_of_lists);
            let sample = |shape: &[usize]| vec![tree(is_of_lists, shape, &mut 0)];
            let samples = [&[1][..], &[2], &[1, 1], &[1, 2], &[2, 1]].map(sample);
            let mut dice = Dice::new(0, 0);
            let numberings = learned(&space, None, &samples, None, &mut dice);
            // The numbers of a tree whose keys are in no order.
            let large = sample(&[2, 2, 1]);
            let mixed = replace_scalars(&space, &large, &mut |_, _| Value::int(7)).expect("a tree");
            let numbered = numberings.iter().filter_map(|of| of.numbered(&space, &mixed, &mut dice));
            let ranks = |args: Vec<Value>| {
                let mut codes = Vec::new();
                let mut note = |value: &Value| {
                    codes.extend(code(value));
                    value.clone()
                };
                replace_scalars(&space, &args, &mut |_, value| note(value))?;
                let sorted: BTreeSet<Int> = codes.iter().cloned().collect();
                let rank = |code: &Int| Value::int(sorted.range(..code).count() as u64);
                replace_scalars(&space, &args, &mut |_, value| {
                    code(value).map_or(value.clone(), |c| rank(&c))
                })
            };
            assert!(
                { numbered }.filter_map(ranks).any(|args| args == large),
                "{is_of_lists}: {numberings:?}"
            );
        }
    }

    /// Lists of integers, sorted if asked for.
    fn lists(is_sorted: bool) -> Space {
        let refined =
            Refined::plain(Sort::Seq(Box::new(Refined::plain(Sort::Int(IntKind::I64))), SeqKind::Vec));
        let params = vec![Param { name: "xs".to_owned(), refined, mutable: false }];
        let term = Term::IsSorted(Box::new(Term::Var(0)));
        let sorted = Clause { id: 0, text: String::new(), term };
        let requires = if is_sorted { vec![sorted] } else { Vec::new() };
        Space::new(Arc::new(Spec { params, requires, ..Spec::unrefined("") }), Bounds { depth: 3, bound: 8 })
    }

    #[test]
    fn lists_have_an_order_only_if_they_must() {
        // The samples happen to be sorted.
        let sample = |xs: &[i64]| vec![Value::seq(xs.iter().map(|x| Value::int(*x)).collect::<Vec<_>>())];
        let samples = [&[][..], &[3], &[1, 2], &[0, 4, 5], &[2, 6]].map(sample);
        for is_sorted in [false, true] {
            let numberings = learned(&lists(is_sorted), None, &samples, None, &mut Dice::new(0, 0));
            assert_eq!(numberings.is_empty(), !is_sorted, "{numberings:?}");
        }
    }
}
