"""A local server of the built site, with compression as on the web.

    python -m bookproof.serving FOLDER     prints its address and serves until stopped
"""

import gzip
import sys
import threading
from contextlib import contextmanager
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TEXT = {".html", ".css", ".js", ".svg", ".xml", ".txt", ".ipynb", ".json"}


@cache
def compressed(path, changed):
    """The bytes of a file, compressed as a web server does (level 6)."""
    return gzip.compress(Path(path).read_bytes(), 6)


class Handler(SimpleHTTPRequestHandler):
    """Serve files, text compressed, to be kept ten minutes, without a line on the terminal."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        asked = "gzip" in self.headers.get("Accept-Encoding", "")
        if not asked or path.suffix not in TEXT or not path.is_file():
            return super().do_GET()
        body = compressed(path, path.stat().st_mtime_ns)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(ThreadingHTTPServer):
    """A server that does not speak of a browser that has gone elsewhere."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving(folder):
    """The address of a server of `folder`, while the context lasts."""

    def handler(*arguments):
        return Handler(*arguments, directory=folder)

    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


if __name__ == "__main__":
    with serving(sys.argv[1]) as address:
        print(address, flush=True)
        threading.Event().wait()
