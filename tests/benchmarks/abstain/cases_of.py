"""Made-up answers of an engine, for the tests of what is made of them."""

from __future__ import annotations

import numpy as np

from benchmarks.abstain.cases import Asked, Kind


def asked(count: int = 60, *, of: str = "toy", seed: int = 1) -> list[Asked]:
    """Questions of six conversations, each answerable and again without its evidence; ``signal`` tells them apart."""
    chance = np.random.default_rng(seed)
    found = []
    for number in range(count):
        for kind, middle in ((Kind.ANSWERABLE, 0.7), (Kind.REMOVED, 0.3)):
            signal, noise = float(middle + 0.15 * chance.normal()), float(chance.normal())
            found.append(
                Asked(
                    set=of,
                    store=f"conversation-{number % 6}",
                    question=f"q{number}",
                    category="even" if number % 2 else "odd",
                    kind=kind.value,
                    confidence=min(max(signal, 0.0), 1.0),
                    evidence={"signal": signal, "noise": noise},
                    text=noise,
                    meaning=signal + 0.5 * noise,
                )
            )
    return found
