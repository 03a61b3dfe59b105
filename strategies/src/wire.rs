//! Bytes for what crosses a process boundary (being written).
