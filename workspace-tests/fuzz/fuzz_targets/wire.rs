//! What crosses a process boundary: no bytes make reading panic, and what is read is written as bytes that are read as the
//! same. The limit of libFuzzer's memory is that of the test, too: reading allocates no more than the input is long.

#![no_main]

use libfuzzer_sys::fuzz_target;
use target_strategies::logic::ir::Spec;
use target_strategies::child::protocol::{Reply, Request};
use target_strategies::logic::value::Value;
use target_strategies::child::wire::read_frame;
use target_strategies::logic::codec::Codec;

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, bytes)) = bytes.split_first() else { return };
    match kind % 5 {
        0 => check::<Value>(bytes),
        1 => check::<Spec>(bytes),
        2 => check::<Request>(bytes),
        3 => check::<Reply>(bytes),
        _ => {
            let mut input = bytes;
            while let Ok(Some(message)) = read_frame(&mut input) {
                check::<Request>(&message);
            }
        }
    }
});

fn check<T: Codec>(bytes: &[u8]) {
    if let Ok(value) = T::from_bytes(bytes) {
        let written = value.to_bytes();
        let again = T::from_bytes(&written).expect("what was written can be read");
        assert_eq!(again.to_bytes(), written);
    }
}
