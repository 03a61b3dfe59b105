//! Valid trees, tries and forests, and what operations on them must keep.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::buggy;
use crate::subjects::*;

use leftist::Heap;

pub fn heap(keys: Vec<i32>) -> Heap<i32> {
    keys.into_iter().fold(Heap::Empty, |h, k| {
        leftist::merge(h, Heap::Node(1, k, Box::new(Heap::Empty), Box::new(Heap::Empty)))
    })
}

pub fn items(h: &Heap<i32>) -> Vec<i32> {
    match h {
        Heap::Empty => vec![],
        Heap::Node(_, k, l, r) => {
            let mut v = [items(l), vec![*k], items(r)].concat();
            v.sort();
            v
        }
    }
}

pub fn rank(h: &Heap<i32>) -> u32 {
    match h {
        Heap::Empty => 0,
        Heap::Node(n, ..) => *n,
    }
}

pub fn is_leftist(h: &Heap<i32>) -> bool {
    let Heap::Node(n, k, l, r) = h else { return true };
    let above = |h: &Heap<i32>| match h {
        Heap::Empty => true,
        Heap::Node(_, x, ..) => k <= x,
    };
    *n == 1 + rank(r) && rank(r) <= rank(l) && above(l) && above(r) && is_leftist(l) && is_leftist(r)
}

/// Keys merged one by one, or trees of heaps: merges of two heaps, so that both sides grow.
pub fn heaps() -> impl Strategy<Value = Heap<i32>> {
    let one = vec(-20..20_i32, 0..20).prop_map(heap);
    let two = (vec(-20..20_i32, 0..10), vec(-20..20_i32, 0..10))
        .prop_map(|(a, b)| leftist::merge(heap(a), heap(b)));
    prop_oneof![one, two]
}

pub fn merge(bug: (Heap<i32>, Heap<i32>)) -> bool {
    let (a, b) = bug;
    let mut expected = [items(&a), items(&b)].concat();
    expected.sort();
    let v = buggy(|| leftist::merge(a, b));
    is_leftist(&v) && items(&v) == expected
}

pub fn remove((h, k): (Heap<i32>, i32)) -> bool {
    let mut expected = items(&h);
    if let Some(at) = expected.iter().position(|x| *x == k) {
        expected.remove(at);
    }
    let v = buggy(|| leftist::remove(h, &k));
    is_leftist(&v) && items(&v) == expected
}

use trie::Trie;

pub fn words(t: &Trie) -> Vec<Vec<u8>> {
    let mut all = if t.word { vec![vec![]] } else { vec![] };
    for (b, child) in &t.next {
        all.extend(words(child).into_iter().map(|w| [vec![*b], w].concat()));
    }
    all
}

pub fn is_trie(t: &Trie) -> bool {
    t.next.windows(2).all(|w| w[0].0 < w[1].0)
        && t.next.iter().all(|(_, c)| is_trie(c) && (c.word || !c.next.is_empty()))
}

pub fn trie_remove((mut t, word): (Trie, Vec<u8>)) -> bool {
    let before = words(&t);
    let found = buggy(|| t.remove(&word));
    let expected: Vec<_> = before.iter().filter(|w| **w != word).cloned().collect();
    found == before.contains(&word) && is_trie(&t) && words(&t) == expected
}

pub fn tries() -> impl Strategy<Value = (Trie, Vec<u8>)> {
    let word = || vec(b'a'..=b'c', 0..6);
    (vec(word(), 0..12), word(), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(ws, other, i, known)| {
            let mut t = Trie::default();
            ws.iter().for_each(|w| t.insert(w));
            let word = if known && !ws.is_empty() { i.get(&ws).clone() } else { other };
            (t, word)
        },
    )
}

use segtree::MaxTree;

pub fn max_set((xs, i, x): (Vec<i32>, usize, i32)) -> bool {
    let mut t = MaxTree::new(&xs);
    let mut expected = xs;
    expected[i] = x;
    buggy(|| t.set(i, x));
    t == MaxTree::new(&expected)
}

pub fn max_of((xs, a, b): (Vec<i32>, usize, usize)) -> bool {
    let t = MaxTree::new(&xs);
    buggy(|| t.max(a, b)) == *xs[a..b].iter().max().expect("ranges are not empty")
}

use groups::Groups;

pub fn rep(g: &Groups, mut i: usize) -> Option<usize> {
    for _ in 0..=g.links.len() {
        match usize::try_from(*g.links.get(i)?) {
            Err(_) => return Some(i),
            Ok(next) => i = next,
        }
    }
    None
}

pub fn is_groups(g: &Groups) -> bool {
    let reps: Vec<_> = (0..g.links.len()).map(|i| rep(g, i)).collect();
    reps.iter().all(Option::is_some)
        && (0..g.links.len()).all(|i| {
            g.links[i] >= 0 || -g.links[i] as usize == reps.iter().filter(|r| **r == Some(i)).count()
        })
}

pub fn union((mut g, a, b): (Groups, usize, usize)) -> bool {
    let n = g.links.len();
    let old: Vec<_> = (0..n).map(|i| rep(&g, i).expect("links lead to a root")).collect();
    let two = buggy(|| g.union(a, b));
    if g.links.len() != n || !is_groups(&g) || two != (old[a] != old[b]) {
        return false;
    }
    let to = rep(&g, a).expect("links lead to a root");
    (to == old[a] || to == old[b])
        && (0..n).all(|i| rep(&g, i) == Some(if old[i] == old[a] || old[i] == old[b] { to } else { old[i] }))
}

pub fn unions() -> impl Strategy<Value = (Groups, usize, usize)> {
    let joined = (1..20_usize).prop_flat_map(|n| (Just(n), vec((0..n, 0..n), 0..20), 0..n, 0..n)).prop_map(
        |(n, pairs, a, b)| {
            let mut g = Groups { links: vec![-1; n] };
            pairs.into_iter().for_each(|(a, b)| _ = g.union(a, b));
            (g, a, b)
        },
    );
    // Any forest: each one of the shuffled members is a root, or has an earlier one as its parent.
    let forest = (1..20_usize)
        .prop_flat_map(|n| {
            let parent = prop::option::weighted(0.7, any::<prop::sample::Index>());
            (Just((0..n).collect::<Vec<_>>()).prop_shuffle(), vec(parent, n), 0..n, 0..n)
        })
        .prop_map(|(members, parents, a, b)| {
            let mut g = Groups { links: vec![-1; members.len()] };
            for (i, parent) in parents.into_iter().enumerate().skip(1) {
                if let Some(parent) = parent {
                    let root = rep(&g, members[parent.index(i)]).expect("links lead to a root");
                    g.links[root] -= 1;
                    g.links[members[i]] = members[parent.index(i)] as i32;
                }
            }
            (g, a, b)
        });
    prop_oneof![joined, forest]
}
