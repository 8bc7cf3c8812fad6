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

from PIL import Image, ImageChops

from bookproof.project import ROOT, pinned

FOLDER = ROOT / "_build" / "figures"
TILE = 8  # pixels
LIMIT = 8  # of 255


@cache
def comparing():
    """Whether pictures can be compared here."""
    return version("matplotlib") == pinned("matplotlib")


def distance(stored, made):
    """Largest difference between the means of any tile of two pictures; 255 if they differ in size."""
    if stored.size != made.size:
        return 255
    gap = ImageChops.difference(stored.reduce(TILE), made.reduce(TILE))
    return max(highest for _, highest in gap.getextrema())


def unlike(name, stored, made):
    """What is wrong with the pictures `made` (lists of PNGs), or None; what differs is kept as `name`."""
    if len(made) != len(stored):
        return f"{len(stored)} pictures stored, {len(made)} made"
    for number, pngs in enumerate(zip(stored, made), 1):
        old, new = (Image.open(io.BytesIO(png)).convert("RGB") for png in pngs)
        if (apart := distance(old, new)) > LIMIT:
            FOLDER.mkdir(parents=True, exist_ok=True)
            old.save(FOLDER / f"{name}-{number}-expected.png")
            new.save(FOLDER / f"{name}-{number}-got.png")
            kept = f"_build/figures/{name}-{number}-*.png"
            return f"the picture differs by {apart} of 255 in some tile (at most {LIMIT}): {kept}"
    return None
