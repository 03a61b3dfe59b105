//! The limits of the stages, so that no text makes the tool hang.

/// Maximum number of states of an automaton.
pub(super) const MAX_STATES: usize = 10_000;

/// Maximum number of cells of an automaton's table.
pub(super) const MAX_CELLS: usize = 2_000_000;

/// A stage has reached its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooBig;

/// The remaining steps.
pub(super) struct Work(pub usize);

impl Work {
    pub fn charge(&mut self, steps: usize) -> Result<(), TooBig> {
        self.0 = self.0.checked_sub(steps).ok_or(TooBig)?;
        Ok(())
    }
}
