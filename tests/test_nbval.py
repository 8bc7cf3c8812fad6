"""What bookproof/proof.py adds to nbval: names, pictures, a dead or slow kernel, nothing that comes in or stays behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbformat import v4

from bookproof.kernels import Kernels
from bookproof.project import ROOT


def notebook(path, *cells):
    """Write a notebook of cells (source, printed)."""
    code = [
        v4.new_code_cell(source, execution_count=n, outputs=[v4.new_output("stream", text=said)] if said else [])
        for n, (source, said) in enumerate(cells, 1)
    ]
    nbformat.write(v4.new_notebook(cells=code, metadata={"kernelspec": {"name": "foreign", "display_name": ""}}), path)
    return path


def command(*arguments):
    quick = ["-q", "--color=no", "-n0", "-p", "bookproof.proof", "-c", ROOT / "pytest.ini"]
    return [sys.executable, "-m", "pytest", *quick, *arguments]


def run(*arguments, **environment):
    """(status, what pytest says) of notebooks."""
    done = subprocess.run(command(*arguments), cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment})
    return done.returncode, done.stdout


@pytest.mark.parametrize("way", [["-n2"], ["--plain-kernels"]], ids=["forked", "plain"])
def test_every_report_names_the_cell(tmp_path, way):
    path = notebook(tmp_path / "x.ipynb", ("print(1)", "1\n"), ("print(2)", "3\n"), ("1 / 0", ""), ("print(4)", "4\n"))
    status, said = run(*way, path)
    assert status == 1
    assert "2 failed, 2 passed" in said
    for number in (2, 3):
        assert f"::In [{number}] - " in said  # the summary
        assert f"x.ipynb In [{number}]: " in said  # the report
    assert "Cell 1" not in said


def test_a_cell_can_be_chosen_by_its_name(tmp_path):
    path = notebook(tmp_path / "x.ipynb", ("print(1)", "1\n"), ("print(2)", "2\n"))
    status, said = run(f"{path}::In [1]", "--plain-kernels")
    assert status == 0 and "1 passed" in said


@pytest.mark.parametrize("when", ["os._exit(3)", "import threading as t; t.Timer(0.2, os._exit, [3]).start()"])
def test_a_dead_kernel_fails_its_cell_at_once(tmp_path, when):
    path = notebook(tmp_path / "x.ipynb", ("import os", ""), (when, ""), ("import time; time.sleep(900)", ""))
    status, said = run(path, "--plain-kernels", "--nbval-cell-timeout=800")
    assert " failed" in said
    assert "the kernel died in this cell or soon after it" in said or "Kernel dead" in said


def test_after_a_slow_cell_nothing_is_proved(tmp_path):
    path = notebook(tmp_path / "x.ipynb", ("import time; time.sleep(900)", ""), ("print(2)", "2\n"))
    status, said = run(path, "--nbval-cell-timeout=2")
    assert "1 failed" in said and "1 error" in said
    assert "x.ipynb In [2]: not proved, since a cell above it took too long" in said


def test_what_comes_in_from_outside_is_nothing(tmp_path):
    """Start-up files, settings of IPython, Jupyter and matplotlib, the folder, the locale: all planted, none met."""
    home, profile = tmp_path / "home", tmp_path / "home/ipython/profile_default"
    (profile / "startup").mkdir(parents=True)
    (profile / "startup/mine.py").write_text("mine = 1\n")
    (profile / "ipython_config.py").write_text("c.InteractiveShellApp.exec_lines = ['mine = 2']\n")
    (profile / "ipython_kernel_config.py").write_text("c.InlineBackend.figure_formats = ['svg']\n")
    (home / "jupyter").mkdir()
    (home / "jupyter/jupyter_config.py").write_text("c.KernelSpecManager.allowed_kernelspecs = {'mine'}\n")
    (home / "mpl").mkdir()
    (home / "mpl/matplotlibrc").write_text("figure.dpi: 31\n")
    (home / "start.py").write_text("mine = 3\n")
    (home / "mine.py").write_text("")
    (home / "kernels/python3").mkdir(parents=True)
    (home / "kernels/python3/kernel.json").write_text('{"argv": ["false"], "display_name": "", "language": "python"}')
    settings = {
        "IPYTHONDIR": home / "ipython",
        "JUPYTER_CONFIG_DIR": home / "jupyter",
        "JUPYTER_PATH": home,
        "MPLCONFIGDIR": home / "mpl",
        "MATPLOTLIBRC": home / "mpl/matplotlibrc",
        "PYTHONSTARTUP": home / "start.py",
        "PYTHONPATH": home,
        "LC_ALL": "de_DE.UTF-8",
    }
    source = (
        "import importlib.util as i, os, matplotlib as m\n"
        "print('mine' in globals(), i.find_spec('mine'), os.listdir(), m.rcParams['figure.dpi'], f'{0.5:n}')"
    )
    path = notebook(tmp_path / "x.ipynb", (source, "False None [] 100.0 0.5\n"))
    for way in ([], ["--plain-kernels"]):
        status, said = run(path, *way, **{name: str(value) for name, value in settings.items()})
        assert status == 0, said


def test_a_long_temporary_folder(tmp_path):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    status, said = run(notebook(tmp_path / "x.ipynb", ("print(1)", "1\n")), TMPDIR=str(folder))
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
    source = f"import os, pathlib, time; pathlib.Path({str(mark)!r}).write_text(str(os.getpid())); time.sleep(900)"
    path = notebook(tmp_path / "x.ipynb", (source, ""))
    running = subprocess.Popen(command(path, "-n1"), cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
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
