"""Python files, notebooks and prose pass ruff and codespell; what git holds works in a fresh clone."""

import re
import subprocess
import sys
from importlib.util import find_spec

from bookproof.notebook import Notebook
from bookproof.project import ROOT


def run(*command):
    """The lines that a module run with -m says."""
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT)
    return (done.stdout + done.stderr).splitlines()


def test_ruff_finds_nothing():
    assert run("ruff", "check", "--no-cache", "--quiet", ".") == []


def test_spelling(tmp_path):
    """Of all prose, without code and outputs; a word that is planted is the only one found."""
    for path in [*ROOT.glob("*.md"), *ROOT.glob("chapters/*.md"), *ROOT.glob("chapters/*.ipynb")]:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = "\n\n".join(cell.source for cell in Notebook(path).markdown)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    (tmp_path / "planted.md").write_text("Each wieght is an arrow.", encoding="utf-8")
    (found,) = run("codespell_lib", "--ignore-words-list", "tread", str(tmp_path))
    assert "planted.md:1: wieght" in found


def test_git_holds_no_link():
    """It leads nowhere on another machine, and is a text on Windows."""
    listed = subprocess.run(["git", "ls-files", "-s"], capture_output=True, text=True, cwd=ROOT, check=True)
    assert [line for line in listed.stdout.splitlines() if line.startswith("120000")] == []


def test_workflows_call_what_is_there():
    text = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob(".github/workflows/*.yml"))
    called = re.findall(r"-m (bookproof[\w.]+)", text)
    assert called and [name for name in called if find_spec(name) is None] == []
    paths = re.findall(r"(?:bash|python3?) ([\w./]+/\w+)", text)
    assert [path for path in paths if not (ROOT / path).exists()] == []
