from pathlib import Path

import pytest

from reverie.faces.cli import vault_output
from reverie.faces.cli.screen import PlainScreen
from reverie.vault.contents import FileFault
from reverie.vault.maintenance import ObservationChange, Report
from reverie.vault.search import VaultHits


def test_what_was_done_is_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """Changes on the output, faults beside it; a dry run says that nothing was made."""
    done = Report((ObservationChange("hawk/a", "archived", "old"),), (FileFault(Path("b.md"), 3, "odd"),), 2)
    vault_output.report(PlainScreen(False), done, dry_run=True)
    said = capsys.readouterr()
    assert said.out == "archived: hawk/a (old)\nchanges to make: 1 · observations: 2\n"
    assert said.err == "left alone: b.md, line 3: odd\n"


def test_nothing_found_says_in_how_many(capsys: pytest.CaptureFixture[str]) -> None:
    """And which files could not be read."""
    vault_output.found(PlainScreen(False), VaultHits((), 7, (FileFault(Path("b.md"), 0, "gone"),)))
    said = capsys.readouterr()
    assert (said.out, said.err) == ("nothing found in 7 observations\n", "left out: b.md: gone\n")
