#!/bin/sh
# Passes all tests of the workspace, with the Z3 and the browser that they need. Arguments go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
sh workspace-tests/setup-chromium.sh
exec cargo test --workspace "$@"
