import math
from collections import Counter
from datetime import timedelta

import pytest

from reverie.errors import InvalidInput
from reverie.vault.laws import Laws
from reverie.vault.search import VaultQuery, find, search, snippet, terms
from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import put, seen, text


@pytest.mark.req("B8")
def test_an_agents_own_and_the_shared_ones_or_everything(vault: Vault) -> None:
    """What is archived is in neither; what cannot be read is named."""
    put(vault, "hawk/a")
    put(vault, "owl/b", "no head")
    for wish, searched, faults in (
        (VaultQuery("cpl", "hawk"), 1, 0),
        (VaultQuery("cpl"), 1, 1),
        (VaultQuery("cpl", "owl"), 0, 1),
    ):
        found = find(vault.places, vault.laws, wish, DAY)
        assert (len(found.hits), found.searched, len(found.faults)) == (searched, searched, faults)
    with pytest.raises(InvalidInput):
        find(vault.places, vault.laws, VaultQuery("cpl", "../owl"), DAY)


@pytest.mark.req("B8")
def test_the_score_is_cosine_times_importance_times_freshness(laws: Laws) -> None:
    """Worked out by hand for two observations of which one holds a word of the query."""
    one = seen(text("trend\n", tags="[cpl]", importance="0.6", max_age="30d"), "hawk/a")
    other = seen(text("quiet\n", tags="[]"), "hawk/b")
    [hit] = search([one, other], "cpl", 5, laws, DAY + timedelta(days=15))
    idf = math.log(3 / 2) + 1.0
    cosine = (2 * idf) * idf / (idf * math.hypot(2 * idf, idf))
    assert hit.freshness == pytest.approx(1 - 0.95 * 15 / 30)
    assert hit.score == pytest.approx(cosine * 0.6 * hit.freshness)


@pytest.mark.req("B8")
def test_only_what_matters_and_is_not_past_its_age_is_found(laws: Laws) -> None:
    """Importance above .1; age up to the effective maximum."""
    made = [
        seen(text(importance="0.1"), "hawk/low"),
        seen(text(created="2026-01-15"), "hawk/past"),
        seen(text(created="2026-01-16"), "hawk/last"),
        seen(text(created="2026-01-15", importance="0.8"), "hawk/longer"),
    ]
    found = search(made, "CPL", 5, laws, DAY)
    assert [hit.observation.name.id for hit in found] == ["longer", "last"]


@pytest.mark.req("B8")
def test_an_agent_sees_its_own_and_the_shared(vault: Vault) -> None:
    """--all sees everything, and the copy of an original only once."""
    for name in ("hawk/a", "owl/b"):
        put(vault, name, importance="0.9", source=name.partition("/")[0])
    vault.maintain(DAY)
    names = [
        {hit.observation.path.stem for hit in vault.search("cpl", DAY, agent=agent, limit=9).hits}
        for agent in ("hawk", "owl", None)
    ]
    assert names == [{"a", "owl-b"}, {"hawk-a", "b"}, {"a", "b"}]
    assert len(vault.search("cpl", DAY, limit=1).hits) == 1
    assert vault.search("nothing of that", DAY).hits == ()


def test_words_are_compared_without_case_and_marks() -> None:
    """Turkish letters too."""
    assert terms("Işık İzmir'de, ÇAY") == terms("isik izmir'de cay")


def test_a_snippet_shows_where_it_is_said() -> None:
    """The part of a long text with the words; a short text whole, in one line."""
    body = " ".join(["filler"] * 100 + ["buyer", "acceptance"] + ["filler"] * 100)
    shown = snippet(body, Counter(terms("buyer acceptance")))
    assert "buyer acceptance" in shown
    assert len(shown) < 200
    assert snippet("short\ntext", Counter()) == "short text"
