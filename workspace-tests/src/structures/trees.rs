//! Search trees and red-black trees of the keys `1..=n`, all of them.
//!
//! While its other parts vary, a subtree is lent to the caller from the stack, so that the boxes of a tree are made once, when it
//! is complete: boxing subtrees early, and cloning them, takes twice as long.

use std::ops::RangeInclusive;

use target_strategies::child::serve::convert::{as_i64, fields, no_constructor};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};

use super::Structure;
use crate::space_in;

/// A search tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the fixture's")]
pub enum Search {
    Leaf,
    Node(Box<Search>, i64, Box<Search>),
}

/// Search trees of `n` keys.
#[derive(Debug)]
pub struct SearchTrees;

impl Structure for SearchTrees {
    type Owned = Search;

    const NAME: &'static str = "search trees";

    fn space(n: u32) -> Space {
        let tree = format!("Search<{{k: i64 | 1 <= k && k <= {n}}}>");
        let spec = format!("fn(t: {{t: {tree} | bst_size(t) == {n}}})");
        space_in("trees", "ordered_trees", &spec, Bounds { depth: n, bound: n })
    }

    fn each(n: u32, found: &mut dyn FnMut(Search)) {
        search_trees(1, i64::from(n), &mut |tree| found(tree.boxed()));
    }

    fn owned(args: &[Value]) -> Search {
        search(&args[0])
    }
}

/// A search tree whose parts are on the stack.
enum LentSearch<'a> {
    Leaf,
    Node(&'a LentSearch<'a>, i64, &'a LentSearch<'a>),
}

impl LentSearch<'_> {
    fn boxed(&self) -> Search {
        match self {
            LentSearch::Leaf => Search::Leaf,
            LentSearch::Node(l, k, r) => Search::Node(Box::new(l.boxed()), *k, Box::new(r.boxed())),
        }
    }
}

fn search_trees(first: i64, last: i64, found: &mut dyn FnMut(&LentSearch<'_>)) {
    if first > last {
        return found(&LentSearch::Leaf);
    }
    for k in first..=last {
        search_trees(first, k - 1, &mut |l| {
            search_trees(k + 1, last, &mut |r| found(&LentSearch::Node(l, k, r)));
        });
    }
}

fn search(value: &Value) -> Search {
    match fields(value) {
        (0, _) => Search::Leaf,
        (1, f) => Search::Node(Box::new(search(&f[0])), as_i64(&f[1]), Box::new(search(&f[2]))),
        (other, _) => no_constructor(other, "Bst"),
    }
}

/// The colour of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Color {
    Red,
    Black,
}

/// A red-black tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the fixture's")]
pub enum RedBlack {
    Leaf,
    Node(Color, Box<RedBlack>, i64, Box<RedBlack>),
}

/// Red-black trees of `n` keys with a black root, of any height.
#[derive(Debug)]
pub struct RedBlackTrees;

impl Structure for RedBlackTrees {
    type Owned = RedBlack;

    const NAME: &'static str = "red-black trees, black root";

    fn space(n: u32) -> Space {
        let tree = format!("Ordered<{{k: i64 | 1 <= k && k <= {n}}}>");
        let ok = "no_red_red(t) && balanced(t) && !is_red(t)";
        let spec = format!("fn(t: {{t: {tree} | {ok} && size(t) == {n}}})");
        space_in("trees", "ordered_trees", &spec, Bounds { depth: n, bound: n })
    }

    fn each(n: u32, found: &mut dyn FnMut(RedBlack)) {
        let n = i64::from(n);
        for black_height in 0..=(n + 1).ilog2() {
            red_black_trees(1, n, black_height, false, &mut |tree| found(tree.boxed()));
        }
    }

    fn owned(args: &[Value]) -> RedBlack {
        red_black(&args[0])
    }
}

/// How many keys there are in a tree with so many black nodes on each path: all numbers in this range.
pub fn n_keys(black_height: u32, may_be_red: bool) -> RangeInclusive<i64> {
    let four = 1_i64 << (2 * black_height);
    (1 << black_height) - 1..=if may_be_red { 2 * four - 1 } else { four - 1 }
}

/// A red-black tree whose parts are on the stack.
enum LentRedBlack<'a> {
    Leaf,
    Node(Color, &'a LentRedBlack<'a>, i64, &'a LentRedBlack<'a>),
}

impl LentRedBlack<'_> {
    fn boxed(&self) -> RedBlack {
        match self {
            LentRedBlack::Leaf => RedBlack::Leaf,
            LentRedBlack::Node(color, l, k, r) => {
                RedBlack::Node(*color, Box::new(l.boxed()), *k, Box::new(r.boxed()))
            }
        }
    }
}

/// The trees of `n` keys from `first` on, with so many black nodes on each path.
fn red_black_trees(
    first: i64,
    n: i64,
    black_height: u32,
    may_be_red: bool,
    found: &mut dyn FnMut(&LentRedBlack<'_>),
) {
    if n == 0 && black_height == 0 {
        return found(&LentRedBlack::Leaf);
    }
    for color in [Color::Red, Color::Black] {
        let is_black = color == Color::Black;
        if n == 0 || is_black && black_height == 0 || !is_black && !may_be_red {
            continue;
        }
        let below = black_height - u32::from(is_black);
        let (least, greatest) = n_keys(below, is_black).into_inner();
        for n_left in least.max(n - 1 - greatest)..=greatest.min(n - 1 - least) {
            let k = first + n_left;
            red_black_trees(first, n_left, below, is_black, &mut |l| {
                red_black_trees(k + 1, n - 1 - n_left, below, is_black, &mut |r| {
                    found(&LentRedBlack::Node(color, l, k, r));
                });
            });
        }
    }
}

fn red_black(value: &Value) -> RedBlack {
    match fields(value) {
        (0, _) => RedBlack::Leaf,
        (1, f) => {
            let color = match fields(&f[0]) {
                (0, _) => Color::Red,
                (1, _) => Color::Black,
                (other, _) => no_constructor(other, "Color"),
            };
            RedBlack::Node(color, Box::new(red_black(&f[1])), as_i64(&f[2]), Box::new(red_black(&f[3])))
        }
        (other, _) => no_constructor(other, "Tree"),
    }
}
