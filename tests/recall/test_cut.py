"""Cut: where a host asks on its own, what lies far below the best is withheld."""

from __future__ import annotations

import pytest

from reverie.recall.cut import Cut
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request


@pytest.mark.parametrize(("automatic", "expected"), [(True, [False, False, True]), (False, [False, False, False])])
def test_below_the_share_of_the_best_is_withheld_from_a_host(automatic: bool, expected: list[bool]) -> None:
    """Of 2.0 seven tenths are 1.4: that stays, less does not; asked by hand all stay."""
    lines = [Line("a kite"), Line("a boat"), Line("a wall")]
    quest = holding(request("x", automatic=automatic), FakeCorpus(lines), [2.0, 1.4, 1.39])
    assert [bool(candidate.withheld) for candidate in Cut(share=0.7)(quest).candidates] == expected
