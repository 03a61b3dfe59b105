"""Runs the specs of workspace-tests/parsers, and prints what became of each crate as a Markdown table."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

# The functions of a crate begin with one of these words.
CRATES = {
    "csv": ["csv"],
    "httpdate": ["http"],
    "humantime": ["duration", "time"],
    "percent-encoding": ["percent"],
    "roman": ["roman"],
    "rust-ini": ["ini"],
    "semver": ["version", "requirement"],
    "shlex": ["words"],
    "url": ["url"],
    "uuid": ["uuid"],
}


def copy(root):
    """A copy of the crate: the tool writes next to a manifest."""
    folder = root / "target" / "parsers"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "workspace-tests" / "parsers", folder, ignore=shutil.ignore_patterns("target"))
    return folder


def run(tool, folder, budget):
    """The events of a run."""
    command = [tool, "target", "run", "--no-saved", "-g", "auto", "--budget", budget, "--message-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events:
        sys.exit(done.stderr)
    return events


def main(tool, budget):
    folder = copy(pathlib.Path(__file__).resolve().parent.parent)
    versions = dict(re.findall(r'(?m)^([a-z-]+) = "=(.*)"$', (folder / "Cargo.toml").read_text()))
    events = run(tool, folder, budget)
    rows = [event for event in events if event["reason"] == "function-finished"]
    print("| crate | functions | inputs | failed |")
    print("|---|--:|--:|---|")
    for crate, words in CRATES.items():
        own = [row for row in rows if row["function"].split("_")[0] in words]
        failed = [row["function"] for row in own if row["verdict"] == "failed"]
        names = ", ".join(f"`{name}`" for name in failed) or "none"
        print(f"| {crate} {versions[crate]} | {len(own)} | {sum(row['valid'] for row in own):,} | {names} |")
    print()
    for row in rows:
        if row["verdict"] not in ("passed", "failed"):
            print(f"{row['function']}: {row['verdict']}")
        for failure in (row["counterexample"], row["boundary_counterexample"]):
            if failure:
                print(f"{row['function']}({', '.join(failure['args'])}) returned {failure['result']}")


main(*sys.argv[1:])
