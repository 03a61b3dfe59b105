//! Files: outputs that are written whole or not at all, temporary files, and reading text.

#[allow(unsafe_code, reason = "a file without a name is linked by the operating system")]
mod fresh;
#[allow(unsafe_code, reason = "descriptors are duplicated by the operating system")]
pub mod output;
#[cfg(unix)]
pub mod proc;
pub mod scratch;

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use anyhow::{Context, Result};

use crate::system::exit_code::usage;
pub use output::Output;

/// Replaces or creates a file that the user keeps. The new text is on the disk before the replacement, so a power cut
/// leaves the old text or the new one.
pub fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    let what = || format!("write {}", path.display());
    let mut output = Output::open(path).with_context(what)?;
    output.write_all(text.as_ref()).and_then(|()| output.sync()).with_context(what)?;
    output.finish()
}

/// Replaces or creates a file that is written piece by piece. Devices and pipes are written to directly: see
/// [`Output`].
pub fn write_whole_by(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let mut output = Output::open(path).with_context(|| format!("write {}", path.display()))?;
    write(&mut output)?;
    output.finish()
}

/// A file without a name, for data that doesn't fit in memory.
pub fn temporary() -> Result<File> {
    let folder = std::env::temp_dir();
    tempfile::tempfile_in(&folder).with_context(|| {
        format!("make a temporary file in {} (TMPDIR can name another folder)", folder.display())
    })
}

/// A file without a name on the file system of a folder.
pub fn temporary_in(folder: &Path) -> Result<File> {
    tempfile::tempfile_in(folder).with_context(|| format!("make a temporary file in {}", folder.display()))
}

/// Writes a reproducible file, unless it has these contents already. Creates missing folders.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    let folder = path.parent().with_context(|| format!("find the folder of {}", path.display()))?;
    std::fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    let what = || format!("write {}", path.display());
    write_whole_by(path, |file| file.write_all(bytes).with_context(what))
}

/// A path as typed in the current folder.
pub fn from_here(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    // A shell doesn't accept an empty path.
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

/// Maximum length of a text, in bytes: more than any corpus or manifest, and still small for memory.
const LONGEST: u64 = 256 << 20;

/// The text of a file; `None` if there is none.
pub fn read_if_there(path: &Path) -> Result<Option<String>> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(usage(format!("{} is no UTF-8 text", path.display())))
        }
        Err(error) => Err(error).with_context(|| format!("read {}", path.display())),
    }
}

/// The text of a regular file within the length limit.
pub fn read_text(path: &Path) -> std::io::Result<String> {
    // Opening a pipe may block for ever.
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !found.is_file() {
        return Err(std::io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
    }
    let mut text = String::new();
    let mut file = File::open(path)?.take(LONGEST + 1);
    if found.len() > LONGEST || file.read_to_string(&mut text)? as u64 > LONGEST {
        let message = format!("it is longer than {} MiB", LONGEST >> 20);
        return Err(std::io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}

/// The text of a file that will be overwritten; `None` if there is none. A file that doesn't start with the command's
/// mark belongs to the user, and is rejected.
pub fn read_own(path: &Path, mark: &str) -> Result<Option<String>> {
    // A device or pipe is written to directly, which overwrites nothing.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Ok(None);
    }
    let text = read_if_there(path)?;
    match &text {
        Some(own) if !own.trim().is_empty() && !own.starts_with(mark) => Err(usage(format!(
            "{} was not written by this command, it doesn't begin with `{mark}`: move it away, or choose another file \
             with `--output`",
            path.display()
        ))),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_from_here_is_never_empty() {
        let here = std::env::current_dir().expect("tests run in a folder");
        assert_eq!([from_here(&here), from_here(&here.join("a"))], [".", "a"]);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused_before_it_is_read() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        file.as_file().set_len(8 << 30).expect("a file can have a hole");
        let error = read_if_there(file.path()).expect_err("it is too long");
        assert!(format!("{error:#}").ends_with("it is longer than 256 MiB"), "{error:#}");
    }
}
