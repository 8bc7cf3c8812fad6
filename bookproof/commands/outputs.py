"""Run notebooks and store their outputs in one normal form.

    python _tools/outputs.py [NOTEBOOK ...]      (default: all of chapters/)

Normal form: execution counts 1..n, cell ids that stay, metadata without
times, paths or versions, one stream output where the kernel sent several.
So a diff shows only what changed, and a second run changes nothing. A
notebook whose cell fails is left as it was, and the exit status is 1.
"""

import os
import re
import sys
import tempfile
from hashlib import sha1
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from bookproof.project import CHAPTERS
METADATA = {
    "kernelspec": {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
SECONDS_PER_CELL = 120


def run(notebook):
    """Execute every code cell of `notebook`, in place, in an empty folder."""
    with tempfile.TemporaryDirectory() as empty:
        NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": empty}},
            extra_arguments=["--log-level=ERROR"],  # of the kernel, which warns of each start
        ).execute()


def normalise(notebook):
    """Put ids, counts and metadata of `notebook` into the normal form."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen, count = set(), 0
    for cell in notebook.cells:
        if cell.get("id") in seen or not re.fullmatch(r"[\w-]{1,64}", cell.get("id", "")):
            cell["id"] = sha1(f"{len(seen)}{cell.source}".encode()).hexdigest()[:8]
        seen.add(cell["id"])
        cell.metadata.pop("execution", None)
        cell.metadata.pop("collapsed", None)
        cell.pop("attachments", None) if not cell.get("attachments") else None
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = count


def fault(path, notebook, error):
    """One line that says which cell of `path` failed, and how."""
    done = [c for c in notebook.cells if c.cell_type == "code"]
    number = next(
        (n for n, c in enumerate(done, 1) if any(o.output_type == "error" for o in c.outputs)),
        sum(c.execution_count is not None for c in done),
    )
    if isinstance(error, CellExecutionError):
        reason = f"{error.ename}: {error.evalue}".splitlines()[0]
    else:
        reason = str(error).strip().splitlines()[0]
    return f"{path.name} In [{number}]: {reason} (file left as it was)"


def store(path):
    """Re-run `path` and replace it whole; return None, or what went wrong."""
    try:
        notebook = nbformat.read(path, as_version=4)
    except FileNotFoundError:
        return f"{path}: no such file"
    except Exception as error:
        return f"{path.name}: not a notebook: {str(error).splitlines()[0]}"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    try:
        run(notebook)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return fault(path, notebook, error)
    normalise(notebook)
    scratch = path.with_suffix(".tmp")
    scratch.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    os.replace(scratch, path)
    return None


def main(names):
    failed = False
    for path in map(Path, names) if names else sorted(CHAPTERS.glob("*.ipynb")):
        problem = store(path)
        print(problem or f"{path.name}: stored", file=sys.stderr if problem else sys.stdout)
        failed = failed or bool(problem)
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("outputs: interrupted; the notebook that ran was left as it was")
