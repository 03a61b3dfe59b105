#!/bin/sh
# Runs a crate with many functions, and tells what the run and its report take: docs/reports.md has the figures.
#
#     sh workspace-tests/large-run.sh [FUNCTIONS] [CASES]
#
# TOOL names a binary to take instead of one built for it; PAGE a place for the page. The functions are of four kinds; every tenth has a mistake.
set -eu
cd "$(dirname "$0")/.."

functions=${1:-1000}
cases=${2:-2000}
environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ -n "${TOOL:-}" ]; then
    tool=$TOOL
else
    cargo build --quiet --release --package cargo-target --bin cargo-target
    target=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
    tool=$target/release/cargo-target
fi

mkdir -p "$scratch/many/src"
{
    printf '[package]\nname = "many"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n\n'
    printf '[package.metadata.target]\ncases = %s\ndepth = 5\n\n[package.metadata.target.functions]\n' "$cases"
} >"$scratch/many/Cargo.toml"
n=0
while [ "$n" -lt "$functions" ]; do
    case $((n % 10)) in
    0) spec='fn(xs: {v: Vec<i64> | v.len() > 0}) -> {v: i64 | xs.contains(v)}'
       code='(xs: \&[i64]) -> i64 { if xs.len() == 3 { -9 } else { xs[0] } }' ;;
    [1-4]) spec='fn(xs: {v: Vec<i64> | v.windows(2).all(|w| w[0] <= w[1])}) -> {v: usize | v <= xs.len()}'
       code='(xs: \&[i64]) -> usize { xs.len() }' ;;
    [5-7]) spec='fn(a: {v: i64 | 0 <= v}, b: {v: i64 | v < a}) -> {v: i64 | 0 < v}'
       code='(a: i64, b: i64) -> i64 { a.saturating_sub(b) }' ;;
    *) spec='fn(s: {v: String | v.len() <= 4}, n: {v: usize | v <= s.len()}) -> {v: usize | v <= 4}'
       code='(s: \&str, n: usize) -> usize { s.len() - n }' ;;
    esac
    echo "f$n = \"$spec\"" >>"$scratch/many/Cargo.toml"
    echo "pub fn f$n$code" | sed 's/\\&/\&/' >>"$scratch/many/src/lib.rs"
    n=$((n + 1))
done

export CARGO_TARGET_DIR="$scratch/target"
cd "$scratch/many"
# Prints the time and the greatest memory of a command, of itself (where there is /proc) and of any of its children.
measured() {
    python3 - "$@" <<'PYTHON'
import re, resource, subprocess, sys, time
began = time.time()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
own = "?"
while process.poll() is None:
    try:
        with open(f"/proc/{process.pid}/status") as status:
            peak = re.search(r"VmHWM:\s*(\d+)", status.read())
        own = f"{int(peak[1]) / 1024:.0f}" if peak else own
    except OSError:
        pass
    time.sleep(0.02)
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{time.time() - began:.1f} s, at most {own} MiB itself, {memory:.0f} MiB any process, exit code {process.returncode}")
PYTHON
}
# The first one builds, for all functions.
echo "build:       $(measured "$tool" target run --quiet --exact f1)"
echo "run:         $(measured "$tool" target run --quiet)"
run=$(ls -d "$CARGO_TARGET_DIR"/cargo-target/runs*/* | tail -n 1)
echo "report html: $(measured "$tool" target report --format html)"
echo "report text: $(measured "$tool" target report)"
ls -l "$run" | awk 'NR > 1 { printf "%s: %.1f MB\n", $NF, $5 / 1e6 }'
[ -z "${PAGE:-}" ] || cp "$run/report.html" "$PAGE"
