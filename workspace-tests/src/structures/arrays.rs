//! Heaps in arrays, and ordered lists beside an element.

use target_strategies::child::serve::convert::{as_i64, as_usize, elements, fields, parts};
use target_strategies::logic::value::Value;
use target_strategies::space::{Bounds, Space};

use super::Structure;
use crate::space_in;

/// Korat's `HeapArray`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heap {
    /// How many cells are in use, from the first on.
    pub size: usize,
    /// The cells; one that is not in use holds -1.
    pub array: Vec<i64>,
}

/// Heaps of at most `n` numbers in at most `n` cells, the numbers in `0..=n`.
#[derive(Debug)]
pub struct Heaps;

impl Structure for Heaps {
    type Owned = Heap;

    const NAME: &'static str = "heaps in arrays";

    fn space(n: u32) -> Space {
        space_in("arrays", "arrays", "fn(h: OkHeap)", Bounds { depth: n, bound: n })
    }

    fn each(n: u32, found: &mut dyn FnMut(Heap)) {
        for len in 0..=n as usize {
            for size in 0..=len {
                heaps(0, size, i64::from(n), &mut vec![-1; len], found);
            }
        }
    }

    fn owned(args: &[Value]) -> Heap {
        let (_, f) = fields(&args[0]);
        Heap { size: as_usize(&f[0]), array: elements(&f[1]).iter().map(as_i64).collect() }
    }
}

/// Fills the cells from `at` to before `size`, none greater than its parent.
fn heaps(at: usize, size: usize, greatest: i64, cells: &mut Vec<i64>, found: &mut dyn FnMut(Heap)) {
    if at == size {
        return found(Heap { size, array: cells.clone() });
    }
    let limit = if at == 0 { greatest } else { cells[(at - 1) / 2] };
    for x in 0..=limit {
        cells[at] = x;
        heaps(at + 1, size, greatest, cells, found);
    }
    cells[at] = -1;
}

/// A number below `n`, and an ascending list of `n` numbers below `n`.
#[derive(Debug)]
pub struct SortedLists;

impl Structure for SortedLists {
    type Owned = (i64, Vec<i64>);

    const NAME: &'static str = "ordered lists and an element";

    fn space(n: u32) -> Space {
        let digit = format!("{{x: i64 | 0 <= x && x < {n}}}");
        let list = format!("{{v: Vec<{digit}> | v.len() == {n} && v.is_sorted()}}");
        space_in("scores", "scores", &format!("fn(p: ({digit}, {list}))"), Bounds { depth: n, bound: n })
    }

    fn each(n: u32, found: &mut dyn FnMut((i64, Vec<i64>))) {
        let list = &mut Vec::with_capacity(n as usize);
        for x in 0..i64::from(n) {
            ascending(0, n as usize, i64::from(n), list, &mut |list| found((x, list.to_vec())));
        }
    }

    fn owned(args: &[Value]) -> (i64, Vec<i64>) {
        let parts = parts(&args[0]);
        (as_i64(&parts[0]), elements(&parts[1]).iter().map(as_i64).collect())
    }
}

/// The ascending lists that begin with `list` and go on with so many numbers from `least` to before `end`.
fn ascending(least: i64, missing: usize, end: i64, list: &mut Vec<i64>, found: &mut dyn FnMut(&[i64])) {
    if missing == 0 {
        return found(list);
    }
    for x in least..end {
        list.push(x);
        ascending(x, missing - 1, end, list, found);
        list.pop();
    }
}
