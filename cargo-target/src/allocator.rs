//! The allocator: mimalloc, with a report of what is in use to [`cancel`], which holds planning to a limit.

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;
use target_strategies::cancel;

/// mimalloc, counted. The engine makes and drops small terms on a thread of its own, for which the system's allocators are slow.
pub struct Counting;

/// The size of a block, as [`cancel::note_allocated`] counts. No block is larger than `isize::MAX`.
fn signed(size: usize) -> i64 {
    size as i64
}

// SAFETY: every call is handed to mimalloc as it came, and what mimalloc gives is given on. Counting neither allocates nor
// unwinds: it adds to a thread-local number that has no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        cancel::note_allocated(signed(layout.size()));
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        cancel::note_allocated(signed(layout.size()));
        // SAFETY: the caller keeps to the contract of `alloc_zeroed`.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        cancel::note_allocated(-signed(layout.size()));
        // SAFETY: the caller keeps to the contract of `dealloc`.
        unsafe { MiMalloc.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        cancel::note_allocated(signed(size) - signed(layout.size()));
        // SAFETY: the caller keeps to the contract of `realloc`.
        unsafe { MiMalloc.realloc(block, layout, size) }
    }
}
