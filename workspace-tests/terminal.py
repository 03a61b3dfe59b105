"""Draws docs/images/terminal.svg: the first run of the tutorial's crate, in a terminal.

    python3 workspace-tests/terminal.py

It builds the tool first, with the Z3 that `setup-z3.sh` finds or installs. With TOOL in the environment, it runs that binary instead.
"""

import html
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = ["target", "run", "contains"]
# Of a character, in pixels: the fonts of FONT are 0.6 em wide.
SIZE, WIDTH, HEIGHT, MARGIN = 14, 8.4, 20, 20
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
BACKGROUND, TEXT, DIM = "#1e1e2e", "#cdd6f4", "#8d93ab"
COLOURS = {31: "#f38ba8", 32: "#a6e3a1", 33: "#f9e2af", 34: "#89b4fa", 35: "#cba6f7", 36: "#94e2d5"}


def printed():
    """What the command prints to a terminal, with its escape sequences."""
    prepare = ""
    tool = os.environ.get("TOOL")
    if tool is None:
        prepare = 'environment=$(sh workspace-tests/setup-z3.sh); eval "$environment"; cargo build --quiet -p cargo-target; '
        folder = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
        tool = str(pathlib.Path(folder) / "debug" / "cargo-target")
    with tempfile.TemporaryDirectory() as scratch:
        crate = pathlib.Path(scratch) / "tutorial"
        shutil.copytree(ROOT / "workspace-tests/fixtures/tutorial", crate)
        command = [tool, *WORDS, "--no-saved", "--color", "always", "--manifest-path", str(crate / "Cargo.toml")]
        script = f'set -eu; {prepare}exec "$@"'
        # The picture has no line for standard error: it names a folder of this machine.
        run = subprocess.run(["sh", "-c", script, "sh", *command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if run.returncode != 1:
        raise SystemExit(f"expected exit code 1, for the planted bug, and got {run.returncode}")
    # The manifest is named as from the crate's own folder.
    return re.sub(r"\S*/Cargo\.toml:", "Cargo.toml:", run.stdout).replace(f" --manifest-path {crate}/Cargo.toml", "")


def spans(line):
    """Pieces of a line, each with the style that the escape sequences before it set."""
    style = {}
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        escape = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if escape is None:
            if piece:
                yield piece, dict(style)
            continue
        for code in (int(code or 0) for code in escape.group(1).split(";")):
            if code == 0:
                style = {}
            elif code == 1:
                style["font-weight"] = "bold"
            elif code == 2:
                style["fill"] = DIM
            elif code in COLOURS:
                style["fill"] = COLOURS[code]


def picture(lines):
    """The lines as an SVG."""
    columns = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines)
    width, height = round(columns * WIDTH) + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="cargo {" ".join(WORDS)}">'
    yield f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}"/>'
    yield f'<g font-family="{FONT}" font-size="{SIZE}" fill="{TEXT}">'
    for i, line in enumerate(lines):
        column = 0
        for text, style in spans(line):
            attributes = "".join(f' {name}="{value}"' for name, value in style.items())
            x, y = MARGIN + column * WIDTH, MARGIN + (i + 0.75) * HEIGHT
            length = len(text) * WIDTH
            # Not every viewer keeps spaces, but all keep those that don't break.
            shown = html.escape(text).replace(" ", "\u00a0")
            if text.strip():
                yield f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}"{attributes}>{shown}</text>'
            column += len(text)
    yield "</g>"
    yield "</svg>"


def main():
    lines = ["\x1b[32m$\x1b[0m \x1b[1mcargo " + " ".join(WORDS) + "\x1b[0m", *printed().rstrip("\n").splitlines()]
    target = ROOT / "docs/images/terminal.svg"
    target.write_text("\n".join(picture(lines)) + "\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)} written")


main()
