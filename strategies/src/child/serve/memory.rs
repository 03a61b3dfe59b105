//! The memory limit of a case, relative to the memory in use when the case begins.

use super::platform;

/// Address space in bytes reserved for the growth of the main thread's stack.
const STACK: u64 = 16 << 20;

/// Maximum number of bytes that a case may allocate.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLimit(pub(super) u64);

impl MemoryLimit {
    /// Number of cases after which [`MemoryLimit::arm`] must be called again, so that leaks of earlier cases are not
    /// charged to later ones.
    pub(super) const CASES: u64 = 1024;

    /// Limits the process to its current memory plus the limit. There is no limit if the system doesn't report the
    /// current memory.
    pub(super) fn arm(self) {
        let limit = platform::address_space().map(|now| now.saturating_add(self.0).saturating_add(STACK));
        platform::limit_memory(limit);
    }

    /// Lifts the limit for the tool's own allocations.
    pub(super) fn lift() {
        platform::limit_memory(None);
    }
}
