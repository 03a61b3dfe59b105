//! Generators of the same structures for bolero, written by hand: each choice is made within what those before it leave, so that
//! none ends in a value that has to be thrown away.
//!
//! bolero's driver that goes through all choices is public, so it is stepped here, without bolero's test engine around it:
//! each step is the next sequence of choices, of which the generator makes a value from the first choice on.

use std::ops::Bound::Included;

use bolero_generator::Driver;
use bolero_generator::driver::{Options, exhaustive};
use workspace_tests::structures::{
    Color, Heap, Heaps, RedBlack, RedBlackTrees, RelatedIntegers, Search, SearchTrees, SortedLists,
    Structure, n_keys,
};

/// A structure that has a generator.
pub trait Dependent: Structure {
    /// One value, by the driver's choices.
    fn produce<D: Driver>(n: i64, driver: &mut D) -> Option<Self::Owned>;

    /// Calls back with each value, until one shall be the last.
    fn each_by_bolero(n: u32, is_last: &mut dyn FnMut(Self::Owned) -> bool) {
        let mut driver = exhaustive::Driver::new(&Options::default());
        while driver.step().is_continue() {
            let value = Self::produce(i64::from(n), &mut driver).expect("no choice leads nowhere");
            if is_last(value) {
                break;
            }
        }
    }
}

/// A number between two, both included.
fn between<D: Driver>(least: i64, greatest: i64, driver: &mut D) -> Option<i64> {
    driver.gen_i64(Included(&least), Included(&greatest))
}

impl Dependent for SearchTrees {
    fn produce<D: Driver>(n: i64, driver: &mut D) -> Option<Search> {
        search_tree(1, n, driver)
    }
}

fn search_tree<D: Driver>(first: i64, last: i64, driver: &mut D) -> Option<Search> {
    if first > last {
        return Some(Search::Leaf);
    }
    let k = between(first, last, driver)?;
    let l = search_tree(first, k - 1, driver)?;
    Some(Search::Node(Box::new(l), k, Box::new(search_tree(k + 1, last, driver)?)))
}

impl Dependent for RedBlackTrees {
    fn produce<D: Driver>(n: i64, driver: &mut D) -> Option<RedBlack> {
        let fits = |height: &u32| n_keys(*height, false).contains(&n);
        let heights = || (0..63 - (n + 1).leading_zeros() + 1).filter(fits).map(i64::from);
        let (least, greatest) = (heights().min()?, heights().max()?);
        let black_height = between(least, greatest, driver)? as u32;
        red_black_tree(1, n, black_height, false, driver)
    }
}

fn red_black_tree<D: Driver>(
    first: i64,
    n: i64,
    black_height: u32,
    may_be_red: bool,
    driver: &mut D,
) -> Option<RedBlack> {
    if n == 0 {
        return Some(RedBlack::Leaf);
    }
    let black = n_keys(black_height, false).contains(&n);
    // A red root has two black ones below it.
    let (least, greatest) = n_keys(black_height, false).into_inner();
    let red = may_be_red && (2 * least + 1..=2 * greatest + 1).contains(&n);
    let is_black = if black && red { driver.gen_bool(None)? } else { black };
    let below = black_height - u32::from(is_black);
    let (least, greatest) = n_keys(below, is_black).into_inner();
    let n_left = between(least.max(n - 1 - greatest), greatest.min(n - 1 - least), driver)?;
    let k = first + n_left;
    let l = red_black_tree(first, n_left, below, is_black, driver)?;
    let r = red_black_tree(k + 1, n - 1 - n_left, below, is_black, driver)?;
    let color = if is_black { Color::Black } else { Color::Red };
    Some(RedBlack::Node(color, Box::new(l), k, Box::new(r)))
}

impl Dependent for Heaps {
    fn produce<D: Driver>(n: i64, driver: &mut D) -> Option<Heap> {
        let len = between(0, n, driver)?;
        let size = between(0, len, driver)? as usize;
        let mut array = vec![-1; len as usize];
        for i in 0..size {
            let limit = if i == 0 { n } else { array[(i - 1) / 2] };
            array[i] = between(0, limit, driver)?;
        }
        Some(Heap { size, array })
    }
}

impl Dependent for SortedLists {
    fn produce<D: Driver>(n: i64, driver: &mut D) -> Option<(i64, Vec<i64>)> {
        let x = between(0, n - 1, driver)?;
        let mut list = Vec::with_capacity(n as usize);
        let mut least = 0;
        for _ in 0..n {
            least = between(least, n - 1, driver)?;
            list.push(least);
        }
        Some((x, list))
    }
}

impl Dependent for RelatedIntegers {
    fn produce<D: Driver>(n: i64, driver: &mut D) -> Option<(i64, i64, i64)> {
        let r1 = between(1, n, driver)?;
        let r2 = between(1, n, driver)?;
        Some((r1, r2, between(0, r1 - 1, driver)?))
    }
}
