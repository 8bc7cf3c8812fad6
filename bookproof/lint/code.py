"""Rules on code cells and their outputs, one line a finding."""

import ast
import re
import sys

ALLOWED = {"numpy", "torch", "matplotlib"}
LINE = 72  # characters
TAGS = re.compile(r"exercise|hide-input|hide-output|figure-\w+")


def imports(tree):
    """Top-level packages that code imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def of_cell(cell):
    """Findings on one code cell; that its outputs are there and true is for nbval to say."""
    if any(output.get("name") == "stderr" or output["output_type"] == "error" for output in cell.outputs):
        yield f"{cell.name}: a warning or an error in its output. Mend the code."
    for tag in cell.tags:
        if not TAGS.fullmatch(tag):
            yield f"{cell.name}: no tag {tag!r} is known, and no tag hides a cell from a check. Remove it."
    if "NBVAL_" in cell.source:
        yield f"{cell.name}: a comment that hides it from nbval. Remove it."
    if re.search(r"(?m)^\s*[%!].*\binstall\b", cell.source):
        yield f"{cell.name}: it installs something. Use the standard library, numpy, torch and matplotlib."
    try:
        foreign = set(imports(cell.tree)) - ALLOWED - sys.stdlib_module_names
    except SyntaxError as error:
        yield f"{cell.name} line {error.lineno}: not Python: {error.msg}."
        return
    for package in sorted(foreign):
        yield f"{cell.name}: it imports {package}, which a reader may not have."
    for number, line in enumerate(cell.source.split("\n"), 1):
        if len(line) > LINE:
            yield f"{cell.name} line {number}: {len(line)} characters; a phone shows {LINE}. Break it."
    if cell.is_figure:
        if len(cell.alt) < 20:
            yield f"{cell.name}: its alt text says too little. Write it in the metadata, mystnb.image.alt."
        if not cell.source.rstrip().endswith("plt.show()"):
            yield f"{cell.name}: a figure cell ends with plt.show()."


def faults(notebook):
    """Findings on the code cells of a notebook."""
    if not notebook.code:
        yield f"{notebook.name}: no code cell, so nothing is proved."
    for cell in notebook.cells:
        if cell.kind == "code":
            yield from of_cell(cell)
        elif cell.kind != "markdown":
            yield f"{cell.name}: a raw cell, which nothing runs. Make it code or Markdown."
