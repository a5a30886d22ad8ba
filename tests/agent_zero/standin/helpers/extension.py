"""The stand-in's extensions: found by folder, the first file of a name wins, a new instance for every call."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from helpers import files, modules, subagents
from layout import EXTENSIONS, OLD

_loaded: dict[str, list[type[Extension]]] = {}


class Extension:
    def __init__(self, agent: Any, **kwargs: Any) -> None:
        self.agent, self.kwargs = agent, kwargs

    def execute(self, **kwargs: Any) -> Any:
        raise NotImplementedError


def _in_folder(folder: str) -> list[type[Extension]]:
    where = files.get_abs_path(folder)
    if where not in _loaded:
        if not Path(where).is_dir():
            return []
        _loaded[where] = modules.load_classes_from_folder(where, Extension)
    return _loaded[where]


def _classes(agent: Any, extension_point: str) -> list[type[Extension]]:
    first: dict[str, type[Extension]] = {}
    for folder in subagents.get_paths(agent, EXTENSIONS, extension_point, default_root="python" if OLD else ""):
        for found in _in_folder(folder):
            first.setdefault(found.__module__.rsplit(".", 1)[-1], found)
    return [found for _, found in sorted(first.items())]


async def call_extensions_async(extension_point: str, agent: Any = None, **given: Any) -> None:
    for found in _classes(agent, extension_point):
        returned = found(agent=agent).execute(**given)
        if OLD or inspect.isawaitable(returned):
            await returned


if OLD:
    call_extensions = call_extensions_async
