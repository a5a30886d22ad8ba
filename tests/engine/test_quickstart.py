"""The examples in the docstrings run as they stand."""

from __future__ import annotations

import doctest

import reverie
import reverie.engine.core


def test_the_quickstarts_run() -> None:
    """What a reader copies works."""
    for module in (reverie, reverie.engine.core):
        result = doctest.testmod(module)
        assert result.attempted > 0
        assert result.failed == 0
