"""Cut: where a host asks on its own, what lies far below the best is withheld."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.answers import Signal
from reverie.recall.bend import TRAITS
from reverie.recall.cut import Cut
from tests.recall.fake_corpus import FakeCorpus, Line, holding, request


@pytest.mark.parametrize(("automatic", "expected"), [(True, [False, False, True]), (False, [False, False, False])])
def test_below_the_share_of_the_best_is_withheld_from_a_host(automatic: bool, expected: list[bool]) -> None:
    """Of 2.0 seven tenths are 1.4: that stays, less does not; asked by hand all stay."""
    lines = [Line("a kite"), Line("a boat"), Line("a wall")]
    quest = holding(request("x", automatic=automatic), FakeCorpus(lines), [2.0, 1.4, 1.39])
    assert [bool(candidate.withheld) for candidate in Cut(share=0.7, bent_share=0.7)(quest).candidates] == expected


def test_bent_scores_have_a_share_of_their_own() -> None:
    """Bends draw scores together: of 2.0 eight tenths are 1.6."""
    found = holding(request("x", automatic=True), FakeCorpus([Line("a kite"), Line("a boat")]), [2.0, 1.59])
    bent = [replace(one, signals=(Signal(TRAITS[0], 1.0, 0.0, 0.0),)) for one in found.candidates]
    stage = Cut(share=0.7, bent_share=0.8)
    assert [bool(one.withheld) for one in stage(found).candidates] == [False, False]
    assert [bool(one.withheld) for one in stage(replace(found, candidates=bent)).candidates] == [False, True]
