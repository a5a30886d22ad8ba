"""The run's embedding model as a service on this machine, in OpenAI's form, for peers that take a model that way.

The address is of the loopback and known to nobody else. The interface has one kind of embedding, so texts and questions
are both embedded as passages; the default model makes no difference between them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

from reverie.ports import Embedder


@contextmanager
def served(embedder: Embedder) -> Iterator[str]:
    """The base address at which the model answers ``POST …/embeddings``, until the context is left."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(embedder))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _handler(embedder: Embedder) -> type[BaseHTTPRequestHandler]:
    lock = Lock()  # models and their cache are not made for several callers at once

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # so that a client may keep its connection
        wbufsize = -1  # head and body leave in one packet
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if not self.path.endswith("/embeddings"):
                self.send_error(404, "There is no language model here.")
                return
            texts = [asked["input"]] if isinstance(asked["input"], str) else list(asked["input"])
            with lock:
                vectors = embedder.embed_passages(texts).tolist()
            data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
            used = {"prompt_tokens": 0, "total_tokens": 0}
            self._reply({"object": "list", "model": asked["model"], "data": data, "usage": used})

        def _reply(self, content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: a line a request would drown the progress."""

    return Handler
