#!/usr/bin/env bash
# Runs the unit tests of unsafe code under miri, and under AddressSanitizer where miri can't: a page shared by a mapped file.
# Needs a nightly toolchain with the components miri and rust-src.
set -euo pipefail
cd "$(dirname "$0")/.."
# Build apart: other flags, other artifacts.
target=${CARGO_TARGET_DIR:-$PWD/target}

# Values are lent to subjects and freed by the arena, converted, and read from bytes. miri is slow: what takes long there
# and has nothing unsafe is left out, and generated inputs are few.
PROPTEST_CASES=8 MIRIFLAGS="-Zmiri-disable-isolation" CARGO_TARGET_DIR=$target/miri \
    cargo +nightly miri test -p target-strategies --no-default-features --lib -- serve::arena serve::convert serve::coverage wire --skip deep_values

host=$(rustc +nightly -vV | sed -n 's/^host: //p')
RUSTFLAGS="-Zsanitizer=address" CARGO_TARGET_DIR=$target/sanitizer \
    cargo +nightly test -p target-strategies --lib --target "$host" -- serve wire
