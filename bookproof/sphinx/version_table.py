"""The table of *Where this holds*, made from the file that `make versions` writes.

The file is a list of rows. A row names what was to be tried (KEYS) and holds
either `ran`, the result of a real run (RAN), or `not_run`, the reason why
there is none; anything else is refused, so that what was not run cannot show
as passed. On the page, MARK gives way to the tables. A file that is missing or
malformed is told in one line, at every build.
"""

import hashlib
import json
from datetime import datetime
from itertools import groupby
from pathlib import Path

PAGE = "where_this_holds"
MARK = "<!-- the tables of versions -->"
KEYS = {"system", "python", "role", "torch", "numpy", "setting"}
RAN = {"date", "text", "machine", "python", "torch", "numpy", "matplotlib", "figures", "passed", "failed", "first"}


def digest(chapters):
    """A short name for the code and the outputs of all notebooks in `chapters`."""
    told = hashlib.sha256()
    for path in sorted(Path(chapters).glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [(cell["source"], cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]
        told.update(json.dumps([path.name, code]).encode())
    return told.hexdigest()[:12]


def fault(row):
    """What is wrong with `row`, or None."""
    if not isinstance(row, dict) or set(row) not in (KEYS | {"ran"}, KEYS | {"not_run"}):
        return "it needs " + ", ".join(sorted(KEYS)) + ", and one of ran and not_run"
    if not all(isinstance(row[key], str) for key in KEYS):
        return "what was to be tried is not text"
    if "not_run" in row:
        return None if row["not_run"] and isinstance(row["not_run"], str) else "no reason why it was not run"
    ran = row["ran"]
    if not isinstance(ran, dict) or set(ran) != RAN:
        return "a run needs " + ", ".join(sorted(RAN))
    counts = ran["passed"], ran["failed"]
    if not all(type(count) is int and count >= 0 for count in counts) or sum(counts) == 0:
        return "passed and failed are not counts of notebooks"
    if bool(ran["failed"]) != bool(ran["first"]):
        return "a first difference and a failed notebook belong together"
    try:
        datetime.fromisoformat(ran["date"])
    except (TypeError, ValueError):
        return f"{ran['date']!r} is not a date"
    return None


def read(path):
    """The rows of the file at `path`; a ValueError of one line if there are none or one is malformed."""
    path = Path(path)
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path.name}: missing. Run `make versions`.") from None
    except ValueError as error:
        raise ValueError(f"{path.name}: not JSON ({error}). Restore it from git.") from None
    if not isinstance(rows, list) or not rows:
        raise ValueError(f"{path.name}: not a list of rows. Restore it from git.")
    for number, row in enumerate(rows, 1):
        if fault(row):
            raise ValueError(f"{path.name} row {number}: {fault(row)}. Restore it from git.")
    return rows


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
    return f"**{title}.**\n\n" + "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


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
        for (system, *what), group in groupby((row for row in rows if "not_run" in row), plan)
    ]
    if lines:
        told.append(table("Not yet run", ["System", "Python", "PyTorch", "NumPy", "Setting", "Why"], lines))
    return "\n\n".join(told)


def data(app):
    return Path(app.srcdir) / "chapters" / f"{PAGE}.json"


def tell(app):
    """Warn, at every build, of a file that cannot be shown."""
    # here, since tests/versions.py reads this file where there is no Sphinx
    from sphinx.util import logging

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
    app.connect("builder-inited", tell)
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
