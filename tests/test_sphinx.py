"""What the site's side makes of a page, on the small book: boxes, folds, pictures, links, tables."""

import re
import subprocess

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from bookproof.notebook import Notebook, written
from bookproof.sphinx import lean
from bookproof.sphinx.launch import links
from bookproof.sphinx.repository import Source, pages, parse
from tests.conftest import build
from tests.small_book import HERE, lay


@pytest.fixture(scope="module")
def page(small):
    """The parsed page of a name."""
    return lambda name: BeautifulSoup((small / f"chapters/{name}.html").read_bytes(), "html.parser")


def words(node):
    return " ".join(node.get_text().split())


def test_quotations_become_boxes(page):
    titles = [words(title) for title in page("00_small").select(".callout.admonition > p.admonition-title")]
    assert titles == ["Predict", "Exercise 1", "Exercise 2"]
    assert page("00_small").select("blockquote") == []


def test_an_exercise_takes_in_its_cells_hints_and_solution(page):
    first, second = page("00_small").select(".callout.exercise")
    for box, number in ((first, 1), (second, 2)):
        assert [words(fold) for fold in box.select("summary")] == [
            f"Code: Check of exercise {number}", "Hint", "Worked solution"
        ]
        assert f"Exercise {number}: no answer yet." in words(box)
    assert "Exercise 2" not in words(first) and "What to remember" not in words(second)


def test_folds_say_what_they_hold(page):
    soup = page("00_small")
    folds = soup.select("details.hide")
    assert [words(fold.summary) for fold in folds] == [
        "Code: Figure style", "Show the output", "Code: Figure 0.1", "Code: How an exercise is checked",
        "Code: Check of exercise 1", "Code: Check of exercise 2",
    ]
    assert folds[1].select_one(".cell_output") and "below-input" in folds[1]["class"]
    assert "sum: 3.0" in words(folds[1])
    assert len(soup.select("div.cell")) == len(Notebook(HERE / "chapters/00_small.ipynb").code)


def test_pictures_have_their_size_and_load_when_near(page, small):
    (image,) = page("00_small").select("article img")
    with Image.open(small / "chapters" / image["src"]) as picture:
        assert (2 * int(image["width"]), 2 * int(image["height"])) == pytest.approx(picture.size, abs=1)
        assert len(picture.getcolors()) <= 64
    assert image["loading"] == "lazy" and len(image["alt"]) > 20
    assert words(page("00_small").select_one("article p.caption")).startswith("Figure 0.1. A line.")


def test_formulas_are_drawn_and_spoken(page):
    (formula,) = page("00_small").select("span.math")
    assert formula.select("math") and formula.select(".katex-html") and not formula.select("annotation")


def test_a_number_leads_to_its_line_and_its_label_is_gone(page, small):
    soup = page("00_small")
    for number in soup.select("a.proved, a:has(> code.proved)"):
        line = soup.select_one(number["href"])
        assert words(number) in words(line)
    assert "<!--" not in str(soup.article)
    (number,) = page("intro").select("a:has(> code.proved)")
    assert number["href"] == "00_small.html#out-3-1-1"
    assert words(soup.select_one("#out-3-1-1")) == "numbers: 17"


def test_a_citation_keeps_its_words_and_leads_to_its_entry(page):
    link = page("00_small").find("a", string="LeCun et al. (1998)")
    address, _, name = link["href"].partition("#")
    assert address == "recap.html" and page("recap").find(id=name)


def test_a_page_says_how_long_it_takes_and_where_it_runs(page):
    assert words(page("00_small").select_one(".clock")) == "5 minutes, exercises 15"
    assert page("00_small").select_one("h1").find_next_sibling()["class"] == ["clock"]
    assert [words(link) for link in page("00_small").select("nav.launch a")][-1] == "Download"
    assert not page("recap").select(".clock, .launch")


def test_the_landing_page_has_both_tables(page):
    core, deeper = page("intro").select("table")
    first, last = [[words(cell) for cell in row.select("td")] for row in core.select("tbody tr")]
    assert first[0].startswith("0 Small") and first[0].endswith("so that every fault can be planted in it?")
    assert first[1:] == last[1:] == ["5", "15"]
    assert [words(row) for row in deeper.select("tbody tr")] == ["A Is a deeper page a page? 5 0 Small"]
    assert [link["href"] for link in deeper.select("a")] == ["a_deeper.html", "00_small.html"]


def test_both_parts_are_in_the_sidebar(page):
    captions = page("intro").select(".sidebar-tree .caption")
    assert [words(caption) for caption in captions] == ["The chapter", "Going deeper"]


def test_only_what_a_page_uses(page):
    """One stylesheet, scripts that block nothing, none of a live figure or of answers where there is none."""
    for name in ("00_small", "recap"):
        soup = page(name)
        assert len(soup.select('link[rel="stylesheet"]')) == 1
        assert soup.select("script[src]:not([defer])") == []
        scripts = {script["src"].split("/")[-1].split("?")[0] for script in soup.select("script[src]")}
        assert scripts == set(lean.SCRIPTS) | ({"answers.js"} if name == "00_small" else set())
        assert "thebe" not in str(soup) and not soup.select(".highlight span.n, .highlight span.p")


def test_a_warm_build_tells_what_a_cold_one_told(tmp_path):
    book = lay(tmp_path / "book")
    notebook = Notebook(book / "chapters/00_small.ipynb")
    cell = next(cell for cell in notebook.cells if "`1.1651`" in cell.source)
    cell.source = cell.source.replace("`1.1651`", "`1.1652`")
    notebook.path.write_text(written(notebook.data), encoding="utf-8")
    told = "00_small.ipynb after In [5]: `1.1652`: no output above it prints it."
    for warm in (False, True):
        done = build(book, tmp_path, warm)
        assert done.returncode != 0
        assert (done.stdout + done.stderr).count(told) == 1


# The repository, the branch and the folder

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
    there = Source("github.com", "owner", "fork", "main", "")
    assert [name for name, _, _ in links(there, "x.ipynb")] == ["Colab", "Binder"]
    assert [name for name, _, _ in links(there._replace(host="gitlab.com"), "x.ipynb")] == ["Binder"]
    assert links(there._replace(host="git.example.org"), "x.ipynb") == links(None, "x.ipynb") == []


def test_site_address():
    assert pages(("github.com", "Owner", "Fork")) == "https://owner.github.io/Fork/"
    assert pages(("github.com", "Owner", "owner.github.io")) == "https://owner.github.io/"
    assert pages(("gitlab.com", "owner", "fork")) == pages(None) == ""


CASES = {  # the remote, the branch, the book's folder, a workflow's settings, and what the links begin with
    "https": ("https://github.com/a/b.git", "main", "", {}, "a/b", "main", ""),
    "a branch": ("git@github.com:owner/fork.git", "my/draft", "", {}, "owner/fork", "my/draft", ""),
    "a folder": ("https://github.com/a/b.git", "main", "docs/my book", {}, "a/b", "main", "docs/my%20book/"),
    "workflow": (
        "https://github.com/a/b.git", "main", "",
        {"GITHUB_REPOSITORY": "owner/fork", "GITHUB_REF_NAME": "live"}, "owner/fork", "live", "",
    ),
    "none": (None, "main", "", {}, None, "", ""),
}


@pytest.mark.parametrize("case", CASES)
def test_a_page_launches_its_own_repository(tmp_path, monkeypatch, case):
    remote, branch, folder, environment, name, ref, place = CASES[case]
    for key in ("GITHUB_REPOSITORY", "GITHUB_REF_NAME"):
        monkeypatch.delenv(key, raising=False)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    repository = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", "-b", branch, repository], check=True)
    if remote:
        subprocess.run(["git", "-C", repository, "remote", "add", "origin", remote], check=True)
    if folder:
        (repository / folder).parent.mkdir(parents=True, exist_ok=True)
    book = lay(repository / (folder or "book"))
    place = place or "book/"
    done = build(book, tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    html = (tmp_path / "out/_build/html/chapters/00_small.html").read_text(encoding="utf-8")
    nav = re.search(r'<nav class="launch".*?</nav>', html, re.S).group()
    *services, download = re.findall(r'href="([^"]+)"', nav)
    path = f"{place}chapters/00_small.ipynb"
    assert (tmp_path / "out/_build/html/chapters" / download).is_file()
    assert services == (
        [
            f"https://colab.research.google.com/github/{name}/blob/{ref}/{path}",
            f"https://mybinder.org/v2/gh/{name}/{ref.replace('/', '%2F')}?urlpath=lab/tree/{path}",
        ]
        if name
        else []
    )


# What is wrong is told, with its place


def test_a_picture_asked_for_in_vain_is_told_in_one_line(tmp_path):
    book = lay(tmp_path / "book")
    asked = "\n\n<!-- figure: 00_small nothing -->\n\n<!-- figure: 66_small tape -->\n"
    with (book / "chapters/intro.md").open("a", encoding="utf-8") as intro:
        intro.write(asked)
    done = build(book, tmp_path)
    assert done.returncode != 0
    for name, figure in (("00_small", "nothing"), ("66_small", "tape")):
        pattern = rf"intro\.md:.*no page chapters/{name} .* figure-{figure}"
        assert len(re.findall(pattern, done.stderr + done.stdout)) == 1
    assert "Traceback" not in done.stderr
