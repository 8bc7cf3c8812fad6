"""Folded code says what it holds.

A folded cell begins `#@title Figure 4.1: … (run this cell)`, which Colab shows
as its name. Here the fold is named after it too ("Code: Figure 4.1"), where
all would read "Show the code": a list of twenty equal controls is of no use
to those who hear it.
"""

import re

FOLD = re.compile(
    r'<summary aria-label="Toggle hidden content">.*?</summary>'
    r"(?P<between>(?:(?!</summary>).)*?#@title (?P<title>[^<:(]*))",
    re.S,
)


def name_folds(app, pagename, templatename, context, doctree):
    def named(match):
        return f"<summary>Code: {match['title'].strip()}</summary>{match['between']}"

    context["body"] = FOLD.sub(named, context.get("body", ""))


def setup(app):
    app.connect("html-page-context", name_folds)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
