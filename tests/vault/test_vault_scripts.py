"""The vault's scripts as files; what they do is in tests/faces/cli/test_vault_alone.py."""

from __future__ import annotations

import pytest

from reverie.vault.scaffold import NAMES
from reverie.vault.standalone.scripts import SCRIPTS, build


@pytest.mark.req("B9")
def test_there_is_a_script_for_each_name_and_it_is_always_the_same() -> None:
    """The same source gives the same bytes, which say where a change belongs."""
    assert list(SCRIPTS) == list(NAMES)
    for name in NAMES:
        text = build(name)
        assert text == build(name)
        assert "made out of its source by\n`reverie vault init --scripts`" in text
