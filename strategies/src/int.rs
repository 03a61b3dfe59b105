//! Integers without bounds: machine words where they fit, digits where they don't.

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits an `i64`; always so represented where it does.
    Small(i64),
}

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int::Small(n)
    }
}
