#!/bin/sh
# Runs `cargo target run` on the example crate. Installs Z3 if it is missing. Arguments go to `cargo target run`; TOOL names
# a binary to run instead of building one.
set -eu
cd "$(dirname "$0")/.."

code=0
if [ -n "${TOOL:-}" ]; then
    set -- "$TOOL" target run "$@"
else
    environment=$(sh workspace-tests/setup-z3.sh)
    eval "$environment"
    set -- cargo run --quiet -p cargo-target -- target run "$@"
fi
"$@" --manifest-path workspace-tests/fixtures/scores/Cargo.toml --no-saved || code=$?

# 1 means that counterexamples were found, and half of the example's specs are wrong on purpose.
if [ "$code" != 1 ]; then
    echo "demo: expected exit code 1, for the counterexamples that are there on purpose, and got $code" >&2
    exit 1
fi
echo "demo: these counterexamples are there on purpose; cargo target found them, and ended with exit code 1"
