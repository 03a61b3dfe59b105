//! Other scalars in a valid input.
//!
//! A structure is expensive to find, and most specs read its scalars only to compare them with each other. Then new
//! scalars in the same order make a new valid input of the same structure, at the price of a judgement. Which scalars can be
//! replaced so is found by trying: the judge decides, here and on each input.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::boundary::{self, Boundary};
use super::constants::Constants;
use super::large;
use super::palette::Palette;
use super::replace::{Position, replace_scalars, visit_scalars};
use super::source::Source;
use super::turns::{self, Magnitude, STYLES, Sharing, Style, Turns};
use crate::dice::Dice;
use crate::logic::eval::admits;
use crate::logic::int::Int;
use crate::logic::value::Value;
use crate::space::{IntervalSet, LeafSort, NodeId, Scalar, Space, code};

/// How the scalars at a node may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freedom {
    /// Together with all others of the sort, if the order stays.
    InOrder,
    /// Each on its own.
    Free,
}

/// Which scalars get new values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replaced {
    /// All that may, and those that are free are not in order with the others.
    All,
    Some,
}

/// Number of attempts to replace the scalars of a sample, of which one must succeed.
const ATTEMPTS: usize = 4;

/// Minimum number of inputs made of samples that show whether scalars are free.
const TRIALS: usize = 32;

/// Free scalars are those with at least so many trials for each one that the spec rejects.
const TRIALS_PER_REJECTION: usize = 12;

/// Maximum number of nodes whose freedom is found one by one.
const MOST_NODES: usize = 12;

/// Of this many labels of large inputs, two are constants of the spec or of the function's source, and one is the limit of a
/// range.
const LABELS: usize = 8;

/// Percentage of integers that are limits, in inputs that have such.
const LIMIT: u64 = 75;

/// Number of values of a byte.
const BYTE: u64 = 256;

/// Replaces scalars by boundary values, or by values of all magnitudes.
pub(super) struct Relabel {
    space: Space,
    source: Source,
    boundary: Arc<Boundary>,
    /// For each node whose scalars are replaced.
    freedom: BTreeMap<NodeId, Freedom>,
    /// Whether negative integers stay, and natural numbers become natural numbers.
    keeps_signs: bool,
    turns: Turns,
    /// What the integers of the current input are like.
    magnitude: Magnitude,
    /// The boundary values of scalars.
    extremes: HashMap<NodeId, Arc<[Value]>>,
}

impl Relabel {
    /// Finds out which scalars of some valid inputs can be replaced. `None` if none can.
    pub fn learn(
        space: &Space,
        source: Source,
        boundary: &Arc<Boundary>,
        samples: &[Vec<Value>],
        dice: &mut Dice,
    ) -> Option<Relabel> {
        let mut nodes: BTreeMap<NodeId, bool> = BTreeMap::new();
        let mut nodes_of: Vec<BTreeSet<NodeId>> = Vec::new();
        for sample in samples {
            let mut own = BTreeSet::new();
            visit_scalars(space, sample, &mut |at, _| {
                if is_labelled(at.scalar) {
                    *nodes.entry(at.node).or_default() |= at.is_in_order;
                    own.insert(at.node);
                }
            })?;
            nodes_of.push(own);
        }
        let mut relabel = Relabel {
            space: space.clone(),
            source,
            boundary: Arc::clone(boundary),
            freedom: BTreeMap::new(),
            keeps_signs: false,
            turns: Turns::default(),
            magnitude: Magnitude::Any,
            extremes: HashMap::new(),
        };
        let all: BTreeSet<NodeId> = nodes.keys().copied().collect();
        let mut sets = vec![all.clone()];
        if (2..=MOST_NODES).contains(&all.len()) {
            let without = |node: &NodeId| all.iter().copied().filter(|other| other != node).collect();
            sets.extend(all.iter().map(without));
            sets.extend(all.iter().map(|node| BTreeSet::from([*node])));
        }
        // All samples that have scalars to replace must show it.
        let works = |relabel: &mut Relabel, set: &BTreeSet<NodeId>, dice: &mut Dice| {
            let with_scalars = samples.iter().zip(&nodes_of).filter(|(_, own)| !own.is_disjoint(set));
            let mut shown = with_scalars.map(|(sample, _)| {
                (0..ATTEMPTS).any(|_| relabel.replaced(sample, Replaced::All, dice).0.is_some())
            });
            shown.next() == Some(true) && shown.all(|is_shown| is_shown)
        };
        let attempts = sets.iter().filter(|set| !set.is_empty()).flat_map(|set| [(set, false), (set, true)]);
        let (set, _) = { attempts }.find(|(set, keeps_signs)| {
            relabel.keeps_signs = *keeps_signs;
            relabel.freedom = set.iter().map(|node| (*node, Freedom::InOrder)).collect();
            works(&mut relabel, set, dice)
        })?;
        let mut freedom = relabel.freedom.clone();
        for node in set.iter().filter(|node| !nodes[*node]) {
            let with_node = samples.iter().zip(&nodes_of).filter(|(_, own)| own.contains(node));
            let with_node: Vec<&Vec<Value>> = with_node.map(|(sample, _)| sample).collect();
            // Only its scalars change, so that nothing else may be the reason for a rejection.
            relabel.freedom = BTreeMap::from([(*node, Freedom::Free)]);
            if relabel.is_free(&with_node, dice) {
                freedom.insert(*node, Freedom::Free);
            }
        }
        relabel.freedom = freedom;
        Some(relabel)
    }

    /// Whether the spec admits almost all inputs made of some samples, and one of each. Two numbers in any order are in the right one
    /// half of the time.
    fn is_free(&mut self, samples: &[&Vec<Value>], dice: &mut Dice) -> bool {
        let spec = self.space.spec().clone();
        let n_trials = TRIALS.div_ceil(samples.len().max(1));
        let mut n_left = samples.len() * n_trials / TRIALS_PER_REJECTION;
        samples.iter().all(|sample| {
            let mut is_shown = false;
            for trial in 0..ATTEMPTS.max(n_trials) {
                if is_shown && trial >= n_trials {
                    break;
                }
                let Some(made) = self.attempt(sample, Replaced::All, &mut 0, dice) else { continue };
                if admits(&spec, &made) {
                    is_shown |= made != **sample;
                } else if n_left == 0 {
                    return false;
                } else {
                    n_left -= 1;
                }
            }
            is_shown
        })
    }

    /// The nodes of the scalars that keep their order, and of those that are free.
    pub fn nodes(&self) -> [BTreeSet<NodeId>; 2] {
        [Freedom::InOrder, Freedom::Free].map(|wanted| {
            let found = self.freedom.iter().filter(|(_, freedom)| **freedom == wanted);
            found.map(|(node, _)| *node).collect()
        })
    }

    /// An input with other scalars that satisfies the spec, if this attempt makes one; and its number of scalars.
    pub fn relabelled(&mut self, args: &[Value], dice: &mut Dice) -> (Option<Vec<Value>>, u64) {
        self.replaced(args, Replaced::Some, dice)
    }

    fn replaced(&mut self, args: &[Value], replaced: Replaced, dice: &mut Dice) -> (Option<Vec<Value>>, u64) {
        let mut n_scalars = 0;
        let made = self.attempt(args, replaced, &mut n_scalars, dice);
        (made.filter(|made| made != args && admits(self.space.spec(), made)), n_scalars)
    }

    /// The arguments with other scalars, whether they satisfy the spec or not. Counts the scalars.
    fn attempt(
        &mut self,
        args: &[Value],
        replaced: Replaced,
        n_scalars: &mut u64,
        dice: &mut Dice,
    ) -> Option<Vec<Value>> {
        let all = replaced == Replaced::All;
        let space = self.space.clone();
        let has_order = self.freedom.values().any(|freedom| *freedom == Freedom::InOrder);
        let sharing = if all { Sharing::Nothing } else { self.turns.sharing(has_order) };
        let is_free = |freedom: &Freedom| *freedom == Freedom::Free && sharing != Sharing::InOrder;
        let free = self.freedom.iter().filter(|(_, freedom)| is_free(freedom));
        let free: BTreeSet<NodeId> = free.map(|(node, _)| *node).collect();
        let first_style = match (all, free.is_empty()) {
            (true, _) => dice.index(STYLES),
            (false, true) => 0,
            (false, false) => self.turns.first_style(sharing),
        };
        let mut sorts: Vec<InOrder> = Vec::new();
        let mut common: Vec<(LeafSort, IntervalSet)> = Vec::new();
        visit_scalars(&space, args, &mut |at, value| {
            *n_scalars += 1;
            if sharing == Sharing::Values && free.contains(&at.node) {
                match common.iter_mut().find(|(sort, _)| *sort == at.scalar.sort) {
                    Some((_, codes)) => *codes = codes.intersect(&at.scalar.codes),
                    None => common.push((at.scalar.sort, at.scalar.codes.clone())),
                }
            }
            if self.freedom.contains_key(&at.node)
                && !free.contains(&at.node)
                && let Some(code) = code(value)
            {
                match sorts.iter_mut().find(|sort| sort.scalar.sort == at.scalar.sort) {
                    Some(sort) => sort.note(at, code),
                    None => sorts.push(InOrder::new(at, code)),
                }
            }
        })?;
        self.magnitude = if all { Magnitude::Any } else { self.turns.magnitude() };
        for sort in &mut sorts {
            let keeps_signs = self.keeps_signs;
            sort.relabel(all, keeps_signs, |scalar, node, dice| self.label(scalar, node, dice), dice)?;
        }
        // Every second time, they are values that all of them admit.
        common.retain(|(_, codes)| !codes.is_empty() && dice.percent(50));
        let mut palettes: HashMap<(LeafSort, Option<NodeId>), Palette> = HashMap::new();
        replace_scalars(&space, args, &mut |at, value| {
            if !self.freedom.contains_key(&at.node) || self.keeps_signs && is_negative(value) {
                return value.clone();
            }
            if free.contains(&at.node) {
                let own = (sharing == Sharing::Nothing).then_some(at.node);
                let style = turns::style(first_style, palettes.len());
                let palette = palettes.entry((at.scalar.sort, own));
                let codes = common.iter().find(|(sort, _)| *sort == at.scalar.sort).map(|(_, codes)| codes);
                let new =
                    palette.or_insert_with(|| self.palette(at, codes, (style, all), dice)).next(value, dice);
                let is_admitted = code(&new).is_none_or(|code| at.scalar.codes.contains(&code));
                return if is_admitted { new } else { value.clone() };
            }
            let sort = sorts.iter().find(|sort| sort.scalar.sort == at.scalar.sort);
            let new = code(value).and_then(|code| sort?.labels.get(&code));
            new.unwrap_or(value).clone()
        })
    }

    /// A new value for a scalar.
    fn label(&mut self, scalar: &Scalar, node: NodeId, dice: &mut Dice) -> Option<Value> {
        let is_size = large::is_size(scalar);
        let label = match self.source {
            Source::Boundary => {
                let extremes = self.extremes.entry(node);
                let extremes: &[Value] = extremes.or_insert_with(|| self.boundary.of_scalar(scalar).into());
                if extremes.is_empty() { None } else { Some(self.boundary.random(scalar, extremes, dice)) }
            }
            // Sizes are rarely huge, and boundary cases have those.
            Source::Large if self.is_uniform(scalar) && !is_size => {
                large::uniform(scalar, dice).or_else(|| large::random(scalar, dice))
            }
            Source::Large if self.magnitude == Magnitude::Limits && !is_size && dice.percent(LIMIT) => {
                boundary::limit(scalar, dice).or_else(|| large::random(scalar, dice))
            }
            Source::Large => {
                let constants: &Constants = self.boundary.constants();
                let special = match dice.index(LABELS) {
                    0 | 1 => constants.random(scalar, dice),
                    2 if !is_size => boundary::limit(scalar, dice),
                    _ => None,
                };
                special.or_else(|| large::random(scalar, dice))
            }
        };
        let is_admitted = |label: &Value| code(label).is_none_or(|code| scalar.codes.contains(&code));
        label.filter(|label| is_admitted(label) && (!self.keeps_signs || !is_negative(label)))
    }

    /// Whether the values of a scalar in the current input are as likely as each other.
    fn is_uniform(&self, scalar: &Scalar) -> bool {
        match self.magnitude {
            Magnitude::Uniform => true,
            Magnitude::UniformIfFew => scalar.codes.count_up_to(BYTE).is_some(),
            Magnitude::Any | Magnitude::Limits => false,
        }
    }

    /// The new values of free scalars, among `codes` if given.
    fn palette(
        &mut self,
        at: &Position<'_>,
        codes: Option<&IntervalSet>,
        (style, all): (Style, bool),
        dice: &mut Dice,
    ) -> Palette {
        if self.source == Source::Boundary {
            let extremes = || self.boundary.of_scalar(at.scalar).into();
            self.extremes.entry(at.node).or_insert_with(extremes);
        }
        let scalar = Scalar { codes: codes.unwrap_or(&at.scalar.codes).clone(), ..at.scalar.clone() };
        let labels = (0..style.n_labels).filter_map(|_| self.label(&scalar, at.node, dice)).collect();
        let next = match at.scalar.sort {
            LeafSort::Int(_) if dice.index(8) == 0 => self.label(&scalar, at.node, dice),
            LeafSort::Int(_) | LeafSort::Bool | LeafSort::Char | LeafSort::Float(_) | LeafSort::Enum(_) => {
                None
            }
        };
        let kept = if all { 0 } else { style.kept };
        Palette { labels, kept, repeated: style.repeated, last: None, next }
    }
}

fn is_negative(value: &Value) -> bool {
    matches!(value, Value::Int(n) if n.is_negative())
}

/// Whether a scalar's values are worth replacing.
fn is_labelled(scalar: &Scalar) -> bool {
    match scalar.sort {
        LeafSort::Bool | LeafSort::Enum(_) => false,
        LeafSort::Int(_) | LeafSort::Char | LeafSort::Float(_) => true,
    }
}

/// The scalars of one sort whose order stays.
struct InOrder {
    node: NodeId,
    /// The scalar at this node.
    scalar: Scalar,
    /// The nodes of all of them.
    nodes: BTreeSet<NodeId>,
    /// The codes that all of them admit.
    codes: IntervalSet,
    old: BTreeSet<Int>,
    /// The new values, by the code of the old one.
    labels: BTreeMap<Int, Value>,
}

impl InOrder {
    fn new(at: &Position<'_>, code: Int) -> InOrder {
        let old = BTreeSet::from([code]);
        InOrder {
            node: at.node,
            scalar: at.scalar.clone(),
            nodes: BTreeSet::from([at.node]),
            codes: at.scalar.codes.clone(),
            old,
            labels: BTreeMap::new(),
        }
    }

    fn note(&mut self, at: &Position<'_>, code: Int) {
        self.old.insert(code);
        if self.nodes.insert(at.node) {
            self.codes = self.codes.intersect(&at.scalar.codes);
        }
    }

    /// Decides on the new values: distinct, and in the order of the old ones.
    fn relabel(
        &mut self,
        all: bool,
        keeps_signs: bool,
        mut label: impl FnMut(&Scalar, NodeId, &mut Dice) -> Option<Value>,
        dice: &mut Dice,
    ) -> Option<()> {
        let is_kept =
            |old: &Int| keeps_signs && matches!(self.scalar.sort, LeafSort::Int(_)) && old.is_negative();
        let n_signed = self.old.iter().filter(|old| is_kept(old)).count();
        let n = self.old.len() - n_signed;
        let (Some(least), Some(greatest)) = (self.old.iter().nth(n_signed), self.old.last()) else {
            return Some(());
        };
        let kept = self.old.iter().take(n_signed);
        self.labels = kept.map(|old| (old.clone(), Value::Int(old.clone()))).collect();
        if dice.index(4) == 0
            && let LeafSort::Int(_) = self.scalar.sort
            && let Some(Value::Int(to)) = label(&self.scalar, self.node, dice)
        {
            // All move by the same distance.
            let by = &to - if dice.percent(50) { least } else { greatest };
            if keeps_signs && (least + &by).is_negative() {
                return None;
            }
            let moved: Vec<(Int, Int)> =
                self.old.iter().skip(n_signed).map(|old| (old.clone(), old + &by)).collect();
            if moved.iter().all(|(_, new)| self.codes.contains(new)) {
                self.labels.extend(moved.into_iter().map(|(old, new)| (old, Value::Int(new))));
                return Some(());
            }
        }
        let kept = if all || dice.percent(50) { 0 } else { dice.index(n) };
        let mut new: BTreeMap<Int, Value> = BTreeMap::new();
        for old in self.old.iter().skip(n_signed).take(kept) {
            new.insert(old.clone(), value_of(old, self.scalar.sort)?);
        }
        for _ in 0..4 * n + 8 {
            if new.len() == n {
                break;
            }
            let Some(value) = label(&self.scalar, self.node, dice) else { continue };
            if let Some(code) = code(&value).filter(|code| self.codes.contains(code)) {
                new.insert(code, value);
            }
        }
        if new.len() < n {
            return None;
        }
        self.labels.extend(self.old.iter().skip(n_signed).cloned().zip(new.into_values()));
        Some(())
    }
}

/// The value with a code.
fn value_of(code: &Int, sort: LeafSort) -> Option<Value> {
    match sort {
        LeafSort::Int(_) => Some(Value::Int(code.clone())),
        LeafSort::Char => char::from_u32(u32::try_from(code.to_u64()?).ok()?).map(Value::Char),
        LeafSort::Float(_) => Some(Value::Float(crate::space::float_of_code(code.to_i64()?))),
        LeafSort::Bool | LeafSort::Enum(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::ir::{Clause, CompareOp, IntKind, Param, Refined, Sort, Spec, Term};
    use crate::space::Bounds;

    /// A number of integers that satisfy a relation.
    fn integers(n: usize, kind: IntKind, term: Term) -> Space {
        let params =
            vec![Param { name: String::new(), refined: Refined::plain(Sort::Int(kind)), mutable: false }; n];
        let requires = vec![Clause { id: 0, text: String::new(), term }];
        let spec = Spec { params, requires, ..Spec::unrefined("") };
        Space::new(Arc::new(spec), Bounds { depth: 4, bound: 4 })
    }

    /// What is learned from a pair of integers that satisfies a relation.
    fn learned(source: Source, relation: Term, sample: [i64; 2]) -> Option<(Space, Relabel)> {
        let space = integers(2, IntKind::I64, relation);
        let (boundary, samples) = (Boundary::new(space.clone()), [sample.map(Value::int).to_vec()]);
        let relabel = Relabel::learn(&space, source, &Arc::new(boundary), &samples, &mut Dice::new(0, 0))?;
        Some((space, relabel))
    }

    /// The distinct inputs of some attempts.
    fn relabelled(relabel: &mut Relabel, sample: [i64; 2]) -> BTreeSet<[Int; 2]> {
        let (mut dice, sample) = (Dice::new(1, 0), sample.map(Value::int));
        let made = (0..200).filter_map(|_| relabel.relabelled(&sample, &mut dice).0);
        made.map(|args| {
            [&args[0], &args[1]].map(|n| if let Value::Int(n) = n { n.clone() } else { panic!("{n:?}") })
        })
        .collect()
    }

    #[test]
    fn compared_scalars_keep_their_order() {
        let less = Term::Compare(CompareOp::Lt, Box::new(Term::Var(0)), Box::new(Term::Var(1)));
        let (space, mut relabel) = learned(Source::Large, less, [1, 2]).expect("two scalars");
        assert_eq!(relabel.freedom.len(), 2);
        let inputs = relabelled(&mut relabel, [1, 2]);
        assert!(inputs.len() > 100, "{inputs:?}");
        assert!(inputs.iter().all(|[a, b]| a < b));
        let far = Int::from(1_u64 << 40);
        assert!(inputs.iter().any(|[a, b]| *a > far && *b > far));
        assert!(inputs.iter().all(|pair| admits(space.spec(), &pair.clone().map(Value::Int))));
    }

    #[test]
    fn a_scalar_that_the_spec_fixes_stays() {
        let three = Term::Equal(Box::new(Term::Var(1)), Box::new(Term::Lit(Value::int(3))));
        let (_, mut relabel) = learned(Source::Boundary, three, [7, 3]).expect("one scalar");
        let inputs = relabelled(&mut relabel, [7, 3]);
        assert!(inputs.iter().all(|[_, b]| *b == Int::from(3_u32)));
        assert!(inputs.iter().any(|[a, _]| *a == Int::from(i64::MAX)));
    }

    #[test]
    fn equal_scalars_change_together() {
        let equal = Term::Equal(Box::new(Term::Var(0)), Box::new(Term::Var(1)));
        let (_, mut relabel) = learned(Source::Boundary, equal, [2, 2]).expect("two scalars");
        let inputs = relabelled(&mut relabel, [2, 2]);
        assert!(inputs.len() > 10 && inputs.iter().all(|[a, b]| a == b), "{inputs:?}");
    }

    #[test]
    fn numbers_of_narrow_ranges_are_free() {
        let least = Term::Lit(Value::int(1));
        let positive = |at| Term::Compare(CompareOp::Le, Box::new(least.clone()), Box::new(Term::Var(at)));
        let space = integers(3, IntKind::U8, Term::And((0..3).map(positive).collect()));
        let samples: Vec<Vec<Value>> = (1..9_u64).map(|n| [n, 9 - n, 1].map(Value::int).to_vec()).collect();
        for seed in 0..20 {
            let boundary = Arc::new(Boundary::new(space.clone()));
            let learned = Relabel::learn(&space, Source::Large, &boundary, &samples, &mut Dice::new(seed, 0));
            assert!(learned.is_some_and(|of| of.freedom.values().all(|of| *of == Freedom::Free)), "{seed}");
        }
    }
}
