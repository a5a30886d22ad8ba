"""Memory systems of others beside us: the same questions, items and embedding model, each in a process of its own.

Every haystack is a new process and a new store in a folder that goes afterwards; the folder is also the peer's home.
Its telemetry is off, and a proxy that does not exist stands between it and every address but this machine's own.

Peers that take a model so have the run's as a service on this machine, in OpenAI's form. The address is of the loopback
and known to nobody else. The interface has one kind of embedding, so texts and questions are both embedded as passages;
the default model makes no difference between them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread

from benchmarks.metrics import count_words
from benchmarks.peers.job import Answer, Found, Job, Said, answer_from, to_line
from benchmarks.values import Entry, Haystack, Item, Ranking
from reverie.errors import InvalidInput, ReverieError
from reverie.ports import Embedder
from reverie.types import Role

# The run's embedding model as a service on this machine, in OpenAI's form, for peers that take a model that way.


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


# A peer in its process.

ROOT = Path(__file__).resolve().parents[2]
"""Where the process starts, so that it finds ``benchmarks`` and nothing else of ours."""

PYTHON_VARIABLE = "REVERIE_PEERS_PYTHON"
"""Names another interpreter than the one ``make peers`` sets up."""

NOWHERE = "http://127.0.0.1:9"
QUIET = {
    "MEM0_TELEMETRY": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "HTTP_PROXY": NOWHERE,
    "HTTPS_PROXY": NOWHERE,
    "ALL_PROXY": NOWHERE,
    "NO_PROXY": "127.0.0.1",
}
KEPT = ("PATH", "LANG", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class PeerError(ReverieError):
    """A peer ended without an answer."""


class PeerSystem:
    """One peer."""

    def __init__(self, name: str, embedder: Embedder, python: Path | None = None) -> None:
        self.name = name
        self.versions: Mapping[str, str] = {}
        self._embedder = embedder
        self._python = python or interpreter()

    @property
    def version(self) -> str:
        """The releases that the last ranking was made with; empty before it."""
        return ", ".join(f"{package} {release}" for package, release in self.versions.items())

    def rank(self, haystack: Haystack, depth: int) -> list[Ranking]:
        """What the peer recalls for each question, from a store of its own."""
        with served(self._embedder) as endpoint, TemporaryDirectory(prefix=f"reverie-{self.name}-") as folder:
            job = Job(
                peer=self.name,
                folder=folder,
                endpoint=endpoint,
                model=self._embedder.info.name,
                dims=self._embedder.info.dims,
                depth=depth,
                said=tuple(said(item) for item in haystack.items),
                questions=tuple(question.text for question in haystack.questions),
            )
            answer = self._run(job)
        self.versions = answer.versions
        return [ranking(places) for places in answer.rankings]

    def _run(self, job: Job) -> Answer:
        done = subprocess.run(
            [str(self._python), "-m", "benchmarks.peers"],
            input=to_line(job) + "\n",
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            cwd=ROOT,
            env=surroundings(job.folder),
            check=False,
        )
        if done.returncode != 0 or not done.stdout:
            told = done.stderr.strip().splitlines()[-1:] or ["It said nothing."]
            raise PeerError(f"{self.name} failed: {told[0]}", "Run `make peers` anew, or leave it out of --systems.")
        return answer_from(done.stdout)


def interpreter() -> Path:
    """The Python of the peers' environment.

    Raises:
        InvalidInput: there is none.
    """
    if not installed():
        raise InvalidInput("The peers are not installed.", "Run `make peers`, or leave them out of --systems.")
    return _named()


def installed() -> bool:
    """Whether there is an environment with the peers."""
    return _named().exists()


def _named() -> Path:
    told = os.environ.get(PYTHON_VARIABLE)
    return Path(told) if told else Path(sys.prefix) / "peers" / "bin" / "python"


def surroundings(home: str) -> dict[str, str]:
    """The environment of a peer's process: little of ours, a home that goes afterwards, nothing that calls home."""
    kept = {name: value for name in KEPT if (value := os.environ.get(name))}
    return {**kept, **QUIET, "HOME": home, "TMPDIR": home, "MEM0_DIR": str(Path(home) / "mem0")}


def said(item: Item) -> Said:
    """An item as peers take it: they know two roles, and a person is a user."""
    role = "assistant" if item.role is Role.ASSISTANT else "user"
    return Said(item.id, item.session, item.speaker, role, item.at.isoformat(), item.text)


def ranking(places: tuple[Found, ...]) -> Ranking:
    """A peer's places; each costs the words that come back."""
    return tuple(Entry(found.ids, count_words(found.text)) for found in places)
