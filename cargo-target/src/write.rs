//! Writes files of the user's, whole or not at all.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

/// Makes a file, or replaces it; its permissions stay.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let what = || format!("write {}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(what)?;
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Otherwise nobody else could read it. What the user's mask forbids is still left out.
        file.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = file.tempfile_in(folder).with_context(what)?;
    file.write_all(text.as_bytes()).with_context(what)?;
    if let Ok(known) = fs::metadata(path) {
        file.as_file().set_permissions(known.permissions()).with_context(what)?;
    }
    file.persist(path).with_context(what)?;
    Ok(())
}
