"""What the checks and the build cost, as ratios measured in one run.

    make times        (ROUNDS=5: rounds, each of all commands in turn)

- check / floor: nbval over all notebooks (warm kernels, three at a time, pictures
  compared), against the same cells run in one process that imports torch once;
- plain / floor: the same with one new kernel for each notebook;
- build / nbconvert: the book, from nothing, with all extensions, against
  `nbconvert --to html` of the same notebooks;
- author / build: `make check` of one notebook against the build.

Prints the median, least and largest of the ratios. Only ratios mean
something: a machine may be shared, so each is taken within one round.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

from bookproof.project import ROOT, build_command, notebooks

ROUNDS = int(os.environ.get("ROUNDS", 5))
FLOOR = "from bookproof import project, run; [run.Page(path).run() for path in project.notebooks()]"
RATIOS = [("check", "floor"), ("plain", "floor"), ("build", "nbconvert"), ("author", "build")]


def commands(scratch):
    """The commands to be timed, by name; what they write goes to `scratch`."""
    python, pages = [sys.executable, "-m"], notebooks()
    return {
        "floor": [sys.executable, "-c", FLOOR],
        "check": [*python, "pytest", "-q", "chapters"],
        "plain": [*python, "pytest", "-q", "--plain-kernels", "chapters"],
        "build": build_command(output=scratch),
        "nbconvert": [*python, "nbconvert", "--to", "html", "--output-dir", scratch, *pages],
        "author": [*python, "bookproof.commands.check", pages[0]],
    }


def seconds(command):
    """Wall time of `command`; stops the whole run if it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"times: {' '.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.perf_counter() - start


def main():
    rounds = []
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as scratch:
            rounds.append({name: seconds(command) for name, command in commands(scratch).items()})
        told = ", ".join(f"{name} {s:.1f} s" for name, s in rounds[-1].items())
        print(f"round {number + 1}: {told}", flush=True)
    print("\n| ratio | median | least | largest |\n|---|---|---|---|")
    for above, below in RATIOS:
        ratios = [one[above] / one[below] for one in rounds]
        told = statistics.median(ratios), min(ratios), max(ratios)
        print(f"| {above} / {below} | " + " | ".join(f"{ratio:.2f}" for ratio in told) + " |")


if __name__ == "__main__":
    main()
