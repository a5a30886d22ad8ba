"""What all pictures share: the library, fonts and colours, text that is data, and files of the same bytes each time.

The library is an extra and is loaded when a picture is drawn. Nothing of its global state is used or changed for good.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import InvalidInput, ReverieError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
LABEL = 60
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999933", "#882255")
"""Okabe and Ito's, which people who see colours differently can tell apart, and two of Tol's."""
GREY = "#777777"
_STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans", "sans-serif"],  # comes with the library and has the Turkish letters
    "font.size": 9.0,
    "axes.titlesize": 11.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",  # text stays text: any script the viewer can show, found by a search
    "svg.hashsalt": "reverie",
    "text.parse_math": False,  # a memory may speak of dollars
    "text.usetex": False,
}
_NO_DATE = {"svg": {"Date": None, "Creator": "Reverie"}, "png": {"Software": None}}
_UNKNOWN = "\N{WHITE SQUARE}"


@contextmanager
def drawing(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    """A figure of so many inches with one pair of axes, in the house's style for the time of the block.

    Raises:
        ReverieError: the plotting library is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise ReverieError(
            "The library that draws pictures is not installed.", 'Install it: pip install "reverie[plots]".'
        ) from None
    with rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()


def save(figure: Figure, path: Path, *, dpi: int = 150) -> None:
    """Write a figure in the format its file's suffix names; the same figure gives the same bytes.

    Raises:
        InvalidInput: the suffix names no format.
        OSError: the file cannot be written.
    """
    import warnings

    from matplotlib import rc_context

    kind = format_of(path)
    with rc_context(_STYLE), warnings.catch_warnings():
        # In an SVG the viewer's fonts draw the text; in a PNG what the font lacks was replaced before.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        if kind == "png":
            _replace_unknown(figure)
        figure.savefig(path, format=kind, dpi=dpi, metadata=_NO_DATE[kind])


def format_of(path: Path) -> str:
    """The format a file's suffix names. Raises InvalidInput."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InvalidInput(f"{path} is neither .svg nor .png.", "Choose one of the two.")
    return kind


def label(text: str, length: int = LABEL) -> str:
    """A text as a picture shows it: one line, cut, nothing in it that XML or a renderer would act on."""
    line = " ".join("".join(sign if _is_shown(sign) else " " for sign in text[: 4 * length]).split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def _is_shown(sign: str) -> bool:
    """Whether a character is drawn: no control, no mark of direction, no lone surrogate, nothing without a meaning."""
    return unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}


def _replace_unknown(figure: Figure) -> None:
    """Put a square for every character the font has not."""
    from matplotlib.font_manager import findfont, get_font
    from matplotlib.text import Text

    known = get_font(findfont("DejaVu Sans")).get_charmap()
    for text in figure.findobj(Text):
        words = text.get_text()
        text.set_text("".join(sign if sign == "\n" or ord(sign) in known else _UNKNOWN for sign in words))
