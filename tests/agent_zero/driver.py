"""Runs inside Agent Zero's own Python, in its own folder: drives the real program or its stand-in, one command a line.

In: a folder that holds Agent Zero, and a socket to listen at. Out: for every connection a process of its own, so that
each test gets a program that has just started; JSON lines, a reply for each command. No model, no network.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import io
import json
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Coroutine
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(sys.argv[1])
OLD = (ROOT / "python" / "helpers").is_dir()
HELPERS = "python.helpers" if OLD else "helpers"
MEMORY = "python.helpers.memory" if OLD else "plugins._memory.helpers.memory"
HOOK = "message_loop_prompts_after"

os.chdir(ROOT)
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from embedder import BROKEN, DELAYS, MADE, SEEN, install  # noqa: E402  # beside this file, which is no package here


class Program:
    """One agent in one process."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.saves = 0
        self.agent: Any = None
        self.loop_data: Any = None
        self.memory = import_module(MEMORY).Memory
        self._watch()

    def _watch(self) -> None:
        """Count what is saved, and let saving and searching be broken on demand."""
        store = import_module(MEMORY).MyFaiss
        for name in ("save_local", "get_all_docs"):
            setattr(store, name, self._watched(getattr(store, name), name))

    def _watched(self, method: Any, name: str) -> Any:
        def instead(*given: Any, **named: Any) -> Any:
            if name in BROKEN:
                raise RuntimeError(f"{name} is broken on purpose")
            self.saves += name == "save_local"
            return method(*given, **named)

        return instead

    def begin(self, url: str) -> dict[str, Any]:
        """Make the context with its first agent, as the program does at its start; its model answers at the address."""
        module = import_module("agent")
        if url:  # a whole monologue is run as in the program's container, where it asks nobody else for its files
            import_module(f"{HELPERS}.runtime").args["dockerized"] = True
        config = old_config(url) if OLD else module.AgentConfig(mcp_servers="")
        self.agent = module.AgentContext(config=config).agent0
        return {}

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.loop.run_until_complete(work)

    def store(self) -> Any:
        return self.run(self.memory.get(self.agent))

    def add(self, documents: list[dict[str, Any]]) -> list[str]:
        """As the stock writers do; then what a test wants otherwise in the metadata is set and saved."""
        memory = self.store()
        document = type_of_document()
        made = [document(page_content=one["text"], metadata=dict(one.get("metadata", {}))) for one in documents]
        ids: list[str] = self.run(memory.insert_documents(made))
        return ids

    def amend(self, changes: dict[str, dict[str, Any]]) -> dict[str, Any]:
        memory = self.store()
        for one, metadata in changes.items():
            memory.db.get_all_docs()[one].metadata.update(metadata)
        memory._save_db()
        self.saves = 0
        return {}

    def documents(self) -> dict[str, Any]:
        held = self.store().db.get_all_docs()
        return {key: {"text": one.page_content, "metadata": one.metadata} for key, one in held.items()}

    def turn(self, how: dict[str, Any]) -> dict[str, Any]:
        """What happens between a message and the request to the model: the one hook, with all its extensions."""
        module = import_module("agent")
        if "content" in how:  # a message of another form, or none
            message = self.agent.history.add_message(False, how["content"]) if how["content"] is not None else None
        else:
            self.agent.hist_add_user_message(module.UserMessage(message=how["message"]))
            message = self.agent.last_user_message
        if how.get("iteration", 0) == 0 or self.loop_data is None:
            self.loop_data = module.LoopData(user_message=message)
        self.loop_data.iteration = how.get("iteration", 0)
        if (domain := how.get("domain")) is not None:
            self.agent._bst_store = {"__bst_belief_state__": {"domain": domain}}
        if (domain := how.get("domain_in_extras")) is not None:
            self.loop_data.extras_persistent["_bst_domain"] = domain
        reply = self._observed(self._called(HOOK))
        extras = {**self.loop_data.extras_persistent, **self.loop_data.extras_temporary}
        self.loop_data.extras_temporary.clear()
        return reply | {"extras": {key: str(value) for key, value in extras.items()}}

    def end(self, settle: bool) -> dict[str, Any]:
        """The end of a monologue; with ``settle`` also whatever it left running."""
        if self.loop_data is None:
            self.loop_data = import_module("agent").LoopData()
        reply = self._observed(self._called("monologue_end"))
        if settle:
            self.settle()
        return reply | {"saves_after": self.saves}

    def monologue(self, message: str) -> str:
        """The whole of it, as the web interface asks for it: in the program's own thread, to the answer."""
        said = import_module("agent").UserMessage(message=message)
        answer: str = self.agent.context.communicate(said).result_sync(timeout=60)
        return answer

    def _called(self, hook: str) -> Coroutine[Any, Any, Any]:
        extension = import_module(f"{HELPERS}.extension")
        call = extension.call_extensions if OLD else extension.call_extensions_async
        work: Coroutine[Any, Any, Any] = call(hook, agent=self.agent, loop_data=self.loop_data)
        return work

    def _observed(self, work: Coroutine[Any, Any, Any]) -> dict[str, Any]:
        logs = self.agent.context.log.logs
        before, self.saves, error = len(logs), 0, ""
        SEEN.clear()
        printed = io.StringIO()
        start, busy = time.perf_counter(), time.process_time()
        try:
            with contextlib.redirect_stdout(printed):
                self.run(work)
        except BaseException:  # noqa: BLE001  # whatever it is, it is what the test asks for
            error = traceback.format_exc()
        took, busy = time.perf_counter() - start, time.process_time() - busy
        return {
            "took_ms": took * 1000,
            "busy_ms": busy * 1000,
            "error": error,
            "printed": printed.getvalue(),
            "saves": self.saves,
            "embedded": list(SEEN),
            "log": [line_of(item) for item in logs[before:]],
        }

    def log(self) -> list[str]:
        """Every line of the log so far."""
        return [line_of(item) for item in self.agent.context.log.logs]

    def settle(self) -> None:
        """Let everything end that an extension left running.

        First what ends by itself, as it would behind an answer; then what still waits for a monologue's end.
        """
        deadline = time.monotonic() + 60
        while working := [one for one in asyncio.all_tasks(self.loop) if not _waits(one)]:
            if time.monotonic() > deadline:
                raise TimeoutError(f"something an extension started does not end: {working}")
            self.run(asyncio.wait(working, timeout=10))
        if face := sys.modules.get("reverie.faces.agent_zero"):
            self.run(face.settled())

    # --- what a test does to it

    def go(self) -> dict[str, Any]:
        return {"pid": os.getpid()}

    def vectors(self, made: dict[str, list[float]]) -> None:
        MADE.update(made)

    def slow(self, delays: dict[str, float]) -> None:
        DELAYS.update(delays)

    def zone(self, name: str) -> None:
        os.environ["TZ"] = name
        time.tzset()

    def fail(self, names: list[str]) -> None:
        """From now on, these raise and no others."""
        BROKEN.clear()
        BROKEN.update(names)

    def sabotage(self, path: str) -> None:
        """Put a function that raises in the place of this one."""
        module, name = path.rsplit(".", 1)
        setattr(import_module(module), name, _raise)

    def hide(self, package: str) -> None:
        """Make a package one that is not installed."""
        for name in [one for one in sys.modules if one.split(".")[0] == package]:
            del sys.modules[name]
        sys.modules[package] = None  # type: ignore[assignment]  # what an import takes for a refusal

    def obey_permissions(self) -> None:
        """Give up root's right to write where the permissions say no; its other rights stay."""
        version, of_this_process, write_anywhere = 0x20080522, 0, 1 << 1
        held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: the lower halves first
        header = (ctypes.c_uint32 * 2)(version, of_this_process)
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.capget(header, held) == 0:
            held[0] &= ~write_anywhere
            libc.capset(header, held)


def old_config(url: str) -> Any:
    """The older layout keeps its models in the agent's configuration."""
    models, module = import_module("models"), import_module("agent")
    name = "sentence-transformers/all-MiniLM-L6-v2"
    embeddings = models.ModelConfig(type=models.ModelType.EMBEDDING, provider="huggingface", name=name)
    chat = models.ModelConfig(
        type=models.ModelType.CHAT, provider="openai", name="none", api_base=url, kwargs={"api_key": "none"}
    )
    given = {"chat_model": chat, "utility_model": chat, "browser_model": chat, "embeddings_model": embeddings}
    return module.AgentConfig(mcp_servers="", knowledge_subdirs=[], **given)


def type_of_document() -> Any:
    """The documents of the store: the framework's where it is the real one."""
    module = "helpers.vectors" if not OLD else "python.helpers.vectors"
    try:
        return import_module(module).Document
    except ModuleNotFoundError:
        return import_module("langchain_core.documents").Document


def line_of(item: Any) -> str:
    return " ".join(str(part) for part in (item.type, item.heading, item.content, dict(item.kvps or {})) if part)


def _waits(task: asyncio.Task[Any]) -> bool:
    """Whether a task is the one that saves the store when a monologue ends, and waits for that."""
    return getattr(task.get_coro(), "__name__", "") == "_keep"


def _raise(*_: Any, **__: Any) -> Any:
    raise RuntimeError("broken on purpose: a fault in the extension itself")


def serve(connection: socket.socket) -> None:
    """One process's life: commands until the other side closes."""
    program = Program()
    with connection.makefile("rw", encoding="utf-8") as stream:
        for line in stream:
            command, given = json.loads(line)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    reply = {"reply": getattr(program, command)(*([] if given is None else [given]))}
            except Exception:  # noqa: BLE001  # told to the other side, which raises it
                reply = {"failed": traceback.format_exc()}
            stream.write(json.dumps(reply, default=str) + "\n")
            stream.flush()


def needed() -> list[str]:
    """What a process imports in its first turn: found out in one of its own, which leaves nothing behind but files."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        before = set(sys.modules)
        with contextlib.redirect_stdout(io.StringIO()):
            program = Program()
            program.begin("")
            program.add([{"text": "anything"}])
            program.turn({"message": "anything"})
            for name in ("injecting", "tending"):
                import_module(f"reverie.faces.agent_zero.{name}")
        os.write(writing, "\n".join(name for name in sys.modules if name not in before).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        return stream.read().splitlines()


def main() -> None:
    """Import what takes long once, then fork for each connection."""
    install()
    import_module("agent")
    import_module(MEMORY)
    for name in needed():
        with contextlib.suppress(ImportError, AttributeError):
            import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(sys.argv[2])
        listening.listen()
        while True:
            connection, _ = listening.accept()
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listening.close()
                serve(connection)
                os._exit(0)
            connection.close()


if __name__ == "__main__":
    main()
