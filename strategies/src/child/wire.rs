//! Messages between the tool and a harness, as bytes. Each message is a frame: a mark, its length, its bytes. The
//! format belongs to one version of [`super::protocol`].

use std::io::{self, Read, Write};

use super::protocol::{Failure, FailureKind, Limits, Reply, Request};
use crate::baseline::enumerative::Range;
use crate::logic::codec::{codec_enum, codec_struct};
use crate::logic::eval::Obstacle;
use crate::native::listing::{Listed, Pick};
use crate::native::{Class, Position};
use crate::space::{Bounds, Shape, Skeleton};

codec_struct!(Bounds { depth, bound });
codec_struct!(Skeleton { args });
codec_struct!(Range { skeleton, start, len });
codec_struct!(Listed { class, pick, start, len });
codec_struct!(Limits { stop_at_failure, max_valid });
codec_struct!(Failure { kind, message, location, within, clause, result, after, tables, step });
codec_enum!(Shape { 0 => Leaf, 1 => Str(length), 2 => Seq(parts), 3 => Tuple(parts), 4 => Data(ctor, fields), });
codec_enum!(Class { 0 => All, 1 => Size(size), });
codec_enum!(Position { 0 => Rank(number), 1 => Path(path), });
codec_enum!(Pick { 0 => From(position), 1 => Sample(seed), 2 => Spread(skipped), });
codec_enum!(Request {
    0 => Setup { version, function, spec, bounds, memory },
    1 => Cases { cases, members, asks, limits },
    2 => Enumerate { ranges, limits },
    3 => List { ranges, judge_all, limits },
    4 => Watch { sums, known }, 5 => Trace { sums }, 6 => Unmade { sequences },
});
codec_enum!(Reply {
    0 => Ready, 1 => Rejected(message), 2 => Failed { offset, args, failure },
    3 => SpecError { offset, args, clause, obstacle }, 4 => Finished { shown, met },
    5 => Broken { offset, args, message }, 6 => Reached { offset, args, sums }, 7 => Counted { counters },
    8 => Asked { offset, functions },
});
codec_enum!(Obstacle { 0 => TooMuchWork, 1 => Mistake(message), });
codec_enum!(FailureKind {
    0 => Panic, 1 => NoPanic, 2 => Abort, 3 => Exit, 4 => StackOverflow, 5 => Timeout, 6 => Memory, 7 => Result,
    8 => Ensures, 9 => Fork, 10 => Argument,
});

/// Maximum length of a frame in bytes. A longer length means that the stream is damaged.
const MAX_FRAME: u32 = 1 << 30;

/// The start of each frame. Other data in the stream is noticed at once.
const MARK: [u8; 4] = *b"\xC7frm";

/// Writes a message after its length.
pub fn write_frame(out: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len()).ok().filter(|&length| length <= MAX_FRAME);
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the message is too long"))?;
    out.write_all(&MARK)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(message)?;
    out.flush()
}

/// Reads a message; `None` if the stream ends before one.
pub fn read_frame(input: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut header = [0; 8];
    let mut n_read = 0;
    while n_read < header.len() {
        match input.read(&mut header[n_read..]) {
            Ok(0) if n_read == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => n_read += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        let n_marks = n_read.min(MARK.len());
        if header[..n_marks] != MARK[..n_marks] {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "this is no message"));
        }
    }
    let [_, _, _, _, length @ ..] = header;
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
