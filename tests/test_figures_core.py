"""The core of the live figures equals torch bit for bit: run Node's own test."""

import shutil
import subprocess

from tests.conftest import ROOT


def test_core_of_the_live_figures():
    node = shutil.which("node")
    assert node, "no node: `make test` installs one"
    command = [node, "--test", "tests/figures/core.test.js"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
