import io
import sys

import pytest

from reverie.faces.cli.invocation import busy, progress


class Terminal(io.StringIO):
    """A stream that says a person is looking."""

    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_for_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its label, its place and the total."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("importing a\x1bb", 10) as step:
        step(4)
        step(6)
    assert r"importing a\x1bb" in screen.getvalue()
    assert "10/10" in screen.getvalue()


def test_a_total_nobody_knows_is_no_hindrance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaying counts events it has not read yet."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("replaying") as step:
        step(4)
    assert "replaying" in screen.getvalue()


def test_a_word_stands_while_something_runs_and_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line is clean afterwards, also when it went wrong."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with pytest.raises(ValueError, match="wrong"), busy("checking"):
        raise ValueError("wrong")
    assert screen.getvalue() == "checking …\r\x1b[K"


def test_nobody_looks_nothing_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """A log file stays free of bars."""
    with progress("importing", 10) as step, busy("checking"):
        step(10)
    assert capsys.readouterr().err == ""
