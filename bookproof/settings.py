"""What Jupyter Book passes over or answers with a traceback: a lint of the settings.

    python -m bookproof.settings

Reads _config.yml, _toc.yml and the bibliographies. Each finding is one line:
file, what is wrong, what to do. What the build itself tells in a line (an
option that Sphinx does not know, a page or bibliography that is not there)
is left to the build.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import yaml
from jsonschema import ValidationError
from jupyter_book import config as jupyter_book
from pybtex.database import parse_file
from pybtex.exceptions import PybtexError
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

from bookproof.project import ROOT, pages

KNOWN = yaml.safe_load(jupyter_book.PATH_YAML_DEFAULT.read_text(encoding="utf-8"))
KNOWN |= {
    "bibtex_bibfiles": None,
    "sphinx": dict.fromkeys(["recursive_update", "local_extensions", "extra_extensions", "config"]),
}


def unknown(settings, known, path=""):
    """The keys of `settings` that `known`, Jupyter Book's own list, does not hold."""
    for key, value in settings.items():
        if key not in known:
            yield f"{path}{key}"
        elif isinstance(value, dict) and isinstance(known[key], dict):
            yield from unknown(value, known[key], f"{path}{key}.")


def lint_config(root, settings):
    """Findings on _config.yml and on the bibliographies and extensions that it names."""
    for key in unknown(settings, KNOWN):
        yield f"_config.yml: Jupyter Book knows no key `{key}`. Mend its name."
    try:
        jupyter_book.validate_yaml(settings, raise_on_errors=True)
    except ValidationError as error:
        for line in error.message.splitlines():
            yield f"_config.yml: {line.removeprefix('- ')}. Mend it."
        return
    for name in settings.get("sphinx", {}).get("local_extensions") or {}:
        if find_spec(name.split(".")[0]) is None or find_spec(name) is None:
            yield f"_config.yml: no extension {name}. Mend the name, or restore the file from git."
    for name in settings.get("bibtex_bibfiles", []):
        try:
            parse_file(str(root / name))
        except FileNotFoundError:
            pass
        except PybtexError as error:
            yield f"{name}: not a bibliography ({str(error).removeprefix(f'{root}/')}). Mend it."


def lint_toc(root, contents):
    """Findings on _toc.yml, and on pages that it does not name."""
    try:
        named = list(parse_toc_data(contents))
    except MalformedError as error:
        yield f"_toc.yml: {error}. Mend it."
        return
    read = [str(path.relative_to(root).with_suffix("")) for path in pages(root)]
    if missed := set(read) ^ {name for name in named if any(root.glob(f"{name}.*"))}:
        yield f"_toc.yml: {sorted(missed)[0]} is read otherwise by project.py. Give `- file: …` its own line."
    for name in named:
        if not any(root.glob(f"{name}.*")):
            yield f"_toc.yml: {name} has no file. Mend the name."
    for path in sorted((root / "chapters").glob("*.*")):
        page = str(path.relative_to(root).with_suffix(""))
        if path.suffix in (".ipynb", ".md") and page not in named:
            yield f"_toc.yml: it does not name {page}. Add `- file: {page}`, or remove the page."


def lint(root=ROOT):
    """All findings on the settings of the book in `root`, one line each."""
    root, found = Path(root).resolve(), []
    for name, findings in (("_config.yml", lint_config), ("_toc.yml", lint_toc)):
        try:
            found += findings(root, dict(yaml.safe_load((root / name).read_text(encoding="utf-8"))))
        except OSError:
            found.append(f"{name}: it is missing. Restore it from git.")
        except (yaml.YAMLError, TypeError, ValueError) as error:
            mark = getattr(error, "problem_mark", None)
            line = f" line {mark.line + 1}" if mark else ""
            why = getattr(error, "problem", error)
            found.append(f"{name}{line}: it holds no settings in YAML ({why}). Mend it.")
    return [" ".join(line.split()) for line in found]


if __name__ == "__main__":
    sys.exit("\n".join(lint()) or None)
