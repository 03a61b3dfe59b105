"""Writes docs/race.md from the results of the contestants: their first failures of each bug, and geometric means."""

import json
import math
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from failures import geometric, shown, valid_to_failure

results, budget = pathlib.Path(sys.argv[1]), sys.argv[2]
HAND = ["expert", "quick", "bolero", "hegel"]
TOOL = ["auto", "random", "enumerative"]
ALL = TOOL[:1] + HAND + TOOL[1:]
CASES = 10_000


def bugs():
    for line in (pathlib.Path(__file__).parent / "bugs.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield line.split()


def rounds(bug):
    """For each contestant, its rounds: the case and the second of the first failure, or None."""
    found = {}
    for line in read(results / f"{bug}.hand"):
        pairs = zip(line["cases"], line["seconds"])
        found[line["contestant"]] = [None if case is None else (case, second) for case, second in pairs]
    for line in read(results / f"{bug}.tool"):
        if line["reason"] == "function-finished":
            case, second = valid_to_failure(line), line.get("seconds_to_failure")
            late = case is None or case > CASES
            found.setdefault(line["generator"], []).append(None if late else (case, second))
    return found


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def median(rounds, which):
    """The median over all rounds, where a round without a failure is infinite."""
    return statistics.median_high([math.inf if r is None else r[which] for r in rounds])


def cell(rounds, best):
    if rounds is None:
        return "not run"
    n_found = sum(r is not None for r in rounds)
    case = median(rounds, 0)
    if case == math.inf:
        return f"none ({n_found}/10)" if n_found else "none"
    text = f"{case:g}, {shown(median(rounds, 1))}" + (f" ({n_found}/10)" if n_found < 10 else "")
    return f"**{text}**" if case == best else text


table = [(fixture, bug, rounds(bug)) for fixture, bug, _ in bugs()]
table = [row for row in table if row[2]]
whole = [row for row in table if all(name in row[2] for name in ALL)]


def case_of(row, name):
    return median(row[2][name], 0)


def seconds_of(row, name):
    return median(row[2][name], 1)


def page():
    yield f"""# A race with generators written by hand

The first failure of {len(whole)} bugs of the fixtures, by the generators of `cargo target` and by generators written by hand. The generators
written by hand have one author, who knew the bugs; the order of `auto` was chosen with the same bugs at hand. This page is the output of

```console
$ sh workspace-tests/race.sh {budget}
```

on a machine with 2 processors that did other work, too. Read times as magnitudes.

| contestant | what it is |
|---|---|
| `auto` | the default generator of `cargo target`, from the spec |
| `expert` | a proptest strategy as an expert writes it: valid by construction, with sizes up to 20 to 50 and numbers chosen for the function |
| `quick` | a proptest strategy as one writes it in five minutes: `any`, `vec` and `prop_recursive` with their defaults, and a filter |
| `bolero` | the expert's idea with the generators of bolero-generator, and a driver of random bytes without a fuzzer |
| `hegel` | the expert's idea with the generators of hegeltest, and its own engine |
| `random` | a baseline of `cargo target`: proptest's strategies for the types of the spec, filtered |
| `enumerative` | a baseline of `cargo target`: all values by size, filtered |

Each has ten rounds with seeds 0 to 9. A round ends with the first failure, after {CASES:,} valid cases, or after {budget}ms. The property is the
postcondition of the spec, for contestants written by hand as Rust code. They run in one process, which a crash would end.
`cargo target` runs a child process, and its time includes planning: a millisecond at least.

`auto` stops when it has run the whole space and a share of inputs beyond it, so it may
find nothing with most of its cases and time left. No time includes a build. The tool says at which of all cases the first failure was; if some of
these were discarded, the number of valid ones is interpolated from the counts along the run. All code is built with optimization, overflow checks and debug assertions.

- `24, 7.0ms`: the median of the rounds is the 24th valid case after 7.0 milliseconds. `(8/10)`: the other two rounds found nothing.
- `none`: at least half of the rounds found nothing.
- Bold has the fewest cases of its row.

## Summary

A geometric mean can't have `none`: for it, `none` counts as {CASES:,} cases and as the {budget}ms of a round.

| contestant | bugs found | in rounds | geometric mean of cases | of time | fewest cases | fewer cases than `auto` | more | cases, over those of `auto` |
|---|--:|--:|--:|--:|--:|--:|--:|--:|"""
    limit = float(budget) / 1000
    for name in ALL:
        cases = [case_of(row, name) for row in whole]
        auto = [case_of(row, "auto") for row in whole]
        seconds = [min(seconds_of(row, name), limit) for row in whole]
        best = sum(case == min(case_of(row, other) for other in ALL) < math.inf for row, case in zip(whole, cases))
        capped = [min(case, CASES) for case in cases]
        n_found = sum(r is not None for row in whole for r in row[2][name])
        ratio = geometric([case / min(other, CASES) for case, other in zip(capped, auto)])
        less = sum(case < other for case, other in zip(cases, auto))
        more = sum(case > other for case, other in zip(cases, auto))
        yield (
            f"| `{name}` | {sum(case < math.inf for case in cases)} of {len(whole)} "
            f"| {n_found} of {10 * len(whole)} | {geometric(capped):.0f} "
            f"| {shown(geometric(seconds))} | {best} | {less} | {more} | {ratio:.2f} |"
        )
    yield f"""
On the bugs that both found, the geometric mean of cases of each contestant, over that of `auto`:
"""
    yield "| contestant | bugs that both found | cases, over those of `auto` | time, over that of `auto` |"
    yield "|---|--:|--:|--:|"
    for name in ALL[1:]:
        both = [row for row in whole if max(case_of(row, name), case_of(row, "auto")) < math.inf]
        cases = geometric([case_of(row, name) / case_of(row, "auto") for row in both])
        times = geometric([seconds_of(row, name) / seconds_of(row, "auto") for row in both])
        yield f"| `{name}` | {len(both)} | {cases:.2f} | {times:.2g} |"
    yield """
## By fixture

The bugs found, and the geometric mean of cases.
"""
    yield "| fixture | " + " | ".join(f"`{name}`" for name in ALL) + " |"
    yield "|---" + "|--:" * len(ALL) + "|"
    for fixture in dict.fromkeys(row[0] for row in whole):
        rows = [row for row in whole if row[0] == fixture]
        cells = []
        for name in ALL:
            cases = [case_of(row, name) for row in rows]
            n_found = sum(case < math.inf for case in cases)
            cells.append(f"{n_found} of {len(rows)}, {geometric([min(case, CASES) for case in cases]):.0f}")
        yield f"| {fixture} | " + " | ".join(cells) + " |"
    yield """
## Where `auto` loses

The bugs for which a contestant written by hand needs at most half of the cases of `auto`, or finds what `auto` doesn't; the factor is
that of the best one.
"""
    losses = []
    for row in whole:
        best = min(HAND, key=lambda name: case_of(row, name))
        case, auto = case_of(row, best), case_of(row, "auto")
        if case < math.inf and 2 * case <= auto:
            losses.append((auto / case, row, best))
    yield "| bug | `auto` | best by hand | factor |"
    yield "|---|---|---|--:|"
    for factor, row, best in sorted(losses, key=lambda loss: -loss[0]):
        times = "" if factor == math.inf else f"{factor:.0f}" if factor >= 10 else f"{factor:.1f}"
        yield f"| {row[0]}: {row[1]} | {cell(row[2]['auto'], None)} | {best}: {cell(row[2][best], None)} | {times} |"
    unfound = [f"`{row[1]}`" for row in whole if min(case_of(row, name) for name in ALL) == math.inf]
    if unfound:
        yield f"\nNobody found {', '.join(unfound)}."
    yield """
## All bugs
"""
    yield "| bug | " + " | ".join(f"`{name}`" for name in ALL) + " |"
    yield "|---" * (len(ALL) + 1) + "|"
    for row in table:
        fixture, bug, found = row
        best = min((median(r, 0) for r in found.values()), default=math.inf)
        yield f"| {fixture}: {bug} | " + " | ".join(cell(found.get(name), best) for name in ALL) + " |"


print("\n".join(page()))
