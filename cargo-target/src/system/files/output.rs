//! Outputs: files that are replaced as a whole, and the other things that a path may lead to.
//!
//! The new contents of a regular file are written next to it, and replace it when they are complete. Links are
//! followed, so a link stays a link. Devices, pipes and terminals are written to directly. Folders and sockets are
//! rejected.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::fresh::{Fresh, Old};
#[cfg(unix)]
use super::proc;

/// Number of links after which a path counts as circular: Linux's limit.
const MOST_LINKS: u32 = 40;

/// An output that is being written.
pub struct Output {
    path: PathBuf,
    sink: BufWriter<Sink>,
}

/// The target of a path.
#[derive(Debug)]
enum Destination {
    /// A regular file, or a path without a file. The path has no link at its end.
    File(PathBuf, Old),
    /// A device, pipe or terminal, which is written to directly.
    Stream(PathBuf),
    /// An open file of this process: `/dev/stdout`, `/dev/fd/3`.
    #[cfg(unix)]
    Descriptor(i32),
}

/// The destination of writes.
#[allow(clippy::large_enum_variant, reason = "there is one for each output, and few outputs")]
enum Sink {
    Fresh {
        fresh: Fresh,
        end: PathBuf,
        old: Old,
    },
    Stream(File),
    /// A stream whose reader closed its end. That is the reader's choice, not an error.
    ReaderGone,
}

impl Output {
    /// Starts an output. A regular file doesn't change until [`Output::finish`].
    pub fn open(path: &Path) -> io::Result<Output> {
        let sink = match destination(path)? {
            Destination::File(end, old) => Sink::Fresh { fresh: Fresh::new(folder_of(&end)?)?, end, old },
            Destination::Stream(path) => Sink::Stream(OpenOptions::new().write(true).open(path)?),
            #[cfg(unix)]
            Destination::Descriptor(number) => Sink::Stream(duplicate(number)?),
        };
        Ok(Output { path: path.to_owned(), sink: BufWriter::new(sink) })
    }

    /// Waits until the written data is on the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.sink.flush()?;
        match self.sink.get_mut() {
            Sink::Fresh { fresh, .. } => fresh.file().sync_data(),
            Sink::Stream(_) | Sink::ReaderGone => Ok(()),
        }
    }

    /// Replaces the file by the new contents.
    pub fn finish(self) -> Result<()> {
        let what = || format!("write {}", self.path.display());
        let sink = self.sink.into_inner().map_err(|error| error.into_error()).with_context(what)?;
        match sink {
            Sink::Fresh { fresh, end, old } => {
                folder_of(&end).and_then(|folder| fresh.replace(folder, &end, &old)).with_context(what)
            }
            Sink::Stream(_) | Sink::ReaderGone => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Fresh { fresh, .. } => fresh.file().write(bytes),
            Sink::Stream(file) => match file.write(bytes) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    *self = Sink::ReaderGone;
                    Ok(bytes.len())
                }
                written => written,
            },
            Sink::ReaderGone => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether an output can be written there, as far as that is known without writing.
pub fn check(path: &Path) -> io::Result<()> {
    match destination(path)? {
        Destination::File(end, _) => Fresh::new(folder_of(&end)?).map(|_| ()),
        Destination::Stream(_) => Ok(()),
        #[cfg(unix)]
        Destination::Descriptor(_) => Ok(()),
    }
}

/// Follows the links at the end of a path.
fn destination(path: &Path) -> io::Result<Destination> {
    let mut end = path.to_owned();
    for _ in 0..MOST_LINKS {
        #[cfg(unix)]
        if let Some(number) = own_descriptor(&end) {
            return Ok(Destination::Descriptor(number));
        }
        let found = match fs::symlink_metadata(&end) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Destination::File(end, Old::None));
            }
            Err(error) => return Err(error),
        };
        if found.is_symlink() {
            // A link of `/proc` leads to an open file, which may have no name.
            if end.starts_with("/proc") {
                return Ok(Destination::Stream(end));
            }
            let folder = end.parent().unwrap_or(Path::new("")).to_owned();
            end = folder.join(fs::read_link(&end)?);
            continue;
        }
        if found.is_dir() {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder: name a file"));
        }
        if is_socket(&found) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is a socket: name a file or a pipe"));
        }
        if found.is_file() {
            // A file that may not be written to may not be replaced either.
            OpenOptions::new().write(true).open(&end)?;
            return Ok(Destination::File(end, Old::File(found)));
        }
        return Ok(Destination::Stream(end));
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "its links lead in a circle"))
}

fn folder_of(file: &Path) -> io::Result<&Path> {
    let folder = file.file_name().and(file.parent());
    let folder = folder.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "it names no file"))?;
    Ok(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

#[cfg(unix)]
fn is_socket(found: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_socket(&found.file_type())
}

#[cfg(not(unix))]
fn is_socket(_: &Metadata) -> bool {
    false
}

/// The number of this process's open file, if the path is one of `/proc` or `/dev` for it.
#[cfg(unix)]
fn own_descriptor(path: &Path) -> Option<i32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = path.parent()?.canonicalize().ok()?;
    let is_own = folder == Path::new("/dev/fd") || proc::own_files().is_some_and(|own| folder == own);
    is_own.then_some(number)
}

/// A second handle on an open file of this process.
#[cfg(unix)]
fn duplicate(number: i32) -> io::Result<File> {
    use std::os::fd::FromRawFd;
    // SAFETY: no memory is involved; a number that isn't open is an error.
    let fresh = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) };
    if fresh < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made, and nothing else owns it.
    Ok(unsafe { File::from_raw_fd(fresh) })
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn write(path: &Path, text: &str) -> io::Result<()> {
        let mut output = Output::open(path)?;
        output.write_all(text.as_bytes())?;
        output.finish().map_err(io::Error::other)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the test's folder can be read").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().into_string().expect("the test's names are UTF-8"))
            .collect();
        names.sort();
        names
    }

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder can be made")
    }

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_permissions() {
        let folder = scratch();
        let path = folder.path().join("a");
        write(&path, "one").expect("the test's folder can be written to");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the file is the test's own");
        let mut output = Output::open(&path).expect("the test's folder can be written to");
        output.write_all(b"two").expect("the test's folder can be written to");
        drop(output);
        assert_eq!(fs::read_to_string(&path).expect("what was written can be read"), "one");
        write(&path, "two").expect("the test's folder can be written to");
        assert_eq!(fs::read_to_string(&path).expect("what was written can be read"), "two");
        let mode = fs::metadata(&path).expect("the file is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn links_stay_links_and_a_dangling_one_gets_its_file() {
        let folder = scratch();
        let at = |name: &str| folder.path().join(name);
        symlink("second", at("first")).expect("the test's folder can be written to");
        symlink("end", at("second")).expect("the test's folder can be written to");
        for text in ["created", "replaced"] {
            write(&at("first"), text).expect("the test's folder can be written to");
            assert!(at("first").is_symlink() && at("second").is_symlink());
            assert_eq!(fs::read_to_string(at("end")).expect("what was written can be read"), text);
        }
        symlink("circle", at("circle")).expect("the test's folder can be written to");
        let error = write(&at("circle"), "x").expect_err("the link leads nowhere");
        assert_eq!(error.to_string(), "its links lead in a circle");
    }

    #[test]
    fn what_is_no_file_is_written_to_or_refused() {
        write(Path::new("/dev/null"), "x").expect("anybody can write to it");
        let null = fs::metadata("/dev/null").expect("every Unix has it");
        assert!(!null.is_file());
        let folder = scratch();
        let error = write(folder.path(), "x").expect_err("a folder is no file");
        assert_eq!(error.to_string(), "it is a folder: name a file");
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket can be made");
        let error = write(&socket, "x").expect_err("a socket is no file");
        assert_eq!(error.to_string(), "it is a socket: name a file or a pipe");
        assert_eq!(names(folder.path()), ["socket"]);
    }

    #[test]
    fn an_open_file_is_written_to_where_it_is() {
        use std::os::fd::AsRawFd;
        let folder = scratch();
        let path = folder.path().join("log");
        let mut log = File::create(&path).expect("the test's folder can be written to");
        log.write_all(b"before ").expect("the test's folder can be written to");
        let open = format!("/dev/fd/{}", log.as_raw_fd());
        write(Path::new(&open), "inside").expect("an open file can be written to");
        log.write_all(b" after").expect("the test's folder can be written to");
        let mut text = String::new();
        let mut written = File::open(&path).expect("what was written can be read");
        written.read_to_string(&mut text).expect("what was written can be read");
        assert_eq!(text, "before inside after");
    }
}
