"""Compare the figures of a notebook with the stored ones (a pytest plugin).

nbval leaves pictures out. Here each picture that a cell makes is compared
with the stored one, tile by tile: the mean of each TILE x TILE pixels and
colour may differ by at most LIMIT of 255. Antialiasing differs by less;
one changed letter of a label by about 15, a curve that moved by 1 % by 20
or more. A mean over the whole picture would see neither.

Only under the matplotlib that drew the stored pictures: another version
draws every letter a little differently. Elsewhere text alone is compared,
and the run says so. Where pictures differ, the expected one, the new one and
their difference are left in _build/figures.
"""

import base64
import functools
import io
from importlib.metadata import version
from pathlib import Path

import numpy as np
from nbval import plugin as nbval
from PIL import Image, ImageChops

from bookproof.project import ROOT, pinned as pin
FOLDER = ROOT / "_build" / "figures"
TILE = 8  # pixels
LIMIT = 8  # of 255


def pinned():
    """The version of matplotlib that drew the stored pictures."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("matplotlib=="))
    return line.split("#")[0].split("==")[1].strip()


def comparing():
    """Whether pictures can be compared here."""
    return version("matplotlib") == pinned()


def pictures(outputs):
    """The PNG pictures among a cell's outputs, as bytes."""
    data = [output.get("data", {}).get("image/png") for output in outputs]
    return [base64.b64decode(png) for png in data if png]


def decoded(png):
    """The pixels of a PNG picture."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def distance(stored, made):
    """Largest difference between the means of any tile of two PNG pictures, 0 to 255.

    Pictures of different size are 255 apart.
    """
    if stored == made:
        return 0.0
    stored, made = decoded(stored), decoded(made)
    if stored.size != made.size:
        return 255.0
    gap = np.asarray(stored, dtype=float) - np.asarray(made, dtype=float)
    height, width, colours = gap.shape
    gap = np.pad(gap, ((0, -height % TILE), (0, -width % TILE), (0, 0)))
    tiles = gap.reshape(gap.shape[0] // TILE, TILE, gap.shape[1] // TILE, TILE, colours)
    return float(np.abs(tiles.mean(axis=(1, 3))).max())


def keep(name, stored, made):
    """Leave both pictures and their difference in FOLDER; returns their pattern."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    stored, made = decoded(stored), decoded(made)
    stored.save(FOLDER / f"{name}-expected.png")
    made.save(FOLDER / f"{name}-got.png")
    if stored.size == made.size:
        ImageChops.difference(stored, made).save(FOLDER / f"{name}-difference.png")
    return f"_build/figures/{name}-*.png"


def with_pictures(compare_outputs):
    """nbval's comparison of a cell's outputs, pictures included."""

    @functools.wraps(compare_outputs)
    def compare(cell, test, ref, *arguments, **options):
        if not compare_outputs(cell, test, ref, *arguments, **options):
            return False
        made, stored = pictures(test), pictures(ref)
        if len(made) != len(stored):
            cell.comparison_traceback.append(f"{len(stored)} pictures stored, {len(made)} made")
            return False
        for number, (old, new) in enumerate(zip(stored, made), 1):
            apart = distance(old, new)
            if apart > LIMIT:
                name = f"{cell.path.stem}-{cell.cell_num + 1}-{number}"
                cell.comparison_traceback.append(
                    f"the picture differs from the stored one by {apart:.0f} of 255 "
                    f"in some tile (at most {LIMIT}): {keep(name, old, new)}"
                )
                return False
        return True

    return compare


def pytest_configure(config):
    if comparing():
        nbval.IPyNbCell.compare_outputs = with_pictures(nbval.IPyNbCell.compare_outputs)


def pytest_report_header(config):
    if comparing():
        return "figures: compared with the stored ones, tile by tile"
    return (
        f"figures: not compared, text alone; they were drawn by matplotlib {pinned()}, "
        f"and this is {version('matplotlib')}"
    )
