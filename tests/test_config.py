"""Files of settings that are missing or broken are told in one line (names that are wrong: faults.yml)."""

import re

import pytest

from bookproof import settings
from bookproof.project import ROOT
from tests.small_book import lay


def test_the_settings_are_clean():
    assert settings.lint(ROOT) == []


FAULTS = {  # the file, its text or None for none, and what the one finding says
    "no config": ("_config.yml", None, r"_config\.yml: it is missing"),
    "config not YAML": ("_config.yml", "title: [\n", r"_config\.yml line \d+: not YAML"),
    "config empty": ("_config.yml", "", r"_config\.yml: it holds no"),
    "no contents": ("_toc.yml", None, r"_toc\.yml: it is missing"),
    "contents not YAML": ("_toc.yml", "root: [\n", r"_toc\.yml line \d+: not YAML"),
    "contents without root": ("_toc.yml", "format: jb-book\n", r"_toc\.yml: .*root"),
    "no bibliography": ("references.bib", None, r"references\.bib: not a bibliography"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_in_one_line(tmp_path, case):
    name, text, says = FAULTS[case]
    book = lay(tmp_path / "book")
    (book / name).unlink()
    if text is not None:
        (book / name).write_text(text, encoding="utf-8")
    (line,) = settings.lint(book)
    assert re.search(says, line)
