#!/bin/sh
# Measures which lines of 18 programs that read strings are reached by strings of `cargo target`, proptest and hegel, and writes docs/strings.md.
# Arguments: the numbers of strings of a program (`10 50`; with `-` only the page is written), the number of seeds for what is random (5).
# The tool is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
numbers=${1:-10 50}
seeds=${2:-5}
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/strings
results=$work/results
programs=$(sed -n 's/^pub mod \(.*\);$/\1/p' workspace-tests/fixtures/strings/src/lib.rs)
mkdir -p "$results"

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
tool=$(sh workspace-tests/release-tool.sh)

# Runs the specs of one kind with a generator, a seed and a number of strings. Where no string of a program is found, the exit code is 2.
reach() {
    kind=$1
    name=$2-$4-$3
    echo "$name" >&2
    # shellcheck disable=SC2046
    CARGO_TARGET_DIR="$work/tool" "$tool" target run --quiet --no-saved --manifest-path "$work/fixture/Cargo.toml" --generator "$5" \
        --seed "$3" --cases "$4" --budget "$6" --coverage --message-format json \
        --exact $(for program in $programs; do echo "${program}_$kind"; done) >"$results/$name.json" || [ $? = 2 ]
}

[ "$numbers" = - ] || {
    CARGO_TARGET_DIR="$work/hand" cargo build --quiet --release --manifest-path workspace-tests/race/Cargo.toml --package race-strings
    rm -rf "$work/fixture" "$results"
    mkdir -p "$results"
    # The tool writes a lock file next to a manifest.
    cp -r workspace-tests/fixtures/strings "$work/fixture"
    sed -i.old 's|include = \[|include = ["specs/made.toml", |' "$work/fixture/Cargo.toml"
    for n in $numbers; do
        : >"$work/fixture/specs/made.toml"
        for kind in plain expression not_equal cover cases_unequal cases_cover; do
            reach "$kind" "$kind" 0 "$n" auto 60s
        done
        seed=0
        while [ "$seed" -lt "$seeds" ]; do
            reach expression random "$seed" "$n" random 2s
            for library in proptest hegel; do
                "$work/hand/release/race-strings" "$library" "$seed" "$n" <workspace-tests/fixtures/strings/Cargo.toml \
                    >"$work/fixture/specs/made.toml"
                reach "$library" "$library" "$seed" "$n" auto 10s
            done
            seed=$((seed + 1))
        done
    done
}

python3 workspace-tests/race/strings/page.py "$results" >"$work/page.md"
mv "$work/page.md" docs/strings.md
echo "docs/strings.md is written" >&2
