#!/bin/sh
# Downloads the dependencies of the fixtures, in the versions of their lock files: tests, benches and comparisons use copies
# of the fixtures, and run offline. What is already in CARGO_HOME is not downloaded again.
set -eu
cd "$(dirname "$0")/fixtures"

# Of our own, those of other systems too: cargo wants to know them all where tests run it offline.
cargo fetch --quiet --locked --manifest-path ../../Cargo.toml

for lock in */Cargo.lock */fuzz/Cargo.lock; do
    # A lock file that only a run left behind names no registry.
    if grep -q '^source = ' "$lock"; then
        cargo fetch --quiet --locked --manifest-path "${lock%Cargo.lock}Cargo.toml"
    fi
done
