"""Two notebooks at a time, in kernels that have torch already (a pytest plugin).

Each notebook pays a kernel start and an import of torch, far more than its
own computing. Here one process imports torch and matplotlib, once, and forks
a kernel for each notebook: its own process, with an empty namespace and
fresh seeds. Where there is no safe fork (macOS, Windows), or with
`--plain-kernels`, nbval starts kernels in the plain way. Either way each
kernel is sent all its cells at once, and the next notebook runs while this
one's outputs are compared. (A notebook that runs ahead and prints more than
some thousand times fails: its messages wait in a queue that has an end.)

The same file is all three parts: the plugin, the process that forks
(`serve`), and the small program that Jupyter starts as if it were the
kernel (`launch`): it asks for a fork, passes interrupts on, and ends with it.
"""

import collections
import json
import os
import select
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

INLINE = "module://matplotlib_inline.backend_inline"


def launch(address, connection_file):
    """Ask the server at `address` for a kernel, and live as long as it does."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(address)
        request = {"file": connection_file, "folder": os.getcwd(), "environment": dict(os.environ)}
        link.sendall(json.dumps(request).encode() + b"\n")
        kernel = int(link.makefile().readline())
        signal.signal(signal.SIGINT, lambda *_: os.kill(kernel, signal.SIGINT))
        while link.recv(1):  # nothing is sent: this returns when the kernel ends
            pass


def serve(door):
    """Import torch and matplotlib, then fork a kernel for each request at `door`, a listening socket's number."""
    os.environ["MPLBACKEND"] = INLINE  # before matplotlib, or figures vanish
    import gc
    import io

    import ipykernel.debugger  # noqa: F401
    import ipykernel.kernelapp  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import torch  # noqa: F401
    from matplotlib.figure import Figure

    figure = Figure()  # the first drawing loads fonts and parsers
    figure.subplots().set_title("$x$")
    figure.savefig(io.BytesIO())
    gc.collect()
    gc.freeze()  # or each fork's first collection would copy all of this

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended kernels leave no trace
    with socket.socket(fileno=int(door)) as door:
        while sys.stdin not in select.select([door, sys.stdin], [], [])[0]:  # closed when pytest ends, however it ends
            link, _ = door.accept()
            request = json.loads(link.makefile().readline())
            if os.fork() == 0:
                door.close()
                become_kernel(link, **request)
            link.close()


def become_kernel(link, file, folder, environment):
    """Turn this fork into the kernel of `file`; ends when its launcher does, or the server."""
    import ctypes
    import random
    import threading

    import numpy
    import torch
    from ipykernel.kernelapp import IPKernelApp

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: with the server, and so with pytest
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    random.seed()
    numpy.random.seed()
    torch.seed()
    link.sendall(f"{os.getpid()}\n".encode())
    threading.Thread(target=lambda: (link.recv(1), os._exit(0)), daemon=True).start()
    sys.argv = ["ipykernel_launcher", "-f", file, "--HistoryManager.enabled=False"]
    IPKernelApp.launch_instance()
    os._exit(0)


class Server:
    """The process that forks kernels, and the kernel that asks it for one."""

    def __init__(self):
        import subprocess
        import tempfile

        self.folder = tempfile.TemporaryDirectory(dir="/tmp")  # TMPDIR may be too long for a socket's path
        self.address = os.path.join(self.folder.name, "door")
        with socket.socket(socket.AF_UNIX) as door:  # open from now on: kernels may ask while torch loads
            door.bind(self.address)
            door.listen()
            self.process = subprocess.Popen(
                [sys.executable, __file__, "serve", str(door.fileno())],
                pass_fds=[door.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def argv(self):
        """The command that stands for a kernel's in its specification."""
        program = [sys.executable, "-I", "-S", __file__, "launch", self.address]
        return [*program, "{connection_file}"]

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.folder.cleanup()


class Ahead:
    """A maker of kernels that has the next notebook run when a kernel is asked for.

    `make` starts a kernel; `notebooks` are the sources of the cells of each,
    in the order in which nbval will ask.
    """

    def __init__(self, make, notebooks):
        self.make, self.notebooks = make, list(notebooks)
        self.pool = ThreadPoolExecutor(1)
        self.coming = None

    def __call__(self, *arguments, **options):
        this = self.coming or self.run(*arguments, **options)
        self.coming = self.run(*arguments, **options) if self.notebooks else None
        return this.result()

    def run(self, *arguments, **options):
        """The promise of a kernel that was sent all cells of the next notebook."""
        sources = self.notebooks.pop(0)
        return self.pool.submit(lambda: send_all(self.make(*arguments, **options), sources))

    def stop(self):
        """End the kernel that nobody asked for."""
        if self.coming and self.coming.exception() is None:  # after Ctrl-C its start may have failed
            self.coming.result().stop()
        self.pool.shutdown()


def send_all(kernel, sources):
    """Send a kernel all its cells; it runs and answers in order, as if nbval had sent each in its turn."""
    sent = [(source, kernel.execute_cell_input(source, allow_stdin=False)) for source in sources]

    def execute_cell_input(source, **_):
        expected, message = sent.pop(0)
        assert source == expected, "cells are asked for in another order than they were sent"
        return message

    kernel.execute_cell_input = execute_cell_input
    return kernel


def pytest_addoption(parser):
    parser.addoption(
        "--plain-kernels",
        action="store_true",
        help="start each notebook's kernel anew (the way of macOS and Windows)",
    )


def pytest_configure(config):
    config.kernel_server = None


def pytest_collect_file(file_path, parent):
    """Start the server at the first notebook: it loads torch while the others are collected."""
    option = parent.config.option
    if file_path.suffix != ".ipynb" or sys.platform != "linux" or option.plain_kernels or option.collectonly:
        return
    if parent.config.kernel_server is None:
        parent.config.kernel_server = Server()
        parent.config.add_cleanup(parent.config.kernel_server.stop)


def pytest_collection_finish(session):
    """Send nbval to the server, and have it ask ahead."""
    from nbval import kernel, plugin

    server = session.config.kernel_server
    if server:
        plain = kernel.NbvalKernelspecManager.get_kernel_spec

        def get_kernel_spec(manager, name):
            specification = plain(manager, name)
            if server.process.poll() is None:
                specification.argv = server.argv()
            return specification

        kernel.NbvalKernelspecManager.get_kernel_spec = get_kernel_spec
    cells = collections.defaultdict(list)
    for item in session.items:
        if isinstance(item, plugin.IPyNbCell):
            cells[item.parent].append(item.cell.source)
    if cells:
        plugin.RunningKernel = Ahead(plugin.RunningKernel, cells.values())
        session.config.add_cleanup(plugin.RunningKernel.stop)


if __name__ == "__main__":
    {"launch": launch, "serve": serve}[sys.argv[1]](*sys.argv[2:])
