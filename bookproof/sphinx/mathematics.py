"""Mathematics drawn as the site is built, by KaTeX, so that a page needs no script for it.

Sphinx is given a renderer of its own (`add_html_math_renderer`). KaTeX itself is the copy that
sphinxcontrib-katex brings; it runs in one Node process, which is asked a line of JSON a formula: about
a millisecond each. (The server of sphinxcontrib-katex waits 40 ms where it has no Unix socket, and may
be asked before it listens.) A formula that cannot be read is a warning that names page and formula,
which `-W` makes a failure, and not red text on the page.
"""

import html
import json
import re
import subprocess
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.util import logging

LOG = logging.getLogger(__name__)
PACKAGE = "sphinxcontrib.katex"
SOURCE = re.compile(r"<annotation [^>]*>[^<]*</annotation>")  # the TeX, which nobody sees
PROGRAM = """
const katex = require(process.argv[1]);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { latex, displayMode } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(latex, { displayMode, throwOnError: true }) };
  } catch (error) {
    answer = { fault: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""


@lru_cache(maxsize=1)
def program():
    """The running Node process; it ends when its input does, which is when the build ends."""
    script = Path(find_spec(PACKAGE).origin).with_name("katex.min.js")
    if not script.exists():
        raise ExtensionError(f"{PACKAGE} holds no katex.min.js, as it did since 0.9.0")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    try:
        return subprocess.Popen(["node", "-e", PROGRAM, str(script)], **pipes)
    except OSError as error:
        raise ExtensionError(f"Node, which draws the formulas, cannot be started: {error}") from error


@lru_cache(maxsize=None)
def draw(latex, display):
    """(HTML, what is wrong) of a formula, one of them None."""
    node = program()
    print(json.dumps({"latex": latex, "displayMode": display}), file=node.stdin, flush=True)
    answer = json.loads(node.stdout.readline())
    return answer.get("html") and SOURCE.sub("", answer["html"]), answer.get("fault")


def drawn(self, node, display):
    """HTML of a formula; where it cannot be read, its source and a warning."""
    latex = node.astext()
    picture, fault = draw(latex, display)
    if fault:
        place = (self.builder.current_docname, node.line or node.parent.line)
        LOG.warning("a formula that cannot be drawn: %s: %s", " ".join(latex.split()), fault, location=place)
    return picture or html.escape(latex)


def attributes(node):
    """What a formula's element carries: no translation, and the TeX, which book.js copies."""
    return f'class="math notranslate" data-tex="{html.escape(node.astext())}"'


def visit_inline(self, node):
    self.body.append(f'<span {attributes(node)}>{drawn(self, node, False)}</span>')
    raise nodes.SkipNode


def visit_block(self, node):
    self.body.append(f'<div {attributes(node)}>{drawn(self, node, True)}</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("drawn", (visit_inline, None), (visit_block, None))
