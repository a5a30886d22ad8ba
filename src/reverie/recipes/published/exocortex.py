"""The recipe ``exocortex``: document A's recall and maintenance; what its host hands over is kept as it is.

Similarities are (1 + cos)/2, its host's (reading 16). Differences from the document: docs/agent-zero.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from reverie.consolidate.settings import ClusterCandidates, Deduplication, Dormancy, DreamSettings, Links, StepName
from reverie.encode.settings import EncodeSettings
from reverie.language.text import lists
from reverie.language.text.letters import detect_language, lower
from reverie.recall.pipeline import ReadPath
from reverie.recall.state import RecallState, Stage
from reverie.recipes.published.candidates import Bm25, Nearest
from reverie.recipes.published.scores import Recency, RelatedBoost, Scale
from reverie.recipes.published.selection import DomainGate, Threshold

# Query expansion without a model: the query itself, its keywords, and its keywords under the domain they belong to.


WORDS = Path(__file__).with_name("exocortex_words")

_WORD = re.compile(r"\b\w+\b")
_TEXT_MAX = 20_000
"""Characters that are looked at for keywords."""


@dataclass(frozen=True, slots=True)
class Expanding:
    """How a query is expanded: ``max_keywords`` words of more than ``short`` letters, and which variants are made."""

    max_keywords: int = 12
    short: int = 2
    by_keywords: bool = True
    by_domain: bool = True


_PUBLISHED = Expanding()


def query_keywords(text: str, how: Expanding = _PUBLISHED) -> str:
    """The first words of a text, in lower case, that are long enough and not on the stop list, with blanks between."""
    text = text[:_TEXT_MAX]
    language = detect_language(text)
    stop = lists.words(f"stop-expansion.{language}", WORDS)
    found = (word for word in _WORD.findall(lower(text, language)) if word not in stop and len(word) > how.short)
    return " ".join(islice(found, how.max_keywords))


def expansion(text: str, domain: str = "", how: Expanding = _PUBLISHED) -> tuple[str, ...]:
    """The variants of a query: as it is, its keywords, and "domain: keywords"; two if no domain is known.

    A query without any keyword is searched for as it is alone. With keywords switched off the domain stands before the
    whole query.
    """
    keywords = query_keywords(text, how) if how.by_keywords else text
    if not keywords.strip():
        return (text,)
    domain = domain.strip()
    made = [text]
    if how.by_keywords:
        made.append(keywords)
    if how.by_domain and domain:
        made.append(f"{domain}: {keywords}")
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Keywords:
    """Adds the cue's keywords, and these with its domain where one is known (A1, A2)."""

    how: Expanding
    name: str = "expand"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state with its variants."""
        made = expansion(quest.queries[0], quest.request.domain, self.how)
        return replace(quest, queries=made).noted(f"{len(made)} variants")


# How ``exocortex`` recalls: document A, with the differences that docs/agent-zero.md lists.


EXPANDING = Expanding(max_keywords=12, short=2, by_keywords=True, by_domain=True)  # A1, A2
EXEMPT = frozenset({"load_bearing", "user_asserted", "confirmed"})  # A4
DECAY = Recency(half_life_hours=168.0, weight=0.15, floor=0.1, exempt=EXEMPT, scale=Scale.AGENT_ZERO)  # A3
RELATED = RelatedBoost(0.08)  # A5
BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""Where there is no model; the document knows no text search."""


@dataclass(frozen=True, slots=True)
class Enhancement:
    """What a host's configuration and its model's profile may set; a component that is None is skipped (A6, A13).

    Attributes:
        expanding: how a query is expanded; None: it is searched for as it is.
        each: memories a variant of the query brings.
        decay: how age weighs; None: similarity alone counts.
        related: what a link lifts; None: nothing.
        max_injected: the profile's, else five.
        similarity_threshold: the profile's, on the host's scale; None: there is none.
        disabled_domains: the profile's: where nothing is injected.
    """

    expanding: Expanding | None = EXPANDING
    each: int = 8
    decay: Recency | None = DECAY
    related: RelatedBoost | None = RELATED
    max_injected: int = 5
    similarity_threshold: float | None = None
    disabled_domains: frozenset[str] = frozenset()


def read_path(how: Enhancement) -> ReadPath:
    """The stages in the document's order, without those that are switched off."""
    threshold = how.similarity_threshold
    stages: tuple[Stage | None, ...] = (
        DomainGate(how.disabled_domains) if how.disabled_domains else None,
        Keywords(how.expanding) if how.expanding else None,
        Nearest(BM25, each=how.each),
        Threshold(threshold, Scale.AGENT_ZERO) if threshold is not None else None,
        how.decay,
        how.related,
    )
    return ReadPath(stages=tuple(stage for stage in stages if stage is not None), limit=how.max_injected)


RECALL = read_path(Enhancement())


# How ``exocortex`` encodes: what its host hands over is kept as it is; document A adds nothing on the way in.


ENCODE = EncodeSettings(importance=0.5, utility=0.5, stability_days=1.0, accesses=0)
"""Document A has none of the four but the count; the others are the engine's neutral values."""


# How ``exocortex`` maintains: document A's four passes in its order (A9–A12, A14a). No model is ever asked.


DREAM = DreamSettings(
    period_hours=24.0,  # reading 25; a further pass of the day takes up what came since
    order=(StepName.DEDUPLICATION, StepName.LINKS, StepName.COMPANY, StepName.DORMANCY),  # A14a
    deduplication=Deduplication(
        above=0.90,  # A11, on the host's scale (reading 16): a cosine of .80
        limit=20,  # A11
        nearest=5,  # A14a
        auto_deprecate_inferred=True,  # A14a
        asserted=("user_message",),
        load_bearing="load_bearing",
    ),
    links=Links(least_shared=3, limit=10),  # A10
    company=ClusterCandidates(above=5),  # A9
    dormancy=Dormancy(threshold_cycles=30.0, cycle_days=1.0),  # A12; the document leaves the number to the host
)
