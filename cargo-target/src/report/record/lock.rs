//! Locks that distinguish a running run from a finished or killed one: the system releases them when a process ends.
//!
//! A lock's file is next to its run's folder, so that it can exist before the folder. File systems without locks have
//! none; there, a run must end before twenty others begin, or its record is lost.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fs4::TryLockError;

/// The lock of a running run, released on drop.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks the run with that id; `None` if locks don't work.
    pub fn take(runs: &Path, id: &str) -> Result<Option<Lock>> {
        let path = path(runs, id);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = file.with_context(|| format!("create {}", path.display()))?;
        match fs4::FileExt::try_lock(&file) {
            // Another run removed the file as a leftover, just before it was locked.
            Ok(()) if !path.exists() => Lock::take(runs, id),
            Ok(()) => Ok(Some(Lock { path, _file: file })),
            // Containers may reuse process numbers.
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
        // A leftover file locks nothing.
        let _ = fs::remove_file(&self.path);
    }
}

/// Calls `act` unless the run with that id is still running: it has no lock, or a free one.
pub fn if_free(runs: &Path, id: &str, act: impl FnOnce()) {
    let path = path(runs, id);
    let file = match OpenOptions::new().write(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return act(),
        // It may still be running.
        Err(_) => return,
    };
    if fs4::FileExt::try_lock(&file).is_ok() {
        act();
        let _ = fs::remove_file(&path);
    }
}

/// Removes the locks of killed runs. Their records stay.
pub fn sweep(runs: &Path) {
    for entry in fs::read_dir(runs).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".lock"))
            && super::folder::is_id(id)
        {
            if_free(runs, id, || {});
        }
    }
}

fn path(runs: &Path, id: &str) -> PathBuf {
    runs.join(format!("{id}.lock"))
}
