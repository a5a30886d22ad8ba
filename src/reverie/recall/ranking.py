"""Ranking weights: how much each signal counts for a cue, learned from labelled lives (decision 0051).

In: the traits of a cue and of the texts that are searched. Out: a weight for each signal. No list of words is in them:
a question, a statement and a command differ by what text and meaning find for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.errors import InvalidInput
from reverie.types import FloatArray

TRAITS = (
    "any",
    "question",
    "length",
    "names a speaker",
    "absent",
    "agreement",
    "long texts",
    "window",
    "covered",
    "likest",
    "peak",
    "second likest",
    "second peak",
    "people",
    "assistants",
    "devices",
    "advice",
)
"""What weights follow from: the constant 1; whether the cue has a question mark; the base-2 logarithm of its words over
5; whether it names one who spoke; the share of its words that occur nowhere; how many of the first ten by text are
among the first ten by meaning; the logarithm of the mean message's words over 6; whether it speaks of a time; the
highest coverage; the highest cosine; by how much that exceeds the mean of the first twenty; both again by the model
that stands beside the quick one;
the shares of what other people, assistants and devices said; and how likely the cue asks for advice, or for something
to be made."""
BY_TWO, WITH_MEANING, TEXT_ALONE = "by two models", "with meaning", "text alone"
_WEIGHTS = Path(__file__).with_name("data") / "ranking.txt"


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A fit: for each signal a row of weights, one a trait."""

    rows: dict[str, tuple[float, ...]]

    def weights(self, names: Sequence[str], traits: Sequence[float], muted: Collection[str] = ()) -> FloatArray:
        """(names,) the weight of each signal for a cue of these traits; 0 for what is ``muted`` or was not fitted."""
        given = np.array(traits)
        silent = (0.0,) * len(TRAITS)
        rows = [silent if name in muted else self.rows.get(name, silent) for name in names]
        result: FloatArray = (np.array(rows) @ given).astype(np.float32)
        return result


@cache
def shipped() -> dict[str, Ranking]:
    """The weights that come with the package: by two models, by one, and for text alone."""
    return read_ranking(_WEIGHTS.read_text(encoding="utf-8"))


def read_ranking(text: str) -> dict[str, Ranking]:
    """Weights from their file: ``[section]``, then a line a signal: ``name: weight weight …``; ``#`` comments.

    Raises:
        InvalidInput: a line has not one number a trait.
    """
    found: dict[str, Ranking] = {}
    rows: dict[str, tuple[float, ...]] = {}
    for line in text.splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            rows = {}
            found[content.strip("[]")] = Ranking(rows)
        elif content:
            name, _, numbers = content.partition(":")
            rows[name] = tuple(float(number) for number in numbers.split())
            if len(rows[name]) != len(TRAITS):
                raise InvalidInput(f"The weights of {name!r} are not {len(TRAITS)}.", "Run make train.")
    return found
