//! Records what cases reach in an instrumented crate, by reading the counters of rustc's `-C instrument-coverage`
//! after each case.
//!
//! The process has one thread and runs one case at a time, so the growth of its counters belongs to the case. The
//! number of runs of a piece of source text is a sum of counters, some with a negative factor. The parent knows these
//! sums and asks about them. This module knows no source text.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::c_char;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU32;

use super::page::Page;
use crate::child::protocol::{Sum, Trace};
use crate::logic::value::Value;

/// The functions of the profiler's runtime in an instrumented program.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// `__llvm_profile_begin_counters`
    pub begin: unsafe extern "C" fn() -> *mut u64,
    /// `__llvm_profile_end_counters`
    pub end: unsafe extern "C" fn() -> *mut u64,
    /// `__llvm_profile_get_size_for_buffer`
    pub size: unsafe extern "C" fn() -> u64,
    /// `__llvm_profile_write_buffer`
    pub write: unsafe extern "C" fn(*mut c_char) -> i32,
}

/// The counters in the program's memory.
#[derive(Debug)]
struct Cells {
    first: *mut u64,
    len: usize,
}

/// Records what cases reach.
#[derive(Debug)]
pub(super) struct Watch {
    cells: Cells,
    sums: Vec<Sum>,
    /// By sum: whether it was positive for some case.
    known: Vec<bool>,
    /// Growth of the counters since the last report to the parent.
    grown: Vec<u64>,
}

thread_local! {
    /// The counters that are read, with room for a copy of them.
    static READ: RefCell<Option<(Cells, Vec<u64>)>> = const { RefCell::new(None) };
}

/// Runs code of which the records of the case say nothing.
pub(super) fn unrecorded<R>(run: impl FnOnce() -> R) -> R {
    READ.with_borrow_mut(|read| {
        if let Some((cells, copy)) = read {
            cells.save(copy);
        }
    });
    let result = run();
    READ.with_borrow_mut(|read| {
        if let Some((cells, copy)) = read {
            cells.restore(copy);
        }
    });
    result
}

impl Counters {
    /// The counters that are read from now on.
    fn read(&self) -> Cells {
        let (cells, copied) = (self.cells(), self.cells());
        let room = vec![0; copied.len];
        READ.set(Some((copied, room)));
        cells
    }

    fn cells(&self) -> Cells {
        // SAFETY: both functions only tell where the program's counters are.
        let (first, end) = unsafe { ((self.begin)(), (self.end)()) };
        Cells { first, len: (end as usize - first as usize) / size_of::<u64>() }
    }

    /// A raw profile in which the value of each counter is its number, from 1.
    pub(super) fn numbered(&self) -> Vec<u8> {
        let mut cells = self.cells();
        for index in 0..cells.len {
            cells.set(index, index as u64 + 1);
        }
        // SAFETY: the buffer is as long as the runtime says.
        let (profile, result) = unsafe {
            let mut profile = vec![0_u8; (self.size)() as usize];
            let result = (self.write)(profile.as_mut_ptr().cast());
            (profile, result)
        };
        cells.clear();
        if result == 0 { profile } else { Vec::new() }
    }
}

impl Cells {
    fn get(&self, index: usize) -> u64 {
        assert!(index < self.len, "there are {} counters only", self.len);
        // SAFETY: the counters live as long as the program. Where a subject left a thread behind, that may count meanwhile:
        // the word is then read before or after, as counters are not atomic anyway.
        unsafe { self.first.add(index).read() }
    }

    fn set(&mut self, index: usize, value: u64) {
        assert!(index < self.len, "there are {} counters only", self.len);
        // SAFETY: as in `get`.
        unsafe { self.first.add(index).write(value) };
    }

    /// A sum; none is less than 0.
    fn sum(&self, sum: &Sum) -> u128 {
        let term =
            |&(counter, factor): &(u32, i64)| i128::from(self.get(counter as usize)) * i128::from(factor);
        u128::try_from(sum.iter().map(term).sum::<i128>()).unwrap_or(0)
    }

    fn is_positive(&self, sum: &Sum) -> bool {
        self.sum(sum) > 0
    }

    fn save(&self, copy: &mut [u64]) {
        copy.iter_mut().enumerate().for_each(|(index, word)| *word = self.get(index));
    }

    fn restore(&mut self, copy: &[u64]) {
        copy.iter().enumerate().for_each(|(index, word)| self.set(index, *word));
    }

    fn clear(&mut self) {
        // SAFETY: as in `get`; all of them are zeroed.
        unsafe { self.first.write_bytes(0, self.len) };
    }
}

impl Watch {
    /// Watches sums of counters, some of which are known to be reached. A sum with a counter that doesn't exist is
    /// never reached.
    pub(super) fn new(counters: Option<Counters>, sums: Vec<Sum>, known: &[u32]) -> Watch {
        let none = Cells { first: std::ptr::NonNull::dangling().as_ptr(), len: 0 };
        Watch::of(counters.map_or(none, |counters| counters.read()), sums, known)
    }

    fn of(cells: Cells, mut sums: Vec<Sum>, known: &[u32]) -> Watch {
        for sum in &mut sums {
            if sum.iter().any(|(index, _)| *index as usize >= cells.len) {
                sum.clear();
            }
        }
        let grown = vec![0; cells.len];
        let mut watch = Watch { cells, known: vec![false; sums.len()], sums, grown };
        known.iter().for_each(|index| watch.note(*index));
        watch
    }

    fn note(&mut self, index: u32) {
        if let Some(known) = self.known.get_mut(index as usize) {
            *known = true;
        }
    }

    /// Starts a case. Earlier growth belongs to no case.
    pub(super) fn begin_case(&mut self) {
        self.cells.clear();
    }

    /// Ends a case. Returns whether it reached something new. It allocates nothing, because an allocation would be
    /// charged to the cases.
    pub(super) fn end_case(&mut self) -> bool {
        for (index, grown) in self.grown.iter_mut().enumerate() {
            *grown = grown.saturating_add(self.cells.get(index));
        }
        (0..self.sums.len()).any(|index| !self.known[index] && self.is_positive(index))
    }

    /// The sums that the last case reached.
    pub(super) fn reached(&mut self) -> Vec<u32> {
        let all = (0..self.sums.len() as u32).filter(|index| self.is_positive(*index as usize));
        let reached: Vec<u32> = all.collect();
        reached.iter().for_each(|index| self.note(*index));
        reached
    }

    fn is_positive(&self, index: usize) -> bool {
        self.cells.is_positive(&self.sums[index])
    }

    /// Growth of the counters since the last call, without those that didn't grow.
    pub(super) fn take_grown(&mut self) -> Vec<(u32, u64)> {
        let grown = self.grown.iter_mut().enumerate().filter(|(_, grown)| **grown > 0);
        grown.map(|(index, grown)| (index as u32, std::mem::take(grown))).collect()
    }
}

/// Tells cases that run the same pieces of code from others.
#[derive(Debug)]
pub(super) struct Tracer {
    cells: Cells,
    sums: Vec<Sum>,
    /// How often passed cases ran each sum's piece of code: a bit for each [`about`].
    counts: Vec<u16>,
    /// The pieces of code that passed cases ran.
    known: HashSet<NonZeroU32>,
    /// The cases that the parent made.
    fed: HashSet<u64>,
    page: &'static Page,
}

/// Number of sets of pieces after which a tracer reports no further ones as new: a bound on memory.
const MOST_KNOWN: usize = 1 << 14;

/// Maximum number of cases of the parent that are remembered.
const MOST_FED: usize = 1 << 16;

impl Tracer {
    /// A tracer of these sums; those with a counter that doesn't exist are left out.
    pub(super) fn new(counters: Option<Counters>, sums: Vec<Sum>, page: &'static Page) -> Tracer {
        let none = Cells { first: std::ptr::NonNull::dangling().as_ptr(), len: 0 };
        Tracer::of(counters.map_or(none, |counters| counters.read()), sums, page)
    }

    fn of(cells: Cells, mut sums: Vec<Sum>, page: &'static Page) -> Tracer {
        sums.retain(|sum| sum.iter().all(|(counter, _)| (*counter as usize) < cells.len));
        Tracer {
            cells,
            counts: vec![0; sums.len()],
            sums,
            known: HashSet::with_capacity(MOST_KNOWN),
            fed: HashSet::with_capacity(MOST_FED),
            page,
        }
    }

    /// Whether the parent made the same case before: as a variant, of which the generator that lists members doesn't know.
    pub(super) fn is_repeated(&mut self, args: &[Value], is_fed: bool) -> bool {
        let mut hasher = DefaultHasher::new();
        args.hash(&mut hasher);
        let hash = hasher.finish();
        self.fed.contains(&hash) || is_fed && self.fed.len() < MOST_FED && !self.fed.insert(hash)
    }

    /// Starts a case.
    pub(super) fn begin_case(&mut self) {
        self.cells.clear();
    }

    /// Ends a case. Returns whether it passed, and is the first one that ran these pieces of code, or one of them so often.
    pub(super) fn end_case(&mut self, offset: u64, has_passed: bool) -> bool {
        let (mut pieces, mut counts, mut is_first, mut steps) = (FNV, FNV, false, 0_u128);
        for ((number, sum), known) in (0..).zip(&self.sums).zip(&mut self.counts) {
            let n = self.cells.sum(sum);
            let about = about(n);
            steps = steps.saturating_add(n);
            if about > 0 {
                pieces = hashed(pieces, number);
                counts = hashed(hashed(counts, number), about.into());
                if has_passed && *known & 1 << about == 0 {
                    *known |= 1 << about;
                    is_first = true;
                }
            }
        }
        let pieces = NonZeroU32::new(folded(pieces)).unwrap_or(NonZeroU32::MAX);
        self.page.set_trace(offset, Trace { pieces, counts: folded(counts) >> 1, is_first });
        self.page.add_steps(u64::try_from(steps).unwrap_or(u64::MAX));
        let is_new = has_passed && self.known.len() < MOST_KNOWN && self.known.insert(pieces);
        is_new || is_first
    }
}

/// The hash of nothing: FNV-1a, with whole numbers in place of bytes.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn hashed(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(0x0100_0000_01b3)
}

/// All bits of a hash in half of them.
fn folded(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

/// About how often: 0 for never, a number of its own for once, twice and three times, then one for each power of two, and
/// at most 15.
fn about(n: u128) -> u8 {
    match n {
        0..=3 => n as u8,
        _ => (n.ilog2() as u8 + 2).min(15),
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::{Cells, READ, Tracer, Watch, about, unrecorded};
    use crate::child::protocol::Trace;
    use crate::child::serve::page::{Page, for_test};
    use crate::logic::value::Value;

    #[test]
    fn code_that_is_not_recorded_leaves_the_counters_as_they_were() {
        let mut memory = [1_u64, 2];
        let (first, len) = (memory.as_mut_ptr(), memory.len());
        READ.set(Some((Cells { first, len }, vec![0; len])));
        let mut program = Cells { first, len };
        assert_eq!(
            unrecorded(|| {
                program.set(0, 9);
                program.get(0)
            }),
            9
        );
        assert_eq!([program.get(0), program.get(1)], [1, 2]);
        READ.set(None);
    }

    #[test]
    fn cases_that_run_the_same_code_have_one_trace() {
        let mut memory = [0_u64; 3];
        let (first, len) = (memory.as_mut_ptr(), memory.len());
        let cells = || Cells { first, len };
        let mut program = cells();
        // The second counter is not the user's, and the last one doesn't exist. The code after a branch ran as often as that
        // before it but for the branch.
        let sums = vec![vec![(0, 1)], vec![(2, 1)], vec![(0, 1), (2, -1)], vec![(9, 1)]];
        let page: &'static Page = Box::leak(Box::new(for_test("traces")));
        page.clear(9);
        let mut tracer = Tracer::of(cells(), sums, page);
        let mut is_new = |offset, counts: [u64; 3], has_passed| {
            tracer.begin_case();
            counts.into_iter().enumerate().for_each(|(index, count)| program.set(index, count));
            tracer.end_case(offset, has_passed)
        };
        let failed = is_new(0, [1, 0, 0], false);
        let news = [[1, 0, 0], [5, 7, 0], [1, 0, 1], [0, 0, 0], [2, 0, 2], [2, 0, 1]];
        let mut offset = 0;
        let news = news.map(|counts| {
            offset += 1;
            is_new(offset, counts, true)
        });
        assert_eq!((failed, news), (false, [true; 6]));
        assert!(!is_new(7, [2, 0, 1], true));
        let traces: Vec<Trace> = (0..7).filter_map(|offset| page.trace(offset)).collect();
        let pieces: Vec<NonZeroU32> = traces.iter().map(|trace| trace.pieces).collect();
        assert!(pieces[0] == pieces[1] && pieces[1] == pieces[2] && pieces[3] == pieces[5], "{pieces:?}");
        assert!(pieces[1] != pieces[3] && pieces[3] != pieces[6], "{pieces:?}");
        let counts: Vec<u32> = traces.iter().map(|trace| trace.counts).collect();
        assert!(counts[0] == counts[1] && counts[1] != counts[2] && counts[3] != counts[5], "{counts:?}");
        let first: Vec<bool> = traces.iter().map(|trace| trace.is_first).collect();
        assert_eq!(first, [false, true, true, true, false, true, false]);
        assert_eq!(page.trace(8), None);
        // A failed case has steps, too; what isn't the user's has none. The code before a branch and after it counts by itself.
        assert_eq!(page.steps(), 2 + 2 + 10 + 2 + 4 + 4 + 4);
    }

    #[test]
    fn counts_are_told_apart_by_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 7, 8, 1 << 13, u128::MAX].map(about), [0, 1, 2, 3, 4, 4, 5, 15, 15]);
    }

    #[test]
    fn a_variant_that_is_listed_later_is_repeated() {
        let page: &'static Page = Box::leak(Box::new(for_test("repeats")));
        let cells = Cells { first: std::ptr::NonNull::dangling().as_ptr(), len: 0 };
        let mut tracer = Tracer::of(cells, Vec::new(), page);
        let mut is_repeated = |number, is_fed| tracer.is_repeated(&[Value::int(number)], is_fed);
        let repeated = [(1, true), (2, false), (2, false), (1, false), (2, true), (1, true), (2, true)]
            .map(|(number, is_fed)| is_repeated(number, is_fed));
        assert_eq!(repeated, [false, false, false, true, false, true, true]);
    }

    #[test]
    fn a_case_is_told_when_it_alone_makes_a_new_sum_positive() {
        let mut memory = [7_u64, 7, 7];
        // One pointer for both sides: taking a second one would end what the first may touch.
        let (first, len) = (memory.as_mut_ptr(), memory.len());
        let cells = || Cells { first, len };
        // The second sum is what the first has beyond the third counter; the last one names what there is not.
        let mut program = cells();
        let sums = vec![vec![(0, 1)], vec![(0, 1), (2, -1)], vec![(1, 1)], vec![(9, 1)]];
        let mut watch = Watch::of(cells(), sums, &[2, 99]);
        let mut case = |counts: [u64; 3]| {
            watch.begin_case();
            for (index, count) in counts.into_iter().enumerate() {
                let before = program.get(index);
                program.set(index, before + count);
            }
            watch.end_case().then(|| watch.reached())
        };
        assert_eq!(case([1, 0, 1]), Some(vec![0]));
        assert_eq!(case([5, 0, 5]), None);
        assert_eq!(case([0, 3, 0]), None, "it was known before");
        // Of all cases together the counters say no more than before.
        assert_eq!(case([2, 1, 1]), Some(vec![0, 1, 2]));
        assert_eq!(case([2, 1, 1]), None);
        assert_eq!(watch.take_grown(), [(0, 10), (1, 5), (2, 8)]);
        assert_eq!(watch.take_grown(), []);
    }
}
