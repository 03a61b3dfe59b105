#!/bin/sh
# Prints the table of docs/parsers.md: ten published parsers, with round trips as specs (workspace-tests/parsers).
#
#     workspace-tests/parsers.sh       # 2 seconds for each function
#     workspace-tests/parsers.sh 10s
#
# Cargo downloads them into its own cache. The tool is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
tool=$(sh workspace-tests/release-tool.sh)
exec python3 workspace-tests/parsers.py "$tool" "${1:-2s}"
