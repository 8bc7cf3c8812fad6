"""Numbers in prose become links to the line of output that printed them.

What a number is, which line proves it and what is wrong with one that none does, says numbers.py; here
the lines get names to link to, labels are dropped from the page, and each finding is a warning of one
line. They are looked for at every build, so a warm build fails as a cold one does.
"""

from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from bookproof import numbers
from bookproof.numbers import beside, page_at

LOG = logging.getLogger(__name__)
TEXT = ({"output", "stream"}, {"output", "text_plain"})  # MyST-NB's classes of what numbers.printed reads


def has(node, element):
    return isinstance(node, nodes.container) and node.get("nb_element") == element


def shown(cell):
    """The text outputs of a cell as literal blocks, none that a picture hides."""
    for block in cell.findall(nodes.literal_block):
        bundle = block.parent.parent
        hidden = has(bundle, "mime_bundle") and len(bundle) > 1
        if not hidden and any(kind <= set(block["classes"]) for kind in TEXT):
            yield block


class MarkNumbers(SphinxTransform):
    """Give each number its place among those of its page, and each printed line an id; drop the labels."""

    default_priority = 250  # before callouts and exercises move what they hold

    def apply(self):
        cells = [node for node in self.document.findall(nodes.container) if has(node, "cell_code")]
        for k, cell in enumerate(cells, 1):
            for n, block in enumerate(shown(cell), 1):
                block["highlight_args"] = {**block.get("highlight_args", {}), "linespans": f"out-{k}-{n}"}
        literals = self.document.findall(nodes.literal)
        found = [node for node in literals if numbers.VALUE.fullmatch(node.astext())]
        read = page_at(Path(self.env.doc2path(self.env.docname))).numbers
        if [node.astext() for node in found] != [number.value for number in read]:
            LOG.warning("numbers.py and MyST-Parser read other numbers here", location=self.env.docname)
            return
        for place, node in enumerate(found):
            node["number"] = place
            after = node.next_node(descend=False, siblings=True)
            if isinstance(after, nodes.raw) and numbers.LABEL.fullmatch(after.astext()):
                after.parent.remove(after)


def ancestors(node):
    while node := node.parent:
        yield node


def link(literal, line, **target):
    """Mark a number as proved and, outside links and titles, make it a link."""
    literal["classes"].append("proved")
    links = (nodes.reference, addnodes.pending_xref)
    outer = next((node for node in ancestors(literal) if isinstance(node, links)), None)
    if outer is not None:
        outer.attributes.update(target if "refuri" in target else {})
    elif not any(isinstance(node, nodes.title) for node in ancestors(literal)):
        reference = nodes.reference("", "", internal=True, reftitle=f"printed by In [{line.cell}]", **target)
        literal.replace_self(reference)
        reference += literal


def resolve(app, doctree, docname):
    """Link the numbers of a page to the lines that prove them."""
    path = Path(app.env.doc2path(docname))
    found = list(numbers.proofs(page_at(path), beside(path)))
    for literal in list(doctree.findall(nodes.literal)):
        if "number" not in literal:
            continue
        number, line, _ = found[literal["number"]]
        if line is not None:
            name = f"out-{line.cell}-{line.output}-{line.number}"
            if path.suffix == ".ipynb":
                link(literal, line, refid=name)
            else:
                proves = str(PurePosixPath(docname).with_name(Path(number.notebook).stem))
                address = app.builder.get_relative_uri(docname, proves)
                link(literal, line, refuri=f"{address}#{name}")


def tell(app, env):
    """Warn of each fault; pages without cells are written anew, as others may have changed."""
    quoting = []
    for docname in sorted(env.found_docs):
        path = Path(env.doc2path(docname))
        for fault in dict.fromkeys(numbers.faults(page_at(path), beside(path))):
            LOG.warning(fault, type="proved")
        if path.suffix == ".md" and page_at(path).numbers:
            quoting.append(docname)
    return quoting


def setup(app):
    app.add_transform(MarkNumbers)
    app.connect("doctree-resolved", resolve)
    app.connect("env-updated", tell)
