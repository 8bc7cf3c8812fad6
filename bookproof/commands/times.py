"""What the checks and the build cost, as ratios measured in one run.

    make times        (ROUNDS=5: rounds, each of all commands in turn)

- check / floor: nbval over all notebooks (warm kernels, pictures compared),
  against the same cells run in one process that imports torch once;
- plain / floor: the same with one new kernel for each notebook;
- nbmake / floor: nbmake on the same notebooks (it runs, and compares nothing);
- build / nbconvert: the book, from nothing, with all extensions, against
  `nbconvert --to html` of the same notebooks.

Prints the median, least and largest of the ratios. Only ratios mean
something: the machine is shared, so each is taken within one round.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bookproof.project import ROOT
BIN = Path(sys.executable).parent
ROUNDS = int(os.environ.get("ROUNDS", 5))
FLOOR = "from cells import Page, notebooks; [Page(path).run() for path in notebooks()]"
RATIOS = [("check", "floor"), ("plain", "floor"), ("nbmake", "floor"), ("check", "nbmake"), ("build", "nbconvert")]


def commands(scratch):
    """The commands to be timed, by name; what they write goes to `scratch`."""
    notebooks = sorted(map(str, (ROOT / "chapters").glob("*.ipynb")))
    pytest = [sys.executable, "-m", "pytest", "-q"]
    build = [BIN / "jupyter-book", "build", "--all", "-W", "-n", "--keep-going", "-q", "--path-output", scratch]
    return {
        "floor": [sys.executable, "-c", FLOOR],
        "check": [*pytest, "chapters"],
        "plain": [*pytest, "--plain-kernels", "chapters"],
        "nbmake": [*pytest, "-c", os.devnull, "--rootdir", ROOT, "-p", "no:cacheprovider", "--nbmake", *notebooks],
        "build": [*build, ROOT],
        "nbconvert": [BIN / "jupyter", "nbconvert", "--to", "html", "--output-dir", scratch, *notebooks],
    }


def seconds(command):
    """Wall time of `command`; stops the whole run if it fails."""
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("tests", "_tools"))
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths})
    if done.returncode:
        sys.exit(f"times: {' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - start


def main():
    rounds = []
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as scratch:
            rounds.append({name: seconds(command) for name, command in commands(scratch).items()})
        print(f"round {number + 1}: " + ", ".join(f"{name} {s:.1f} s" for name, s in rounds[-1].items()), flush=True)
    print("\n| ratio | median | least | largest |\n|---|---|---|---|")
    for above, below in RATIOS:
        ratios = [one[above] / one[below] for one in rounds]
        print(f"| {above} / {below} | {statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} |")


if __name__ == "__main__":
    main()
