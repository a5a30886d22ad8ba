"""Telling: what a language model makes of a message, and in words what became of its answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reverie.ports import FormingMind, Said, Stated

_REASONS_MOST = 3


def told(mind: FormingMind, said: Said) -> tuple[tuple[Stated, ...], str]:
    """The facts of a model, and what is to be said of its answer: "" where all of it stands."""
    answer = mind.form(said)
    if answer.failed:
        return (), f"the model did not answer ({answer.failed})"
    every = len(answer.facts) + len(answer.refused)
    refused = f"{len(answer.refused)} of {every} facts refused: {_listed(answer.refused)}" if answer.refused else ""
    return answer.facts, refused


def _listed(reasons: Sequence[str]) -> str:
    """The commonest reasons, each once."""
    return "; ".join(reason for reason, _ in Counter(reasons).most_common(_REASONS_MOST))
