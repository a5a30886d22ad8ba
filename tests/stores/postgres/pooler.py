"""A pooler that hands on connections between transactions, as simple as one can be: for tests, on a unix socket."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread

_SSL, _GSS = 80877103, 80877104
_READY, _ASKS = b"Z", (b"Q", b"S")
_PORT = ".s.PGSQL.5432"


def _exactly(side: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        more = side.recv(count - len(found))
        if not more:
            raise ConnectionError
        found += more
    return found


def _message(side: socket.socket) -> bytes:
    head = _exactly(side, 5)
    return head + _exactly(side, struct.unpack("!I", head[1:])[0] - 4)


class Pooler:
    """Gives each client a server process for one transaction, the one given back last first."""

    def __init__(self, server: Path, folder: Path) -> None:
        self._server, self._idle, self._lock = server, list[tuple[socket.socket, bytes]](), Lock()
        self._open: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / _PORT))
        self._listener.listen()
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End it, and every connection through it."""
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _take(self, hello: bytes) -> tuple[socket.socket, bytes]:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(self._server / _PORT))
        self._open.append(server)
        server.sendall(hello)
        told = b""
        while not told.endswith(b"I") or told[-6:-5] != _READY:
            told += _message(server)
        return server, told

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError, ConnectionError):
            hello = self._hello(client)
            server, told = self._take(hello)
            client.sendall(told)
            self._idle.append((server, told))
            while True:
                asked = _message(client)
                if asked[:1] == b"X":
                    return
                server, told = self._take(hello)
                status = b"T"
                while status != b"I":
                    while asked[:1] not in _ASKS:
                        server.sendall(asked)
                        asked = _message(client)
                    server.sendall(asked)
                    while (answer := _message(server))[:1] != _READY:
                        client.sendall(answer)
                    status = answer[5:6]
                    if status == b"I":  # before the client knows, so that the next one gets it
                        with self._lock:
                            self._idle.append((server, told))
                    client.sendall(answer)
                    asked = b"" if status == b"I" else _message(client)

    def _hello(self, client: socket.socket) -> bytes:
        while True:
            size = _exactly(client, 4)
            rest = _exactly(client, struct.unpack("!I", size)[0] - 4)
            if struct.unpack("!I", rest[:4])[0] not in (_SSL, _GSS):
                return size + rest
            client.sendall(b"N")


@contextmanager
def pooling(server: Path, folder: Path) -> Iterator[str]:
    """Run one before the server whose socket lies in a folder; yields the folder of its own socket."""
    pooler = Pooler(server, folder)
    try:
        yield str(folder)
    finally:
        pooler.close()
