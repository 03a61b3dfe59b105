#!/bin/sh
# Passes all tests of the workspace, with what Z3 they need. Arguments go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
exec cargo test --workspace "$@"
