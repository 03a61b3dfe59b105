"""Runs `cargo target run --api` on published crates, and prints what it reached and found as a Markdown table."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

# Under 5,000 lines each, without dependencies that must be set up. Chosen before the first try.
CRATES = {
    "bit-vec": "0.10.1",
    "fastrand": "2.5.0",
    "heck": "0.5.0",
    "humantime": "2.4.0",
    "percent-encoding": "2.3.2",
    "semver": "1.0.28",
    "shlex": "2.0.1",
    "slab": "0.4.12",
    "strsim": "0.11.1",
    "unit-prefix": "0.5.2",
}


def copies(folder):
    """Copies of the crates' published sources, by `cargo vendor`."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "src").mkdir(parents=True)
    (folder / "src/lib.rs").write_text("")
    needed = "".join(f'{name} = "={version}"\n' for name, version in CRATES.items())
    head = '[package]\nname = "copies"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n[dependencies]\n'
    (folder / "Cargo.toml").write_text(head + needed)
    command = ["cargo", "vendor", "--quiet", "--versioned-dirs", "crates"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name, version in CRATES.items():
        manifest = folder / "crates" / f"{name}-{version}" / "Cargo.toml"
        # What only their own tests need is not downloaded. Each is a workspace of its own.
        parts = re.split(r"(?m)^(?=\[)", manifest.read_text())
        kept = [part for part in parts if "dev-dependencies" not in part.split("]")[0]]
        kept = [part for part in kept if not part.startswith(("[[test", "[[bench", "[[example"))]
        manifest.write_text("".join(kept) + "\n[workspace]\n")
        yield name, version, manifest.parent


def lines(folder):
    """The number of lines of a crate's sources."""
    return sum(len(path.read_text().splitlines()) for path in (folder / "src").rglob("*.rs"))


def run(tool, folder, budget):
    """The events of a run."""
    command = [tool, "target", "run", "--api", "--no-saved", "--budget", budget, "--message-format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    if not events:
        sys.exit(f"{folder.name}: {done.stderr}")
    return events


def main(tool, budget, only):
    folder = pathlib.Path(__file__).resolve().parent.parent / "target" / "api-crates"
    print("| crate | lines | public | tested | likely | other |")
    print("|---|--:|--:|--:|--:|--:|")
    totals, told = [0] * 5, []
    for name, version, crate in list(copies(folder)):
        if only and only != name:
            continue
        events = run(tool, crate, budget)
        of = lambda reason: [event for event in events if event["reason"] == reason]
        # Neither laws nor further instances of generic functions are functions.
        is_function = lambda row: not re.search(r"\]$| as \w+$", row["function"])
        tested = sum(1 for row in of("function-finished") if is_function(row) and row["valid"] > 0)
        untested = sum(1 for row in of("unreached") if is_function(row))
        likely = [finding for finding in of("finding") if finding["rank"] == "likely"]
        other = len(of("finding")) - len(likely)
        row = [lines(crate), tested + untested, tested, len(likely), other]
        totals = [total + number for total, number in zip(totals, row)]
        print(f"| {name} {version} | " + " | ".join(str(number) for number in row) + " |", flush=True)
        for finding in likely:
            place = finding["location"] or "no place"
            told.append(f"{name}: {finding['kind']} at {place}: {finding['message']}: {finding['calls'][-1]}")
        told += [f"{name}: {event['function']} is not tested: {event['why']}" for event in of("unreached")]
    share = 100 * totals[2] / max(totals[1], 1)
    print(f"| all | {totals[0]} | {totals[1]} | {totals[2]} ({share:.0f} %) | {totals[3]} | {totals[4]} |")
    print("\n" + "\n".join(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
