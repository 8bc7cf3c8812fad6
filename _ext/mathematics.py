"""Mathematics drawn at build time by sphinxcontrib-katex, made steady.

- The drawing program is reached as on Windows, by a port that is tried until
  it answers: the Unix socket used elsewhere can be there before the program
  listens, and on a busy machine the build then dies.
- A formula that KaTeX cannot read is a warning that shows the formula and the
  fault (which `-W` makes a failure), not red text on the page.
- A formula that occurs again is not drawn again.
"""

import functools
import html

from sphinx.util import logging
from sphinxcontrib import katex

LOG = logging.getLogger(__name__)
PATIENCE = 60  # seconds for the drawing program to start, and for one formula


@functools.lru_cache(maxsize=None)
def draw(latex, display):
    """HTML of a formula; where it cannot be read, a warning and its source."""
    options = {"throwOnError": True, "displayMode": display}
    try:
        return draw_with_katex(latex, options)
    except katex.KaTeXError as error:
        LOG.warning("a formula that cannot be drawn: %s: %s", " ".join(latex.split()), error)
        return html.escape(latex)


draw_with_katex = katex.render_latex


def setup(app):
    app.setup_extension("sphinxcontrib.katex")
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = PATIENCE
    katex.KaTeXServer.start_server_process = katex.KaTeXServer.start_network_socket
    katex.render_latex = lambda latex, options=None: draw(latex, bool(options))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
