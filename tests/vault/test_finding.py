import pytest

from reverie.errors import InvalidInput
from reverie.vault.search import VaultQuery, find
from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.notes import put


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
