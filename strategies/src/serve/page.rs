//! The page of memory in which a child notes what it is doing, so that its parent knows whose death it died.
//!
//! Both sides map one file; [`Progress`] says what stands where. Every write is a single atomic store in an order that
//! keeps the page true at any moment: a case is decided by its status before the phase goes on.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::platform;
use crate::protocol::{MAX_BATCH, Phase, Progress, Status};

/// A mapped page.
#[derive(Debug)]
pub struct Page {
    at: *mut u8,
}

// SAFETY: all access is through atomics (the text excepted, which the parent reads when the child is dead).
unsafe impl Send for Page {}
// SAFETY: as above.
unsafe impl Sync for Page {}

/// What the child was last seen doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// How many cases of the batch were begun.
    pub begun: u64,
    /// How far the last of them is.
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
        debug_assert!(at.is_multiple_of(8) && at < Progress::TEXT);
        // SAFETY: inside the mapping, aligned (a mapping begins at a page), and only ever used as an atomic.
        unsafe { AtomicU64::from_ptr(self.at.add(at).cast()) }
    }

    fn status_byte(&self, offset: u64) -> &AtomicU8 {
        assert!(offset < MAX_BATCH as u64, "a batch has at most {MAX_BATCH} cases");
        // SAFETY: inside the mapping, and only ever used as an atomic.
        unsafe { AtomicU8::from_ptr(self.at.add(Progress::STATUSES + offset as usize)) }
    }

    /// Forgets the last batch, for one of so many cases. For the parent, while the child waits.
    pub fn clear(&self, n_cases: u64) {
        // First the number: a copy of an earlier batch must find it changed.
        self.word(Progress::BATCH).fetch_add(1, Ordering::AcqRel);
        let words =
            [Progress::CURSOR, Progress::STOP, Progress::CLAUSE, Progress::TEXT_LEN, Progress::FORKED];
        for at in words {
            self.word(at).store(0, Ordering::Release);
        }
        for offset in 0..n_cases.min(MAX_BATCH as u64) {
            self.status_byte(offset).store(Status::None as u8, Ordering::Relaxed);
        }
    }

    /// Notes where the child is.
    pub fn set_cursor(&self, cursor: Cursor) {
        self.word(Progress::CURSOR).store(cursor.begun << 2 | cursor.phase as u64, Ordering::Release);
    }

    /// Where the child is.
    pub fn cursor(&self) -> Cursor {
        let word = self.word(Progress::CURSOR).load(Ordering::Acquire);
        Cursor { begun: word >> 2, phase: Phase::from_number(word & 3) }
    }

    /// Notes what became of a case.
    pub fn set_status(&self, offset: u64, status: Status) {
        self.status_byte(offset).store(status as u8, Ordering::Release);
    }

    /// What became of a case.
    pub fn status(&self, offset: u64) -> Status {
        Status::from_number(self.status_byte(offset).load(Ordering::Acquire))
    }

    /// Asks the child to end the batch behind the running case.
    pub fn ask_to_stop(&self) {
        self.word(Progress::STOP).store(1, Ordering::Release);
    }

    /// Whether the parent wants the batch to end.
    pub fn stop_asked(&self) -> bool {
        self.word(Progress::STOP).load(Ordering::Acquire) != 0
    }

    /// The number of the batch.
    pub fn batch(&self) -> u64 {
        self.word(Progress::BATCH).load(Ordering::Acquire)
    }

    /// Notes that a copy of the process came back from a case, and asks the original to stop. Ignored if that batch is
    /// over.
    pub fn note_copy(&self, batch: u64, offset: u64) {
        if self.batch() != batch {
            return;
        }
        let earlier = |first: u64| (first == 0 || offset + 1 < first).then_some(offset + 1);
        // An error means that a copy of an earlier case came back already.
        let _ = self.word(Progress::FORKED).fetch_update(Ordering::AcqRel, Ordering::Acquire, earlier);
        self.ask_to_stop();
    }

    /// The first case from which a copy of the process came back, if any.
    pub fn copied_case(&self) -> Option<u64> {
        self.word(Progress::FORKED).load(Ordering::Acquire).checked_sub(1)
    }

    /// Notes how the serving process ended, as `wait` tells it.
    pub fn set_exit(&self, status: i32) {
        self.word(Progress::EXIT).store(u64::from(status as u32) + 1, Ordering::Release);
    }

    /// How the serving process ended, if its guard saw it.
    pub fn exit(&self) -> Option<i32> {
        let number = self.word(Progress::EXIT).load(Ordering::Acquire).checked_sub(1)?;
        u32::try_from(number).ok().map(|status| status as i32)
    }

    /// Notes whose `where` condition is being evaluated.
    pub fn set_clause(&self, clause: Option<u32>) {
        let number = clause.map_or(0, |id| u64::from(id) + 1);
        self.word(Progress::CLAUSE).store(number, Ordering::Release);
    }

    /// Whose `where` condition is being evaluated.
    pub fn clause(&self) -> Option<u32> {
        u32::try_from(self.word(Progress::CLAUSE).load(Ordering::Acquire).checked_sub(1)?).ok()
    }

    /// Drops the text.
    pub fn clear_text(&self) {
        self.word(Progress::TEXT_LEN).store(0, Ordering::Release);
    }

    /// Adds a line to the text, as much as fits.
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

    /// The text; for the parent, when the child is dead.
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

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: the mapping is this page's own, and its last user is gone.
        unsafe { platform::unmap(self.at, Progress::LEN) };
    }
}

#[cfg(all(test, unix, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_notes_the_other_reads() {
        let path = std::env::temp_dir().join(format!("target-strategies-page-{}", std::process::id()));
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .expect("the test's folder can be written to");
        assert!(Page::map(&file).is_err(), "a file without room");
        file.set_len(Progress::LEN as u64).expect("the test's folder can be written to");
        let (ours, theirs) = (
            Page::map(&file).expect("a file of the test can be mapped"),
            Page::map(&file).expect("a file of the test can be mapped"),
        );
        std::fs::remove_file(&path).expect("what was written can be removed");

        let last = MAX_BATCH as u64 - 1;
        let cursor = Cursor { begun: last + 1, phase: Phase::Outcome };
        theirs.set_cursor(cursor);
        theirs.set_status(last, Status::Discarded);
        theirs.set_clause(Some(0));
        theirs.add_text("one");
        theirs.add_text(&"x".repeat(Progress::TEXT_MAX));
        assert_eq!((ours.cursor(), ours.status(last), ours.clause()), (cursor, Status::Discarded, Some(0)));
        assert!(ours.text().starts_with("one\nxxx"));
        assert_eq!(ours.text().len(), Progress::TEXT_MAX);

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
    }
}
