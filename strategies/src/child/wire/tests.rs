//! Round trips, and hostile bytes.

use proptest::prelude::*;

use super::{read_frame, write_frame};
use crate::child::protocol::{Limits, Reply, Request};
use crate::logic::codec::Codec;
use crate::logic::eval::Obstacle;
use crate::logic::int::Int;
use crate::logic::value::Value;
use crate::native::listing::{Listed, Pick};
use crate::native::{Class, Position};

proptest! {
    #[test]
    fn what_is_written_is_read(number in any::<i64>(), n in any::<u64>()) {
        let values = vec![Value::Int(Int::from(number)), Value::Bool(n > 3)];
        let request = Request::Cases { cases: vec![values.clone()], members: vec![true], asks: true, limits: Limits { stop_at_failure: true, max_valid: 9 } };
        prop_assert_eq!(Request::from_bytes(&request.to_bytes()), Ok(request));
        let pieces = vec![
            Listed { class: Class::All, pick: Pick::Sample(n), start: 3, len: n },
            Listed { class: Class::Size(n), pick: Pick::From(Position::Rank(u128::from(n) << 40)), start: n, len: 7 },
            Listed { class: Class::Size(0), pick: Pick::From(Position::Path(vec![1, 2, 3])), start: 0, len: 1 },
        ];
        let limits = Limits { stop_at_failure: false, max_valid: n };
        let request = Request::List { ranges: pieces, judge_all: true, limits };
        prop_assert_eq!(Request::from_bytes(&request.to_bytes()), Ok(request));
        let reply = Reply::SpecError { offset: n, args: values, clause: Some(7), obstacle: Obstacle::Mistake("é".to_owned()) };
        prop_assert_eq!(Reply::from_bytes(&reply.to_bytes()), Ok(reply));
    }

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Request::from_bytes(&bytes);
        let _ = Reply::from_bytes(&bytes);
        let _ = read_frame(&mut bytes.as_slice());
    }
}

#[test]
fn frames_follow_each_other() {
    let mut stream = Vec::new();
    write_frame(&mut stream, b"one").unwrap();
    write_frame(&mut stream, b"").unwrap();
    let mut input = stream.as_slice();
    assert_eq!(read_frame(&mut input).unwrap().as_deref(), Some(b"one".as_slice()));
    assert_eq!(read_frame(&mut input).unwrap().as_deref(), Some(b"".as_slice()));
    assert_eq!(read_frame(&mut input).unwrap(), None);
    assert!(read_frame(&mut [1, 0, 0].as_slice()).is_err());
}
