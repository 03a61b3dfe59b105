"""First failures of the tool, and numbers about them: for the pages that compare it with others."""

import math


def valid_to_failure(line):
    """The number of valid cases up to the first failure. The tool says the number of all cases, and both along the run."""
    failed = line.get("cases_to_failure")
    if failed is None or not line["discarded"]:
        return failed
    points = [(0, 0)] + [(point["cases"], point["valid"]) for point in line["curve"]]
    for (case, valid), (next_case, next_valid) in zip(points, points[1:]):
        if failed <= next_case and case < next_case:
            return max(1, round(valid + (failed - case) / (next_case - case) * (next_valid - valid)))
    return max(1, line["valid"])


def geometric(values):
    """The geometric mean."""
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def shown(seconds):
    """Seconds in the unit that fits, with two digits."""
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= unit or name == "µs":
            number = seconds / unit
            return f"{number:.0f}{name}" if number >= 10 else f"{number:.1f}{name}"
