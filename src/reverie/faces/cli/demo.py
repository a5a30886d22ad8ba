"""The ``demo`` command: load a conversation, ask questions about it, and show each answer with its reasons."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.invocation import Command, Invocation, pass_invocation, prompted
from reverie.faces.cli.move import bring_in, name_broken
from reverie.faces.cli.recall import because, show_head, show_hits
from reverie.faces.cli.screen import Screen, cut, is_terminal
from reverie.faces.cli.setup import set_up

if TYPE_CHECKING:
    from reverie.answers import Recollection
    from reverie.engine.core import Reverie
    from reverie.ports import Clock, Ids
    from reverie.types import Message, Scope


# The bundled conversation and its questions: in, nothing; out, the demo's messages and what it asks.


ASKED_AT = datetime(2026, 4, 13, 9, 0, tzinfo=UTC)
"""The morning after the last message; the demo asks as of then, so that "last week" keeps its meaning."""


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question, the ids of the messages that answer it, and what it demonstrates."""

    text: str
    expected: tuple[str, ...]
    shows: str


@contextmanager
def conversation() -> Iterator[Path]:
    """Yield the path of the conversation's file for the duration of a block."""
    with as_file(files("reverie.faces.cli") / "data" / "demo.jsonl") as path:
        yield path


def questions() -> list[DemoQuestion]:
    """Return the questions, in the order they are asked."""
    text = (files("reverie.faces.cli") / "data" / "demo-questions.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    return [DemoQuestion(record["question"], tuple(record["expected"]), record["shows"]) for record in records]


# ``demo``: a conversation goes in, questions are asked of it, and each answer comes with its reasons.


SHOWN = 3
"""Memories shown for each question of the bundled conversation."""

SEED = 20260302
"""Seed of the ids, so that the demo prints the same bytes each time: the day its conversation begins."""


BUNDLED_EXAMPLE = "When does Tom start at Cartwright & Moon?"
"""A question of the bundled conversation that the demo suggests asking again."""


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """The result of one question; ``found_at`` is the rank of the first memory that answers it, or None."""

    question: DemoQuestion
    recollection: Recollection
    found_at: int | None


@click.command("demo", cls=Command, short_help="Try recall on a bundled conversation.")
@click.option("--data", type=click.Path(path_type=Path), metavar="FILE", help="Ask your own export instead.")
@click.option("--ask", "asked", multiple=True, metavar="CUE", help="A question for your own export; may be repeated.")
@click.option("--keep", type=click.Path(path_type=Path), metavar="FOLDER", help="Keep the store in this new folder.")
@pass_invocation
def demo_command(invocation: Invocation, data: Path | None, asked: tuple[str, ...], keep: Path | None) -> None:
    """Load a conversation, ask it questions, and show each answer with its reasons.

    Without --data it is a bundled one: six weeks of Defne and Tom and their assistant, partly in Turkish, with facts
    that change, contradict and recur. With --data, questions come from --ask, or are typed at a terminal.
    """
    with ExitStack() as stack:
        place = _Place(keep, keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-demo-"))))
        if data is None:
            _bundled(invocation, place, asked)
        else:
            _own(invocation, place, data, asked)
    if not invocation.as_json:
        _what_next(invocation.screen, keep, data, asked)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the demo's store lies: a folder to keep, with settings of its own, or a temporary one."""

    kept: Path | None
    folder: Path


def _bundled(invocation: Invocation, place: _Place, asked: Sequence[str]) -> None:
    from reverie.engine.runtime import FixedClock, RandomIds
    from reverie.exchange import read
    from reverie.types import Scope

    scope = Scope(agent="assistant", user="defne-and-tom", project="demo")
    chosen = [DemoQuestion(text, (), "") for text in asked] or questions()
    with _made(invocation, place, scope, FixedClock(ASKED_AT), RandomIds(SEED)) as memory, conversation() as path:
        bring_in(memory, scope, path)
        messages = list(read(path))
        known = {str(message.message_id): message for message in messages}
        answers = [_answered(memory, scope, question, known) for question in chosen]
        if place.kept:
            _live(memory, scope)
    screen = invocation.screen
    if screen.as_json:
        screen.json(_shape(scope, len(messages), answers))
        return
    screen.line(f"{len(messages)} messages of {len({m.session for m in messages})} conversations, scope {scope}")
    for number, answer in enumerate(answers, 1):
        _show(screen, number, answer)
    _show_recalled(screen, answers)
    # Beside the answer, because no two runs take equally long.
    screen.note(f"Half of the questions took less than {_median_ms(answers):.1f} ms each.")


def _live(memory: Reverie, scope: Scope) -> None:
    """Let a demo that is kept have a life: notes of its agent, a dream, a correction, something held back, to do.

    So every view of the dashboard and every command that lists something shows an example.
    """
    from reverie.encode.intentions import Trigger
    from reverie.encode.notes import Note
    from reverie.types import Kind, Message, Role

    text = (files("reverie.faces.cli") / "data" / "demo-life.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in text.splitlines()]
    notes = [Note(one["note"], Kind(one["kind"]), _moment(one["at"])) for one in records if "note" in one]
    ids = {kept.text: kept.id for kept in memory.admin.note(notes, scope)}
    memory.dream(scope)
    for one in records:
        if "correct" in one:
            memory.correct(ids[one["correct"]], one["to"], scope, why=one["why"])
        elif "relate" in one:
            memory.relate(ids[one["relate"]], ids[one["to"]], scope, one["kind"])
        elif "useful" in one:
            memory.feedback(ids[one["useful"]], scope, "used", why=one["why"])
        elif "told" in one:
            memory.observe(Message(one["told"], speaker=one["by"], role=Role.TOOL, session="letting"), scope)
        elif "intend" in one:
            memory.admin.intend(one["intend"], Trigger(_moment(one["at"])), scope)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _show_recalled(screen: Screen, answers: Sequence[DemoAnswer]) -> None:
    """How many of the answers that are known were recalled; nothing where none is."""
    wanted = [answer for answer in answers if answer.question.expected]
    if wanted:
        found = sum(answer.found_at is not None for answer in wanted)
        first = sum(answer.found_at is not None and answer.found_at <= SHOWN for answer in wanted)
        screen.line()
        screen.line(f"{found} of {len(wanted)} answers were recalled, {first} of them among the first {SHOWN}.")


def _median_ms(answers: Sequence[DemoAnswer]) -> float:
    times = [sum(step.took_ms for step in answer.recollection.trace) for answer in answers]
    return sorted(times)[len(times) // 2]


def _own(invocation: Invocation, place: _Place, data: Path, asked: Sequence[str]) -> None:
    from reverie.engine.runtime import RandomIds, SystemClock
    from reverie.types import Scope

    scope = Scope(agent="assistant", user="me", project="demo")
    screen = invocation.screen
    with _made(invocation, place, scope, SystemClock(), RandomIds()) as memory:
        imported, skipped = bring_in(memory, scope, data)
        if not screen.as_json:
            screen.line(f"{imported.new} messages, {len(skipped)} items left out, scope {scope}")
            name_broken(screen, skipped)
        answers = []
        for text in asked or _typed(screen):
            answer = DemoAnswer(DemoQuestion(text, (), ""), memory.recall(text, scope), None)
            answers.append(answer)
            if not screen.as_json:
                screen.line()
                show_head(screen, answer.recollection)
                show_hits(screen, answer.recollection.hits)
    if screen.as_json:
        screen.json(_shape(scope, imported.new, answers))


def _made(invocation: Invocation, place: _Place, scope: Scope, clock: Clock, ids: Ids) -> Reverie:
    """Open the engine on a store of its own, ready for later commands if the folder is kept."""
    from reverie.config import Settings
    from reverie.engine.core import Reverie

    embedder = invocation.embedder()
    store = place.folder / Settings().store
    recipe = invocation.settings().recipe
    if place.kept:
        set_up(place.folder, scope, store, invocation.lasting())
    return Reverie.open(
        store,
        create=not place.kept,
        embedder=embedder,
        recipe=recipe,
        clock=clock,
        ids=ids,
        background=False,
        reranker=invocation.reranker(),
        rerank=invocation.settings().reranker.limits,
    )


def _answered(memory: Reverie, scope: Scope, question: DemoQuestion, known: dict[str, Message]) -> DemoAnswer:
    recollection = memory.recall(question.text, scope)
    wanted = {(known[name].session, known[name].text) for name in question.expected}
    ranks = [hit.rank for hit in recollection.hits if (hit.memory.session, hit.memory.text) in wanted]
    return DemoAnswer(question, recollection, min(ranks, default=None))


def _typed(screen: Screen) -> Iterator[str]:
    """Yield questions typed at a terminal, until an empty line; none without a terminal."""
    if not is_terminal(sys.stdin):
        screen.note("ask with --ask “…”, or run it at a terminal")
        return
    while text := prompted("ask (empty line to end)", default="", show_default=False):
        yield text


def _show(screen: Screen, number: int, answer: DemoAnswer) -> None:
    question = answer.question
    screen.line()
    screen.line(f"{number}. {question.text}")
    if question.shows:
        screen.line(f"   {question.shows}")
    wanted = answer.found_at or 0
    hits = answer.recollection.hits
    for hit in (*hits[:SHOWN], *(late for late in hits[SHOWN:] if late.rank == wanted)):
        mark = "→" if hit.rank == wanted else " "
        memory = hit.memory
        screen.line(f" {mark} {hit.rank}. {memory.at:%d %b}, {memory.speaker}: {cut(memory.text, 220)}")
        screen.line(f"      because {because(hit)}")
    if question.expected and answer.found_at is None:
        screen.line(" ✗ the turn that answers it was not recalled")


def _what_next(screen: Screen, keep: Path | None, data: Path | None, asked: Sequence[str]) -> None:
    screen.line()
    screen.line("Try next:")
    own = "" if data is None else f"--data {shlex.quote(str(data))} "
    example = BUNDLED_EXAMPLE if data is None else next(iter(asked), "…")
    activate = Path(sys.executable or "python").with_name("activate")
    if shutil.which("reverie") is None and activate.is_file():
        screen.line(f"  . {shlex.quote(_near(activate))}       so that `reverie` is found")
    if keep is None:
        screen.line(f"  reverie demo {own}--keep trial      the same, and the store stays in the folder trial")
        screen.line(f"  cd trial && reverie explain {_quoted(example)}")
    else:
        folder = shlex.quote(str(keep))
        screen.line(f'  cd {folder} && reverie explain "…"     why an answer stands where it stands')
        screen.line(f"  cd {folder} && reverie timeline        everything that was said")
    if data is None:
        screen.line("  reverie demo --data FILE       ask your own Claude or ChatGPT export (.zip) or JSON lines")
    screen.line("  reverie init --agent A --user U --project P     a memory of your own, in this folder")


def _quoted(text: str) -> str:
    """Quote a text for the shell, in double quotes if nothing in it would be expanded."""
    return shlex.quote(text) if any(mark in text for mark in '"$`\\!') else f'"{text}"'


def _near(path: Path) -> str:
    """Return a path relative to the working folder, if it lies in it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _shape(scope: Scope, messages: int, answers: Sequence[DemoAnswer]) -> dict[str, object]:
    asked = [
        {
            "question": answer.question.text,
            "expected": list(answer.question.expected),
            "found_at": answer.found_at,
            "recollection": answer.recollection,
        }
        for answer in answers
    ]
    found = sum(answer.found_at is not None for answer in answers)
    return {"scope": scope, "messages": messages, "asked": asked, "found": found}
