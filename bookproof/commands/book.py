"""Build the site from the stored outputs: settings, lint, then the build, from nothing, into _build/html.

    python -m bookproof.commands.book        (`make book`)
"""

import shutil
import subprocess
import sys

from bookproof.project import ROOT, build_command


def faults():
    """What the lints of settings and pages find, a line each; pages only if the settings are sound."""
    from bookproof import lint, settings  # slow to import: after the first line of `make check`

    return settings.lint() or lint.lint_book()


def build():
    """Build the book from nothing; its exit status."""
    shutil.rmtree(ROOT / "_build" / "html", ignore_errors=True)
    return subprocess.call(build_command())


if __name__ == "__main__":
    try:
        sys.exit("\n".join(faults()) or build())
    except KeyboardInterrupt:
        sys.exit("book: interrupted; there is no site until the next `make book`")
