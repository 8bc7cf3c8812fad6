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
    return next(filter(None, map(shutil.which, [*NAMES, MAC])), None)


def get(python):
    """Install a browser if none is found; True if there is one then. python: one that has Playwright."""
    installers = [[python, "-m", "playwright", "install", "chromium"]]
    if sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get"):
        debian = "apt-get update -q && apt-get install -qy --no-install-recommends chromium"
        installers.insert(0, ["sh", "-c", debian])
    return find() is not None or any(
        subprocess.run(command, capture_output=True).returncode == 0 for command in installers
    )


def launch(playwright):
    """Start the browser, headless. Where there is none, Playwright's error says so."""
    return playwright.chromium.launch(executable_path=find(), args=FLAGS)
