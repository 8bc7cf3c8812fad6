"""An early warning: build and prove the book with the newest of everything, and say what broke.

    python3 -m bookproof.commands.newest        (a weekly workflow; it replaces what .venv holds)

Prints Markdown: what failed, and which packages are newer than ours. The exit status is 1 if something failed.
"""

import re
import subprocess
import sys

from bookproof.commands import environment
from bookproof.project import ROOT

STEPS = {"make book": "bookproof.commands.book", "pytest": "pytest"}
LINES = 30  # of what a step said at its end


def versions(text):
    """{package: version} of the pins in `text`."""
    return dict(re.findall(r"(?m)^([\w.-]+)==([^\s#+]+)", text))


def newer():
    """`package ours -> theirs` for each package that is not the one we pin."""
    command = [environment.PYTHON, "-m", "pip", "freeze"]
    have = versions(subprocess.run(command, capture_output=True, text=True).stdout)
    ours = versions((ROOT / "constraints.txt").read_text(encoding="utf-8"))
    return [f"{name} {ours[name]} -> {have[name]}" for name in ours if name in have and have[name] != ours[name]]


def main():
    environment.main("newest")
    failed = False
    for name, module in STEPS.items():
        done = subprocess.run([environment.PYTHON, "-m", module], cwd=ROOT, capture_output=True, text=True)
        said = (done.stdout + done.stderr).strip().splitlines()
        told = [line for line in said if line.startswith(("FAILED", "ERROR"))] or said
        failed = failed or done.returncode != 0
        if done.returncode:
            print(f"`{name}` fails:\n\n" + "\n".join(f"    {line[:300]}" for line in told[-LINES:]) + "\n")
    print("Newer than ours:\n\n" + "\n".join(f"- {line}" for line in newer()))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
