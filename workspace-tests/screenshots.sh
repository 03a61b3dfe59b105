#!/bin/sh
# Makes the pictures of the page in docs/images anew, from a run of the fixture `scores`.
set -eu
cd "$(dirname "$0")/.."

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
sh workspace-tests/setup-chromium.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R workspace-tests/fixtures/scores "$scratch"
cargo build --quiet --package cargo-target --bin cargo-target
target=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
# It ends with 1, since functions of the fixture fail.
(cd "$scratch/scores" && CARGO_TARGET_DIR="$scratch/target" "$target/debug/cargo-target" target run --repeat 5) || true
(cd "$scratch/scores" && CARGO_TARGET_DIR="$scratch/target" "$target/debug/cargo-target" target report --format html \
    -o "$scratch/report.html")
mkdir -p docs/images
cargo run --quiet --package workspace-tests --example screenshots -- "$scratch/report.html" average_nonzero insert \
    docs/images
