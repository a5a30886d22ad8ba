"""Embed: a cue's vector, from the question as asked and from what it asks about."""

from __future__ import annotations

from collections.abc import Callable

from reverie.formulas.centring import unit
from reverie.language.analyzer import content
from reverie.types import FloatArray


def cue_vector(text: str, embed: Callable[[str], FloatArray]) -> FloatArray:
    """The unit mean of two vectors: the text's, and that of its words without those that only carry the question.

    Sentence models take a question's form for meaning and find other questions; its words alone lose how they belong
    together. Measured in decision 0003.
    """
    asked = embed(text)
    about = content(text)
    return asked if about == text else unit(asked + embed(about))
