"""Backlinks become references, agent by agent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.vault import Name, references, resolved

HAWK, OWL = Name("hawk", "obs-2026-02-14-003"), Name("owl", "obs-2026-02-14-003")
LATER = Name("hawk", "obs-2026-02-15-001")
ALONE = Name("owl", "obs-2026-02-16-001")


@pytest.mark.req("B4")
def test_a_backlink_names_who_refers() -> None:
    """The observation named gets the one that names it, once, however often it does."""
    found = references([(HAWK, []), (LATER, [HAWK.id, HAWK.id])])
    assert found == {HAWK: (LATER,), LATER: ()}


@pytest.mark.req("B4")
def test_a_bare_id_is_the_agents_own() -> None:
    """Ids collide between agents: bare means own, ``owl/…`` means the owl's (reading 15)."""
    found = references([(HAWK, []), (OWL, []), (LATER, [HAWK.id]), (ALONE, ["owl/obs-2026-02-14-003"])])
    assert found[HAWK] == (LATER,)
    assert found[OWL] == (ALONE,)


@pytest.mark.req("B4")
def test_a_bare_id_of_one_other_agent_is_understood_and_of_two_is_not() -> None:
    """Nobody is credited on a guess."""
    asker = Name("watchtower", "obs-2026-02-17-001")
    assert resolved(ALONE.id, "watchtower", [ALONE]) == ALONE
    assert references([(HAWK, []), (OWL, []), (asker, [HAWK.id])])[HAWK] == ()
    assert resolved("hawk/nothing", "hawk", [HAWK]) is None


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=4, max_size=4))
def test_nobody_refers_to_themselves_and_the_order_does_not_matter(links: list[list[str]]) -> None:
    """References are the same whichever file is read first."""
    pages = [(Name("hawk", own), named) for own, named in zip("abcd", links, strict=True)]
    found = references(pages)
    assert found == references(pages[::-1])
    assert all(name not in sources for name, sources in found.items())
