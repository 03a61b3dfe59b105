"""Prints how the default generator compares with the best of the others on each bug, from the events of compare.sh."""

import json
import math
import pathlib
import statistics
import sys


def main():
    rounds = {}
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        row = json.loads(line)
        if row["reason"] == "function-finished":
            first = (row.get("cases_to_failure"), row.get("seconds_to_failure"))
            rounds.setdefault(row["function"], {}).setdefault(row["generator"], []).append(first)
    found, missed, alone = [], [], []
    for bug, generators in rounds.items():
        cases, seconds = ({name: median(all, which) for name, all in generators.items()} for which in (0, 1))
        auto = cases.pop("auto"), seconds.pop("auto")
        least = min(cases.values()), min(seconds.values())
        if min(auto[0], least[0]) == math.inf:
            continue
        if auto[0] == math.inf:
            missed.append(bug)
        elif least[0] == math.inf:
            alone.append(bug)
        else:
            found.append((auto[0] / least[0], auto[1] / least[1]))
    n = len(found) + len(missed)
    print(f"""
## The default beside the best of the others

On the {n} bugs that another generator finds in more than half of the rounds, against the one with the fewest cases or the least time:

- `auto` needs at most three times the cases on {share(found, 0, 3, n)}; in the median, {statistics.median(f[0] for f in found):.2g} times.
- It needs at most 1.5 times the time on {share(found, 1, 1.5, n)}; in the median, {statistics.median(f[1] for f in found):.2g} times.
- It misses {listed(missed)}. It alone finds {listed(alone)}.""")


def median(rounds, which):
    """The median over all rounds, where a round without a failure is infinite."""
    return statistics.median_high([math.inf if first[which] is None else first[which] for first in rounds])


def share(found, which, most, n):
    within = sum(ratios[which] <= most for ratios in found)
    return f"{within} of {n} ({within / n:.0%})"


def listed(bugs):
    return f"{len(bugs)}: {', '.join(bugs)}" if bugs else "none"


main()
