import builtins
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput, ReverieError
from reverie.faces.plots.canvas import drawing, format_of, label, save

HOSTILE = "</text><script>alert(1)</script> & $\\frac{1}{0}$ \x00\x1b\ud800\u202e Şişli İzmir ığ 日本 😀"


@pytest.fixture
def matplotlib() -> Any:
    """The library, or no test."""
    return pytest.importorskip("matplotlib")


def drawn(path: Path, text: str) -> bytes:
    """A picture with a text in it."""
    with drawing(3.0, 2.0) as (figure, axes):
        axes.plot([0, 1], [0, 1])
        axes.set_title(label(text, 200))
    save(figure, path)
    return path.read_bytes()


@pytest.mark.parametrize("suffix", [".svg", ".png", ".SVG"])
def test_the_same_picture_is_the_same_bytes(matplotlib: Any, tmp_path: Path, suffix: str) -> None:
    """No date, no chance, no version in it."""
    first, second = drawn(tmp_path / f"a{suffix}", "İzmir"), drawn(tmp_path / f"b{suffix}", "İzmir")
    assert first == second
    assert matplotlib.__version__.encode() not in first


def test_a_text_in_a_picture_is_data(matplotlib: Any, tmp_path: Path) -> None:
    """Markup is escaped, dollars are dollars, what XML cannot carry is gone, and Turkish letters are there."""
    raw = drawn(tmp_path / "a.svg", HOSTILE)
    texts = ["".join(node.itertext()) for node in ET.fromstring(raw).iter() if node.tag.endswith("}text")]
    assert b"<script" not in raw
    [title] = [text for text in texts if "Şişli" in text]
    assert "<script>alert(1)</script> & $\\frac{1}{0}$" in title
    assert "İzmir ığ 日本 😀" in title
    assert drawn(tmp_path / "a.png", HOSTILE)


def test_the_librarys_settings_are_as_they_were(matplotlib: Any, tmp_path: Path) -> None:
    """Whoever else draws in this process draws as before."""
    before = dict(matplotlib.rcParams)
    drawn(tmp_path / "a.svg", "x")
    assert dict(matplotlib.rcParams) == before


def test_only_two_formats_are_known() -> None:
    """Told by the file's name."""
    assert (format_of(Path("a.svg")), format_of(Path("b.PNG"))) == ("svg", "png")
    with pytest.raises(InvalidInput):
        format_of(Path("a.pdf"))


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a traceback."""
    real = builtins.__import__

    def without(name: str, *arguments: Any, **named: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ReverieError, match=r"reverie\[plots\]"), drawing(1.0, 1.0):
        pass


@given(st.text(), st.integers(2, 80))
def test_a_label_is_one_short_line(text: str, length: int) -> None:
    """Whatever it is made of."""
    line = label(text, length)
    assert len(line) <= length
    assert line == " ".join(line.split())
    assert not any(ord(sign) < 32 or 0xD800 <= ord(sign) < 0xE000 for sign in line)


def test_a_label_keeps_a_short_text_and_cuts_a_long_one() -> None:
    """With a mark where something is missing."""
    assert label("Zeynep  moved\nto Izmir.") == "Zeynep moved to Izmir."
    assert label("abcdef", 4) == "abc…"
