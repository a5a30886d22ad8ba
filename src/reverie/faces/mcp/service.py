"""The MCP tools and what each does: engine calls within one scope, with their results as values for a client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from mcp import types
from pydantic import BaseModel

from reverie.consolidate.runs import ARROW, SkillRun
from reverie.engine.requests import Question
from reverie.faces.mcp import values
from reverie.faces.mcp.fencing import SHOWN_CHARS, Fencing, sendable, to_keep
from reverie.faces.mcp.values import input_schema, output_schema
from reverie.recall.annotations import Annotation, ids, note, notes
from reverie.screen.fences import one_line
from reverie.types import Message, Role, State, TimeWindow
from reverie.wire.shapes import shape

if TYPE_CHECKING:
    from reverie.answers import Recollection
    from reverie.engine.core import Reverie
    from reverie.events import Event
    from reverie.ports import Clock
    from reverie.types import Memory, Scope


HEAD_CHARS = 600
"""Characters of each text that a list shows; ``memory_get`` shows it whole."""
HISTORY = 20
STORE = "memory_store"
"""The tool with which a model stores, also the speaker of what it stores."""
_HELD = "(held back: it gives orders to a model; `reverie memory quarantined` shows it to a person)"
_FIRST_SPAN = timedelta(days=1)
_WIDER = 16
_SKILLS_SHOWN = 30
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Means:
    """What the server works with: engine, scope, clock and fencing, and the limits of a recall.

    ``skills``: whether the tools of skill memory are offered.
    """

    engine: Reverie
    scope: Scope
    clock: Clock
    fencing: Fencing
    top_k: int | None = None
    budget_tokens: int | None = 1000
    skills: bool = False


class Service:
    """Every tool as a method; safe to use from several threads, as the engine is."""

    def __init__(self, means: Means) -> None:
        self.means = means
        self._engine = means.engine
        self._scope = means.scope
        self._fenced = means.fencing
        self._named = sendable(str(means.scope))

    @property
    def scope(self) -> str:
        """The scope's name, as answers repeat it."""
        return self._named

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools that this server offers, by name."""
        return TOOLS | SKILL_TOOLS if self.means.skills else TOOLS

    @property
    def session(self) -> str:
        """The session of everything that comes over this server: one for each day."""
        return f"mcp-{self.means.clock.now():%Y-%m-%d}"

    def recall(self, asked: values.Recall) -> values.Recalled:
        """Return the memories that answer a question, best first; they count as accessed."""
        answer = self._answer(asked)
        found = _shown(answer)
        return values.Recalled(
            scope=self.scope,
            notes=self._notes(found),
            memories=[_item(one) for one in found],
            confidence=None if answer.confidence is None else round(answer.confidence, 2),
        )

    def store(self, given: values.Store) -> values.Stored:
        """Store a text as said by the assistant and form memories from it; the screen checks it first."""
        said = Message(to_keep(given.text), STORE, Role.ASSISTANT, self.session)
        receipt = self._engine.observe(said, self._scope, deliberate=True)
        return values.Stored(
            scope=self.scope,
            id=receipt.id,
            formed=list(receipt.formed),
            decisions=[f"{decision.stage}: {decision.verdict}" for decision in receipt.decisions],
        )

    def get(self, named: values.Get) -> values.Whole:
        """Return one memory with its history and links, and if asked the words it was made of, whole.

        The text of a quarantined one is not shown.
        """
        memory = self._engine.memory(named.id, self._scope)
        words = _HELD if _is_held(memory) else memory.text
        history = self._engine.admin.history(memory.id, self._scope)[-HISTORY:]
        return values.Whole.of(
            memory,
            memory.standing,
            scope=self.scope,
            notes=self._fenced([_line(memory, words), *self._words(named), *_about(memory), *_reasons(history)]),
            links=shape(self._engine.admin.relations(self._scope, (memory.id,))),
            history=shape(history),
        )

    def _words(self, named: values.Get) -> Sequence[str]:
        found = self._engine.admin.expand(named.id, self._scope).sources if named.expand else ()
        return [_line(memory, memory.text) for memory in found]

    def list(self, asked: values.Listing) -> values.Notes:
        """Return the latest memories, newest first, without quarantined ones."""
        return self.listed([memory for memory in self._newest(asked) if not _is_held(memory)])

    def listed(self, memories: Sequence[Memory]) -> values.Notes:
        """Return these memories in this order, with the beginnings of their texts."""
        return self._told([note(memory) for memory in memories])

    def hot(self) -> values.Notes:
        """Return the hot set: the memories most useful now."""
        return self.listed(self._engine.admin.hot(self._scope))

    def beginning(self, topic: str) -> values.Notes:
        """Return the notes for a session's start: memories on its topic, if it has one, and the hot set."""
        answer = self._answer(values.Recall(query=topic)) if topic.strip() else None
        found = [] if answer is None else _shown(answer)
        named = {one.memory.id for one in found}
        found += [note(memory) for memory in self._engine.admin.hot(self._scope) if memory.id not in named]
        return self._told(found)

    def update(self, given: values.Update) -> values.Changed:
        """Replace a memory's text by a corrected memory; the old one stays, closed."""
        text = to_keep(given.text)
        return self._changed(self._engine.correct(given.id, text, self._scope, why=to_keep(given.why)))

    def forget(self, given: values.Forget) -> values.Changed:
        """Forget a memory: it is no longer recalled, but not deleted."""
        return self._changed(self._engine.forget(given.id, self._scope, why=to_keep(given.why)))

    def feedback(self, given: values.Feedback) -> values.Changed:
        """Record how a memory turned out."""
        return self._changed(self._engine.feedback(given.id, self._scope, given.verdict, why=to_keep(given.why)))

    def intend(self, given: values.Intend) -> values.Intended:
        """Form an intention, or settle one."""
        from reverie.encode.intentions import Trigger, on_topic

        if given.id:
            outcome = given.outcome or "done"
            one = self._engine.admin.settle(given.id, self._scope, outcome, until=given.at)
        else:
            trigger = on_topic(given.about) if given.about else Trigger(given.at, given.every)
            one = self._engine.admin.intend(to_keep(given.action), trigger, self._scope)
        return values.Intended.of(one, scope=self.scope)

    def link(self, given: values.Link) -> values.Linked:
        """Relate two memories."""
        edge = self._engine.relate(given.source, given.target, self._scope, given.kind)
        return values.Linked.of(edge, scope=self.scope)

    def consolidate(
        self, given: values.Consolidate, progress: Callable[[int, int, str], None] | None = None
    ) -> values.Consolidated:
        """Dream once; an error raised by ``progress`` stops it between two transactions, and the next dream resumes
        there.
        """
        report = self._engine.dream(self._scope, dry_run=given.dry_run, progress=progress)
        return values.Consolidated(
            scope=self.scope,
            changed=report.changed,
            steps=[f"{step.name}: {step.changed} changed, {step.formed} formed" for step in report.steps],
        )

    def run(self, given: values.Run) -> values.Kept:
        """Record a run of a skill."""
        run = SkillRun(
            skill=to_keep(given.skill),
            outcome=given.outcome,
            version=to_keep(given.version),
            context=to_keep(given.context),
            steps=[to_keep(step) for step in given.steps],
            id=given.id,
        )
        receipt = self._engine.admin.record_run(run, self._scope)
        return values.Kept(scope=self.scope, id=receipt.id, new=receipt.new)

    def skills(self, asked: values.Skills) -> values.Skilled:
        """Return how often each skill works, or the successful runs that a question asks for; names are fenced."""
        if asked.worked.strip():
            found = self._engine.admin.what_worked(asked.worked, self._scope)
            runs = [run for run in found if asked.context in (None, run.context)]
            return self._skilled([f"{run.skill} in {run.context or 'any'}: {ARROW.join(run.steps)}" for run in runs])
        records = self._engine.admin.skills(self._scope, context=asked.context)[:_SKILLS_SHOWN]
        return self._skilled(
            [
                f"{one.skill} in {one.context or 'any'}: {one.succeeded} of {one.runs} worked, at least {one.lower:.0%}"
                for one in records
            ]
        )

    def _skilled(self, lines: Sequence[str]) -> values.Skilled:
        return values.Skilled(scope=self.scope, notes=self._fenced(lines))

    def counts(self) -> values.Counts:
        """Return counts of the scope."""
        return values.Counts.of(self._engine.admin.stats(self._scope), scope=self.scope, model=self._engine.admin.model)

    def _answer(self, asked: values.Recall) -> Recollection:
        return self._engine.recall(
            Question(asked.query, session=self.session, as_of=asked.as_of),
            self._scope,
            top_k=asked.limit or self.means.top_k,
            budget_tokens=self.means.budget_tokens,
            window=_window(asked.since, asked.until),
        )

    def _newest(self, asked: values.Listing) -> Sequence[Memory]:
        """Return the newest memories from a growing time span, so that a few can be found without reading all."""
        span, start = _FIRST_SPAN, asked.since
        until = asked.until or self.means.clock.now()
        while True:
            start = asked.since or _before(until, span)
            found = self._engine.timeline(self._scope, session=asked.session, start=start, end=asked.until)
            if asked.since or len(found) >= asked.limit or start == _EARLIEST:
                return found[: -asked.limit - 1 : -1]
            span *= _WIDER

    def _told(self, found: Sequence[Annotation]) -> values.Notes:
        """Return notes with the beginnings of their texts."""
        return values.Notes(
            scope=self.scope, notes=self._notes(found, HEAD_CHARS), memories=[_item(one) for one in found]
        )

    def _notes(self, found: Sequence[Annotation], most: int = SHOWN_CHARS) -> str:
        lines = [_line(one.memory, one.text) for one in found]
        return self._fenced(lines, most, [", ".join(ids(one)) for one in found])

    def _changed(self, memory: Memory) -> values.Changed:
        return values.Changed.of(memory, memory.standing, scope=self.scope)


def _shown(answer: Recollection) -> list[Annotation]:
    """Return the memories an answer injects, best first, each with the words that are injected."""
    return notes((*answer.hits, *answer.standing))


def _is_held(memory: Memory) -> bool:
    return memory.standing.state is State.QUARANTINED


def _line(memory: Memory, text: str) -> str:
    return f"{memory.id} ({memory.at:%Y-%m-%d}, {one_line(memory.speaker)}): {text}"


def _about(memory: Memory) -> list[str]:
    """Return session, entities and tags as lines; they come from what was said, so they are fenced too."""
    named = {"session": memory.session, "names": ", ".join(memory.entities), "tags": ", ".join(memory.standing.tags)}
    return [f"{name}: {one_line(value)}" for name, value in named.items() if value]


def _reasons(history: Sequence[Event]) -> list[str]:
    whys = dict.fromkeys(event.why for event in history if event.why)
    return [f"because: {one_line(why)}" for why in whys]


def _item(one: Annotation) -> values.Item:
    return values.Item.of(one.memory, marks=ids(one) or None)


def _before(until: datetime, span: timedelta) -> datetime:
    return until - span if until - _EARLIEST > span else _EARLIEST


def _window(since: datetime | None, until: datetime | None) -> TimeWindow | None:
    if since is None and until is None:
        return None
    return TimeWindow(since or _EARLIEST, until or _LATEST, "")


@dataclass(frozen=True, slots=True)
class Tool:
    """An MCP tool: its name, description, input, output and function; a ``long`` one reports its progress."""

    name: str
    about: str
    takes: type[values.Input]
    gives: type[values.Output]
    work: Callable[..., values.Output]
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    long: bool = False

    def told(self) -> types.Tool:
        """Return the tool's description for clients."""
        return types.Tool(
            name=self.name,
            description=self.about,
            input_schema=dict(input_schema(self.takes)),
            output_schema=dict(output_schema(self.gives)),
            annotations=types.ToolAnnotations(
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.repeats,
                open_world_hint=False,
            ),
        )


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "memory_recall",
            "Find what is remembered. Ask before answering about the user, earlier talks or decisions.",
            values.Recall,
            values.Recalled,
            Service.recall,
            reads=True,
            repeats=True,
        ),
        Tool(
            "memory_store",
            "Remember a fact, preference or decision, in a whole sentence.",
            values.Store,
            values.Stored,
            Service.store,
        ),
        Tool(
            "memory_get",
            "One memory: text, history, links.",
            values.Get,
            values.Whole,
            Service.get,
            True,
            False,
            True,
        ),
        Tool("memory_list", "The latest memories.", values.Listing, values.Notes, Service.list, True, False, True),
        Tool(
            "memory_update",
            "Correct a memory; the old text is kept as past.",
            values.Update,
            values.Changed,
            Service.update,
            destroys=True,
            repeats=True,
        ),
        Tool(
            "memory_forget",
            "Recall a memory no more; nothing is deleted.",
            values.Forget,
            values.Changed,
            Service.forget,
            destroys=True,
            repeats=True,
        ),
        Tool("memory_feedback", "Say how a memory turned out.", values.Feedback, values.Changed, Service.feedback),
        Tool(
            "memory_intend",
            "Remind the user later: at a time, or when a topic comes up; or settle that.",
            values.Intend,
            values.Intended,
            Service.intend,
        ),
        Tool("memory_link", "Relate two memories.", values.Link, values.Linked, Service.link, repeats=True),
        Tool(
            "memory_consolidate",
            "Tidy up the whole memory; may take minutes.",
            values.Consolidate,
            values.Consolidated,
            Service.consolidate,
            repeats=True,
            long=True,
        ),
    )
}
"""Tools by name, in the order they are listed."""
SKILL_TOOLS = {
    tool.name: tool
    for tool in (
        Tool("memory_run", "Record how a run of a skill ended.", values.Run, values.Kept, Service.run),
        Tool(
            "memory_skills",
            "How often each skill works, or which runs worked. Ask before choosing how to do a task.",
            values.Skills,
            values.Skilled,
            Service.skills,
            reads=True,
            repeats=True,
        ),
    )
}
"""Tools of skill memory, listed where a setting offers them."""


def plain(value: BaseModel) -> dict[str, Any]:
    """Return a value as JSON data, without fields that are None."""
    return value.model_dump(mode="json", exclude_none=True)
