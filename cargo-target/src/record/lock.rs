//! Locks that tell a run that goes on from one that is over, however it ended: the system lets go of them when a process
//! ends.
//!
//! The file of a lock lies beside the folder of its run, so that it can be there before the folder is. On file systems
//! that know no locks there are none, and a run has to end before twenty others begin.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fs4::TryLockError;

/// The lock of a run that goes on; dropped, it is gone.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks the run of that id; `None` where that can't be done.
    pub fn take(runs: &Path, id: &str) -> Result<Option<Lock>> {
        let path = path(runs, id);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = file.with_context(|| format!("create {}", path.display()))?;
        match fs4::FileExt::try_lock(&file) {
            // Another run took it for a left-over just before it was locked.
            Ok(()) if !path.exists() => Lock::take(runs, id),
            Ok(()) => Ok(Some(Lock { path, _file: file })),
            // Numbers of processes are their own in each container.
            Err(TryLockError::WouldBlock) => bail!("another run is recorded as {id}"),
            Err(TryLockError::Error(_)) => {
                let _ = fs::remove_file(&path);
                Ok(None)
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What is left of it locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}

/// Does something to the run of that id unless it goes on; whoever ran it left no lock then, or one that is free.
pub fn if_free(runs: &Path, id: &str, act: impl FnOnce()) {
    let path = path(runs, id);
    let file = match OpenOptions::new().write(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return act(),
        // It may go on.
        Err(_) => return,
    };
    if fs4::FileExt::try_lock(&file).is_ok() {
        act();
        let _ = fs::remove_file(&path);
    }
}

/// Removes the locks that killed runs left. What they recorded stays.
pub fn sweep(runs: &Path) {
    for entry in fs::read_dir(runs).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".lock"))
            && super::is_id(id)
        {
            if_free(runs, id, || {});
        }
    }
}

fn path(runs: &Path, id: &str) -> PathBuf {
    runs.join(format!("{id}.lock"))
}
