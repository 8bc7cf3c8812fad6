"""Python files, notebooks and prose pass ruff and codespell."""

import subprocess
import sys

import pytest

from bookproof.notebook import Notebook
from bookproof.project import ROOT

PROSE = sorted([*ROOT.glob("*.md"), *ROOT.glob("chapters/*.md"), *ROOT.glob("chapters/*.ipynb")])


def run(*command, text=None):
    """What a module run with -m says; '' if it finds nothing."""
    command = [sys.executable, "-m", *command]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)
    return done.stdout + done.stderr if done.returncode else ""


def prose(path):
    """The text of a page, without code and outputs."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell.source for cell in Notebook(path).markdown)


def test_ruff_finds_nothing():
    assert run("ruff", "check", "--no-cache", "--quiet", ".") == ""


@pytest.mark.parametrize("path", PROSE, ids=lambda path: path.name)
def test_spelling(path):
    assert run("codespell_lib", "-", "--ignore-words-list", "tread", text=prose(path)) == ""


def test_spelling_bites():
    assert "wieght" in run("codespell_lib", "-", text="Each wieght is an arrow.")
