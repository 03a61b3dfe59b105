#!/bin/sh
# Prints the path of an optimized cargo-target: the one that CARGO_TARGET_TOOL names, or else one that is built.
# The caller has set up Z3, whose library the tool also needs to run.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${CARGO_TARGET_TOOL:-}" ]; then
    cargo build --quiet --release --package cargo-target >&2
    CARGO_TARGET_TOOL=${CARGO_TARGET_DIR:-$PWD/target}/release/cargo-target
fi
echo "$CARGO_TARGET_TOOL"
