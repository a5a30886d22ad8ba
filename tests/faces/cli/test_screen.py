import io
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.faces.cli import screen as module
from reverie.faces.cli.screen import Column, Screen, cut, one_line, visible

ANY = st.text(st.characters() | st.integers(0xD800, 0xDFFF).map(chr))
COLUMNS = [Column("n", number=True), Column("text", style="red", wraps=True)]


def acted_on(text: str) -> list[str]:
    """The characters of a text that a terminal would obey."""
    return [c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u2028\u200f"]


@given(ANY)
def test_nothing_a_terminal_obeys_is_left(text: str) -> None:
    """No escape, no carriage return, no C1 control, no turn of direction, no lone surrogate."""
    shown = visible(text)
    assert acted_on(shown) == []
    shown.encode("utf-8")
    assert "\n" not in one_line(text)


@pytest.mark.parametrize("text", ["plain", "İstanbul'da ığ", "שלום עולם", "👩‍🚀🏽", "a\nb", "[red]x[/red]", r"C:\x1b"])
def test_ordinary_text_is_left_alone(text: str) -> None:
    """Letters of every script, emoji joined by joiners, brackets and backslashes are no commands."""
    assert visible(text) == text


def test_what_is_written_out_can_be_read() -> None:
    """The escape that would have coloured the screen is there to be seen."""
    assert visible("\x1b[31mred\x9b0m\r\x7f") == r"\x1b[31mred\x9b0m\x0d\x7f"
    assert visible("\u202eevil\ud800") == r"\u202eevil\ud800"
    assert one_line("a\nb\tc") == "a ⏎ b    c"


def test_a_long_text_is_cut_where_asked() -> None:
    """With a mark that something is missing."""
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"


HOSTILE = "\x1b]0;owned\x07\x1b[2J[bold]x[/bold] [link=http://a]y[/link] :smile:"


def test_a_drawn_table_obeys_no_stored_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, too: neither escapes nor markup of a stored text take effect."""
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(module, "is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", "200")
    Screen(False).table(COLUMNS, [("1", HOSTILE)])
    shown = out.getvalue()
    assert r"\x1b]0;owned\x07\x1b[2J[bold]x[/bold] [link=http://a]y[/link] :smile:" in shown
    assert "\x1b]" not in shown
    assert "\x07" not in shown


def test_a_drawn_table_is_coloured_on_a_colour_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The column's style is applied, unless the user wants no colour."""
    drawn = {}
    for wish in ("FORCE_COLOR", "NO_COLOR"):
        with monkeypatch.context() as patch:
            out = io.StringIO()
            patch.setattr(sys, "stdout", out)
            patch.setattr(module, "is_terminal", lambda _: True)
            patch.setenv("TERM", "xterm-256color")
            patch.delenv("NO_COLOR", raising=False)
            patch.setenv("FORCE_COLOR", "1")
            patch.setenv(wish, "1")
            Screen(False).table(COLUMNS, [("1", "x")])
            drawn[wish] = out.getvalue()
    assert "\x1b[31m" in drawn["FORCE_COLOR"]
    assert "\x1b[31m" not in drawn["NO_COLOR"]


def test_a_plain_table_is_columns_of_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Numbers to the right, no trailing space, one line a row whatever the text holds."""
    Screen(False).table(COLUMNS, [("1", "a\nb"), ("10", HOSTILE)])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [" n  text", " 1  a ⏎ b"]
    assert len(lines) == 3
    assert acted_on(lines[2]) == []


def test_lines_and_notes_are_neutralised_and_kept_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """The answer on one stream, what stands beside it on the other."""
    screen = Screen(False)
    screen.line("a\x1b[0m\nb")
    screen.note("c\x07")
    captured = capsys.readouterr()
    assert captured.out == "a\\x1b[0m ⏎ b\n"
    assert captured.err == "c\\x07\n"


@given(ANY)
def test_json_is_ascii_and_exact_but_for_joined_surrogates(text: str) -> None:
    """Any locale can print it, any terminal show it."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        Screen(True).json({"text": text})
    assert out.getvalue().isascii()
    assert acted_on(out.getvalue()) == []
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(out.getvalue())["text"] == joined


def test_a_drawn_table_folds_into_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between words where it can; wide signs count twice; what goes under a cell stands below it."""
    columns = [
        Column("id", style="green"),
        Column("says", wraps=True),
        Column("why", style="magenta", under=True),
        Column("n", number=True),
    ]
    rows = [
        ("m1", "The spare key hangs behind the boiler in the cellar.", "words .40", "7"),
        ("m22", "日本語の文章は折り返されますか" * 3, "", "41"),
    ]
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(module, "is_terminal", lambda _: True)
    monkeypatch.setenv("COLUMNS", "32")
    monkeypatch.setenv("NO_COLOR", "1")
    Screen(False).table(columns, rows)
    lines = out.getvalue().splitlines()
    assert lines[0] == "id   says                      n"
    assert lines[1] == "─" * 32
    assert lines[2:5] == ["m1   The spare key hangs       7", "     behind the boiler in", "     the cellar."]
    assert lines[5] == "     words .40"
    assert all(module._width(line) <= 32 for line in lines)
    assert "".join(line.split()[-1 if "41" not in line else 1] for line in lines[6:]) == rows[1][1]
