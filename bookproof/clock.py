"""How long a page takes: words / 150 + visible code lines * 8 s; exercises apart, eight minutes each.

Bars of tables, quotation marks and `$$` are no words. Cells tagged hide-input
and folded answers, hints and solutions do not count; other folded text does.
"""

import re

BUDGET = {"00": 15, "01": 20, "02": 25, "03": 20, "04": 20, "05": 30, "06": 30}  # minutes, by number
DEEPER = 20  # minutes of any other page
CHAPTER = 160  # minutes of the numbered pages together
EXERCISE = 8  # minutes
WORDS, LINE = 150, 8 / 60  # words a minute, minutes a line of code
MARKS = {"|", ">", "$$"}
ANSWERS = r"Answer|Hint|Worked solution"
FOLDED = re.compile(rf"(?s)<details><summary>(?:{ANSWERS})[^<]*</summary>.*?</details>")
SECTION = re.compile(r"(?m)^(?=## )")


def minutes(notebook):
    """(minutes to read without the exercises, number of exercises) of a `Notebook`."""
    words = lines = exercises = 0
    reading = True
    for cell in notebook.cells:
        if cell.kind == "markdown":
            exercises += len(re.findall(r"(?m)^> \*\*Exercise \d+\.\*\*", cell.source))
            for piece in SECTION.split(cell.source):
                if piece.startswith("## "):
                    reading = not piece.startswith("## Exercises")
                words += reading * sum(word not in MARKS for word in FOLDED.sub("", piece).split())
        elif reading and not cell.folded:
            lines += sum(bool(line.strip()) for line in cell.source.splitlines())
    return words / WORDS + lines * LINE, exercises


def rounded(time):
    """Minutes as a reader is told them, to the next five; something takes five at least."""
    return max(5, 5 * round(time / 5)) if time else 0


def told(notebook):
    """The page's time in words: `20 min to read, 15 for the exercises`."""
    reading, exercises = minutes(notebook)
    more = f", {rounded(EXERCISE * exercises)} for the exercises" if exercises else ""
    return f"{rounded(reading)} min to read{more}"


def over(notebooks):
    """Findings, a line each, on pages over their budget and on the numbered pages together."""
    chapter = 0
    for notebook in notebooks:
        key = notebook.name[:2]
        limit, (reading, _) = BUDGET.get(key, DEEPER), minutes(notebook)
        chapter += reading if key in BUDGET else 0
        if reading > limit + 0.5:
            yield f"{notebook.name}: {reading:.1f} minutes, of at most {limit}. Shorten it, or move a part."
    if chapter > CHAPTER + 0.5:
        yield f"_toc.yml: pages 0 to 6 take {chapter:.0f} minutes, of at most {CHAPTER}. Shorten them."
