"""Agent Zero as the tests see it: its folder, its turns, what its store holds. The real one or the stand-in, by a name.

In: the name of a kind, and where the real sources lie. Out: a ``House``, whose every start is a new process.
"""

from __future__ import annotations

import filecmp
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.agent_zero.lay import lay

SOURCE = "AGENT_ZERO_SRC"
PYTHON = "AGENT_ZERO_PYTHON"
STAND_INS = ("stand-in 0.9", "stand-in 1")
REAL = ("0.9.8.2", "1.7")
SKIPPED = shutil.ignore_patterns("webui", "docs", ".git", ".github", "__pycache__")
NOTES = "notes.json"
HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
STARTING_S = 300


@dataclass
class Turn:
    """What one hook did: the prompt's extras, what was logged, embedded and saved meanwhile; the time, and the work."""

    extras: dict[str, str]
    log: list[str]
    printed: str
    embedded: list[str]
    saves: int
    took_ms: float
    busy_ms: float
    error: str

    @property
    def ours(self) -> list[str]:
        """The lines that this project's extensions logged."""
        return [line for line in self.log if "[MEM-" in line]


@dataclass
class Kind:
    """An Agent Zero that has not been started: a pristine folder, one to run in, and the Python for it."""

    name: str
    pristine: Path
    root: Path
    python: str
    process: subprocess.Popen[bytes] | None = None
    socket: str = ""
    path: str = str(REPOSITORY / "src")
    """Where its Python finds this project."""

    @property
    def is_old(self) -> bool:
        return (self.pristine / "python" / "helpers").is_dir()

    @property
    def is_real(self) -> bool:
        return self.name in REAL

    def start(self) -> None:
        """Start the process that the houses are forked from."""
        shutil.copytree(self.pristine, self.root)
        self.socket = str(Path(tempfile.mkdtemp(prefix="a0")) / "s")
        environment = os.environ | {"PYTHONPATH": self.path, "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [self.python, str(HERE / "driver.py"), str(self.root), self.socket],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + STARTING_S
        while not Path(self.socket).exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.name} does not start:\n{(self.process.stdout or sys.stdin).read()!r}")
            time.sleep(0.02)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()
        shutil.rmtree(Path(self.socket).parent, ignore_errors=True)

    def restore(self) -> None:
        """Make the folder what it was: nothing of an earlier test is left, nor a note that it was installed into."""
        (self.root.parent / NOTES).unlink(missing_ok=True)
        for folder in [one for one in self.root.rglob("*") if one.is_dir()]:
            folder.chmod(0o755)
        for path in sorted(self.root.rglob("*"), reverse=True):
            if not (self.pristine / path.relative_to(self.root)).exists():
                path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        for twin in self.pristine.rglob("*"):
            path = self.root / twin.relative_to(self.pristine)
            if twin.is_dir():
                path.mkdir(parents=True, exist_ok=True)
            elif not path.exists() or not filecmp.cmp(path, twin):
                shutil.copy2(twin, path)


@dataclass
class House:
    """One Agent Zero in use."""

    kind: Kind
    _connection: socket.socket | None = field(default=None, repr=False)
    _stream: Any = field(default=None, repr=False)
    _pid: int = 0

    @property
    def root(self) -> Path:
        return self.kind.root

    @property
    def memory(self) -> Path:
        """Where Agent Zero keeps its memory, and we our sidecars."""
        return self.root / "usr" / "memory"

    # --- the process

    def start(self, model: str = "") -> House:
        """Start it; ``model`` is the address of the model that it talks to, where a test lets it talk."""
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(self.kind.socket)
        self._stream = self._connection.makefile("rw", encoding="utf-8")
        self._pid = self.ask("go")["pid"]
        self.ask("begin", model)
        return self

    def stop(self) -> None:
        """Let it end by itself, once what it began is done."""
        if self._connection:
            self.ask("settle")
            self._close()

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        os.kill(self._pid, 9)
        self._close()

    @property
    def is_running(self) -> bool:
        return self._connection is not None

    def restart(self) -> House:
        self.stop()
        return self.start()

    def _close(self) -> None:
        if self._connection:
            self._stream.close()
            self._connection.close()
            self._connection = None

    def ask(self, command: str, given: Any = None) -> Any:
        """Have a command carried out; raises RuntimeError with the other side's traceback."""
        self._stream.write(json.dumps([command, given]) + "\n")
        self._stream.flush()
        reply = json.loads(self._stream.readline())
        if "failed" in reply:
            raise RuntimeError(reply["failed"])
        return reply["reply"]

    # --- what its owner sets

    def set(self, **values: object) -> None:
        """The host's own settings of its recall; before the start."""
        if self.kind.is_old:
            self._merge(self.root / "usr" / "settings.json", values)
        else:
            file = self.root / "usr" / "plugins" / "_memory" / "config.json"
            self._merge(file, (self._defaults() if not file.exists() else {}) | values)

    def talk_to(self, url: str) -> None:
        """Where the newer layout finds its models; the older one is told at the start."""
        if self.kind.is_old:
            return
        chat = {"provider": "openai", "name": "none", "api_base": url, "api_key": "none", "kwargs": {}}
        embedding = {"provider": "huggingface", "name": "sentence-transformers/all-MiniLM-L6-v2", "kwargs": {}}
        models = {"chat_model": chat, "utility_model": chat, "embedding_model": embedding}
        self._merge(self.root / "usr" / "plugins" / "_model_config" / "config.json", models)

    def _defaults(self) -> dict[str, object]:
        """The newer layout's defaults: a file of plain ``key: value`` lines."""
        text = (self.root / "plugins" / "_memory" / "default_config.yaml").read_text(encoding="utf-8")
        if text.startswith("{"):
            held: dict[str, object] = json.loads(text)
            return held
        pairs = [line.split(": ", 1) for line in text.splitlines() if ": " in line]
        return {key: _plain(value.strip()) for key, value in pairs}

    def configure(self, **sections: object) -> None:
        """Sections or keys of classification_config.json, over what stands there."""
        self._merge(self.memory / "classification_config.json", sections)

    def extend(self, hook: str, name: str, body: str) -> None:
        """An extension of somebody else's in the user's folder: what its ``execute`` does, in one line each."""
        helpers, folder = ("python.helpers", "extensions") if self.kind.is_old else ("helpers", "extensions/python")
        file = self.root / "usr" / folder / hook / name
        file.parent.mkdir(parents=True, exist_ok=True)
        memory = "python.helpers.memory" if self.kind.is_old else "plugins._memory.helpers.memory"
        lines = "".join(f"        {line}\n" for line in body.splitlines())
        file.write_text(
            f"from {helpers}.extension import Extension\nfrom {memory} import Memory\n\n\n"
            f"class Theirs(Extension):\n    async def execute(self, loop_data=None, **kwargs):\n{lines}",
            encoding="utf-8",
        )

    def close_memory(self) -> None:
        """Make the memory's folder one that cannot be written, also by root."""
        for path in [self.memory, *self.memory.rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        self.ask("obey_permissions")

    def profile(self, name: str = "default.json", **memory: object) -> None:
        """A model profile with a section on memory."""
        self._merge(self.root / "usr" / "model_profiles" / name, {"memory": memory})

    def _merge(self, path: Path, values: Mapping[str, object]) -> None:
        held = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        for key, value in values.items():
            held[key] = {**held.get(key, {}), **value} if isinstance(value, dict) else value
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(held), encoding="utf-8")

    # --- what happens in it

    def vectors(self, made: Mapping[str, Sequence[float]]) -> None:
        """Give texts the vectors they are to have."""
        self.ask("vectors", {text: list(values) for text, values in made.items()})

    def add(self, text: str, classification: Mapping[str, object] | None = None, **metadata: Any) -> str:
        """Remember a text as the stock writers do, then give its metadata what a classifier or a test gives it."""
        one: str = self.ask("add", [{"text": text, "metadata": {"area": metadata.pop("area", "main")}}])[0]
        if classification:
            metadata["classification"] = dict(classification)
        if metadata:
            self.amend(one, **metadata)
        return one

    def add_many(self, texts: Sequence[str]) -> list[str]:
        found: list[str] = self.ask("add", [{"text": text, "metadata": {"area": "main"}} for text in texts])
        return found

    def amend(self, memory_id: str, **metadata: object) -> None:
        self.ask("amend", {memory_id: metadata})

    def docs(self) -> dict[str, Any]:
        """Text and metadata of every document, by its id."""
        held: dict[str, Any] = self.ask("documents")
        return held

    def lineage(self, memory_id: str) -> dict[str, Any]:
        held: dict[str, Any] = self.docs()[memory_id]["metadata"].get("lineage", {})
        return held

    def validity(self, memory_id: str) -> str:
        return str(self.docs()[memory_id]["metadata"].get("classification", {}).get("validity", ""))

    def turn(self, message: str = "", **how: object) -> Turn:
        """One message up to the request to the model."""
        return Turn(**self.ask("turn", {"message": message, **how}))

    def end(self, settle: bool = True) -> Turn:
        """The end of the monologue."""
        reply = self.ask("end", settle)
        after = reply.pop("saves_after")
        turn = Turn(extras={}, **reply)
        turn.saves = after
        return turn

    def injected(self, turn: Turn) -> list[str]:
        """The ids of the memories in the prompt's block, in its order; knowledge documents are none."""
        block = turn.extras.get("memories", "")
        memories = {key: one for key, one in self.docs().items() if not one["metadata"].get("knowledge_source")}
        places = {key: block.find(one["text"]) for key, one in memories.items()}
        return sorted((key for key, place in places.items() if place >= 0), key=lambda key: places[key])

    def sidecar(self) -> dict[str, Any]:
        """The co-retrieval log as it stands on disk."""
        held: dict[str, Any] = json.loads((self.memory / "co_retrieval_log.json").read_text(encoding="utf-8"))
        return held


def _plain(value: str) -> object:
    try:
        return json.loads(value)
    except ValueError:
        return value


def prepared(name: str, base: Path) -> Kind:
    """A kind laid out below a folder."""
    pristine = base / "pristine"
    if name in STAND_INS:
        lay(name.removeprefix("stand-in "), pristine)
        python = os.environ.get(PYTHON, sys.executable)
    else:
        _sources(name, pristine)
        python = os.environ[PYTHON]
    return Kind(name, pristine, base / "a0", python)


def _sources(version: str, where: Path) -> None:
    """The real sources of a version: from a folder of that name, or by its tag from a repository."""
    given = Path(os.environ[SOURCE])
    if (given / version / "agent.py").is_file():
        shutil.copytree(given / version, where, ignore=SKIPPED)
        return
    where.mkdir(parents=True)
    subprocess.run(["tar", "x", "-C", str(where)], input=_git("archive", f"v{version}"), check=True)
    for name in ("webui", "docs"):
        shutil.rmtree(where / name, ignore_errors=True)


def sources_text(version: str, name: str) -> str:
    """One file of a version's sources; empty where it has none."""
    folder = Path(os.environ[SOURCE]) / version
    if folder.is_dir():
        return (folder / name).read_text(encoding="utf-8") if (folder / name).is_file() else ""
    return _git("show", f"v{version}:{name}").decode()


def _git(*words: str) -> bytes:
    given = os.environ[SOURCE]
    done = subprocess.run(
        ["git", "-C", given, "-c", f"safe.directory={given}", *words], capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(
            f"{SOURCE} names {given}: it must be a clone of Agent Zero with the tags v0.9.8.2 and v1.7, "
            f"or a folder with the folders 0.9.8.2 and 1.7 in it. {done.stderr.decode().strip()}"
        )
    return done.stdout
