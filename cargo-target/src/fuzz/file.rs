//! Files written whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file, with the folders around it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let what = || format!("write {}", path.display());
    let folder = path.parent().with_context(what)?;
    fs::create_dir_all(folder).with_context(what)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(what)?;
    file.write_all(bytes).with_context(what)?;
    readable(file.as_file()).with_context(what)?;
    file.persist(path).with_context(what)?;
    Ok(())
}

/// Temporary files are for their owner alone.
#[cfg(unix)]
fn readable(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

/// Writes a file unless it has these contents already, so that cargo finds nothing to build.
pub fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<()> {
    match fs::read(path) {
        Ok(found) if found == bytes => Ok(()),
        _ => write(path, bytes),
    }
}
