//! The allocator: mimalloc, which reports the memory in use to [`cancel`], so that planning can be limited.

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;
use target_strategies::cancel;

/// mimalloc with counting. The engine allocates many small terms on its own thread, which is slow with system
/// allocators.
pub struct Counting;

/// The size of a block, for [`cancel::note_allocated`]. No block is larger than `isize::MAX`.
fn signed(size: usize) -> i64 {
    size as i64
}

// SAFETY: every call and its result are passed through unchanged. Counting neither allocates nor unwinds: it adds to a
// thread-local number without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        cancel::note_allocated(signed(layout.size()));
        // SAFETY: the caller follows the contract of `alloc`.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        cancel::note_allocated(signed(layout.size()));
        // SAFETY: the caller follows the contract of `alloc_zeroed`.
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        cancel::note_allocated(-signed(layout.size()));
        // SAFETY: the caller follows the contract of `dealloc`.
        unsafe { MiMalloc.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        cancel::note_allocated(signed(size) - signed(layout.size()));
        // SAFETY: the caller follows the contract of `realloc`.
        unsafe { MiMalloc.realloc(block, layout, size) }
    }
}
