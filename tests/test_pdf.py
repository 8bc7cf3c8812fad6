"""The chapter as one PDF: bookmarks, contents, links, real text."""

from bookproof.commands import pdf
import pytest
from pypdf import PdfReader


@pytest.fixture(scope="module")
def printed(browser, built, tmp_path_factory):
    """The PDF, made from the built site in the tests' own browser."""
    pages = list(pdf.read(built / "chapters"))
    scratch = built / "chapters" / "print.html"
    output = tmp_path_factory.mktemp("pdf") / pdf.PDF
    context = browser.new_context()
    numbers = pdf.print_twice(context.new_page(), pages, scratch, output)
    context.close()
    return pages, numbers, PdfReader(output)


def test_every_page_has_its_bookmark(printed):
    pages, _, reader = printed
    titles = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    assert [title.strip() for title in titles] == [page.h1.get_text().rstrip("#¶") for _, page in pages]


def test_contents_name_the_page_of_each_heading(printed):
    _, numbers, reader = printed
    text = reader.pages[0].extract_text() + reader.pages[1].extract_text()
    for name in ("00_by_hand", "recap"):
        assert str(numbers[name]) in text.split()
        assert "What you will be able to do" in text
    assert numbers["recap"] > numbers["06_init_order"] > numbers["00_by_hand"] > 1


def test_links_within_lead_to_a_page(printed):
    _, _, reader = printed
    dead, inside = [], 0
    for page in reader.pages:
        for link in page.get("/Annots", []):
            link = link.get_object()
            action = link.get("/A", {}).get("/URI", "")
            inside += "/Dest" in link
            if action.startswith("file:") or ("/Dest" in link and link["/Dest"] not in reader.named_destinations):
                dead.append(action or link["/Dest"])
    assert dead == []
    assert inside > 100


def test_text_of_code_and_mathematics_is_real(printed):
    _, _, reader = printed
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert "torch.manual_seed(0)" in text
    assert "tanh" in text and "∑" in text
    assert "Worked solution" in text and "Code: Figure" not in text
