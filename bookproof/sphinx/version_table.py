"""The tables of *Where this holds*, made from the file that `make versions` keeps.

The file is a list of rows. A row names what is tried (KEYS, and in `environment` the variables that make
its setting; `pinned` and `newest` stand for versions), and holds `ran`, the result of a real run, or
`not_run`, the reason why there is none. What is to be tried is added there by hand. On the page, MARK
gives way to the tables.
"""

import hashlib
import json
from datetime import datetime
from itertools import groupby
from pathlib import Path

from bookproof.project import pinned

PAGE = "where_this_holds"
MARK = "<!-- the tables of versions -->"
KEYS = ("system", "python", "role", "torch", "numpy", "setting")


def digest(chapters):
    """A short name for the code and the outputs of all notebooks in `chapters`."""
    told = hashlib.sha256()
    for path in sorted(Path(chapters).glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [(cell["source"], cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]
        told.update(json.dumps([path.name, code]).encode())
    return told.hexdigest()[:12]


def wanted(row, name):
    """The version of a package that a row asks for."""
    return pinned(name) if row[name] == "pinned" else row[name]


def verdict(ran, text):
    """The result of a run in words; `text` is the digest of the notebooks as they stand."""
    count = ran["passed"] + ran["failed"]
    told = f"{ran['passed']} of {count} notebooks pass" if ran["failed"] else f"all {count} notebooks pass"
    if not ran["figures"]:
        told += ", text alone"
    if ran["text"] != text:
        told += ", as they stood then"
    if ran["failed"]:
        told += ". First difference: `" + ran["first"].replace("`", "'") + "`"
    return told


def table(title, heads, lines):
    """A titled Markdown table."""
    lines = [heads, ["---"] * len(heads), *lines]
    rows = ("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
    return f"**{title}.**\n\n" + "\n".join(rows)


def named(row, torch, numpy):
    """Versions and setting in words."""
    role = "" if torch in ("", row["role"]) else f" ({row['role']})"
    return [(torch or row["role"]) + role, numpy, row["setting"] or "as it comes"]


def result(row, text):
    """The line of a row that was run."""
    ran = row["ran"]
    when = datetime.fromisoformat(ran["date"])
    versions = named(row, ran["torch"], ran["numpy"])
    return [verdict(ran, text), ran["python"], *versions, f"{when.day} {when:%b %Y}"]


def place(row):
    """Where a row was run, and with which Matplotlib."""
    return f"{row['system']} ({row['ran']['machine']}), Matplotlib {row['ran']['matplotlib']}"


def plan(row):
    """What a row that was not run asks for, on whatever Python, and why it was not."""
    return [row["system"], *named(row, wanted(row, "torch"), wanted(row, "numpy")), row["not_run"]]


def tables(rows, text):
    """The page's tables: what was run, by system, then what was not."""
    heads = ["Python", "PyTorch", "NumPy", "Setting"]
    told = [
        table(title, ["Result", *heads, "Run on"], [result(row, text) for row in group])
        for title, group in groupby(sorted((row for row in rows if "ran" in row), key=place), place)
    ]
    lines = [
        [system, ", ".join(row["python"] for row in group), *what]
        for (system, *what), group in groupby((row for row in rows if "ran" not in row), plan)
    ]
    return "\n\n".join([*told, *([table("Not yet run", ["System", *heads, "Why"], lines)] if lines else [])])


def read(path):
    """The rows of the file at `path`; a ValueError of one line if they cannot be shown."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        assert tables(rows, ""), "no rows"
    except (OSError, AssertionError, ValueError, KeyError, TypeError) as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(f"{path.name}: it cannot be shown ({what}). Restore it from git.") from None
    return rows


def fill(app, docname, source):
    """Put the tables into the page; warn of a file that cannot be shown."""
    # here, since commands/versions.py reads this file where there is no Sphinx
    from sphinx.util import logging

    if docname == f"chapters/{PAGE}":
        data = Path(app.srcdir, f"{docname}.json")
        app.env.note_dependency(str(data))
        try:
            source[0] = source[0].replace(MARK, tables(read(data), digest(data.parent)))
        except ValueError as error:
            logging.getLogger(__name__).warning(str(error))


def setup(app):
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
