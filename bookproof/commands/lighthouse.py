"""Lighthouse's scores of every page of the built site, on a phone: medians of three.

    python tests/lighthouse.py FOLDER [PAGE ...]

Needs Node 20 and a network the first time (npx fetches Lighthouse). Not part
of `make test`, since the first score depends on the machine; what the scores
come from (bytes, requests, shift) is tested in test_site.py. Exit status 1 if
a median is below LEAST.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from bookproof import browser
from bookproof.serving import serving

LIGHTHOUSE = "lighthouse@12.2.3"
CATEGORIES = ["performance", "accessibility", "best-practices", "seo"]
RUNS = 3
LEAST = 95


def scores(address):
    """The four scores of one run, and the names of the audits that cost any."""
    flags = "--headless=new " + " ".join(browser.FLAGS)
    command = ["npx", "--yes", LIGHTHOUSE, address, "--quiet", "--output=json", f"--chrome-flags={flags}"]
    environment = {**os.environ, **({"CHROME_PATH": browser.find()} if browser.find() else {})}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"lighthouse: {address}: {done.stderr.strip().splitlines()[-1]}")
    report = json.loads(done.stdout)
    found = [round(100 * report["categories"][name]["score"]) for name in CATEGORIES]
    weighed = {ref["id"] for name in CATEGORIES for ref in report["categories"][name]["auditRefs"] if ref["weight"]}
    audits = report["audits"]
    return found, {name for name in weighed if (audits[name]["score"] is not None and audits[name]["score"] < 0.9)}


def main(folder, *pages):
    pages = pages or sorted(path.relative_to(folder) for path in Path(folder).glob("chapters/*.html"))
    lowest = 100
    print(f"{'page':34}" + "".join(f"{name:>16}" for name in CATEGORIES))
    with serving(folder) as site:
        for page in pages:
            runs = [scores(f"{site}/{page}") for _ in range(RUNS)]
            medians = [round(statistics.median(run[0][k] for run in runs)) for k in range(len(CATEGORIES))]
            costs = sorted(set.intersection(*(run[1] for run in runs)))
            print(f"{page!s:34}" + "".join(f"{score:16}" for score in medians), *costs, flush=True)
            lowest = min(lowest, *medians)
    return int(lowest < LEAST)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
