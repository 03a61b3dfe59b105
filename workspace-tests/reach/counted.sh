#!/bin/sh
# The compiler, for replay: only the ten crates get coverage counters.
case ${CARGO_MANIFEST_DIR:-} in
*/copies/crates/*) exec "$@" -Cinstrument-coverage ;;
*) exec "$@" ;;
esac
