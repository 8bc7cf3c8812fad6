"""What is true of the whole project, said once: root, pages and their order, pins, build.

Needs the standard library alone, so that the command that makes the environment can import it.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CHAPTERS = ROOT / "chapters"
BUILD = ["jupyter-book", "build", "--all", "-W", "-n", "--keep-going", "-q"]


def pages(root=ROOT):
    """The paths of all pages that _toc.yml names, in its order; one that has no file is left out."""
    text = (Path(root) / "_toc.yml").read_text(encoding="utf-8")
    names = re.findall(r"(?m)^\s*(?:- file|root): *(\S+)", text)
    files = [Path(root, name + suffix) for name in names for suffix in (".ipynb", ".md")]
    return [file for file in files if file.is_file()]


def notebooks(root=ROOT):
    """The paths of the notebooks among the pages, in order."""
    return [path for path in pages(root) if path.suffix == ".ipynb"]


def pinned(name, file="requirements.txt"):
    """The version that `file` pins of the package `name`."""
    lines = (ROOT / file).read_text(encoding="utf-8")
    return re.search(rf"(?m)^{re.escape(name)}==([^\s#]+)", lines)[1]


def build_command(source=ROOT, output=None):
    """The command that builds the book in `source`, as a list; into `output`/_build where one is named."""
    program = str(Path(sys.executable).with_name(BUILD[0]))
    where = ["--path-output", str(output)] if output else []
    return [program, *BUILD[1:], *where, str(source)]
