"""The live figures' scripts without their comments, in the built site alone.

The sources explain themselves at length; a phone need not load that. Only
lines that are comment and nothing else go: minifiers that do not parse
take the blanks out of nested template strings, and with them attributes apart.
"""

import re
from pathlib import Path

COMMENT = re.compile(r"^[ \t]*(?:/\*\*.*?\*/|//[^\n]*)\n", re.S | re.M)


def minify(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    for script in Path(app.outdir, "_static/figures").glob("*.js"):
        script.write_text(COMMENT.sub("", script.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.connect("build-finished", minify)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
