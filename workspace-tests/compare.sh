#!/bin/sh
# Compares the generators on every mistake that a fixture plants, over ten seeds, and writes docs/comparison.md.
# Arguments: the time limit of a generator in a round (300ms).
# The tool is built, unless CARGO_TARGET_TOOL names a binary of it.
set -eu
cd "$(dirname "$0")/.."
budget=${1:-300ms}

sh workspace-tests/fetch.sh
environment=$(sh workspace-tests/setup-z3.sh)
eval "$environment"
tool=$(sh workspace-tests/release-tool.sh)
target=${CARGO_TARGET_DIR:-$PWD/target}
work=$target/comparison
rm -rf "$work/fixtures"
mkdir -p "$work"
cp -r workspace-tests/fixtures "$work/fixtures"
export CARGO_TARGET_DIR="$work/target" CARGO_NET_OFFLINE=true
events=$work/events.jsonl
: >"$events"

# Compares on some functions of a fixture: its name, a feature or nothing, the functions.
compare() {
    fixture=$1
    feature=$2
    shift 2
    echo "$fixture: ${feature:-$*}" >&2
    "$tool" target compare-generators --quiet --manifest-path "$work/fixtures/$fixture/Cargo.toml" --budget "$budget" \
        --generator auto,native,smt,random,enumerative \
        ${feature:+--features "$feature"} --message-format json --exact "$@" >"$work/run.jsonl"
    # One record of all runs: functions are told apart by what is wrong with them.
    [ -s "$events" ] || grep '"reason":"run-started"' "$work/run.jsonl" >"$events"
    grep '"reason":"function-finished"' "$work/run.jsonl" |
        sed "s|\"function\":\"\([^\"]*\)\"|\"function\":\"$fixture: ${feature:-\1}\"|" >>"$events"
}

compare scores "" rescale_nat average_any average_nonzero best_any
compare irulan "" tree::insert
compare hostile "" panics aborts overflows_the_stack exits exits_quietly overflows forgets_to_panic allocates
compare ledger "" merge depth label shout
compare shapes bug Heap::push
compare vault planted deep::inner::secret

compare trees list-insert-unique-repeats-last list::insert_unique
compare trees list-merge-drops-equal list::merge
compare trees rbtree-insert-misses-a-rotation rbtree::insert
compare trees rbtree-insert-leaves-the-root-red rbtree::insert
compare trees rbtree-delete-forgets-to-rebalance rbtree::delete
compare trees rbtree-delete-keeps-the-nephew-black rbtree::delete
compare trees avl-insert-rotates-once avl::insert
compare trees avl-delete-forgets-to-rebalance avl::delete
compare trees avl-rotation-keeps-the-height avl::delete
compare trees bst-delete-repeats-the-successor bst::delete
compare trees bst-join-loses-a-branch bst::join

compare maps balance-rotates-once insert
compare maps delete-keeps-the-size delete
compare maps glue-takes-from-the-left delete
compare maps link-forgets-to-rebalance link
compare maps split-loses-the-middle split
compare maps union-prefers-the-right union
compare maps difference-keeps-a-root difference

compare arrays heap-sinks-to-the-left HeapArray::extract_max
compare arrays heap-leaves-the-freed-cell HeapArray::extract_max
compare arrays heap-grows-by-zeros HeapArray::insert
compare arrays intervals-stay-adjacent IntervalSet::add
compare arrays intervals-remove-one-too-few IntervalSet::remove
compare arrays intervals-forget-the-longer IntervalSet::add
compare arrays ring-pop-runs-over-the-end RingBuffer::pop
compare arrays ring-resize-keeps-the-wrap RingBuffer::resize
compare arrays graph-sort-sees-short-cycles-only Graph::topological_sort
compare arrays graph-path-marks-late Graph::shortest_path
compare arrays graph-reachable-in-one-sweep Graph::reachable

compare stackset focus-up-wraps-unreversed Stack::focus_up
compare stackset focus-down-wraps-unreversed Stack::focus_down
compare stackset swap-up-wraps-unreversed laws::swap_keeps_the_others
compare stackset swap-master-loses-the-order StackSet::swap_master
compare stackset insert-up-looks-here-only StackSet::insert_up
compare stackset delete-loses-the-last-focus StackSet::delete
compare stackset view-drops-an-empty-workspace StackSet::view
compare stackset greedy-view-forgets-a-screen StackSet::greedy_view
compare stackset shift-leaves-the-window StackSet::shift

compare lambda substitute-captures substitute
compare lambda substitute-ignores-shadowing substitute
compare lambda rename-captures rename
compare lambda alpha-looks-one-way alpha_equal
compare lambda step-stops-at-variables step
compare lambda typed-substitute-keeps-the-index typed_substitute_keeps_the_type
compare lambda typed-shift-keeps-the-cutoff typed::shift
compare lambda infer-forgets-the-argument typed::infer

compare dates leap-years-ignore-centuries next_day
compare dates next-day-keeps-the-year next_day
compare dates days-between-counts-the-leap-day-early days_between
compare dates days-left-forgets-leap-years days_left
compare dates bump-keeps-the-patch bump
compare dates compatible-forgets-zero compatible
compare dates largest-starts-at-zero largest

# Beyond the bounds of the other fixtures.
compare thresholds inline-spill-loses-one small::collect
compare thresholds node-split-loses-the-median node::sorted_keys
compare thresholds table-growth-keeps-the-slots table::contains
compare thresholds ring-is-read-from-its-start ring::last
compare thresholds count-takes-bytes-for-characters text::count
compare thresholds cut-splits-wide-characters text::cut
compare thresholds reverse-swaps-two-bytes-of-three text::reverse
compare thresholds run-of-ten-wraps runs
compare thresholds leap-day-in-every-century calendar::day_of_year
compare thresholds no-leap-day-every-four-centuries calendar::days_in_month
compare thresholds ones-of-seven-bits bits::ones
compare thresholds varint-ends-at-128 varint
compare thresholds varint-loses-the-third-byte varint
compare thresholds merge-sort-drops-the-tail sort::sort
compare thresholds gallop-stops-short sort::find
compare thresholds numeral-wraps-at-twenty-digits numeral::parse
compare thresholds digits-of-a-power-of-ten numeral::digits
compare thresholds decimal-negates-the-least radix
compare thresholds sum-wraps arithmetic::sum
compare thresholds average-overflows arithmetic::average
compare thresholds percent-overflows arithmetic::percent
compare thresholds bitset-skips-the-first-bit-of-a-word bits::sorted
compare thresholds nesting-is-counted-to-fifteen text::nesting

{
    cat <<END
# Which generator finds which bug

All bugs planted in the fixtures, for the default generator \`auto\` and each other one, in ten rounds with seeds 0 to 9. A round has at most $budget and 10,000
valid inputs, and the bounds of the fixture. This page is the output of

\`\`\`console
\$ sh workspace-tests/compare.sh $budget
\`\`\`

on a machine with 2 processors. Read times as magnitudes, and \`none\` as "not within so short a time". The short time is hardest for generators that plan or solve first. All generators have the same
machine, harness, judge and order of functions. No two run at the same time on the same function. The seed
changes the samples of \`random\`, and how Z3 breaks ties. Otherwise each round has the same cases, and only times differ.

The baselines are part of \`cargo target\`. Generators written by hand are in [another table](race.md).

- \`10/10, case 5, 1.1ms\`: found in all ten rounds; the medians of these rounds are the fifth case and 1.1 milliseconds. The
  time includes planning, and not the build. The child's process is made when the child before it ends.
- \`none\`: not found within the limits.
END
    # The heading is another one here, and neither settings nor details are wanted.
    "$tool" target report "$events" --format markdown | sed '1d; /^<sub>/d; /^\*\*the run did not/d'
    python3 workspace-tests/comparison.py "$events"
} >docs/comparison.md
echo "docs/comparison.md is written" >&2
