"""The recipe with its keys set."""

from __future__ import annotations

import pytest

from reverie.recipes.published.openclaw import keyed
from reverie.recipes.published.openclaw_keys import Keys
from reverie.recipes.recipe import recipe


@pytest.mark.req("C10")
def test_with_the_defaults_it_is_the_recipe() -> None:
    """Of the same name, in every room."""
    plain, found = recipe("openclaw"), keyed(Keys())
    assert found.name == plain.name
    assert (found.recall, found.encode, found.dream, found.working) == (
        plain.recall,
        plain.encode,
        plain.dream,
        plain.working,
    )


@pytest.mark.req("C10")
def test_every_room_heeds_its_keys() -> None:
    """Recall, encode and dream each take theirs."""
    mine = keyed(Keys(limit=2, decay=False, deduplication_threshold=0.95))
    plain = recipe("openclaw")
    assert mine.recall.limit == 2
    assert (mine.recall, mine.encode, mine.dream) != (plain.recall, plain.encode, plain.dream)
