"""The results of `make versions`: how runs are counted and merged, and the page made of them."""

import copy
import json

import pytest

from bookproof.commands import versions
from bookproof.project import ROOT, pinned
from bookproof.sphinx.version_table import MARK, PAGE, digest, read, tables, verdict

RESULT = {
    "date": "2026-11-30T20:00+00:00", "text": "now", "machine": "x86_64",
    "python": "3.11.7", "torch": "2.2.2", "numpy": "1.26.4", "matplotlib": "3.11.2",
    "figures": True, "passed": 7, "failed": 0, "first": "",
}
ROW = {
    "system": "Linux", "python": "3.11", "role": "oldest",
    "torch": "2.2.2", "numpy": "1.26.4", "setting": "", "environment": {},
}
RUN = {**ROW, "ran": RESULT}
NOT_RUN = {**ROW, "not_run": "no Python 3.11 on that machine"}
LATER = {**ROW, "ran": {**RESULT, "date": "2026-12-01T20:00+00:00", "passed": 6, "failed": 1}}


def test_the_books_own_rows():
    """They stand once each, what is called pinned was, and the page explains their settings."""
    rows, text = read(versions.DATA), (ROOT / "chapters" / f"{PAGE}.md").read_text(encoding="utf-8")
    assert len({tuple(row[key] for key in versions.KEYS) for row in rows}) == len(rows)
    assert text.count(MARK) == 1 and any("ran" in row for row in rows)
    for row in rows:
        assert f"**{row['setting'] or 'As it comes'}**" in text
        assert all(knob in text for knob in row["environment"])
        for name in ("torch", "numpy"):
            if row[name] == "pinned" and "ran" in row:
                assert row["ran"][name] == pinned(name), "it is old: `make versions OPTIONS='--only pinned'`"


def test_a_file_that_cannot_be_shown_is_told(tmp_path):
    path = tmp_path / "rows.json"
    for rows in ([], [ROW], [{**ROW, "ran": {**RESULT, "date": "lately"}}], ""):
        path.write_text(json.dumps(rows)[:-1] if rows == "" else json.dumps(rows), encoding="utf-8")
        with pytest.raises(ValueError, match=r"^rows\.json: it cannot be shown .*Restore it from git\.$"):
            read(path)
    with pytest.raises(ValueError, match=r"^gone\.json: .*Restore it from git\.$"):
        read(tmp_path / "gone.json")


def test_a_result_is_told_with_its_limits():
    assert tables([NOT_RUN], "now").startswith("**Not yet run.**")
    assert NOT_RUN["not_run"] in tables([NOT_RUN], "now") and "pass" not in tables([NOT_RUN], "now")
    assert verdict(RESULT, "now") == "all 7 notebooks pass"
    limited = verdict({**RESULT, "figures": False}, "since")
    assert limited == "all 7 notebooks pass, text alone, as they stood then"
    failed = {**LATER["ran"], "first": "01.ipynb In [2]: stored 'a|b', got 'c'"}
    assert verdict(failed, "now").startswith("6 of 7 notebooks pass. First difference: `01.ipynb In [2]")
    assert "a\\|b" in tables([{**ROW, "ran": failed}], "now")


@pytest.mark.parametrize(
    ("row", "taken", "wanted"),
    [
        (NOT_RUN, [], NOT_RUN),
        (NOT_RUN, [RUN], RUN),
        (RUN, [NOT_RUN], RUN),
        (RUN, [LATER], LATER),
        (LATER, [RUN], LATER),
        (NOT_RUN, [{**RUN, "torch": "1.0"}], NOT_RUN),
    ],
)
def test_results_of_another_machine_are_taken(row, taken, wanted):
    rows = [copy.deepcopy(row)]
    versions.take(rows, taken)
    assert rows == [wanted]


def test_words_that_select_no_row_are_told():
    with pytest.raises(SystemExit, match=r"^versions: no row has all of these words: torch-0\.1$"):
        versions.main(["--only", "torch-0.1"])


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
    for report, told in (
        ("Cell outputs differ\nTraceback:\nthe picture differs: _build/x.png", "the picture differs"),
        ("an exception\nTraceback:\n#x1B[31m-> 1#x1B[0m y\nNameError: y", "NameError: y"),
    ):
        assert versions.first_difference(f"x.ipynb In [3]: {report}") == f"x.ipynb In [3]: {told}"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/x.ipynb").write_text('{"cells": []}')
    return tmp_path


def test_a_run_that_breaks_off_counts_as_failed(folder, monkeypatch):
    monkeypatch.setattr(versions, "installed", lambda python: RESULT)
    row = copy.deepcopy(NOT_RUN)
    monkeypatch.setattr(versions, "make_environment", lambda row: "false")
    assert versions.attempt(row, folder, set()) == row["ran"] and "not_run" not in row
    assert (row["ran"]["passed"], row["ran"]["failed"]) == (0, 1)
    assert row["ran"]["first"] == "pytest ended with status 1 and said: nothing"


def test_the_digest_sees_code_and_outputs_and_no_prose(folder):
    def after(prose="a", source="1", output="1"):
        code = {"cell_type": "code", "source": source, "outputs": [output]}
        cells = [{"cell_type": "markdown", "source": prose}, code]
        (folder / "chapters/x.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return digest(folder / "chapters")

    assert after() == after(prose="b")
    assert len({after(), after(source="2"), after(output="2")}) == 3
