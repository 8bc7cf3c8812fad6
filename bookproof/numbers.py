"""Numbers in prose: what is one, which printed line it quotes, and what is wrong with it.

A number that a cell printed stands in a sentence as inline code, with the same characters: `37`,
`-0.3057`, `2.2e-16`, `37%`, `10,000`, `0.159 s`, `1/7`, or a list such as `(5, 1)`.

- It quotes the nearest cell above that printed any number, and there one line, on which no other number
  differs from it in one digit alone. Exercises print nothing of their own, and are passed over.
- Where it quotes another line it carries a label, which no reader sees: `37`<!-- parameters: -->.
  The nearest cell above that printed these words must have them on one line, and the first number
  after them must be this one. So no slip of a digit is proved by another number that happens to stand near.
- A list that no output shows is code, if the page's code holds it and no other that differs in a digit.
- Inside `<details>` the cell below proves as well as the nearest above, since an answer stands before
  its cell; where a fold holds Python code, tests/test_exercises.py looks at what that prints.
- A page without cells names the notebook that proves: the next link in the same paragraph, list item
  or table row, or else the last one before. There one line of the whole notebook must hold it.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from bookproof.notebook import Notebook

DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
NUMBER = rf"[-+]?(?:{DIGITS}\.?\d*|\.\d+)(?:[eE][-+]?\d+)?%?"
LIST = rf"[(\[]{NUMBER}(?:,? {NUMBER})*,?[)\]]"
TABLE = rf"[(\[](?:{NUMBER}|{LIST})(?:,? (?:{NUMBER}|{LIST}))*,?[)\]]"
VALUE = re.compile(rf"{NUMBER}(?:(?:/| of | x | ± ){NUMBER})?(?: [A-Za-zµ]+)?|{TABLE}")
LABEL = re.compile(r"<!--\s*([^\s>](?:(?!--).)*?)\s*-->", re.S)
PARSER = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
CANDIDATES = 3  # lines that a finding offers at most


class Line(NamedTuple):
    """A line that a cell printed: its cell and text output, counted from 1, its number there, its text."""

    cell: int
    output: int
    number: int
    text: str


@dataclass
class Number:
    """A number in inline code, and where it stands.

    line: of its Markdown text; fold: which `<details>` of that text holds it, or 0; solved: whether that
    fold holds Python code; notebook: the file that a page without cells names for it, or None.
    cell: how many code cells stand above it.
    """

    value: str
    label: str | None
    line: int
    fold: int
    position: int
    solved: bool = False
    notebook: str | None = None
    cell: int = 0


@dataclass
class Block:
    """A paragraph, a heading or a cell of a table.

    source: its text; words: the same with blanks in place of code, mathematics and links;
    links: (position in source, file) of each link to a notebook; group: the list item or row that holds it;
    fold: which `<details>` of its text holds it, or 0; bold: the bold words that it begins with.
    """

    line: int
    group: int
    fold: int
    heading: bool
    bold: str = ""
    source: str = ""
    words: str = ""
    numbers: list = field(default_factory=list)
    links: list = field(default_factory=list)

    def add(self, source, words=None):
        self.source += source
        self.words += re.sub(r"[^\n]", " ", source) if words is None else words


def read_block(token, block):
    """Fill `block` with what the inline token of a Markdown text holds."""
    link = None
    for child, after in zip(token.children, [*token.children[1:], None]):
        if child.type == "strong_open" and not block.source:
            block.bold = after.content
        elif child.type == "link_open":
            link = len(block.source)
            if (file := child.attrs["href"]).endswith(".ipynb"):
                block.links.append((link, Path(file).name))
        elif child.type == "link_close":
            link = None
        elif child.type in ("softbreak", "hardbreak"):
            block.add("\n")
        elif child.type == "code_inline":
            if VALUE.fullmatch(child.content):
                label = LABEL.fullmatch(after.content) if after is not None else None
                place = len(block.source) if link is None else link
                line = block.line + block.source.count("\n")
                block.numbers.append(Number(child.content, label and label[1], line, block.fold, place))
            block.add(f"`{child.content}`")
        else:
            block.add(child.content, child.content if child.type == "text" and link is None else None)


def blocks(markdown):
    """The blocks of a Markdown text, in order; its numbers know their fold and the notebook they name."""
    found, solved, groups, heading = [], set(), [], False
    group = fold = depth = line = 0
    for token in PARSER.parse(markdown):
        line = token.map[0] + 1 if token.map else line  # cells of a table have none of their own
        if token.type in ("list_item_open", "tr_open"):
            group += 1
            groups.append(group)
        elif token.type in ("list_item_close", "tr_close"):
            groups.pop()
        elif token.type in ("heading_open", "heading_close"):
            heading = token.type == "heading_open"
        elif token.type == "html_block":
            opened = token.content.count("<details")
            fold += bool(opened and not depth)
            depth += opened - token.content.count("</details>")
        elif token.type == "fence" and depth and token.info.strip() == "python":
            solved.add(fold)
        elif token.type == "inline":
            group += not groups
            block = Block(line, groups[-1] if groups else group, fold if depth else 0, heading)
            read_block(token, block)
            found.append(block)
    for k, block in enumerate(found):
        for number in block.numbers:
            number.solved = number.fold in solved
            number.notebook = named(number, k, found)
    return found


def named(number, place, found):
    """The notebook that a number in the block found[place] names, or None."""
    group = [(k, block) for k, block in enumerate(found) if block.group == found[place].group]
    links = [((k, at), file) for k, block in group for at, file in block.links]
    after = [file for at, file in links if at >= (place, number.position)]
    return (after or [file for _, file in links][-1:] or [None])[0]


@lru_cache(maxsize=None)
def whole(value):
    """A pattern that finds `value` in a line, not as a part of another number.

    Part of a number are letters, digits, points and commas between digits, a sign (but not the hyphen
    of `9-37`), an exponent, a per cent sign, a power.
    """
    if value[0] in "([":
        return re.compile(rf"(?<!\w){re.escape(value)}")
    before = r"(?<![\w.^])(?<!\d,)(?<!\*\*)(?<!\d[eE][-+])(?<!(?<![\w)\]])[-+])"
    if value[0] in "-+":
        before = r"(?<![\w.^)\]])(?<!\*\*)"
    after = "" if value.endswith("%") else r"(?![\w%^]|\.\w|,\d|\*\*)"
    return re.compile(before + re.escape(value) + after)


@lru_cache(maxsize=None)
def shape(value):
    """As `whole`, for any number of the same length and form."""
    pattern = whole(value).pattern
    digits = re.sub(r"\d", lambda _: r"\d", re.escape(value))
    return re.compile(pattern.replace(re.escape(value), digits))


def neighbours(value, text):
    """The numbers in `text` that differ from `value` in one digit alone."""
    found = set(shape(value).findall(text))
    return sorted(other for other in found if sum(a != b for a, b in zip(value, other)) == 1)


def slips(value):
    """All that `value` becomes when one of its digits is another."""
    for found in re.finditer(r"\d", value):
        for digit in "0123456789".replace(found.group(), ""):
            yield value[: found.start()] + digit + value[found.end() :]


@lru_cache(maxsize=None)
def spoken(label):
    """A pattern that finds the words of a label in a line."""
    words = r"\s+".join(map(re.escape, label.split()))
    before = r"(?<!\w)" if label[0].isalnum() else ""
    after = r"(?!\w)" if label[-1].isalnum() else ""
    return re.compile(before + words + after)


def printed(number, outputs):
    """The lines that the code cell `number` printed, whose stored outputs are given.

    An output that is a picture (its text is hidden), an error or a warning shows none.
    """
    texts = []
    for output in outputs:
        if output.get("name") == "stdout":
            texts.append("".join(output["text"]))
        elif set(output.get("data", {})) == {"text/plain"}:
            texts.append("".join(output["data"]["text/plain"]))
    return [
        Line(number, k, n, line)
        for k, text in enumerate(texts, 1)
        for n, line in enumerate(text.strip("\n").split("\n"), 1)  # as Pygments does before it counts
    ]


class Page:
    """What one page says in numbers and what it printed.

    name: its file; blocks: (code cells above, block) of its prose, in order; printed: the lines of each
    code cell; sources: their code; exercises: the cells (counted from 1) tagged so; alts: (cell, alt text).
    """

    def __init__(self, path):
        self.name, self.blocks, self.printed = Path(path).name, [], []
        self.sources, self.exercises, self.alts = [], set(), []
        if self.name.endswith(".md"):
            self.blocks = [(0, block) for block in blocks(Path(path).read_text("utf-8"))]
            return
        for cell in Notebook(path).cells:
            if cell.kind == "markdown":
                self.blocks += [(cell.number, block) for block in blocks(cell.source)]
            elif cell.kind == "code":
                self.sources.append(cell.source)
                self.printed.append(printed(cell.number, cell.outputs))
                if "exercise" in cell.tags:
                    self.exercises.add(cell.number)
                if cell.alt:
                    self.alts.append((cell.number, cell.alt))
        for above, block in self.blocks:
            for number in block.numbers:
                number.cell = above

    @property
    def numbers(self):
        """The numbers in inline code, in order."""
        return [number for _, block in self.blocks for number in block.numbers]

    def place(self, cell, line):
        """Where a number stands, as messages say it: below a cell, or on a line of a page without cells."""
        return f"{self.name} after In [{cell}]" if self.sources else f"{self.name} line {line}"

    def cells(self, number):
        """The printed lines of each cell that may prove `number`, the nearest cell first.

        In a fold the cell below and the nearest above are one, since an answer stands before its cell.
        """
        shown = [lines if k not in self.exercises else [] for k, lines in enumerate(self.printed, 1)]

        def near(cells):
            return [lines for lines in cells if any(re.search(r"\d", line.text) for line in lines)]

        above, below = near(shown[: number.cell][::-1]), near(shown[number.cell :])
        if not number.fold:
            return above
        around = [line for lines in (*below[:1], *above[:1]) for line in lines]
        return near([around, *above[1:], *below[1:]])


def label_for(value, line, lines):
    """The fewest words before `value` on its line that stand on no other of `lines`, or None."""
    start = whole(value).search(line.text).start()
    for word in reversed(list(re.finditer(r"\S+", line.text[:start]))):
        label = " ".join(line.text[word.start() : start].split())
        named = re.search("[A-Za-z]", re.sub(NUMBER, "", label)) and "|" not in label
        fits = named and LABEL.fullmatch(f"<!-- {label} -->")
        if fits and sum(len(spoken(label).findall(other.text)) for other in lines) == 1:
            return label
    return None


def offers(value, cells):
    """The lines that show `value`, each with the label that would name it, in words."""
    found, lines = [], []
    for cell in cells:
        lines += cell  # a label leads to the nearest cell that has it
        for line in cell:
            if whole(value).search(line.text):
                label, text = label_for(value, line, lines), " ".join(line.text.split())
                found.append(
                    f"`{value}`<!-- {label} --> (In [{line.cell}]: {text})" if label
                    else f"no words before it name its line in In [{line.cell}] ({text}), print some"
                )
    return "; or ".join(found[:CANDIDATES])


def by_label(value, label, cells):
    """(line, fault) of a number with a label, one of them None."""
    for lines in cells:
        held = [(line, match) for line in lines for match in spoken(label).finditer(line.text)]
        if len(held) > 1:
            place = f"In [{held[0][0].cell}]"
            return None, f"its label `{label}` stands {len(held)} times in {place}. Name one line"
        for line, match in held:
            found = whole(value).search(line.text, match.end())
            if found and not re.search(r"\d", line.text[match.end() : found.start()]):
                return line, None
            text = " ".join(line.text.split())
            return None, f"it is not the first number after `{label}` in In [{line.cell}] ({text})"
    return None, f"no line that may prove it holds its label `{label}`"


def proof(number, cells, sources=()):
    """(the line that `number` quotes or None, what is wrong or None).

    cells: the printed lines of each cell that may prove it, the nearest first; sources: the page's code.
    """
    value = number.value
    if number.label:
        line, fault = by_label(value, number.label, cells)
        return line, fault and f"{fault}. Mend the number or the label. {offers(value, cells)}".strip()
    shown = [[line for line in lines if whole(value).search(line.text)] for lines in cells]
    beside = neighbours(value, "\n".join(line.text for line in cells[0])) if cells else []
    if cells and len(shown[0]) == 1 and not beside:
        return shown[0][0], None
    code = "\n".join(sources)
    if value[0] in "([" and whole(value).search(code) and not (beside or neighbours(value, code)):
        return None, None
    if number.solved:  # a test holds it against what the solution prints
        return None, None
    if not any(shown):
        plain = "mathematics" if value[0] in "([" else "plain digits"
        what = f"Print it, or mend the number; what went in or is meant in general stands in {plain}"
        return None, f"no output above it prints it. {what}"
    one = len({line.cell for line in cells[0]}) == 1
    nearest = f"In [{cells[0][0].cell}]" if one else number.notebook or "a cell near it"
    why = (
        f"{nearest}, the nearest above, does not print it" if not shown[0]
        else f"{nearest} prints {', '.join(beside)} beside it" if beside
        else f"{nearest} prints it on {len(shown[0])} lines"
    )
    return None, f"{why}. Name its line: {offers(value, cells)}"


def proofs(page, pages, only=None):
    """(number, line or None, fault or None) of each number of `page`, or of one of them.

    pages: gives the Page of a notebook by its file name, or None.
    """
    for number in [only] if only else page.numbers:
        if page.sources:
            line, fault = proof(number, page.cells(number), page.sources)
        elif (other := pages(number.notebook) if number.notebook else None) is None:
            what = f"Write `{number.value}` ([its page](page.ipynb))"
            line, fault = None, f"it names no page that proves it. {what}"
        else:
            line, fault = proof(number, [[line for lines in other.printed for line in lines]], other.sources)
        yield number, line, fault


def faults(page, pages):
    """What is wrong with the numbers of `page`, a line each."""
    for number, _, fault in proofs(page, pages):
        if fault:
            yield f"{page.place(number.cell, number.line)}: `{number.value}`: {fault}."


@lru_cache(maxsize=None)
def read(path, changed):
    return Page(path)


def page_at(path):
    """The Page of the file at `path`, or None; read again when it has changed."""
    return read(path, path.stat().st_mtime_ns) if path.is_file() else None


def beside(path):
    """Gives, by its file name, the Page of a notebook in the folder of `path`, or None."""
    return lambda name: page_at(Path(path).with_name(name))
