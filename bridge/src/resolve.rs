//! Joins what is written in the manifest with what stands in the user's source: from texts and a catalog to subjects.

pub mod data;
pub mod lookup;
