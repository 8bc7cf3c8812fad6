"""The table of *Where this holds*, made from the file that `make versions` writes.

The file is a list of rows. A row names what was to be tried (KEYS) and holds either `ran`, the result
of a real run, or `not_run`, the reason why there is none. On the page, MARK gives way to the tables. A
file that is missing or cannot be shown is told in one line, at every build.
"""

import hashlib
import json
from datetime import datetime
from itertools import groupby
from pathlib import Path

PAGE = "where_this_holds"
MARK = "<!-- the tables of versions -->"
KEYS = {"system", "python", "role", "torch", "numpy", "setting"}


def digest(chapters):
    """A short name for the code and the outputs of all notebooks in `chapters`."""
    told = hashlib.sha256()
    for path in sorted(Path(chapters).glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [(cell["source"], cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]
        told.update(json.dumps([path.name, code]).encode())
    return told.hexdigest()[:12]


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


def place(row):
    """Where a row was run, and with which Matplotlib."""
    return f"{row['system']} ({row['ran']['machine']}), Matplotlib {row['ran']['matplotlib']}"


def day(ran):
    when = datetime.fromisoformat(ran["date"])
    return f"{when.day} {when:%b %Y}"


def plan(row):
    """What a row that was not run wanted, on whatever Python, and why it was not."""
    return [row["system"], *named(row, row["torch"], row["numpy"]), row["not_run"]]


def tables(rows, text):
    """The page's tables: what was run, by system, then what was not."""
    told = []
    for title, group in groupby(sorted((row for row in rows if "ran" in row), key=place), place):
        lines = [
            [verdict(ran, text), ran["python"], *named(row, ran["torch"], ran["numpy"]), day(ran)]
            for row in group
            for ran in [row["ran"]]
        ]
        told.append(table(title, ["Result", "Python", "PyTorch", "NumPy", "Setting", "Run on"], lines))
    lines = [
        [system, ", ".join(row["python"] for row in group), *what]
        for (system, *what), group in groupby((row for row in rows if "ran" not in row), plan)
    ]
    if lines:
        told.append(table("Not yet run", ["System", "Python", "PyTorch", "NumPy", "Setting", "Why"], lines))
    return "\n\n".join(told)


def read(path):
    """The rows of the file at `path`; a ValueError of one line if there are none that can be shown."""
    path = Path(path)
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        if not tables(rows, ""):
            raise ValueError("it holds no rows")
    except FileNotFoundError:
        raise ValueError(f"{path.name}: missing. Run `make versions`.") from None
    except (ValueError, KeyError, TypeError) as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise ValueError(f"{path.name}: it cannot be shown ({what}). Restore it from git.") from None
    return rows


def data(app):
    return Path(app.srcdir) / "chapters" / f"{PAGE}.json"


def tell(app, env):
    """Warn, at every build, of a file that cannot be shown."""
    # here, since commands/versions.py reads this file where there is no Sphinx
    from sphinx.util import logging

    if f"chapters/{PAGE}" in env.found_docs:
        try:
            read(data(app))
        except ValueError as error:
            logging.getLogger(__name__).warning(str(error))


def fill(app, docname, source):
    """Put the tables into the page."""
    if docname.split("/")[-1] != PAGE:
        return
    app.env.note_dependency(str(data(app)))
    try:
        told = tables(read(data(app)), digest(data(app).parent))
    except ValueError:
        told = "This build has no results to show."
    source[0] = source[0].replace(MARK, told)


def setup(app):
    app.connect("env-updated", tell)
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
