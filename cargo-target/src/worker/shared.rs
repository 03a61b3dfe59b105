//! The file that parent and child map as their shared page, as the parent makes it.
//!
//! Its blocks are written when it is made: a hole in a full file system, touched through a mapping, would kill both. On
//! Linux it is memory without a name, which the child opens through `/proc`, and nothing of it outlives the processes.
//! Elsewhere it is a temporary file, which has a name until the child has opened it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::{NamedTempFile, TempPath};

/// A file that another process can open, as long as this exists.
#[derive(Debug)]
pub struct SharedFile {
    file: File,
    path: PathBuf,
    /// Removes the name in the end, if there is one.
    _name: Option<TempPath>,
}

impl SharedFile {
    /// A file of that length, all zeroes.
    pub fn new(length: usize) -> Result<SharedFile> {
        let mut shared = SharedFile::unnamed().map_or_else(SharedFile::named, Ok)?;
        let reserved = shared.file.write_all(&vec![0; length]);
        reserved.with_context(|| match &shared._name {
            Some(name) => {
                format!("reserve {length} bytes in {} (TMPDIR can name another folder)", folder(name))
            }
            None => format!("reserve {length} bytes of shared memory"),
        })?;
        Ok(shared)
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// By which path others open it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in memory, where the system has such files.
    #[cfg(target_os = "linux")]
    fn unnamed() -> Option<SharedFile> {
        use std::os::fd::{AsRawFd, FromRawFd};
        if !Path::new("/proc/self/fd").is_dir() {
            return None;
        }
        // SAFETY: the name is a string that ends in a zero.
        let number = unsafe { libc::memfd_create(c"cargo-target".as_ptr(), libc::MFD_CLOEXEC) };
        if number < 0 {
            return None;
        }
        // SAFETY: the descriptor was just made, and nobody else has it.
        let file = unsafe { File::from_raw_fd(number) };
        let path = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
        Some(SharedFile { file, path, _name: None })
    }

    #[cfg(not(target_os = "linux"))]
    fn unnamed() -> Option<SharedFile> {
        None
    }

    fn named() -> Result<SharedFile> {
        let what =
            || format!("make a file in {} (TMPDIR can name another folder)", std::env::temp_dir().display());
        let (file, name) = NamedTempFile::new().with_context(what)?.into_parts();
        Ok(SharedFile { file, path: name.to_path_buf(), _name: Some(name) })
    }
}

fn folder(name: &Path) -> String {
    name.parent().unwrap_or(name).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_opens_what_is_written_and_reserved() {
        for shared in [SharedFile::new(4096), SharedFile::named()] {
            let mut shared = shared.expect("a file can be made");
            shared.file.write_all(b"end").expect("a file can be written to");
            let seen = std::fs::read(shared.path()).expect("the file can be opened by its path");
            assert!(seen.ends_with(b"end"));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_page_has_blocks_and_no_name() {
        use std::os::unix::fs::MetadataExt;
        let shared = SharedFile::new(1 << 16).expect("a file can be made");
        let found = shared.file().metadata().expect("the file is open");
        assert_eq!((found.len(), found.blocks() * 512, found.nlink()), (1 << 16, 1 << 16, 0));
    }
}
