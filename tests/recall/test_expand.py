"""Expansion: a cue in several wordings."""

from __future__ import annotations

import pytest

from reverie.recipes.published.exocortex import Expanding, Keywords
from reverie.recipes.published.v9.recall import Hyde
from tests.recall.fake_corpus import FakeCorpus, quest, request, world
from tests.spoken import english, turkish

WORLD = world(FakeCorpus([]))


@pytest.mark.req("D10")
@pytest.mark.parametrize(
    "cue", [*english("Why did the build break?", "kite"), *turkish("Build neden bozuldu?", "uçurtma")]
)
def test_two_or_three_hypothetical_answers_join_the_cue(cue: str) -> None:
    """The cue itself comes first."""
    queries = Hyde()(quest(request(cue), WORLD)).queries
    assert queries[0] == cue
    assert 2 <= len(queries) - 1 <= 3


@pytest.mark.req("A1", "A16.1", "A16.4")
@pytest.mark.parametrize(
    ("cue", "keywords"),
    [*english(("Why did the build break?", "why build break")), *turkish(("Build neden bozuldu?", "build bozuldu"))],
)
def test_three_variants_with_a_domain(cue: str, keywords: str) -> None:
    """The cue, its keywords, and these behind the domain."""
    queries = Keywords(Expanding())(quest(request(cue, domain="code"), WORLD)).queries
    assert queries == (cue, keywords, f"code: {keywords}")


@pytest.mark.req("A2")
@pytest.mark.parametrize("cue", [*english("Why did the build break?"), *turkish("Build neden bozuldu?")])
def test_two_variants_without(cue: str) -> None:
    """No domain, no third."""
    assert len(Keywords(Expanding())(quest(request(cue), WORLD)).queries) == 2
