import pytest

from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import put


@pytest.mark.req("B7")
@pytest.mark.parametrize(
    ("importance", "verified", "shared"),
    [("0.8", "false", True), ("0.79", "false", False), ("0.6", "true", True), ("0.59", "true", False)],
)
def test_what_earned_it_is_shared(vault: Vault, importance: str, verified: str, shared: bool) -> None:
    """From .8; what is verified from .6."""
    path = put(vault, "hawk/obs-1", importance=importance, verified=verified)
    vault.maintain(DAY)
    assert (vault.places.shared / "hawk-obs-1.md").exists() is shared
    assert ("promoted: true" in path.read_text()) is shared


def test_a_copy_follows_its_original(vault: Vault) -> None:
    """What was promoted once is brought up to date; without the records too, where only our own fields differ."""
    path = put(vault, "hawk/obs-1", importance="0.9")
    vault.maintain(DAY)
    path.write_text(path.read_text().replace("$15", "$16"))
    vault.maintain(DAY)
    copy = vault.places.shared / "hawk-obs-1.md"
    assert copy.read_bytes() == path.read_bytes()
    vault.places.records.unlink()
    path.write_text(path.read_text().replace("importance: 0.9", "importance: 1.0"))
    vault.maintain(DAY)
    assert copy.read_bytes() == path.read_bytes()


def test_a_copy_that_somebody_edited_is_left_and_told(vault: Vault) -> None:
    """Nobody's words are written over."""
    path = put(vault, "hawk/obs-1", importance="0.9")
    vault.maintain(DAY)
    copy = vault.places.shared / "hawk-obs-1.md"
    copy.write_text(copy.read_text() + "A remark.\n")
    path.write_text(path.read_text() + "More.\n")
    report = vault.maintain(DAY)
    assert copy.read_text().endswith("A remark.\n")
    assert [fault.path for fault in report.faults] == [copy]


def test_the_source_becomes_no_path_and_copies_do_not_collide(vault: Vault) -> None:
    """A source that could lead elsewhere gives way to the agent's name; of two that would have one copy one is told."""
    put(vault, "hawk/obs-1", importance="0.9", source="../../evil")
    put(vault, "owl/obs-1", importance="0.9", source="hawk")
    report = vault.maintain(DAY)
    assert [path.name for path in vault.places.shared.iterdir()] == ["hawk-obs-1.md"]
    assert "copy of hawk/obs-1" in report.faults[0].reason
