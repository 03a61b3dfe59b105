//! Generators for `trees`, written by hand. A build has one feature, and races on its bug.

#![allow(dead_code, unused_imports, reason = "a build has one bug, and all generators")]

use contest::proptest::prelude::*;
use contest::{Built, Parts, race_built};
use correct_trees as correct;
use ordered_trees::{Avl, Bst, Color, List, Tree, avl, bst, list, rbtree};

/// Some sixty keys, and trees of up to thirty.
fn keys() -> Parts {
    Parts { xs: -30..=30, a: -30..=30, ..Parts::default() }
}

fn is_ascending(keys: &[i64]) -> bool {
    keys.windows(2).all(|w| w[0] < w[1])
}

/// Sorted keys with one more, or one less.
fn with(mut keys: Vec<i64>, k: i64) -> Vec<i64> {
    keys.extend((!keys.contains(&k)).then_some(k));
    keys.sort();
    keys
}

fn without(mut keys: Vec<i64>, k: i64) -> Vec<i64> {
    keys.retain(|key| *key != k);
    keys
}

mod avl_trees {
    use super::*;

    fn copy(t: correct::Avl<i64>) -> Avl<i64> {
        match t {
            correct::Avl::Leaf => Avl::Leaf,
            correct::Avl::Node(l, k, r, h) => Avl::Node(copy(*l).into(), k, copy(*r).into(), h),
        }
    }

    fn build((keys, _, k, _, _): Built) -> (i64, Avl<i64>) {
        (k, copy(keys.into_iter().fold(correct::Avl::Leaf, |t, k| correct::avl::insert(k, t))))
    }

    fn quick() -> impl Strategy<Value = (i64, Avl<i64>)> {
        let tree = Just(Avl::Leaf).prop_recursive(4, 16, 2, |inner| {
            (inner.clone(), -10..10_i64, inner, 1..5_usize)
                .prop_map(|(l, k, r, h)| Avl::Node(l.into(), k, r.into(), h))
        });
        (-10..10_i64, tree)
    }

    fn in_order(t: &Avl<i64>) -> Vec<i64> {
        match t {
            Avl::Leaf => Vec::new(),
            Avl::Node(l, k, r, _) => [in_order(l), vec![*k], in_order(r)].concat(),
        }
    }

    fn height(t: &Avl<i64>) -> usize {
        match t {
            Avl::Leaf => 0,
            Avl::Node(_, _, _, h) => *h,
        }
    }

    fn is_balanced(t: &Avl<i64>) -> bool {
        let Avl::Node(l, _, r, h) = t else { return true };
        let (left, right) = (height(l), height(r));
        is_balanced(l) && is_balanced(r) && left.abs_diff(right) <= 1 && *h == 1 + left.max(right)
    }

    fn is_valid(t: &Avl<i64>) -> bool {
        is_balanced(t) && is_ascending(&in_order(t))
    }

    pub fn contest(bug: &'static str, holds: fn((i64, Avl<i64>)) -> bool) {
        race_built(bug, (|(_, t)| is_valid(t), holds), keys(), build, quick());
    }

    pub fn inserts((k, t): (i64, Avl<i64>)) -> bool {
        let expected = with(in_order(&t), k);
        let v = avl::insert(k, t);
        is_valid(&v) && in_order(&v) == expected
    }

    pub fn deletes((k, t): (i64, Avl<i64>)) -> bool {
        let expected = without(in_order(&t), k);
        let v = avl::delete(&k, t);
        is_valid(&v) && in_order(&v) == expected
    }
}

mod red_black {
    use super::*;

    fn copy(t: correct::Tree<i64>) -> Tree<i64> {
        match t {
            correct::Tree::Leaf => Tree::Leaf,
            correct::Tree::Node(c, l, k, r) => {
                let color = if c == correct::Color::Red { Color::Red } else { Color::Black };
                Tree::Node(color, copy(*l).into(), k, copy(*r).into())
            }
        }
    }

    fn build((keys, _, k, _, _): Built) -> (i64, Tree<i64>) {
        (k, copy(keys.into_iter().fold(correct::Tree::Leaf, |t, k| correct::rbtree::insert(k, t))))
    }

    fn quick() -> impl Strategy<Value = (i64, Tree<i64>)> {
        let tree = Just(Tree::Leaf).prop_recursive(4, 16, 2, |inner| {
            let color = prop_oneof![Just(Color::Red), Just(Color::Black)];
            (color, inner.clone(), -10..10_i64, inner)
                .prop_map(|(c, l, k, r)| Tree::Node(c, l.into(), k, r.into()))
        });
        (-10..10_i64, tree)
    }

    /// The black height of a tree without red children of red nodes.
    fn height(t: &Tree<i64>) -> Option<usize> {
        let Tree::Node(c, l, _, r) = t else { return Some(0) };
        let is_red = |t: &Tree<i64>| matches!(t, Tree::Node(Color::Red, ..));
        let height = height(l).filter(|left| height(r) == Some(*left))?;
        (*c == Color::Black || !is_red(l) && !is_red(r)).then_some(height + usize::from(*c == Color::Black))
    }

    fn is_valid(t: &Tree<i64>) -> bool {
        height(t).is_some() && is_ascending(&rbtree::to_vec(t))
    }

    fn is_valid_root(t: &Tree<i64>) -> bool {
        is_valid(t) && !matches!(t, Tree::Node(Color::Red, ..))
    }

    pub fn contest(bug: &'static str, holds: fn((i64, Tree<i64>)) -> bool) {
        race_built(bug, (|(_, t)| is_valid(t), holds), keys(), build, quick());
    }

    pub fn inserts((k, t): (i64, Tree<i64>)) -> bool {
        let expected = with(rbtree::to_vec(&t), k);
        let v = rbtree::insert(k, t);
        is_valid_root(&v) && rbtree::to_vec(&v) == expected
    }

    pub fn deletes((k, t): (i64, Tree<i64>)) -> bool {
        let expected = without(rbtree::to_vec(&t), k);
        let v = rbtree::delete(&k, t);
        is_valid_root(&v) && rbtree::to_vec(&v) == expected
    }
}

mod search {
    use super::*;

    pub fn tree(keys: Vec<i64>) -> Bst<i64> {
        keys.into_iter().fold(Bst::Leaf, |t, k| bst::insert(k, t))
    }

    fn any_tree() -> impl Strategy<Value = Bst<i64>> {
        Just(Bst::Leaf).prop_recursive(4, 16, 2, |inner| {
            (inner.clone(), -10..10_i64, inner).prop_map(|(l, k, r)| Bst::Node(l.into(), k, r.into()))
        })
    }

    pub fn quick() -> impl Strategy<Value = (i64, Bst<i64>)> {
        (-10..10_i64, any_tree())
    }

    pub fn quick_pair() -> impl Strategy<Value = (Bst<i64>, Bst<i64>)> {
        (any_tree(), any_tree())
    }

    pub fn in_order(t: &Bst<i64>) -> Vec<i64> {
        match t {
            Bst::Leaf => Vec::new(),
            Bst::Node(l, k, r) => [in_order(l), vec![*k], in_order(r)].concat(),
        }
    }

    pub fn deletes((k, t): (i64, Bst<i64>)) -> bool {
        let expected = without(in_order(&t), k);
        in_order(&bst::delete(&k, t)) == expected
    }

    pub fn joins((l, r): (Bst<i64>, Bst<i64>)) -> bool {
        let expected = [in_order(&l), in_order(&r)].concat();
        in_order(&bst::join(l, r)) == expected
    }
}

fn ordered(mut xs: Vec<i64>) -> List<i64> {
    xs.sort();
    xs.into_iter().rev().fold(List::Nil, |tail, head| List::Cons(head, tail.into()))
}

fn main() {
    #[cfg(feature = "list-merge-drops-equal")]
    race_built(
        "list-merge-drops-equal",
        (
            |_| true,
            |(xs, ys): (List<i64>, List<i64>)| {
                let mut expected = [list::to_vec(&xs), list::to_vec(&ys)].concat();
                expected.sort();
                list::to_vec(&list::merge(xs, ys)) == expected
            },
        ),
        Parts { xs: -30..=30, ys: -30..=30, ..Parts::default() },
        |(xs, ys, ..)| (ordered(xs), ordered(ys)),
        any::<(Vec<i64>, Vec<i64>)>().prop_map(|(xs, ys)| (ordered(xs), ordered(ys))),
    );

    #[cfg(feature = "avl-insert-rotates-once")]
    avl_trees::contest("avl-insert-rotates-once", avl_trees::inserts);
    #[cfg(feature = "avl-delete-forgets-to-rebalance")]
    avl_trees::contest("avl-delete-forgets-to-rebalance", avl_trees::deletes);
    #[cfg(feature = "avl-rotation-keeps-the-height")]
    avl_trees::contest("avl-rotation-keeps-the-height", avl_trees::deletes);
    #[cfg(feature = "rbtree-insert-misses-a-rotation")]
    red_black::contest("rbtree-insert-misses-a-rotation", red_black::inserts);
    #[cfg(feature = "rbtree-delete-forgets-to-rebalance")]
    red_black::contest("rbtree-delete-forgets-to-rebalance", red_black::deletes);
    #[cfg(feature = "rbtree-delete-keeps-the-nephew-black")]
    red_black::contest("rbtree-delete-keeps-the-nephew-black", red_black::deletes);
    #[cfg(feature = "bst-delete-repeats-the-successor")]
    race_built(
        "bst-delete-repeats-the-successor",
        (|(_, t)| is_ascending(&search::in_order(t)), search::deletes),
        keys(),
        |(keys, _, k, _, _)| (k, search::tree(keys)),
        search::quick(),
    );
    #[cfg(feature = "bst-join-loses-a-branch")]
    race_built(
        "bst-join-loses-a-branch",
        (|(l, r)| is_ascending(&[search::in_order(l), search::in_order(r)].concat()), search::joins),
        Parts { xs: -30..=-1, ys: 0..=30, ..Parts::default() },
        |(xs, ys, ..)| (search::tree(xs), search::tree(ys)),
        search::quick_pair(),
    );
}
