"""Writes the page of `workspace-tests/assorted.sh` from the results in a folder: page.py RESULTS BUGS."""

import json
import math
import pathlib
import statistics
import sys

CAP = 10_000
folder = pathlib.Path(sys.argv[1])
lines = pathlib.Path(sys.argv[2]).read_text().splitlines()
bugs = [line.split() for line in lines if not line.startswith("#")]
budget = (folder / "budget").read_text().strip()


def rounds(bug):
    """The case of the first failure of each round of `auto`, CAP where none failed."""
    records = map(json.loads, (folder / f"{bug}.json").read_text().splitlines())
    finished = (r for r in records if r["reason"] == "function-finished")
    return [r["cases_to_failure"] or CAP for r in finished]


def cell(median, found):
    """A median, and the number of rounds that found the bug unless all did."""
    number = "none" if median >= CAP else f"{median:g}"
    return number if found == 10 else f"{number} ({found}/10)"


rows, means = [], {"auto": [], "expert": []}
for bug, function in bugs:
    _, median, found = (folder / f"{bug}.expert").read_text().split()
    cases = rounds(bug)
    cells = {
        "auto": (statistics.median(cases), sum(n < CAP for n in cases)),
        "expert": (float(median), int(found)),
    }
    for name, (median, _) in cells.items():
        means[name].append(median)
    rows.append(f"| {bug} | " + " | ".join(cell(*cells[name]) for name in means) + " |")

print(f"""# Beside an expert, on bugs of another author

The first failure of {len(bugs)} bugs in ordinary structures, numbers and texts: heaps, tries, segment trees, sets of groups, polynomials, big numbers,
gap buffers, caches, schedules, CSV, B-tree nodes. Bugs, specs and the generators by hand are of one author, who had not seen how `auto` generates. The bugs were
chosen first; later changes of `auto` were tried on them. This page is the output of

```console
$ sh workspace-tests/assorted.sh {budget}
```

`expert` is a proptest strategy as an expert writes it: valid by construction, with sizes to about 20 and numbers that suit the function.
Each has ten rounds with seeds 0 to 9; a round ends with the first failure, after 10,000 valid cases, and for `cargo target` after {budget} ms. The table has the medians of the
rounds. `none`: at least half of the rounds found nothing. `(8/10)`: the other two rounds found nothing.

| bug | """ + " | ".join(f"`{name}`" for name in means) + """ |
|---|--:|--:|""")
print("\n".join(rows))
gm = {name: math.exp(sum(map(math.log, cases)) / len(cases)) for name, cases in means.items()}
print("| **geometric mean**, `none` as 10,000 | " + " | ".join(f"{gm[name]:.1f}" for name in means) + " |")
n_found = {name: sum(n < CAP for n in cases) for name, cases in means.items()}
print("| **bugs found in most rounds** | " + " | ".join(f"{n_found[name]}" for name in means) + " |")
