from pathlib import Path

import pytest

from reverie.errors import StoreError
from reverie.vault import scaffold
from reverie.vault.scaffold import CONVENTIONS, NAMES, Laid, lay, lay_conventions, lay_ground
from reverie.vault.vault import Vault
from tests.vault.notes import put


@pytest.mark.req("B9")
@pytest.mark.usefixtures("scripts")
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


@pytest.mark.req("B9")
def test_a_checkout_without_scripts_says_how_to_make_them(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not committed, and no vault has half of them."""
    monkeypatch.setattr(scaffold, "_IN_CHECKOUT", tmp_path / "nowhere")
    with pytest.raises(StoreError, match=r"has no memory-search\.py") as caught:
        lay(vault.places.root)
    assert "make vault-scripts" in caught.value.mend
    assert not (vault.places.root / "scripts").exists()


def test_conventions_lie_where_agents_look(vault: Vault) -> None:
    """Ours are kept up to date; a file of somebody else's stays, and is told of until it names ours."""
    root = vault.places.root
    inner, outer = root / "agents" / CONVENTIONS, root / CONVENTIONS
    assert lay_conventions(root) == Laid((inner, outer), ())
    assert lay_conventions(root) == Laid((), ())
    text = inner.read_text(encoding="utf-8")
    inner.write_text(text.replace("Facts, not stories.", ""), encoding="utf-8")
    outer.write_text("# Ours\n")
    assert lay_conventions(root) == Laid((inner,), (outer,))
    assert inner.read_text(encoding="utf-8") == text
    inner.write_text("# Somebody's\n")
    outer.write_text("Read agents/AGENTS.md.\n")
    assert lay_conventions(root) == Laid((), (inner,))
    assert outer.read_text() == "Read agents/AGENTS.md.\n"
    assert inner.read_text() == "# Somebody's\n"


@pytest.mark.req("B3")
def test_counting_begins_with_an_empty_vault(vault: Vault) -> None:
    """And not where observations lie already: what they earned before stands."""
    lay_ground(vault.places)
    assert vault.places.records.exists()
    vault.places.records.unlink()
    put(vault, "hawk/a", importance="0.9")
    lay_ground(vault.places)
    assert not vault.places.records.exists()
