#!/bin/sh
# Tests functions that take functions by `cargo target`, QuickCheck, LeanCheck and SmallCheck, and writes docs/functions.md.
# Arguments: the parts to run (`tool haskell`; with `-` only the page is written).
# LeanCheck's sources are those in the folder that LEANCHECK names, the one with Test/LeanCheck.hs, or else are downloaded.
# The tool is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
parts=${1:-tool haskell}
[ "$parts" != - ] || parts=
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/functions
mkdir -p "$work/results" "$work/build"

need() {
    if ! "$@" >/dev/null 2>&1; then
        echo "functions.sh: no answer from '$*'; it needs GHC, QuickCheck and SmallCheck, on Debian and Ubuntu by" \
            "apt-get install ghc libghc-quickcheck2-dev libghc-smallcheck-dev" >&2
        exit 1
    fi
}

# Runs a command of the tool on a copy of the fixture, as the tool writes lock files next to manifests.
run_tool() {
    file=$1
    shift
    rm -rf "$work/callbacks"
    cp -r workspace-tests/fixtures/callbacks "$work/callbacks"
    status=0
    CARGO_TARGET_DIR="$work/tool" "$tool" target "$@" --quiet --manifest-path "$work/callbacks/Cargo.toml" --generator auto \
        --jobs 1 --cases 10000 --budget 10s --message-format json >"$file.new" || status=$?
    # 1 says that there are counterexamples.
    [ "$status" -le 1 ] || exit "$status"
    mv "$file.new" "$file"
}

find_leancheck() {
    if [ -z "${LEANCHECK:-}" ]; then
        LEANCHECK=$work/leancheck/src
        if [ ! -e "$LEANCHECK" ]; then
            # Version 1.0.5.
            git init --quiet "$work/leancheck"
            git -C "$work/leancheck" fetch --quiet --depth 1 https://github.com/rudymatela/leancheck \
                165ddff08791c360def741023931fdea6eeca851
            git -C "$work/leancheck" checkout --quiet FETCH_HEAD
        fi
    fi
    if [ ! -e "$LEANCHECK/Test/LeanCheck.hs" ]; then
        echo "functions.sh: no Test/LeanCheck.hs in '$LEANCHECK'; let LEANCHECK name the folder that has it" >&2
        exit 1
    fi
}

# The results of a program in Haskell.
run_haskell() {
    echo "$1" >&2
    ghc -v0 -O "-iworkspace-tests/functions:$LEANCHECK" -outputdir "$work/build/$1" -o "$work/build/$1-program" \
        "workspace-tests/functions/$1.hs"
    "$work/build/$1-program" >"$work/results/$1.new"
    mv "$work/results/$1.new" "$work/results/$1"
}

for part in $parts; do
    case $part in
        tool)
            environment=$(sh workspace-tests/setup-z3.sh)
            eval "$environment"
            tool=$(sh workspace-tests/release-tool.sh)
            echo "cargo target" >&2
            run_tool "$work/results/run" run --no-saved
            run_tool "$work/results/compared" compare-generators --repeat 10 _wrong
            ;;
        haskell)
            need ghc --numeric-version
            need ghc-pkg latest QuickCheck
            need ghc-pkg latest smallcheck
            find_leancheck
            {
                echo "GHC $(ghc --numeric-version)"
                ghc-pkg latest QuickCheck
                ghc-pkg latest smallcheck
                sed -n 's/^version: */leancheck-/p' "$LEANCHECK/../leancheck.cabal" 2>/dev/null || true
            } >"$work/results/versions"
            for program in Quick Lean Small; do
                run_haskell "$program"
            done
            ;;
    esac
done

python3 workspace-tests/functions/page.py "$work/results" >"$work/page"
mv "$work/page" docs/functions.md
echo "docs/functions.md is written" >&2
