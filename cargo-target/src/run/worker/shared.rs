//! The file that parent and child map as their shared page, on the parent's side.
//!
//! Its blocks are written at creation: if the file system is full, touching an unwritten block through a mapping would
//! kill both. On Linux the file is anonymous memory, which the child opens through `/proc`; it vanishes with the
//! processes. Elsewhere it is a temporary file, which has a name until the child has opened it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::{NamedTempFile, TempPath};

#[cfg(target_os = "linux")]
use crate::system::files::proc;

/// A file that another process can open while this exists.
#[derive(Debug)]
pub struct SharedFile {
    file: File,
    path: PathBuf,
    /// Deletes the name on drop, if there is one.
    _name: Option<TempPath>,
}

impl SharedFile {
    /// A file of that length, filled with zeroes.
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

    /// The path by which another process opens it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in memory, if the system supports it.
    #[cfg(target_os = "linux")]
    fn unnamed() -> Option<SharedFile> {
        use std::os::fd::FromRawFd;
        // SAFETY: the name is a string that ends in a zero.
        let number = unsafe { libc::memfd_create(c"cargo-target".as_ptr(), libc::MFD_CLOEXEC) };
        if number < 0 {
            return None;
        }
        // SAFETY: the descriptor was just made, and nothing else owns it.
        let file = unsafe { File::from_raw_fd(number) };
        let path = proc::path_for_others(&file)?;
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
