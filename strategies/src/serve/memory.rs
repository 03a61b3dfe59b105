//! The memory limit of a case, relative to what the process holds when the case begins.

use super::platform;

/// Room for the main thread's stack to grow, which also counts as address space.
const STACK: u64 = 16 << 20;

/// How much a case may allocate.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemoryLimit(pub(super) u64);

impl MemoryLimit {
    /// How many cases may run before [`MemoryLimit::arm`] must be called again: what earlier cases leaked shall not
    /// be laid to a later one.
    pub(super) const CASES: u64 = 1024;

    /// Limits the process to what it holds now and the limit. Where the system doesn't tell what that is, there is no
    /// limit.
    pub(super) fn arm(self) {
        let limit = platform::address_space().map(|now| now.saturating_add(self.0).saturating_add(STACK));
        platform::limit_memory(limit);
    }

    /// Lifts the limit, for the tool's own allocations.
    pub(super) fn lift() {
        platform::limit_memory(None);
    }
}
