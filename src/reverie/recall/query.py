"""A text becomes a query: its terms, language, people, time, whom it asks about, and its vectors.

In: the text of a cue. Out: a ``Cue``, and the vectors it is searched by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from reverie.formulas.centring import unit
from reverie.language.classify import question
from reverie.language.classify.question import without_speakers
from reverie.language.names import entities
from reverie.language.text import analyzer
from reverie.language.text.analyzer import content
from reverie.language.text.detect import detect_language
from reverie.language.time import questions
from reverie.types import Cue, FloatArray, TimeWindow

# Understand: a text becomes a cue — its terms, language, people, time and whom it asks about.


def understand(text: str, speakers: Sequence[str], now: datetime, window: TimeWindow | None = None) -> Cue:
    """Read a cue as of ``now``; ``speakers`` are the names known in its scope, ``window`` one the caller set."""
    rest, named = (text, window) if window else questions.without_bound(text, now)
    return Cue(
        text=text,
        terms=_terms(text, rest),
        language=detect_language(text),
        entities=entities.entities(text),
        speakers=question.named_speakers(text, speakers),
        first_person=question.is_first_person(text),
        asks_assistant=question.asks_assistant(text),
        window=named,
    )


def _terms(text: str, rest: str) -> tuple[str, ...]:
    """The terms of a cue, without those that only the bound of its window has; ``rest`` is the text without that.

    The window stands for them: who asks what was before 2026 looks for nothing that tells of 2026.
    """
    terms = analyzer.query_terms(text)
    if rest == text:
        return terms
    lost = _stems(text) - _stems(rest)
    return tuple(term for term in terms if lost.isdisjoint(analyzer.stems(term)))


def _stems(text: str) -> frozenset[str]:
    """The stems of a text as either language has them: without its bound it may be taken for the other one."""
    read = text[: analyzer.QUERY_MAX]
    return frozenset(stem for language in ("en", "tr") for stem in analyzer.index_terms(read, language))


# Embed: a cue's vector, from the question as asked and from what it asks about, and where its answers lie.


def asked_vector(
    text: str, embed: Callable[[str], FloatArray | None], speakers: Sequence[str] = ()
) -> FloatArray | None:
    """A cue's vector as its world embeds it, ``speakers`` being those it asks about; None without a model.

    The vector of the whole text stands in for a part that cannot be embedded any more.
    """
    asked = embed(text)
    if asked is None:
        return None

    def embedded(words: str) -> FloatArray:
        vector = asked if words == text else embed(words)
        return asked if vector is None else vector

    return cue_vector(text, embedded, speakers)


def cue_vector(text: str, embed: Callable[[str], FloatArray], speakers: Sequence[str] = ()) -> FloatArray:
    """The unit mean of two vectors: the text's, and that of its words without those that only carry the question.

    Sentence models take a question's form for meaning and find other questions; its words alone lose how they belong
    together. Measured in decision 0003. Nor do these words name the speakers asked about: who tells of themself says
    "I", and who says their name is the other one (decision 0035).
    """
    asked = embed(text)
    about = without_speakers(content(text), speakers)
    return asked if about == text else unit(asked + embed(about))
