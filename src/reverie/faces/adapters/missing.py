"""What is said where a framework is not installed. In: the extra's name. Out: an error that names it."""

from __future__ import annotations

from reverie.errors import ReverieError


def missing(framework: str, extra: str) -> ReverieError:
    """The error of an adapter whose framework cannot be imported."""
    return ReverieError(f"{framework} is not installed.", f'Install it: pip install "reverie[{extra}]".')
