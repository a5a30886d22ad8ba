from datetime import timedelta

import pytest

from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import put


@pytest.mark.req("B3", "B4")
def test_backlinks_raise_refs_ref_by_and_importance(vault: Vault) -> None:
    """The same agent's by .1, another one's by .15; qualified or not, each counts once."""
    path = put(vault, "hawk/obs-1")
    put(vault, "hawk/obs-2", backlinks="[obs-1, obs-1, hawk/obs-1]")
    put(vault, "owl/obs-3", backlinks="[hawk/obs-1]")
    vault.maintain(DAY)
    said = path.read_text()
    assert "refs: 2\nref_by: [hawk/obs-2, owl/obs-3]\n" in said
    assert "importance: 0.75\n" in said
    vault.places.records.unlink()
    vault.maintain(DAY)
    assert path.read_text() == said


@pytest.mark.req("B4")
def test_names_that_two_agents_gave_are_told_apart(vault: Vault) -> None:
    """A bare name is the agent's own first; nobody refers to itself; what means nothing counts nowhere."""
    mine, others = put(vault, "hawk/obs-1", backlinks="[obs-1, absent]"), put(vault, "owl/obs-1")
    put(vault, "owl/obs-2", backlinks="[obs-1]")
    vault.maintain(DAY)
    assert "refs: 0\n" in mine.read_text()
    assert "ref_by: [owl/obs-2]\n" in others.read_text()


@pytest.mark.req("B3")
def test_neglect_is_taken_from_what_was_earned_and_never_compounds(vault: Vault) -> None:
    """Run every day for two months: .1 at 14 days, .3 at most, and a reference gives it back."""
    path = put(vault, "hawk/obs-1", max_age="permanent")
    seen = {}
    for day in range(60):
        vault.maintain(DAY + timedelta(days=day))
        seen[day] = path.read_text().partition("importance: ")[2].partition("\n")[0]
    assert [seen[day] for day in (13, 14, 27, 28, 41, 42, 59)] == ["0.5", "0.4", "0.4", "0.3", "0.3", "0.2", "0.2"]
    put(vault, "hawk/obs-2", created="2026-04-16", backlinks="[obs-1]")
    vault.maintain(DAY + timedelta(days=60))
    assert "importance: 0.6\n" in path.read_text()


def test_a_ref_that_is_gone_stays_counted(vault: Vault) -> None:
    """A deleted or broken referrer takes nothing back, and counts no second time when it returns."""
    path = put(vault, "hawk/obs-1")
    other = put(vault, "owl/obs-2026-02-15-002", backlinks="[hawk/obs-1]")
    vault.maintain(DAY)
    kept, said = other.read_text(), path.read_text()
    other.unlink()
    vault.maintain(DAY)
    assert path.read_text() == said
    other.write_text(kept)
    vault.maintain(DAY)
    assert path.read_text() == said
