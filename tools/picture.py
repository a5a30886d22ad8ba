"""Take the README's picture: load the demo, ask it for an explanation on a terminal of its own, draw what it shows.

In: the installed command. Out: ``docs/images/demo.svg``. Run ``make picture`` after the demo or the scoring changed.
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "demo.svg"
WIDTH = 104
REVERIE = str(Path(sys.executable).with_name("reverie"))
ASKED = "What is the code for the bike shed?"
FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def shown(command: list[str], folder: Path) -> str:
    """What a command writes to a terminal ``WIDTH`` columns wide, colours included."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "LINES": "50", "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, stdin=theirs, env=environment, cwd=folder):
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
    """A terminal's text as SVG, without fonts to fetch."""
    console = Console(width=WIDTH, record=True, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.rstrip()))
    return FONT_FACE.sub("", console.export_svg(title="after make demo", unique_id="reverie-demo"))


def main() -> None:
    """Take the picture."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "demo"
        subprocess.run([REVERIE, "demo", "--keep", str(kept)], check=True, capture_output=True)
        answer = shown([REVERIE, "explain", ASKED, "--top-k", "4"], kept)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(draw(f'$ reverie explain "{ASKED}" --top-k 4\n{answer}'), encoding="utf-8")


if __name__ == "__main__":
    main()
