"""Numbers in prose, tied to the line of output that printed them.

A number that stands in a sentence as inline code (`37`, `-0.3057`,
`2.2e-16`, `37%`, or a list of numbers such as `(5, 1)`) becomes a link to the
line that printed it: the nearest one above it on its page, with exactly these
characters and as a whole number (`whole` below says what that means). Text
outputs prove; pictures do not. Where no line does, the build warns in one
line with notebook, cell and number. Findings are kept with the environment
and told at every build, so a warm build fails as a cold one does.

- A list that no output shows is code if the page's code holds it.
- Inside `<details>` any output of the page may prove a number, since an answer
  stands before its cell. Where the `<details>` holds Python code, what this
  code prints may prove it too; that is left to tests/test_exercises.py.
- A page without cells names the page that proves: the next link to a notebook
  in the same paragraph, list item or table row, or else the last one before.
"""

import re
from functools import lru_cache
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util import logging

LOG = logging.getLogger(__name__)
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?"
LIST = rf"[(\[]{NUMBER}(?:,? {NUMBER})*,?[)\]]"
VALUE = re.compile(f"{NUMBER}|{LIST}")
TEXT = ({"output", "stream"}, {"output", "text_plain"})
BLOCKS = (nodes.row, nodes.list_item, nodes.paragraph)  # the outer ones first


@lru_cache(maxsize=None)
def whole(value):
    """A pattern that finds `value` in a line, not as a part of another number.

    Part of a number are letters, digits, points and commas between digits, a
    sign (but not the hyphen of `9-37`), an exponent, a per cent sign, a power.
    """
    if value[0] in "([":
        return re.compile(rf"(?<!\w){re.escape(value)}")
    before = r"(?<![\w.^])(?<!\d,)(?<!\*\*)(?<!\d[eE][-+])(?<!(?<![\w)\]])[-+])"
    if value[0] in "-+":
        before = r"(?<![\w.^)\]])(?<!\*\*)"
    after = "" if value.endswith("%") else r"(?![\w%^]|\.\w|,\d|\*\*)"
    return re.compile(before + re.escape(value) + after)


def proof(value, lines):
    """The first of `lines`, each (cell, id, text), that shows `value`, or None."""
    return next((line for line in lines if whole(value).search(line[2])), None)


def has(node, element):
    return isinstance(node, nodes.container) and node.get("nb_element") == element


def shown(cell):
    """The text outputs of a cell as literal blocks, none that a picture hides."""
    for block in cell.findall(nodes.literal_block):
        bundle = block.parent.parent
        hidden = has(bundle, "mime_bundle") and len(bundle) > 1
        if not hidden and any(kind <= set(block["classes"]) for kind in TEXT):
            yield block


def number_lines(cell, number):
    """Give each line that a cell printed an id; returns (cell, id, text) of each."""
    lines = []
    for k, block in enumerate(shown(cell), 1):
        prefix = f"out-{number}-{k}"
        block["highlight_args"] = {**block.get("highlight_args", {}), "linespans": prefix}
        text = block.astext().strip("\n")  # as Pygments does before it counts
        lines += [(number, f"{prefix}-{n}", line) for n, line in enumerate(text.split("\n"), 1)]
    return lines


def proving_page(literal):
    """The page that a number on a page without cells names, or None."""
    above = [literal]
    while above[-1].parent is not None:
        above.append(above[-1].parent)
    block = next((node for kind in BLOCKS for node in above if isinstance(node, kind)), None)
    before, after = [], []
    side = before
    for node in block.findall() if block is not None else ():
        if node is literal:
            if literal.parent in before:  # it is the text of a link
                after.append(before.pop())
            side = after
        elif isinstance(node, addnodes.pending_xref) and node["refdomain"] == "doc":
            side.append(node)
    found = after or before[-1:]
    return found[0]["reftarget"] if found else None


class Page:
    """What one page printed, and what its prose says of it.

    lines: (cell, id, text) of each printed line; numbers: (place, value, page
    that proves) on a page without cells; faults: what is wrong, a line each.
    """

    def __init__(self, doctree, file):
        self.file, self.lines, self.numbers, self.faults = file, [], [], []
        self.code, spots, fenced = [], [], set()
        cell, depth, fold = 0, 0, 0
        for node in doctree.findall():
            if has(node, "cell_code"):
                cell += 1
                self.lines += number_lines(node, cell)
            elif has(node, "cell_code_source"):
                self.code.append(node.astext())
            elif isinstance(node, nodes.raw):
                opened = node.astext().count("<details")
                fold += opened and not depth
                depth += opened - node.astext().count("</details>")
            elif isinstance(node, nodes.literal_block) and depth:
                fenced.update([fold] * (node.get("language") == "python"))
            elif isinstance(node, nodes.literal) and VALUE.fullmatch(node.astext()):
                spots.append((node, cell, len(self.lines), fold if depth else None))
        for literal, place, above, inside in spots:
            if cell:
                self.prove(literal, f"after In [{place}]", above, inside, inside in fenced)
            else:
                literal["proved_by"] = proving_page(literal)
                block = next((n for n in ancestors(literal) if n.line), None)
                where = f"line {block.line}" if block is not None else "somewhere"
                self.numbers.append((where, literal.astext(), literal["proved_by"]))
        del self.code

    def prove(self, literal, place, above, inside, fenced):
        """Link a number to the line that printed it, or note the fault."""
        value, below = literal.astext(), self.lines[above:]
        line = proof(value, self.lines[:above][::-1])
        if line is None and inside is not None:
            line = proof(value, below)
        if line is not None:
            link(literal, line, refid=line[1])
        elif not fenced and not (value[0] in "([" and any(whole(value).search(code) for code in self.code)):
            later = proof(value, below)
            hint = f" (In [{later[0]}] prints it, below)" if later else ""
            self.faults.append(
                f"{self.file} {place}: `{value}` is printed by no output above it{hint}. "
                "Print it first, or mend the number; what went in stands without the marks."
            )


def ancestors(node):
    while node is not None:
        yield node
        node = node.parent


def link(literal, line, **target):
    """Mark a number as proved and, outside links and titles, make it a link."""
    literal["classes"].append("proved")
    outer = next((n for n in ancestors(literal) if isinstance(n, (nodes.reference, addnodes.pending_xref))), None)
    if outer is not None:
        outer.attributes.update(target if "refuri" in target else {})
    elif not any(isinstance(node, nodes.title) for node in ancestors(literal)):
        reference = nodes.reference("", "", internal=True, reftitle=f"printed by In [{line[0]}]", **target)
        literal.replace_self(reference)
        reference += literal


def read(app, doctree):
    file = Path(app.env.doc2path(app.env.docname)).name
    app.env.proved_pages[app.env.docname] = Page(doctree, file)


def resolve(app, doctree, docname):
    """Link the numbers of a page without cells to the page that proves them."""
    for literal in list(doctree.findall(nodes.literal)):
        page = app.env.proved_pages.get(literal.get("proved_by"))
        line = proof(literal.astext(), page.lines) if page else None
        if line is not None:
            address = app.builder.get_relative_uri(docname, literal["proved_by"])
            link(literal, line, refuri=f"{address}#{line[1]}")


def faults(page, pages):
    """What is wrong with the numbers of `page`, one line each."""
    yield from page.faults
    for place, value, name in page.numbers:
        if name not in pages or not pages[name].lines:
            yield (
                f"{page.file} {place}: `{value}` names no page that proves it. "
                f"Write `{value}` ([its page](page.ipynb))."
            )
        elif proof(value, pages[name].lines) is None:
            yield (
                f"{page.file} {place}: `{value}` is printed by no output of {pages[name].file}. "
                "Mend the number, or name the page that prints it."
            )


def tell(app, env):
    """Warn of each fault; pages without cells are written anew, as others may have changed."""
    pages = env.proved_pages
    for name in sorted(pages):
        for fault in dict.fromkeys(faults(pages[name], pages)):
            LOG.warning(fault, type="proved")
    return [name for name in pages if pages[name].numbers]


def begin(app):
    if not hasattr(app.env, "proved_pages"):
        app.env.proved_pages = {}


def purge(app, env, docname):
    getattr(env, "proved_pages", {}).pop(docname, None)


def merge(app, env, docnames, other):
    env.proved_pages.update({name: other.proved_pages[name] for name in docnames if name in other.proved_pages})


def setup(app):
    app.connect("builder-inited", begin)
    app.connect("doctree-read", read)
    app.connect("doctree-resolved", resolve)
    app.connect("env-purge-doc", purge)
    app.connect("env-merge-info", merge)
    app.connect("env-updated", tell)
    return {"env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
