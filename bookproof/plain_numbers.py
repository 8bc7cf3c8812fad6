"""Results written as plain digits, in notebooks and in pages without cells.

A number in prose is written in one of five ways:

- what a cell printed is inline code (`0.159`), which numbers.py ties to the line that printed it;
- what went in (a seed, a step, a size) is plain, and the page's code holds a number of that value;
  sizes may be joined (9-4-2-4-9) where the code holds them as a list. A page without cells has no
  code: there the code of a page that the same paragraph, list item or row links to must hold it;
- a whole number below ten is a word ("three layers"), unless it numbers the name before it ("page 3",
  "layer 2": the names are in NUMBERED); several in brackets are inline code;
- a predicted number that begins an answer is bold ("**3.** Two weights and a bias"), and the cell below
  prints it;
- all else is mathematics ($2^{-24}$).

Not looked at: mathematics, code, links, headings, years from 1900 to 2099, digits within a name
(float64, MT19937), and what numbers a name.

An alt text cannot hold inline code, and is read aloud. A number in it must have the value of one that
the page's code holds or a text output shows.
"""

import ast
import re

from bookproof.notebook import without_magics
from bookproof.numbers import DIGITS, NUMBER, whole

PLAIN = re.compile(rf"(?<![\w.]){DIGITS}(?:\.\d+)?(?:e[-+]?\d+)?(?!\w|\.\d)")
LIST = re.compile(r"(?<!\w)[(\[]-?\d+(?:, ?-?\d+)+[)\]]")
CHAIN = re.compile(r"(?<![\w.-])\d+(?:-\d+)+(?![\w-]|\.\d)")
NUMBERED = (
    "Section|Chapter|Figure|Exercise|Equation|equation|Page|page|Layer|layer|Row|row|Column|column|"
    "Position|position|Circle|circle|PR|Python|NumPy|PyTorch|Torch|torch|Matplotlib|matplotlib"
)
SEED = re.compile(r"\b[Ss]eeds?(?: is| are)? \d+(?:(?:,| and| to| or) \d+)*")
REFERENCE = r"\d+(?:\.\d+)*(?![\w%]|[.,]\d)"
EXEMPT = [
    rf"\b(?:{NUMBERED})s {REFERENCE}(?:, {REFERENCE})* (?:and|to|or) {REFERENCE}",
    rf"\b(?:{NUMBERED}) {REFERENCE}",
    r"(?<![\w.,])(?:19|20)\d\d(?![\w%]|[.,]\d)",  # years
]


def blank(pattern, text):
    """`text` with blanks in place of what `pattern` finds."""
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def prose(words):
    """`words` with blanks in place of years and of what numbers a name."""
    for pattern in EXEMPT:
        words = blank(pattern, words)
    return words


def value(text):
    return float(text.replace(",", ""))


class Code:
    """The numbers that code holds, and its lists of whole numbers."""

    def __init__(self, sources):
        self.values, self.lists = set(), set()
        for source in sources:
            try:
                tree = ast.parse(without_magics(source))
            except SyntaxError:  # the lint of the code tells it
                continue
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                    self.values.add(float(node.value))
                elif isinstance(node, (ast.List, ast.Tuple)):
                    self.lists.add("-".join(str(getattr(item, "value", None)) for item in node.elts))


def of_block(block, code, shown, below):
    """(line, what is wrong) of each plain number in a block of prose that may not be, in order.

    code: of the page, or of those that it links to; shown: the text that was printed above;
    below: what the next cell printed.
    """
    text, found = prose(block.words), []
    answer = re.match(rf"({NUMBER})\.$", block.bold) if block.fold else None
    if answer:
        text = " " * answer.end() + text[answer.end() :]
        if not whole(answer[1]).search(below):
            found.append((answer, "the cell below, which answers, does not print it. Mend the answer"))
    for chain in CHAIN.finditer(text):
        if chain.group() not in code.lists:
            found.append((chain, "no list in the code holds these sizes"))
    for numbers in LIST.finditer(text):
        found.append((numbers, f"a list. Write `{numbers.group()}`"))
    for seeds in SEED.finditer(text):
        for number in PLAIN.finditer(text, *seeds.span()):
            if value(number.group()) not in code.values:
                found.append((number, "a seed that no code holds"))
    for number in PLAIN.finditer(blank(SEED, blank(LIST, blank(CHAIN, text)))):
        digits = number.group()
        if re.fullmatch(r"\d", digits):
            found.append((number, "a single digit. Write the word, or mathematics"))
        elif value(digits) not in code.values and digits in PLAIN.findall(shown):
            found.append((number, f"an output above shows it. Write `{digits}`"))
        elif value(digits) not in code.values:
            what = "Print it and write it as code, or use words or mathematics"
            found.append((number, f"no code holds it. {what}"))
    for number, fault in sorted(found, key=lambda pair: pair[0].start()):
        around = " ".join(block.source[max(0, number.start() - 20) : number.end() + 10].split())
        line = block.line + block.source.count("\n", 0, number.start())
        yield line, f"{number.group()} in plain digits (… {around} …): {fault}."


def of_alts(page, code):
    """What is wrong with the numbers in the alt texts of `page`, a line each."""
    known = code.values | {
        value(number) for lines in page.printed for line in lines for number in PLAIN.findall(line.text)
    }
    for cell, alt in page.alts:
        for number in PLAIN.findall(prose(alt)):
            if value(number) not in known:
                what = "no code and no output has this value. Print it, or use words."
                yield f"{page.name} In [{cell}]: {number} in the alt text: {what}"


def faults(page, pages):
    """What is wrong with the plain numbers of `page`, a `numbers.Page`, a line each.

    pages: gives the Page of a notebook by its file name, or None.
    """
    code = Code(page.sources)
    for above, block in page.blocks:
        if block.heading:
            continue
        if not page.sources:
            group = [other for _, other in page.blocks if other.group == block.group]
            linked = {file for other in group for _, file in other.links}
            code = Code(source for file in linked if (other := pages(file)) for source in other.sources)
        shown = "\n".join(line.text for lines in page.printed[:above] for line in lines)
        below = "\n".join(line.text for lines in page.printed[above : above + 1] for line in lines)
        found = of_block(block, code, shown, below)
        yield from (f"{page.place(above, line)}: {fault}" for line, fault in found)
    yield from of_alts(page, code)
