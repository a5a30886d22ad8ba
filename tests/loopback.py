"""A server on this machine for as long as a test needs it: in, the server; out, the same, answering."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Thread
from typing import TypeVar

Server = TypeVar("Server", bound=ThreadingHTTPServer)
ANY_PORT = ("127.0.0.1", 0)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """It answers until the block ends."""
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
