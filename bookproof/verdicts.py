"""What each check compares an answer with, so that the page can say the same words without a kernel.

    python -m bookproof.verdicts [NOTEBOOK ...]      (`make outputs` does it too)

Runs a page, asks its checks, and writes chapters/verdicts/<page>.json: an entry for each exercise, by number.

- {"kind": "numbers", "wanted", "within", "mistakes": [[value, words], ...]}: what `numbers` is given. Values
  are Python literals, since JSON has no whole numbers beyond 2**53; `within` is the tolerance, absolute.
- {"kind": "letters" or "order", "known", "verdicts": {words: sets or orders with blanks between}}: what
  `letters` is given, and what its check says of each set or order of the letters ("right" of the right one).
- {"kind": "code"}: only Python can tell.
"""

import inspect
import json
import re
import sys
from itertools import combinations, permutations
from pathlib import Path

from bookproof.project import notebooks

RIGHT = "right"


def file_of(notebook):
    """Where the verdicts of a notebook are stored."""
    return Path(notebook).parent / "verdicts" / f"{Path(notebook).stem}.json"


def record(page):
    """The entries of all exercises of a `Page` that was run, by number as text."""
    numbers = sorted(int(name[6:]) for name in page.namespace if re.fullmatch(r"check_\d+", name))
    return {str(number): entry(page.namespace, number) for number in numbers}


def entry(space, number):
    """The entry of one exercise, from the namespace of its page."""
    name, given = the_call(space, number) or ("", {})
    given.pop("answer", None)
    return {"numbers": of_numbers, "letters": of_letters}.get(name, lambda: {"kind": "code"})(**given)


def the_call(space, number):
    """(name, arguments) of the call of `numbers` or `letters` that a check is; None if it is more."""
    answer, calls, faults = object(), [], []

    def recorder(name):
        def record(*args, **named):
            bound = inspect.signature(kept[name]).bind(*args, **named)
            bound.apply_defaults()
            calls.append((name, bound.arguments))
            return calls

        return record

    kept = {name: space[name] for name in ("numbers", "letters", "verdict") if name in space}
    space |= {name: recorder(name) for name in kept}
    space["verdict"] = lambda number, answer, check: faults.append(check(answer))
    try:
        space[f"check_{number}"](answer)
    except Exception:
        return None  # it does something to an answer before
    finally:
        space |= kept
    alone = len(calls) == len(faults) == 1 and faults[0] is calls and calls[0][1]["answer"] is answer
    return calls[0] if alone else None


def of_numbers(wanted, mistakes, tol):
    """The entry of a call of `numbers`."""
    import numpy as np

    want = np.asarray(wanted)
    scale = np.max(np.abs(want)) or 1.0

    def literal(value):
        value = np.asarray(value)
        if value.dtype.kind == "f" and tol > 1e-8:  # the last digits differ between machines
            value = np.round(value.astype(float), 10 - int(np.log10(scale)))
        return repr(np.broadcast_to(value, want.shape).tolist())

    mistakes = [[literal(value), words] for value, words in mistakes]
    within = float(f"{np.asarray(tol * scale).item():.8g}")
    return {"kind": "numbers", "wanted": literal(want), "within": within, "mistakes": mistakes}


def of_letters(known, check, order):
    """The entry of a call of `letters`."""
    sizes = range(1, len(known) + 1)
    keys = permutations(known) if order else (some for size in sizes for some in combinations(known, size))
    verdicts = {}
    for key in map("".join, keys):
        verdicts.setdefault(check(key) or RIGHT, []).append(key)
    verdicts = {words: " ".join(found) for words, found in sorted(verdicts.items())}
    return {"kind": "order" if order else "letters", "known": known, "verdicts": verdicts}


def written(verdicts):
    """The text of a file of verdicts: a line for each exercise."""
    lines = [f' "{number}": {json.dumps(entry, ensure_ascii=False)}' for number, entry in verdicts.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def store(notebook):
    """Make the file of verdicts of a notebook anew."""
    from bookproof.run import Page  # here: the build reads this module, and needs no torch

    file, verdicts = file_of(notebook), record(Page(notebook).run())
    if verdicts:
        file.parent.mkdir(exist_ok=True)
        file.write_text(written(verdicts), encoding="utf-8")
    else:
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else notebooks():
        store(path)
