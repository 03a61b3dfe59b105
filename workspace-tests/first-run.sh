#!/bin/sh
# Prints seconds from the command to the first counterexample: with nothing built and an empty cache, in another target
# directory, with the source touched, and with nothing changed. Then those of a whole run on the fixture kiosk. The tool
# is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
tool=$(sh workspace-tests/release-tool.sh)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/crate/src"
cp -r workspace-tests/fixtures/kiosk "$scratch/kiosk"
cat >"$scratch/crate/Cargo.toml" <<'END'
[package]
name = "first"
version = "0.1.0"
edition = "2021"

[workspace]

[package.metadata.target.functions]
half = "fn(x: u8) -> {r: u8 | r <= x}"
sum = "fn(xs: Vec<u8>) -> u8"
first = "fn(xs: Vec<u8>) -> u8"
END
cat >"$scratch/crate/src/lib.rs" <<'END'
pub fn half(x: u8) -> u8 { x / 2 }
pub fn sum(xs: Vec<u8>) -> u8 { xs.iter().map(|x| x + 90).sum() }
pub fn first(xs: Vec<u8>) -> u8 { xs[0] }
END
cd "$scratch/crate"
export CARGO_TARGET_CACHE="$scratch/cache"

# seconds WORDS..: the time until the first line with `counterexample`.
seconds() {
    start=$(date +%s.%N)
    # The tool ends before the next measurement.
    end=$("$tool" target run --no-saved 2>/dev/null | { grep -q counterexample && date +%s.%N; cat >/dev/null; })
    printf '%-34s %s\n' "$1" "$(echo "$end - $start" | bc)"
}

for round in 1 2 3; do
    rm -rf "$scratch/cache" "$scratch/target"
    export CARGO_TARGET_DIR="$scratch/target/a"
    seconds "nothing built, empty cache"
    export CARGO_TARGET_DIR="$scratch/target/b"
    seconds "another target directory"
    echo "// $round" >>src/lib.rs
    seconds "the source touched"
    seconds "nothing changed"
done
cd "$scratch/kiosk"
for round in 1 2 3; do
    export CARGO_TARGET_DIR="$scratch/kiosk-$round"
    start=$(date +%s.%N)
    found=$("$tool" target run --workspace --no-saved 2>/dev/null | tail -n 1 || true)
    printf '%-34s %s (%s)\n' "kiosk, nothing built" "$(echo "$(date +%s.%N) - $start" | bc)" "$found"
done
