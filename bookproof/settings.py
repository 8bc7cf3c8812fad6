"""What Jupyter Book passes over or answers with a traceback: a lint of the settings.

    python _tools/settings.py

Reads _config.yml, _toc.yml and the bibliographies. Each finding is one line:
file, what is wrong, what to do. A key whose name is wrong would leave off,
without a word, what it was to switch on.
"""

import sys
from pathlib import Path

import yaml
from jsonschema import ValidationError
from jupyter_book import config as jupyter_book
from pybtex.database import parse_file
from pybtex.exceptions import PybtexError
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

from bookproof.project import ROOT
SPHINX = dict.fromkeys(["recursive_update", "local_extensions", "extra_extensions", "config"])
KNOWN = yaml.safe_load(jupyter_book.PATH_YAML_DEFAULT.read_text(encoding="utf-8"))
KNOWN |= {"bibtex_bibfiles": None, "sphinx": SPHINX}


class Fault(Exception):
    """A file that cannot be used; its text is the finding."""


def loaded(file):
    """What a YAML file holds, a dictionary; raises Fault."""
    try:
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError:
        raise Fault(f"{file.name}: it is missing. Restore it from git.") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        raise Fault(f"{file.name}{line}: not YAML ({getattr(error, 'problem', error)}). Mend it.") from None
    if not isinstance(found, dict):
        raise Fault(f"{file.name}: it holds no `key: value`. Restore it from git.")
    return found


def unknown(settings, known, path=""):
    """The keys of `settings` that `known`, Jupyter Book's own list, does not hold."""
    for key, value in settings.items():
        if key not in known:
            yield f"{path}{key}"
        elif isinstance(value, dict) and isinstance(known[key], dict):
            yield from unknown(value, known[key], f"{path}{key}.")


def lint_config(root):
    """Findings on _config.yml and the bibliographies and extensions that it names."""
    settings = loaded(root / "_config.yml")
    for key in unknown(settings, KNOWN):
        yield f"_config.yml: Jupyter Book knows no key `{key}`. Mend its name."
    try:
        jupyter_book.validate_yaml(settings, raise_on_errors=True)
    except ValidationError as error:
        yield from (f"_config.yml: {line.removeprefix('- ')}. Mend it." for line in error.message.splitlines())
        return
    for name, folder in (settings.get("sphinx", {}).get("local_extensions") or {}).items():
        if not any((root / folder / name.replace(".", "/")).with_suffix(end).exists() for end in (".py", "")):
            yield f"_config.yml: no extension {name} in {folder}. Mend the name, or restore the file from git."
    for name in settings.get("bibtex_bibfiles", []):
        try:
            parse_file(str(root / name))
        except (OSError, PybtexError) as error:
            yield f"{name}: not a bibliography that can be read ({str(error).removeprefix(f'{root}/')}). Mend it."


def lint_toc(root):
    """Findings on _toc.yml and the pages that it names."""
    try:
        pages = parse_toc_data(loaded(root / "_toc.yml"))
    except MalformedError as error:
        yield f"_toc.yml: {error}. Mend it."
        return
    for page in pages:
        if not any((root / f"{page}{suffix}").is_file() for suffix in (".ipynb", ".md")):
            yield f"_toc.yml: no page {page} (.ipynb or .md). Mend the name, or restore the file from git."


def lint(root):
    """All findings on the settings of the book in `root`, one line each."""
    found = []
    for findings in (lint_config, lint_toc):
        try:
            found += findings(root)
        except Fault as fault:
            found.append(str(fault))
    return [" ".join(line.split()) for line in found]


if __name__ == "__main__":
    sys.exit("\n".join(lint(ROOT)) or None)
