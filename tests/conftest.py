"""What the tests share: the built site, a server for it, and a browser."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bookproof.browser import launch
from bookproof.serving import serving

from bookproof.project import ROOT


def build(source, output, *options):
    """Build the book in `source` into `output`; the finished process."""
    command = [Path(sys.executable).with_name("jupyter-book"), "build", "-W", "-n", "--keep-going"]
    return subprocess.run(
        [*command, "-q", *options, "--path-output", output, source],
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Folder of the site, built with warnings as errors from this tree."""
    output = tmp_path_factory.mktemp("site")
    done = build(ROOT, output)
    assert done.returncode == 0, done.stdout + done.stderr
    return output / "_build" / "html"


@pytest.fixture(scope="session")
def site(built):
    """Address of a local server of the built site."""
    with serving(built) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; without one the test is skipped, or fails in CI."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as session:
        try:
            running = launch(session)
        except playwright.Error as error:
            line = f"no browser could be started: {str(error).splitlines()[0]}"
            pytest.fail(line) if os.environ.get("CI") else pytest.skip(line)
        yield running
        running.close()


@pytest.fixture
def page(browser):
    """A new page of the browser, in a context of its own."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


SITE = {}


@pytest.fixture(scope="session")
def summary():
    """What the tests of the site measure, by page; printed at the end."""
    return SITE


def pytest_terminal_summary(terminalreporter):
    if not SITE:
        return
    line = "{:34}{:>14}{:>14}{:>10}{:>10}{:>6}".format
    terminalreporter.section("the site, compressed, figures aside")
    terminalreporter.write_line(line("page", "first visit", "next page", "requests", "outside", "axe"))
    for name, row in sorted(SITE.items()):
        sizes = [f"{row[key] / 1000:.1f} kB" if key in row else "-" for key in ("first", "next")]
        terminalreporter.write_line(line(name, *sizes, *(row.get(key, "-") for key in ("requests", "outside", "axe"))))
