"""Each setting is one that Jupyter Book, Sphinx or an extension knows, and the lint of the settings bites."""

import re

import pytest
from bookproof import settings
import yaml
from tests.conftest import ROOT
from jupyter_book import config as jupyter_book
from sphinx.application import Sphinx

SETTINGS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))


def test_the_settings_are_clean():
    assert settings.lint(ROOT) == []


def cut(text):
    return text[: len(text) // 2] + ": [\n"


FAULTS = {  # the file, its text changed or None for none, and what the one finding says
    "no config": ("_config.yml", None, r"_config\.yml: it is missing"),
    "config not YAML": ("_config.yml", cut, r"_config\.yml line \d+: not YAML"),
    "config empty": ("_config.yml", lambda _: "", r"_config\.yml: it holds no"),
    "key": ("_config.yml", lambda text: text.replace("execute_notebooks:", "execute_notebook:"), "no key `execute.execute_notebook`"),
    "value": ("_config.yml", lambda text: text.replace('notebooks: "off"', "notebooks: on"), "execute_notebooks"),
    "extension": ("_config.yml", lambda text: text.replace("proved:", "provd:"), r"no extension _ext/provd\.py"),
    "no contents": ("_toc.yml", None, r"_toc\.yml: it is missing"),
    "contents not YAML": ("_toc.yml", cut, r"_toc\.yml line \d+: not YAML"),
    "contents without root": ("_toc.yml", lambda text: text.replace("root:", "rot:"), r"_toc\.yml: .*root"),
    "page": ("_toc.yml", lambda text: text.replace("01_tensors", "09_nothing"), "no page chapters/09_nothing"),
    "no bibliography": ("references.bib", None, r"references\.bib: not a bibliography"),
    "bibliography": ("references.bib", lambda text: text.replace("},", ",", 1), r"references\.bib: not a .*line \d+"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_in_one_line(tmp_path, case):
    name, change, says = FAULTS[case]
    for kept in ("_config.yml", "_toc.yml", "references.bib", "_ext", "chapters"):
        (tmp_path / kept).symlink_to(ROOT / kept)
    (tmp_path / name).unlink()
    if change:
        (tmp_path / name).write_text(change((ROOT / name).read_text(encoding="utf-8")), encoding="utf-8")
    (line,) = settings.lint(tmp_path)
    assert re.search(says, line)


def test_sphinx_knows_every_option(tmp_path):
    final, _ = jupyter_book.get_final_config(
        user_yaml=ROOT / "_config.yml", sourcedir=ROOT, cli_config={"latex_individualpages": False}
    )
    app = Sphinx(ROOT, None, tmp_path, tmp_path, "html", confoverrides=final, status=None, warning=None)
    assert [name for name in SETTINGS["sphinx"]["config"] if name not in app.config] == []


@pytest.mark.parametrize("path", sorted((ROOT / "_ext").glob("*.py")), ids=lambda path: path.stem)
def test_every_extension_is_switched_on(path):
    assert path.stem in SETTINGS["sphinx"]["local_extensions"]
