"""Compares what inputs of `run --api`, libFuzzer and proptest reach in published crates, and prints it as a Markdown table."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import api

HERE = pathlib.Path(__file__).resolve().parent
# The shares of the time after which the counters are counted.
SHARES = (0.1, 1.0)


def copy(folder):
    """Copies of the crates with their driven functions, and of the programs that call them. Returns the crates' folders."""
    crates = {name: crate for name, _, crate in api.copies(folder / "copies")}
    shutil.rmtree(folder / "reach", ignore_errors=True)
    shutil.copytree(HERE / "reach", folder / "reach")
    log = f'[dependencies.reach-log]\npath = "{folder / "reach" / "log"}"\n'
    for name, crate in crates.items():
        manifest, library = crate / "Cargo.toml", crate / "src" / "lib.rs"
        manifest.write_text(manifest.read_text().replace("\n[workspace]\n", f"\n{log}\n[workspace]\n"))
        library.write_text(library.read_text() + "\n#[allow(missing_docs)]\npub mod drive;\n")
        shutil.copy(folder / "reach" / "drive" / f"{name}.rs", crate / "src" / "drive.rs")
    with open(folder / "reach" / "Cargo.toml", "a") as manifest:
        manifest.writelines(f'{name} = {{ path = "{crate}" }}\n' for name, crate in crates.items())
    return crates


def build(folder):
    """The programs that call the functions: with `any`, with a fuzzer, and with the arguments of logs."""

    def run(words, **more):
        env = {key: value for key, value in os.environ.items() if key not in ("CARGO_TARGET_DIR", "RUSTFLAGS")}
        done = subprocess.run(["cargo", *words], cwd=folder / "reach", env={**env, **more}, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)

    run(["build", "--quiet", "--release", "--bin", "any", "--target-dir", folder / "plain"])
    counted = str(folder / "reach" / "counted.sh")
    run(["build", "--quiet", "--release", "--bin", "replay", "--target-dir", folder / "counted"], RUSTC_WRAPPER=counted)
    run(["+nightly", "fuzz", "build", "--sanitizer", "none", "--target-dir", folder / "fuzzed"])
    driven = next((folder / "fuzzed").glob("*/release/driven"))
    return folder / "plain" / "release" / "any", driven, folder / "counted" / "release" / "replay"


def make_log(log, command, crate, name):
    """Runs a command that writes a log of its calls."""
    log.unlink(missing_ok=True)
    env = {**os.environ, "REACH_LOG": str(log), "REACH_CRATE": name}
    # One processor. `run --api` ends with 1 if it finds a bug.
    done = subprocess.run(["taskset", "-c", "0", *command], cwd=crate, env=env, capture_output=True, text=True)
    if done.returncode not in (0, 1) or not log.exists():
        sys.exit(f"{name}: {command[0]}: {done.stderr}")


def counts(replay, name, times, logs):
    """For each log, how many counters are not zero at these times; and for all logs together."""
    marks = ",".join(map(str, times))
    done = subprocess.run([replay, name, marks, *logs], cwd=logs[0].parent, capture_output=True, text=True, check=True)
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def row(name, numbers):
    return f"| {name} | " + " | ".join(", ".join(map(str, cell)) for cell in numbers) + " |"


def main(tool, seconds, only):
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parent / "target").resolve()
    folder = target / "reach"
    folder.mkdir(parents=True, exist_ok=True)
    crates = copy(folder)
    anything, driven, replay = build(folder)
    times = [int(1000 * share * int(seconds)) for share in SHARES]
    print("| crate | functions | `run --api` | libFuzzer | proptest | all three |\n|---|--:|--:|--:|--:|--:|")
    totals = None
    for name, crate in crates.items():
        if only and only != name:
            continue
        corpus = folder / "corpus"
        shutil.rmtree(corpus, ignore_errors=True)
        corpus.mkdir()
        api_run = [tool, "target", "run", "--api", "drive::", "--jobs", "1", "--no-saved", "--budget"]
        # It shares its time among the functions, so that it is run for each time.
        commands = [[*api_run, f"{time}ms"] for time in times]
        commands += [[driven, f"-max_total_time={seconds}", "-seed=1", corpus], [anything, name, seconds]]
        logs = [folder / f"{index}.log" for index in range(len(commands))]
        for log, command in zip(logs, commands):
            make_log(log, command, crate, name)
        *own, fuzzed, plain, union = counts(replay, name, times, logs)
        functions = len(re.findall("(?m)^pub fn", (crate / "src" / "drive.rs").read_text()))
        numbers = [[functions], [own[index][index] for index in range(len(times))], fuzzed, plain, union]
        totals = numbers if totals is None else [[a + b for a, b in zip(*pair)] for pair in zip(totals, numbers)]
        print(row(name, numbers), flush=True)
    print(row("all", totals))


if __name__ == "__main__":
    main(*sys.argv[1:])
