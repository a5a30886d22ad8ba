"""``python -m tools.newcomer``: install the wheel into empty homes and follow the documentation, as four people would.

In: an environment with uv (``--tools``), and where it is there the real Claude Code (``--hosts``). Out: a line for each
step with its seconds, the figures at the end, and 1 if a step is missing: a command that does not exist, an error that
does not say what to do, or something that no page tells.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.importing import chats
from tests.hosts.real.model import Model, listening
from tests.hosts.real.programs import CLAUDE_CODE
from tools import dist
from tools.newcomer.journeys import CHATS, FIRST, HINT, JOURNEYS, ROOT, STOP, Step, untold

PATIENCE_S = 1800.0
"""A step may take so long: a whole import on a busy machine."""
WAIT_S = 60.0
"""So long something may be done in the background before it must be seen."""
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_COMMANDS, MOST_FIRST_S, MOST_CHATS_S, MOST_RECALL_S = 3, 120.0, 60.0, 0.8
"""Issue 27: commands and seconds to the first sentence, seconds for 5,000 chats, seconds of a recall."""
RECALLS = 5
ALONE = "for comparison, `reverie recall` in a process of its own (no limit)"
_PATIENT = {"REVERIE_HOOK_DEADLINE_MS": "20000", "REVERIE_HOOK_START_MS": "20000"}


class Missing(Exception):
    """A step that is missing or does not do what a page says."""


@dataclass(frozen=True, slots=True)
class Took:
    """What a step took: seconds by the clock, and of the processor without what goes on in the background."""

    wall_s: float
    cpu_s: float

    def __str__(self) -> str:
        """Both, for a person."""
        return f"{self.wall_s:7.1f} s  {self.cpu_s:6.1f} s"


@dataclass(slots=True)
class Desk:
    """One newcomer: an empty home, an empty folder, the wheel, and what earlier steps printed."""

    role: str
    home: Path
    folder: Path
    around: dict[str, str]
    values: dict[str, str]
    model: Model
    has_claude: bool
    spent: dict[str, list[Took]] = field(default_factory=dict)
    server: subprocess.Popen[str] | None = None

    def take(self, step: Step) -> None:
        """Do a step, print its line, and keep what it took. Raises Missing."""
        if wrong := untold(step):
            raise Missing(f"{step.command}: {wrong}")
        began, worked = time.monotonic(), _children()
        said = self._done(step)
        took = Took(time.monotonic() - began, _children() - worked)
        if step.figure:
            self.spent.setdefault(step.figure, []).append(took)
        for name, expression in step.keeps.items():
            self.values[name] = _group(step, expression, said)
        if step.saves:
            lines = [line for line in said.splitlines() if line.startswith("    ")]
            (self.folder / step.saves).write_text(textwrap.dedent("\n".join(lines)) + "\n", encoding="utf-8")
        print(f"{self.role:<9} {_short(step.command):<78} {took}", flush=True)

    def _done(self, step: Step) -> str:
        if step.command == STOP:
            self.stop()
            return ""
        if step.program:
            blocks = BLOCK.findall((ROOT / step.program).read_text(encoding="utf-8"))
            (self.folder / step.words[1]).write_text("\n".join(blocks), encoding="utf-8")
        if step.serves:
            return self._served(step)
        end = time.monotonic() + WAIT_S
        while True:
            try:
                return self._once(step)
            except Missing:
                if not step.waits or time.monotonic() > end:
                    raise
                time.sleep(0.5)

    def _once(self, step: Step) -> str:
        if step.words[0] == "claude":
            return judged(step, 0, self._told_claude(step.words[-1]))
        code, said = self.run(self._filled(step))
        return judged(step, code, said)

    def _filled(self, step: Step) -> list[str]:
        words = step.words
        for name, value in self.values.items():
            words = [word.replace(f"<{name}>", value) for word in words]
        return words

    def run(self, command: list[str], given: str = "", more: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Run a command to its end; return its exit code and what it prints on both streams. Raises Missing.

        ``more`` are variables for this command alone.
        """
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env={**self.around, **(more or {})},
                input=given,
                capture_output=True,
                text=True,
                timeout=PATIENCE_S,
                check=False,
            )
        except FileNotFoundError:
            raise Missing(f"there is no command {command[0]}") from None
        return done.returncode, done.stdout + done.stderr

    def warm(self, command: list[str]) -> None:
        """Run a command that reads until the background process answers it. Raises Missing if it never does."""
        log, end = self.home / ".local" / "state" / "reverie" / "hook.log", time.monotonic() + WAIT_S
        while time.monotonic() < end:
            before = _answered(log)
            self.run(command)
            if _answered(log) > before:
                return
            time.sleep(0.5)
        raise Missing(f"the background process does not answer {shlex.join(command)}")

    def _told_claude(self, text: str) -> str:
        """Say something in a new session of Claude Code, or call the hooks as it would; return what the model gets."""
        self.model.drain()
        if not self.has_claude:
            return self._told_hooks(text)
        code, said = self.run(["claude", "-p", text])
        sent = [body for body in self.model.drain() if text in body]
        if code or not sent:
            raise Missing(f"claude -p {text!r}: exit code {code}, {len(sent)} requests to the model; {said[-500:]}")
        return "\n".join(sent)

    def _told_hooks(self, text: str) -> str:
        """Call the commands in Claude Code's settings, if there are any, with the JSON of its events."""
        settings = self.home / ".claude" / "settings.json"
        hooks = json.loads(settings.read_text(encoding="utf-8")).get("hooks", {}) if settings.is_file() else {}
        session = f"session-{time.monotonic_ns()}"
        transcript = self.home / ".claude" / f"{session}.jsonl"
        lines = [_line("user", text), _line("assistant", "Noted, thank you.")]
        transcript.parent.mkdir(exist_ok=True)
        transcript.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        told = text
        for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
            call = {"hook_event_name": event, "session_id": session, "cwd": str(self.folder), "prompt": text}
            call["transcript_path"] = str(transcript)
            for command in (hook["command"] for each in hooks.get(event, ()) for hook in each["hooks"]):
                told += self.run(shlex.split(command), json.dumps(call))[1]
        return told

    def _served(self, step: Step) -> str:
        log = self.home / "serve.txt"
        with log.open("w", encoding="utf-8") as told:
            self.server = subprocess.Popen(
                self._filled(step),
                cwd=self.folder,
                env=self.around,
                stdin=subprocess.DEVNULL,
                stdout=told,
                stderr=subprocess.STDOUT,
                text=True,
            )
        end = time.monotonic() + WAIT_S
        while not all(re.search(expression, log.read_text("utf-8")) for expression in step.keeps.values()):
            if self.server.poll() is not None or time.monotonic() > end:
                raise Missing(f"{step.command}: it does not say where it answers: {log.read_text('utf-8')[-500:]}")
            time.sleep(0.1)
        return log.read_text("utf-8")

    def stop(self) -> None:
        """End the server, if one runs, as Ctrl+C does."""
        if self.server is not None:
            self.server.send_signal(signal.SIGINT)
            try:
                self.server.wait(30)
            except subprocess.TimeoutExpired:
                self.server.kill()
                raise Missing("the server does not end at Ctrl+C") from None
            finally:
                self.server = None


def judged(step: Step, code: int, said: str) -> str:
    """Return what was printed. Raises Missing where it is not what the step must show."""
    about = f"`{step.command}`: "
    if "Traceback (most recent call last)" in said:
        raise Missing(f"{about}a traceback:\n{said[-1500:]}")
    if code != step.code:
        raise Missing(f"{about}exit code {code} instead of {step.code}:\n{said[-1500:]}")
    if not re.search(step.shows or (HINT if code else ""), said):
        what = "the error does not say what to do" if step.shows in ("", HINT) else f"{step.shows!r} is not shown"
        raise Missing(f"{about}{what}:\n{said[-1500:]}")
    if step.lacks and re.search(step.lacks, said):
        raise Missing(f"{about}{step.lacks!r} is shown:\n{said[-1500:]}")
    return said


def _group(step: Step, expression: str, said: str) -> str:
    found = re.search(expression, said)
    if found is None:
        raise Missing(f"`{step.command}`: {expression!r} is not in:\n{said[-1500:]}")
    return found[1]


def _line(role: str, text: str) -> str:
    return json.dumps({"type": role, "message": {"role": role, "content": text}})


def _short(command: str, most: int = 78) -> str:
    return command if len(command) <= most else f"{command[: most - 2]} …"


def _answered(log: Path) -> int:
    """Return how many commands the background process answered."""
    return log.read_text("utf-8").count("a command answered") if log.exists() else 0


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# A newcomer's desk.


@dataclass(frozen=True, slots=True)
class Place:
    """What all journeys share: the wheel, the folder of uv, the folder of Claude Code or None, and how many chats."""

    wheel: Path
    tools: Path
    hosts: Path | None
    chats: int


@contextmanager
def sitting(role: str, place: Place, scratch: Path, model: Model) -> Iterator[Desk]:
    """Yield a desk in an empty home; what was started there is stopped at the end."""
    home, programs = scratch / role, scratch / f"{role}-programs"
    folder = home / "work"
    for made in (folder, programs):
        made.mkdir(parents=True)
    (programs / "uv").symlink_to(place.tools / "uv")
    python = programs / "python3"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(_python())} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    own = [folder / ".venv" / "bin", home / ".local" / "bin", programs]
    own += [place.hosts] if place.hosts else []
    others = [one for one in os.environ.get("PATH", os.defpath).split(os.pathsep) if not Path(one, "reverie").exists()]
    claude = {name: value.replace("{url}", model.url) for name, value in CLAUDE_CODE.environment.items()}
    path = os.pathsep.join([*map(str, own), *others])
    around = {**dist.clean(home), **_PATIENT, **claude, "PATH": path, "USER": "ada", "UV_PYTHON": _python()}
    desk = Desk(role, home, folder, around, {"wheel": str(place.wheel)}, model, place.hosts is not None)
    if role == "agent":
        (folder / ".git").mkdir()
    if role == "chats":
        told = conversations(place.chats)
        desk.values["messages"] = str(sum(len(chat["chat_messages"]) for chat in told))
        (folder / "conversations.json").write_text(json.dumps(told), encoding="utf-8")
    try:
        yield desk
    finally:
        with suppress(Missing):
            desk.stop()
        with suppress(Missing):
            desk.run(["reverie", "hook", "stop"])


def _python() -> str:
    """Return the interpreter that this environment was made of."""
    return str(getattr(sys, "_base_executable", sys.executable))


def conversations(count: int) -> list[dict[str, Any]]:
    """Return made-up chats in the form of Claude's export; the first tells where Nazlı lives now."""
    said = {
        "uuid": "n0",
        "sender": "human",
        "created_at": "2023-12-31T09:00:00+00:00",
        "text": "Nazlı moved to Trabzon.",
    }
    first: dict[str, Any] = {"uuid": "n", "name": "Nazlı", "created_at": said["created_at"], "chat_messages": [said]}
    return [first, *chats(count - 1)]


# The figures.


def figures(desks: Mapping[str, Desk], place: Place) -> Iterator[str]:
    """Yield a line for each figure of the issue: the limit, what was measured, and whether it holds."""
    if first := desks["agent"].spent.get(FIRST) if "agent" in desks else None:
        seconds = sum(took.wall_s for took in first)
        holds = len(first) <= MOST_COMMANDS and seconds <= MOST_FIRST_S
        yield _figure(
            f"from nothing to a sentence recalled in {_agent(place)}", holds, f"{len(first)} commands, {_sum(first)}"
        )
    if taken := desks["chats"].spent.get(CHATS) if "chats" in desks else None:
        holds = sum(took.wall_s for took in taken) <= MOST_CHATS_S * place.chats / 5000
        yield _figure(f"{place.chats} chats imported and observed", holds, _sum(taken))
        yield from recalls(desks["chats"])


def recalls(desk: Desk) -> Iterator[str]:
    """Measure recalls in the store that the chats are in, in turns: a hook's, the command's, and one on its own.

    The first two go through the background process, and have the issue's limit.
    """
    call = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(desk.folder)}
    hook = json.dumps({**call, "prompt": "Where did Nazlı move?"})
    command = ["reverie", "recall", "Where did Nazlı move?"]
    alone = {"REVERIE_HOOK_COMMAND_LINE": "false"}
    ways: dict[str, tuple[list[str], str, dict[str, str]]] = {
        "a prompt's recall through the warm process": (["reverie", "hook", "--host", "claude-code"], hook, {}),
        "`reverie recall` through the warm process": (command, "", {}),
        ALONE: (command, "", alone),
    }
    desk.warm(command)
    spent: dict[str, list[Took]] = {what: [] for what in ways}
    for _ in range(RECALLS):
        for what, (words, given, more) in ways.items():
            began, worked = time.monotonic(), _children()
            desk.run(words, given, more)
            spent[what].append(Took(time.monotonic() - began, _children() - worked))
    for what, taken in spent.items():
        wall, cpu = median(took.wall_s for took in taken), median(took.cpu_s for took in taken)
        said = f"median {wall:.2f} s ({cpu:.2f} s of the processor)"
        yield _figure(f"{what}, {desk.values['messages']} messages", what == ALONE or wall <= MOST_RECALL_S, said)


def _agent(place: Place) -> str:
    return (
        "the real Claude Code" if place.hosts else "Claude Code's hooks, called as it would (not installed: make hosts)"
    )


def _sum(taken: list[Took]) -> str:
    return f"{sum(took.wall_s for took in taken):.1f} s ({sum(took.cpu_s for took in taken):.1f} s of the processor)"


def _figure(what: str, holds: bool, measured: str) -> str:
    return f"{'within' if holds else 'over  '}  {what}: {measured}"


def main() -> int:
    """Walk the journeys, and say what is missing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tools", type=Path, required=True, help="the folder of uv")
    parser.add_argument("--hosts", type=Path, help="the folder of `make hosts`, if it is there")
    parser.add_argument(
        "--chats", type=int, default=5000, help="conversations of four messages on average; 25000: 100,000 messages"
    )
    parser.add_argument("--strict", action="store_true", help="fail where a figure is over its limit, too")
    parser.add_argument("roles", nargs="*", default=list(JOURNEYS), help=", ".join(JOURNEYS))
    given = parser.parse_args()
    hosts = given.hosts and given.hosts.absolute() / "node_modules" / ".bin"
    with tempfile.TemporaryDirectory(prefix="reverie-newcomer-") as folder, listening() as model:
        wheel, _ = dist.build(ROOT, Path(folder) / "dist")
        there = hosts if hosts and (hosts / "claude").exists() else None
        place = Place(wheel, given.tools.absolute(), there, given.chats)
        return walked(given.roles, place, Path(folder), model, strict=given.strict)


def walked(roles: list[str], place: Place, scratch: Path, model: Model, *, strict: bool) -> int:
    """Walk the journeys of these roles; return 1 if a step is missing."""
    missing = 0
    lines: list[str] = []
    print(f"{'':88} {'clock':>9}  {'processor':>8}")
    for role in roles:
        with sitting(role, place, scratch, model) as desk:
            try:
                for step in JOURNEYS[role]:
                    desk.take(step)
                lines += figures({role: desk}, place)
            except Missing as fault:
                missing += 1
                print(f"{role:<9} MISSING {fault}", flush=True)
    print(*lines, sep="\n")
    return int(bool(missing) or (strict and any(line.startswith("over") for line in lines)))


if __name__ == "__main__":
    sys.exit(main())
