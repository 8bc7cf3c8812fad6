"""Rules on predictions and exercises, whose markup the site, Colab and the tests read; one line a finding."""

import re

HEAD = (
    "Each exercise has a place for your answer and a check that says what is wrong with it. If this is a "
    "notebook, choose *Run all* first: a `NameError` means that a cell above has not been run, or that "
    "letters lack their quotation marks."
)
ANSWER = re.compile(r"<details><summary>Answer</summary>\s*(.*?)\s*</details>", re.S)
SOLUTION = re.compile(r"<summary>Worked solution</summary>(?:(?!</details>).)*?```python\n(.*?)```", re.S)


def choices(box):
    """The choices that a Predict box lists, in small letters, without a full stop at the end."""
    return [line.strip().rstrip(".").casefold() for line in re.findall(r"(?m)^> - (.*)$", box)]


def of_prediction(cell, below):
    """Findings on a Predict box and on the cell whose output answers it."""
    given, answer = choices(cell.source), ANSWER.search(cell.source)
    if not answer:
        yield f"{cell.name}: a prediction without `<details><summary>Answer</summary>` in its cell."
        return
    bold = re.match(r"\*\*(.*?)\.?\*\*", answer[1])
    if given and not 2 <= len(given) <= 4 or len(set(given)) < len(given):
        yield f"{cell.name}: a prediction has two to four choices, no two alike. Mend the list."
    elif given and (not bold or bold[1].casefold() not in given):
        yield f"{cell.name}: the answer begins with the right choice in bold, word for word."
    elif not given and bold and not re.fullmatch(r"[-−]?[\d.,]*\d(?:e[-+]?\d+)?", bold[1]):
        yield f"{cell.name}: without choices, an answer begins in bold only if it is a number. Unmark it."
    if below is None or "hide-output" not in below.tags:
        yield f"{cell.name}: the cell after it prints the answer, folded. Give that the tag hide-output."


def of_exercise(number, cells):
    """Findings on the cells that follow the question of an exercise, up to the next."""
    check, answer, notes = (cells + [None] * 3)[:3]
    kinds = [(cell.kind, cell.tags) for cell in cells[:3]]
    name = f"exercise {number}"
    if kinds != [("code", ["exercise", "hide-input"]), ("code", ["exercise"]), ("markdown", [])]:
        yield f"{name}: below it come a check (tags exercise, hide-input), an answer cell (exercise), notes."
        return
    if not check.source.startswith(f"#@title Check of exercise {number} (run this cell)\n"):
        yield f"{name}: its check begins with `#@title Check of exercise {number} (run this cell)`."
    if f"verdict({number}, answer" not in check.source or f"def check_{number}(answer):" not in check.source:
        yield f"{name}: its check is `check_{number}(answer)` and calls `verdict({number}, answer, …)`."
    call = f"check_{number}(answer_{number})"
    if not re.search(rf"(?m)^answer_{number} = \.\.\.(  #.*)?\n{re.escape(call)}\s*\Z", answer.source):
        yield f"{name}: the last two lines of its answer cell are `answer_{number} = ...` and `{call}`."
    if answer.outputs and answer.printed.strip() != f"Exercise {number}: no answer yet.":
        yield f"{name}: it prints `Exercise {number}: no answer yet.` and nothing else. Run `make outputs`."
    solution = SOLUTION.search(notes.source)
    if "<summary>Hint</summary>" not in notes.source or not solution or f"answer_{number}" not in solution[1]:
        yield f"{name}: its notes are a Hint and a Worked solution, whose code sets `answer_{number}`."


def exercises(notebook):
    """(number, the cells up to the next) of each exercise of a notebook; the question itself is left out."""
    found = []
    for cell in notebook.cells:
        question = re.match(r"> \*\*Exercise (\d+)\.\*\*", cell.source)
        if cell.kind == "markdown" and question:
            found.append((int(question[1]), []))
        elif found:
            found[-1][1].append(cell)
    return found


def faults(notebook):
    """Findings on the predictions and exercises of a notebook."""
    above = None
    for cell, below in zip(notebook.cells, [*notebook.cells[1:], None]):
        predicts = cell.kind == "markdown" and "> **Predict.**" in cell.source
        if predicts:
            yield from of_prediction(cell, below)
        if "hide-output" in cell.tags and not above:
            yield f"{cell.name}: an output is folded only after a prediction. Remove the tag hide-output."
        above = predicts
    found = exercises(notebook)
    if found and not any(HEAD in " ".join(cell.source.split()) for cell in notebook.markdown):
        yield f"{notebook.name}: under `## Exercises` stands, word for word: {HEAD}"
    if [number for number, _ in found] != list(range(1, len(found) + 1)):
        yield f"{notebook.name}: its exercises are numbered {[number for number, _ in found]}. Count from 1."
    for number, cells in found:
        yield from (f"{notebook.name} {line}" for line in of_exercise(number, cells))
