"""Python files, notebooks and prose pass ruff and codespell."""

import subprocess
import sys

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
