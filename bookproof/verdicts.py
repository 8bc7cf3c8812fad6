"""What each check compares an answer with, so that the page can say the same words without a kernel.

    python -m bookproof.verdicts [NOTEBOOK ...]      (`make outputs` does it too)

Runs a page, asks its checks, and writes chapters/verdicts/<page>.json: an entry for each exercise, by number.

- {"kind": "numbers", "wanted", "within", "mistakes": [[value, words], ...]}: what `numbers` is given. Values
  are Python literals, since JSON has no whole numbers beyond 2**53; `within` is the tolerance, absolute.
- {"kind": "letters" or "order", "letters", "ignored", "verdicts": [[words, [strings]], ...], "otherwise",
  "strange", "no text"}: the verdict on every set or order of letters ("right" for the right one); on any
  other string of these letters; on one with a character that is none of them, {} or {!r} in its place; and on
  what is no string, {} in the place of its type.
- {"kind": "code"}: only Python can tell.
"""

import json
import random
import re
import string
import sys
from itertools import combinations, permutations
from pathlib import Path

from bookproof.project import notebooks

RIGHT = "right"
TRIALS = 60  # strings that a check of letters is tried on, to see that the table foresees its words


class Unforeseen(ValueError):
    """A check that answers in a way that the page could not repeat; its text is one line."""


def file_of(notebook):
    """Where the verdicts of a notebook are stored."""
    return Path(notebook).parent / "verdicts" / f"{Path(notebook).stem}.json"


def record(page):
    """The verdicts of all exercises of a `Page` that was run, by number as text; raises Unforeseen."""
    numbers = sorted(int(name[6:]) for name in page.namespace if re.fullmatch(r"check_\d+", name))
    return {str(number): Check(page, number).entry() for number in numbers}


class Check:
    """The check of one exercise of a page that was run."""

    def __init__(self, page, number):
        self.page, self.number = page, number
        self.name = f"{page.notebook.name}: check_{number}"

    def words(self, answer):
        """The verdict on an answer: "right", or what is wrong with it."""
        self.page.namespace["_given"] = answer
        printed = self.page.execute(f"check_{self.number}(_given)").strip()
        found = re.fullmatch(rf"Exercise {self.number}: (?:not yet: (.*)\.|right\.)", printed)
        if not found:
            raise Unforeseen(
                f"{self.name} says {printed!r} of {answer!r}: it should print one line, by verdict"
            )
        return found[1] or RIGHT

    def entry(self):
        for kind, name in (("letters", f"letters_{self.number}"), ("order", f"order_{self.number}")):
            if name in self.page.namespace:
                return self.of_letters(kind, self.page.namespace[name])
        return self.of_numbers() or {"kind": "code"}

    def of_numbers(self):
        """The entry of a check that is one call of `numbers`; None if it is not."""
        probe, mark, calls, faults = object(), object(), [], []
        space = self.page.namespace
        kept = {name: space[name] for name in ("numbers", "verdict")}

        def numbers(answer, wanted, mistakes=(), tol=1e-6):
            calls.append((answer, wanted, list(mistakes), tol))
            return mark

        def verdict(number, answer, check):
            faults.append(check(answer))

        space |= {"numbers": numbers, "verdict": verdict}
        try:
            space[f"check_{self.number}"](probe)
        except Exception:
            return None  # it does something to an answer before `numbers`
        finally:
            space |= kept
        if [call[0] for call in calls] != [probe] or faults != [mark]:
            return None
        return self.compared(*calls[0][1:])

    def compared(self, wanted, mistakes, tolerance):
        """The entry of a call of `numbers`."""
        import numpy as np

        want = np.asarray(wanted)
        scale = np.max(np.abs(want)) or 1.0

        def literal(value):
            value = np.asarray(value)
            if value.dtype.kind == "f" and tolerance > 1e-8:  # the last digits differ between machines
                value = np.round(value.astype(float), 10 - int(np.log10(scale)))
            return repr(np.broadcast_to(value, want.shape).tolist())

        mistakes = [[literal(value), words] for value, words in mistakes]
        within = float(f"{np.asarray(tolerance * scale).item():.8g}")
        return {"kind": "numbers", "wanted": literal(want), "within": within, "mistakes": mistakes}

    def of_letters(self, kind, letters):
        """The entry of a check of letters; raises Unforeseen where no table could repeat its words."""
        if kind == "letters":
            keys = [
                "".join(some) for n in range(len(letters) + 1) for some in combinations(sorted(letters), n)
            ]
        else:
            keys = ["", *map("".join, permutations(letters))]
        words = {key: self.words(key) for key in keys}
        verdicts = {}
        for key, says in words.items():
            verdicts.setdefault(says, []).append(key)
        blanks = string.punctuation + " \t\n"
        ignored = "".join(c for c in blanks if self.words(letters + c) == words[letters])
        entry = {
            "kind": kind,
            "letters": letters,
            "ignored": ignored,
            "verdicts": [[says, found] for says, found in sorted(verdicts.items())],
            "otherwise": self.words(2 * letters) if kind == "order" else "",
            "strange": self.strange(letters),
            "no text": self.no_text(),
        }
        rng = random.Random(0)
        alphabet = letters.lower() + letters.upper() + 3 * ignored[:4] + "zZ9?é_"
        for _ in range(TRIALS):
            text = "".join(
                rng.choice(alphabet if rng.random() < 0.3 else letters) for _ in range(rng.randrange(7))
            )
            said, foreseen = self.words(text), foresee(entry, text)
            if said != foreseen:
                raise Unforeseen(
                    f"{self.name} says {said!r} of {text!r}, where {foreseen!r} would be expected"
                )
        return entry

    def strange(self, letters):
        """What it says of a character that is none of the letters, with {} or {!r} in its place."""
        one, other = [c for c in "zyx987" if c not in letters.lower()][:2]
        said = self.words(letters + one)
        for mark, shown in (("{!r}", repr(one)), ("{}", one)):
            template = re.sub(rf"(?<!\w){re.escape(shown)}(?!\w)", mark, said, count=1)
            if filled(template, other) == self.words(letters + other):
                return template
        raise Unforeseen(f"{self.name} says {said!r} of the letter {one}, and something else of {other}")

    def no_text(self):
        """What it says of an answer that is no string, with {} in the place of its type."""
        said = {type(answer).__name__: self.words(answer) for answer in (3, 0.5, True, ["a"], ("a",))}
        templates = {re.sub(rf"\b{name}\b", "{}", words) for name, words in said.items()}
        if len(templates) > 1:
            raise Unforeseen(f"{self.name} says different things of answers that are no string: {said}")
        return templates.pop()


def foresee(entry, text):
    """The verdict on a string by the entry of a check of letters; the twin of judgeLetters in answers.js."""
    letters = entry["letters"]
    given = [c for c in (text.lower() if letters.islower() else text.upper()) if c not in entry["ignored"]]
    key = "".join(sorted(set(given)) if entry["kind"] == "letters" else given)
    for words, keys in entry["verdicts"]:
        if key in keys:
            return words
    strange = sorted(set(given) - set(letters))
    return filled(entry["strange"], strange[0]) if strange else entry["otherwise"]


def filled(template, character):
    """A template of words with a character in its place."""
    return template.replace("{!r}", repr(character)).replace("{}", character)


def written(verdicts):
    """The text of a file of verdicts: a line for each thing that can change."""

    def value(thing):
        if isinstance(thing, list):
            return (
                "[\n" + ",\n".join(f"   {json.dumps(item, ensure_ascii=False)}" for item in thing) + "\n  ]"
            )
        return json.dumps(thing, ensure_ascii=False)

    entries = []
    for number, entry in verdicts.items():
        lines = [f"  {json.dumps(key)}: {value(thing)}" for key, thing in entry.items()]
        entries.append(f' "{number}": {{\n' + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(entries) + "\n}\n"


def store(notebook):
    """Make the file of verdicts of a notebook anew; returns None, or in one line what went wrong."""
    from bookproof.run import Page  # here: the build reads this module, and needs no torch

    file = file_of(notebook)
    try:
        verdicts = record(Page(notebook).run())
    except Unforeseen as error:
        return str(error)
    if verdicts:
        file.parent.mkdir(exist_ok=True)
        file.write_text(written(verdicts), encoding="utf-8")
    else:
        file.unlink(missing_ok=True)
    return None


def store_all(paths):
    """Store the verdicts of several notebooks; what went wrong, a line each."""
    return [problem for path in paths if (problem := store(path))]


if __name__ == "__main__":
    sys.exit("\n".join(store_all(map(Path, sys.argv[1:]) if sys.argv[1:] else notebooks())) or None)
