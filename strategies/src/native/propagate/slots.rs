//! A small map keyed by slot, cheap to copy.

/// Values by slot, in the order of the slots.
#[derive(Clone, Debug)]
pub struct Slots<T>(Vec<(u32, T)>);

impl<T> Default for Slots<T> {
    fn default() -> Slots<T> {
        Slots(Vec::new())
    }
}

impl<T> Slots<T> {
    /// The value at a slot.
    pub fn get(&self, slot: u32) -> Option<&T> {
        self.0.binary_search_by_key(&slot, |(slot, _)| *slot).ok().map(|at| &self.0[at].1)
    }

    /// The value at a slot, for writing.
    pub fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        let at = self.0.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        Some(&mut self.0[at].1)
    }

    /// Sets the value at a slot.
    pub fn insert(&mut self, slot: u32, held: T) {
        match self.0.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => self.0[at].1 = held,
            Err(at) => self.0.insert(at, (slot, held)),
        }
    }

    /// Removes the value at a slot.
    pub fn remove(&mut self, slot: u32) {
        if let Ok(at) = self.0.binary_search_by_key(&slot, |(slot, _)| *slot) {
            self.0.remove(at);
        }
    }

    /// All values with their slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = &(u32, T)> {
        self.0.iter()
    }

    /// Whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> FromIterator<(u32, T)> for Slots<T> {
    fn from_iter<I: IntoIterator<Item = (u32, T)>>(all: I) -> Slots<T> {
        Slots(all.into_iter().collect())
    }
}
