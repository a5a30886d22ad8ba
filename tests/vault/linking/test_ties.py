from pathlib import Path

import pytest

from reverie.errors import StoreCorrupt
from reverie.vault.files import Places
from reverie.vault.linking.links import Fields, FilePlace, Stamp, Tie, VaultLink, load, save, sidecar, without_ties

TIE = Tie(
    "hawk",
    "obs-2026-02-15-001",
    False,
    "01ABC",
    FilePlace.ACTIVE,
    Stamp(1, 2, 3),
    "body",
    Fields(0.5, True, ("a", "b\nc"), ("owl/x",)),
    "said",
    Fields(0.625, False, ("é",)),
    True,
)


def test_a_link_is_read_as_it_was_saved(tmp_path: Path) -> None:
    """Whatever order its ties came in; saving it again writes nothing."""
    path = sidecar(Places(tmp_path))
    link = VaultLink("/store", "ada", "ocean", ("hawk",), 7, 2.5, (TIE,))
    save(path, link)
    assert load(path) == link
    inode = path.stat().st_ino
    save(path, link)
    assert path.stat().st_ino == inode
    assert link.of("hawk") == (TIE,)
    assert link.of("owl") == ()


def test_no_link_is_none_and_a_broken_one_says_what_to_do(tmp_path: Path) -> None:
    """It may be deleted."""
    assert load(tmp_path / "link.json") is None
    for text in ("", "[]", '{"format": 9}', '{"format": 1, "ties": [[]]}'):
        (tmp_path / "link.json").write_text(text)
        with pytest.raises(StoreCorrupt) as caught:
            load(tmp_path / "link.json")
        assert "Delete it" in caught.value.mend


def test_a_link_without_ties_says_only_what_is_linked() -> None:
    """So two links can be compared."""
    link = VaultLink("/store", "ada", "ocean", (), 7, 2.5, (TIE,))
    assert without_ties(link) == VaultLink("/store", "ada", "ocean")


def test_a_shared_file_is_called_so() -> None:
    """As everything else calls it."""
    from dataclasses import replace

    assert TIE.label == "hawk/obs-2026-02-15-001"
    assert replace(TIE, shared=True).label == "shared/obs-2026-02-15-001"
