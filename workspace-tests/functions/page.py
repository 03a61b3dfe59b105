"""Writes docs/functions.md from the runs of `cargo target` and of the programs in Haskell on the functions of the fixture."""

import json
import math
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from failures import geometric, shown, valid_to_failure

results = pathlib.Path(sys.argv[1])
CASES = 10_000
SECONDS = 10
NAMES = {"auto": "cargo target", "Quick": "QuickCheck", "Lean": "LeanCheck", "Small": "SmallCheck"}

# Table 1 of the paper: the order of a program, and the milliseconds for its correct and its incorrect version.
PAPER = {
    "fhnhn": (2, 38, 50),
    "fold-div": (2, 321, 160),
    "fold-fun-list": (3, 92, 442),
    "hors": (2, 49, 34),
    "hrec": (2, 52, 143),
    "intro1": (2, 24, 128),
    "intro2": (2, 25, 127),
    "intro3": (2, 25, 23),
    "isnil": (1, 13, 9),
    "max": (2, 32, 135),
    "mem": (1, 22, 254),
    "nth0": (1, 19, 296),
    "r-file": (1, 74, 123),
    "r-lock": (1, 56, 49),
    "reverse": (1, 15, 205),
    "boolflip": (1, 10, 22),
    "mult-all": (1, 9, 225),
    "mult-cps": (1, 253, 35),
    "mult": (1, 72, 21),
    "sum-acm": (1, 33, 833),
    "sum-all": (1, 8, 186),
    "sum": (1, 44, 19),
    "occurrence (14)": (1, 99, 226),
    "snake": (1, 37350, 2476),
    "tetris": (2, 11809, 2188),
    "zombie": (3, 19239, 954),
}
# Rows with other programs of the fixture than the one of the same name.
PROGRAMS = {
    "occurrence (14)": ["occurrence::strnum", "occurrence::once", "occurrence::both"],
    "zombie": ["games::first_quadrant", "games::zombie"],
}
SHOWN = [
    "others::quotient_wrong",
    "kobayashi::fhnhn_wrong",
    "others::argmin_wrong",
    "sorting::sort_wrong",
    "terauchi::boolflip_wrong",
    "control::retry_wrong",
]


def finished(file):
    lines = map(json.loads, (results / file).read_text().splitlines())
    return [line for line in lines if line["reason"] == "function-finished"]


def of_tool():
    """For each function, the rounds of `auto`: the case of the first failure, or infinity, and the seconds."""
    rounds = {}
    for line in finished("compared"):
        case = valid_to_failure(line)
        seconds = line["seconds"] if case is None else line["seconds_to_failure"]
        rounds.setdefault(line["function"], []).append((math.inf if case is None else case, seconds))
    return rounds


def of_haskell(file):
    """For each function, the rounds of a library, and the arguments that it shows."""
    rounds, found = {}, {}
    for line in (results / file).read_text().splitlines():
        bug, cases, seconds, arguments = line.split("\t")
        cases = [math.inf if case == "none" else int(case) for case in cases.split()]
        rounds[bug] = list(zip(cases, map(float, seconds.split())))
        found[bug] = arguments.replace(" of; ", " of ")
    return rounds, found


RUN = {line["function"]: line for line in finished("run")}
ROUNDS = {"auto": of_tool()}
ARGUMENTS = {}
for library in list(NAMES)[1:]:
    ROUNDS[library], ARGUMENTS[library] = of_haskell(library)
BUGS = [bug for bug in ROUNDS["Quick"] if bug in ROUNDS["auto"]]


def median(which, bug, part):
    return statistics.median_high([r[part] for r in ROUNDS[which][bug]])


def cell(which, bug, best=None):
    cases = [r[0] for r in ROUNDS[which][bug]]
    n_found = sum(case < math.inf for case in cases)
    case = median(which, bug, 0)
    if case == math.inf:
        return f"none ({n_found}/{len(cases)})" if n_found else "none"
    text = f"{case}, {shown(median(which, bug, 1))}" + (f" ({n_found}/{len(cases)})" if n_found < len(cases) else "")
    return f"**{text}**" if case == best else text


def counterexample(bug):
    """The arguments as Rust, without the paths of modules."""
    line = RUN[bug]
    found = line["counterexample"] or line["boundary_counterexample"]
    text = ", ".join(found["args"]) if found else "none"
    return re.sub(r"\b(?:callbacks|std)::(?:[a-z_]+::)*", "", text)


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def verdict(function):
    """The verdict, the valid cases and the seconds of the correct version."""
    line = RUN[function]
    if line["exhausted"]:
        end = "exhausted"
    else:
        end = {"cases": "the limit of cases", "budget": "the limit of time"}.get(line["stopped"], line["stopped"])
    return f"{line['verdict']}, {line['valid']:,}, {end}, {shown(line['seconds'])}"


def correct_version(bug):
    name = bug.removesuffix("_wrong")
    return name if name in RUN else "sorting::sort"


def fixture_bugs(row):
    names = PROGRAMS.get(row, ["::" + row.replace("-", "_")])
    return [bug for bug in BUGS if any((bug.removesuffix("_wrong")).endswith(name) for name in names)]


def beside_the_paper():
    yield "| program | paper: correct | incorrect | correct here | wrong here | counterexample of `cargo target` |"
    yield "|---|--:|--:|---|---|---|"
    for row, (_, correct, incorrect) in PAPER.items():
        for bug in fixture_bugs(row):
            plain = correct_version(bug)
            name = row if plain.endswith("::" + row.replace("-", "_")) else f"{row}: {plain.split('::')[1]}"
            yield (
                f"| {name} | {correct:,}ms | {incorrect:,}ms | {verdict(plain)} | {cell('auto', bug)} | {code(counterexample(bug))} |"
            )


def of_no_row():
    taken = {bug for row in PAPER for bug in fixture_bugs(row)}
    yield "| program | correct | wrong | counterexample of `cargo target` |"
    yield "|---|---|---|---|"
    for bug in BUGS:
        if bug not in taken:
            name = bug.removesuffix("_wrong")
            yield f"| {name} | {verdict(correct_version(bug))} | {cell('auto', bug)} | {code(counterexample(bug))} |"


def missing_rows():
    missing = [row for row in PAPER if not fixture_bugs(row)]
    first = [f"`{row}`" for row in missing if PAPER[row][0] == 1]
    higher = [f"`{row}`" for row in missing if PAPER[row][0] > 1]
    return ", ".join(first), ", ".join(higher)


def cases_of(which):
    return [median(which, bug, 0) for bug in BUGS]


def capped(cases):
    return [min(case, CASES) for case in cases]


def summary():
    yield "| library | bugs found | in rounds | geometric mean of cases | of time | fewest cases | fewer cases than `cargo target` | more |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    auto = cases_of("auto")
    best = [min(row) for row in zip(*map(cases_of, NAMES))]
    for which, name in NAMES.items():
        cases = cases_of(which)
        rounds = [r for bug in BUGS for r in ROUNDS[which][bug]]
        yield (
            f"| {name} | {sum(case < math.inf for case in cases)} of {len(BUGS)} "
            f"| {sum(r[0] < math.inf for r in rounds)} of {len(rounds)} | {geometric(capped(cases)):.1f} "
            f"| {shown(geometric([median(which, bug, 1) for bug in BUGS]))} "
            f"| {sum(case == least < math.inf for case, least in zip(cases, best))} "
            f"| {sum(case < other for case, other in zip(cases, auto))} "
            f"| {sum(case > other for case, other in zip(cases, auto))} |"
        )


def pairs():
    yield "| library | bugs that both found | its cases, over those of `cargo target` |"
    yield "|---|--:|--:|"
    for which in list(NAMES)[1:]:
        both = [bug for bug in BUGS if max(median(which, bug, 0), median("auto", bug, 0)) < math.inf]
        ratio = geometric([median(which, bug, 0) / median("auto", bug, 0) for bug in both])
        yield f"| {NAMES[which]} | {len(both)} | {ratio:.2f} |"


def losses():
    rows = []
    for bug in BUGS:
        best = min(list(NAMES)[1:], key=lambda which: median(which, bug, 0))
        case, auto = median(best, bug, 0), median("auto", bug, 0)
        if case < math.inf and 2 * case <= auto:
            rows.append((auto / case, bug, best))
    yield "| program | `cargo target` | best other | factor |"
    yield "|---|---|---|--:|"
    for factor, bug, best in sorted(rows, key=lambda row: -row[0]):
        yield f"| {bug} | {cell('auto', bug)} | {NAMES[best]}: {cell(best, bug)} | {factor:.1f} |"


def counterexamples():
    for bug in SHOWN:
        yield f"\n`{bug}`:\n"
        yield "| library | counterexample |"
        yield "|---|---|"
        yield f"| {NAMES['auto']} | {code(counterexample(bug))} |"
        for which in ARGUMENTS:
            text = ARGUMENTS[which][bug]
            yield f"| {NAMES[which]} | {code(text) if text else 'none'} |"


def all_bugs():
    yield "| program | " + " | ".join(NAMES.values()) + " |"
    yield "|---" * (len(NAMES) + 1) + "|"
    for bug in BUGS:
        best = min(median(which, bug, 0) for which in NAMES)
        yield f"| {bug} | " + " | ".join(cell(which, bug, best) for which in NAMES) + " |"


def versions():
    lines = (results / "versions").read_text().splitlines()
    names = {"smallcheck": "SmallCheck", "leancheck": "LeanCheck"}
    parts = [line.replace("-", " ").split() for line in lines]
    return ", ".join(f"{names.get(name, name)} {version}" for name, version in parts)


def page():
    first_order, higher = missing_rows()
    yield f"""# Functions as arguments, compared

Tests of {len(BUGS)} wrong programs that take [functions as arguments](spec-language.md#functions-as-arguments): next to the numbers of a
paper, and next to three libraries for Haskell that make functions. The programs are in `workspace-tests/fixtures/callbacks`, each with a correct
version. This page is the output of

```console
$ sh workspace-tests/functions.sh
```

on a machine with 2 processors that did other work, too. Read times as magnitudes.

A run ends with the first failure, after {CASES:,} valid cases, or after {SECONDS} seconds. `cargo target` also ends when it has run all inputs up to the
bound and a share of larger ones. In the tables,

- `24, 7.0ms` is the first failure: in the median of ten rounds it is the 24th valid case, after 7.0 milliseconds. `(8/10)`: the other two
  rounds found nothing. LeanCheck and SmallCheck do the same in each round, and have one;
- `none`: at least half of the rounds found nothing;
- `passed, 6,865, exhausted, 1.1s` is the run of a correct version: its verdict, its valid cases, why it ended, and its time. *Exhausted* means that all inputs up
  to the [bound](spec-language.md#what-is-tried) were run, where a function counts by the results of the calls that happen.

The time of `cargo target` includes the start of a child process and planning: some milliseconds at least. The other libraries run
in one process. No time includes a build. If `cargo target` discarded cases, the number of valid ones is interpolated from the counts along the run.

## Next to the paper

*Relatively Complete Counterexamples for Higher-Order Programs* (Nguyễn and Van Horn, 2015) runs programs in Racket symbolically, with functions as
unknown inputs. Its Table 1 has the time to prove a correct version and the time to a counterexample of an incorrect one. The tool here
proves nothing: it runs the program. The machines, the languages and the programs differ, so compare magnitudes alone. The paper prints few of its programs.
Ours are written after the names, and the mistakes are our own. The three games are of about 160 to 270 lines in the paper; ours are a function of each.
Where the paper's program takes numbers or lists (order 1 in its table), ours take a function in addition.
"""
    yield from beside_the_paper()
    yield f"""
These rows of the paper have no counterpart: {first_order}, whose order is 1, so they take no function, and we gave them none; and {higher}, of the
family of `intro1` and `intro3`. The paper has `mult` in two groups: the row here is that of the second one. It has one time for all 14
programs of "occurrence", and one for all of `zombie`: each of our rows repeats it. Its last rows, "others", sum up 202 small programs. Three of
those in the next table are in the text of the paper, or are named there: `quotient` of section 2, `argmin` of section 4.3, and `braun`. The
counterexamples of `quotient`, `argmin` and `first_quadrant` are nearly those that the paper prints: the divisor 100, and numbers that can't be compared,
which are complex numbers in Racket and NaN in Rust.

## Further programs
"""
    yield from of_no_row()
    yield f"""
## Next to QuickCheck, LeanCheck and SmallCheck

The wrong programs are also written in Haskell, with the same mistakes. The spec is a property (`workspace-tests/functions/Properties.hs`), the same for
all three libraries, and without a precondition: every argument is valid by construction.

| library | where functions come from |
|---|---|
| QuickCheck | `Fun` of `Test.QuickCheck.Function`, at random: an argument has a result of its own |
| LeanCheck | `Test.LeanCheck.Function`, in the order of their size: constant functions, then those with one exception, and so on |
| SmallCheck | `Test.SmallCheck.Series`, all functions of a depth, from depth 0. Cases of a smaller depth come again, and are counted again |

The properties are as we think an expert writes them:

- `i32` is `Int32`, `u8` is `Word8`, and so on, with the generators of the library. A number with a range is any of the range or, as often, a small one
  (QuickCheck), or comes in the order 0, 1, -1, 2 (LeanCheck, SmallCheck).
- A function whose results have a condition is a function to numbers of a range, which the property maps: `step f x = x + 1 + f x`. So nothing is
  discarded. Of `cargo target`, only valid cases are counted.
- A total order is `comparing f`, an equivalence is ``(==) `on` f`` with four results, a monotone predicate is a threshold.
- An `FnMut` is a function of the number of the call.
- A balanced tree is made from a list. NaN, which none of the three makes, is added: one of ten numbers in QuickCheck, the first one in the others.
- The functions of `r_lock` and `mc91` have one possible result each, so they are constants in the property.

All of it has one author, who knew the bugs, and `auto` was developed with this fixture at hand. The versions are {versions()}. proptest isn't here: it has no
strategy for functions ([its issue 26](https://github.com/proptest-rs/proptest/issues/26)). This project [adds one](proptest.md), which isn't measured here.

A geometric mean can't have `none`: for it, `none` counts as {CASES:,} cases, and as the time of the round.
"""
    yield from summary()
    yield """
On the bugs that both found, the geometric mean of cases of each library, over that of `cargo target`:
"""
    yield from pairs()
    yield """
The times of the libraries in Haskell are less by far, because they start no process and make no plan.

What makes the difference:

- A random function has a result of its own for each argument. `repeat` fails for functions with the same result everywhere, which
  LeanCheck tries first, and QuickCheck seldom.
- `quotient` fails for one number of 2³². `cargo target` reads the 100 in the source of the function. QuickCheck's numbers
  are small more often than large, so that it meets 100 in most rounds, after thousands of cases. LeanCheck and SmallCheck would have to count so far. The paper notes that QuickCheck's integers end at 99 by default. Those of `Int32` don't.
- Enumeration finds small counterexamples soon. If these need a longer list and a function with several results, as in `sort` and `mem`,
  there are many smaller cases before them.
- NaN is outside the bound, so `cargo target` needs more cases for `argmin` and `first_quadrant` in some rounds. In the properties for Haskell, NaN has a share
  by hand.
- `cargo target` varies all arguments from the start. Where the smallest ones fail, with constant functions and numbers near 0 (`mult_cps`, `both`, `intro1`, `hrec`), LeanCheck
  is there first.

## Where `cargo target` loses

The bugs for which one of the three needs at most half of the cases of `cargo target`; the factor is that of the best one.
"""
    yield from losses()
    yield """
## Counterexamples

The arguments that each library shows. Those of `cargo target` and QuickCheck are shrunk; those of LeanCheck and SmallCheck are the ones that they found.
QuickCheck's are of the first round with a failure. SmallCheck shows the results of the arguments up to a depth. The list of `argmin` can't be empty: in Haskell it is an
element and a list."""
    yield from counterexamples()
    yield """
## All bugs
"""
    yield from all_bugs()


print("\n".join(page()))
