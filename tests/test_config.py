"""Each setting in _config.yml is one that Jupyter Book, Sphinx or an extension knows.

Jupyter Book and Sphinx pass over a key whose name is wrong, so that what it
was to switch on stays off without a word.
"""

import pytest
import yaml
from conftest import ROOT
from jupyter_book import config as jupyter_book
from sphinx.application import Sphinx

SETTINGS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
KNOWN = yaml.safe_load(jupyter_book.PATH_YAML_DEFAULT.read_text(encoding="utf-8"))


def unknown(settings, known, path=""):
    """The keys of `settings` that `known`, Jupyter Book's own list, does not hold."""
    for key, value in settings.items():
        if key not in known:
            yield path + key
        elif isinstance(value, dict) and isinstance(known[key], dict):
            yield from unknown(value, known[key], f"{path}{key}.")


def test_jupyter_book_knows_every_key_and_value():
    jupyter_book.validate_yaml(SETTINGS, raise_on_errors=True)
    sphinx = dict.fromkeys(["recursive_update", "local_extensions", "extra_extensions", "config"])
    assert list(unknown(SETTINGS, KNOWN | {"bibtex_bibfiles": None, "sphinx": sphinx})) == []


def test_sphinx_knows_every_option(tmp_path):
    settings, _ = jupyter_book.get_final_config(
        user_yaml=ROOT / "_config.yml", sourcedir=ROOT, cli_config={"latex_individualpages": False}
    )
    app = Sphinx(ROOT, None, tmp_path, tmp_path, "html", confoverrides=settings, status=None, warning=None)
    assert [name for name in SETTINGS["sphinx"]["config"] if name not in app.config] == []


@pytest.mark.parametrize("path", sorted((ROOT / "_ext").glob("*.py")), ids=lambda path: path.stem)
def test_every_extension_is_switched_on(path):
    assert path.stem in SETTINGS["sphinx"]["local_extensions"]
