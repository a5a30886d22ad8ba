"""Take the README's picture: run the demo on a terminal of its own and draw what it shows.

In: the installed command. Out: ``docs/images/demo.svg``. Run it as ``python -m tools.picture`` after the demo changed.
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "demo.svg"
WIDTH = 104
LINES = 34
COMMAND = [str(Path(sys.executable).with_name("reverie")), "demo"]
FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def shown() -> str:
    """What the demo writes to a terminal ``WIDTH`` columns wide, colours included."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "LINES": "50", "TERM": "xterm-256color"}
    with subprocess.Popen(COMMAND, stdout=theirs, stderr=subprocess.DEVNULL, stdin=theirs, env=environment):
        os.close(theirs)
        chunks = []
        while chunk := _read(ours):
            chunks.append(chunk)
    os.close(ours)
    return b"".join(chunks).decode("utf-8").replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other end has closed
        return b""


def draw(text: str) -> str:
    """The first lines of a terminal's text as SVG, without fonts to fetch."""
    console = Console(width=WIDTH, record=True, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(text.split("\n")[:LINES])))
    return FONT_FACE.sub("", console.export_svg(title="make demo", unique_id="reverie-demo"))


if __name__ == "__main__":
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(draw(shown()), encoding="utf-8")
