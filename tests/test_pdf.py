"""The book as one PDF: bookmarks, contents, links, real text; printed from the small book's site."""

import pytest
from pypdf import PdfReader

from bookproof.commands import pdf


@pytest.fixture(scope="module")
def printed(browser, small, tmp_path_factory):
    """(the pages, the page number of each id, the PDF), made in the tests' own browser."""
    pages = list(pdf.read(small / "chapters"))
    output = tmp_path_factory.mktemp("pdf") / pdf.PDF
    context = browser.new_context()
    numbers = pdf.print_twice(context.new_page(), pages, small / "chapters" / "print.html", output)
    context.close()
    return pages, numbers, PdfReader(output)


def test_every_page_has_its_bookmark(printed):
    pages, _, reader = printed
    titles = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    assert [title.strip() for title in titles] == [page.h1.get_text().rstrip("#¶") for _, page in pages]


def test_contents_name_both_parts_and_the_page_of_each_heading(printed):
    pages, numbers, reader = printed
    text = reader.pages[0].extract_text() + reader.pages[1].extract_text()
    places = [text.index(words) for words in ("The chapter", "0 Small", "Going deeper", "A Is a deeper page")]
    assert places == sorted(places)
    order = [numbers[name] for name, _ in pages[1:]]
    assert order == sorted(order)
    for name, _ in pages[1:]:
        assert str(numbers[name]) in text.split()


def test_links_within_lead_to_a_page(printed):
    _, _, reader = printed
    dead, inside = [], 0
    for page in reader.pages:
        for link in page.get("/Annots", []):
            link = link.get_object()
            action, target = link.get("/A", {}).get("/URI", ""), link.get("/Dest")
            inside += target is not None
            if action.startswith("file:") or (target and target not in reader.named_destinations):
                dead.append(action or target)
    assert dead == []
    assert inside > 20


def test_answers_outputs_and_formulas_are_there_and_the_code_of_figures_is_not(printed):
    _, _, reader = printed
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "torch.manual_seed(0)" in text
    assert "Worked solution" in text and "Two and four are." in text
    assert "sum: 3.0" in text  # an output that is folded on the site
    assert "Code: Figure" not in text and "ax.plot" not in text and "Show the output" not in text
