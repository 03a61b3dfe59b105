//! Drives cargo-target from outside; the tests are in `tests/it`.
