"""Recipe ``exocortex``: document A's recall and maintenance; the host's texts are stored as they are.

Similarities are (1 + cos)/2, as in its host (reading 16). Differences from the document: docs/agent-zero.md.
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

# Query expansion without a model.


WORDS = Path(__file__).with_name("exocortex_words")

_WORD = re.compile(r"\b\w+\b")
_TEXT_MAX = 20_000
"""Number of characters searched for keywords."""


@dataclass(frozen=True, slots=True)
class Expanding:
    """Settings of query expansion: at most ``max_keywords`` words longer than ``short`` letters, and which variants."""

    max_keywords: int = 12
    short: int = 2
    by_keywords: bool = True
    by_domain: bool = True


_PUBLISHED = Expanding()


def query_keywords(text: str, how: Expanding = _PUBLISHED) -> str:
    """Return the first keywords of a text: lower case, long enough, not stop words, separated by blanks."""
    text = text[:_TEXT_MAX]
    language = detect_language(text)
    stop = lists.words(f"stop-expansion.{language}", WORDS)
    found = (word for word in _WORD.findall(lower(text, language)) if word not in stop and len(word) > how.short)
    return " ".join(islice(found, how.max_keywords))


def expansion(text: str, domain: str = "", how: Expanding = _PUBLISHED) -> tuple[str, ...]:
    """Return the variants of a query: itself, its keywords, and "domain: keywords" if a domain is known.

    A query without keywords has no variants. With keywords switched off, the domain precedes the
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
    """Stage: add the cue's keywords as a query, and once more with its domain if known."""

    how: Expanding
    name: str = "expand"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the variants as queries."""
        made = expansion(quest.queries[0], quest.request.domain, self.how)
        return replace(quest, queries=made).noted(f"{len(made)} variants")


# Recall of ``exocortex``: document A, with the differences listed in docs/agent-zero.md.


EXPANDING = Expanding(max_keywords=12, short=2, by_keywords=True, by_domain=True)  # A1, A2
EXEMPT = frozenset({"load_bearing", "user_asserted", "confirmed"})  # A4
DECAY = Recency(half_life_hours=168.0, weight=0.15, floor=0.1, exempt=EXEMPT, scale=Scale.AGENT_ZERO)  # A3
RELATED = RelatedBoost(0.08)  # A5
BM25 = Bm25(k1=1.2, b=0.75, postings=20_000)
"""For installations without a model; the document has no text search."""


@dataclass(frozen=True, slots=True)
class Enhancement:
    """Parameters set by a host's configuration and its model's profile; a component that is None is skipped.

    Attributes:
        expanding: query expansion; None: only the query itself.
        each: number of memories per variant of the query.
        decay: weight of recency; None: similarity alone.
        related: boost for linked memories; None: no boost.
        max_injected: largest number of injected memories.
        similarity_threshold: least similarity, on the host's scale; None: no threshold.
        disabled_domains: domains in which nothing is injected.
    """

    expanding: Expanding | None = EXPANDING
    each: int = 8
    decay: Recency | None = DECAY
    related: RelatedBoost | None = RELATED
    max_injected: int = 5
    similarity_threshold: float | None = None
    disabled_domains: frozenset[str] = frozenset()


def read_path(how: Enhancement) -> ReadPath:
    """Build the read path: the stages in the document's order, without those switched off."""
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


# Encoding of ``exocortex``: the host's texts are stored as they are.


ENCODE = EncodeSettings(importance=0.5, utility=0.5, stability_days=1.0, accesses=0)
"""Document A defines only the access count; the other values are the engine's neutral ones."""


# Dream of ``exocortex``: document A's four passes in order (A9–A12, A14a), without a model.


DREAM = DreamSettings(
    period_hours=24.0,  # reading 25; another pass on the same day processes what is new
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
