"""What the site's side makes of a page, on the small book: boxes, folds, pictures, links, tables."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image

from bookproof.notebook import Notebook
from bookproof.project import ROOT
from bookproof.sphinx import lean
from bookproof.sphinx.launch import PDF, links
from bookproof.sphinx.repository import pages, parse, source
from tests.small_book import HERE


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


def test_both_parts_are_in_the_sidebar(page):
    captions = page("intro").select(".sidebar-tree .caption")
    assert [words(caption) for caption in captions] == ["The chapter", "Going deeper"]


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
    assert words(page("00_small").select_one(".clock")) == "5 min to read, 15 for the exercises"
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


def test_only_what_a_page_uses(page):
    """One stylesheet, scripts that block nothing, none of a live figure or of answers where there is none."""
    for name in ("00_small", "recap"):
        soup = page(name)
        assert len(soup.select('link[rel="stylesheet"]')) == 1
        assert soup.select("script[src]:not([defer])") == []
        scripts = {script["src"].split("/")[-1].split("?")[0] for script in soup.select("script[src]")}
        assert scripts == set(lean.SCRIPTS) | ({"answers.js"} if name == "00_small" else set())
        assert "thebe" not in str(soup) and not soup.select(".highlight span.n, .highlight span.p")


# The repository, the branch and the folder

CASES = yaml.safe_load((ROOT / "tests/repositories.yml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("address", CASES["addresses"])
def test_addresses_of_repositories(address):
    told = CASES["addresses"][address]
    assert parse(address) == (told and tuple(told.split()))


def test_site_address():
    assert pages("Owner", "Fork") == "https://owner.github.io/Fork/"
    assert pages("Owner", "owner.github.io") == "https://owner.github.io/"


@pytest.mark.parametrize("case", CASES["links"], ids=lambda case: case["what"])
def test_a_page_launches_its_own_repository(tmp_path, monkeypatch, case):
    for key in ("GITHUB_REPOSITORY", "GITHUB_REF_NAME"):
        monkeypatch.delenv(key, raising=False)
    book = tmp_path / case.get("folder", "")
    book.mkdir(exist_ok=True, parents=True)
    subprocess.run(["git", "init", "-q", "-b", case.get("branch", "main"), tmp_path], check=True)
    if "remote" in case:
        subprocess.run(["git", "-C", tmp_path, "remote", "add", "origin", case["remote"]], check=True)
    for key, value in case.get("environment", {}).items():
        monkeypatch.setenv(key, value)
    assert [address for _, address, _ in links(source(book), "chapters/x.ipynb")] == case["links"]


def test_a_fork_s_site_knows_its_address(page, small):
    """Launch links, canonical address, card and sitemap of a fork are the fork's own; its PDF is linked."""
    home, soup = "https://owner.github.io/fork/", page("00_small")
    colab, binder, download = (link["href"] for link in soup.select("nav.launch a"))
    assert colab.startswith("https://colab.research.google.com/github/owner/fork/blob/live/")
    assert binder.startswith("https://mybinder.org/v2/gh/owner/fork/live?")
    assert (small / "chapters" / download).is_file()
    assert soup.select_one('link[rel="canonical"]')["href"] == f"{home}chapters/00_small.html"
    card = soup.select_one('meta[property="og:image"]')["content"]
    assert card.startswith(home) and (small / card.removeprefix(home)).stat().st_size <= 60_000
    assert page("intro").select(f'.launch a[href="../{PDF}"]') and (small / PDF).exists()
    places = re.findall(r"<loc>(.*?)</loc>", (small / "sitemap.xml").read_text())
    assert sorted(Path(place).stem for place in places) == ["00_small", "a_deeper", "intro", "recap"]
    assert all((small / place.removeprefix(home)).is_file() for place in places)
