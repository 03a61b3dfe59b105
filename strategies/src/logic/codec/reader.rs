//! The trait of types that can be encoded, and the safe reader of bytes.

use std::fmt;

/// Maximum nesting that is decoded. The parser of specs has a far smaller limit.
const MAX_NESTING: u32 = 2048;

/// A type that can be encoded and decoded.
pub trait Codec: Sized {
    /// Appends the bytes.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes the bytes from the front of the input.
    fn read(input: &mut Reader) -> Result<Self, DecodeError>;

    /// The encoded bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    /// Decodes a value from all the bytes.
    fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Reader::new(bytes);
        let value = Self::read(&mut input)?;
        if input.bytes.is_empty() { Ok(value) } else { Err(DecodeError("bytes are left over")) }
    }
}

/// An error: the bytes don't encode the expected type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(pub &'static str);

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "decode: {}", self.0)
    }
}

impl std::error::Error for DecodeError {}

/// The bytes that are not read yet.
pub struct Reader<'b> {
    bytes: &'b [u8],
    nesting: u32,
}

impl<'b> Reader<'b> {
    /// A reader of all the bytes.
    pub fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader { bytes, nesting: 0 }
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'b [u8], DecodeError> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or(DecodeError("it ends too early"))?;
        self.bytes = rest;
        Ok(taken)
    }

    /// Reads a length. It is at most the number of remaining bytes, so it is safe to allocate.
    pub(super) fn length(&mut self) -> Result<usize, DecodeError> {
        let length =
            usize::try_from(u64::read(self)?).map_err(|_| DecodeError("a length is out of range"))?;
        if length > self.bytes.len() { Err(DecodeError("a length is out of range")) } else { Ok(length) }
    }

    /// Reads a part one level deeper.
    pub(super) fn nested<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        if self.nesting == MAX_NESTING {
            return Err(DecodeError("it is nested too deeply"));
        }
        self.nesting += 1;
        let value = read(self);
        self.nesting -= 1;
        value
    }
}
