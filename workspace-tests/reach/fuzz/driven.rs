//! Calls a function of the crate that `REACH_CRATE` names: the first byte says which, `Arbitrary` makes arguments of the other bytes.
#![no_main]

use std::sync::OnceLock;

use arbitrary::{Arbitrary, Unstructured};

struct Bytes<'b>(Unstructured<'b>);

impl reach::Source for Bytes<'_> {
    fn argument<T: for<'a> Arbitrary<'a>>(&mut self) -> Option<T> {
        self.0.arbitrary().ok()
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    static CRATE: OnceLock<String> = OnceLock::new();
    let name = CRATE.get_or_init(|| {
        std::panic::set_hook(Box::new(|_| {}));
        std::env::var("REACH_CRATE").expect("a crate")
    });
    let Some((&first, rest)) = input.split_first() else { return };
    let functions = reach::functions(name);
    functions[usize::from(first) % functions.len()].call(&mut Bytes(Unstructured::new(rest)));
});
