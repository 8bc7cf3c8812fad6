"""The results of `make versions`: how runs are counted and merged, and the page made of them."""

import copy
import json

import pytest

from bookproof.commands import versions
from bookproof.project import ROOT
from bookproof.sphinx.version_table import MARK, PAGE, digest, read, tables, verdict

RESULT = {
    "date": "2026-11-30T20:00+00:00",
    "text": "now",
    "machine": "x86_64",
    "python": "3.11.7",
    "torch": "2.2.2",
    "numpy": "1.26.4",
    "matplotlib": "3.11.2",
    "figures": True,
    "passed": 7,
    "failed": 0,
    "first": "",
}
ROW = versions.to_try("Linux", "3.11", "oldest", "2.2.2", "1.26.4")
RUN = {**ROW, "ran": RESULT}
NOT_RUN = {**ROW, "not_run": "no Python 3.11 on that machine"}


def ran(**changes):
    return {**ROW, "ran": {**RESULT, **changes}}


def test_the_books_own_file_has_a_row_for_each_that_is_tried():
    rows = read(versions.DATA)
    assert [versions.key(row) for row in rows] == [versions.key(row) for row in versions.matrix()]
    assert any("ran" in row for row in rows)


def test_a_file_that_cannot_be_shown_is_told(tmp_path):
    path = tmp_path / "rows.json"
    for text in ("{", "[]", json.dumps([ROW]), json.dumps([ran(date="lately")])):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"^rows\.json: it cannot be shown .*Restore it from git\.$"):
            read(path)
    with pytest.raises(ValueError, match=r"^gone\.json: missing\. Run `make versions`\.$"):
        read(tmp_path / "gone.json")


def test_what_was_not_run_never_shows_as_passed():
    page = tables([NOT_RUN], "now")
    assert page.startswith("**Not yet run.**")
    assert "no Python 3.11 on that machine" in page
    assert "pass" not in page


def test_a_result_is_told_with_its_limits():
    assert verdict(RESULT, "now") == "all 7 notebooks pass"
    assert verdict(RESULT, "changed since") == "all 7 notebooks pass, as they stood then"
    assert verdict({**RESULT, "figures": False}, "now") == "all 7 notebooks pass, text alone"
    failed = ran(passed=6, failed=1, first="01.ipynb In [2]: stored 'a|b', got 'c'")
    assert verdict(failed["ran"], "now").startswith("6 of 7 notebooks pass. First difference: `01.ipynb In [2]")
    assert "a\\|b" in tables([failed], "now")


LATER = ran(date="2026-12-01T20:00+00:00", passed=6, failed=1, first="x.ipynb In [1]: no")
MERGES = {
    "nothing known": ([], {**ROW, "not_run": versions.reason(ROW)}),
    "the later run": ([[LATER], [RUN]], LATER),
    "a run, then a reason": ([[RUN], [NOT_RUN]], RUN),
    "a reason, then a run": ([[NOT_RUN], [RUN]], RUN),
    "a row that is no longer tried": ([[{**RUN, "torch": "1.0"}]], {**ROW, "not_run": versions.reason(ROW)}),
}


@pytest.mark.parametrize("case", MERGES)
def test_merging(case):
    files, wanted = MERGES[case]
    assert versions.merge([ROW], *copy.deepcopy(files)) == [wanted]


def test_words_that_select_no_row_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(versions, "DATA", tmp_path / "data.json")
    with pytest.raises(SystemExit, match=r"^versions: no row has all of these words: torch-0\.1$"):
        versions.main(["--only", "torch-0.1", "--cache", str(tmp_path)])


REPORT = """<testsuite>
<testcase classname="chapters.00_a.ipynb" name="In [1]"/>
<testcase classname="chapters.01_b.ipynb" name="In [1]"/>
<testcase classname="chapters.01_b.ipynb" name="In [2]"><failure>01_b.ipynb In [2]: Cell outputs differ
Input:
- 1
Traceback:
 mismatch 'stdout'
  - y: 0.25
  ?       ^
  + y: 0.24
</failure></testcase>
</testsuite>"""


def test_counting_the_notebooks_of_a_run(tmp_path):
    path = tmp_path / "report.xml"
    path.write_text(REPORT, encoding="utf-8")
    difference = "01_b.ipynb In [2]: stored 'y: 0.24', got 'y: 0.25'"
    assert versions.results(path, ["00_a.ipynb", "01_b.ipynb"]) == (1, 1, difference)
    assert versions.results(path, ["00_a.ipynb", "02_c.ipynb"])[:2] == (1, 1)  # one of which no cell was run


DIFFERENCES = {
    "Cell outputs differ\nTraceback:\nthe picture differs by 21: _build/figures/x-3-1-*.png": "the picture differs by 21",
    "Cell execution caused an exception\nTraceback:\n#x1B[31m-> 1#x1B[0m y\nNameError: y": "NameError: y",
}


@pytest.mark.parametrize("report", DIFFERENCES)
def test_the_first_difference_in_one_line(report):
    assert versions.first_difference(f"x.ipynb In [3]: {report}") == f"x.ipynb In [3]: {DIFFERENCES[report]}"


def test_a_run_that_breaks_off_counts_as_failed(tmp_path, monkeypatch):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "x.ipynb").write_text('{"cells": []}')
    monkeypatch.setattr(versions, "installed", lambda python: RESULT)
    row = versions.run(ROW, "false", tmp_path)
    assert (row["ran"]["passed"], row["ran"]["failed"]) == (0, 1)
    assert row["ran"]["first"] == "pytest ended with status 1 and said: nothing"


def test_the_digest_sees_code_and_outputs_and_no_prose(tmp_path):
    cells = [{"cell_type": "markdown", "source": "a"}, {"cell_type": "code", "source": "1", "outputs": ["1"]}]

    def after(number, **change):
        changed = copy.deepcopy(cells)
        changed[number].update(change)
        (tmp_path / "x.ipynb").write_text(json.dumps({"cells": changed}), encoding="utf-8")
        return digest(tmp_path)

    assert after(0) == after(0, source="b")
    assert len({after(0), after(1, source="2"), after(1, outputs=["2"])}) == 3


def test_the_page_has_the_mark_and_explains_each_setting():
    text = (ROOT / "chapters" / f"{PAGE}.md").read_text(encoding="utf-8")
    assert text.count(MARK) == 1
    for name, setting in versions.SETTINGS.items():
        assert f"**{name or 'As it comes'}**" in text
        assert all(knob in text for knob in setting)
