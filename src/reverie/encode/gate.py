"""Gate: what becomes of a thought beside what is known: created, merged, said again, taking back, or nothing.

In: a thought, its neighbours and its provisional importance. Out: a verdict with its reason and the memories concerned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from reverie.encode.laying import Origin
from reverie.encode.nearest import Near
from reverie.encode.partly import holds_more
from reverie.encode.settings import GateSettings, Merging
from reverie.encode.thoughts import Thought
from reverie.formulas.prediction_error import Verdict, decide, prediction_error
from reverie.language.agreement import Agreement, agrees
from reverie.language.contradiction import Contradiction, contradicts
from reverie.language.dating import dated
from reverie.language.question import is_first_person
from reverie.types import PEOPLE, Episode, Memory, Role

APPENDED_MAX = 2_000
"""Characters an appended memory may reach: what is longer is read by no rule of agreement and meant by no vector."""
_PERSON = "entity://person/"
_RESPECTS = tuple(field.name for field in fields(Agreement))


@dataclass(frozen=True, slots=True)
class Passage:
    """A verdict and why; the memories it updates, supersedes, reinforces or, where it creates, speaks against.

    ``late``: the thought is the older side of a contradiction; it was said before what is known, and learned after.
    """

    verdict: Verdict
    why: str
    targets: tuple[Memory, ...] = ()
    late: bool = False

    @property
    def target(self) -> Memory | None:
        """The first of them."""
        return self.targets[0] if self.targets else None


@dataclass(frozen=True, slots=True)
class _Against:
    """A memory that a thought contradicts, how, whether the memory is the later side, and whether the rest holds."""

    memory: Memory
    how: Contradiction
    late: bool
    partly: bool

    @property
    def why(self) -> str:
        return f"{self.how.reason}: {self.how.subject}: {self.how.was} → {self.how.now}"

    @property
    def protected(self) -> bool:
        return self.memory.standing.immutable or self.memory.standing.pinned


def gate(
    thought: Thought, origin: Origin, near: Sequence[Near], importance: float, settings: GateSettings | None
) -> Passage:
    """Decide about one thought of what was said.

    Only people take something back, and who has something kept on purpose: the rules misread prose. Nobody takes back
    what the person said but the person, nor is anything of others' written into it.
    """
    if settings is None:
        return Passage(Verdict.CREATE, "the recipe has no gate")
    if settings.contradictions and (origin.episode.role in PEOPLE or origin.deliberate):
        against = _against(thought, origin, near)
        if against:
            return _taking_back(against)
    if not near:
        return Passage(Verdict.CREATE, "nothing like it is known")
    passage = _by_similarity(thought, origin.episode, near[0], importance, settings)
    if passage.verdict is Verdict.SKIP and origin.deliberate:
        return Passage(Verdict.CREATE, f"{passage.why}; somebody asked to have it remembered")
    return passage


def _taking_back(against: Sequence[_Against]) -> Passage:
    """What is taken back; one that was said later stands above this.

    A memory that is protected stays, and one that says more than what is taken back: both stand beside each other.
    """
    for one in against:
        if one.late:
            return Passage(Verdict.SUPERSEDE, f"said before {one.memory.id} ({one.why})", (one.memory,), late=True)
    free = [one for one in against if not (one.protected or one.partly)]
    if not free:
        first = against[0]
        what = "is protected" if first.protected else "says more that holds"
        why = f"contradicts {first.memory.id}, which {what} ({first.why})"
        return Passage(Verdict.CREATE, why, tuple(one.memory for one in against))
    return Passage(Verdict.SUPERSEDE, "; ".join(one.why for one in free), tuple(one.memory for one in free))


def _by_similarity(thought: Thought, said: Episode, best: Near, importance: float, settings: GateSettings) -> Passage:
    speaker = said.speaker
    verdict = decide(best.similarity, importance, False, settings.edges)
    error = f"prediction error {prediction_error(best.similarity):.3f} to {best.memory.id}, importance {importance:.2f}"
    if verdict is Verdict.CREATE:
        return Passage(verdict, error)
    if best.memory.speaker != speaker and is_first_person(thought.part):
        return Passage(Verdict.CREATE, f"{error}; they differ in who speaks")
    if settings.agree and (apart := _apart(best.memory, thought, speaker)):  # no cosine is enough: decision 0015
        return Passage(Verdict.CREATE, f"{error}; they differ in {apart}")
    if verdict is Verdict.SKIP:
        return Passage(verdict, error)
    if best.memory.standing.immutable:
        return _beside_immutable(verdict, error)
    if verdict is Verdict.UPDATE and (best.memory.role is Role.USER) != (said.role is Role.USER):
        return Passage(Verdict.CREATE, f"{error}; the person said one of them and somebody else the other")
    if verdict is Verdict.UPDATE and (hindered := _hindered(best.memory, thought, settings)):
        return Passage(Verdict.CREATE, f"{error}; {hindered}")
    return Passage(verdict, error, (best.memory,))


def _beside_immutable(verdict: Verdict, error: str) -> Passage:
    """An immutable memory is not touched: what it says already is not said twice, what adds to it stands beside it."""
    if verdict is Verdict.REINFORCE:
        return Passage(Verdict.SKIP, f"{error}; that one is immutable and says it already")
    return Passage(Verdict.CREATE, f"{error}; that one is immutable")


def _hindered(old: Memory, thought: Thought, settings: GateSettings) -> str:
    """Why a memory must not take up a thought; empty: it may."""
    if settings.merging is Merging.NEWER:
        return "that one is pinned, and its words would go" if old.standing.pinned else ""
    return "together they are too long" if len(old.text) + len(thought.text) >= APPENDED_MAX else ""


def _apart(memory: Memory, thought: Thought, speaker: str) -> str:
    """In what a memory and a thought do not agree; empty: in nothing. Two people's "I" are two people."""
    one, other = memory.text, thought.text
    if memory.speaker != speaker and is_first_person(one):
        return "who speaks"
    agreement = agrees(one, other)
    apart = ", ".join(respect for respect in _RESPECTS if not getattr(agreement, respect))
    return apart or ("what they claim" if contradicts(one, other) else "")


def _against(thought: Thought, origin: Origin, near: Sequence[Near]) -> list[_Against]:
    """The neighbours, said by the same person, that the thought contradicts, the nearest first."""
    found: list[_Against] = []
    for one in (one for one in near if _of_one(one.memory, origin.episode)):
        late = one.memory.at > origin.episode.at
        new = dated(thought.part, origin.episode.at).text if one.said else thought.text
        pair = (new, one.words) if late else (one.words, new)
        if how := contradicts(*pair):
            partly = not late and holds_more(one.words, new, how)
            found.append(_Against(one.memory, how, late, partly))
    return [] if _may_be_either(thought, found) else found


def _of_one(memory: Memory, said: Episode) -> bool:
    """Whether the same one said both; a tool that is called like the person is not the person."""
    return memory.speaker == said.speaker and (memory.role is Role.USER) == (said.role is Role.USER)


def _may_be_either(thought: Thought, against: Sequence[_Against]) -> bool:
    """Whether what names nobody speaks against what is known of several people: of two sisters either may be meant."""
    people = {frozenset(name for name in one.memory.entities if name.startswith(_PERSON)) for one in against}
    return len(people) > 1 and not any(name.startswith(_PERSON) for name in thought.entities)
