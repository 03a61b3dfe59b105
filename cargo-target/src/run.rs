//! From a checked spec to its outcome: the project, the harness built for it, the generators, and the child processes
//! that run the subjects.

pub mod project;
pub mod checked;
mod uses;
pub mod syntax;
pub mod public;
pub mod mirror;
pub mod wrapper;
#[allow(unsafe_code, reason = "a compiler is asked to end with the tool between fork and exec")]
mod compiler;
mod runtime;
pub mod harness;
mod views;
pub mod asked;
pub mod embedded;
pub mod launch;
#[allow(unsafe_code, reason = "the machine's memory is asked of the operating system")]
pub mod planning;
pub mod generators;
#[allow(unsafe_code, reason = "limits and signals of processes are asked of the operating system")]
pub mod worker;
pub mod runner;
pub mod corpus;
pub mod observations;
pub mod coverage;
pub mod findings;
