"""The site's side: Sphinx extensions, one job a file, set up in this order."""

PARTS = (
    "answers", "callouts", "citations", "cover", "described", "folds", "launch", "lean", "mathematics", "path",
    "pictures", "places", "predict", "proved", "repository", "version_table",
)


def setup(app):
    for part in PARTS:
        app.setup_extension(f"{__name__}.{part}")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
