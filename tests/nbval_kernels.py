"""Start nbval's kernels with torch already imported (a pytest plugin).

Each notebook pays a kernel start and an import of torch, far more than its
own computing. Here one process imports torch and matplotlib, once, and forks
a kernel for each notebook: its own process, with an empty namespace and
fresh seeds. Where there is no safe fork (macOS, Windows), or with
`--plain-kernels`, nbval starts kernels in the plain way.

The same file is all three parts: the plugin, the process that forks
(`serve`), and the small program that Jupyter starts as if it were the
kernel (`launch`): it asks for a fork, passes interrupts on, and ends with it.
"""

import json
import os
import signal
import socket
import sys

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


def serve(address):
    """Import torch and matplotlib, then fork a kernel for each request."""
    os.environ["MPLBACKEND"] = INLINE  # before matplotlib, or figures vanish
    import ipykernel.debugger  # noqa: F401
    import ipykernel.kernelapp  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
    import torch  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended kernels leave no trace
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen()
        print("ready", flush=True)
        while True:
            link, _ = door.accept()
            request = json.loads(link.makefile().readline())
            if os.fork() == 0:
                door.close()
                become_kernel(link, **request)
            link.close()


def become_kernel(link, file, folder, environment):
    """Turn this fork into the kernel of `file`; ends when its launcher does."""
    import random
    import threading

    import numpy
    import torch
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    random.seed()
    numpy.random.seed()
    torch.seed()
    link.sendall(f"{os.getpid()}\n".encode())
    threading.Thread(target=lambda: (link.recv(1), os._exit(0)), daemon=True).start()
    sys.argv = ["ipykernel_launcher", "-f", file]
    IPKernelApp.launch_instance()
    os._exit(0)


class Server:
    """The process that forks kernels, and the kernel that asks it for one."""

    def __init__(self):
        import subprocess
        import tempfile

        self.folder = tempfile.TemporaryDirectory()
        self.address = os.path.join(self.folder.name, "door")
        self.process = subprocess.Popen(
            [sys.executable, __file__, "serve", self.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def argv(self):
        """The command that stands for a kernel's in its specification."""
        program = [sys.executable, "-I", "-S", __file__, "launch", self.address]
        return [*program, "{connection_file}"]

    def wait(self):
        """Wait until the server has torch; False if it ended before."""
        return self.process.stdout.readline() == b"ready\n"

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()


def pytest_addoption(parser):
    parser.addoption(
        "--plain-kernels",
        action="store_true",
        help="start each notebook's kernel anew (the way of macOS and Windows)",
    )


def pytest_collection_finish(session):
    """Start the server if notebooks are to be run, and send nbval to it."""
    from nbval import kernel
    from nbval.plugin import IPyNbCell

    config = session.config
    notebooks = any(isinstance(item, IPyNbCell) for item in session.items)
    if sys.platform != "linux" or config.option.plain_kernels or config.option.collectonly or not notebooks:
        return
    server = Server()
    config.add_cleanup(server.stop)
    if server.wait():
        plain = kernel.NbvalKernelspecManager.get_kernel_spec

        def get_kernel_spec(manager, name):
            specification = plain(manager, name)
            specification.argv = server.argv()
            return specification

        kernel.NbvalKernelspecManager.get_kernel_spec = get_kernel_spec


if __name__ == "__main__":
    {"launch": launch, "serve": serve}[sys.argv[1]](*sys.argv[2:])
