//! From spec text and the user's source to solved inputs and emitted harnesses.
//!
//! The way of the data, a module a stage: [`manifest`] reads the tables, [`spec`] parses the texts, [`catalog`] reads
//! the user's source, [`mod@resolve`] joins them into [`subject`]s, [`smt`] and the baselines behind [`generate`] find
//! inputs, [`emit`] writes the harness, [`fuzz`] what fuzz targets need. Mistakes become [`diagnostic`]s. Nothing here starts a process, prints, or
//! knows how a subject is run.

#![forbid(unsafe_code)]

pub mod catalog;
pub mod diagnostic;
pub mod elaborate;
pub mod emit;
pub mod fuzz;
pub mod generate;
pub mod logic_type;
pub mod manifest;
pub mod regex;
pub mod resolve;
pub mod smt;
pub mod spec;
pub mod subject;
