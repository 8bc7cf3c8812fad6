"""Rules on Markdown that five readers must show alike, and on figures; one line a finding."""

import re

RAW = {
    r"^\s*(`{3,}|~{3,}|:{3,})\{": "a directive",
    r"\{[\w:-]+\}`": "a role",
    r"^\s*\([\w-]+\)=\s*$": "a label",
    r"\[\^[\w-]+\]": "a footnote",
    r"attachment:": "an attachment",
    r"~~": "a strike-through, which GitHub alone draws",
    r"\{\{|\{%": "a template mark",
    r"\[[^\]]*\]\([\w./-]+\.(ipynb|md)#": "a fragment in a link between pages",
    r"<(?!/?(details|summary)\b|!--)[a-zA-Z/][^>\s]*>": "raw HTML other than <details>",
    r"^ {0,3}<!--": "a line that begins with a comment, and so loses its rest",
}
WHOLE = {RAW[r"^\s*(`{3,}|~{3,}|:{3,})\{"], RAW[r"^ {0,3}<!--"]}  # these look at code marks too


def outside_code(markdown):
    """Markdown without fenced and inline code, where marks mean nothing; a role's `…` stays."""
    fenced = re.sub(r"(?ms)^(`{3,}).*?^\1\s*$", "", markdown)
    return re.sub(r"(?<![`}])(`+)(?!`).+?(?<!`)\1(?!`)", "", fenced)


def number_of(notebook):
    """What a page is called in numbers: `4` for 04_initialisation, `B` for b_second_derivative."""
    return (notebook.path.stem.split("_")[0].lstrip("0") or "0").upper()


def of_cell(cell):
    """Findings on one Markdown cell."""
    text = outside_code(cell.source)
    for pattern, what in RAW.items():
        if re.search(pattern, cell.source if what in WHOLE else text, re.M):
            yield f"{cell.name}: {what}, which another reader shows raw. Write plain Markdown."
    if text.count("<details") != text.count("</details>"):
        yield f"{cell.name}: a <details> that is not closed in its cell."
    if re.search(r"<summary>[^\n]*\n(?!\n)", text) or re.search(r"[^\n]\n</details>", text):
        yield f"{cell.name}: blank lines are needed inside <details>, or GitHub shows the Markdown raw."
    if any("$$" in line and line.strip() not in ("$$", "> $$") for line in text.split("\n")):
        yield f"{cell.name}: $$ stands on a line of its own."


def of_figures(notebook):
    """Each figure has its caption below it; both are numbered 4.1, 4.2, …; no other is spoken of."""
    page, numbers = number_of(notebook), set()
    for cell, below in zip(notebook.cells, [*notebook.cells[1:], None]):
        if cell.is_figure:
            number = f"{page}.{len(numbers) + 1}"
            numbers.add(number)
            caption = re.match(r"\*\*Figure (\w+\.\d+)\.\*\* ", below.source if below else "")
            if not caption:
                yield f"{cell.name}: no caption below it. Begin the next cell with `**Figure {number}.** `."
            title = re.match(r"#@title Figure (\w+\.\d+)", cell.source)
            said = {found[1] for found in (caption, title) if found}
            for wrong in sorted(said - {number}):
                yield f"{cell.name}: it is numbered {wrong}, and it is Figure {number}."
    for cell in notebook.markdown:
        for number in re.findall(rf"(?<!\*)Figure ({page}\.\d+)", outside_code(cell.source)):
            if number not in numbers:
                yield f"{cell.name}: no Figure {number} is on this page. Mend the number."


def of_page(notebook):
    """A page says first what it is for, at the end what to remember, and last where to go on."""
    headings = re.findall(r"(?m)^## (.+)$", "\n".join(cell.source for cell in notebook.markdown))
    for wanted in ("What you will be able to do", "What to remember"):
        if wanted not in headings:
            yield f"{notebook.name}: it has no section `## {wanted}`. Write one."
    if "](" not in notebook.cells[-1].source.strip().split("\n")[-1]:
        yield f"{notebook.name}: its last line leads nowhere. End with a link, and why one would follow it."


def faults(notebook):
    """Findings on the Markdown of a notebook."""
    yield from of_page(notebook)
    for cell in notebook.markdown:
        yield from of_cell(cell)
    yield from of_figures(notebook)
