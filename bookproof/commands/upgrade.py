"""Move the book to another version of a package: all that a program can do of it.

    python3 -m bookproof.commands.upgrade torch 2.14.1       (make upgrade PACKAGE=torch VERSION=2.14.1)

Writes the pin wherever it stands, installs it, lets the packages that it
brings follow, runs the notebooks anew, and says what to look at. Where it
cannot be installed, every file is left as it was.
"""

import re
import subprocess
import sys

from bookproof.commands import environment
from bookproof.project import ROOT

PINS = ("requirements.txt", "tests/requirements.txt", "constraints.txt", ".binder/requirements.txt")
SEEN_IN_OUTPUTS = {"torch", "numpy", "matplotlib", "ipykernel", "nbval"}


def line_of(package):
    """A pattern for the line that pins `package`: its name, its version, a local part such as +cpu."""
    return re.compile(rf"(?m)^({re.escape(package)}==)([^\s#+]+)", re.IGNORECASE)


def write_pin(package, version):
    """Write the new pin wherever there is one; returns {path: the text before}. Exits where there is none."""
    before = {}
    for path in (ROOT / name for name in PINS):
        text = path.read_text(encoding="utf-8")
        if line_of(package).search(text):
            before[path] = text
            path.write_text(line_of(package).sub(rf"\g<1>{version}", text), encoding="utf-8")
    if not before:
        sys.exit(f"upgrade: no file pins {package}. Mend the name.")
    return before


def follow():
    """Write into constraints.txt what is installed now; returns the lines that changed."""
    path = ROOT / "constraints.txt"
    freeze = [environment.PYTHON, "-m", "pip", "freeze", "--exclude-editable"]
    frozen = subprocess.run(freeze, capture_output=True, text=True, check=True).stdout
    text = before = path.read_text(encoding="utf-8")
    for name, version in re.findall(r"(?m)^([\w.-]+)==([^\s+]+)", frozen):
        text = line_of(name).sub(rf"\g<1>{version}", text)
    path.write_text(text, encoding="utf-8")
    return [new for old, new in zip(before.split("\n"), text.split("\n")) if old != new]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True).stdout.rstrip()


def main(package, version):
    environment.check_python()
    before = write_pin(package, version)
    old = line_of(package).search(next(iter(before.values())))[2]
    wanted = f"{package}=={version}"
    files = ", ".join(str(path.relative_to(ROOT)) for path in before)
    print(f"upgrade: {package} {old} -> {version} in {files}", flush=True)
    if not environment.upgrade(wanted):
        for path, text in before.items():
            path.write_text(text, encoding="utf-8")
        sys.exit(f"upgrade: {wanted} could not be installed, so all is as it was. pip's words: .venv/pip.log")
    for line in follow():
        print(f"upgrade: {line} follows, in constraints.txt")
    if package in SEEN_IN_OUTPUTS:
        subprocess.call([environment.PYTHON, "-m", "bookproof.commands.outputs"], cwd=ROOT)
    printed = git("diff", "--stat", "--", "chapters")
    named = git("grep", "-nIF", old, "--", "*.md", "*.ipynb", "*.cff", "*.yml")
    print(f"\nLook at\n- what the notebooks print now:\n{printed or '  as before'}")
    print(f"- where the text names {old}:\n{named or '  nowhere'}")
    print('- then `make test`, and `make versions OPTIONS="--only pinned"` for *Where this holds*.')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("upgrade: name both, as in `make upgrade PACKAGE=torch VERSION=2.14.1`.")
    main(*sys.argv[1:])
