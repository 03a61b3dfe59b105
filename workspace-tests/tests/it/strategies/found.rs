mod strategies;

use ordered_trees::rbtree::{Color, Tree, insert};
use proptest::prelude::*;
use proptest::property_test;
use proptest::test_runner::{FileFailurePersistence, RngSeed};
use strategies::{OkTree, ok_tree, rbtree_insert_args};

/// The black height, if the tree has no red child of a red node and as many black nodes on each path.
fn height(t: &Tree<i64>) -> Option<usize> {
    let Tree::Node(color, l, _, r) = t else { return Some(0) };
    let is_red = |t: &Tree<i64>| matches!(t, Tree::Node(Color::Red, ..));
    let (left, right) = (height(l)?, height(r)?);
    let is_sound = left == right && (*color == Color::Black || !is_red(l) && !is_red(r));
    is_sound.then_some(left + usize::from(*color == Color::Black))
}

fn in_order(t: &Tree<i64>, keys: &mut Vec<i64>) {
    if let Tree::Node(_, l, k, r) = t {
        in_order(l, keys);
        keys.push(*k);
        in_order(r, keys);
    }
}

fn is_ok(t: &Tree<i64>) -> bool {
    let mut keys = Vec::new();
    in_order(t, &mut keys);
    height(t).is_some() && keys.is_sorted_by(|a, b| a < b)
}

fn n_nodes(t: &Tree<i64>) -> usize {
    let mut keys = Vec::new();
    in_order(t, &mut keys);
    keys.len()
}

/// A single reject ends the run.
fn strict() -> ProptestConfig {
    let persistence = FileFailurePersistence::WithSource("regressions");
    ProptestConfig {
        cases: 500,
        max_local_rejects: 0,
        max_global_rejects: 0,
        failure_persistence: Some(Box::new(persistence)),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(strict())]

    #[test]
    fn insertion_keeps_trees_sound((k, t) in rbtree_insert_args()) {
        prop_assert!(is_ok(&t));
        let n = n_nodes(&t);
        prop_assert!(is_ok(&insert(k, t)), "of {n} nodes");
    }

    #[test]
    fn a_newtype_has_an_arbitrary(OkTree(t) in any::<OkTree>(), k in -5..5_i64) {
        let n = n_nodes(&t);
        prop_assert!(is_ok(&insert(k, t)), "of {n} nodes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { fork: true, ..strict() })]

    #[test]
    fn processes_of_their_own((k, t) in rbtree_insert_args()) {
        let n = n_nodes(&t);
        prop_assert!(is_ok(&insert(k, t)), "of {n} nodes");
    }
}

/// By proptest-derive: a strategy of a field, and a field of a type with an `Arbitrary`.
#[derive(Debug, proptest_derive::Arbitrary)]
struct Derived {
    #[proptest(strategy = "ok_tree()")]
    tree: Tree<i64>,
    other: OkTree,
}

/// By test-strategy, where a field may depend on others.
#[derive(Debug, test_strategy::Arbitrary)]
struct Dependent {
    #[strategy(ok_tree())]
    tree: Tree<i64>,
    #[strategy(0..=n_nodes(&#tree))]
    index: usize,
    other: OkTree,
}

proptest! {
    #[test]
    fn a_derive_takes_strategies(Derived { tree, other } in any::<Derived>()) {
        prop_assert!(is_ok(&tree) && is_ok(&other.0));
    }
}

#[test_strategy::proptest]
fn another_derive_and_attribute_take_them(it: Dependent, #[strategy(rbtree_insert_args())] args: (i64, Tree<i64>)) {
    prop_assert!(is_ok(&it.tree) && it.index <= n_nodes(&it.tree) && is_ok(&it.other.0) && is_ok(&args.1));
}

#[property_test(config = strict())]
fn attributes_work(#[strategy = rbtree_insert_args()] args: (i64, Tree<i64>)) {
    let (k, t) = args;
    let n = n_nodes(&t);
    prop_assert!(is_ok(&insert(k, t)), "of {n} nodes");
}

#[test]
fn tables_are_of_all_members() {
    for t in ok_tree().within(3, 3).all() {
        assert!(is_ok(&t));
        let n = n_nodes(&t);
        (-3..=3).for_each(|k| assert!(is_ok(&insert(k, t.clone())), "of {n} nodes"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..strict() })]

    #[test]
    fn a_rare_key((k, _) in rbtree_insert_args()) {
        prop_assert!(k != 424_242, "the rare key");
    }
}

/// As one writes it without a spec.
fn any_tree() -> impl Strategy<Value = Tree<i64>> {
    Just(Tree::Leaf).prop_recursive(4, 16, 2, |inner| {
        let color = prop_oneof![Just(Color::Red), Just(Color::Black)];
        (color, inner.clone(), -4..4_i64, inner)
            .prop_map(|(c, l, k, r)| Tree::Node(c, Box::new(l), k, Box::new(r)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn filtering_gives_up(t in any_tree().prop_filter("sound", |t| n_nodes(t) > 2 && is_ok(t))) {
        prop_assert!(is_ok(&t));
    }
}
