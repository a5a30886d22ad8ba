"""Taking a mechanism out changes the recipe; putting it in alone leaves the others out."""

from __future__ import annotations

import pytest

from benchmarks.mechanisms import ADDED, BORROWED, MECHANISMS, alone, bare
from reverie.recipes.capacity import within
from reverie.recipes.recipe import recipe

OURS = within(recipe("reverie"), 500, words=True)


@pytest.mark.parametrize("name", MECHANISMS)
def test_without_it_the_recipe_is_another(name: str) -> None:
    """Twice is once."""
    without = MECHANISMS[name](OURS)
    assert without != OURS
    assert MECHANISMS[name](without) == without


@pytest.mark.parametrize("name", ADDED)
def test_with_it_the_recipe_is_another(name: str) -> None:
    """Whatever is not in the default can be put in."""
    assert ADDED[name](OURS) != OURS


@pytest.mark.parametrize("name", BORROWED)
def test_what_is_put_in_stands_behind_the_search(name: str) -> None:
    """One stage more."""
    names = [stage.name for stage in OURS.recall.stages]
    place = names.index("search") + 1
    with_it = [stage.name for stage in BORROWED[name](OURS).recall.stages]
    assert with_it[:place] + with_it[place + 1 :] == names


def test_the_bare_recipe_only_searches() -> None:
    """By words and by meaning; its dream has no step, and nothing is strengthened."""
    of = bare(OURS)
    assert [stage.name for stage in of.recall.stages] == ["search", "reader"]
    assert of.dream.order == ()
    assert (of.recall.strengthen, of.encode.gate) == (None, None)


@pytest.mark.parametrize("name", [name for name in MECHANISMS if name not in ("text", "meaning")])
def test_alone_it_is_the_bare_recipe_and_itself(name: str) -> None:
    """Taking it out again gives the bare recipe, where it does not stand on another."""
    only = alone(name, OURS)
    assert only != bare(OURS)
    assert bare(only) == bare(OURS)
