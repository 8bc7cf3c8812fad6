"""Results written as plain digits, in notebooks and in pages without cells.

A number in prose is written in one of four ways:

- what a cell printed is inline code (`0.159`), which the build ties to the
  line that printed it (_ext/proved.py);
- what went in (a seed, a step, a size) is plain, and the page's code holds a
  number of that value; sizes may be joined (9-4-2-4-9) where the code holds
  them as a list. A page without cells has no code: there the code of a page
  that the same paragraph or list item links to must hold it;
- a whole number below ten is a word ("three layers"), unless it numbers the
  name before it ("page 3", "layer 2": the names are in NUMBERED); several in
  brackets are inline code;
- all else is mathematics ($2^{-24}$).

Not looked at: mathematics, code, links, headings, years from 1900 to 2099,
digits within a name (float64, MT19937), and what numbers a name.

An alt text cannot hold inline code, and is read aloud. A number in it must
have the value of one that the page's code holds or a text output shows.
"""

import ast
import re
from pathlib import Path

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?"
WHOLE = re.compile(rf"(?<![\w.]){NUMBER}(?!\w|\.\d)")
LIST = re.compile(r"(?<!\w)[(\[]-?\d+(?:, ?-?\d+)+[)\]]")
CHAIN = re.compile(r"(?<![\w.-])\d+(?:-\d+)+(?![\w-]|\.\d)")
NUMBERED = (
    "Section|Chapter|Figure|Exercise|Equation|equation|Page|page|Layer|layer|Row|row|Column|column|"
    "Position|position|Circle|circle|PR|Python|NumPy|PyTorch|Torch|torch|Matplotlib|matplotlib"
)
SEED = re.compile(r"\b[Ss]eeds? \d+(?:(?:,| and| to| or) \d+)*")
REFERENCE = r"\d+(?:\.\d+)*(?![\w%]|[.,]\d)"
EXEMPT = [
    r"(?ms)^[> ]*(`{3,}).*?^[> ]*\1\s*$",  # fenced code
    r"(?s)<!--.*?-->",
    r"(?s)(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)",  # inline code
    r"(?s)\$\$.*?\$\$|\$[^$]+\$",  # mathematics
    r"</?[a-z]+>",  # the tags of <details>
    r"(?m)^#+ .*$",  # headings
    r"\[[^\]]*\]\([^)]*\)|\[Chapter \d+\]",  # links, text and address
    rf"\b(?:{NUMBERED})s {REFERENCE}(?:, {REFERENCE})* (?:and|to|or) {REFERENCE}",
    rf"\b(?:{NUMBERED}) {REFERENCE}",
    r"(?<![\w.,])(?:19|20)\d\d(?![\w%]|[.,]\d)",  # years
]


def blank(pattern, text):
    """`text` with blanks in place of what `pattern` finds."""
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def prose(markdown):
    """`markdown` with blanks in place of all that is not looked at."""
    for pattern in EXEMPT:
        markdown = blank(pattern, markdown)
    return markdown


def value(text):
    return float(text.replace(",", ""))


class Code:
    """The numbers that code holds, and its lists of whole numbers."""

    def __init__(self, sources):
        self.values, self.lists = set(), set()
        for source in sources:
            try:
                tree = ast.parse(re.sub(r"(?m)^[%!](?!=).*$", "pass", source))
            except SyntaxError:  # the lint of the code tells it
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                    self.values.add(float(node.value))
                elif isinstance(node, (ast.List, ast.Tuple)):
                    self.lists.add("-".join(str(getattr(item, "value", None)) for item in node.elts))


def faults(markdown, code, shown=""):
    """(place, what is wrong) of each plain number that may not be, in order.

    code: of the page, or of those that it links to; shown: what is printed above.
    """
    text, found = prose(markdown), []
    for chain in CHAIN.finditer(text):
        if chain.group() not in code.lists:
            found.append((chain, "no list in the code holds these sizes"))
    for numbers in LIST.finditer(text):
        found.append((numbers, f"a list. Write `{numbers.group()}`"))
    for seeds in SEED.finditer(text):
        wrong = [number for number in WHOLE.finditer(text, *seeds.span()) if value(number.group()) not in code.values]
        found += [(number, "a seed that no code holds") for number in wrong]
    for number in WHOLE.finditer(blank(SEED, blank(LIST, blank(CHAIN, text)))):
        digits = number.group()
        if re.fullmatch(r"\d", digits):
            found.append((number, "a single digit. Write the word, or mathematics"))
        elif value(digits) not in code.values and digits in WHOLE.findall(shown):
            found.append((number, f"an output above shows it. Write `{digits}`"))
        elif value(digits) not in code.values:
            found.append((number, "no code holds it. Print it and write it as code, or use words or mathematics"))
    for number, fault in sorted(found, key=lambda pair: pair[0].start()):
        place = number.start()
        around = " ".join(markdown[max(0, place - 20) : number.end() + 10].split())
        yield place, f"{number.group()} in plain digits (… {around} …): {fault}."


def printed(cell):
    """The text outputs of a code cell, without those that stand for pictures."""
    for output in cell["outputs"]:
        data = output.get("data", {})
        if not any(kind.startswith("image/") for kind in data):
            yield "".join(output.get("text", "")) + "".join(data.get("text/plain", ""))


def of_notebook(cells):
    """Findings on the prose and the alt texts of a notebook, a `lint.Cells`."""
    code = Code(source for _, _, source in cells.of("code"))
    outputs = {name: "\n".join(printed(cell)) for name, cell, _ in cells.of("code")}
    known = code.values | {value(number) for text in outputs.values() for number in WHOLE.findall(text)}
    shown = ""
    for name, cell, source in cells.all:
        if cell["cell_type"] == "markdown":
            yield from (f"{name}: {fault}" for _, fault in faults(source, code, shown))
        elif cell["cell_type"] == "code":
            shown += outputs[name] + "\n"
            alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
            for number in WHOLE.findall(prose(alt)):
                if value(number) not in known:
                    yield f"{name}: {number} in the alt text: no code and no output has this value. Print it, or use words."


def of_page(path, code_of):
    """Findings on a page without cells.

    code_of: gives the sources of the code of a notebook, by its file name.
    """
    text = Path(path).read_text(encoding="utf-8")
    start = 0
    for block in re.split(r"(\n\s*\n|\n(?=[-|] ))", text):
        links = re.findall(r"\]\(([\w-]+\.ipynb)\)", block)
        code = Code(source for link in links for source in code_of(link))
        for place, fault in faults(block, code):
            line = text.count("\n", 0, start + place) + 1
            yield f"{Path(path).name} line {line}: {fault}"
        start += len(block)
