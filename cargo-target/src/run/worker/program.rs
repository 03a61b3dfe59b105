//! The program of a harness: a second name (hard link) keeps it if a subject deletes or disables it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The second name.
fn kept(program: &Path) -> PathBuf {
    program.with_extension("kept")
}

/// Gives a program a second name. If that fails, a deleted program can't be restored.
pub fn keep(program: &Path) {
    // It usually exists already.
    let _ = fs::hard_link(program, kept(program));
}

/// Restores a program that can't be started.
pub fn bring_back(program: &Path) -> io::Result<()> {
    if !program.exists() {
        // Another worker may have been faster.
        let linked = fs::hard_link(kept(program), program);
        linked.or_else(|error| if program.exists() { Ok(()) } else { Err(error) })?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(program, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
