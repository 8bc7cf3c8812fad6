"""Mathematics drawn at build time by sphinxcontrib-katex, made steady.

- The drawing program's socket is tried until it answers: it can be there
  before the program listens, and on a busy machine the build would then die.
  (By a port, as on Windows and where a Unix socket's path would be too long,
  each formula waits 40 ms for an answer.)
- A formula that KaTeX cannot read is a warning that names page and formula
  (which `-W` makes a failure), not red text on the page.
- A formula that occurs again is not drawn again.
"""

import functools
import html
import socket
import subprocess
import time

from sphinx.util import logging
from sphinxcontrib import katex

LOG = logging.getLogger(__name__)
SOCKET_PATH = 100  # characters; systems differ a little
PATIENCE = 60  # seconds for the drawing program to start, and for one formula

draw_with_katex = katex.render_latex


@functools.lru_cache(maxsize=None)
def draw(latex, display):
    """(HTML, what is wrong) of a formula, one of them None."""
    try:
        return draw_with_katex(latex, {"throwOnError": True, "displayMode": display}), None
    except katex.KaTeXError as error:
        return None, error


def start(server, folder, patience):
    """The drawing program and a socket that reaches it, within `patience` seconds."""
    path = folder / "katex.sock"
    if len(str(path)) > SOCKET_PATH:
        return server.start_network_socket(folder, patience)
    command = server.build_command(socket=path)
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
    deadline = time.monotonic() + patience
    while True:
        try:
            line = socket.socket(socket.AF_UNIX)
            line.connect(str(path))
            return program, line
        except (FileNotFoundError, ConnectionRefusedError):
            line.close()
            if program.poll() is not None or time.monotonic() > deadline:
                raise server.timeout_error(patience) from None
            time.sleep(0.01)


def setup(app):
    def render(latex, options=None):
        """HTML of a formula; where it cannot be read, its source and a warning."""
        drawn, fault = draw(latex, bool(options))
        if fault is not None:
            formula = " ".join(latex.split())
            page = getattr(app.builder, "current_docname", None)
            LOG.warning("a formula that cannot be drawn: %s: %s", formula, fault, location=page)
        return drawn or html.escape(latex)

    app.setup_extension("sphinxcontrib.katex")
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = PATIENCE
    katex.KaTeXServer.start_server_process = classmethod(start)
    katex.render_latex = render
    return {"parallel_read_safe": True, "parallel_write_safe": True}
