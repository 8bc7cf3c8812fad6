"""How far apart two pictures are.

Compared tile by tile: the mean of each TILE x TILE pixels and colour may
differ by at most LIMIT of 255. Antialiasing differs by less; one changed
letter of a label by about 15, a curve that moved by 1 % by 20 or more. A
mean over the whole picture would see neither.

Only under the matplotlib that drew the stored pictures: another version
draws every letter a little differently.
"""

import io
from functools import cache
from importlib.metadata import version

import numpy as np
from PIL import Image, ImageChops

from bookproof.project import ROOT, pinned

FOLDER = ROOT / "_build" / "figures"
TILE = 8  # pixels
LIMIT = 8  # of 255


@cache
def comparing():
    """Whether pictures can be compared here."""
    return version("matplotlib") == pinned("matplotlib")


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


def unlike(name, stored, made):
    """What is wrong with the pictures `made` (lists of PNGs), or None; what differs is kept as `name`."""
    if len(made) != len(stored):
        return f"{len(stored)} pictures stored, {len(made)} made"
    for number, (old, new) in enumerate(zip(stored, made), 1):
        apart = distance(old, new)
        if apart > LIMIT:
            kept = keep(f"{name}-{number}", old, new)
            return f"the picture differs by {apart:.0f} of 255 in some tile (at most {LIMIT}): {kept}"
    return None
