"""Kernels that have torch already, by Jupyter's own door: a kernelspec named python3.

Each notebook pays a kernel's start and an import of torch, far more than its
own computing. Where a fork is safe (Linux), one process imports torch and
matplotlib, once, and forks a kernel for each notebook: its own process, with
an empty namespace and fresh seeds. Elsewhere, or where `plain` asks for it,
kernels start anew. Either way a kernel begins in an empty folder, and no
one's own settings come in: IPython's, matplotlib's, Jupyter's, the locale.

This file is all parts: the door (`Kernels`), the process that forks
(`serve`), and the program that Jupyter starts as the kernel (`launch`,
`plain`): it asks for a fork, passes interrupts on, and ends with it.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

FORKS = sys.platform == "linux"
INLINE = "module://matplotlib_inline.backend_inline"
EMPTY_FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
LEFT_OUT = ("JUPYTER_CONFIG_PATH", "MATPLOTLIBRC", "MPLBACKEND", "PYTHONSTARTUP", "PYTHONPATH")
HERE = str(Path(__file__).resolve())


class Kernels:
    """A context in which this process and its children get our kernel for the name python3.

    plain: start each kernel anew. Changes os.environ while it lasts.
    """

    def __init__(self, plain=False):
        self.plain = plain or not FORKS

    def __enter__(self):
        self.before, self.stack = dict(os.environ), ExitStack()
        # in /tmp, as TMPDIR may be too long for a socket's path
        place = tempfile.TemporaryDirectory(dir="/tmp" if FORKS else None, ignore_cleanup_errors=True)
        folder = Path(self.stack.enter_context(place))
        for name in EMPTY_FOLDERS:
            os.environ[name] = str(folder / name)
            (folder / name).mkdir()
        for name in LEFT_OUT:
            os.environ.pop(name, None)
        os.environ |= {"JUPYTER_PATH": str(folder), "LC_ALL": "C.UTF-8", "LANGUAGE": "", "MPLBACKEND": INLINE}
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # a thread that waits leaves its core to others
        way = "plain" if self.plain else "launch"
        argv = [sys.executable, "-I", HERE, way, str(folder / "door"), "{connection_file}"]
        if not self.plain:
            argv.insert(2, "-S")  # the launcher needs no packages
            self.serve(folder / "door")
        specification = folder / "kernels" / "python3" / "kernel.json"
        specification.parent.mkdir(parents=True)
        kernel = {"argv": argv, "display_name": "Python 3", "language": "python"}
        specification.write_text(json.dumps(kernel), encoding="utf-8")
        return self

    def serve(self, door):
        """Start the process that forks; it loads torch while this one goes on."""
        listening = self.stack.enter_context(socket.socket(socket.AF_UNIX))
        listening.bind(str(door))  # open from now on: kernels may ask while torch loads
        listening.listen()
        server = subprocess.Popen(
            [sys.executable, "-I", HERE, "serve", str(listening.fileno())],
            pass_fds=[listening.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.stack.callback(server.stdin.close)
        self.stack.callback(server.wait)
        self.stack.callback(server.kill)

    def __exit__(self, *_):
        self.stack.close()
        os.environ.clear()
        os.environ.update(self.before)


def empty_folder(door):
    """A new folder for a kernel; beside the door, since a kernel that is killed removes nothing."""
    return tempfile.mkdtemp(dir=os.path.dirname(door))


def launch(door, *arguments):
    """Ask the server at `door` for a kernel, and live as long as it does."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(door)
        request = {"arguments": arguments, "folder": empty_folder(door), "environment": dict(os.environ)}
        link.sendall(json.dumps(request).encode() + b"\n")
        kernel = int(link.makefile().readline())
        signal.signal(signal.SIGINT, lambda *_: os.kill(kernel, signal.SIGINT))
        while link.recv(1):  # nothing is sent: this returns when the kernel ends
            pass


def plain(door, *arguments):
    """Be the kernel."""
    os.chdir(empty_folder(door))
    start(arguments)


def start(arguments):
    """Run ipykernel until it is told to end. arguments: what Jupyter gives it, its connection file first."""
    from ipykernel.kernelapp import IPKernelApp

    sys.path[:0] = [""]  # as in every notebook
    sys.argv = ["ipykernel_launcher", "-f", *arguments, "--HistoryManager.enabled=False", "--log-level=ERROR"]
    IPKernelApp.launch_instance()


def serve(door):
    """Import torch and matplotlib, then fork a kernel for each request at `door`, a socket's number."""
    import gc
    import io

    import ipykernel.debugger  # noqa: F401
    import ipykernel.kernelapp  # noqa: F401
    import IPython.core.debugger  # noqa: F401
    import IPython.extensions.storemagic  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import numpy.random  # noqa: F401
    import torch  # noqa: F401
    from matplotlib.figure import Figure

    figure = Figure()  # the first drawing loads fonts and parsers
    figure.subplots().set_title("$x$")
    figure.savefig(io.BytesIO())
    gc.collect()
    gc.freeze()  # or each fork's first collection would copy all of this

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended kernels leave no trace
    with socket.socket(fileno=int(door)) as door:
        while sys.stdin not in select.select([door, sys.stdin], [], [])[0]:  # closed when its maker ends
            link, _ = door.accept()
            request = json.loads(link.makefile().readline())
            if os.fork() == 0:
                door.close()
                become_kernel(link, **request)
            link.close()


def become_kernel(link, arguments, folder, environment):
    """Turn this fork into a kernel; ends when its launcher does, or the server."""
    import ctypes
    import random
    import threading

    import numpy
    import torch

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: ends with the server
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    random.seed()
    numpy.random.seed()
    torch.seed()
    link.sendall(f"{os.getpid()}\n".encode())
    threading.Thread(target=lambda: (link.recv(1), os._exit(0)), daemon=True).start()
    start(arguments)
    os._exit(0)


if __name__ == "__main__":
    {"launch": launch, "plain": plain, "serve": serve}[sys.argv[1]](*sys.argv[2:])
