//! The page of memory in which a child records its progress, so that its parent knows which case ended it.
//!
//! Both sides map the same file, with the layout of [`Progress`]. Every write is a single atomic store, in an order
//! that keeps the page consistent at any moment: the status of a case is written before the phase changes.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::platform;
use crate::child::protocol::{MAX_BATCH, Phase, Progress, Status, Trace};
use crate::logic::codec::Codec;
use crate::logic::value::Value;

/// A mapped page.
#[derive(Debug)]
pub struct Page {
    at: *mut u8,
}

// SAFETY: all access is through atomics (the text excepted, which the parent reads when the child is dead).
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

/// The last known progress of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Number of cases begun in the batch.
    pub begun: u64,
    /// The phase of the last of them.
    pub phase: Phase,
}

impl Page {
    /// Maps a file, which must be [`Progress::LEN`] bytes long.
    pub fn map(file: &File) -> io::Result<Page> {
        if file.metadata()?.len() < Progress::LEN as u64 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the shared page is too short"));
        }
        Ok(Page { at: platform::map_shared(file, Progress::LEN)? })
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        debug_assert!(at.is_multiple_of(8) && !(Progress::TEXT..Progress::TRACES).contains(&at));
        // SAFETY: inside the mapping, aligned (a mapping begins at a page), and only ever used as an atomic.
        unsafe { AtomicU64::from_ptr(self.at.add(at).cast()) }
    }

    fn status_byte(&self, offset: u64) -> &AtomicU8 {
        assert!(offset < MAX_BATCH as u64, "a batch has at most {MAX_BATCH} cases");
        // SAFETY: inside the mapping, and only ever used as an atomic.
        unsafe { AtomicU8::from_ptr(self.at.add(Progress::STATUSES + offset as usize)) }
    }

    /// Clears the page for a batch of `n_cases` cases. The parent calls it while the child waits.
    pub fn clear(&self, n_cases: u64) {
        // A copy from an earlier batch finds another number. Only the parent changes it.
        let next = self.batch().wrapping_add(1);
        self.word(Progress::FORKED).store(u64::from(next) << 32, Ordering::Release);
        let words = [Progress::CURSOR, Progress::STOP, Progress::CLAUSE, Progress::TEXT_LEN];
        for at in words.into_iter().chain([Progress::TABLES_LEN, Progress::MAKING, Progress::STEPS]) {
            self.word(at).store(0, Ordering::Release);
        }
        for offset in 0..n_cases.min(MAX_BATCH as u64) {
            self.status_byte(offset).store(Status::None as u8, Ordering::Relaxed);
            self.trace_word(offset).store(0, Ordering::Relaxed);
        }
    }

    /// Records the child's progress.
    pub fn set_cursor(&self, cursor: Cursor) {
        self.word(Progress::CURSOR).store(cursor.begun << 2 | cursor.phase as u64, Ordering::Release);
    }

    /// The child's progress.
    pub fn cursor(&self) -> Cursor {
        let word = self.word(Progress::CURSOR).load(Ordering::Acquire);
        Cursor { begun: word >> 2, phase: Phase::from_number(word & 3) }
    }

    /// Records the result of a case.
    pub fn set_status(&self, offset: u64, status: Status) {
        self.status_byte(offset).store(status as u8, Ordering::Release);
    }

    /// The result of a case.
    pub fn status(&self, offset: u64) -> Status {
        Status::from_number(self.status_byte(offset).load(Ordering::Acquire))
    }

    fn trace_word(&self, offset: u64) -> &AtomicU64 {
        assert!(offset < MAX_BATCH as u64, "a batch has at most {MAX_BATCH} cases");
        self.word(Progress::TRACES + 8 * offset as usize)
    }

    /// Records the trace of a case.
    pub fn set_trace(&self, offset: u64, trace: Trace) {
        self.trace_word(offset).store(trace.word(), Ordering::Release);
    }

    /// The trace of a case, if it is known.
    pub fn trace(&self, offset: u64) -> Option<Trace> {
        Trace::of_word(self.trace_word(offset).load(Ordering::Acquire))
    }

    /// Adds to the number of steps of the batch.
    pub fn add_steps(&self, steps: u64) {
        let word = self.word(Progress::STEPS);
        word.store(word.load(Ordering::Relaxed).saturating_add(steps), Ordering::Release);
    }

    /// The number of steps of the batch so far: how many times its finished cases ran pieces of code.
    pub fn steps(&self) -> u64 {
        self.word(Progress::STEPS).load(Ordering::Acquire)
    }

    /// Records what of [`super::super::protocol::Aside`] runs; 0 if nothing does.
    pub fn set_making(&self, aside: u64) {
        self.word(Progress::MAKING).store(aside, Ordering::Release);
    }

    /// What of it runs.
    pub fn making(&self) -> Option<u64> {
        Some(self.word(Progress::MAKING).load(Ordering::Acquire)).filter(|sequence| *sequence != 0)
    }

    /// Asks the child to end the batch after the running case.
    pub fn ask_to_stop(&self) {
        self.word(Progress::STOP).store(1, Ordering::Release);
    }

    /// Whether the batch must end: the parent asks for it, or a copy returned.
    pub fn stop_asked(&self) -> bool {
        self.word(Progress::STOP).load(Ordering::Acquire) != 0 || self.copied_case().is_some()
    }

    /// The number of the batch.
    pub fn batch(&self) -> u32 {
        batch_of(self.word(Progress::FORKED).load(Ordering::Acquire))
    }

    /// Records that a copy of the process returned from a case, which also asks the original to stop. Ignored if that
    /// batch is over.
    pub fn note_copy(&self, batch: u32, offset: u64) {
        assert!(offset < MAX_BATCH as u64, "a batch has at most {MAX_BATCH} cases");
        let noted = u64::from(batch) << 32 | (offset + 1);
        let replaces = |word: u64| {
            let is_first = word as u32 == 0 || noted < word;
            (batch_of(word) == batch && is_first).then_some(noted)
        };
        // An error means that the batch is over, or that a copy of an earlier case returned already.
        let _ = self.word(Progress::FORKED).fetch_update(Ordering::AcqRel, Ordering::Acquire, replaces);
    }

    /// The first case from which a copy of the process returned, if any.
    pub fn copied_case(&self) -> Option<u64> {
        let case = self.word(Progress::FORKED).load(Ordering::Acquire) as u32;
        case.checked_sub(1).map(u64::from)
    }

    /// Records the wait status of the serving process.
    pub fn set_exit(&self, status: i32) {
        self.word(Progress::EXIT).store(u64::from(status as u32) + 1, Ordering::Release);
    }

    /// The wait status of the serving process, if its guard saw it exit.
    pub fn exit(&self) -> Option<i32> {
        let number = self.word(Progress::EXIT).load(Ordering::Acquire).checked_sub(1)?;
        u32::try_from(number).ok().map(|status| status as i32)
    }

    /// Records the clause whose `where` condition is evaluated.
    pub fn set_clause(&self, clause: Option<u32>) {
        let number = clause.map_or(0, |id| u64::from(id) + 1);
        self.word(Progress::CLAUSE).store(number, Ordering::Release);
    }

    /// The clause whose `where` condition is evaluated.
    pub fn clause(&self) -> Option<u32> {
        u32::try_from(self.word(Progress::CLAUSE).load(Ordering::Acquire).checked_sub(1)?).ok()
    }

    /// Records the running case's arguments, with functions as tables of what they returned so far.
    pub fn set_tables(&self, args: &[Value]) {
        self.word(Progress::TABLES_LEN).store(0, Ordering::Release);
        let bytes = args.to_vec().to_bytes();
        if args.is_empty() || bytes.len() > Progress::TABLES_MAX {
            return;
        }
        for (at, byte) in bytes.iter().enumerate() {
            // SAFETY: inside the mapping; the parent reads it only when this process is dead.
            unsafe { self.at.add(Progress::TABLES + at).write_volatile(*byte) };
        }
        self.word(Progress::TABLES_LEN).store(bytes.len() as u64, Ordering::Release);
    }

    /// These arguments, if functions are among them. The parent reads them after the child has ended.
    pub fn tables(&self) -> Option<Vec<Value>> {
        let len = self.word(Progress::TABLES_LEN).load(Ordering::Acquire) as usize;
        let bytes: Vec<u8> = (0..len.min(Progress::TABLES_MAX))
            // SAFETY: inside the mapping, and nobody writes to it now.
            .map(|at| unsafe { self.at.add(Progress::TABLES + at).read_volatile() })
            .collect();
        Vec::<Value>::from_bytes(&bytes).ok().filter(|args| !args.is_empty())
    }

    /// Clears the text.
    pub fn clear_text(&self) {
        self.word(Progress::TEXT_LEN).store(0, Ordering::Release);
    }

    /// Appends a line to the text, cut to the free space.
    pub fn add_text(&self, line: &str) {
        let used = self.text_len();
        let mut bytes = line.bytes().chain([b'\n']);
        let mut len = used;
        while len < Progress::TEXT_MAX
            && let Some(byte) = bytes.next()
        {
            // SAFETY: inside the mapping; the parent reads it only when this process is dead.
            unsafe { self.at.add(Progress::TEXT + len).write_volatile(byte) };
            len += 1;
        }
        self.word(Progress::TEXT_LEN).store(len as u64, Ordering::Release);
    }

    /// The text. The parent reads it after the child has ended.
    pub fn text(&self) -> String {
        let bytes: Vec<u8> = (0..self.text_len())
            // SAFETY: inside the mapping, and nobody writes to it now.
            .map(|at| unsafe { self.at.add(Progress::TEXT + at).read_volatile() })
            .collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn text_len(&self) -> usize {
        (self.word(Progress::TEXT_LEN).load(Ordering::Acquire) as usize).min(Progress::TEXT_MAX)
    }
}

/// The number of the batch in the word at [`Progress::FORKED`].
fn batch_of(word: u64) -> u32 {
    (word >> 32) as u32
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping is this page's own, and its last user is gone.
        unsafe { platform::unmap(self.at, Progress::LEN) };
    }
}

/// A page that no other process has.
#[cfg(all(test, unix, target_pointer_width = "64"))]
pub(super) fn for_test(name: &str) -> Page {
    tests::two_sides(name).0
}

#[cfg(all(test, unix, target_pointer_width = "64"))]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    /// One page, mapped by both sides.
    pub(super) fn two_sides(name: &str) -> (Page, Page) {
        let name = format!("target-strategies-page-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .expect("the test's folder can be written to");
        assert!(Page::map(&file).is_err(), "a file without room");
        file.set_len(Progress::LEN as u64).expect("the test's folder can be written to");
        std::fs::remove_file(&path).expect("what was written can be removed");
        let map = || Page::map(&file).expect("a file of the test can be mapped");
        (map(), map())
    }

    #[test]
    fn what_one_side_notes_the_other_reads() {
        let (ours, theirs) = two_sides("notes");
        let last = MAX_BATCH as u64 - 1;
        let cursor = Cursor { begun: last + 1, phase: Phase::Outcome };
        theirs.set_cursor(cursor);
        theirs.set_status(last, Status::Discarded);
        let trace = Trace { pieces: NonZeroU32::MAX, counts: u32::MAX >> 1, is_first: false };
        theirs.set_trace(last, trace);
        theirs.set_making(3);
        theirs.add_steps(u64::MAX - 1);
        theirs.add_steps(2);
        theirs.set_clause(Some(0));
        theirs.add_text("one");
        theirs.add_text(&"x".repeat(Progress::TEXT_MAX));
        assert_eq!((ours.cursor(), ours.status(last), ours.clause()), (cursor, Status::Discarded, Some(0)));
        assert!(ours.text().starts_with("one\nxxx"));
        assert_eq!(ours.text().len(), Progress::TEXT_MAX);
        assert_eq!((ours.trace(last), ours.making(), ours.steps()), (Some(trace), Some(3), u64::MAX));

        theirs.note_copy(ours.batch(), 7);
        theirs.note_copy(ours.batch(), 5);
        theirs.note_copy(ours.batch(), 9);
        theirs.set_exit(-1);
        assert_eq!((ours.copied_case(), ours.stop_asked(), ours.exit()), (Some(5), true, Some(-1)));

        let batch = ours.batch();
        ours.clear(last + 1);
        theirs.note_copy(batch, 5);
        assert_eq!((ours.copied_case(), ours.stop_asked()), (None, false), "the copy comes too late");
        ours.ask_to_stop();
        assert!(theirs.stop_asked());
        assert_eq!((theirs.cursor().begun, theirs.status(last)), (0, Status::None));
        assert_eq!((theirs.clause(), theirs.text()), (None, String::new()));
        assert_eq!((theirs.trace(last), theirs.making(), theirs.steps()), (None, None, 0));
    }
    #[test]
    fn a_copy_that_is_late_is_charged_to_no_other_batch() {
        let (ours, theirs) = two_sides("late");
        let is_over = std::sync::atomic::AtomicBool::new(false);
        let case = |batch: u32| u64::from(batch % 1000);
        let n_wrong = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    let batch = theirs.batch();
                    theirs.note_copy(batch, case(batch));
                }
            });
            let mut n_wrong = 0;
            for _ in 0..4_000_000 {
                // The other side needs time to return from a case, and may be late.
                if ours.copied_case().is_some() {
                    ours.clear(0);
                }
                n_wrong += u32::from(ours.copied_case().is_some_and(|copied| copied != case(ours.batch())));
            }
            is_over.store(true, Ordering::Relaxed);
            n_wrong
        });
        assert_eq!(n_wrong, 0);
    }
}
