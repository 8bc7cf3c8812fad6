"""What proof.py adds to nbval: names, a dead or slow kernel, nothing that comes in or stays behind."""

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from bookproof.kernels import Kernels
from bookproof.notebook import written
from bookproof.project import ROOT


def notebook(path, *cells):
    """Write a notebook of code cells (source, printed); its path."""
    code = [
        {
            "cell_type": "code",
            "id": f"x{count}",
            "source": source,
            "metadata": {},
            "execution_count": count,
            "outputs": [{"output_type": "stream", "name": "stdout", "text": said}] if said else [],
        }
        for count, (source, said) in enumerate(cells, 1)
    ]
    foreign = {"kernelspec": {"name": "foreign", "display_name": ""}}
    data = {"cells": code, "metadata": foreign, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(written(data), encoding="utf-8")
    return path


def command(*arguments):
    quick = ["-q", "--color=no", "-n0", "-p", "bookproof.proof", "-c", ROOT / "pytest.ini"]
    return [sys.executable, "-m", "pytest", *quick, *arguments]


def run(*arguments, **more):
    """What pytest says of notebooks, with `more` in the environment."""
    environment = {**os.environ, **more}
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, env=environment)
    return done.stdout


MINE = {  # settings of someone's own, as they are planted
    "ipython/profile_default/startup/mine.py": "mine = 1",
    "ipython/profile_default/ipython_config.py": "c.InteractiveShellApp.exec_lines = ['mine = 2']",
    "ipython/profile_default/ipython_kernel_config.py": "c.InlineBackend.figure_formats = ['svg']",
    "jupyter/jupyter_config.py": "c.KernelSpecManager.allowed_kernelspecs = {'mine'}",
    "kernels/python3/kernel.json": '{"argv": ["false"], "display_name": "", "language": "python"}',
    "mpl/matplotlibrc": "figure.dpi: 31",
    "start.py": "mine = 3",
    "mine.py": "",
}
WHERE = {
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "jupyter",
    "JUPYTER_PATH": ".",
    "MATPLOTLIBRC": "mpl/matplotlibrc",
    "MPLCONFIGDIR": "mpl",
    "PYTHONPATH": ".",
    "PYTHONSTARTUP": "start.py",
}
LOOK = """import importlib.util, os, matplotlib
print("mine" in globals(), importlib.util.find_spec("mine"), os.listdir())
print(matplotlib.rcParams["figure.dpi"], f"{0.5:n}")"""
TAKE = """import socket
from jupyter_client import KernelManager
write, taken = KernelManager.write_connection_file, []

def take(kernel, **more):
    write(kernel, **more)
    if not taken:
        taken.append(socket.create_server((kernel.ip, kernel.shell_port)))

KernelManager.write_connection_file = take
"""
THREADS, SLEEP = ("import os; from threading import Timer", ""), ("import time; time.sleep(900)", "")


@pytest.mark.parametrize("way", ["-n2", "--plain-kernels"])
def test_a_folder_of_notebooks(tmp_path, way):
    """Names; kernels that die; no settings of one's own, in a long temporary folder; a port that is taken."""
    home, books = tmp_path / "home", tmp_path / ("long" * 30)
    books.mkdir()
    for name, text in MINE.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text + "\n")
    planted = {name: str(home / place) for name, place in WHERE.items()}
    (books / "conftest.py").write_text(TAKE)  # a port of the first kernel goes to another
    notebook(books / "dead.ipynb", THREADS, ("os._exit(3)", ""), SLEEP)
    notebook(books / "dying.ipynb", THREADS, ("Timer(0.2, os._exit, [3]).start()", ""), SLEEP)
    notebook(books / "mine.ipynb", (LOOK, "False None []\n100.0 0.5\n"))
    notebook(books / "x.ipynb", ("print(1)", "1\n"), ("print(2)", "3\n"), ("1 / 0", ""), ("print(4)", "4\n"))
    said = run(way, "-rA", books, **planted, LC_ALL="de_DE.UTF-8", TMPDIR=str(books))
    for cell in ("dead.ipynb::In [1]", "mine.ipynb::In [1]", "x.ipynb::In [1]", "x.ipynb::In [4]"):
        assert f"{cell}\n" in said.partition("short test summary info")[2], said
    for number in (2, 3):
        assert f"x.ipynb::In [{number}] - " in said  # the summary
        assert f"x.ipynb In [{number}]: " in said  # the report
    for name in ("dead", "dying"):
        assert re.search(rf"{name}\.ipynb In \[[23]\]: (the kernel died in|Kernel dead)", said), said
    assert "Cell 1" not in said and "taken" not in said


def test_a_cell_can_be_chosen_by_its_name(tmp_path):
    path = notebook(tmp_path / "x.ipynb", ("print(1)", "1\n"), ("print(2)", "2\n"))
    assert "1 passed" in run(f"{path}::In [1]", "--plain-kernels")


def test_after_a_slow_cell_nothing_is_proved(tmp_path):
    path = notebook(tmp_path / "x.ipynb", SLEEP, ("print(2)", "2\n"))
    said = run(path, "--plain-kernels", "--nbval-cell-timeout=2")
    assert "2 failed" in said
    assert "x.ipynb In [2]: not proved, since a cell above it took too long" in said


def test_the_door_is_closed_behind():
    before = dict(os.environ)
    with Kernels(plain=True):
        folder = Path(os.environ["JUPYTER_PATH"])
        assert (folder / "kernels/python3/kernel.json").exists()
    assert os.environ == before and not folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux alone")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda end: end.name)
def test_no_kernel_outlives_pytest(tmp_path, end):
    mark = tmp_path / "kernel"
    tell = f"import os, pathlib, time; pathlib.Path({str(mark)!r}).write_text(str(os.getpid()))"
    path = notebook(tmp_path / "x.ipynb", (f"{tell}; time.sleep(900)", ""))
    quiet = {"stdout": subprocess.DEVNULL, "start_new_session": True}
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)  # a shell's `&` ignores it
    running = subprocess.Popen(command(path, "-n1"), cwd=ROOT, preexec_fn=heard, **quiet)
    wait_until(lambda: mark.exists() and mark.read_text())
    running.send_signal(end)
    wait_until(lambda: running.poll() is not None)
    wait_until(lambda: not os.path.exists(f"/proc/{mark.read_text()}"))


def wait_until(true, patience=300):
    """Return once `true()` holds; fail after `patience` seconds."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
