"""The results of `make versions`: how runs are counted, and the page made of them."""

import json
import sys

from bookproof.commands import versions
from bookproof.project import CHAPTERS, pinned
from bookproof.sphinx.version_table import MARK, PAGE, table, verdict

ROW = {
    "system": "Linux", "python": "3.11", "role": "oldest",
    "torch": "2.2.2", "numpy": "1.26.4", "setting": "", "environment": {},
}
RESULT = {
    "date": "2026-11-30", "text": "now", "machine": "x86_64", "figures": True,
    "python": "3.11.7", "torch": "2.2.2", "numpy": "1.26.4", "passed": 7, "failed": 0, "first": "",
}


def test_the_books_own_rows():
    """They stand once each, what is called pinned was, and the page explains their settings."""
    rows = json.loads(versions.DATA.read_text(encoding="utf-8"))
    text = (CHAPTERS / f"{PAGE}.md").read_text(encoding="utf-8")
    assert len({tuple(row[key] for key in versions.KEYS) for row in rows}) == len(rows)
    assert text.count(MARK) == 1 and any("ran" in row for row in rows)
    for row in rows:
        assert f"**{row['setting'] or 'As it comes'}**" in text
        assert all(name in text for name in row["environment"])
        for name in ("torch", "numpy"):
            if row[name] == "pinned" and "ran" in row:
                assert row["ran"][name] == pinned(name), "it is old: `make versions ROWS=pinned`"


def test_a_result_is_told_with_its_limits():
    rows = [{**ROW, "not_run": "no such machine"}, {**ROW, "ran": RESULT}]
    done, rest = table(rows, "now").split("<details>")
    assert "| all 7 notebooks pass | Linux (x86_64) | 3.11.7 | 2.2.2 (oldest) |" in done
    assert "| no such machine | Linux | 3.11 | 2.2.2 (oldest) |" in rest
    limited = verdict({**RESULT, "figures": False}, "since")
    assert limited == "all 7 notebooks pass, text alone, as they stood then"
    failed = verdict({**RESULT, "passed": 6, "failed": 1, "first": "01.ipynb In [2]"}, "now")
    assert failed == "6 of 7 notebooks pass. First difference: 01.ipynb In [2]"


def test_words_that_select_no_row_are_told():
    assert versions.main(["python-0.1"]) == "versions: no row has all of these words: python-0.1"


REPORT = """<testsuite>
<testcase classname="chapters.00_a.ipynb" name="In [1]"/>
<testcase classname="chapters.01_b.ipynb" name="In [1]"/>
<testcase classname="chapters.01_b.ipynb" name="In [2]"><failure>differs</failure></testcase>
</testsuite>"""


def test_counting_the_notebooks_of_a_run(tmp_path):
    path = tmp_path / "report.xml"
    path.write_text(REPORT, encoding="utf-8")
    assert versions.results(path, ["00_a.ipynb", "01_b.ipynb"]) == (1, 1, "01_b.ipynb In [2]")
    path.write_text(REPORT.replace("<failure>differs</failure>", ""), encoding="utf-8")
    told = versions.results(path, ["00_a.ipynb", "02_c.ipynb"])
    assert told == (1, 1, "02_c.ipynb, of which no cell was run")


def test_a_run_that_breaks_off_counts_as_failed(tmp_path, monkeypatch):
    """An option that pytest does not know stands for it; the row no longer says why it was not run."""
    monkeypatch.setattr(versions, "FOLDER", tmp_path)
    monkeypatch.setattr(versions, "make_environment", lambda row: sys.executable)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    row = {**ROW, "not_run": "not tried so far"}
    assert versions.attempt(row, set()) is False and "not_run" not in row
    assert row["ran"]["passed"] == 0 and row["ran"]["first"] == "pytest ended with status 4"
