//! The tool from outside: the real binary, real cargo, real Z3, on copies of fixture crates.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;
mod schema;
mod table;
mod unprivileged;
mod via;

mod papers;
mod pasted;
mod hostile;
mod kinds;
mod embedded;
mod mistakes;
mod narrow;
mod beyond;
mod cache;
mod callbacks;
mod texts;
mod commands;
mod init;
mod corpus;
mod coverage;
mod json;
mod kiosk;
mod page;
mod reports;
mod returned;
#[cfg(unix)]
mod outputs;
#[cfg(unix)]
mod includes;
mod screen;
#[cfg(target_os = "linux")]
mod faults;
mod order;
mod interrupt;
mod limits;
mod notes;
mod docs;
mod house;
mod private;
mod function_types;
mod fuzz;
mod fuzzers;
mod differential;
mod agree;
mod api;
mod asked;
mod api_sequences;
mod needed;
mod casebook;
mod oracle;
mod monotone;
mod counts;
mod shrink;
mod strategies;
mod suggest;
mod members;
mod counts_structures;
mod grammars;
mod handwritten;
mod structures;
mod traits;
mod different;
mod native;
mod native_engine;
mod native_counts;
mod native_positions;
mod native_samples;
mod native_unknown;
mod native_odd;
