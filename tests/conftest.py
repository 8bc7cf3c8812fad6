"""What the tests share: the built site, a server for it, and a browser."""

import functools
import os
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


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


class Quiet(SimpleHTTPRequestHandler):
    """Serve files without a line on the terminal for each."""

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def site(built):
    """Address of a local server of the built site."""
    handler = functools.partial(Quiet, directory=built)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def find_chromium():
    """Path of a Chromium or Chrome, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = next((path for name in names if (path := shutil.which(name))), None)
    mac = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    return found or (str(mac) if mac.exists() else None)


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium; without one the test is skipped, or fails in CI."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as session:
        try:
            running = session.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
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
