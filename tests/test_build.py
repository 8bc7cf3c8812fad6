"""The book's build: links that follow the repository, faults told in a line."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request

from bookproof.commands import environment
import pytest
from tests.conftest import ROOT, build
from bookproof.sphinx.launch import links
from bookproof.sphinx.repository import pages, parse

REMOTES = {
    "https://github.com/owner/fork.git": ("github.com", "owner", "fork"),
    "https://github.com/owner/fork": ("github.com", "owner", "fork"),
    "https://user:secret@github.com/owner/fork.git": ("github.com", "owner", "fork"),
    "git@github.com:owner/fork.git": ("github.com", "owner", "fork"),
    "ssh://git@github.com:22/owner/fork.git/": ("github.com", "owner", "fork"),
    "HTTPS://www.GitHub.com/owner/fork": ("github.com", "owner", "fork"),
    "git@gitlab.com:owner/my.book.git": ("gitlab.com", "owner", "my.book"),
    "/srv/git/book.git": None,
    "../book": None,
    "": None,
}


@pytest.mark.parametrize("address", REMOTES)
def test_addresses_of_repositories(address):
    assert parse(address) == REMOTES[address]


def test_links_follow_the_repository():
    names = [name for name, _, _ in links(("github.com", "owner", "fork"), "chapters/x.ipynb")]
    assert names == ["Colab", "Binder"]
    assert [name for name, _, _ in links(("gitlab.com", "owner", "fork"), "x.ipynb")] == ["Binder"]
    assert links(("git.example.org", "owner", "fork"), "x.ipynb") == []
    assert links(None, "x.ipynb") == []


def test_site_address():
    assert pages(("github.com", "Owner", "Fork")) == "https://owner.github.io/Fork/"
    assert pages(("github.com", "Owner", "owner.github.io")) == "https://owner.github.io/"
    assert pages(("gitlab.com", "owner", "fork")) == pages(None) == ""


@pytest.fixture
def book(tmp_path):
    """A copy of the book, in a git repository without a remote."""
    copy = tmp_path / "book"
    keep = shutil.ignore_patterns(".git", ".venv", "_build", "tests", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=keep)
    subprocess.run(["git", "init", "-q", copy], check=True)
    return copy


def launch_addresses(output):
    html = (output / "_build/html/chapters/00_by_hand.html").read_text(encoding="utf-8")
    nav = re.search(r'<nav class="launch".*?</nav>', html, re.S).group()
    return re.findall(r'href="([^"]+)"', nav)


CASES = {
    "https": ("https://github.com/a/b.git", {}, "a/b"),
    "git@": ("git@github.com:owner/fork.git", {}, "owner/fork"),
    "workflow": ("https://github.com/a/b.git", {"GITHUB_REPOSITORY": "owner/fork"}, "owner/fork"),
    "none": (None, {}, None),
}


@pytest.mark.parametrize("case", CASES)
def test_a_page_launches_its_own_repository(book, tmp_path, monkeypatch, case):
    remote, environment, name = CASES[case]
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    if remote:
        subprocess.run(["git", "-C", book, "remote", "add", "origin", remote], check=True)
    done = build(book, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    *services, download = launch_addresses(tmp_path)
    assert download.endswith("_sources/chapters/00_by_hand.ipynb")
    path = "chapters/00_by_hand.ipynb"
    assert services == (
        [
            f"https://colab.research.google.com/github/{name}/blob/main/{path}",
            f"https://mybinder.org/v2/gh/{name}/main?urlpath=lab/tree/{path}",
        ]
        if name
        else []
    )


FAULTS = {
    "[a paper](#nobody1900)": r"intro\.md:\d+: WARNING: .*nobody1900",
    "[a page](07_nothing.ipynb)": r"intro\.md:\d+: WARNING: .*07_nothing",
}


def test_faulty_links_are_named(book, tmp_path):
    intro = book / "chapters/intro.md"
    intro.write_text(intro.read_text(encoding="utf-8") + "\n\n" + "\n\n".join(FAULTS), encoding="utf-8")
    done = build(book, tmp_path)
    assert done.returncode != 0
    for says in FAULTS.values():
        assert len(re.findall(says, done.stderr + done.stdout)) == 1


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
    for _ in range(100):
        try:
            with urllib.request.urlopen(address) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.1)
    return ""


def test_serve_shows_the_book_and_tidies_up(book):
    (book / ".venv").symlink_to(ROOT / ".venv")
    command = ["make", "-C", book, "-o", ".venv/book", "serve"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    address = next(filter(None, (re.search(r"Serving on (http\S+?)(?:\x1b|\s)", line) for line in running.stdout)))[1]
    assert "By hand" in fetched(f"{address}/chapters/00_by_hand.html")
    os.killpg(running.pid, signal.SIGINT)
    running.communicate(timeout=30)
    assert not (book / "conf.py").exists()


def test_a_picture_asked_for_in_vain_is_told_in_one_line(book, tmp_path):
    intro = book / "chapters/intro.md"
    text = intro.read_text(encoding="utf-8")
    for wrong in ("06_init_order tap", "66_init_order tape"):
        intro.write_text(text.replace("06_init_order tape", wrong), encoding="utf-8")
        done = build(book, tmp_path)
        page, name = wrong.split()
        assert done.returncode != 0
        assert len(re.findall(rf"intro\.md:.*WARNING: no page chapters/{page} .* figure-{name}", done.stderr + done.stdout)) == 1
        assert "Traceback" not in done.stderr


def test_a_long_temporary_folder(book, tmp_path, monkeypatch):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    done = build(book, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_old_python_is_told(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"^make: Python 3\.11 or newer is needed, and .*$"):
        environment.check_python()


def test_a_python_without_venv_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SystemExit, match=r"^make: this Python has no venv module\..*python3-venv\.$"):
        environment.check_python()


def test_no_network_at_first_set_up_is_told_in_one_line(book):
    nowhere = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_FIND_LINKS": "",
        "PIP_RETRIES": "1",
    }
    done = make(book, "book", **nowhere)
    assert done.returncode != 0
    told = [line for line in done.stderr.splitlines() if re.match(r"make: (?!\*)", line)]
    assert len(told) == 1
    assert "no package index could be reached (is there a network?)" in told[0]
    assert not (book / ".venv/book").exists()
