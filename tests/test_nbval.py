"""What tests/nbval_*.py add to nbval: names, a dead or slow kernel, nothing left behind."""

import os
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from tests.conftest import ROOT
from nbformat import v4


def notebook(path, *cells):
    """Write a notebook of cells (source, printed)."""
    code = [
        v4.new_code_cell(source, execution_count=n, outputs=[v4.new_output("stream", text=said)] if said else [])
        for n, (source, said) in enumerate(cells, 1)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(v4.new_notebook(cells=code, metadata={"kernelspec": kernel}), path)
    return path


def command(*arguments):
    return [sys.executable, "-m", "pytest", "-q", "--color=no", "-c", ROOT / "pytest.ini", *arguments]


def run(*arguments, **environment):
    """What pytest says of notebooks; it may take a minute at most."""
    done = subprocess.run(
        command(*arguments), cwd=ROOT, capture_output=True, text=True, timeout=60, env={**os.environ, **environment}
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("kernels", [[], ["--plain-kernels"]], ids=["forked", "plain"])
def test_every_report_names_the_cell(tmp_path, kernels):
    path = notebook(tmp_path / "x.ipynb", ("print(1)", "1\n"), ("print(2)", "3\n"), ("1 / 0", ""), ("print(4)", "4\n"))
    status, said = run(path, *kernels)
    assert status == 1
    assert "2 failed, 2 passed" in said
    for number in (2, 3):
        assert f"::In [{number}] - " in said  # the summary
        assert f"x.ipynb In [{number}]: " in said  # the report
    assert "Cell 1" not in said


def test_a_cell_can_be_chosen_by_its_name(tmp_path):
    path = notebook(tmp_path / "x.ipynb", ("print(1)", "1\n"), ("print(2)", "2\n"))
    status, said = run(f"{path}::In [1]")
    assert status == 0 and "1 passed" in said


def test_a_dead_kernel_fails_its_cell_at_once(tmp_path):
    die = "import os, time; time.sleep(1); os._exit(3)"
    status, said = run(notebook(tmp_path / "x.ipynb", ("print(1)", "1\n"), (die, ""), ("print(3)", "3\n")))
    assert "2 failed, 1 passed" in said
    assert "the kernel died in this cell or soon after it" in said


def test_after_a_slow_cell_nothing_is_proved(tmp_path):
    path = notebook(tmp_path / "x.ipynb", ("import time; time.sleep(50)", ""), ("print(2)", "2\n"))
    status, said = run(path, "--nbval-cell-timeout", "2")
    assert "2 failed" in said
    assert "x.ipynb In [2]: not proved, since Previous cell timed out" in said


def test_a_long_temporary_folder(tmp_path):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    status, said = run(notebook(tmp_path / "x.ipynb", ("print(1)", "1\n")), TMPDIR=str(folder))
    assert status == 0, said


@pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux alone")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda end: end.name)
def test_no_kernel_outlives_pytest(tmp_path, end):
    mark = tmp_path / "kernel"
    source = f"import os, pathlib, time; pathlib.Path({str(mark)!r}).write_text(str(os.getpid())); time.sleep(50)"
    path = notebook(tmp_path / "x.ipynb", (source, ""))
    running = subprocess.Popen(command(path), cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)
    wait_until(lambda: mark.exists() and mark.read_text())
    running.send_signal(end)
    running.wait(timeout=30)
    wait_until(lambda: not os.path.exists(f"/proc/{mark.read_text()}"))


def wait_until(true, patience=30):
    """Return once `true()` holds; fail after `patience` seconds."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
