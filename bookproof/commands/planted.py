"""The faults that `make faults` plants: one small slip each, of all kinds that a book suffers.

kind: a group in the table. check: which check must catch it (faults.py runs
it). says: a pattern that the check's message must hold. plant: a planter,
which returns the place that the message must begin with.
"""

import base64
import io
import re
from collections.abc import Callable
from dataclasses import dataclass

from bookproof.likeness import decoded
from bookproof.notebook import pictures
from PIL import ImageDraw
from bookproof.commands.planting import (
    Book,
    NoPlace,
    append,
    cell,
    dependent,
    is_code,
    is_figure,
    is_plain,
    next_digit,
    output,
    page,
    prints,
    renumber,
    source,
    swap,
    unproved,
)
from bookproof.shape_comments import COMMENT

PAGES = ("00", "01", "02", "03", "04", "05", "06")


@dataclass(frozen=True)
class Fault:
    kind: str
    what: str
    check: str
    says: str
    plant: Callable[[Book], str]


def group(kind, check, *faults):
    """Faults of one kind for one check; each (what, says, planter)."""
    return [Fault(kind, what, check, says, plant) for what, says, plant in faults]


# Stored outputs

DECIMAL = r"\d\.\d+"
FIXED = {  # lines that the course quotes
    "01": r"dtype : torch\.float64",
    "02": r"parameters: 37",
    "04": r"sample std of weights: 0\.159",
    "05": r"gradient before any backward pass: None",
}

OUTPUTS = group(
    "stored output",
    "nbval",
    *[("a digit in the first output", "outputs differ", output(r"\d", lambda m: next_digit(m.group()), p)) for p in PAGES],
    *[
        ("a digit in the last decimal", "outputs differ", output(DECIMAL, lambda m: next_digit(m.group()), p, last=True))
        for p in PAGES
    ],
    *[
        ("a letter in a line that the course quotes", "outputs differ", output(f"({line[:-1]}).", r"\1X", p))
        for p, line in FIXED.items()
    ],
    ("a character too many", "outputs differ", output(r"(\w)(?= )", r"\1\1", "01")),
    ("a character too few", "outputs differ", output(r"\. ", " ", "03")),
    ("a line lost", "outputs differ", output(r"^.+\n", "", "04", last=True)),
    ("True for False", "outputs differ", output("False", "True", "05")),
    (
        "an output cleared, of a cell that calls a function which prints",
        "outputs differ",
        cell(lambda c: c.update(outputs=[]), lambda s: s.printed and "print(" not in s.source, "02"),
    ),
)
OUTPUTS += group(
    "stored output",
    "lint",
    (
        "an output cleared",
        "no output is stored",
        cell(lambda c: c.update(outputs=[]), lambda s: is_code(s) and re.search(r"^print\(", s.source, re.M)),
    ),
    (
        "a cell cleared, its count too",
        "no execution count",
        cell(lambda c: c.update(outputs=[], execution_count=None), prints(), "01"),
    ),
    ("a count out of order", "its count is 99", cell(lambda c: c.update(execution_count=99), prints(), "02")),
    (
        "a warning stored",
        "a warning or an error",
        cell(lambda c: c["outputs"].append({"output_type": "stream", "name": "stderr", "text": "careful\n"}), prints(), "03"),
    ),
    (
        "an error stored",
        "a warning or an error",
        cell(
            lambda c: c["outputs"].append({"output_type": "error", "ename": "E", "evalue": "", "traceback": []}), prints(), "04"
        ),
    ),
)


def quoted(book):
    """A line that the course quotes, changed in code and output alike, so that nbval sees nothing."""
    spot = book.pick("code", lambda s: "sample std of weights" in s.source and "sample std of weights" in s.printed, "04")
    spot.source = spot.source.replace("sample std of weights", "sample std of Weights")
    spot.printed = spot.printed.replace("sample std of weights", "sample std of Weights")
    return spot.page.path.name


OUTPUTS += group("stored output", "quoted", ("a line that the course quotes, in code and output alike", "to the letter", quoted))

# Code


def swap_sources(book):
    """The sources of two cells in a row change places; outputs and counts stay."""
    spots = book.spots("code", "00")
    for spot, other in zip(spots, spots[1:]):
        if spot.page is other.page and is_code(spot) and is_code(other) and spot.printed != other.printed:
            spot.source, other.source = other.source, spot.source
            return book.take(spot).name
    raise NoPlace("no two cells in a row that print")


def swap_as_they_stand(book):
    spots = book.spots("code", "03")
    spot, other = next((a, b) for a, b in zip(spots, spots[1:]) if a.page is b.page and is_code(a) and is_code(b))
    swap(book.take(spot), other)
    return spot.name


def swap_and_renumber(book):
    """A cell changes places with the next one, which needs it; outputs go along, the counts are right."""
    spot, other, _ = dependent(book, "01")
    swap(spot, other)
    renumber(spot.page)
    return spot.name


def delete(book):
    """A cell that the next one needs is gone, and the counts are right."""
    spot, other, _ = dependent(book, "05")
    cells = spot.page.notebook["cells"]
    del cells[next(k for k, c in enumerate(cells) if c is spot.cell)]
    renumber(spot.page)
    return spot.name


def rename(book):
    """A name is changed where it is defined; the next cell still uses the old one."""
    spot, other, name = dependent(book, "04")
    spot.source = re.sub(rf"\b{name}\b", f"{name}_new", spot.source)
    return other.name


def read_a_file(book):
    """A cell reads a file that lies beside the notebook here, as it would not in Colab."""
    book.write("chapters/points.csv", "1,2\n")
    return append("code", '\nrows = open("points.csv").read()', "03", is_code)(book)


def print_an_address(book):
    spot = book.pick("code", is_code, "06")
    spot.source += "\nprint(id(object()))"
    spot.printed += "140291873\n"
    return spot.name


def no_json(book):
    path = book.pages[2].path
    text = path.read_text(encoding="utf-8")
    book.write(f"chapters/{path.name}", text[: len(text) // 2])
    book.pages[2].notebook = None
    return path.name


def no_code(book):
    cells = book.pages[3].notebook["cells"]
    cells[:] = [c for c in cells if c["cell_type"] != "code"]
    book.changed.add(book.pages[3].path)
    return book.pages[3].path.name


def turned_raw(book):
    """A code cell turned raw; the lint names it by the code cell above."""
    spot = book.pick("code", prints(), "01")
    spot.cell["cell_type"] = "raw"
    return re.sub(r"In \[(\d+)\]", lambda found: f"after In [{int(found[1]) - 1}]", spot.name)


def tag(name):
    return lambda c: c["metadata"].setdefault("tags", []).append(name)


DECIMALS = prints(r"\d\.\d{3}")
CODE = group(
    "code",
    "nbval",
    ("two cells in a row with each other's code", "differ|exception", swap_sources),
    ("a cell before the one that it needs", "exception", swap_and_renumber),
    ("a cell deleted that the next one needs", "exception", delete),
    ("a variable renamed in one cell", "exception", rename),
    ("another seed (torch)", "outputs differ", source("code", r"manual_seed\(\d+\)", "manual_seed(11)", "02", DECIMALS)),
    ("another seed (NumPy)", "outputs differ", source("code", r"default_rng\(\d+\)", "default_rng(11)", "00", DECIMALS)),
    ("a seed left out", "outputs differ", source("code", r"(?m)^torch\.manual_seed\(0\)\n", "", "03", DECIMALS)),
    ("a comparison turned round", "outputs differ", source("code", "< (?=1e-)", "> ", "01", prints("True"))),
    ("a file read that only its author has", "exception", read_a_file),
    ("a warning when it runs", "outputs differ", append("code", '\nimport warnings\nwarnings.warn("careful")', "05", is_code)),
    ("an address in the output, never the same", "outputs differ", print_an_address),
)
CODE += group(
    "code",
    "lint",
    ("two cells swapped as they stand", "its count is", swap_as_they_stand),
    ("a code cell turned into text", "its count is", cell(lambda c: c.update(cell_type="markdown"), prints(), "02")),
    ("a code cell turned raw", "a raw cell", turned_raw),
    ("a bracket that is not closed", "not Python", append("code", "\nprint((1, 2)", "04", is_code)),
    ("an import that a reader has not", "it imports scipy", append("code", "\nimport scipy.special", "05", is_code)),
    ("an install cell", "installs", append("code", "\n%pip install -q einops", "06", is_code)),
    ("a line too long for a phone", r"line \d+: 8\d characters", append("code", "\nx = " + "1 + " * 20 + "1", "00", is_code)),
    ("the tag nbval-skip", "hides it from a check", cell(tag("nbval-skip"), prints(), "00")),
    ("the tag nbval-ignore-output", "hides it from a check", cell(tag("nbval-ignore-output"), prints(), "01")),
    ("the tag raises-exception", "hides it from a check", cell(tag("raises-exception"), prints(), "02")),
    ("the tag remove-output", "hides it from a check", cell(tag("remove-output"), prints(), "03")),
    ("the comment NBVAL_IGNORE_OUTPUT", "hides it from nbval", append("code", "\n# NBVAL_IGNORE_OUTPUT", "04", is_code)),
    ("a fold without its tag", "a folded cell", cell(lambda c: c["metadata"].pop("tags"), is_figure, "05")),
    ("a notebook cut in half", "not a notebook", no_json),
    ("a notebook without code", "no code cell", no_code),
)

# Definitions that several pages share


def shared(pattern, old, new):
    """Change a shared definition on the last page that has it."""

    def plant(book):
        found = [spot for spot in book.spots("code") if re.search(pattern, spot.source) and re.search(old, spot.source)]
        if len({spot.page.path for spot in found}) < 2:
            raise NoPlace(f"fewer than two pages have {pattern}")
        spot = book.take(found[-1])
        spot.source = re.sub(old, new, spot.source, count=1)
        return spot.name

    return plant


SHARED = group(
    "shared definition",
    "lint",
    ("forward, on one page", "forward differs", shared(r"(?m)^def forward\(params", "tanh", "sin")),
    ("MLP, on one page", "MLP differs", shared(r"(?m)^class MLP\(", "tanh", "relu")),
    ("verdict, on one page", "verdict differs", shared(r"(?m)^def verdict\(", "not yet", "wrong")),
    ("numbers, on one page", "numbers differs", shared(r"(?m)^def numbers\(", "tol=1e-6", "tol=1e-3")),
    (
        "the figure style, on one page",
        "the figure style differs",
        shared("^#@title Figure style", '"font.size": 11', '"font.size": 12'),
    ),
)

# Shape comments


def shape(change, start):
    """Change a shape comment."""

    def plant(book):
        line = re.compile(COMMENT.pattern, re.M)
        spot = book.pick("code", lambda s: (found := line.search(s.source)) and change(found.group()) != found.group(), start)
        spot.source = line.sub(lambda found: change(found.group()), spot.source, count=1)
        return spot.name

    return plant


SHAPES = group(
    "shape comment",
    "shapes",
    ("a size in it", "the shape is", shape(next_digit, "00")),
    ("an axis too many", "the shape is", shape(lambda text: text.replace("(", "(1, "), "02")),
    ("sizes the other way round", "the shape is", shape(lambda text: re.sub(r"\((\d+), (?!\1)(\d+)\)", r"(\2, \1)", text), "01")),
)

# Numbers in prose


def plain_result(book):
    """A number that a cell printed, in plain digits in the text below."""
    for spot in book.spots("markdown", "01"):
        known = {float(n) for _, _, code in spot.page.of("code") for n in re.findall(r"\d+(?:\.\d+)?", code)}
        for number in re.findall(r"`(\d+\.\d+)`", spot.source):
            if "<details" not in spot.source and float(number) not in known:
                spot.source = spot.source.replace(f"`{number}`", number, 1)
                return book.take(spot).name
    raise NoPlace("no printed decimal in the prose")


def early(book):
    """A result told at the top of the page, before a cell has printed it."""
    page = book.pages[4]
    number = next(n for line in book.printed(page)[20:] for n in re.findall(r"(?<![\w.-])\d\.\d{3}(?![\w.])", line))
    spot = book.pick("markdown", lambda s: s.page is page and is_plain(s), "04")
    spot.source += f"\n\nIn the end it is `{number}`."
    return f"{spot.name}: `{number}`"


def input_number(book):
    """An input in the prose that the code does not hold."""
    return append("markdown", "\n\nHere the step is 0.00372.", "05", is_plain)(book)


PROSE = group(
    "number in prose",
    "build",
    *[("a digit of a number that a cell printed", "printed by no output", unproved(r"\d+\.\d+|\d\d+", p)) for p in PAGES],
    ("a digit of a negative number", "printed by no output", unproved(r"-\d+\.\d+", "00")),
    ("a digit of a list", "printed by no output", unproved(r"[(\[]\d+(?:, \d+)+[)\]]", "02")),
    ("a digit inside a fold", "printed by no output", unproved(r"\d+(?:\.\d+)?", "00", lambda s: "<summary>Answer" in s.source)),
    (
        "a digit in a figure's caption",
        "printed by no output",
        unproved(r"-?\d+(?:\.\d+)?|\[.*?\]", "00", lambda s: s.source.startswith("**Figure")),
    ),
    ("a result told before it is printed", "printed by no output above it", early),
    ("a digit on the landing page", "`38` is printed by no output", page("chapters/intro.md", "`37`", "`38`")),
    ("a digit in the recap", "`39` is printed by no output", page("chapters/recap.md", "`37`", "`39`")),
    (
        "a number on the landing page that names no page",
        "`40` names no page",
        page("chapters/intro.md", r"\Z", "\n\nIt has `40` numbers.\n"),
    ),
)
PROSE += group(
    "number in prose",
    "lint",
    ("a result in plain digits", "an output above shows it", plain_result),
    ("an input that no code holds", "no code holds it", input_number),
    ("another seed in the prose", "a seed that no code holds", append("markdown", "\n\nWe start from seed 77.", "00", is_plain)),
    ("a small number in digits", "a single digit", append("markdown", "\n\nIt has 4 layers.", "06", is_plain)),
    ("a shape in plain digits", "a list", append("markdown", "\n\nIts shape is (4, 3).", "03", is_plain)),
    ("layer sizes that no list holds", "no list in the code", append("markdown", "\n\nTake 9-4-3-4-9.", "02", is_plain)),
    (
        "a plain digit in a caption",
        "no code holds it|a single digit|shows it",
        source("markdown", r"\A(\*\*Figure [\d.]+\*\*)", r"\1 After 1237 steps.", "04"),
    ),
    ("a result in plain digits in the recap", "no code holds it", page("chapters/recap.md", r"\Z", "\n\nThe std is 0.159.\n")),
)

# Links, citations, files


def remove_from_toc(book):
    """A page is missing from the table of contents: links to it lead nowhere."""
    page("_toc.yml", rf" *- file: chapters/{book.pages[-1].path.stem}\n", "")(book)
    return "intro.md"


def remove_entry(book):
    """An entry that a page cites is gone from the bibliography."""
    for spot in book.spots("markdown", "00"):
        for key in re.findall(r"\]\(#(\w+)\)", spot.source):
            if key in book.read("references.bib"):
                page("references.bib", rf"(?ms)^@\w+{{{key},.*?^}}\n", "")(book)
                return book.take(spot).name
    raise NoPlace("no citation")


def on_file(plant):
    """The same planter, with the file as its place: the message names no cell."""
    return lambda book: plant(book).split(" ")[0]


CITATION = r"\]\(#[a-z]+\d{4}\)"
PAGE_LINK = r"\]\(\d\d_\w+\.ipynb\)"
LINKS = group(
    "link, citation, file",
    "build",
    ("an entry missing from the bibliography", "not found", remove_entry),
    ("a wrong citation key", "nobody1900", source("markdown", CITATION, "](#nobody1900)", "01")),
    ("a wrong citation key in the recap", "nobody1901", page("chapters/recap.md", CITATION, "](#nobody1901)")),
    ("a link to a page that is not there", "07_nothing", source("markdown", PAGE_LINK, "](07_nothing.ipynb)", "02")),
    (
        "a dead link on the landing page",
        "08_nothing",
        page("chapters/intro.md", rf"(?s)\A(.*){PAGE_LINK}", r"\1](08_nothing.ipynb)"),
    ),
    ("a dead anchor on the page", "no-such-section", append("markdown", "\n\nSee [above](#no-such-section).", "03", is_plain)),
    ("a picture from a file that is not there", "nothing.png", append("markdown", "\n\n![A plot](nothing.png)", "04", is_plain)),
    ("a heading that leaves a level out", "eader level", append("markdown", "\n\n##### A heading", "05", is_plain)),
    (
        "a formula that does not parse",
        r"cannot be drawn: .frac",
        on_file(append("markdown", "\n\nHere $\\frac{1}{2$.", "05", is_plain)),
    ),
)
LINKS += group("link, citation, file", "alone", ("a page missing from the table of contents", r"06_", remove_from_toc))
LINKS += group(
    "link, citation, file",
    "lint",
    ("a fragment in a link between pages", "a fragment", source("markdown", r"(\]\(\d\d_\w+\.ipynb)\)", r"\1#here)", "03")),
)

# Markdown that another reader shows raw

MARKDOWN = group(
    "raw Markdown",
    "lint",
    ("a directive", "a directive", append("markdown", "\n\n```{note}\nCareful.\n```", "00", is_plain)),
    ("a colon fence", "a directive", append("markdown", "\n\n:::{note}\nCareful.\n:::", "01", is_plain)),
    ("a role", "a role", append("markdown", " See {ref}`here`.", "02", is_plain)),
    ("a label", "a label", append("markdown", "\n\n(here)=\n", "03", is_plain)),
    ("a footnote", "a footnote", append("markdown", " It is so[^1].", "04", is_plain)),
    ("an attached picture", "an attachment", append("markdown", "\n\n![](attachment:a.png)", "05", is_plain)),
    (
        "an attachment kept in the cell",
        "an attachment",
        cell(lambda c: c.update(attachments={"a.png": {"image/png": ""}}), is_plain, "06", "markdown"),
    ),
    ("raw HTML", "raw HTML", append("markdown", " <b>Careful.</b>", "00", is_plain)),
    ("a strike-through", "a strike-through", append("markdown", " ~~No.~~", "01", is_plain)),
    ("a template mark", "a template mark", append("markdown", " {{ version }}", "02", is_plain)),
    (
        "a <details> that is not closed",
        "not closed",
        source("markdown", r"\n\n</details>\s*\Z", "", "03", lambda s: s.source.count("<details") == 1),
    ),
    ("no blank line in a <details>", "blank lines", source("markdown", r"</summary>\n\n", "</summary>\n", "04")),
    ("a formula's $$ inside a line", r"\$\$ stands", append("markdown", " So $$x = y$$.", "05", is_plain)),
)

# Figures


def another_picture(book):
    """The stored picture of one figure in the place of another's."""
    first, second = [spot for spot in book.spots("code", "01") if is_figure(spot)][:2]
    first.picture()["image/png"] = second.picture()["image/png"]
    return book.take(first).name


def retouched(book):
    """A stored picture with a small square painted over."""
    spot = book.pick("code", is_figure, "04")
    (image,) = map(decoded, pictures(spot.cell["outputs"]))
    width, height = image.size
    ImageDraw.Draw(image).rectangle([width // 2, height // 2, width // 2 + 16, height // 2 + 16], fill="red")
    file = io.BytesIO()
    image.save(file, "png")
    spot.picture()["image/png"] = base64.b64encode(file.getvalue()).decode()
    return spot.name


def figure(old, new, start):
    return source("code", old, new, start, is_figure)


def alt(change, start):
    """Change the alt text of the first figure for which that does something."""

    def text(spot):
        return spot.cell["metadata"]["mystnb"]["image"]["alt"]

    def plant(book):
        spot = book.pick("code", lambda s: is_figure(s) and change(text(s)) != text(s), start)
        spot.cell["metadata"]["mystnb"]["image"]["alt"] = change(text(spot))
        return spot.name

    return plant


def no_caption(book):
    """A caption's bold words are gone; the lint names the figure's cell, above."""
    spot = book.pick("markdown", lambda s: s.source.startswith("**Figure"), "03")
    spot.source = re.sub(r"\A\*\*Figure [\d.]+\*\* ", "", spot.source)
    return spot.name.removeprefix("after ").replace(" after", "")


def caption_number(book):
    """A caption with the number of another figure."""
    spot = book.pick("markdown", lambda s: s.source.startswith("**Figure"), "04")
    spot.source = re.sub(r"(?<=\A\*\*Figure )[\d.]+", lambda m: next_digit(m.group()[:-1]) + ".", spot.source)
    return spot.name.replace(" after", "")


FIGURES = group(
    "figure",
    "nbval",
    ("a curve, moved by 5 %", "the picture differs", figure(r"(\.plot\(\w+, )(\w+, )", r"\g<1>1.05 * \2", "05")),
    ("data, moved by one power of two", "the picture differs", figure(r"2\*\*29", "2**28", "03")),
    ("a curve's colour", "the picture differs", figure("color=BLUE", "color=PINK", "05")),
    ("a curve's style", "the picture differs", figure('"--"', '":"', "01")),
    ("a letter of an axis label", "the picture differs", figure(r'(xlabel(?:=|\()"\w+?)\w(?=\W)', r"\1m", "00")),
    ("a letter of a text in the plot", "the picture differs", figure(r'(\.text\([^"=]*"\w+?)\w(?=[ "])', r"\1m", "03")),
    ("the range of an axis, by a tenth", "the picture differs", figure(r"(xlim=\([^,()]+, )([\d.]+\))", r"\g<1>1.1 * \2", "02")),
    (
        "the number of a histogram's boxes",
        "the picture differs",
        figure(r"(linspace\([^()]*, )(\d+)\)", lambda m: f"{m[1]}{int(m[2]) - 8})", "06"),
    ),
    ("the picture of another figure", "the picture differs", another_picture),
    ("a square painted over a stored picture", "the picture differs", retouched),
    (
        "a picture stored twice",
        "2 pictures stored, 1 made|number of outputs",
        cell(lambda c: c["outputs"].append(c["outputs"][0]), is_figure, "02"),
    ),
)
FIGURES += group(
    "figure",
    "lint",
    ("its picture missing", "without its picture", cell(lambda c: c.update(outputs=[]), is_figure, "00")),
    ("its alt text missing", "without alt text", cell(lambda c: c["metadata"].pop("mystnb"), is_figure, "01")),
    ("its alt text a mere word", "without alt text", alt(lambda text: "A plot.", "02")),
    (
        "a number in its alt text",
        "in the alt text",
        alt(lambda text: re.sub(r"(?<![\w.])(\d+\.\d+|\d\d+)(?![\w.])", r"\g<1>37", text, count=1), "01"),
    ),
    ("its caption missing", "no caption", no_caption),
    ("its caption with another figure's number", "is numbered", caption_number),
    (
        "its fold with another figure's number",
        "is numbered",
        figure(r"(?<=#@title Figure )\d\.\d", lambda m: next_digit(m.group()), "05"),
    ),
    (
        "a sentence about a figure that is not there",
        "no Figure 6.9",
        append("markdown", "\n\nFigure 6.9 shows it.", "06", is_plain),
    ),
    ("no plt.show() at its end", "ends with plt.show", append("code", "\nprint()", "06", is_figure)),
)

# Exercises


def exercise(change, start, only=lambda text, number: True):
    """Change the check cell of an exercise; the place is the exercise."""

    def number(spot):
        found = re.search(r"(?m)^def check_(\d+)\(answer\):", spot.source)
        return found and found.group(1)

    def plant(book):
        spot = book.pick("code", lambda s: number(s) and only(s.source, number(s)), start)
        spot.source = change(spot.source, number(spot))
        for other in book.spots("markdown"):
            if other.page is spot.page and other.source.startswith(f"> **Exercise {number(spot)}.**"):
                book.take(other)
        return f"{spot.page.path.name} exercise {number(spot)}"

    return plant


def accept_all(text, n):
    return f"{text}\n\n\ndef check_{n}(answer):\n    verdict({n}, answer, lambda answer: None)\n"


def reject_all(text, n):
    return f'{text}\n\n\ndef check_{n}(answer):\n    verdict({n}, answer, lambda answer: "it differs")\n'


def die(text, n):
    return (
        f"{text}\n\n\ndef check_{n}(answer):\n    if answer is None or answer is ...:\n"
        f'        print("Exercise {n}: no answer yet.")\n    else:\n'
        f'        print("Exercise {n}:", "right." if answer > 1 else "not yet: no.")\n'
    )


def chatter(text, n):
    return f"{text}\n\n\nquiet_{n} = check_{n}\n\n\ndef check_{n}(answer):\n    print(answer)\n    quiet_{n}(answer)\n"


WANTED = r"numbers\((\w+), (\w+), (\[|mistakes)"


def give_away(text, n):
    """The verdict on a wrong answer says what the right one is."""
    return re.sub(WANTED, r'(lambda *p: (f := numbers(*p)) and f"it is {\2}")(\1, \2, \3', text, count=1)


def in_solution(old, new, start, only=lambda source: True):
    """Change a worked solution; the place is its exercise."""

    def plant(book):
        spots = book.spots("markdown", start)
        for question in spots:
            found = re.match(r"> \*\*Exercise (\d+)\.\*\*", question.source)
            after = [s for s in spots if s.page is question.page][
                [s.cell is question.cell for s in spots if s.page is question.page].index(True) + 1 :
            ]
            place = next((s for s in after if "<summary>Worked solution" in s.source), None)
            if found and place and only(place.source) and re.search(old, place.source):
                place.source = re.sub(old, new, place.source, count=1)
                book.take(question), book.take(place)
                return f"{question.page.path.name} exercise {found.group(1)}"
        raise NoPlace("no such solution")

    return plant


def on_page(plant):
    """The same planter, with the page as its place."""
    return lambda book: plant(book).split(" ")[0] + " exercises"


def exercise_number(book):
    spot = book.pick("markdown", lambda s: s.source.startswith("> **Exercise 2.**"), "05")
    spot.source = spot.source.replace("Exercise 2.", "Exercise 7.", 1)
    return f"{spot.page.path.name} exercise 2"


HINT = r"(?s)<details><summary>Hint</summary>.*?</details>\s*"
EXERCISES = group(
    "exercise",
    "exercises",
    ("a check that accepts every answer", "wrong answers", exercise(accept_all, "00")),
    ("a check that rejects every answer", "worked solution is right.*it differs", exercise(reject_all, "01")),
    (
        "a check that gives the answer away",
        "gives the answer away",
        exercise(give_away, "02", lambda text, n: re.search(WANTED, text)),
    ),
    ("a check that dies with a traceback on nonsense", "nonsense.*TypeError", exercise(die, "03")),
    ("a check that says two lines", "nonsense.*AssertionError", exercise(chatter, "04")),
    (
        "a worked solution that is wrong",
        r"worked solution is right: .* == 'Exercise \d: right",
        in_solution(r"(?m)^answer_(\d+) = (?=[\w(])", r"answer_\1 = 1 + ", "00"),
    ),
    (
        "a worked solution that is not Python",
        "worked solution is right: SyntaxError",
        in_solution(r"```python\n", "```python\nif True\n", "01"),
    ),
    (
        "a worked solution with a name that the page has not",
        "worked solution is right: NameError",
        in_solution(r"```python\n", "```python\nprint(no_such_name)\n", "03"),
    ),
    ("a worked solution missing", "has no worked solution", in_solution("Worked solution", "Solution", "04")),
    ("a hint missing", "hints", on_page(in_solution(HINT, "", "02"))),
    ("an exercise with a wrong number", "has no worked solution", exercise_number),
)

# The live figures, the settings


def anywhere(name, old, new):
    """A change in a file that the message does not name: `says` alone tells the fault."""
    plant = page(name, old, new)
    return lambda book: plant(book) and ""


FIGURE_CODE = group(
    "live figure",
    "node",
    (
        "a digit in a constant of the generator",
        "torch's bits|MT19937",
        anywhere("_static/figures/core.js", "0x9908b0df", "0x9908b0de"),
    ),
    ("a digit of a tempering mask", "torch's bits|MT19937", anywhere("_static/figures/core.js", "0xefc60000", "0xefc70000")),
    (
        "a factor in a bound",
        "torch's bits|spread",
        anywhere("_static/figures/core.js", r"2 / \(nIn \+ nOut\)", "3 / (nIn + nOut)"),
    ),
    (
        "a tanh on the last layer",
        "forward pass",
        anywhere("_static/figures/core.js", r"l < layers\.length - 1 \? (Math\.tanh\(z\)) : z", r"\1"),
    ),
    ("a seed let through that torch refuses", "refused", anywhere("_static/figures/core.js", r"2n \*\* 64n\)", "2n ** 65n)")),
    (
        "a digit of a stored output",
        "outputs in network.js",
        anywhere("_static/figures/network.js", r"(const STORED = \{[^\d]*\d+[^\d]+\d\.\d)\d", r"\g<1>0"),
    ),
)

SETTINGS = group(
    "setting",
    "config",
    ("an option whose name is wrong", "nitpickyy", page("_config.yml", "nitpicky:", "nitpickyy:")),
    ("a key whose name is wrong", "exclude_pattern", page("_config.yml", "exclude_patterns:", "exclude_pattern:")),
    (
        "a value that is not allowed",
        "execute_notebooks",
        page("_config.yml", 'execute_notebooks: "off"', "execute_notebooks: on"),
    ),
    ("the extension that proves numbers left out", "proved", page("_config.yml", r" *proved: _ext/\n", "")),
    ("an extension whose name is wrong", "provd", page("_config.yml", "proved: _ext/", "provd: _ext/")),
    ("a theme whose name is wrong", "furoo", page("_config.yml", "html_theme: furo", "html_theme: furoo")),
)
SETTINGS += group(
    "setting",
    "alone",
    ("a bibliography that is not there", "no_references", anywhere("_config.yml", r"- references\.bib", "- no_references.bib")),
    (
        "a page in the table of contents that is not there",
        "09_nothing",
        anywhere("_toc.yml", "chapters/01_tensors", "chapters/09_nothing"),
    ),
)

FAULTS = [*OUTPUTS, *CODE, *SHARED, *SHAPES, *PROSE, *LINKS, *MARKDOWN, *FIGURES, *EXERCISES, *FIGURE_CODE, *SETTINGS]
