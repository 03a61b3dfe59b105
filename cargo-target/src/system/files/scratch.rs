//! Temporary folders below `target/cargo-target/scratch`. They vanish soon after the tool ends, even if it is killed.
//!
//! Every tool with such a folder shares a lock, which the system releases when a process ends. A tool that gets the
//! lock exclusively knows that no other tool has a folder there, and removes the leftovers of killed tools. On file
//! systems without locks nothing is removed.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

/// The name of the locked file.
const LOCK: &str = "lock";

/// Permission to make temporary folders.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Opens the folder for temporary folders below `output`, and removes the leftovers of killed tools.
    pub fn open(output: &Path) -> Result<Scratch> {
        let folder = output.join("scratch");
        fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
        let path = folder.join(LOCK);
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let lock = lock.with_context(|| format!("create {}", path.display()))?;
        if fs4::FileExt::try_lock(&lock).is_ok() {
            sweep(&folder);
            let _ = fs4::FileExt::unlock(&lock);
        }
        // Without the lock, another tool may remove our folders during a build, which then fails with an error.
        let _ = fs4::FileExt::lock_shared(&lock);
        Ok(Scratch { folder, _lock: lock })
    }

    /// A new folder, removed on drop.
    pub fn folder(&self) -> Result<TempDir> {
        let made = tempfile::Builder::new().prefix("new").tempdir_in(&self.folder);
        made.with_context(|| format!("create a folder in {}", self.folder.display()))
    }
}

fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() != LOCK {
            // A folder that can't be removed does no harm.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_tool_that_is_alone_sweeps() {
        let output = tempfile::tempdir().expect("a temporary folder can be made");
        let dead = output.path().join("scratch/newDEAD");
        let leave = || fs::create_dir_all(&dead).expect("the test's folder can be written to");
        leave();
        let first = Scratch::open(output.path()).expect("the test's folder can be written to");
        assert!(!dead.exists());
        let mine = first.folder().expect("the test's folder can be written to");
        leave();
        let second = Scratch::open(output.path()).expect("the test's folder can be written to");
        assert!(mine.path().exists() && dead.exists());
        drop((first, second, mine));
        Scratch::open(output.path()).expect("the test's folder can be written to");
        assert!(!dead.exists());
    }
}
