//! Files written whole or not at all.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result};

use crate::exit_code::usage;

/// Puts a text, or other bytes, in the place of a file, or makes a new one.
pub fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    let what = || format!("write {}", path.display());
    write_whole_by(path, |file| file.write_all(text.as_ref()).with_context(what))
}

/// Puts what is written piece by piece in the place of a file, or makes a new one.
pub fn write_whole_by(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let what = || format!("write {}", path.display());
    let folder = path.parent().with_context(what)?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut file = new_file(folder).with_context(what)?;
    let mut pieces = BufWriter::new(file.as_file_mut());
    write(&mut pieces)?;
    pieces.flush().with_context(what)?;
    drop(pieces);
    if let Ok(old) = std::fs::metadata(path) {
        file.as_file().set_permissions(old.permissions()).with_context(what)?;
    }
    file.persist(path).with_context(what)?;
    Ok(())
}

/// Writes a file unless it has these contents already, with the folders around it.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    let folder = path.parent().with_context(|| format!("find the folder of {}", path.display()))?;
    std::fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
    write_whole(path, bytes)
}

/// A path as one types it here.
pub fn from_here(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    // An empty word is no path to a shell.
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

/// A file that will get this path when it is complete.
pub fn new_beside(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    if path.is_dir() {
        return Err(std::io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    new_file(folder.unwrap_or(Path::new(".")))
}

/// A file that has no name to rely on yet, with the permissions of any other new file.
fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// The text of a file; `None` if there is none.
pub fn read_if_there(path: &Path) -> Result<Option<String>> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(usage(format!("{} is no UTF-8 text", path.display())))
        }
        Err(error) => Err(error).with_context(|| format!("read {}", path.display())),
    }
}

/// The text of a file that is to be written anew; `None` if there is none. What doesn't begin with the mark of what the
/// command writes is somebody's own, and refused.
pub fn read_own(path: &Path, mark: &str) -> Result<Option<String>> {
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
}
