"""What proof.py adds to nbval: names, a dead or slow kernel, nothing that comes in or stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bookproof.kernels import Kernels
from bookproof.notebook import written
from bookproof.project import ROOT


def notebook(folder, *cells):
    """Write the notebook folder/x.ipynb of code cells (source, printed); its path."""
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
    (folder / "x.ipynb").write_text(written(data), encoding="utf-8")
    return folder / "x.ipynb"


def command(*arguments):
    quick = ["-q", "--color=no", "-n0", "-p", "bookproof.proof", "-c", ROOT / "pytest.ini"]
    return [sys.executable, "-m", "pytest", *quick, *arguments]


def run(*arguments, **more):
    """(status, what pytest says) of notebooks, with `more` in the environment."""
    done = subprocess.run(
        command(*arguments), cwd=ROOT, capture_output=True, text=True, env={**os.environ, **more}
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("way", [["-n2"], ["--plain-kernels"]], ids=["forked", "plain"])
def test_every_report_names_the_cell(tmp_path, way):
    cells = ("print(1)", "1\n"), ("print(2)", "3\n"), ("1 / 0", ""), ("print(4)", "4\n")
    path = notebook(tmp_path, *cells)
    status, said = run(*way, path)
    assert status == 1
    assert "2 failed, 2 passed" in said
    for number in (2, 3):
        assert f"::In [{number}] - " in said  # the summary
        assert f"x.ipynb In [{number}]: " in said  # the report
    assert "Cell 1" not in said


def test_a_cell_can_be_chosen_by_its_name(tmp_path):
    path = notebook(tmp_path, ("print(1)", "1\n"), ("print(2)", "2\n"))
    status, said = run(f"{path}::In [1]", "--plain-kernels")
    assert status == 0 and "1 passed" in said


@pytest.mark.parametrize("when", ["os._exit(3)", "Timer(0.2, os._exit, [3]).start()"])
def test_a_dead_kernel_fails_its_cell_at_once(tmp_path, when):
    first, last = "import os; from threading import Timer", "import time; time.sleep(900)"
    path = notebook(tmp_path, (first, ""), (when, ""), (last, ""))
    status, said = run(path, "--plain-kernels", "--nbval-cell-timeout=800")
    assert " failed" in said
    assert "the kernel died in this cell or soon after it" in said or "Kernel dead" in said


def test_after_a_slow_cell_nothing_is_proved(tmp_path):
    path = notebook(tmp_path, ("import time; time.sleep(900)", ""), ("print(2)", "2\n"))
    status, said = run(path, "--nbval-cell-timeout=2")
    assert "2 failed" in said
    assert "x.ipynb In [2]: not proved, since a cell above it took too long" in said


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


@pytest.mark.parametrize("way", [[], ["--plain-kernels"]], ids=["forked", "plain"])
def test_no_settings_of_ones_own_come_in(tmp_path, way):
    home = tmp_path / "home"
    for name, text in MINE.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text + "\n")
    planted = {name: str(home / place) for name, place in WHERE.items()}
    path = notebook(tmp_path, (LOOK, "False None []\n100.0 0.5\n"))
    status, said = run(path, *way, **planted, LC_ALL="de_DE.UTF-8")
    assert status == 0, said


def test_a_long_temporary_folder(tmp_path):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    status, said = run(notebook(tmp_path, ("print(1)", "1\n")), TMPDIR=str(folder))
    assert status == 0, said


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
    path = notebook(tmp_path, (f"{tell}; time.sleep(900)", ""))
    quiet = {"stdout": subprocess.DEVNULL, "start_new_session": True}
    running = subprocess.Popen(command(path, "-n1"), cwd=ROOT, **quiet)
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
