"""Commands that read, answered by the background process of the hooks, so that no store is opened for one question.

Both sides that need the command line. In the background process, ``WarmCommands`` runs the very command on an engine
that is open there and returns its output. In the command's own process, ``run`` runs it where that was not possible,
and has the background process open the store for the next one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn

import click

from reverie.errors import ReverieError
from reverie.faces.cli import exits
from reverie.faces.cli.app import main as command_line
from reverie.faces.cli.app import show_interrupted
from reverie.faces.cli.invocation import NO_MODEL, Invocation, by_hand
from reverie.faces.cli.screen import Page, Terminal
from reverie.faces.hook import client, warm

if TYPE_CHECKING:
    from reverie.config import Loaded, Settings
    from reverie.engine.core import Reverie
    from reverie.faces.hook.answers import HookServing
    from reverie.faces.hook.frames import HookCall


FRAME_MOST = 60_000
"""Bytes that a pipe takes before anybody reads from it."""
_DEFAULT = "reverie"
"""The recipe whose recalls depend on nothing but the store; another may choose a hot tier once for some minutes."""
_HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


class NotWarm(Exception):
    """A command must be run in its own process."""


def is_eligible(settings: Settings) -> bool:
    """Whether the background process's engine for these settings would answer as a new one does.

    Its engines have no language model to route cues, give a reranker less time, and read files of SQLite.
    """
    from reverie.engine.logs import file_of

    if not settings.hook.command_line or settings.recipe != _DEFAULT or settings.encrypted or "://" in settings.store:
        return False
    if any(spec.strip().lower() != NO_MODEL for spec in (settings.llm.spec, settings.reranker.spec)):
        return False
    return settings.store != ":memory:" and file_of(settings.store).is_file() and not settings.store.endswith(".toml")


# The background process's side.


class WarmInvocation(Invocation):
    """One run of a command in the background process: the caller's folder and variables, and engines that are open."""

    def __init__(self, call: HookCall, serving: HookServing, begin: Callable[[], bool], page: Page) -> None:
        super().__init__(page=page)
        self.folder = Path(call.cwd)
        self.environment: Mapping[str, str] = call.environment
        self.answered = False
        self._serving = serving
        self._begin = begin

    def loaded(self) -> Loaded:
        """Return the settings in force where the caller works. Raises InvalidSetting."""
        if self._loaded is None:
            self._loaded = self.read()
            for note in self._loaded.notes:
                self.screen.note(note)
            self._serving.heed(self._loaded.settings.hook)
        return self._loaded

    def read(self) -> Loaded:
        """Read the settings anew. Raises InvalidSetting."""
        from reverie.config import load

        return load(self.folder, self.environment, self.given)

    def engine_settings(self) -> Settings:
        """Return the settings of the engine to be used. Raises NotWarm, ReverieError."""
        from reverie.faces.hook.engines import at_home
        from reverie.wire.trust import require_trust

        settings = at_home(self.settings(), self.folder)
        if any(self.environment.get(name) != os.environ.get(name) for name in _HOMES):
            raise NotWarm("another home")
        if not is_eligible(settings) or require_trust(self.loaded(), self.environment):
            raise NotWarm("settings that need an engine of their own")
        return settings

    def open(self, **_: bool) -> Reverie:
        """Raise NotWarm: an engine of one's own needs a process of one's own."""
        raise NotWarm("an engine of its own")

    @contextmanager
    def reading(self) -> Iterator[Reverie]:
        """Yield the engine that is open here, once the caller says that it waits. Raises NotWarm, ReverieError."""
        from reverie.engine.requests import Caller, calling

        if click.get_current_context().params.get("session") is not None:
            raise NotWarm("a session, whose working memory is the hook's here")
        with self._serving.engines.ready(self.engine_settings()) as engine:
            if engine is None:
                raise NotWarm("the store is not open")
            if not self._begin():
                raise NotWarm("the caller has gone")
            with calling(Caller(by_hand())):
                yield engine
        self.answered = True


class Preparation(WarmInvocation):
    """The same run of a command, that only opens what the command would read."""

    def reading(self) -> NoReturn:
        """Open the engine with its model, recall once without counting that, and raise NotWarm."""
        from reverie.engine.requests import Caller, calling

        settings, engines = self.engine_settings(), self._serving.engines
        if engines.has_room(settings):
            engines.may_load.set()
            with calling(Caller(by_hand())):
                engines.rehearse(settings, self.scope())
        raise NotWarm("opened for the next")


class WarmCommands:
    """Runs commands on the engines of the background process; see ``hook.service.Commands``."""

    def run(self, call: HookCall, serving: HookServing, begin: Callable[[], bool]) -> tuple[bool, bytes]:
        """Return True and the lengths and texts of a command's output; else False and notes to be shown there.

        A command that fails is run once more in its own process, so that its error is the one of that process.
        """
        began = perf_counter()
        columns, plain, *typed = map(os.fsdecode, call.body.split(b"\0"))
        page = Page(Terminal(int(columns), plain == "plain") if columns != "0" else None)
        invocation = WarmInvocation(call, serving, begin, page)
        fault = _invoked(typed, invocation)
        if fault or not invocation.answered:
            client.log(f"a command runs on its own: {fault}")
            return False, _notes_lost(invocation)
        client.log(f"a command answered in {(perf_counter() - began) * 1000:.0f} ms")
        out, err = (text.getvalue().encode("utf-8", "backslashreplace") for text in (page.out, page.err))
        return True, (len(out) + len(err)).to_bytes(4, "big") + len(out).to_bytes(4, "big") + out + err

    def prepare(self, call: HookCall, serving: HookServing) -> None:
        """Open the store that a command reads, with its model, and recall from it once without counting that."""
        _, _, *typed = map(os.fsdecode, call.body.split(b"\0"))
        fault = _invoked(typed, Preparation(call, serving, lambda: True, Page()))
        client.log(f"a command's store: {fault}")


def _invoked(typed: list[str], invocation: WarmInvocation) -> str:
    """Run a command that reads; return why it did not end well, never quoting what was typed, or an empty text."""
    if not warm.is_reading(typed):
        return "no command that reads"
    try:
        with command_line.make_context("reverie", typed, obj=invocation) as ctx:
            command_line.invoke(ctx)
    except NotWarm as reason:
        return str(reason)
    except Exception as fault:  # noqa: BLE001 -- the process's edge: the command runs on its own; the log tells
        return type(fault).__name__
    return ""


def _notes_lost(invocation: WarmInvocation) -> bytes:
    """Return the notes that the settings give only once, and that the command's own process will therefore not show."""
    loaded = invocation._loaded
    if loaded is None or not loaded.notes:
        return b""
    again: tuple[str, ...] = ()
    with suppress(ReverieError):
        again = invocation.read().notes
    page = Page()
    shown = Invocation(page=page).screen
    for note in loaded.notes:
        if note not in again:
            shown.note(note)
    return page.err.getvalue().encode("utf-8", "backslashreplace")


# The side of the command's own process.


def run(typed: list[str], reply: warm.Reply) -> None:
    """Run a command that the background process did not answer; then have that process open the store.

    Raises SystemExit with the command's exit code.
    """
    if reply.err and sys.stderr is not None:
        sys.stderr.write(reply.err)
    invocation = Invocation()
    try:
        command_line(obj=invocation)
    except SystemExit as ended:
        if not ended.code and (reply.nobody or reply.cold):
            with suppress(ReverieError, OSError):  # the command is done; whatever fails here is told by `hook status`
                _prepare(typed, invocation, start=reply.nobody)
        raise


def _prepare(typed: list[str], invocation: Invocation, *, start: bool) -> None:
    """Have the background process open the store of a command that is done; ``start`` it if none runs."""
    if invocation.is_loaded and is_eligible(invocation.settings()):
        if start:
            _start(warm.call_of(warm.PREPARE, typed, os.fsencode(Path.cwd())))
        else:
            warm.prepare(typed)


def _start(first: bytes) -> None:
    """Start the background process with a first call on its standard input, unless it could keep neither log nor lock.

    It gets a session of its own and no pipe of this process's.
    """
    here, state = Path.cwd(), Path(client.state_folder())
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    if len(first) > FRAME_MOST or not sys.executable or not os.access(state, os.W_OK):
        return
    try:
        if not client.enter_runtime_folder():
            return
        process = subprocess.Popen(
            [sys.executable, *client.SERVICE],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdin is not None
        with process.stdin as stream:
            stream.write(first)
        process.returncode = 0  # it outlives this process, which does not wait for it
    finally:
        os.chdir(here)


def interrupted(*, as_json: bool) -> int:
    """Say that a command was interrupted while it waited for the background process; return the exit code."""
    show_interrupted(Invocation(as_json=as_json))
    return exits.INTERRUPTED
