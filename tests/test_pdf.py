"""The book as one PDF: bookmarks, links, real text; printed from the small book's site."""

import pytest
from pypdf import PdfReader

from bookproof.commands import pdf


@pytest.fixture(scope="module")
def printed(browser, small, tmp_path_factory):
    """The PDF, made in the tests' own browser."""
    output = tmp_path_factory.mktemp("pdf") / pdf.PDF
    context = browser.new_context()
    pdf.print_book(context.new_page(), small / "chapters", output)
    context.close()
    return PdfReader(output)


def test_every_page_has_its_bookmark(printed, small):
    titles = [entry.title.strip() for entry in printed.outline if not isinstance(entry, list)]
    assert titles == [page.h1.get_text().rstrip("#¶") for _, page in pdf.read(small / "chapters")]


def test_links_within_lead_to_a_page(printed):
    """And some lead to each page that the landing page names."""
    dead, inside = [], set()
    for page in printed.pages:
        for link in page.get("/Annots", []):
            link = link.get_object()
            action, target = link.get("/A", {}).get("/URI", ""), link.get("/Dest")
            inside.add(target)
            if action.startswith("file:") or (target and target not in printed.named_destinations):
                dead.append(action or target)
    assert dead == []
    assert {"/00_small", "/a_deeper"} <= inside


def test_answers_outputs_and_formulas_are_there_and_the_code_of_figures_is_not(printed):
    text = "\n".join(page.extract_text() for page in printed.pages)
    assert "torch.manual_seed(0)" in text
    assert "Worked solution" in text and "Two and four are." in text
    assert "sum: 3.0" in text  # an output that is folded on the site
    assert "Code: Figure" not in text and "ax.plot" not in text and "Show the output" not in text
