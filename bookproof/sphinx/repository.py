"""The repository that the book is built from, and the address of its site.

GITHUB_REPOSITORY where a workflow sets it, else the remote `origin`: so a
fork's book speaks of the fork. Where it is on GitHub the site's address is
taken to be that of GitHub Pages, and the extensions that need an address
(sitemap, social cards) are told it.
"""

import os
import re
import subprocess

ADDRESS = re.compile(
    r"(?:(?i:https?|ssh|git)://(?:[^@/]+@)?|[^@/:]+@)"  # scheme and user, or user@
    r"(?P<host>[\w.-]+)(?::\d+(?=/))?[:/]"
    r"(?P<owner>[\w.-]+)/(?P<name>[\w.-]+?)(?:\.git)?/?"
)


def parse(address):
    """(host, owner, name) of a repository's address, or None.

    Understands https, ssh and git addresses and the short form git@host:path;
    drops `www.`, user names and passwords, a port, a trailing slash and `.git`.
    """
    match = ADDRESS.fullmatch(address.strip())
    if not match:
        return None
    return match["host"].lower().removeprefix("www."), match["owner"], match["name"]


def repository(folder):
    """(host, owner, name) of the repository that holds `folder`, or None."""
    if os.environ.get("GITHUB_REPOSITORY"):
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        return parse(f"{server}/{os.environ['GITHUB_REPOSITORY']}")
    try:
        remote = subprocess.run(
            ["git", "-C", folder, "remote", "get-url", "origin"],
            capture_output=True,
            text=True,
        )
    except OSError:  # no git on this machine
        return None
    return parse(remote.stdout) if remote.returncode == 0 else None


def pages(where):
    """The address of the repository's GitHub Pages, or an empty string."""
    if where is None or where[0] != "github.com":
        return ""
    _, owner, name = where
    site = f"https://{owner.lower()}.github.io/"
    return site if name.lower() == f"{owner.lower()}.github.io" else f"{site}{name}/"


def set_address(app, config):
    if not config.html_baseurl:
        config.html_baseurl = pages(repository(app.srcdir))
    if config.html_baseurl:
        app.setup_extension("sphinx_sitemap")
        config.sitemap_url_scheme = "{link}"
        config.sitemap_excludes = ["index.html", "404.html", "search.html"]


def setup(app):
    app.connect("config-inited", set_address, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
