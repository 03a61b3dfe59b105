#!/bin/sh
# Prints what `cargo target suggest` says of the functions of the fixtures, next to the parameters and conditions of their own specs, as
# a Markdown table, with what up to 100,000 other inputs say of the suggestion.
#
#     workspace-tests/suggest.sh            # a second for each exploration
#     workspace-tests/suggest.sh 5s maps    # one of the fixtures, with more time
#
# Which suggestions are as strong as the spec, only a second look can say.
set -eu
cd "$(dirname "$0")"
environment=$(sh setup-z3.sh)
eval "$environment"
tool=$(sh release-tool.sh)
exec python3 suggest.py "$tool" "${1:-1s}" "${2:-}"
