"""A notebook, read once: its cells, by the names that every message uses, and its normal form.

A cell is named as Jupyter shows it, `In [4]`; a Markdown cell by the code
cell above it, `after In [4]`. Needs the standard library alone.
"""

import ast
import base64
import copy
import hashlib
import json
import re
from pathlib import Path

MAGIC = re.compile(r"(?m)^[%!](?!=).*$")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEYS = {"cell_type", "id", "metadata", "source"}


class NotANotebook(ValueError):
    """A file that cannot be read as a notebook; its text is one line."""


def without_magics(source):
    """`source` as Python: `pass` in the place of each line that only IPython knows."""
    return MAGIC.sub("pass", source)


class Cell:
    """One cell: `data` is its part of the file, `number` how many code cells there are up to it."""

    def __init__(self, file, number, data):
        self.file, self.number, self.data = file, number, data
        self.kind = data["cell_type"]
        self.place = f"In [{number}]" if self.kind == "code" else f"after In [{number}]"
        self.name = f"{file} {self.place}"

    @property
    def source(self):
        return "".join(self.data["source"])

    @source.setter
    def source(self, text):
        self.data["source"] = text.splitlines(True)

    @property
    def outputs(self):
        return self.data.get("outputs", [])

    @property
    def tags(self):
        return self.data["metadata"].get("tags", [])

    @property
    def folded(self):
        return "hide-input" in self.tags

    @property
    def alt(self):
        """The alt text of the cell's figure, or an empty text."""
        return self.data["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")

    @property
    def is_figure(self):
        return self.kind == "code" and "plt.show()" in self.source

    @property
    def printed(self):
        """What the cell printed or showed as text; not the text that stands for a picture."""
        texts = []
        for output in self.outputs:
            data = output.get("data", {})
            if not any(kind.startswith("image/") for kind in data):
                texts.append("".join(output.get("text", "")) + "".join(data.get("text/plain", "")))
        return "\n".join(text.removesuffix("\n") for text in texts)

    @property
    def pictures(self):
        return pictures(self.outputs)

    @property
    def tree(self):
        """The syntax tree of a code cell; raises SyntaxError."""
        return ast.parse(without_magics(self.source))

    def definitions(self):
        """(name, text) of each function and class that the top level of a code cell defines."""
        code = without_magics(self.source)
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name, ast.get_source_segment(code, node)


def pictures(outputs):
    """The PNG pictures among `outputs`, as bytes."""
    data = ["".join(output.get("data", {}).get("image/png", "")) for output in outputs]
    return [base64.b64decode(png) for png in data if png]


class Notebook:
    """The notebook at `path`; raises NotANotebook. `data`: what the file holds, or what is given."""

    def __init__(self, path, data=None):
        self.path = Path(path)
        self.name = self.path.name
        try:
            self.text = self.path.read_text(encoding="utf-8")
            self.data = data or json.loads(self.text)
            self.cells, number = [], 0
            for data in self.data["cells"]:
                number += data["cell_type"] == "code"
                self.cells.append(Cell(self.name, number, data))
                assert isinstance(self.cells[-1].source + "", str) and isinstance(data["metadata"], dict)
        except FileNotFoundError:
            raise NotANotebook(f"{self.name}: no such file. Mend the name.") from None
        except (ValueError, KeyError, TypeError, AssertionError) as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise NotANotebook(f"{self.name}: not a notebook ({said}). Restore it from git.") from None

    @property
    def code(self):
        return [cell for cell in self.cells if cell.kind == "code"]

    @property
    def markdown(self):
        return [cell for cell in self.cells if cell.kind == "markdown"]

    @property
    def digest(self):
        """A short name for what nbval looks at: code, outputs and tags; prose is not in it."""
        seen = json.dumps([(cell.source, cell.outputs, cell.tags) for cell in self.code])
        return hashlib.sha256(seen.encode()).hexdigest()[:16]

    @property
    def ids(self):
        return [cell.data.get("id") for cell in self.cells]


# The normal form: what `make outputs` writes, and the lint asks for


def lines(text):
    """A text as notebooks store it, a list of lines."""
    return "".join(text).splitlines(True)


def cell_metadata(cell):
    """The metadata of a cell in normal form, made from its tags and its alt text."""
    metadata, tags = {}, sorted(set(cell.tags))
    if tags:
        metadata["tags"] = tags
    if "hide-input" in tags:
        metadata["cellView"] = "form"  # Colab
        metadata["jupyter"] = {"source_hidden": True}  # JupyterLab, VS Code
    if "hide-output" in tags:
        metadata.setdefault("jupyter", {})["outputs_hidden"] = True
    if cell.alt:
        metadata["mystnb"] = {"image": {"alt": cell.alt}}
    return metadata


def output(found, count):
    """One stored output in normal form: no vendor's data, text in lines, `count` for its cell's."""
    kept = copy.deepcopy(found)
    if "text" in kept:
        kept["text"] = lines(kept["text"])
    if "data" in kept:
        data = {k: v for k, v in kept["data"].items() if not k.startswith("application/vnd.")}
        kept["data"] = {k: lines(v) if k.startswith("text/") else "".join(v) for k, v in data.items()}
        sizes = kept.get("metadata", {}).get("image/png")
        kept["metadata"] = {"image/png": sizes} if sizes else {}
    if "execution_count" in kept:
        kept["execution_count"] = count
    return kept


def new_id(notebook, cell, taken):
    """The id of a cell: its own if it is a good one and not taken, else one made of its text."""
    name, number = cell.data.get("id"), 0
    while name in taken or not re.fullmatch(r"[\w-]{1,64}", str(name or "")):
        name = hashlib.sha1(f"{notebook.path.stem}{number}{cell.source}".encode()).hexdigest()[:8]
        number += 1
    return name


def normal(notebook, taken=()):
    """The notebook in normal form, as data. `taken`: ids of the pages before it."""
    cells, taken = [], set(taken)
    for cell in notebook.cells:
        new = {key: value for key, value in cell.data.items() if key in KEYS}
        new["id"] = new_id(notebook, cell, taken)
        taken.add(new["id"])
        new |= {"source": lines(cell.source), "metadata": cell_metadata(cell)}
        if cell.kind == "code":
            new["outputs"] = [output(found, cell.number) for found in cell.outputs]
            new["execution_count"] = cell.number
        cells.append(new)
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def written(data):
    """The text of a notebook's file."""
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
