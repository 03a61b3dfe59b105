#!/bin/sh
# Compares `cargo target` with generators written by hand on the 40 bugs of the fixture `assorted`, and writes docs/assorted.md.
# Arguments: the time limit of a round in milliseconds (1000; with `-` only the page is written).
# The tool is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
budget=${1:-1000}
work=${CARGO_TARGET_DIR:-$PWD/target}/assorted
bugs=workspace-tests/race/assorted/bugs.txt

[ "$budget" = - ] || {
    environment=$(sh workspace-tests/setup-z3.sh)
    eval "$environment"
    tool=$(sh workspace-tests/release-tool.sh)
    CARGO_TARGET_DIR="$work/hand" cargo build --quiet --release --manifest-path workspace-tests/race/Cargo.toml --package race-assorted
    rm -rf "$work/fixture" "$work/results"
    mkdir -p "$work/results"
    # The tool writes a lock file next to a manifest.
    cp -r workspace-tests/fixtures/assorted "$work/fixture"
    grep -v '^#' "$bugs" | while read -r bug function; do
        echo "$bug" >&2
        CARGO_TARGET_DIR="$work/tool" "$tool" target compare-generators --quiet --manifest-path "$work/fixture/Cargo.toml" \
            --generator auto --repeat 10 --cases 10000 --budget "${budget}ms" --features "$bug" \
            --message-format json --exact "$function" >"$work/results/$bug.json" </dev/null || [ $? = 1 ]
        "$work/hand/release/race-assorted" "$bug" "$function" >"$work/results/$bug.expert" </dev/null
    done
    echo "$budget" >"$work/results/budget"
}
python3 workspace-tests/race/assorted/page.py "$work/results" "$bugs" >docs/assorted.md
echo "docs/assorted.md is written" >&2
