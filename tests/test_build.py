"""`make`, as someone new meets it: faults told in a line, the preview, a machine that lacks something."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

from bookproof.commands import environment
from bookproof.project import ROOT


@pytest.fixture
def book(tmp_path):
    """A copy of the book, in a git repository without a remote."""
    copy = tmp_path / "book"
    keep = shutil.ignore_patterns(".git", ".venv", "_build", "tests", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=keep)
    subprocess.run(["git", "init", "-q", copy], check=True)
    return copy


def make(folder, *arguments, **environment):
    return subprocess.run(
        ["make", "-C", folder, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def test_a_notebook_that_is_not_json_stops_make_in_one_line(book):
    (book / "chapters/00_by_hand.ipynb").write_text("{ not json")
    (book / ".venv").symlink_to(ROOT / ".venv")
    done = make(book, "book")
    assert done.returncode != 0
    assert done.stderr.count("00_by_hand.ipynb: not a notebook") == 1
    assert "Traceback" not in done.stderr


def fetched(address):
    """The page at `address`, whose server may need a moment yet."""
    for _ in range(3000):
        try:
            with urllib.request.urlopen(address) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.1)
    return ""


def test_serve_shows_the_book_and_tidies_up(book):
    (book / ".venv").symlink_to(ROOT / ".venv")
    command = ["make", "-C", book, "-o", ".venv/book", "serve"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    running = subprocess.Popen(command, **pipes, start_new_session=True)
    said = (re.search(r"Serving on (http\S+?)(?:\x1b|\s)", line) for line in running.stdout)
    address = next(filter(None, said))[1]
    assert "By hand" in fetched(f"{address}/chapters/00_by_hand.html")
    os.killpg(running.pid, signal.SIGINT)
    running.communicate(timeout=300)
    assert not (book / "conf.py").exists()


def test_an_old_python_is_told(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"^make: Python 3\.11 or newer is needed, and .*$"):
        environment.main("book")


def test_a_python_without_venv_is_told(monkeypatch):
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(SystemExit, match=r"^make: this Python could not make \.venv\..*python3-venv\.$"):
        environment.main("book")


def test_no_network_at_first_set_up_is_told_in_one_line(book):
    nowhere = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_PROXY": "http://127.0.0.1:9",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "1",
    }
    done = make(book, "book", **nowhere)
    assert done.returncode != 0
    told = [line for line in done.stderr.splitlines() if re.match(r"make: (?!\*)", line)]
    assert len(told) == 1
    assert "no package index could be reached (is there a network?)" in told[0]
    assert not (book / ".venv/book").exists()
