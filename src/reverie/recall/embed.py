"""Embed: a cue's vector, from the question as asked and from what it asks about, and where its answers lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reverie.formulas.centring import unit
from reverie.language.analyzer import content
from reverie.language.question import without_speakers
from reverie.types import FloatArray


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
