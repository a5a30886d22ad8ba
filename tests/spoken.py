"""In which language a case of a test is: English, Turkish, both or neither.

In: cases as they are given to ``parametrize``. Out: the same with the mark that ``make spoken`` counts by: no heuristic
may have fewer Turkish cases than English.
"""

from __future__ import annotations

from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet  # what pytest.param returns has no public name

ENGLISH = pytest.mark.spoken("en")
TURKISH = pytest.mark.spoken("tr")
BOTH = pytest.mark.spoken("en", "tr")
"""For a test that holds one language against the other."""
NEITHER = pytest.mark.spoken()
"""For numbers, code, marks and generated text: what is the same in every language."""


def english(*cases: Any) -> list[ParameterSet]:
    """These cases, marked as English; a case is one value, or a tuple of the test's parameters."""
    return _marked(cases, ENGLISH)


def turkish(*cases: Any) -> list[ParameterSet]:
    """These cases, marked as Turkish."""
    return _marked(cases, TURKISH)


def neither(*cases: Any) -> list[ParameterSet]:
    """These cases, marked as being in no language."""
    return _marked(cases, NEITHER)


def _marked(cases: tuple[Any, ...], mark: pytest.MarkDecorator) -> list[ParameterSet]:
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=mark) for case in cases]
