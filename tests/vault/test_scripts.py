import pytest

from reverie.vault.scripts import NAMES, Laid, lay
from reverie.vault.vault import Vault


@pytest.mark.req("B9")
def test_scripts_are_laid_into_a_vault_and_kept_up_to_date(vault: Vault) -> None:
    """Ready to run; the second time nothing is written; an older one of ours goes, somebody else's stays."""
    root = vault.places.root
    paths = tuple(root / "scripts" / name for name in NAMES)
    assert lay(root).written == paths
    assert all(path.stat().st_mode & 0o111 for path in paths)
    first = paths[0].read_bytes()
    assert lay(root) == Laid((), ())
    paths[0].write_bytes(first.replace(b"import re\n", b"import re  # older\n"))
    paths[1].write_text("print('mine')\n")
    laid = lay(root)
    assert laid.written == (paths[0],)
    assert laid.left == (paths[1],)
    assert paths[0].read_bytes() == first
    assert paths[1].read_text() == "print('mine')\n"
