"""Writes docs/strings.md from what the strings of each source reached: percent of the lines of each program."""

import json
import pathlib
import re
import statistics
import sys

results = pathlib.Path(sys.argv[1])
SETS = ["not_equal", "cover", "cases_unequal", "cases_cover"]
COLUMNS = ["plain", "random", "proptest", "hegel", "expression", "not_equal", "cover", "cases_unequal", "cases_cover"]
HEADINGS = ["plain", "`random`", "proptest", "hegel", "`auto`", "`not_equal`", "`cover`", "cases: `not_equal`", "cases: `cover`"]
# The columns to choose the best from: those that know the same of the strings.
ALIKE = COLUMNS[1:7]


def reached(path, what="lines"):
    """For each program, its lines (or regions) that were reached, and all of them."""
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event["reason"] == "package-covered":
            files = {pathlib.Path(file["file"]).stem: file[what] for file in event["files"]}
            return {program: (count["covered"], count["total"]) for program, count in files.items() if count["total"]}
    sys.exit(f"{path} has no coverage")


def runs(source, n):
    """The runs of a source, one a seed, in the order of the seeds."""
    return sorted(results.glob(f"{source}-{n}-*.json"))


def percents(source, n, what="lines"):
    """For each program, the mean over the seeds."""
    all_runs = [reached(path, what) for path in runs(source, n)]
    percent = lambda count: 100 * count[0] / count[1]
    return {program: statistics.mean(percent(run[program]) for run in all_runs) for program in all_runs[0]}


def found(source, n):
    """For each program, how many strings a source found."""
    numbers = {}
    for line in runs(source, n)[0].read_text().splitlines():
        event = json.loads(line)
        if event["reason"] == "function-finished":
            numbers[event["function"].split("_")[0]] = event["valid"]
    return numbers


def table(n):
    columns = {source: percents(source, n) for source in COLUMNS}
    sizes = {source: found(source, n) for source in SETS}
    lines = {program: count[1] for program, count in reached(runs("plain", n)[0]).items()}
    print("| program | lines | " + " | ".join(HEADINGS) + " |")
    print("|" + "---|" * (len(COLUMNS) + 2))
    for program in sorted(lines):
        best = max(round(columns[source][program]) for source in ALIKE)
        cells = []
        for source in COLUMNS:
            value = round(columns[source][program])
            cell = f"**{value}**" if source in ALIKE and value == best else str(value)
            size = sizes.get(source, {}).get(program, n)
            cells.append(cell if size == n else f"{cell} ({size})")
        print(f"| {program} | {lines[program]} | " + " | ".join(cells) + " |")
    regions = {source: percents(source, n, "regions") for source in COLUMNS}
    for name, percent in (("mean", columns), ("mean of regions", regions)):
        print(f"| {name} | | " + " | ".join(f"{statistics.mean(percent[source].values()):.1f}" for source in COLUMNS) + " |")
    return columns


def versus(columns, a, b):
    """On how many programs a source reaches more, as much and less than another one, to a line."""
    pairs = [(round(columns[a][p], 6), round(columns[b][p], 6)) for p in columns[a]]
    return sum(x > y for x, y in pairs), sum(x == y for x, y in pairs), sum(x < y for x, y in pairs)


def comparison(columns, n):
    rows = [("cover", other) for other in ["not_equal", "expression", "random", "proptest", "hegel", "plain"]]
    rows += [("not_equal", "plain"), ("cases_cover", "cases_unequal"), ("cases_cover", "cover")]
    names = dict(zip(COLUMNS, HEADINGS))
    print(f"| {n} strings | more | as much | less |")
    print("|---|---|---|---|")
    for a, b in rows:
        print(f"| {names[a]} than {names[b]} | " + " | ".join(map(str, versus(columns, a, b))) + " |")


numbers = sorted({int(re.search(r"-(\d+)-", path.name)[1]) for path in results.glob("plain-*.json")})
here = pathlib.Path(__file__).parent
text = (here / "page.md").read_text()
before, after = text.split("<!-- tables -->\n")
print(before, end="")
for n in numbers:
    print(f"\n## {n} strings\n")
    columns = table(n)
    print()
    comparison(columns, n)
print(after, end="")
