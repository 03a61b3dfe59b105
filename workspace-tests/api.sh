#!/bin/sh
# Prints the table of docs/api.md: ten published crates, chosen before the first try, tested without specs.
#
#     workspace-tests/api.sh            # 15 seconds for each
#     workspace-tests/api.sh 60s slab   # one of them, for a minute
#
# Cargo downloads them into its own cache; copies are made below target/api-crates. What the failures are, only a second look
# can say: they are listed below the table.
set -eu
cd "$(dirname "$0")"
environment=$(sh setup-z3.sh)
eval "$environment"
tool=$(sh release-tool.sh)
exec python3 api.py "$tool" "${1:-15s}" "${2:-}"
