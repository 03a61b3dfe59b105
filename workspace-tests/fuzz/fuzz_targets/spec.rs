//! Specs through what `cargo target check` does. What is parsed is also printed: read again, it prints the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use target_bridge::frontend::diagnostic::Sources;
use target_bridge::frontend::manifest::SpannedText;
use target_bridge::frontend::spec::{parse, print};

fuzz_target!(|text: &str| {
    if let Some(printed) = printed(text) {
        assert_eq!(self::printed(&printed).as_ref(), Some(&printed));
    }
    target_fuzz::of_spec(text);
});

fn printed(text: &str) -> Option<String> {
    let file = Sources::default().add("Cargo.toml".as_ref(), text.to_owned());
    parse::signature(&SpannedText::verbatim(text, file, 0)).ok().as_ref().map(print::signature)
}
