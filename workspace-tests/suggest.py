"""Prints the specs that `cargo target suggest` finds for functions of the fixtures, next to their own, as a Markdown table."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
# Those whose specs are mistakes, private items or functions as arguments are left out; `shown` can't tell the arrows of these.
FIXTURES = ("arrays", "assorted", "dates", "freight", "kiosk", "lambda", "ledger", "maps", "scores", "shapes", "strings")
FIXTURES += ("thresholds", "trees", "tutorial")


def restricts(spec, types):
    """Whether a spec restricts its arguments."""
    parameters = spec.split("->")[0].split("ensures")[0]
    names = re.findall(r"\b[A-Z]\w*", parameters)
    return "requires" in spec or "panics if" in spec or "|" in parameters or any(name in types for name in names)


def shown(text):
    """A spec without its results, on a line and in code."""
    text = " ".join(text.split())
    parameters, _, rest = re.sub(r"\s*(->|ensures|requires|panics if)", r"\0\1", text, count=1).partition("\0")
    kept = re.findall(r"(?:requires|panics if) .*?(?=$| ensures| panics if| requires)", rest)
    return "`" + " ".join([parameters, *kept]).replace("|", "\\|") + "`"


def metadata(crate):
    """The table of a crate."""
    return tomllib.loads((crate / "Cargo.toml").read_text())["package"].get("metadata", {}).get("target", {})


def suggested(tool, crate, name, each):
    """The spec that is suggested for a function, as it is now in the manifest; or what is said instead."""
    command = [tool, "target", "suggest", "--each", each, "--quiet", "--exact", name]
    subprocess.run([*command, "--write"], cwd=crate, capture_output=True)
    spec = metadata(crate).get("functions", {}).get(name)
    if spec:
        return spec, None
    done = subprocess.run(command, cwd=crate, capture_output=True, text=True)
    said = (done.stdout.strip() or done.stderr.strip()).splitlines() or [""]
    return None, said[-1].lstrip("# ")


def later(tool, crate, name):
    """What other inputs say of a suggested spec: how many were valid, and whether one is a counterexample."""
    command = [tool, "target", "run", "--cases", "100000", "--budget", "10s", "--seed", "7", "--no-saved", "--quiet"]
    command += ["--message-format", "json", "--exact", name]
    done = subprocess.run(command, cwd=crate, capture_output=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    rows = [event for event in events if event["reason"] == "function-finished"]
    if not rows:
        return "not run: " + (done.stderr.strip().splitlines() or [""])[0]
    found = sum(bool(row["counterexample"] or row["boundary_counterexample"]) for row in rows)
    return f"{'refuted' if found else 'held'}, {sum(row['valid'] for row in rows):,}"


def main(tool, each, only):
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parent / "target").resolve()
    folder = target / "suggested"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    print("| function | its spec | suggested | later |\n|---|---|---|---|")
    for fixture in FIXTURES:
        if only and only != fixture:
            continue
        crate = folder / fixture
        shutil.copytree(HERE / "fixtures" / fixture, crate)
        manifest = crate / "Cargo.toml"
        table = metadata(crate)
        specs = {
            name: entry
            for name, entry in table.get("functions", {}).items()
            if isinstance(entry, str) and restricts(entry, table.get("types", {}))
        }
        # All that follows are specs.
        manifest.write_text(manifest.read_text().partition("[package.metadata.target")[0])
        for name, spec in specs.items():
            found, said = suggested(tool, crate, name, each)
            cells = [shown(found), later(tool, crate, name)] if found else [said, ""]
            print(f"| {fixture}: {name} | {shown(spec)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
