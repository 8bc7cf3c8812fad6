"""The small book: one page of each kind, laid beside the real book's settings, for tests to try things in."""

import os
import shutil
from pathlib import Path

from bookproof.project import ROOT

HERE = Path(__file__).parent
SHARED = ("_config.yml", "references.bib", "_static", "_templates")  # the small book's pages, the real book's house


def lay(folder):
    """Write the small book into `folder`, which is made; returns it."""
    folder = Path(folder)
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name in SHARED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    os.symlink(ROOT / "bookproof", folder / "bookproof", target_is_directory=True)
    return folder
