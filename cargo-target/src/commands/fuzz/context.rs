//! What all stages of `cargo target fuzz` read: the options, the project, and how many targets there are.

use crate::options::args;
use crate::options::config::CargoConfig;
use crate::run::project::Project;

/// Data shared by the stages.
pub struct Context<'a> {
    pub args: &'a args::Fuzz,
    pub config: &'a CargoConfig,
    pub project: &'a Project,
    /// Whether there are several targets; their files must not be mixed.
    pub is_several: bool,
}
