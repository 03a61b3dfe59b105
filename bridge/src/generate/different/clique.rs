//! The greatest set of nodes of a graph that are all connected, by branch and bound.
//!
//! Source: E. Tomita and T. Seki, *An efficient branch-and-bound algorithm for finding a maximum clique* (2003): a
//! colouring of the candidates bounds how many of them a set can have.

use target_strategies::cancel;

/// Maximum number of sets that are looked at.
const MOST_STEPS: u64 = 200_000;

/// A graph as rows of bits.
pub(super) struct Graph {
    rows: Vec<Vec<u64>>,
}

struct Best {
    set: Vec<usize>,
    wanted: usize,
    steps: u64,
}

impl Graph {
    /// The graph of so many nodes, of which two are connected as the function says.
    pub fn new(n: usize, mut is_connected: impl FnMut(usize, usize) -> bool) -> Graph {
        let mut rows = vec![vec![0; n.div_ceil(64)]; n];
        for a in 0..n {
            for b in 0..a {
                if is_connected(a, b) {
                    rows[a][b / 64] |= 1 << (b % 64);
                    rows[b][a / 64] |= 1 << (a % 64);
                }
            }
        }
        Graph { rows }
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a][b / 64] >> (b % 64) & 1 == 1
    }

    /// A set that is at least as large as `start`, and has at most `wanted` nodes; and whether no larger one exists.
    pub fn greatest(&self, start: Vec<usize>, wanted: usize) -> (Vec<usize>, bool) {
        let mut best = Best { set: start, wanted, steps: 0 };
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|node| self.rows[*node].iter().map(|word| word.count_ones()).sum::<u32>());
        order.reverse();
        self.expand(&mut Vec::new(), &order, &mut best);
        let is_proved = best.steps < MOST_STEPS && best.set.len() < wanted;
        (best.set, is_proved)
    }

    /// Tries all sets with these nodes and some of the candidates.
    fn expand(&self, set: &mut Vec<usize>, candidates: &[usize], best: &mut Best) {
        let (order, colors) = self.colored(candidates);
        for at in (0..order.len()).rev() {
            best.steps += 1;
            cancel::step();
            let is_over = best.steps >= MOST_STEPS || best.set.len() >= best.wanted;
            if is_over || set.len() + colors[at] <= best.set.len() {
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
                let graph = Graph::new(n, |a, b| edges[a][b]);
                let (set, is_proved) = graph.greatest(Vec::new(), usize::MAX);
                assert_eq!((set.len(), is_proved), (greatest as usize, true));
                assert!(is_clique(set.iter().map(|node| 1 << node).sum()));
            }
        }
    }
}
