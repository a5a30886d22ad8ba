import os
from pathlib import Path

import pytest

from reverie.vault.files import Edit, carry_out, contents, move


def test_an_edit_keeps_permissions_and_leaves_nothing_beside(tmp_path: Path) -> None:
    """One file or many: each stands whole in its place."""
    for count in (1, 40):
        folder = tmp_path / str(count)
        paths = [folder / f"{number}.md" for number in range(count)]
        assert all(carry_out([Edit(path, None, b"old") for path in paths]))
        paths[0].chmod(0o640)
        assert all(carry_out([Edit(path, b"old", b"new") for path in paths]))
        assert {path.read_bytes() for path in paths} == {b"new"}
        assert paths[0].stat().st_mode & 0o777 == 0o640
        assert sorted(folder.iterdir()) == sorted(paths)


@pytest.mark.req("B2")
def test_what_somebody_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    """Neither a changed file, nor one that came or went, nor one behind a link."""
    changed, came, gone, link = (tmp_path / name for name in ("a", "b", "c", "d"))
    changed.write_bytes(b"a person's")
    came.write_bytes(b"a person's")
    link.symlink_to(changed)
    edits = [Edit(changed, b"read", b"x"), Edit(came, None, b"x"), Edit(gone, b"read", b"x")]
    edits += [Edit(link, b"a person's", b"x")]
    assert carry_out(edits) == [False, False, False, False]
    assert changed.read_bytes() == came.read_bytes() == b"a person's"
    assert sorted(tmp_path.iterdir()) == [changed, came, link]


def test_a_move_writes_over_nothing(tmp_path: Path) -> None:
    """A file that was changed stays, and so does one whose new name is taken; a move broken off is finished."""
    one, to = tmp_path / "one", tmp_path / "archive" / "one"
    one.write_bytes(b"x")
    assert not move(one, to, b"y")
    assert move(one, to, b"x")
    assert contents(one) is None
    assert contents(to) == b"x"
    one.write_bytes(b"x")
    assert not move(one, to, b"x")
    one.unlink()
    os.link(to, one)
    assert move(one, to, b"x")
    assert contents(one) is None
