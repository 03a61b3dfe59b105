//! The paths below `/proc` of the files that this process has open.
//!
//! `/proc` may belong to an outer namespace of processes, for example after `unshare --pid`. There this process has
//! another number than it sees itself; the link `/proc/self` gives the right one.

#[cfg(target_os = "linux")]
use std::fs::File;
use std::path::{Path, PathBuf};

/// The folder of this process's open files; `None` without `/proc`.
pub fn own_files() -> Option<PathBuf> {
    let number = std::fs::read_link("/proc/self").ok()?;
    Some(Path::new("/proc").join(number).join("fd"))
}

/// A path by which other processes can open a file of this process, if there is one.
#[cfg(target_os = "linux")]
pub fn path_for_others(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::MetadataExt;
    let path = own_files()?.join(file.as_raw_fd().to_string());
    let (own, found) = (file.metadata().ok()?, std::fs::metadata(&path).ok()?);
    let is_same = (own.dev(), own.ino()) == (found.dev(), found.ino());
    is_same.then_some(path)
}
