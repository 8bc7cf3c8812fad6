"""The table of *Where this holds*, made from the file that `make versions` keeps.

The file is a list of rows. A row names what is tried (KEYS, and in `environment` the variables that make
its setting; `pinned` and `newest` stand for versions), and holds `ran`, the result of a real run, or
`not_run`, the reason why there is none. What is to be tried is added there by hand. On the page, MARK
gives way to the table.
"""

import json
import logging
from hashlib import sha256
from pathlib import Path

from bookproof.notebook import Notebook
from bookproof.project import pinned

PAGE = "where_this_holds"
MARK = "<!-- the table of versions -->"
KEYS = ("system", "python", "role", "torch", "numpy", "setting")
HEADS = ("Result", "System", "Python", "PyTorch", "NumPy", "Setting", "Run on")


def digest(chapters):
    """A short name for the code and the outputs of all notebooks in `chapters`."""
    notebooks = [(path.name, Notebook(path).digest) for path in sorted(Path(chapters).glob("*.ipynb"))]
    return sha256(json.dumps(notebooks).encode()).hexdigest()[:12]


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
        told += f". First difference: {ran['first']}"
    return told


def line(row, text):
    """What the table says of a row."""
    if "ran" in row:
        ran = row["ran"]
        result, system, day = verdict(ran, text), f"{row['system']} ({ran['machine']})", ran["date"][:10]
    else:
        ran = {"python": row["python"], "torch": wanted(row, "torch"), "numpy": wanted(row, "numpy")}
        result, system, day = row["not_run"], row["system"], ""
    torch = ran["torch"] + (f" ({row['role']})" if ran["torch"] != row["role"] else "")
    return [result, system, ran["python"], torch, ran["numpy"], row["setting"] or "as it comes", day]


def table(rows, text):
    """The page's table, a line a row: what was run, then, folded, what was not yet."""

    def lines(rows):
        cells = [HEADS, ["---"] * len(HEADS), *(line(row, text) for row in rows)]
        return "\n".join("| " + " | ".join(each).replace("\n", " ") + " |" for each in cells)

    done = lines(row for row in rows if "ran" in row)
    rest = lines(row for row in rows if "ran" not in row)
    return f"{done}\n\n<details><summary>Not yet run</summary>\n\n{rest}\n\n</details>"


def fill(app, docname, source):
    """Put the table into the page."""
    if docname == f"chapters/{PAGE}":
        data = Path(app.srcdir, f"{docname}.json")
        app.env.note_dependency(str(data))
        try:
            rows = json.loads(data.read_text(encoding="utf-8"))
        except ValueError as error:
            logger = logging.getLogger("sphinx.bookproof")  # `make versions` has no Sphinx
            return logger.warning(f"{data.name}: it cannot be read ({error}). Restore it from git.")
        source[0] = source[0].replace(MARK, table(rows, digest(data.parent)))


def setup(app):
    app.connect("source-read", fill)
