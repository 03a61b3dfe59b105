//! The values that are compared, each by four strategies. Those by hand are what one would write for a test.

use proptest::collection::vec;
use proptest::prelude::*;
use target_strategies::logic::value::Value;
use target_strategies::space::Bounds;
use target_strategies::strategy::Members;
use workspace_tests::space_of;

/// A value of any of the kinds.
#[derive(Clone, Debug)]
pub enum Drawn {
    /// A list, or a tuple of numbers.
    List(Vec<i64>),
    /// A tree.
    Tree(Tree),
}

/// A search tree; black where colours don't matter.
#[derive(Clone, Debug)]
pub enum Tree {
    Leaf,
    Node(bool, Box<Tree>, i64, Box<Tree>),
}

use Tree::{Leaf, Node};

/// A strategy of any way of making it.
pub type Boxed = BoxedStrategy<Drawn>;

/// What is compared.
pub struct Shape {
    pub name: &'static str,
    /// What the property is that fails.
    pub failure: &'static str,
    pub fails: fn(&Drawn) -> bool,
    /// How many parts, and the numbers added up.
    pub size: fn(&Drawn) -> (usize, i64),
    /// Failures of this size at least are shrunk.
    pub start: usize,
    /// By spec, by hand, by a filter, by `prop_flat_map`.
    pub strategies: [Boxed; 4],
}

fn members(
    (fixture, crate_name): (&str, &str),
    n_params: usize,
    spec: &str,
    (depth, bound): (u32, u32),
    make: fn(&[Value]) -> Drawn,
) -> Boxed {
    let bounds = Bounds { depth, bound };
    let space = space_of(fixture, crate_name, n_params, spec, bounds);
    Members::new((**space.spec()).clone(), bounds, make, &[]).boxed()
}

fn int(value: &Value) -> i64 {
    target_strategies::child::serve::convert::as_i64(value)
}

fn size(drawn: &Drawn) -> (usize, i64) {
    match drawn {
        Drawn::List(list) => (list.len(), list.iter().map(|n| n.abs()).sum()),
        Drawn::Tree(tree) => {
            let mut keys = Vec::new();
            in_order(tree, &mut keys);
            (keys.len(), keys.iter().map(|k| k.abs()).sum())
        }
    }
}

fn list(drawn: &Drawn) -> &[i64] {
    match drawn {
        Drawn::List(list) => list,
        Drawn::Tree(_) => &[],
    }
}

/// `(r1, r2, s)` with `0 <= s < r1`.
pub fn triples() -> Shape {
    let triple = |(r1, r2, s)| Drawn::List(vec![r1, r2, s]);
    let make = |args: &[Value]| Drawn::List(vec![int(&args[0]), int(&args[1]), int(&args[2])]);
    let positive = || 1..=100_i64;
    Shape {
        name: "triples `0 <= s < r1`",
        failure: "`s > 10`, of triples",
        fails: |drawn| list(drawn)[2] > 10,
        size,
        start: 0,
        strategies: [
            members(("scores", "scores"), 3, "fn(r1: Pos, r2: Pos, s: Rng(r1))", (4, 100), make),
            (positive(), positive(), any::<prop::sample::Index>())
                .prop_map(move |(r1, r2, at)| triple((r1, r2, at.index(r1 as usize) as i64)))
                .boxed(),
            (positive(), positive(), 0..100_i64)
                .prop_filter("s < r1", |(r1, _, s)| s < r1)
                .prop_map(triple)
                .boxed(),
            (positive(), positive())
                .prop_flat_map(|(r1, r2)| (Just(r1), Just(r2), 0..r1))
                .prop_map(triple)
                .boxed(),
        ],
    }
}

/// Lists in order.
pub fn lists() -> Shape {
    let make = |args: &[Value]| {
        Drawn::List(target_strategies::child::serve::convert::elements(&args[0]).iter().map(int).collect())
    };
    let numbers = || vec(0..=20_i64, 0..=6);
    let is_sorted = |list: &Vec<i64>| list.is_sorted();
    Shape {
        name: "sorted lists",
        failure: "two neighbours more than 5 apart, of sorted lists",
        fails: |drawn| list(drawn).windows(2).any(|pair| pair[1] - pair[0] > 5),
        size,
        start: 5,
        strategies: [
            members(("scores", "scores"), 1, "fn(xs: Sorted<Score>)", (6, 20), make),
            numbers()
                .prop_map(|mut list| {
                    list.sort();
                    Drawn::List(list)
                })
                .boxed(),
            numbers().prop_filter("sorted", is_sorted).prop_map(Drawn::List).boxed(),
            (0..=6_usize).prop_flat_map(|n| sorted_from(0, n)).prop_map(Drawn::List).boxed(),
        ],
    }
}

fn sorted_from(least: i64, n: usize) -> BoxedStrategy<Vec<i64>> {
    if n == 0 {
        return Just(Vec::new()).boxed();
    }
    let rest = move |first: i64| sorted_from(first, n - 1).prop_map(move |rest| [vec![first], rest].concat());
    (least..=20).prop_flat_map(rest).boxed()
}

/// Search trees.
pub fn search_trees() -> Shape {
    let make = |args: &[Value]| Drawn::Tree(search_tree(&args[0]));
    Shape {
        name: "search trees",
        failure: "a left and a right child, of search trees",
        fails: has_two_children,
        size,
        start: 5,
        strategies: [
            members(("trees", "ordered_trees"), 1, "fn(t: Search<i64>)", (4, 4), make),
            vec(-4..=4_i64, 0..=9)
                .prop_map(|keys| Drawn::Tree(keys.into_iter().fold(Leaf, inserted)))
                .boxed(),
            any_tree(Just(false)).prop_filter("in order", is_in_order).prop_map(Drawn::Tree).boxed(),
            search_tree_between(-4, 4, 4).prop_map(Drawn::Tree).boxed(),
        ],
    }
}

/// Red-black trees.
pub fn red_black_trees() -> Shape {
    let make = |args: &[Value]| Drawn::Tree(red_black_tree(&args[0]));
    let is_ok = |tree: &Tree| is_in_order(tree) && black_height(tree).is_some();
    Shape {
        name: "red-black trees",
        failure: "a left and a right child, of red-black trees",
        fails: has_two_children,
        size,
        start: 5,
        strategies: [
            members(("trees", "ordered_trees"), 1, "fn(t: OkTree)", (4, 4), make),
            vec(-4..=4_i64, 0..=9)
                .prop_map(|keys| Drawn::Tree(keys.into_iter().fold(Leaf, balanced_in)))
                .boxed(),
            any_tree(any::<bool>()).prop_filter("red-black", is_ok).prop_map(Drawn::Tree).boxed(),
            (0..=2_u32, any::<bool>())
                .prop_flat_map(|(height, may_be_red)| red_black_between(-4, 4, height, may_be_red))
                .prop_filter_map("enough room", |tree| tree.map(Drawn::Tree))
                .boxed(),
        ],
    }
}

fn has_two_children(drawn: &Drawn) -> bool {
    fn has(tree: &Tree) -> bool {
        match tree {
            Leaf => false,
            Node(_, l, _, r) => !matches!((&**l, &**r), (Leaf, _) | (_, Leaf)) || has(l) || has(r),
        }
    }
    matches!(drawn, Drawn::Tree(tree) if has(tree))
}

fn search_tree(value: &Value) -> Tree {
    match target_strategies::child::serve::convert::fields(value) {
        (1, [l, k, r]) => node(false, search_tree(l), int(k), search_tree(r)),
        _ => Leaf,
    }
}

fn red_black_tree(value: &Value) -> Tree {
    match target_strategies::child::serve::convert::fields(value) {
        (1, [c, l, k, r]) => {
            let is_red = target_strategies::child::serve::convert::fields(c).0 == 0;
            node(is_red, red_black_tree(l), int(k), red_black_tree(r))
        }
        _ => Leaf,
    }
}

fn node(is_red: bool, l: Tree, k: i64, r: Tree) -> Tree {
    Node(is_red, Box::new(l), k, Box::new(r))
}

fn in_order(tree: &Tree, keys: &mut Vec<i64>) {
    if let Node(_, l, k, r) = tree {
        in_order(l, keys);
        keys.push(*k);
        in_order(r, keys);
    }
}

fn is_in_order(tree: &Tree) -> bool {
    let mut keys = Vec::new();
    in_order(tree, &mut keys);
    keys.is_sorted_by(|a, b| a < b)
}

fn black_height(tree: &Tree) -> Option<u32> {
    let Node(is_red, l, _, r) = tree else { return Some(0) };
    let red = |tree: &Tree| matches!(tree, Node(true, ..));
    let (left, right) = (black_height(l)?, black_height(r)?);
    (left == right && !(*is_red && (red(l) || red(r)))).then_some(left + u32::from(!is_red))
}

fn inserted(tree: Tree, key: i64) -> Tree {
    match tree {
        Leaf => node(false, Leaf, key, Leaf),
        Node(c, l, k, r) if key < k => Node(c, Box::new(inserted(*l, key)), k, r),
        Node(c, l, k, r) if key > k => Node(c, l, k, Box::new(inserted(*r, key))),
        same => same,
    }
}

/// Okasaki's insertion.
fn balanced_in(tree: Tree, key: i64) -> Tree {
    fn below(tree: Tree, key: i64) -> Tree {
        match tree {
            Leaf => node(true, Leaf, key, Leaf),
            Node(c, l, k, r) if key < k => balance(c, below(*l, key), k, *r),
            Node(c, l, k, r) if key > k => balance(c, *l, k, below(*r, key)),
            same => same,
        }
    }
    match below(tree, key) {
        Leaf => Leaf,
        Node(_, l, k, r) => Node(false, l, k, r),
    }
}

fn balance(is_red: bool, l: Tree, k: i64, r: Tree) -> Tree {
    let turned = |a, x, b, y, c, z, d| node(true, node(false, a, x, b), y, node(false, c, z, d));
    match (is_red, l, r) {
        (false, Node(true, ll, x, lr), r) => match (*ll, *lr) {
            (Node(true, a, w, b), c) => turned(*a, w, *b, x, c, k, r),
            (a, Node(true, b, y, c)) => turned(a, x, *b, y, *c, k, r),
            (a, b) => node(false, node(true, a, x, b), k, r),
        },
        (false, l, Node(true, rl, z, rr)) => match (*rl, *rr) {
            (Node(true, b, y, c), d) => turned(l, k, *b, y, *c, z, d),
            (b, Node(true, c, y, d)) => turned(l, k, b, z, *c, y, *d),
            (b, c) => node(false, l, k, node(true, b, z, c)),
        },
        (is_red, l, r) => node(is_red, l, k, r),
    }
}

fn any_tree(color: impl Strategy<Value = bool> + Clone + 'static) -> impl Strategy<Value = Tree> {
    Just(Leaf).prop_recursive(4, 9, 2, move |inner| {
        (color.clone(), inner.clone(), -4..=4_i64, inner).prop_map(|(c, l, k, r)| node(c, l, k, r))
    })
}

fn search_tree_between(least: i64, greatest: i64, depth: u32) -> BoxedStrategy<Tree> {
    if least > greatest || depth == 0 {
        return Just(Leaf).boxed();
    }
    let split = (least..=greatest).prop_flat_map(move |k| {
        let l = search_tree_between(least, k - 1, depth - 1);
        let r = search_tree_between(k + 1, greatest, depth - 1);
        (l, Just(k), r).prop_map(|(l, k, r)| node(false, l, k, r))
    });
    prop_oneof![Just(Leaf), split].boxed()
}

/// None where the keys don't suffice.
fn red_black_between(
    least: i64,
    greatest: i64,
    height: u32,
    may_be_red: bool,
) -> BoxedStrategy<Option<Tree>> {
    let leaf = if height == 0 { Some(Leaf) } else { None };
    if least > greatest || (height == 0 && !may_be_red) {
        return Just(leaf).boxed();
    }
    let branch = move |is_red: bool| {
        (least..=greatest).prop_flat_map(move |k| {
            let below = if is_red { height } else { height - 1 };
            let l = red_black_between(least, k - 1, below, !is_red);
            let r = red_black_between(k + 1, greatest, below, !is_red);
            (l, r).prop_map(move |(l, r)| Some(node(is_red, l?, k, r?)))
        })
    };
    match (height, may_be_red) {
        (0, _) => prop_oneof![Just(leaf), branch(true)].boxed(),
        (_, true) => prop_oneof![branch(false), branch(true)].boxed(),
        (_, false) => branch(false).boxed(),
    }
}
