"""The repository that the book is built from, the branch and the folder there, and the address of its site.

GITHUB_REPOSITORY and GITHUB_REF_NAME where a workflow sets them, else git: so a fork's book speaks of
the fork. Where it is on GitHub the site's address is taken to be that of GitHub Pages, and the
extensions that need an address (sitemap, social cards) are told it.
"""

import os
import re
import subprocess
from typing import NamedTuple

ADDRESS = re.compile(
    r"(?:(?i:https?|ssh|git)://(?:[^@/]+@)?|[^@/:]+@)"  # scheme and user, or user@
    r"(?P<host>[\w.-]+)(?::\d+(?=/))?[:/]"
    r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(?:\.git)?/?"
)

GIT = ["git", "-c", "safe.directory=*"]  # in a container the folder may be another user's; we only read


def parse(address):
    """(host, owner, name) of a repository's address, or None.

    Understands https, ssh and git addresses and the short form git@host:path;
    drops `www.`, user names and passwords, a port, a trailing slash and `.git`.
    """
    match = ADDRESS.fullmatch(address.strip())
    if not match:
        return None
    return match["host"].lower().removeprefix("www."), match["owner"], match["name"]


def git(folder, *arguments):
    """What git says of `folder`, or an empty text."""
    try:
        done = subprocess.run([*GIT, "-C", folder, *arguments], capture_output=True, encoding="utf-8")
    except OSError:  # no git on this machine
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def branch(folder):
    """The branch that is published: the workflow's, else the one checked out, else HEAD."""
    name = os.environ.get("GITHUB_REF_NAME", "")
    if name and not name.endswith("/merge"):  # of a pull request, which is no branch
        return name
    return git(folder, "branch", "--show-current") or "HEAD"


class Source(NamedTuple):
    """Where the book lies: folder is "" or ends in a slash."""

    host: str
    owner: str
    name: str
    branch: str
    folder: str


def source(folder):
    """The Source of the book in `folder`, or None."""
    if name := os.environ.get("GITHUB_REPOSITORY"):
        address = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{name}"
    else:
        address = git(folder, "remote", "get-url", "origin")
    where = parse(address)
    return where and Source(*where, branch(folder), git(folder, "rev-parse", "--show-prefix"))


def pages(where):
    """The address of the GitHub Pages of a (host, owner, name, …), or an empty string."""
    if where is None or where[0] != "github.com":
        return ""
    _, owner, name, *_ = where
    site = f"https://{owner.lower()}.github.io/"
    return site if name.lower() == f"{owner.lower()}.github.io" else f"{site}{name}/"


def set_address(app, config):
    if not config.html_baseurl:
        config.html_baseurl = pages(source(app.srcdir))
    if config.html_baseurl:
        app.setup_extension("sphinx_sitemap")
        config.sitemap_url_scheme = "{link}"
        config.sitemap_excludes = ["index.html", "404.html", "search.html"]


def setup(app):
    app.connect("config-inited", set_address, priority=100)
