//! Manifests through what `cargo target check` does: no text makes it panic or run for long.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    target_fuzz::of_manifest(text);
});
