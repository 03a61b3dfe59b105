//! Valid numbers, texts, buffers and lists, and what functions of them must keep.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::subjects::*;
use crate::{among, buggy};

use poly::Poly;

pub fn polys() -> impl Strategy<Value = Poly> {
    let coef = prop_oneof![3 => -3..=3_i64, 1 => -1000..=1000_i64].prop_filter("0", |c| *c != 0);
    prop::collection::btree_map(0..12_u32, coef, 0..8)
        .prop_map(|m| Poly { terms: m.into_iter().rev().collect() })
}

pub fn expected(terms: impl Iterator<Item = (u32, i64)>) -> Poly {
    let mut m = BTreeMap::new();
    terms.for_each(|(e, c)| *m.entry(e).or_insert(0) += c);
    Poly { terms: m.into_iter().rev().filter(|t| t.1 != 0).collect() }
}

pub fn poly_add((a, b): (Poly, Poly)) -> bool {
    let e = expected(a.terms.iter().chain(&b.terms).copied());
    buggy(|| poly::add(&a, &b)) == e
}

pub fn poly_mul((a, b): (Poly, Poly)) -> bool {
    let e = expected(a.terms.iter().flat_map(|s| b.terms.iter().map(move |t| (s.0 + t.0, s.1 * t.1))));
    buggy(|| poly::mul(&a, &b)) == e
}

use bignum::Big;

pub fn limb() -> impl Strategy<Value = u32> {
    prop_oneof![3 => any::<u32>(), 1 => Just(0), 2 => Just(u32::MAX), 1 => 0..3_u32, 1 => Just(1 << 31)]
}

pub fn big(mut limbs: Vec<u32>) -> Big {
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    Big { limbs }
}

pub fn bigs() -> impl Strategy<Value = Big> {
    vec(limb(), 0..8).prop_map(big)
}

/// The greater one first. Some have their upper limbs in common.
pub fn ordered_bigs() -> impl Strategy<Value = (Big, Big)> {
    let pair = prop_oneof![
        (bigs(), bigs()),
        (vec(limb(), 0..4), vec(limb(), 0..4), vec(limb(), 0..4))
            .prop_map(|(a, b, top)| (big([a, top.clone()].concat()), big([b, top].concat()))),
    ];
    pair.prop_map(|(a, b)| {
        let less = a
            .limbs
            .len()
            .cmp(&b.limbs.len())
            .then_with(|| a.limbs.iter().rev().cmp(b.limbs.iter().rev()))
            .is_lt();
        if less {
            (b, a)
        } else {
            (a, b)
        }
    })
}

/// Digit by digit, to the base of 2^16: another algorithm.
pub fn sum(a: &Big, b: &Big) -> Big {
    let digits = |x: &Big| x.limbs.iter().flat_map(|l| [l & 0xffff, l >> 16]).collect::<Vec<u32>>();
    let (a, b) = (digits(a), digits(b));
    let mut out = Vec::new();
    let mut carry = 0;
    for i in 0..a.len().max(b.len()) + 2 {
        let s = a.get(i).unwrap_or(&0) + b.get(i).unwrap_or(&0) + carry;
        out.push(s & 0xffff);
        carry = s >> 16;
    }
    big(out.chunks(2).map(|w| w[0] | w.get(1).unwrap_or(&0) << 16).collect())
}

use gap::Gap;

pub fn text(g: &Gap) -> Vec<u8> {
    [&g.cells[..g.start], &g.cells[g.end..]].concat()
}

pub fn gap_insert((mut g, at, new): (Gap, usize, Vec<u8>)) -> bool {
    let old = text(&g);
    buggy(|| g.insert(at, &new));
    g.start <= g.end
        && g.end <= g.cells.len()
        && g.start == at + new.len()
        && text(&g) == [&old[..at], &new, &old[at..]].concat()
}

pub fn gaps() -> impl Strategy<Value = (Gap, usize, Vec<u8>)> {
    let byte = || b'a'..=b'z';
    (vec(byte(), 0..12), 0..8_usize, vec(byte(), 0..12)).prop_flat_map(move |(before, gap, after)| {
        let n = before.len() + after.len();
        let (start, end) = (before.len(), before.len() + gap);
        let cells = [before, vec![0; gap], after].concat();
        (Just(Gap { cells, start, end }), 0..=n, vec(byte(), 0..20))
    })
}

use lru::Lru;

pub fn put((mut c, k, x): (Lru, u8, i32)) -> bool {
    let old = c.clone();
    let gone = buggy(|| c.put(k, x));
    let mut order = old.order.clone();
    let mut values = old.values.clone();
    let mut expected = None;
    if old.values.contains_key(&k) {
        order.retain(|key| *key != k);
    } else if order.len() == old.room {
        let oldest = order.remove(0);
        expected = values.remove(&oldest).map(|x| (oldest, x));
    }
    order.push(k);
    values.insert(k, x);
    gone == expected && c == Lru { room: old.room, order, values }
}

pub fn caches() -> impl Strategy<Value = (Lru, u8, i32)> {
    (1..10_usize, vec((0..12_u8, -50..50_i32), 0..20), 0..12_u8, -50..50_i32).prop_map(
        |(room, puts, k, x)| {
            let mut c = Lru { room, order: vec![], values: BTreeMap::new() };
            puts.into_iter().for_each(|(k, x)| _ = c.put(k, x));
            (c, k, x)
        },
    )
}

use sched::Job;

pub fn first_free((jobs, from, len): (Vec<Job>, u32, u32)) -> bool {
    let is_free = |t: u32| jobs.iter().all(|j| j.end <= t || t + len <= j.start);
    let best = jobs.iter().map(|j| j.end).chain([from]).filter(|t| *t >= from && is_free(*t)).min();
    Some(buggy(|| sched::first_free(&jobs, from, len))) == best
}

pub fn jobs() -> impl Strategy<Value = (Vec<Job>, u32, u32)> {
    let job = (0..100_u32, 1..20_u32).prop_map(|(start, n)| Job { start, end: start + n });
    (vec(job, 0..20), 0..100_u32, 1..20_u32).prop_map(|(mut jobs, from, len)| {
        jobs.sort_by_key(|j| j.start);
        (jobs, from, len)
    })
}

use bnode::Root;
use matrix::Matrix;
use money::allocate;
use ratio::Ratio;
use undo::Edit;

pub fn share((amount, weights): (i64, Vec<u32>)) -> bool {
    let v = buggy(|| allocate(amount, &weights));
    let total: i128 = weights.iter().map(|w| i128::from(*w)).sum();
    v.len() == weights.len()
        && v.iter().map(|x| i128::from(*x)).sum::<i128>() == i128::from(amount)
        && v.iter()
            .zip(&weights)
            .all(|(x, w)| (i128::from(*x) * total - i128::from(amount) * i128::from(*w)).abs() < total)
}

pub fn transpose(mut m: Matrix) -> bool {
    let old = m.clone();
    buggy(|| m.transpose());
    m.rows == old.cols
        && m.cols == old.rows
        && (0..m.rows).all(|r| (0..m.cols).all(|c| m.cells[r * m.cols + c] == old.cells[c * m.rows + r]))
}

pub fn edits(edits: Vec<Edit>) -> bool {
    // All values since the oldest one that is kept, and the position of the present one.
    let (mut line, mut at) = (std::collections::VecDeque::from([0]), 0);
    for e in &edits {
        match e {
            Edit::Set(x) => {
                line.truncate(at + 1);
                line.push_back(*x);
                at += 1;
                if at > 4 {
                    line.pop_front();
                    at -= 1;
                }
            }
            Edit::Undo => at = at.saturating_sub(1),
            Edit::Redo => at = (at + 1).min(line.len() - 1),
        }
    }
    buggy(|| undo::run(&edits)) == line[at]
}

pub fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 {
        a.abs()
    } else {
        gcd(b, a % b)
    }
}

pub fn ratio(num: i64, den: i64) -> Ratio {
    let d = gcd(num.into(), den.into()) as i64;
    Ratio { num: num / d, den: den / d }
}

pub fn ratio_add((a, b): (Ratio, Ratio)) -> bool {
    let v = buggy(|| ratio::add(&a, &b));
    let wide = i128::from;
    v.den > 0
        && gcd(v.num.into(), v.den.into()) == 1
        && wide(v.num) * wide(a.den) * wide(b.den)
            == (wide(a.num) * wide(b.den) + wide(b.num) * wide(a.den)) * wide(v.den)
}

pub fn ratios() -> impl Strategy<Value = Ratio> {
    prop_oneof![
        3 => (-12..=12_i64, 1..=12_i64),
        1 => (-1_000_000_000..=1_000_000_000_i64, 1..=1_000_000_000_i64),
    ]
    .prop_map(|(n, d)| ratio(n, d))
}

pub fn in_order(r: &Root) -> Vec<i32> {
    let mut all = r.leaves[0].clone();
    for (k, leaf) in r.keys.iter().zip(&r.leaves[1..]) {
        all.push(*k);
        all.extend(leaf);
    }
    all
}

pub fn is_root(r: &Root) -> bool {
    r.leaves.len() == r.keys.len() + 1
        && r.leaves.iter().all(|l| l.len() <= 4 && (r.keys.is_empty() || l.len() >= 2))
        && in_order(r).windows(2).all(|w| w[0] < w[1])
}

pub fn bnode_insert((mut r, k): (Root, i32)) -> bool {
    let old = in_order(&r);
    let new = buggy(|| r.insert(k));
    let mut expected = old.clone();
    if !old.contains(&k) {
        expected.push(k);
        expected.sort();
    }
    new == !old.contains(&k) && is_root(&r) && in_order(&r) == expected
}

/// Leaves of any admitted sizes, cut from sorted keys.
pub fn roots() -> impl Strategy<Value = (Root, i32)> {
    let several = vec(2..=4_usize, 2..=6);
    let sizes = prop_oneof![1 => vec(0..=4_usize, 1), 4 => several];
    sizes
        .prop_flat_map(|sizes| {
            let n = sizes.iter().sum::<usize>() + sizes.len() - 1;
            (Just(sizes), prop::sample::subsequence((-40..40_i32).collect::<Vec<_>>(), n))
        })
        .prop_flat_map(|(sizes, keys)| {
            let all: Vec<i32> = keys;
            let mut rest = all.clone().into_iter();
            let mut root = Root { keys: vec![], leaves: vec![] };
            for (i, n) in sizes.into_iter().enumerate() {
                if i > 0 {
                    root.keys.extend(rest.next());
                }
                root.leaves.push(rest.by_ref().take(n).collect());
            }
            (Just(root), among(all, -41..41))
        })
}
