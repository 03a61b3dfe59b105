//! The kinds of inputs outside the space, and how large they are.

use crate::space::Space;

/// The kinds of inputs outside the space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Extreme values in small structures.
    Boundary,
    /// Larger structures, and values of all magnitudes.
    Large,
}

/// Maximum size of a large input.
pub(super) const LARGEST: u64 = 100;

/// Number of sizes of boundary cases, from the smallest.
const BOUNDARY_SIZES: u64 = 8;

impl Source {
    /// Tells the random numbers of the sources apart.
    pub(super) fn salt(self) -> u64 {
        match self {
            Source::Boundary => 0xB0,
            Source::Large => 0x1A,
        }
    }
}

/// The depth of a block, and the number of elements that its inputs may have more than the least: in large inputs, `more` than the
/// usual ones.
pub(super) fn bounds_of(space: &Space, source: Source, more: u64) -> (u32, u64) {
    let depth = space.bounds().depth;
    match source {
        Source::Boundary => (depth.min(BOUNDARY_SIZES as u32), BOUNDARY_SIZES),
        Source::Large => {
            let greatest = (1 + u64::from(depth)).min(LARGEST) + more;
            (depth.max(greatest as u32), greatest)
        }
    }
}
