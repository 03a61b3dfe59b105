#!/bin/sh
# Fuzzes all targets, one after the other, and prints how many executions each had. What is found goes to `artifacts`, and
# makes the script end with 1. Installs Z3 and cargo-fuzz if they are missing; needs a nightly toolchain.
#
#     sh workspace-tests/fuzz/run.sh [SECONDS of each target (60)] [TARGET ..]
#
# `MINIMIZE=1` then replaces the seeds by the smallest inputs that reach the same.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- manifest spec count corpus wire regex reports

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
target=${CARGO_TARGET_DIR:-$PWD/target}
if ! command -v cargo-fuzz >/dev/null 2>&1; then
    cargo install --quiet --debug --locked cargo-fuzz --version 0.13.2 --root "$target/fuzz-tools"
    PATH=$target/fuzz-tools/bin:$PATH
fi
cd workspace-tests/fuzz
# Nothing here is unsafe: without a sanitizer there are several times as many executions in the same time.
cargo +nightly fuzz build --fuzz-dir . --sanitizer none --target-dir "$target/fuzz-targets"
programs=$(dirname "$(find "$target/fuzz-targets" -path '*/release/wire' | head -n 1)")
# What goes as deep as values do has a big stack in the tool, too.
ulimit -s 65536 2>/dev/null || true

code=0
for name in "$@"; do
    corpus=$target/fuzz-corpus/$name
    log=$target/fuzz-corpus/$name.log
    mkdir -p "$corpus" "artifacts/$name"
    limits="-timeout=10 -rss_limit_mb=2048 -max_len=8192 -close_fd_mask=1"
    result=fine
    # shellcheck disable=SC2086 # The limits are words.
    "$programs/$name" $limits -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="artifacts/$name/" \
        -dict=words.dict "$corpus" "seeds/$name" >"$log" 2>&1 || { code=1; result="FAILED: see $log and artifacts/$name"; }
    executions=$(awk '/number_of_executed_units/ { print $2 }' "$log")
    memory=$(awk '/peak_rss_mb/ { print $2 }' "$log")
    echo "$name: ${executions:-unknown} executions, at most ${memory:-unknown} MB, $result"
    if [ -n "${MINIMIZE:-}" ]; then
        rm -rf "$target/fuzz-corpus/$name.least"
        mkdir -p "$target/fuzz-corpus/$name.least"
        # shellcheck disable=SC2086
        "$programs/$name" $limits -merge=1 "$target/fuzz-corpus/$name.least" "seeds/$name" "$corpus" >>"$log" 2>&1
        rm -rf "seeds/$name"
        cp -r "$target/fuzz-corpus/$name.least" "seeds/$name"
    fi
done
exit "$code"
