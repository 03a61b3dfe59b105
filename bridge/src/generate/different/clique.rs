//! The greatest set of nodes of a graph that are all connected, by branch and bound.
//!
//! Source: E. Tomita and T. Seki, *An efficient branch-and-bound algorithm for finding a maximum clique* (2003): a
//! colouring of the candidates bounds how many of them a set can have.

use target_strategies::cancel;

/// Maximum number of sets that are looked at.
const MOST_STEPS: u64 = 200_000;

/// Number of pairs that are judged between two questions whether to stop: a fraction of a millisecond.
const ASK_EVERY: u64 = 64;

/// A graph as rows of bits.
pub(super) struct Graph {
    rows: Vec<Vec<u64>>,
}

/// What is known of sets that are larger than the one found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greater {
    /// There is none.
    None,
    /// The set is as large as was wanted.
    Unasked,
    /// The search ended before all sets were looked at.
    Unknown,
    /// It was told to end.
    Stopped,
}

struct Best<'s> {
    set: Vec<usize>,
    wanted: usize,
    steps: u64,
    must_stop: &'s dyn Fn() -> bool,
    is_stopped: bool,
}

impl Best<'_> {
    /// Counts a set that is looked at; returns whether it is the last one.
    fn is_over(&mut self) -> bool {
        self.steps += 1;
        cancel::step();
        self.is_stopped |= (self.must_stop)();
        self.is_stopped || self.steps >= MOST_STEPS || self.set.len() >= self.wanted
    }
}

impl Graph {
    /// The graph of so many nodes, of which two are connected as the function says; `None` if it was told to stop.
    pub fn new(
        n: usize,
        mut is_connected: impl FnMut(usize, usize) -> bool,
        must_stop: &dyn Fn() -> bool,
    ) -> Option<Graph> {
        let mut rows = vec![vec![0; n.div_ceil(64)]; n];
        let mut n_pairs = 0_u64;
        for a in 0..n {
            for b in 0..a {
                cancel::step();
                n_pairs += 1;
                if n_pairs.is_multiple_of(ASK_EVERY) && must_stop() {
                    return None;
                }
                if is_connected(a, b) {
                    rows[a][b / 64] |= 1 << (b % 64);
                    rows[b][a / 64] |= 1 << (a % 64);
                }
            }
        }
        Some(Graph { rows })
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    /// A set that is at least as large as `start`, and has at most `wanted` nodes, and what is known of larger ones.
    pub fn greatest(
        &self,
        start: Vec<usize>,
        wanted: usize,
        must_stop: &dyn Fn() -> bool,
    ) -> (Vec<usize>, Greater) {
        let mut best = Best { set: start, wanted, steps: 0, must_stop, is_stopped: false };
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|node| self.rows[*node].iter().map(|word| word.count_ones()).sum::<u32>());
        order.reverse();
        self.expand(&mut Vec::new(), &order, &mut best);
        let greater = if best.set.len() >= wanted {
            Greater::Unasked
        } else if best.is_stopped {
            Greater::Stopped
        } else if best.steps >= MOST_STEPS {
            Greater::Unknown
        } else {
            Greater::None
        };
        (best.set, greater)
    }

    /// Tries all sets with these nodes and some of the candidates.
    fn expand(&self, set: &mut Vec<usize>, candidates: &[usize], best: &mut Best<'_>) {
        let (order, colors) = self.colored(candidates);
        for at in (0..order.len()).rev() {
            if best.is_over() || set.len() + colors[at] <= best.set.len() {
                return;
            }
            set.push(order[at]);
            let left: Vec<usize> =
                order[..at].iter().copied().filter(|other| self.has(order[at], *other)).collect();
            if left.is_empty() {
                if set.len() > best.set.len() {
                    best.set.clone_from(set);
                }
            } else {
                self.expand(set, &left, best);
            }
            set.pop();
        }
    }

    /// The candidates by colors, no two of one color connected, and the number of colors up to each.
    fn colored(&self, candidates: &[usize]) -> (Vec<usize>, Vec<usize>) {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for node in candidates {
            cancel::step();
            let free = classes.iter_mut().find(|class| class.iter().all(|other| !self.has(*node, *other)));
            match free {
                Some(class) => class.push(*node),
                None => classes.push(vec![*node]),
            }
        }
        let colors = classes.iter().enumerate().flat_map(|(color, class)| vec![color + 1; class.len()]);
        let colors = colors.collect();
        (classes.concat(), colors)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use target_strategies::cancel::{Limits, Stop, run};

    use super::*;

    #[test]
    fn the_greatest_set_equals_that_of_all_subsets() {
        let mut state = 1_u32;
        for n in 1..=12 {
            for _ in 0..20 {
                let mut random = || {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 31 == 1
                };
                let edges: Vec<Vec<bool>> = (0..n).map(|a| (0..a).map(|_| random()).collect()).collect();
                let is_clique = |bits: u32| {
                    let has = |node: usize| bits >> node & 1 == 1;
                    (0..n).all(|a| (0..a).all(|b| !has(a) || !has(b) || edges[a][b]))
                };
                let greatest =
                    (0..1_u32 << n).filter(|bits| is_clique(*bits)).map(u32::count_ones).max().unwrap_or(0);
                let graph = Graph::new(n, |a, b| edges[a][b], &|| false).expect("nothing stops it");
                let (set, greater) = graph.greatest(Vec::new(), usize::MAX, &|| false);
                assert_eq!((set.len(), greater), (greatest as usize, Greater::None));
                assert!(is_clique(set.iter().map(|node| 1 << node).sum()));
            }
        }
    }

    #[test]
    fn what_was_found_before_a_stop_is_kept() {
        // 200 triples of which no two nodes are connected: the bound by colors is of no use for some sets.
        let differs = |a: usize, b: usize| a % 199 != b % 199 && !(a * b).is_multiple_of(7);
        assert!(Graph::new(600, differs, &|| true).is_none());
        let graph = Graph::new(600, differs, &|| false).expect("nothing stops it");
        let start = vec![1, 2, 3];
        let (set, greater) = graph.greatest(start.clone(), 600, &|| true);
        assert!(set.len() >= start.len() && greater == Greater::Stopped, "{set:?} {greater:?}");
    }

    #[test]
    fn an_interrupt_ends_the_graph_and_the_search_in_it() {
        let differs = |a: usize, b: usize| a % 199 != b % 199 && !(a * b).is_multiple_of(7);
        // The limits are looked at as the computation begins, and then now and then.
        let n_looks = AtomicUsize::new(0);
        let later =
            Limits::new(move || (n_looks.fetch_add(1, Ordering::Relaxed) > 1).then_some(Stop::Interrupted));
        let ended = run(&later, || Graph::new(600, differs, &|| false).is_some());
        assert_eq!(ended, Err(Stop::Interrupted));
        let graph = Graph::new(600, differs, &|| false).expect("nothing stops it");
        let ended = run(&later, || graph.greatest(Vec::new(), 600, &|| false).1);
        assert_eq!(ended, Err(Stop::Interrupted));
    }
}
