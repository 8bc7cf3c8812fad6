"""The browser that tests the site and prints the PDF: find one, or get one.

Looked for in this order: a Chromium or Chrome of this machine; else Debian's
package, where we may install one; else the Chromium that Playwright brings.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()


def find():
    """Path of an installed Chromium or Chrome, or None."""
    found = next((path for path in map(shutil.which, NAMES) if path), None)
    return found or (MAC if os.path.exists(MAC) else None)


def get(python, log):
    """Install a browser if none is found; True if there is one then.

    python: one that has Playwright; log: an open file for what the installers say.
    """

    def run(*command):
        return not subprocess.call(command, stdout=log, stderr=log)

    if find():
        return True
    if sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get"):
        install = ("apt-get", "install", "-qy", "--no-install-recommends", "chromium")
        if run("apt-get", "update", "-q") and run(*install):
            return True
    return run(python, "-m", "playwright", "install", "chromium")


def launch(playwright):
    """Start the browser, headless. Where there is none, Playwright's error says so."""
    return playwright.chromium.launch(executable_path=find(), args=FLAGS)
