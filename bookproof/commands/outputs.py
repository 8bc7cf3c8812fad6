"""Run notebooks and store their outputs in normal form (bookproof/notebook.py says what that is).

    python -m bookproof.commands.outputs [NOTEBOOK ...]      (default: all that _toc.yml names)

A diff shows only what changed, and a second run changes nothing. Two
notebooks run at a time, in kernels that have torch already. A notebook whose
cell fails is left as it was, and the exit status is 1.
"""

import asyncio
import os
import sys
from itertools import takewhile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from bookproof import project, verdicts
from bookproof.kernels import Kernels
from bookproof.notebook import NotANotebook, Notebook, normal, written

SECONDS_PER_CELL = 300
AT_A_TIME = 2
FAILURES = (CellExecutionError, CellTimeoutError, DeadKernelError, RuntimeError)


async def run(path, taken, turn):
    """Re-run the notebook at `path` and replace it whole; the finding, or None.

    taken: the ids of the cells of earlier pages; turn: a semaphore.
    """
    notebook, started = Notebook(path), [path.name]
    data = nbformat.reads(written(normal(notebook, taken)), as_version=4)
    for cell in data.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    options = {"kernel_name": "python3", "record_timing": False, "coalesce_streams": True}
    options["on_cell_start"] = lambda cell, cell_index: started.append(notebook.cells[cell_index].name)
    async with turn:
        try:
            await NotebookClient(data, timeout=SECONDS_PER_CELL, **options).async_execute()
        except FAILURES as error:
            told = f"{error.ename}: {error.evalue}" if isinstance(error, CellExecutionError) else str(error)
            return f"{started[-1]}: {told.strip().splitlines()[0]} (file left as it was)"
    scratch = path.with_suffix(".tmp")
    scratch.write_text(written(normal(Notebook(path, data), taken)), encoding="utf-8")
    os.replace(scratch, path)
    print(f"{path.name}: stored", flush=True)


def earlier(path):
    """The ids of the cells of the pages before `path`."""
    before = takewhile(lambda other: other != path, project.notebooks())
    return [name for other in before for name in Notebook(other).ids]


async def run_all(paths):
    """The findings on all notebooks, those without one left out."""
    turn, taken = asyncio.Semaphore(AT_A_TIME), [earlier(path) for path in paths]
    found = await asyncio.gather(*(run(*each, turn) for each in zip(paths, taken)))
    return [line for line in found if line]


def main(names):
    paths = [Path(name).resolve() for name in names] or project.notebooks()
    with Kernels():
        found = asyncio.run(run_all(paths))
    if not found:
        for path in paths:
            verdicts.store(path)
    return "\n".join(found) or None


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except NotANotebook as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("outputs: interrupted; the notebooks that ran were left as they were")
