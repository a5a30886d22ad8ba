"""Telling: what a language model makes of a message, once the screen has seen it.

In: a message and the aids. Out: the model's facts fit to be written, and in words what became of its answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from reverie.ports import FormingMind, Said, Stated
from reverie.screen.screening import screen
from reverie.screen.settings import ScreenSettings

_REASONS_MOST = 3


def told(mind: FormingMind, said: Said, settings: ScreenSettings | None) -> tuple[tuple[Stated, ...], str]:
    """The facts of a model, screened as a message is, and what is to be said of its answer: "" where all of it stands.

    Without settings nothing is screened.
    """
    answer = mind.form(said)
    if answer.failed:
        return (), f"the model did not answer ({answer.failed})"
    facts = answer.facts
    refused = list(answer.refused)
    if settings is not None:
        facts, held = _screened(facts, settings)
        refused = [screen(reason, settings).text for reason in refused] + held
    every = len(facts) + len(refused)
    return facts, f"{len(refused)} of {every} facts refused: {_listed(refused)}" if refused else ""


def _screened(facts: Sequence[Stated], settings: ScreenSettings) -> tuple[tuple[Stated, ...], list[str]]:
    """The facts without secrets, and why others are held back: what gives orders is not formed."""
    kept: list[Stated] = []
    held: list[str] = []
    for fact in facts:
        seen = screen(fact.text, settings)
        if seen.quarantine:
            held.append(seen.quarantine)
        else:
            kept.append(replace(fact, text=seen.text))
    return tuple(kept), held


def _listed(reasons: Sequence[str]) -> str:
    """The commonest reasons, each once."""
    return "; ".join(reason for reason, _ in Counter(reasons).most_common(_REASONS_MOST))
