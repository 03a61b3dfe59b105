//! New files that replace others when they are complete.
//!
//! They have no name if the system supports that (Linux). Elsewhere, and briefly while such a file gets its name, it is
//! called `.cargo-target-output-` and eight letters or digits, and is locked. The leftovers of a killed tool are
//! unlocked, and the next output to that folder removes them.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

use fs4::TryLockError;

/// Prefix of the names of temporary files.
const PREFIX: &str = ".cargo-target-output-";

/// Number of random characters after it.
const N_RANDOM: usize = 8;

/// The thing that a new file replaces.
#[derive(Debug)]
pub enum Old {
    None,
    File(Metadata),
}

/// A file without a final name.
pub enum Fresh {
    #[cfg(target_os = "linux")]
    Unnamed(File),
    Named(tempfile::NamedTempFile),
}

impl Fresh {
    /// A new file in a folder, with default permissions.
    pub fn new(folder: &Path) -> io::Result<Fresh> {
        sweep(folder);
        #[cfg(target_os = "linux")]
        if Path::new("/proc/self/fd").is_dir() {
            use std::os::unix::fs::OpenOptionsExt;
            let unnamed = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(folder);
            // Not every file system supports this.
            if let Ok(file) = unnamed {
                let _ = fs4::FileExt::try_lock(&file);
                return Ok(Fresh::Unnamed(file));
            }
        }
        loop {
            let named = named(folder)?;
            match fs4::FileExt::try_lock(named.as_file()) {
                // Another tool takes it for a leftover, and removes it.
                Err(TryLockError::WouldBlock) => {}
                Ok(()) if !named.path().exists() => {}
                // Without locks no tool removes anything.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Fresh::Named(named)),
            }
        }
    }

    /// The file itself.
    pub fn file(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Fresh::Unnamed(file) => file,
            Fresh::Named(named) => named.as_file_mut(),
        }
    }

    /// Replaces a file by this one, which takes over its owner and permissions.
    pub fn replace(mut self, folder: &Path, end: &Path, old: &Old) -> io::Result<()> {
        if let Old::File(old) = old {
            #[cfg(unix)]
            {
                use std::os::unix::fs::{MetadataExt, fchown};
                let (user, group) = (Some(old.uid()), Some(old.gid()));
                // Only root can change the owner. Others keep their file, but set the group if they belong to it.
                let _ = fchown(self.file(), user, group).or_else(|_| fchown(self.file(), None, group));
            }
            self.file().set_permissions(old.permissions())?;
        }
        match self {
            #[cfg(target_os = "linux")]
            Fresh::Unnamed(file) => {
                let named = builder().make_in(folder, |path| name(&file, path))?;
                named.persist(end).map_err(|error| error.error)?;
            }
            Fresh::Named(named) => {
                named.persist(end).map_err(|error| error.error)?;
            }
        }
        Ok(())
    }
}

/// Makes the names of temporary files.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(N_RANDOM);
    builder
}

/// Whether [`builder`] makes such names.
fn is_ours(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX);
    random.is_some_and(|random| random.len() == N_RANDOM && random.bytes().all(|c| c.is_ascii_alphanumeric()))
}

fn named(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = builder();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Gives a name to a file without one.
#[cfg(target_os = "linux")]
fn name(file: &File, path: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    let open = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let path = CString::new(path.as_os_str().as_bytes())?;
    let (here, follow) = (libc::AT_FDCWD, libc::AT_SYMLINK_FOLLOW);
    // SAFETY: both strings live through the call.
    let result = unsafe { libc::linkat(here, open.as_ptr(), here, path.as_ptr(), follow) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Removes the leftovers of killed tools in a folder: temporary files that aren't locked.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(is_ours);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let opened = OpenOptions::new().write(true).open(entry.path());
            if opened.is_ok_and(|file| fs4::FileExt::try_lock(&file).is_ok()) {
                // Another tool may be removing it, too.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder can be made")
    }

    #[test]
    fn what_a_killed_tool_left_is_swept_and_nothing_else() {
        let folder = scratch();
        let dead = folder.path().join(".cargo-target-output-dEAd0123");
        fs::write(&dead, "x").expect("the test's folder can be written to");
        let alive = named(folder.path()).expect("the test's folder can be written to");
        fs4::FileExt::try_lock(alive.as_file()).expect("nobody else knows the file");
        let others = ["notes", "output-notes", "output-dead.txt", "output-dead01234"];
        let others = others.map(|name| folder.path().join(format!(".cargo-target-{name}")));
        for other in &others {
            fs::write(other, "x").expect("the test's folder can be written to");
        }
        Fresh::new(folder.path()).expect("the test's folder can be written to");
        assert!(!dead.exists());
        assert!(alive.path().exists() && others.iter().all(|other| other.exists()));
    }

    #[test]
    fn files_in_the_making_have_names_that_are_swept() {
        let file = named(scratch().path()).expect("the test's folder can be written to");
        let name = file.path().file_name().and_then(|name| name.to_str());
        assert!(name.is_some_and(is_ours), "{name:?}");
    }
}
