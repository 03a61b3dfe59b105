//! Generators for `arrays`, written by hand. A build has one feature, and races on its bug.

#![allow(dead_code, unused_imports, reason = "a build has one bug, and all generators")]

use arrays::{Graph, HeapArray, Interval, IntervalSet, RingBuffer};
use contest::proptest::collection::vec;
use contest::proptest::prelude::*;
use contest::{Built, Parts, race_built};

mod heaps {
    use super::*;

    type Input = (HeapArray, i64);

    /// The numbers sifted up, and some free cells.
    fn build((xs, _, free, x, _): Built) -> Input {
        let mut array = Vec::new();
        for x in xs {
            let mut at: usize = array.len();
            array.push(x);
            while at > 0 && array[(at - 1) / 2] < array[at] {
                array.swap(at, (at - 1) / 2);
                at = (at - 1) / 2;
            }
        }
        let size = array.len();
        array.resize(size + free as usize, -1);
        (HeapArray { size, array }, x)
    }

    fn is_valid(h: &HeapArray) -> bool {
        h.size <= h.array.len()
            && (0..h.array.len()).all(|i| {
                if i < h.size {
                    h.array[i] >= 0 && (i == 0 || h.array[i] <= h.array[(i - 1) / 2])
                } else {
                    h.array[i] == -1
                }
            })
    }

    fn sorted(h: &HeapArray) -> Vec<i64> {
        let mut numbers = h.array[..h.size].to_vec();
        numbers.sort();
        numbers
    }

    pub fn extracts((mut h, _): Input) -> bool {
        let (mut expected, cells) = (sorted(&h), h.array.len());
        let max = expected.pop();
        h.extract_max() == max && is_valid(&h) && sorted(&h) == expected && h.array.len() == cells
    }

    pub fn inserts((mut h, x): Input) -> bool {
        let mut expected = [sorted(&h), vec![x]].concat();
        expected.sort();
        h.insert(x);
        is_valid(&h) && sorted(&h) == expected
    }

    pub fn contest(bug: &'static str, holds: fn(Input) -> bool) {
        let heap = (0..5_usize, vec(-1..10_i64, 0..5)).prop_map(|(size, array)| HeapArray { size, array });
        race_built(
            bug,
            (|(h, x)| is_valid(h) && *x >= 0, holds),
            Parts { xs: 0..=50, a: 0..=5, b: 0..=50, ..Parts::default() },
            build,
            (heap, 0..10_i64),
        );
    }
}

mod intervals {
    use super::*;

    type Input = (IntervalSet, i64, i64);

    fn has(set: &IntervalSet, x: i64) -> bool {
        set.intervals.iter().any(|i| i.lo <= x && x <= i.hi)
    }

    /// Intervals of some lengths, with some gaps between them.
    fn build((lengths, gaps, lo, length, start): Built) -> Input {
        let mut at = start;
        let mut intervals = Vec::new();
        for (length, gap) in lengths.into_iter().zip(gaps) {
            intervals.push(Interval { lo: at, hi: at + length });
            at += length + gap;
        }
        (IntervalSet { intervals }, lo, lo + length)
    }

    fn is_valid(set: &IntervalSet) -> bool {
        set.intervals.iter().all(|i| i.lo <= i.hi)
            && set.intervals.windows(2).all(|w| w[0].hi.saturating_add(1) < w[1].lo)
    }

    pub fn adds((set, lo, hi): Input) -> bool {
        let mut more = set.clone();
        more.add(lo, hi);
        is_valid(&more) && (-60..200).all(|x| has(&more, x) == (has(&set, x) || lo <= x && x <= hi))
    }

    pub fn removes((set, lo, hi): Input) -> bool {
        let mut less = set.clone();
        less.remove(lo, hi);
        is_valid(&less) && (-60..200).all(|x| has(&less, x) == (has(&set, x) && !(lo <= x && x <= hi)))
    }

    pub fn contest(bug: &'static str, holds: fn(Input) -> bool) {
        let interval = (-20..20_i64, -20..20_i64).prop_map(|(lo, hi)| Interval { lo, hi });
        let set = vec(interval, 0..5).prop_map(|intervals| IntervalSet { intervals });
        race_built(
            bug,
            (|(set, lo, hi)| is_valid(set) && lo <= hi, holds),
            Parts { xs: 0..=5, ys: 2..=7, most: 10, a: -30..=60, b: 0..=10, c: -30..=0 },
            build,
            (set, -20..20_i64, -20..20_i64),
        );
    }
}

mod rings {
    use super::*;

    type Input = (RingBuffer<i8>, usize);

    /// The elements from a head on, around the end, and a greater capacity.
    fn build((xs, _, free, head, more): Built) -> Input {
        let len = xs.len();
        let mut buf: Vec<Option<i8>> = xs.into_iter().map(|x| Some(x as i8)).collect();
        buf.resize(len + free as usize, None);
        let head = if buf.is_empty() { 0 } else { head as usize % buf.len() };
        buf.rotate_right(head);
        (RingBuffer { buf, head, len }, len + more as usize)
    }

    fn contents(ring: &RingBuffer<i8>) -> Vec<Option<i8>> {
        [&ring.buf[ring.head..], &ring.buf[..ring.head]].concat()
    }

    fn is_valid(ring: &RingBuffer<i8>) -> bool {
        ring.len <= ring.buf.len()
            && (ring.head < ring.buf.len() || ring.buf.is_empty() && ring.head == 0)
            && contents(ring)[..ring.len].iter().all(Option::is_some)
            && contents(ring)[ring.len..].iter().all(Option::is_none)
    }

    pub fn pops((mut ring, _): Input) -> bool {
        let (before, len, cells) = (contents(&ring), ring.len, ring.buf.len());
        let first = ring.pop();
        let skipped = usize::from(len > 0);
        first == before.first().copied().flatten()
            && is_valid(&ring)
            && ring.buf.len() == cells
            && ring.len == len - skipped
            && contents(&ring)[..ring.len] == before[skipped..len]
    }

    pub fn resizes((mut ring, capacity): Input) -> bool {
        let (before, len) = (contents(&ring), ring.len);
        ring.resize(capacity);
        is_valid(&ring)
            && ring.buf.len() == capacity
            && ring.len == len
            && contents(&ring)[..len] == before[..len]
    }

    pub fn contest(bug: &'static str, holds: fn(Input) -> bool) {
        let ring = (vec(any::<Option<i8>>(), 0..5), 0..5_usize, 0..5_usize)
            .prop_map(|(buf, head, len)| RingBuffer { buf, head, len });
        race_built(
            bug,
            (|(ring, capacity)| is_valid(ring) && ring.len <= *capacity, holds),
            Parts { xs: -100..=100, most: 20, a: 0..=5, b: 0..=30, c: 0..=20, ..Parts::default() },
            build,
            (ring, 0..9_usize),
        );
    }
}

mod graphs {
    use super::*;

    type Input = (Graph, usize, usize);

    /// As many nodes as `c` says, with edges between them.
    fn build((edges, _, start, goal, n): Built) -> Input {
        let n = n as usize;
        let mut rows = vec![Vec::new(); n];
        for edge in edges {
            let (from, to) = (edge as usize / 8 % n, edge as usize % 8 % n);
            rows[from].push(to);
        }
        for row in &mut rows {
            row.sort();
            row.dedup();
        }
        (Graph { edges: rows }, start as usize % n, goal as usize % n)
    }

    fn is_valid((g, start, goal): &Input) -> bool {
        let n = g.edges.len();
        *start < n
            && *goal < n
            && g.edges.iter().all(|row| row.iter().all(|to| *to < n) && row.windows(2).all(|w| w[0] < w[1]))
    }

    /// The length of the shortest path with at least one edge, to each node.
    fn distances(g: &Graph, start: usize) -> Vec<Option<usize>> {
        let mut found = vec![None; g.edges.len()];
        let mut layer = vec![start];
        for distance in 1..=g.edges.len() {
            let mut next = Vec::new();
            for to in layer.iter().flat_map(|from| &g.edges[*from]) {
                if found[*to].is_none() {
                    found[*to] = Some(distance);
                    next.push(*to);
                }
            }
            layer = next;
        }
        found
    }

    pub fn sorts((g, ..): Input) -> bool {
        let n = g.edges.len();
        match g.topological_sort() {
            Some(order) => {
                let mut sorted = order.clone();
                sorted.sort();
                sorted.into_iter().eq(0..n)
                    && (0..n).all(|i| g.edges[order[i]].iter().all(|to| order[i + 1..].contains(to)))
            }
            None => (0..n).any(|i| distances(&g, i)[i].is_some()),
        }
    }

    pub fn reaches((g, start, _): Input) -> bool {
        let distances = distances(&g, start);
        let expected = (0..g.edges.len()).map(|i| i == start || distances[i].is_some());
        g.reachable(start).into_iter().eq(expected)
    }

    pub fn finds((g, start, goal): Input) -> bool {
        let distance = if start == goal { Some(0) } else { distances(&g, start)[goal] };
        match g.shortest_path(start, goal) {
            Some(path) => {
                path.first() == Some(&start)
                    && path.last() == Some(&goal)
                    && path.windows(2).all(|w| g.edges[w[0]].contains(&w[1]))
                    && distance == Some(path.len() - 1)
            }
            None => distance.is_none(),
        }
    }

    pub fn contest(bug: &'static str, holds: fn(Input) -> bool) {
        let graph = vec(vec(0..5_usize, 0..5), 0..5).prop_map(|edges| Graph { edges });
        race_built(
            bug,
            (is_valid, holds),
            Parts { xs: 0..=63, most: 24, a: 0..=7, b: 0..=7, c: 1..=8, ..Parts::default() },
            build,
            (graph, 0..5_usize, 0..5_usize),
        );
    }
}

fn main() {
    #[cfg(feature = "heap-sinks-to-the-left")]
    heaps::contest("heap-sinks-to-the-left", heaps::extracts);
    #[cfg(feature = "heap-leaves-the-freed-cell")]
    heaps::contest("heap-leaves-the-freed-cell", heaps::extracts);
    #[cfg(feature = "heap-grows-by-zeros")]
    heaps::contest("heap-grows-by-zeros", heaps::inserts);
    #[cfg(feature = "intervals-stay-adjacent")]
    intervals::contest("intervals-stay-adjacent", intervals::adds);
    #[cfg(feature = "intervals-remove-one-too-few")]
    intervals::contest("intervals-remove-one-too-few", intervals::removes);
    #[cfg(feature = "intervals-forget-the-longer")]
    intervals::contest("intervals-forget-the-longer", intervals::adds);
    #[cfg(feature = "ring-pop-runs-over-the-end")]
    rings::contest("ring-pop-runs-over-the-end", rings::pops);
    #[cfg(feature = "ring-resize-keeps-the-wrap")]
    rings::contest("ring-resize-keeps-the-wrap", rings::resizes);
    #[cfg(feature = "graph-sort-sees-short-cycles-only")]
    graphs::contest("graph-sort-sees-short-cycles-only", graphs::sorts);
    #[cfg(feature = "graph-path-marks-late")]
    graphs::contest("graph-path-marks-late", graphs::finds);
    #[cfg(feature = "graph-reachable-in-one-sweep")]
    graphs::contest("graph-reachable-in-one-sweep", graphs::reaches);
}
