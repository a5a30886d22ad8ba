"""What the models computed here share: their weights' files, batches of equal cost, one thread for numpy."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from reverie.errors import ModelCorrupt, ModelMissing

# Keep numpy's matrix products on one thread while a model computes.


def one_thread() -> AbstractContextManager[Any]:
    """One thread for BLAS inside the block; without the package threadpoolctl, whatever the process has."""
    controller = _controller()
    if controller is None:
        return nullcontext()
    limits: AbstractContextManager[Any] = controller.limit(limits=1, user_api="blas")
    return limits


@cache
def _controller() -> Any:
    """Looks through the libraries the process has loaded, which takes some milliseconds, so once."""
    try:
        threadpoolctl = import_module("threadpoolctl")
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


# Group token sequences so that one pass of a network costs about the same.


def token_batches(
    texts: Iterable[Sequence[int]], budget_tokens: int
) -> Iterator[tuple[list[int], list[Sequence[int]]]]:
    """Groups of at most ``budget_tokens`` (one sequence alone may have more), in order; empty sequences are left out.

    Each group is the positions of its sequences in ``texts``, and the sequences.
    """
    numbers: list[int] = []
    group: list[Sequence[int]] = []
    room = budget_tokens
    for number, tokens in enumerate(texts):
        if group and len(tokens) > room:
            yield numbers, group
            numbers, group, room = [], [], budget_tokens
        if tokens:
            numbers.append(number)
            group.append(tokens)
            room -= len(tokens)
    if group:
        yield numbers, group


# Find a file of weights inside an installed package and make sure it is the published one.


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """One file in one release of a package. ``install`` is what a person types to get it."""

    package: str
    path: str
    sha256: str
    install: str

    def read(self) -> bytes:
        """The verified bytes.

        Raises:
            ModelMissing: the package is not installed, or has no such file.
            ModelCorrupt: the file is not the one the checksum was taken of.
        """
        location = self._locate()
        try:
            data = location.read_bytes()
        except OSError as error:
            raise ModelMissing(f"{self.package} has no readable {self.path}.", self._mend) from error
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise ModelCorrupt(f"{self.path} of {self.package} is not the published file.", self._mend)
        return data

    @property
    def is_there(self) -> bool:
        """Whether the package is installed; nothing is read."""
        return importlib.util.find_spec(self.package) is not None

    @property
    def _mend(self) -> str:
        return f"Install it again: {self.install}"

    def _locate(self) -> Path:
        found = importlib.util.find_spec(self.package)
        folders = list(found.submodule_search_locations or ()) if found else []
        if not folders:
            raise ModelMissing(f"The package {self.package} is not installed.", f"Install it: {self.install}")
        return Path(folders[0]) / self.path
