#!/bin/sh
# Prints a table: what inputs reach in ten published crates with `run --api`, libFuzzer with `Arbitrary`, and
# proptest's `any`, on the functions of workspace-tests/reach/drive.
#
#     workspace-tests/reach.sh            # 20 seconds for each crate with each of the three
#     workspace-tests/reach.sh 60 slab    # one of them, for a minute
#
# Each uses one processor. All calls are logged; rustc's coverage counters are counted when a program replays the logs.
# Needs a nightly toolchain, and installs cargo-fuzz below the target directory if it is missing.
set -eu
cd "$(dirname "$0")"
environment=$(sh setup-z3.sh)
eval "$environment"
tool=$(sh release-tool.sh)
if ! command -v cargo-fuzz >/dev/null 2>&1; then
    tools=${CARGO_TARGET_DIR:-$PWD/../target}/fuzz-tools
    cargo install --quiet --locked cargo-fuzz --version 0.13.2 --root "$tools"
    PATH=$tools/bin:$PATH
fi
exec python3 reach.py "$tool" "${1:-20}" "${2:-}"
