"""Progress: in, what is being done and how much of it; out, a bar on the error stream, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import click

from reverie.faces.cli.screen import is_terminal, one_line

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A bar for the time of the block; call what it yields with each step's size. Nothing where nobody looks."""
    if not is_terminal(sys.stderr):
        yield _nobody_looks
        return
    bar: ProgressBar[int]
    # Steps are counted by update(); the iterable only lets the total be unknown.
    with click.progressbar(count(), length=total, label=one_line(label), file=sys.stderr, show_pos=True) as bar:
        yield bar.update


def _nobody_looks(step: int) -> None:
    """No bar to move."""


@contextmanager
def busy(label: str) -> Iterator[None]:
    """A word on the error stream while something runs that cannot say how far it is."""
    if not is_terminal(sys.stderr):
        yield
        return
    sys.stderr.write(f"{one_line(label)} …")
    sys.stderr.flush()
    try:
        yield
    finally:
        sys.stderr.write("\r\x1b[K")
