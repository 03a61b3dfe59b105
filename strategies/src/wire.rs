//! Bytes for what crosses a process boundary: values, specs and messages, without any dependency.
//!
//! Whole numbers are written in groups of seven bits, lists and texts behind their length, enums behind the number of
//! their variant. Reading is safe on any bytes: it fails, but neither panics nor allocates more than the input is long,
//! and it bounds nesting. The format belongs to one version of [`crate::protocol`]; it is no file format.

mod impls;
mod ir;
mod value;

pub use value::crosses;

use std::fmt;
use std::io::{self, Read, Write};

/// The deepest nesting that is read; the parser of specs bounds it far below.
const MAX_NESTING: u32 = 2048;

/// What each frame begins with, so that anything else in the stream is noticed at once.
const MARK: [u8; 4] = *b"\xC7frm";

/// The longest frame that is read.
const MAX_FRAME: u32 = 1 << 30;

/// Something that can be written as bytes and read back.
pub trait Wire: Sized {
    /// Appends the bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes the bytes from the front of the input.
    fn read(input: &mut Reader) -> Result<Self, WireError>;

    /// All the bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    /// The value that all of the bytes stand for.
    fn from_bytes(bytes: &[u8]) -> Result<Self, WireError> {
        let mut input = Reader::new(bytes);
        let value = Self::read(&mut input)?;
        if input.bytes.is_empty() { Ok(value) } else { Err(WireError("bytes are left over")) }
    }
}

/// Bytes that don't stand for what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireError(pub &'static str);

impl fmt::Display for WireError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "read a message: {}", self.0)
    }
}

impl std::error::Error for WireError {}

/// The bytes that are still to be read.
pub struct Reader<'b> {
    bytes: &'b [u8],
    nesting: u32,
}

impl<'b> Reader<'b> {
    /// A reader of all the bytes.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes, nesting: 0 }
    }

    fn take(&mut self, length: usize) -> Result<&'b [u8], WireError> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(WireError("it ends too early"))?;
        self.bytes = rest;
        Ok(taken)
    }

    /// A length; never more than there are bytes, so that it may be allocated.
    fn length(&mut self) -> Result<usize, WireError> {
        let length = usize::try_from(u64::read(self)?).map_err(|_| WireError("a length is out of range"))?;
        if length > self.bytes.len() { Err(WireError("a length is out of range")) } else { Ok(length) }
    }

    /// Reads a part one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, WireError>) -> Result<T, WireError> {
        if self.nesting == MAX_NESTING {
            return Err(WireError("it is nested too deeply"));
        }
        self.nesting += 1;
        let value = read(self);
        self.nesting -= 1;
        value
    }
}

/// Writes a message behind its length.
pub fn write_frame(out: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len()).ok().filter(|&length| length <= MAX_FRAME);
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the message is too long"))?;
    out.write_all(&MARK)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(message)?;
    out.flush()
}

/// Reads a message; `None` where the stream ends before one.
pub fn read_frame(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 8];
    let mut n_read = 0;
    while n_read < head.len() {
        match input.read(&mut head[n_read..]) {
            Ok(0) if n_read == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => n_read += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        let n_marks = n_read.min(MARK.len());
        if head[..n_marks] != MARK[..n_marks] {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no message"));
        }
    }
    let [_, _, _, _, length @ ..] = head;
    let length = u32::from_le_bytes(length);
    if length > MAX_FRAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the message is too long"));
    }
    let mut message = Vec::new();
    input.take(length.into()).read_to_end(&mut message)?;
    if message.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(message))
}

#[cfg(test)]
mod tests;
