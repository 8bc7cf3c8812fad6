"""What the tests share: the built site and the built small book, a server, and a browser."""

import os
import subprocess
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bookproof.browser import launch
from bookproof.project import ROOT, build_command
from bookproof.sphinx.launch import PDF
from tests.small_book import lay

PATIENCE = 1200  # seconds that one process waits for another that builds


def build(source, output, warm=False):
    """Build the book in `source` into `output`/_build, anew or what has changed; the finished process."""
    command = build_command(source, output)
    if warm:
        command.remove("--all")
    return subprocess.run(command, capture_output=True, text=True)


def once(factory, name, make):
    """The folder `name`, filled by make(folder): by one of the processes that test, while the others wait."""
    base = factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
    result = folder / "result.txt"
    try:
        folder.mkdir()
    except FileExistsError:
        deadline = time.monotonic() + PATIENCE
        while not result.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
    else:
        done = make(folder)
        unfinished = folder / "result.part"
        unfinished.write_text("" if done.returncode == 0 else done.stdout + done.stderr, encoding="utf-8")
        unfinished.rename(result)
    said = result.read_text(encoding="utf-8")
    assert not said, said
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Folder of the site, built once with warnings as errors from this tree."""
    return once(tmp_path_factory, "site", lambda folder: build(ROOT, folder)) / "_build/html"


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Folder of the small book's site, built once, as a fork's, beside a PDF of an earlier `make pdf`."""

    def make(folder):
        (folder / "_build/html").mkdir(parents=True)
        (folder / "_build/html" / PDF).touch()
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GITHUB_REPOSITORY", "owner/fork")
            patch.setenv("GITHUB_REF_NAME", "live")
            return build(lay(folder / "book"), folder)

    return once(tmp_path_factory, "small", make) / "_build/html"


class Handler(SimpleHTTPRequestHandler):
    """Serves files, without a line on the terminal."""

    protocol_version = "HTTP/1.1"  # a connection serves many files

    def log_message(self, *arguments):
        pass


@contextmanager
def serving(folder):
    """The address of a server of `folder`, while the context lasts."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def site(built):
    """Address of a local server of the built site."""
    with serving(built) as address:
        yield address


@pytest.fixture(scope="session")
def small_site(small):
    """Address of a local server of the small book's site."""
    with serving(small) as address:
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


@pytest.fixture
def opened(browser):
    """Open a context of a width, with the probes of site.js; all are closed in the end."""
    contexts = []

    def context(width, **options):
        options = {"viewport": {"width": width, "height": 800}} | options
        contexts.append(browser.new_context(**options))
        contexts[-1].add_init_script(path=Path(__file__).with_name("site.js"))
        return contexts[-1]

    yield context
    for each in contexts:
        each.close()


def violations(tab, context=None, **options):
    """What axe finds in a page, or in a part of it, a line each."""
    from axe_playwright_python.sync_playwright import Axe

    # of what is right nothing is told: that would take twice the time
    found = Axe().run(tab, context, {"resultTypes": ["violations"], **options}).response
    return [f"axe {fault['id']}: {fault['nodes'][0]['html'][:120]}" for fault in found["violations"]]
