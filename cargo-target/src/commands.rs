//! The subcommands, one file each.

pub mod prologue;
pub mod run;
pub mod sample;
pub mod check;
pub mod corpus;
pub mod count;
pub mod explain;
pub mod strategies;
pub mod types;
pub mod fuzz;
pub mod init;
pub mod suggest;
pub mod regressions;
pub mod report;
