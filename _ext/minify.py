"""The live figures' scripts without their comments, in the built site alone.

The sources explain themselves at length; a phone need not load that.
"""

from pathlib import Path

from rjsmin import jsmin


def minify(app, exception):
    if exception is not None or app.builder.format != "html":
        return
    for script in Path(app.outdir, "_static/figures").glob("*.js"):
        script.write_text(jsmin(script.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.connect("build-finished", minify)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
