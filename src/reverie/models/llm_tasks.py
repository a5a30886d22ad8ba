"""The tasks of a language model (form, merge, relate, route, themes, summary) as functions that check its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import msgspec

from reverie.models.llm_grounding import inventions, losses, lost_negations
from reverie.models.llm_port import Failed, LanguageModel, LlmAnswer, LlmAsk, LlmField, prompt_text
from reverie.types import Kind, RelationKind

Text: TypeAlias = Annotated[str, msgspec.Meta(min_length=1)]
Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]

Category: TypeAlias = Literal["preference", "fact", "decision", "correction", "plan", "entity"]
Intent: TypeAlias = Literal["factual", "temporal", "causal", "entity_profile", "preference", "general"]
LinkName: TypeAlias = Literal[
    "supersedes", "contradicts", "causes", "elaborates", "same_entity", "related_to", "caused_by", "superseded_by"
]


class _Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Base of the answer types."""


class ForesightWire(_Wire, frozen=True):
    """A future event that a message mentions, and its last day."""

    text: Text
    until: str | None


class FormWire(_Wire, frozen=True):
    """The answer to ``form``. A wrong or missing field listed in ``SPARE`` gets its default, so that facts are kept."""

    SPARE: ClassVar[dict[str, object]] = {
        "foresightSignals": [],
        "temporalType": "persistent",
        "validUntil": None,
        "entities": [],
        "category": "fact",
    }

    resolved_text: Text
    atomic_facts: Annotated[list[Text], msgspec.Meta(max_length=16)]
    foresight_signals: Annotated[list[ForesightWire], msgspec.Meta(max_length=8)]
    temporal_type: Literal["persistent", "time_bounded"]
    valid_until: str | None
    entities: Annotated[list[Text], msgspec.Meta(max_length=16)]
    category: Category


class TextWire(_Wire, frozen=True):
    """An answer of one text: a merge or a summary."""

    text: Text


class LinkWire(_Wire, frozen=True):
    """A link between the new memory and the one of this number."""

    number: Number
    kind: LinkName
    confidence: Share


class RelateWire(_Wire, frozen=True):
    """The links found; none to unrelated memories."""

    links: Annotated[list[LinkWire], msgspec.Meta(max_length=16)]


class RouteWire(_Wire, frozen=True):
    """What kind of answer a question asks for."""

    intent: Intent
    confidence: Share


class DrawnWire(_Wire, frozen=True):
    """A text derived from the memories with these numbers."""

    text: Text
    numbers: Annotated[list[Number], msgspec.Meta(min_length=1, max_length=32)]


class DrawnsWire(_Wire, frozen=True):
    """Answer of the tasks ``themes`` and ``patterns``: what a cluster has in common."""

    found: Annotated[list[DrawnWire], msgspec.Meta(max_length=8)]


T = TypeVar("T")

FORESIGHT_DAYS = 7
"""Days that a plan without a date stays open."""
SUMMARY_MAX_CHARS = 1_200
_MERGE_GROWTH = 1.5
"""Most length of a merge, in lengths of both texts together; a longer one is rejected."""
_VERSIONS = {"form": 1, "merge": 1, "relate": 1, "route": 1, "themes": 1, "patterns": 1, "summary": 1}


@dataclass(frozen=True, slots=True)
class DrawnForesight:
    """A future event that a message mentions, and the time at which it is over."""

    text: str
    until: datetime


@dataclass(frozen=True, slots=True)
class DrawnMemory:
    """The memories formed from a message; ``valid_until`` is None if it holds without end."""

    resolved_text: str
    atomic_facts: tuple[str, ...]
    foresight: tuple[DrawnForesight, ...]
    valid_until: datetime | None
    entities: tuple[str, ...]
    category: Kind


@dataclass(frozen=True, slots=True)
class ProposedLink:
    """A relation proposed between the new memory and number ``other`` (from 0) of those it was compared with.

    ``from_new``: the new memory is its source, else its target. ``confidence`` is in [0, 1].
    """

    other: int
    kind: RelationKind
    from_new: bool
    confidence: float


@dataclass(frozen=True, slots=True)
class Routed:
    """What kind of answer a question asks for, one of six intents; ``confidence`` in [0, 1]."""

    intent: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """A theme or pattern, and the indices (from 0) of the texts it was derived from."""

    text: str
    sources: tuple[int, ...]


def form(
    model: LanguageModel, text: str, said_at: datetime, speaker: str, context: Sequence[str]
) -> DrawnMemory | Failed:
    """Form memories from a message: facts, plans, entities, category; ``context``: earlier messages, oldest first."""
    fields = (
        LlmField("said", f"{said_at:%Y-%m-%d}, a {said_at:%A}"),
        LlmField("speaker", speaker),
        *_numbered("before", context),
        LlmField("message", text),
    )

    complained: list[str] = []

    def check(answer: FormWire) -> str:
        days = [answer.valid_until, *(signal.until for signal in answer.foresight_signals)]
        if not complained and any(day is not None and _end_of(day) is None for day in days):
            complained.append("A date is not of the form YYYY-MM-DD.")  # once: a second time the facts go without it
            return complained[0]
        return lost_negations(text, " \n".join([answer.resolved_text, *answer.atomic_facts]))

    answer = _asked(model, "form", fields, FormWire, check)
    return answer if isinstance(answer, Failed) else _formed(answer, said_at)


def _formed(answer: FormWire, said_at: datetime) -> DrawnMemory:
    """Convert the answer's days to times; a plan without a day is open for a week."""
    week = said_at + timedelta(days=FORESIGHT_DAYS)
    foresight = tuple(DrawnForesight(s.text, _end_of(s.until or "") or week) for s in answer.foresight_signals)
    bounded = answer.temporal_type == "time_bounded" or bool(foresight)
    until = _end_of(answer.valid_until or "") or max((signal.until for signal in foresight), default=week)
    return DrawnMemory(
        resolved_text=answer.resolved_text,
        atomic_facts=tuple(dict.fromkeys(answer.atomic_facts)) or (answer.resolved_text,),
        foresight=foresight,
        valid_until=until if bounded else None,
        entities=tuple(dict.fromkeys(answer.entities)),
        category=Kind(answer.category),
    )


def _end_of(day: str) -> datetime | None:
    """Return the end of an ISO day, UTC; None for another text."""
    try:
        return datetime.combine(datetime.fromisoformat(day[:10]), time(), UTC) + timedelta(days=1)
    except (ValueError, OverflowError):
        return None


def merge(model: LanguageModel, old: str, new: str) -> str | Failed:
    """Merge two texts into one that says all that both say; a merge that lost or invented a fact is a failure."""

    def check(answer: TextWire) -> str:
        if len(answer.text) > _MERGE_GROWTH * (len(old) + len(new)):
            return "It is much longer than both texts together."
        return losses((old, new), answer.text) or inventions((old, new), answer.text)

    answer = _asked(model, "merge", (LlmField("old", old), LlmField("new", new)), TextWire, check)
    return answer if isinstance(answer, Failed) else answer.text


_REVERSED = {"caused_by": RelationKind.CAUSES, "superseded_by": RelationKind.SUPERSEDES}


def relate(model: LanguageModel, new: str, others: Sequence[str]) -> tuple[ProposedLink, ...] | Failed:
    """Propose relations of a new memory to others: at most one to each, none to unrelated ones."""
    if not others:
        return ()

    def check(answer: RelateWire) -> str:
        return _outside([link.number for link in answer.links], len(others))

    answer = _asked(model, "relate", (LlmField("new", new), *_numbered("memory", others)), RelateWire, check)
    if isinstance(answer, Failed):
        return answer
    best: dict[int, ProposedLink] = {}
    for link in answer.links:
        kind = _REVERSED.get(link.kind) or RelationKind(link.kind)
        found = ProposedLink(link.number - 1, kind, link.kind not in _REVERSED, link.confidence)
        if found.other not in best or best[found.other].confidence < found.confidence:
            best[found.other] = found
    return tuple(best[number] for number in sorted(best))


def route(model: LanguageModel, question: str) -> Routed | Failed:
    """Classify what kind of answer a question asks for."""
    answer = _asked(model, "route", (LlmField("question", question),), RouteWire, None)
    return answer if isinstance(answer, Failed) else Routed(answer.intent, answer.confidence)


def themes(model: LanguageModel, texts: Sequence[str]) -> tuple[Drawn, ...] | Failed:
    """Draw the themes of a cluster, each with its sources; a theme that adds to its sources fails the answer."""
    return _drawn(model, "themes", texts, fewest=1)


def patterns(model: LanguageModel, texts: Sequence[str]) -> tuple[Drawn, ...] | Failed:
    """Draw what somebody does again and again from a cluster, each with the two or more texts that show it."""
    return _drawn(model, "patterns", texts, fewest=2)


def _drawn(model: LanguageModel, task: str, texts: Sequence[str], fewest: int) -> tuple[Drawn, ...] | Failed:
    def check(answer: DrawnsWire) -> str:
        return next(filter(None, (_fault(found, texts, fewest) for found in answer.found)), "")

    answer = _asked(model, task, _numbered("memory", texts), DrawnsWire, check)
    if isinstance(answer, Failed):
        return answer
    return tuple(Drawn(found.text, tuple(sorted({n - 1 for n in found.numbers}))) for found in answer.found)


def _fault(found: DrawnWire, texts: Sequence[str], fewest: int) -> str:
    outside = _outside(found.numbers, len(texts))
    if outside:
        return outside
    if len(set(found.numbers)) < fewest:
        return f"One names fewer than {fewest} memories."
    return inventions([texts[number - 1] for number in found.numbers], found.text)


def summary(model: LanguageModel, category: Kind, texts: Sequence[str], previous: str = "") -> str | Failed:
    """Summarise the memories of a category briefly; ``previous`` is the summary to be updated."""
    fields = (LlmField("category", category.value), LlmField("previous", previous), *_numbered("memory", texts))

    def check(answer: TextWire) -> str:
        if len(answer.text) > SUMMARY_MAX_CHARS:
            return f"It is longer than {SUMMARY_MAX_CHARS} characters."
        return inventions((*texts, previous), answer.text)

    answer = _asked(model, "summary", fields, TextWire, check)
    return answer if isinstance(answer, Failed) else answer.text


def _asked(
    model: LanguageModel, task: str, fields: tuple[LlmField, ...], answer: type[T], check: Callable[[T], str] | None
) -> T | Failed:
    prompt = f"{task}.{_VERSIONS[task]}"
    outcome = model.complete(LlmAsk(task, prompt, prompt_text(prompt), fields, answer, check))
    return outcome.value if isinstance(outcome, LlmAnswer) else outcome


def _numbered(name: str, texts: Sequence[str]) -> tuple[LlmField, ...]:
    return tuple(LlmField(f"{name} {number}", text) for number, text in enumerate(texts, 1))


def _outside(numbers: Sequence[int], count: int) -> str:
    """Return a complaint if one of the numbers, counted from 1, belongs to no text; else ""."""
    return "" if all(number <= count for number in numbers) else "It names a memory that is not there."
