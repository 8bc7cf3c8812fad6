"""What nbval and the build would let through: a lint of the notebooks.

    python _tools/lint.py [NOTEBOOK ...]      (default: all of chapters/)

Each finding is one line: notebook, cell, what is wrong, what to do. A cell
is named as Jupyter shows it, `In [4]`; a Markdown cell by the code cell
above it, `after In [4]`.
"""

import ast
import json
import re
import sys
from pathlib import Path

from bookproof import numbers, plain_numbers
from bookproof.project import CHAPTERS, notebooks

ALLOWED = {"numpy", "torch", "matplotlib"}
LINE = 72
UNREADABLE = (ValueError, KeyError, TypeError)  # what a file that is no notebook raises
MAGIC = re.compile(r"(?m)^[%!](?!=).*$")
IGNORING = re.compile(r"nbval|raises-exception|skip|NBVAL_\w+|remove[-_]")
RAW = {
    r"^\s*(`{3,}|~{3,}|:{3,})\{": "a directive",
    r"\{[\w:-]+\}`": "a role",
    r"^\s*\([\w-]+\)=\s*$": "a label",
    r"\[\^[\w-]+\]": "a footnote",
    r"attachment:": "an attachment",
    r"~~": "a strike-through, which GitHub alone draws",
    r"\{\{|\{%": "a template mark",
    r"\[[^\]]*\]\([\w./-]+\.(ipynb|md)#": "a fragment in a link between pages",
    r"<(?!/?(details|summary)\b|!--)[a-zA-Z/][^>\s]*>": "raw HTML other than <details>",
}


class Cells:
    """The cells of one notebook with the names that messages use."""

    def __init__(self, path):
        self.path = Path(path)
        self.notebook = json.loads(self.path.read_text(encoding="utf-8"))
        self.all, number = [], 0
        for cell in self.notebook["cells"]:
            number += cell["cell_type"] == "code"
            place = f"In [{number}]" if cell["cell_type"] == "code" else f"after In [{number}]"
            self.all.append((f"{self.path.name} {place}", cell, "".join(cell["source"])))

    def of(self, kind):
        """(name, cell, source) of each cell of `kind`."""
        return [entry for entry in self.all if entry[1]["cell_type"] == kind]


def outside_code(markdown):
    """Markdown without fenced and inline code, where marks mean nothing; a role's `…` stays."""
    fenced = re.sub(r"(?ms)^(`{3,}).*?^\1\s*$", "", markdown)
    return re.sub(r"(?<![`}])(`+)(?!`).+?(?<!`)\1(?!`)", "", fenced)


def imports(source):
    """Top-level packages that `source` imports."""
    for node in ast.walk(ast.parse(MAGIC.sub("pass", source))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def lint_outputs(name, cell, count):
    """Findings on the stored outputs of a code cell, the `count`th."""
    outputs = cell["outputs"]
    if cell["execution_count"] is None:
        yield f"{name}: no execution count, so nothing is compared. Run `make outputs`."
    elif cell["execution_count"] != count:
        yield f"{name}: its count is {cell['execution_count']}, not {count}. Run `make outputs`."
    source = "".join(cell["source"])
    if "plt.show()" in source and not any("image/png" in o.get("data", {}) for o in outputs):
        yield f"{name}: a figure without its picture. Run `make outputs`."
    if re.search(r"^\s*print\(", source, re.M) and "def " not in source and not outputs:
        yield f"{name}: it prints, and no output is stored. Run `make outputs`."
    for output in outputs:
        if output.get("name") == "stderr" or output["output_type"] == "error":
            yield f"{name}: a warning or an error in its output. Mend the code."


def lint_code(name, cell, source, count):
    tags = cell["metadata"].get("tags", [])
    yield from (f"{name}: the tag {tag!r} hides it from a check. Remove it." for tag in tags if IGNORING.search(tag))
    if re.search(r"NBVAL_", source):
        yield f"{name}: a comment that hides it from nbval. Remove it."
    if re.search(r"(?m)^\s*[%!].*\binstall\b", source):
        yield f"{name}: it installs something. Use the standard library, numpy, torch and matplotlib."
    try:
        foreign = set(imports(source)) - ALLOWED - sys.stdlib_module_names
    except SyntaxError as error:
        yield f"{name} line {error.lineno}: not Python: {error.msg}."
        return
    yield from (f"{name}: it imports {package}, which a reader may not have." for package in sorted(foreign))
    for number, line in enumerate(source.split("\n"), 1):
        if len(line) > LINE:
            yield f"{name} line {number}: {len(line)} characters; a phone shows {LINE}. Break it."
    folded = "hide-input" in tags
    if source.startswith("#@title") != folded or folded != (cell["metadata"].get("cellView") == "form"):
        yield f"{name}: a folded cell has the tag hide-input, cellView form and a first line `#@title …`; it has some."
    if "plt.show()" in source:
        alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
        if len(alt) < 20:
            yield f"{name}: a figure without alt text. Put it into the cell's metadata, mystnb.image.alt."
        if not source.rstrip().endswith("plt.show()"):
            yield f"{name}: a figure cell ends with plt.show()."
    yield from lint_outputs(name, cell, count)


def lint_markdown(name, cell, source):
    text = outside_code(source)
    for pattern, what in RAW.items():
        if re.search(pattern, text if what != "a directive" else source, re.M):
            yield f"{name}: {what}, which another reader shows raw. Write plain Markdown."
    if cell.get("attachments"):
        yield f"{name}: an attachment, which the site does not show. Draw it in a cell."
    if text.count("<details") != text.count("</details>"):
        yield f"{name}: a <details> that is not closed in its cell."
    if re.search(r"<summary>[^\n]*\n(?!\n)", text) or re.search(r"[^\n]\n</details>", text):
        yield f"{name}: blank lines are needed inside <details>, or GitHub shows the Markdown raw."
    for line in text.split("\n"):
        if "$$" in line and line.strip() not in ("$$", "> $$"):
            yield f"{name}: $$ stands on a line of its own."


def lint_figures(cells):
    """Each figure has its caption below it; both are numbered 4.1, 4.2, … and no other number is spoken of."""
    page, numbers = cells.path.stem.split("_")[0].lstrip("0") or "0", set()
    for (name, cell, source), (_, _, below) in zip(cells.all, [*cells.all[1:], ("", {}, "")]):
        if cell["cell_type"] == "code" and "plt.show()" in source:
            number = f"{page}.{len(numbers) + 1}"
            numbers.add(number)
            caption = re.match(r"\*\*Figure (\d+\.\d+)\.\*\* ", below)
            if not caption:
                yield f"{name}: no caption below it. Begin the next cell with `**Figure {number}.** `."
            said = {found[1] for found in (caption, re.match(r"#@title Figure (\d+\.\d+)", source)) if found}
            for wrong in sorted(said - {number}):
                yield f"{name}: it is numbered {wrong}, and it is Figure {number}."
    for name, _, source in cells.of("markdown"):
        for number in re.findall(rf"(?<!\*)Figure ({page}\.\d+)", outside_code(source)):
            if number not in numbers:
                yield f"{name}: no Figure {number} is on this page. Mend the number."


def lint(path):
    """All findings on the notebook at `path`, one line each."""
    try:
        cells = Cells(path)
        code = cells.of("code")
    except UNREADABLE as error:
        return [f"{Path(path).name}: not a notebook ({error}). Restore it from git."]
    found = []
    if not code:
        found.append(f"{cells.path.name}: no code cell, so nothing is proved.")
    for name, _, _ in cells.of("raw"):
        found.append(f"{name}: a raw cell, which nothing runs. Make it code or Markdown.")
    for count, (name, cell, source) in enumerate(code, 1):
        found.extend(lint_code(name, cell, source, count))
    for name, cell, source in cells.of("markdown"):
        found.extend(lint_markdown(name, cell, source))
    found.extend(lint_figures(cells))
    found.extend(plain_numbers.faults(numbers.Page(path), numbers.beside(path)))
    return found


def lint_page(path):
    """All findings on a page without cells, one line each."""
    return list(plain_numbers.faults(numbers.Page(path), numbers.beside(path)))


def definitions(source):
    """(name, text) of what a cell defines that is to be the same text in every notebook."""
    if source.startswith("#@title Figure style"):
        yield "the figure style", source
    code = MAGIC.sub("pass", source)
    try:
        tree = ast.parse(code)
    except SyntaxError:  # lint_code tells it
        return
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not re.fullmatch(r"check_\d+|solve_\d+", node.name):
            yield node.name, ast.get_source_segment(code, node)


def shared_definitions(paths):
    """Findings on definitions whose text differs between notebooks."""
    seen, found = {}, []
    for path in paths:
        try:
            code = Cells(path).of("code")
        except UNREADABLE:  # lint tells it
            continue
        for place, _, source in code:
            for name, text in definitions(source):
                first, where = seen.setdefault(name, (text, place))
                if text != first and not place.startswith(where.split()[0]):
                    found.append(f"{place}: {name} differs from that of {where}. Make them one text.")
    return found


def main(names):
    paths = [Path(name) for name in names] or sorted(CHAPTERS.glob("*.ipynb"))
    found = [line for path in paths for line in lint(path)]
    if not any(": not a notebook (" in line for line in found):  # the rest reads them all
        found += [line for path in sorted(CHAPTERS.glob("*.md")) if not names for line in lint_page(path)]
        found += shared_definitions(paths)
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
