//! Turns text into subjects: reads the manifest's tables, the specs in them, and the user's source, and joins them.
//! Mistakes become diagnostics that point into the text. Nothing here solves or generates.

pub mod diagnostic;
pub mod logic_type;
pub mod manifest;
pub mod spec;
pub mod catalog;
pub mod regex;
pub mod declarations;
pub mod data;
pub mod elaborate;
pub mod resolve;
pub mod subject;
pub mod api;
