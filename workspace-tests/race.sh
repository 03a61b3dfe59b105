#!/bin/sh
# Races `cargo target` against generators written by hand, on the bugs in workspace-tests/race/bugs.txt, and writes docs/race.md.
# Arguments: the time limit of a round in milliseconds (1000), the contestants to run (`tool hand`; with `-` only the page is written).
# The tool is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
budget=${1:-1000}
parts=${2:-tool hand}
[ "$parts" != - ] || parts=
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/race
mkdir -p "$work/results"

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
tool=$(sh workspace-tests/release-tool.sh)

# What a command prints, which is kept if it succeeds.
keep() {
    file=$1
    shift
    if "$@" >"$file.new" 2>"$work/error"; then
        mv "$file.new" "$file"
    else
        cat "$work/error" >&2
    fi
}

race_tool() {
    keep "$work/results/$2.tool" env CARGO_TARGET_DIR="$work/tool" "$tool" target compare-generators --quiet \
        --manifest-path "$work/fixtures/$1/Cargo.toml" --generator auto,random,enumerative --repeat 10 --cases 10000 \
        --budget "${budget}ms" --features "$2" --message-format json --exact "$3"
}

race_by_hand() {
    CARGO_TARGET_DIR="$work/hand" cargo build --quiet --release --manifest-path workspace-tests/race/Cargo.toml \
        --package "race-$1" --features "$2"
    keep "$work/results/$2.hand" "$work/hand/release/race-$1" "$budget"
}

# The tool writes lock files next to manifests.
rm -rf "$work/fixtures"
cp -r workspace-tests/fixtures "$work/fixtures"
for part in $parts; do
    grep -v '^#' workspace-tests/race/bugs.txt | while read -r fixture bug function; do
        [ -z "${ONLY:-}" ] || [ "$ONLY" = "$fixture" ] || continue
        echo "$part: $fixture $bug" >&2
        case $part in
            tool) race_tool "$fixture" "$bug" "$function" ;;
            hand) race_by_hand "$fixture" "$bug" ;;
        esac
    done
done

python3 workspace-tests/race/page.py "$work/results" "$budget" >docs/race.md
echo "docs/race.md is written" >&2
