"""How ``v9`` recalls: document D with the readings, in the order of D39; departures: docs/recipes.md.

With the stages that it alone has: routing by intent, hypothetical documents, decomposition of a question, sub-tiers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from math import inf

from reverie.formulas.scores import CompositeWeights, rrf
from reverie.formulas.tiers import HotEdges, UtilityWeights, weighted
from reverie.language.classify.question import is_first_person
from reverie.language.names.entities import entities
from reverie.language.text import lists, patterns
from reverie.language.text.analyzer import content, keywords
from reverie.language.text.letters import compose, detect_language, plain
from reverie.language.text.patterns import MASK, any_of, found, masked
from reverie.recall.deduplication import BelowFormed
from reverie.recall.gates import PreGate
from reverie.recall.pipeline import ReadPath
from reverie.recall.state import Candidate, Intent, Lane, RecallState, Stage
from reverie.recall.strengthen import StrengthenSettings
from reverie.recall.supersession import Supersession
from reverie.recipes.published.candidates import Bm25, Hybrid
from reverie.recipes.published.scores import (
    CoActivation,
    Composite,
    EntityBoost,
    EpisodeBoost,
    Mood,
    Scale,
    Since,
    SourceTrust,
    moved,
)
from reverie.recipes.published.selection import Bands, HotTier, Mmr, Newest, Route, UtilityBoost
from reverie.recipes.published.v9 import WORDS
from reverie.recipes.published.v9.emotion import emotion
from reverie.types import Kind, Memory, Tier

# What kind of question a text asks: for the retrieval router and for the hypothetical documents. By patterns.


class HydeIntent(StrEnum):
    """What the answer to a cue would look like."""

    DEFINITION = "definition"
    HOWTO = "howto"
    REASONING = "reasoning"
    LOOKUP = "lookup"
    TECHNICAL = "technical"
    PREFERENCE = "preference"
    GENERAL = "general"


def route(text: str) -> Intent:
    """The intent of a cue; of several the first of causal, preference, temporal, entity_profile, factual."""
    return Intent(patterns.label("route", text, WORDS) or Intent.GENERAL)


def hyde_intent(text: str) -> HydeIntent:
    """The intent the hypothetical documents are made for; "general" if no other shows."""
    return HydeIntent(patterns.label("hyde-intent", text, WORDS) or HydeIntent.GENERAL)


# Sub-tiers (D37): whose experience an episodic memory is, and what kind of knowledge a semantic one.


class SubTier(StrEnum):
    """The six sub-tiers."""

    PERSONAL = "personal"
    OBSERVED = "observed"
    VICARIOUS = "vicarious"
    SCHEMATIC = "schematic"
    PROCEDURAL = "procedural"
    FACTUAL = "factual"


def sub_tier(memory: Memory) -> SubTier:
    """Episodic by source (its user's, observed, another agent's), semantic by content (rule, procedure, fact)."""
    if memory.standing.tier is Tier.SEMANTIC:
        return _by_content(memory)
    sources = memory.standing.data_sources
    if sources[:1] == ("federation",):  # who told it first
        return SubTier.VICARIOUS
    return SubTier.PERSONAL if "user_message" in sources or memory.role == "user" else SubTier.OBSERVED


def _by_content(memory: Memory) -> SubTier:
    if memory.kind is Kind.PATTERN or patterns.found("schematic", memory.text, WORDS):
        return SubTier.SCHEMATIC
    if memory.kind is Kind.SKILL or patterns.found("procedural", memory.text, WORDS):
        return SubTier.PROCEDURAL
    return SubTier.FACTUAL


@dataclass(frozen=True, slots=True)
class SubTierBoost:
    """Multiplies by the factor of the memory's sub-tier (D37)."""

    factors: tuple[tuple[SubTier, float], ...]
    name: str = "sub-tier boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, boosted."""
        found, factors = list(quest.candidates), dict(self.factors)
        return moved(quest, found, (c.scaled("sub-tier", 1.0, factors[sub_tier(c.memory)]) for c in found))


# Hypothetical documents: what a memory that answers the question could say, from templates and without any model.


TOPIC_MAX = 500
"""Characters of the question that go into a document."""

_TOKEN = "{topic}"
_TASTE = re.compile(r"\A(?:like|love|enjoy|prefer|hate|dislike|favou?rite)(?:\s+|\Z)", re.IGNORECASE)
"""What the English templates of a taste say themselves: "like to drink" is asked as "to drink"."""
_ANYTHING = "this"
"""What is liked where a question names nothing."""


@dataclass(frozen=True, slots=True)
class Hyde:
    """Adds two or three hypothetical answers, made from templates by intent (D10)."""

    name: str = "expand"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state with its variants."""
        made = variants(quest.queries[0])
        return replace(quest, queries=(*quest.queries, *made)).noted(f"{len(made)} variants")


def variants(text: str) -> tuple[str, ...]:
    """Two or three hypothetical documents in the language of the question; none for a text without words."""
    topic = content(text).strip(" \t\n?!.,;:…")[:TOPIC_MAX]
    if not topic:
        return ()
    language, intent = detect_language(text), hyde_intent(text)
    if language == "en" and intent is HydeIntent.PREFERENCE:
        topic = _TASTE.sub("", topic) or _ANYTHING
    templates = _templates(language)[intent]
    return tuple(topic.join(parts) for parts in templates)  # joined, not formatted: what the user wrote is no template


@cache
def _templates(language: str) -> dict[HydeIntent, tuple[tuple[str, ...], ...]]:
    """Intent → its templates, each cut where the topic goes."""
    made: dict[HydeIntent, list[tuple[str, ...]]] = {}
    for entry in lists.entries(f"hyde-{language}", WORDS):
        intent, _, template = entry.partition(": ")
        made.setdefault(HydeIntent(intent), []).append(tuple(template.split(_TOKEN)))
    return {intent: tuple(templates) for intent, templates in made.items()}


# Decomposition of a question: two to four questions that can be searched for one by one, or the question alone.


PARTS_MAX = 4
TEXT_MAX = 600
"""Characters; a longer text is no question but a document, and is searched for as it is."""
NAMES_MAX = 200
"""Characters of a question that is asked once for each of two names."""

_QUESTION = re.compile(r"\?+[\s)\"”]*")
_AND = re.compile(r",? (?:and|ve|ile) ")
_BOTH = re.compile(r"\b[Bb]oth \Z")
_WORD = re.compile(r"[\w']+")


def sub_queries(text: str) -> tuple[str, ...]:
    """The two to four questions a text is made of; the text alone if it is one."""
    whole = compose(text).strip()
    if not whole or len(whole) > TEXT_MAX:
        return (text,)
    parts = [part for question in _questions(whole) for part in _by_connective(question)]
    if len(parts) == 1:
        parts = _by_names(whole)
    if len(parts) > PARTS_MAX:
        parts = [*parts[: PARTS_MAX - 1], " ".join(parts[PARTS_MAX - 1 :])]
    return tuple(parts) if len(parts) > 1 else (text,)


def _questions(text: str) -> list[str]:
    """The text cut after each question mark; what says nothing by itself stays with its neighbour."""
    cut: list[str] = []
    start = 0
    for mark in _QUESTION.finditer(masked(text)):
        cut.append(text[start : mark.end()].strip())
        start = mark.end()
    tail = text[start:].strip()
    if tail and cut:
        cut[-1] += " " + tail
    kept = cut[:1] or [text]
    for piece in cut[1:]:
        if _stands_alone(piece, named=False) and _stands_alone(kept[-1], named=False):
            kept.append(piece)
        else:
            kept[-1] += " " + piece
    return kept


def _stands_alone(piece: str, *, named: bool) -> bool:
    """Whether a piece can be searched for by itself: it has a content word, and a name or the asker where it speaks of
    somebody by pronoun, or where ``named`` asks of whom it speaks: "ve ne zaman gitti" does not say.
    """
    language = detect_language(piece)
    words = _WORD.findall(plain(piece))
    points_back = not lists.words(f"pronouns.{language}").isdisjoint(words)
    if not points_back and (not lists.words(f"asker.{language}", WORDS).isdisjoint(words) or is_first_person(piece)):
        return bool(keywords(piece))
    if points_back or (named and not _has_subject(piece, words, language)):
        return bool(entities(piece))
    return bool(keywords(piece))


def _has_subject(piece: str, words: list[str], language: str) -> bool:
    """Whether a question names its topic: in Turkish, a content word before the final verb."""
    return language == "en" or any(plain(word) != words[-1] for word in keywords(piece))


def _by_connective(question: str) -> list[str]:
    """A question cut where a second one is added to it: "and also", "ayrıca", "and where", "ve … nerede"."""
    words, language = plain(masked(question)), detect_language(question)
    for name, named in (("also", False), ("and-question", True)):
        pieces: list[str] = []
        start = 0
        for cut in any_of(f"{name}.{language}", WORDS).finditer(words):
            pieces.append(question[start : cut.start()].strip(" ,;"))
            start = cut.end()
        pieces.append(question[start:].strip())
        if len(pieces) > 1 and all(_asks(piece, language, named=named) for piece in pieces):
            return pieces
    return [question]


def _asks(piece: str, language: str, *, named: bool) -> bool:
    """Whether a part can be searched for alone and, if ``named`` is required, is a question itself."""
    is_question = (language == "en" and not named) or any_of(f"asks.{language}", WORDS).search(plain(piece)) is not None
    return is_question and _stands_alone(piece, named=named)


def _by_names(question: str) -> list[str]:
    """Two questions of one about two that are named: what A and B did gives what A did and what B did."""
    if not _may_ask_of_two(question):
        return [question]
    names = sorted(entities(question), key=len, reverse=True)
    for link in _AND.finditer(question):
        before, after = question[: link.start()], question[link.end() :]
        left = next((name for name in names if _ends_with(before, name)), "")
        right = next((name for name in names if after.startswith(name)), "")
        if left and right and left != right:
            head, tail = _BOTH.sub("", before[: -len(left)]), after[len(right) :]
            return [head + name + tail for name in (left, right)]
    return [question]


def _may_ask_of_two(question: str) -> bool:
    """Whether a question may be split: no quotation, not too long, and not about what two things share."""
    is_plain = len(question) <= NAMES_MAX and MASK not in masked(question)
    return is_plain and not found("of-two", question, WORDS) and found("asks", question, WORDS)


def _ends_with(before: str, name: str) -> bool:
    rest = before.removesuffix(name)
    return rest != before and not rest[-1:].isalnum() and not rest.endswith((", ", "-"))


# Decompose: a question that asks several things is looked for part by part, and the parts' answers are fused (D29).


@dataclass(frozen=True, slots=True)
class Decompose:
    """Runs the inner stages for each part of the cue; several rankings are fused by rank with ``k``.

    What stands equally high for different parts has one score: then meaning, utility and importance decide, by
    ``ties`` (D15).
    """

    stages: tuple[Stage, ...]
    k: int
    ties: UtilityWeights
    name: str = "decompose"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state with the candidates of all its parts, each once."""
        parts = sub_queries(quest.request.text)
        answers = [self._run(replace(quest, queries=(part,), notes=())) for part in parts]
        notes = tuple(note for answer in answers for note in answer.notes)
        if len(answers) == 1:
            return replace(answers[0], queries=quest.queries, notes=(*quest.notes, *notes))
        best: dict[str, Candidate] = {}
        for candidate in (candidate for answer in answers for candidate in answer.candidates):
            known = best.get(candidate.memory.id)
            best[candidate.memory.id] = candidate if known is None else _surer(known, candidate)
        ranks = rrf([[candidate.memory.id for candidate in answer.candidates] for answer in answers], self.k)
        fused = [best[memory_id].rescored("parts", score, score) for memory_id, score in ranks.items()]
        told = f"{len(parts)} parts: {' | '.join(parts)}"
        first = sorted(fused, key=lambda one: (-one.score, -self._worth(one), one.ordinal))
        return replace(quest, candidates=first, notes=(*quest.notes, told, *notes))

    def _worth(self, candidate: Candidate) -> float:
        life, alike = candidate.memory.standing, candidate.alike
        meaning = candidate.likeness if alike is None else alike
        return float(weighted(meaning, life.utility, life.importance, self.ties))

    def _run(self, quest: RecallState) -> RecallState:
        for stage in self.stages:
            before = len(quest.notes)
            quest = stage(quest)
            named = tuple(f"{stage.name}: {note}" for note in quest.notes[before:])
            quest = replace(quest, notes=(*quest.notes[:before], *named))
        return quest


def _surer(one: Candidate, other: Candidate) -> Candidate:
    """Of one memory found for two parts the more similar: how sure we are is how well it answers either."""
    return one if (one.alike or 0.0, one.likeness) >= (other.alike or 0.0, other.likeness) else other


# How ``v9`` recalls: document D with the readings, in the order of D39; departures: docs/recipes.md.


_PERMANENT = 0.0
LANES = (
    (Intent.FACTUAL, Lane(vector=0.6, text=0.4, limit=10, utility=0.2)),
    (Intent.TEMPORAL, Lane(vector=0.4, text=0.6, limit=15, latest=True)),
    (Intent.CAUSAL, Lane(vector=0.3, text=0.3, graph=0.4, limit=20, hops=2)),
    (Intent.ENTITY_PROFILE, Lane(vector=0.5, text=0.5, limit=15, utility=0.3, hub=True)),
    (Intent.PREFERENCE, Lane(vector=0.5, text=0.5, limit=10, kinds=(Kind.PREFERENCE, Kind.CORRECTION))),
    (Intent.GENERAL, Lane(vector=0.5, text=0.5, limit=10)),
)
"""D18's later table; "causal" leaves .4 of its weight to the graph (reading 4)."""

BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""The document names no constants: those of the field."""

DECAY = (
    (Kind.PREFERENCE, _PERMANENT),
    (Kind.INSTRUCTION, _PERMANENT),  # the document has no such category; what a person asks for always is a preference
    (Kind.ENTITY, _PERMANENT),
    (Kind.CORRECTION, _PERMANENT),
    (Kind.FACT, 0.005),
    (Kind.DECISION, 0.02),
)
COMPOSITE = Composite(
    CompositeWeights(similarity=0.4, activation=0.3, importance=0.15, fused=0.15),
    since=Since.ACCESS,
    scale=Scale.COSINE,
    decay_per_day=DECAY,
    other_decay=0.05,
)
"""D6's weights, D7's age, D8's rates."""

SUB_TIERS = SubTierBoost(
    (
        (SubTier.PERSONAL, 1.1),
        (SubTier.OBSERVED, 1.0),
        (SubTier.VICARIOUS, 0.9),
        (SubTier.SCHEMATIC, 1.1),
        (SubTier.PROCEDURAL, 1.05),
        (SubTier.FACTUAL, 1.0),
    )
)
"""D37."""

STRENGTHEN = StrengthenSettings(
    recall_factor=1.0,
    hebbian=0.02,
    spreading=0.02,
    neighbours=50,
    easy=0.02,
    hard=0.2,
    tip_storage=3.0,
    tip_retrieval=0.3,
)
"""D31 and D13's 2 %; how storage grows (D2): decision 0008."""

RECALL = ReadPath(
    stages=(
        PreGate(always=True),  # D23
        Route(LANES, route),
        Decompose(  # D29
            (
                Hyde(),  # D10; its vectors come through the cache (D24)
                Hybrid(overfetch=3, k=60, bm25=BM25),  # D6
                COMPOSITE,
                EntityBoost(0.1),  # D6
                EpisodeBoost(0.15),  # D6
                SUB_TIERS,
                CoActivation(least=3, boost=0.05),  # D31
                Mood(1.1, lambda cue: emotion(cue).valence),  # D32
                UtilityBoost(),  # D18
                SourceTrust(threshold=0.3, least=0.5),  # D22, decision 0010
            ),
            k=60,
            ties=UtilityWeights(semantic=0.6, utility=0.2, importance=0.2),  # D15
        ),
        Bands(full=0.7, summary=0.4),  # D26
        Mmr(0.7),  # D9
        Supersession(times=2),  # reading 26: an episode stands below what superseded what was formed of it, too
        BelowFormed(),  # reading 26
        Newest(),  # D18
        HotTier(  # D36
            HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=inf), most=15, minutes=5.0
        ),
    ),
    strengthen=STRENGTHEN,
)
"""The Hebbian changes are committed once it is known what was injected (reading 24)."""
