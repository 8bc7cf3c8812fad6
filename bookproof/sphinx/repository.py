"""The repository on GitHub that the book is built from, the branch and folder there, and its site's address.

GITHUB_REPOSITORY and GITHUB_REF_NAME where a workflow sets them, else git: so a fork's book speaks of
the fork. The site's address is taken to be that of GitHub Pages, and the extensions that need an address
(sitemap, social cards) are told it.
"""

import os
import re
import subprocess
from typing import NamedTuple

ADDRESS = re.compile(
    r"(?i)(?:(?:https?|ssh|git)://)?(?:[^@/]+@)?(?:www\.)?github\.com(?::\d+(?=/))?[:/]"
    r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(?:\.git)?/?"
)
GIT = ["git", "-c", "safe.directory=*"]  # in a container the folder may be another user's; we only read


class Source(NamedTuple):
    """Where the book lies on GitHub: folder is "" or ends in a slash."""

    owner: str
    name: str
    branch: str
    folder: str


def parse(address):
    """(owner, name) of the address of a repository on GitHub, as git writes it, or None."""
    match = ADDRESS.fullmatch(address)
    return match and match.group("owner", "name")


def git(folder, *arguments):
    """What git says of `folder`, or an empty text."""
    try:
        done = subprocess.run([*GIT, "-C", folder, *arguments], capture_output=True, encoding="utf-8")
    except OSError:  # no git on this machine
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def source(folder):
    """The Source of the book in `folder`, or None."""
    if name := os.environ.get("GITHUB_REPOSITORY"):
        address = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{name}"
    else:
        address = git(folder, "remote", "get-url", "origin")
    branch = os.environ.get("GITHUB_REF_NAME", "")
    if not branch or branch.endswith("/merge"):  # of a pull request, which is no branch
        branch = git(folder, "branch", "--show-current") or "HEAD"
    where = parse(address)
    return where and Source(*where, branch, git(folder, "rev-parse", "--show-prefix"))


def pages(owner, name):
    """The address of a repository's GitHub Pages."""
    site = f"https://{owner.lower()}.github.io/"
    return site if name.lower() == f"{owner.lower()}.github.io" else f"{site}{name}/"


def set_address(app, config):
    where = source(app.srcdir)
    if where and not config.html_baseurl:
        config.html_baseurl = pages(where.owner, where.name)
    if config.html_baseurl:
        app.setup_extension("sphinx_sitemap")
        config.sitemap_url_scheme = "{link}"
        config.sitemap_excludes = ["index.html", "404.html", "search.html"]


def setup(app):
    app.connect("config-inited", set_address, priority=100)
