import pytest

from reverie.vault.contents import gather
from reverie.vault.vault import Vault
from tests.vault.notes import put


@pytest.mark.req("B2")
def test_a_broken_file_is_told_and_the_others_are_read(vault: Vault) -> None:
    """With its path, line and reason; it stays as it is."""
    put(vault, "hawk/good")
    bad = put(vault, "hawk/bad", "no head at all\n")
    bad.with_name("worse.md").write_bytes(b"---\n\xff\n---\n")
    held = gather(vault.places)
    assert [one.name.id for one in held.active] == ["good"]
    assert [(fault.path.name, fault.line) for fault in held.faults] == [("bad.md", 1), ("worse.md", 2)]
    assert "bad.md, line 1: no front matter" in held.faults[0].text()
    assert bad.read_text() == "no head at all\n"


@pytest.mark.req("B1")
def test_one_agents_memory_is_its_own_and_what_is_shared(vault: Vault) -> None:
    """Another agent's vault is not looked at."""
    put(vault, "hawk/a")
    put(vault, "owl/b")
    assert [one.name.agent for one in gather(vault.places, ["owl"]).active] == ["owl"]
