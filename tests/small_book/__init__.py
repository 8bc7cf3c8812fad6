"""The small book: one page of each kind, laid beside the real book's settings, for tests to try things in."""

import os
import shutil
from pathlib import Path

from bookproof.project import ROOT

HERE = Path(__file__).parent
SETTINGS = ("_config.yml", "references.bib")  # copied, since tests change them
HOUSE = ("bookproof", "_static", "_templates")


def lay(folder):
    """Write the small book into `folder`, which is made; returns it."""
    folder = Path(folder)
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name in SETTINGS:
        shutil.copy(ROOT / name, folder / name)
    for name in HOUSE:
        os.symlink(ROOT / name, folder / name, target_is_directory=True)
    return folder
