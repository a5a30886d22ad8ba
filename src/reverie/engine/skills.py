"""Skill memory: record runs of skills, say how each skill performs, and find the runs that answer what worked.

A run is an episode, so that journal, export, erasure and scope hold for it as for any message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from math import log
from typing import TYPE_CHECKING

from reverie.answers import Decision, Receipt
from reverie.consolidate.runs import (
    SESSION,
    RecordedRun,
    RunOutcome,
    SkillRecord,
    SkillRun,
    accepted,
    grouped,
    own_id,
    records,
    runs_of,
)
from reverie.consolidate.skills import BOUND, LEAST, RUNS_MAX
from reverie.engine.context import Context, is_protected
from reverie.engine.erasure import terms
from reverie.engine.requests import actor, require_count, require_member, require_scope, require_words
from reverie.errors import Conflict
from reverie.events import Action, Changed, alteration
from reverie.ports import info_of
from reverie.types import (
    BY_RUN,
    KIND_CODES,
    RECALLED_STATES,
    SKILL_CARD,
    TOOL_SPEAKER,
    Kind,
    Memory,
    Message,
    Role,
    Scope,
    State,
)

if TYPE_CHECKING:
    from reverie.encode.pipeline import Prepared

LIMIT_MAX = 10_000
_BEGINNING = 4
"""Letters that two words have to begin with to be forms of one: deploy and deployed, dağıtım and dağıtırken."""


class SkillMemory:
    """Collaborator for runs of skills: records them, counts them, and finds them."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def record_run(self, run: SkillRun, scope: Scope) -> Receipt:
        """Record one run of a skill, on disk before returning; a repeated report of the same run changes nothing.

        Secrets are masked in every field, and a run that gives orders to a model goes into quarantine and does not
        count. A run that ends in the future counts as of now; the receipt's decisions say so.

        Raises:
            InvalidInput: the skill has no name, or a field has the wrong type or cannot be stored.
            Conflict: the scope has a run of this id with other values.
        """
        from reverie.encode.pipeline import Incoming, WriteContext, commit

        require_scope(scope)
        kept, now = accepted(run, self._masked), self._context.clock.now()
        name = kept.id or (own_id(kept) if kept.at else self._context.ids.new_id(now))
        kept, decisions = _in_time(replace(kept, id=name), run, now)
        prepared = self._prepared(kept, decisions)
        (vector,) = self._context.vectors([kept.text])
        model = info_of(self._context.embedder)
        hand = WriteContext(scope, now, self._context.ids, actor(scope), "said", model, write_source=BY_RUN)
        with self._context.locks.of(scope), self._context.store.begin(scope, durable=True) as tx:
            receipt, _ = commit(tx, Incoming(prepared, vector), hand)
        if receipt.conflict:
            raise Conflict(
                f"Run {name!r} is already recorded with other values.",
                "Give the other run an id of its own, or leave the id out.",
            )
        if receipt.new and kept.outcome is RunOutcome.FAILED:
            self._withdraw(scope, now)
        self._context.embed_later()
        return receipt

    def runs(
        self,
        scope: Scope,
        *,
        skill: str | None = None,
        context: str | None = None,
        outcome: RunOutcome | str | None = None,
        limit: int = 20,
    ) -> list[RecordedRun]:
        """Return recorded runs, newest first; those of a renamed skill have its present name.

        Args:
            scope: whose memory.
            skill: of this skill only, by its present name.
            context: in this context only.
            outcome: with this outcome only.
            limit: most runs, from 1.

        Raises:
            InvalidInput: there is no such outcome.
        """
        require_count("limit", limit, 1, LIMIT_MAX)
        wanted = None if outcome is None else require_member("outcome", RunOutcome, outcome)
        found = [
            run
            for run in self._runs(scope)
            if skill in (None, run.skill) and context in (None, run.context) and wanted in (None, run.outcome)
        ]
        return found[: -limit - 1 : -1]

    def skills(self, scope: Scope, *, context: str | None = None) -> list[SkillRecord]:
        """Return how each skill performed in each context, the highest lower bound of its success rate first.

        ``context``: in this context only.
        """
        return [record for record in records(self._runs(scope)) if context in (None, record.context)]

    def what_worked(self, question: str, scope: Scope, *, limit: int = 5) -> list[RecordedRun]:
        """Return the successful runs that a question such as "what worked the last time I deployed?" asks for.

        English and Turkish. The skill and context that share most with the question's words come first, rare words
        counting more, and of one skill and context the newest run; a run that shares no word is left out.
        """
        require_words("The question", question)
        require_count("limit", limit, 1, LIMIT_MAX)
        worked = [run for run in self._runs(scope) if run.outcome is RunOutcome.SUCCEEDED]
        asked = terms(question)
        texts = {run: _words(run) for run in worked}
        counts = Counter(word for words in texts.values() for word in words)
        rated = [(_rate(asked, texts[run], counts, len(worked)), at, run) for at, run in enumerate(worked)]
        best: dict[tuple[str, str], float] = {}
        for rate, _, run in rated:
            best[run.skill, run.context] = max(rate, best.get((run.skill, run.context), 0.0))
        chosen = [one for one in rated if one[0] > 0.0]
        chosen.sort(key=lambda one: (-best[one[2].skill, one[2].context], one[2].skill, one[2].context, -one[1]))
        return [run for _, _, run in chosen[:limit]]

    def _runs(self, scope: Scope) -> list[RecordedRun]:
        require_scope(scope)
        with self._context.locks.of(scope):
            return runs_of(self._context.store.memories(scope, session=SESSION), self._context.clock.now())

    def _masked(self, words: str) -> str:
        return self._context.masked(words) if words else words

    def _prepared(self, run: RecordedRun, decisions: tuple[Decision, ...]) -> Prepared:
        """Return the run as a screened message; its fields were masked one by one, so that a digest stays whole."""
        from reverie.encode.pipeline import Prepared

        is_open = run.outcome is RunOutcome.UNFINISHED
        message_id = f"skill-run:{run.id}" + (":open" if is_open else "")
        message = Message(run.text, TOOL_SPEAKER, Role.TOOL, SESSION, run.at, message_id)
        return Prepared(message, self._held_back(run.text), decisions=decisions)

    def _held_back(self, text: str) -> str:
        """Return why a text goes into quarantine; "" if it does not."""
        settings = self._context.parts.screen
        if settings is None or not settings.quarantine:
            return ""
        from reverie.screen.pipeline import screen

        return screen(text, settings, Role.TOOL).quarantine or ""

    def _withdraw(self, scope: Scope, now: datetime) -> None:
        """Make the cards dormant whose skill has fallen below the bound since they were made."""
        cards = [one for one in self._cards(scope) if one.holds_at(now)]
        good = self._dependable(scope) if cards else set()
        below = [one for one in cards if one.standing.tags[1:3] not in good]
        changes = tuple(alteration(one, "below its bound", state=State.DORMANT) for one in below)
        if changes:
            self._context.append(scope, Action.CHANGE, "below its bound", Changed(changes))

    def _dependable(self, scope: Scope) -> set[tuple[str, ...]]:
        """Return the skills and contexts whose latest runs, those that a card is made of, reach the bound."""
        law = self._context.recipe.dream.skills
        bound = BOUND if law is None else law.bound
        latest = (run for own in grouped(self._runs(scope)).values() for run in own[-RUNS_MAX:])
        found = (one for one in records(latest) if one.lower >= bound and one.runs >= LEAST)
        return {(one.skill, one.context) for one in found}

    def _cards(self, scope: Scope) -> list[Memory]:
        """Return the cards that are offered in recall, without those that are pinned or immutable."""
        with self._context.locks.of(scope):
            corpus = self._context.store.corpus(scope, None)
            found = corpus.fetch((corpus.kinds == KIND_CODES[Kind.SKILL]).nonzero()[0].tolist())
        made = [one for one in found if one.is_dreamt and one.standing.tags[:1] == (SKILL_CARD,)]
        return [one for one in made if one.standing.state in RECALLED_STATES and not is_protected(one)]


def _in_time(run: RecordedRun, given: SkillRun, now: datetime) -> tuple[RecordedRun, tuple[Decision, ...]]:
    """Return the run with an end that is not in the future, and what was left out because of the clocks."""
    decisions = []
    if run.at is not None and run.at > now:
        decisions.append(Decision("clock", "clamped", "the run ends in the future, so it counts as of now"))
        run = replace(run, at=now)
    if given.began is not None and run.took_s is None:
        decisions.append(Decision("clock", "left out", "how long the run took: its beginning or end cannot be right"))
    return run, tuple(decisions)


def _words(run: RecordedRun) -> frozenset[str]:
    return frozenset(terms(" ".join((run.skill, run.context, run.version, *run.steps))))


def _rate(asked: Iterable[str], words: Iterable[str], counts: Counter[str], size: int) -> float:
    """Return how much a run shares with a question: the sum over its words of log(1 + runs / runs with the word)."""
    shared = [word for word in words if any(_is_same(word, other) for other in asked)]
    return sum(sorted(log(1.0 + size / counts[word]) for word in shared))


def _is_same(word: str, other: str) -> bool:
    """Whether two stems are of one word: equal, or equal in their beginnings and different in the endings alone."""
    if word == other:
        return True
    least = min(len(word), len(other))
    return least >= _BEGINNING and word[: max(_BEGINNING, least - 2)] == other[: max(_BEGINNING, least - 2)]
