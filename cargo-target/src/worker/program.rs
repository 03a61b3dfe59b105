//! The program of a harness, which a subject may delete or disable: a second name of the file stays.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The second name.
fn kept(program: &Path) -> PathBuf {
    program.with_extension("kept")
}

/// Gives a program a second name. Where that is impossible, a program that is deleted can't be brought back.
pub fn keep(program: &Path) {
    // Most often it has it already.
    let _ = fs::hard_link(program, kept(program));
}

/// Makes a program that can't be started what it was.
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
