#!/bin/sh
# Runs all tests of the workspace. Installs Z3 and a browser if they are missing, and downloads the dependencies of the
# fixtures. Arguments go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."

environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
sh workspace-tests/setup-chromium.sh
sh workspace-tests/fetch.sh
exec cargo test --workspace "$@"
