"""The settings: the lint tells what the build would not (tests/faults.yml has more), the build tells the rest."""

import subprocess

import pytest

from bookproof import settings
from bookproof.project import build_command
from tests.small_book import lay


def test_the_settings_are_clean():
    assert settings.lint() == []


def half(text):
    return text[: len(text) // 2] + ": [\n"


FAULTS = {  # the file, its text changed or None for none, and how the one finding begins
    "no config": ("_config.yml", None, "_config.yml: it is missing"),
    "config not YAML": ("_config.yml", half, "_config.yml line "),
    "config empty": ("_config.yml", lambda _: "", "_config.yml: it holds no"),
    "contents not YAML": ("_toc.yml", half, "_toc.yml line "),
    "contents without root": ("_toc.yml", lambda text: text.replace("root:", "rot:"), "_toc.yml: 'root' key not found"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_in_one_line(tmp_path, case):
    name, change, says = FAULTS[case]
    file = lay(tmp_path / "book") / name
    text = file.read_text(encoding="utf-8")
    file.unlink()
    if change:
        file.write_text(change(text), encoding="utf-8")
    (line,) = settings.lint(tmp_path / "book")
    assert line.startswith(says)


def test_the_build_tells_what_the_lint_leaves_to_it(tmp_path):
    book = lay(tmp_path / "book")
    for name, old, new in (
        ("_config.yml", "nitpicky:", "nitpickyy:"),
        ("_config.yml", "- references.bib", "- no_references.bib"),
        ("_toc.yml", "chapters/recap", "chapters/no_recap"),
    ):
        text = (book / name).read_text(encoding="utf-8")
        assert old in text
        (book / name).write_text(text.replace(old, new), encoding="utf-8")
    done = subprocess.run(build_command(book, tmp_path), capture_output=True, text=True)
    assert done.returncode
    for says in ("'nitpickyy'", "no_references.bib", "no_recap"):
        assert sum(says in line for line in done.stderr.splitlines()) == 1, says
