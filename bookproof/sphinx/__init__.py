"""The site's side: parts of one Sphinx extension, one job a file, set up in this order."""

from importlib import import_module

PARTS = (
    "answers", "callouts", "citations", "cover", "described", "folds", "launch", "lean", "mathematics",
    "path", "pictures", "places", "proved", "repository", "version_table",
)


def setup(app):
    for part in PARTS:
        import_module(f"{__name__}.{part}").setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
