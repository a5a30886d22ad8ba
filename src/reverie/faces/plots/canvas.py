"""Shared basis of all plots: the plotting library, fonts and colours, safe labels, and reproducible files.

The library is an extra and is loaded when a plot is drawn. Its global state is neither used nor permanently changed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import InvalidInput
from reverie.extras import lacking

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
LABEL = 60
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999933", "#882255")
"""The colour-blind-safe palette of Okabe and Ito, and two colours of Tol's."""
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
    """Yield a figure of this size in inches with one pair of axes, in the common style for the duration of a block.

    Raises:
        ReverieError: the plotting library is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise lacking("plots", "A picture") from None
    with rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()


def save(figure: Figure, path: Path, *, dpi: int = 150) -> None:
    """Write a figure in the format of the file's suffix; the same figure gives the same bytes.

    Raises:
        InvalidInput: the suffix names no known format.
        OSError: the file cannot be written.
    """
    import warnings

    from matplotlib import rc_context

    kind = format_of(path)
    with rc_context(_STYLE), warnings.catch_warnings():
        # In an SVG the viewer's fonts draw the text; in a PNG missing characters were replaced before.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        if kind == "png":
            _replace_unknown(figure)
        figure.savefig(path, format=kind, dpi=dpi, metadata=_NO_DATE[kind])


def format_of(path: Path) -> str:
    """Return the format of a file's suffix. Raises InvalidInput."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InvalidInput(f"{path} is neither .svg nor .png.", "Choose one of the two.")
    return kind


def label(text: str, length: int = LABEL) -> str:
    """Prepare a text as a label: one line, shortened, without characters that XML or a renderer would act on."""
    line = " ".join("".join(sign if _is_shown(sign) else " " for sign in text[: 4 * length]).split())
    return line if len(line) <= length else f"{line[: length - 1].rstrip()}…"


def _is_shown(sign: str) -> bool:
    """Whether a character is drawn: no control, direction mark, lone surrogate or unassigned code."""
    return unicodedata.category(sign) not in {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}


def _replace_unknown(figure: Figure) -> None:
    """Replace every character that the font lacks by a square."""
    from matplotlib.font_manager import findfont, get_font
    from matplotlib.text import Text

    known = get_font(findfont("DejaVu Sans")).get_charmap()
    for text in figure.findobj(Text):
        words = text.get_text()
        text.set_text("".join(sign if sign == "\n" or ord(sign) in known else _UNKNOWN for sign in words))
