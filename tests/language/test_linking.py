"""Relations between two texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.coverage import Linkable, Linking, link, overlap
from tests.spoken import NEITHER


def of(entities: str, terms: str, kind: str = "fact") -> Linkable:
    return Linkable(frozenset(entities.split()), kind, terms)


def shared(common: int, total: int) -> tuple[str, str]:
    """Two lists of terms with so many in common of so many."""
    rest = total - common
    words = [f"w{n}" for n in range(total)]
    return " ".join(words[: common + rest // 2]), " ".join([*words[:common], *words[common + rest // 2 :]])


@NEITHER
@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("entities", "common", "kinds", "linked"),
    [
        ("a b", 0, "fact plan", ("same_entity", 0.7)),
        ("a", 31, "fact plan", ("elaborates", 0.5)),
        ("a", 30, "fact fact", ("related_to", 0.4)),
        ("a", 30, "fact plan", None),
        ("", 31, "fact plan", None),
        ("", 31, "fact fact", ("related_to", 0.4)),
        ("", 16, "fact fact", ("related_to", 0.4)),
        ("", 15, "fact fact", None),
        ("a b", 90, "fact fact", ("same_entity", 0.7)),
    ],
)
def test_the_three_heuristics(entities: str, common: int, kinds: str, linked: tuple[str, float] | None) -> None:
    """Two entities; over 30 % of the words and an entity; over 15 % and the same category. The first that holds."""
    first, second = shared(common, 100)
    one, other = kinds.split()
    assert link(of(entities, first, one), of(entities, second, other)) == linked


@NEITHER
@pytest.mark.req("D16")
def test_thresholds_come_from_the_recipe() -> None:
    """Another recipe's numbers are other relations."""
    pair = of("a", "x y"), of("a", "x y")
    assert link(*pair, Linking(same_entity_min=1)) == ("same_entity", 0.7)
    assert link(*pair, Linking(elaborates_above=1, related_above=1)) is None
    assert link(*pair, Linking(elaborates_confidence=0.9)) == ("elaborates", 0.9)


sets = st.frozensets(st.sampled_from("abcdef"), max_size=6)
linkables = st.builds(Linkable, sets, st.sampled_from(["fact", "plan"]), st.sampled_from(["x", "x y", "y z", "z", ""]))


@NEITHER
@given(linkables, linkables)
def test_which_is_first_makes_no_difference(first: Linkable, second: Linkable) -> None:
    """The relation is symmetric, its confidence in [0, 1]."""
    found = link(first, second)
    assert found == link(second, first)
    assert found is None or 0 <= found.confidence <= 1


@NEITHER
@given(sets, sets)
def test_overlap_is_a_share(first: frozenset[str], second: frozenset[str]) -> None:
    """In [0, 1], 1 for a text with itself, 0 where nothing is shared."""
    assert 0 <= overlap(first, second) <= 1
    assert overlap(first, first) == (1 if first else 0)
    assert (overlap(first, second) == 0) == (not first & second)
