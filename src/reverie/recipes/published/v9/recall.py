"""Recall settings of ``v9``: document D with the readings, in its order; differences: docs/recipes.md.

Also the stages that only it has: query routing, hypothetical documents, decomposition, sub-tiers.
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

# Classification of cues by patterns, for query routing and for hypothetical documents.


class HydeIntent(StrEnum):
    """Form of the answer to a cue."""

    DEFINITION = "definition"
    HOWTO = "howto"
    REASONING = "reasoning"
    LOOKUP = "lookup"
    TECHNICAL = "technical"
    PREFERENCE = "preference"
    GENERAL = "general"


def route(text: str) -> Intent:
    """Classify a cue's intent; of several the first of causal, preference, temporal, entity_profile, factual."""
    return Intent(patterns.label("route", text, WORDS) or Intent.GENERAL)


def hyde_intent(text: str) -> HydeIntent:
    """Classify a cue for its hypothetical documents; "general" if no other intent shows."""
    return HydeIntent(patterns.label("hyde-intent", text, WORDS) or HydeIntent.GENERAL)


# Sub-tiers (D37): source of an episodic memory, type of knowledge of a semantic one.


class SubTier(StrEnum):
    """The six sub-tiers."""

    PERSONAL = "personal"
    OBSERVED = "observed"
    VICARIOUS = "vicarious"
    SCHEMATIC = "schematic"
    PROCEDURAL = "procedural"
    FACTUAL = "factual"


def sub_tier(memory: Memory) -> SubTier:
    """Return the sub-tier: episodic by source (user, observed, other agent), semantic by content (rule, procedure,
    fact).
    """
    if memory.standing.tier is Tier.SEMANTIC:
        return _by_content(memory)
    sources = memory.standing.data_sources
    if sources[:1] == ("federation",):  # the first source
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
    """Stage: multiply a score by the factor of the memory's sub-tier."""

    factors: tuple[tuple[SubTier, float], ...]
    name: str = "sub-tier boost"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with boosted candidates."""
        found, factors = list(quest.candidates), dict(self.factors)
        return moved(quest, found, (c.scaled("sub-tier", 1.0, factors[sub_tier(c.memory)]) for c in found))


# Hypothetical documents: possible answers from templates, without a model.


TOPIC_MAX = 500
"""Number of characters of the question used in a document."""

_TOKEN = "{topic}"
_TASTE = re.compile(r"\A(?:like|love|enjoy|prefer|hate|dislike|favou?rite)(?:\s+|\Z)", re.IGNORECASE)
"""Words that the English templates of a taste contain themselves: of "like to drink" only "to drink" is used."""
_ANYTHING = "this"
"""Topic of a question about tastes that names none."""


@dataclass(frozen=True, slots=True)
class Hyde:
    """Stage: add two or three hypothetical answers from templates, by intent."""

    name: str = "expand"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the variants."""
        made = variants(quest.queries[0])
        return replace(quest, queries=(*quest.queries, *made)).noted(f"{len(made)} variants")


def variants(text: str) -> tuple[str, ...]:
    """Return two or three hypothetical documents in the question's language; none for a text without words."""
    topic = content(text).strip(" \t\n?!.,;:…")[:TOPIC_MAX]
    if not topic:
        return ()
    language, intent = detect_language(text), hyde_intent(text)
    if language == "en" and intent is HydeIntent.PREFERENCE:
        topic = _TASTE.sub("", topic) or _ANYTHING
    templates = _templates(language)[intent]
    return tuple(topic.join(parts) for parts in templates)  # joined, not formatted: the user's text may contain braces


@cache
def _templates(language: str) -> dict[HydeIntent, tuple[tuple[str, ...], ...]]:
    """Return intent → templates, each split at the topic."""
    made: dict[HydeIntent, list[tuple[str, ...]]] = {}
    for entry in lists.entries(f"hyde-{language}", WORDS):
        intent, _, template = entry.partition(": ")
        made.setdefault(HydeIntent(intent), []).append(tuple(template.split(_TOKEN)))
    return {intent: tuple(templates) for intent, templates in made.items()}


# Decomposition of a question into two to four questions.


PARTS_MAX = 4
TEXT_MAX = 600
"""Longest text that is split, in characters: a longer one is a document."""
NAMES_MAX = 200
"""Longest question that is asked once for each of two names, in characters."""

_QUESTION = re.compile(r"\?+[\s)\"”]*")
_AND = re.compile(r",? (?:and|ve|ile) ")
_BOTH = re.compile(r"\b[Bb]oth \Z")
_WORD = re.compile(r"[\w']+")


def sub_queries(text: str) -> tuple[str, ...]:
    """Split a text into its two to four questions; a single question is returned as it is."""
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
    """Split a text after each question mark; a part that is not self-contained stays with its neighbour."""
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
    """Whether a part can be searched alone: it has a content word, and a name (or the asker) if it has a pronoun or if
    ``named`` requires its subject, which "ve ne zaman gitti" lacks.
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
    """Whether a question names its subject; in Turkish by a content word before the verb at the end."""
    return language == "en" or any(plain(word) != words[-1] for word in keywords(piece))


def _by_connective(question: str) -> list[str]:
    """Split a question where a second one is added: "and also", "ayrıca", "and where", "ve … nerede"."""
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
    """Whether a part can be searched alone and, with ``named``, is a question of its own."""
    is_question = (language == "en" and not named) or any_of(f"asks.{language}", WORDS).search(plain(piece)) is not None
    return is_question and _stands_alone(piece, named=named)


def _by_names(question: str) -> list[str]:
    """Split a question about two names into two: what A and B did becomes what A did and what B did."""
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
    """Whether a question may be split by names: not a quotation, not long, not about what two have in common."""
    is_plain = len(question) <= NAMES_MAX and MASK not in masked(question)
    return is_plain and not found("of-two", question, WORDS) and found("asks", question, WORDS)


def _ends_with(before: str, name: str) -> bool:
    rest = before.removesuffix(name)
    return rest != before and not rest[-1:].isalnum() and not rest.endswith((", ", "-"))


# Decomposition as a stage (D29).


@dataclass(frozen=True, slots=True)
class Decompose:
    """Stage: run the inner stages for each part of the cue, and fuse their rankings by reciprocal rank with ``k``.

    Ties between parts are broken by similarity, utility and importance, weighted by ``ties``.
    """

    stages: tuple[Stage, ...]
    k: int
    ties: UtilityWeights
    name: str = "decompose"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the candidates of all parts, without repetition."""
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
    """Return the more similar of two candidates for the same memory, since it answers either part."""
    return one if (one.alike or 0.0, one.likeness) >= (other.alike or 0.0, other.likeness) else other


# Settings.


_PERMANENT = 0.0
LANES = (
    (Intent.FACTUAL, Lane(vector=0.6, text=0.4, limit=10, utility=0.2)),
    (Intent.TEMPORAL, Lane(vector=0.4, text=0.6, limit=15, latest=True)),
    (Intent.CAUSAL, Lane(vector=0.3, text=0.3, graph=0.4, limit=20, hops=2)),
    (Intent.ENTITY_PROFILE, Lane(vector=0.5, text=0.5, limit=15, utility=0.3, hub=True)),
    (Intent.PREFERENCE, Lane(vector=0.5, text=0.5, limit=10, kinds=(Kind.PREFERENCE, Kind.CORRECTION))),
    (Intent.GENERAL, Lane(vector=0.5, text=0.5, limit=10)),
)
"""D18's later table; "causal" gives .4 of its weight to the graph (reading 4)."""

BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""The document names no constants; these are the usual ones."""

DECAY = (
    (Kind.PREFERENCE, _PERMANENT),
    (Kind.INSTRUCTION, _PERMANENT),  # not a category of the document, which treats standing wishes as preferences
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
"""D31 and D13's 2 %; growth of storage strength: decision 0008."""

RECALL = ReadPath(
    stages=(
        PreGate(always=True),  # D23
        Route(LANES, route),
        Decompose(  # D29
            (
                Hyde(),  # D10; vectors come from the cache (D24)
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
        Supersession(times=2),  # reading 26: also ranks an episode below what superseded a memory formed of it
        BelowFormed(),  # reading 26
        Newest(),  # D18
        HotTier(  # D36
            HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=inf), most=15, minutes=5.0
        ),
    ),
    strengthen=STRENGTHEN,
)
"""Hebbian changes are committed when it is known what was injected (reading 24)."""
