#!/bin/sh
# How soon libFuzzer finds the mistake of the fixture `ledger`: executions to the first crash, with seeds and without, by
# a target with `Arbitrary` and by one written for the spec, over ten seeds of libFuzzer; and the coverage at the start.
# Prints a table in Markdown. Installs cargo-fuzz below the target directory if it is missing. Arguments: the most
# executions of a run (200000).
set -eu
cd "$(dirname "$0")/.."
limit=${1:-200000}

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
cargo build --quiet --package cargo-target
target=${CARGO_TARGET_DIR:-$PWD/target}
strategies=$PWD/strategies
work=$target/fuzz-comparison
mkdir -p "$work"
if ! command -v cargo-fuzz >/dev/null 2>&1; then
    cargo install --quiet --locked cargo-fuzz --version 0.13.2 --root "$work/tools"
    PATH=$work/tools/bin:$PATH
fi
rm -rf "$work/ledger"
cp -r workspace-tests/fixtures/ledger "$work/ledger"
cd "$work/ledger"
printf '\n[patch.crates-io]\ntarget-strategies = { path = "%s" }\n' "$strategies" >>fuzz/Cargo.toml

export CARGO_TARGET_DIR="$work/target"
"$target/debug/cargo-target" target fuzz --quiet --init merge --target by_spec
for name in merge by_spec; do
    "$target/debug/cargo-target" target fuzz merge --quiet --target $name
done
cargo fuzz build --sanitizer none --target-dir "$work/fuzz" 2>/dev/null
programs=$(dirname "$(find "$work/fuzz" -path '*/release/merge' | head -n 1)")

# The executions of a run: target, folder of seeds or nothing, libFuzzer's seed.
executions() {
    rm -rf corpus
    mkdir corpus
    "$programs/$1" -seed="$3" -runs="$limit" -len_control=0 -print_final_stats=1 corpus ${2:+"$2"} 2>&1 |
        awk -v limit="$limit" '/number_of_executed_units/ { print ($2 >= limit ? limit : $2) }'
}

# What libFuzzer has covered when it begins: edges, and features, which count how often as well.
at_start() {
    rm -rf corpus
    mkdir corpus
    "$programs/$1" -seed=1 -runs=0 corpus ${2:+"$2"} 2>&1 | awk '
        /INITED/ { began = 1; for (i = 1; i < NF; i++) n[$i] = $(i + 1) }
        END { print began ? n["cov:"] + 0 " | " n["ft:"] + 0 : "fails first | " }'
}

# A folder of those seeds that the function does not fail on.
passing() {
    rm -rf "passing-$1"
    mkdir "passing-$1"
    for file in "fuzz/seeds/$1"/*; do
        if "$programs/$1" "$file" >/dev/null 2>&1; then
            cp "$file" "passing-$1"
        fi
    done
    echo "passing-$1"
}

row() {
    all=$(for seed in 1 2 3 4 5 6 7 8 9 10; do executions "$2" "$3" $seed; done | sort -n)
    median=$(echo "$all" | awk '{ n[NR] = $1 } END { print int((n[5] + n[6]) / 2) }')
    found=$(echo "$all" | awk -v limit="$limit" '$1 < limit { n++ } END { print n + 0 }')
    [ "$median" -lt "$limit" ] || median="more than $limit"
    echo "| $1 | $found of 10 | $median | $(echo "$all" | head -n 1) | $(at_start "$2" "$3") |"
}

echo "| target | found | executions, median | least | edges at the start | features |"
echo "|---|---|---|---|---|---|"
row "with \`Arbitrary\`, without seeds" merge ""
row "with \`Arbitrary\`, seeds" merge fuzz/seeds/merge
row "with \`Arbitrary\`, only seeds that pass" merge "$(passing merge)"
row "by \`--init\`, without seeds" by_spec ""
row "by \`--init\`, seeds" by_spec fuzz/seeds/by_spec
row "by \`--init\`, only seeds that pass" by_spec "$(passing by_spec)"
